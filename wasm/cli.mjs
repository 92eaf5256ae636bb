#!/usr/bin/env node
// The command line over WebAssembly: the same options, output and exit status as the native program.

import { closeSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { CompilerTrap, load } from './index.js';
import { isRemote, runRemotely } from './remote-cli.js';

/** The reason of a failed system call as C's strerror words it. */
const reasons = {
	EACCES: 'Permission denied', EISDIR: 'Is a directory', ENOENT: 'No such file or directory', ENOSPC: 'No space left on device',
	ENOTDIR: 'Not a directory', EROFS: 'Read-only file system',
};

function writeAll(fd, bytes) {
	for (let done = 0; done < bytes.length;) {
		try {
			done += writeSync(fd, bytes, done);
		} catch (error) {
			if (error.code !== 'EAGAIN')
				throw error;
		}
	}
}

const host = {
	read(path) {
		try {
			return readFileSync(path === '-' ? 0 : path);
		} catch (error) {
			throw new Error(reasons[error.code] ?? error.code, { cause: error });
		}
	},
	write(path, bytes) {
		let fd;
		try {
			fd = openSync(path, 'w');
		} catch (error) {
			throw new Error(reasons[error.code] ?? error.code, { cause: error });
		}
		try {
			writeAll(fd, bytes);
		} catch (error) {
			rmSync(path, { force: true });
			throw error;
		} finally {
			closeSync(fd);
		}
	},
	print: (stream, bytes) => writeAll(stream, bytes),
};

try {
	const compiler = await load();
	const argv = process.argv.slice(2);
	process.exitCode = isRemote(argv) ? await runRemotely(compiler, argv, host) : compiler.command(argv, host, 2 ** 31 - 2 ** 20);
} catch (error) {
	writeFileSync(2, `ptxscope: ${error instanceof CompilerTrap ? 'internal error: ' : ''}${error.message}\n`);
	process.exitCode = 3;
}

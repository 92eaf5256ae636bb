// npm run kernels [-- NAME…] [--with=nvcc|clang]: every kernel of tests/cuda/kernels is compiled from CUDA C++, executed and compared with
// its reference. With clang, the PTX of clang 22 and the native ptxscope is compared besides; with nvcc, nvcc's PTX is executed, too.

import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clangArguments, load } from '../../wasm/cuda/node.js';
import { complaints } from '../tools/launch.mjs';
import { native, temporaryFolder } from '../tools/ptxscope.mjs';
import { root } from '../tools/setup.mjs';

const target = 'sm_80', folder = join(root, 'tests/cuda/kernels'), work = temporaryFolder(), words = process.argv.slice(2);
const other = words.find((w) => w.startsWith('--with='))?.slice(7), wanted = words.filter((w) => !w.startsWith('--'));
const names = readdirSync(folder).filter((file) => file.endsWith('.cu')).map((file) => file.slice(0, -3)).filter((name) => !wanted.length || wanted.includes(name));

function run(command, argv, options) {
	const r = spawnSync(command, argv, { encoding: 'utf8', maxBuffer: 1 << 28, ...options });
	if (r.status !== 0)
		throw new Error((r.error?.message ?? r.stderr).trim().split('\n').slice(0, 6).join('\n'));
	return r.stdout;
}
const toPtx = (ir) => run(native, ['compile', '-', '-o', '-', `-mcpu=${target}`, '-mattr=+ptx88'], { input: ir });

/** What is wrong with a kernel's results. */
function execute(name, ptx) {
	const file = join(work, `${name}.ptx`), launchFile = join(folder, `${name}.launch.json`), launch = JSON.parse(readFileSync(launchFile, 'utf8'));
	writeFileSync(file, ptx);
	const result = JSON.parse(run(native, ['run', file, `--launch=${launchFile}`, `-mcpu=${target}`, '--json']));
	return [...result.faults.map((f) => JSON.stringify(f)), ...complaints(launch, result)];
}

const withClang = (name, source) => run('clang-22', [
	...clangArguments({ name: 'k.cu', target, backEnd: true }).slice(1).map((word) => word === '/cuda/include' ? join(root, 'wasm/cuda/include') : word),
], { cwd: writeFileSync(join(work, 'k.cu'), source) ?? work });
const withNvcc = (name) => {
	run('nvcc', ['-ptx', `-arch=${target}`, '-w', join(folder, `${name}.cu`), '-o', join(work, 'nvcc.ptx')]);
	return readFileSync(join(work, 'nvcc.ptx'), 'utf8');
};

const cuda = other === 'nvcc' ? null : await load();
let bad = 0;
for (const name of names) {
	const source = readFileSync(join(folder, `${name}.cu`), 'utf8');
	const found = [];
	try {
		if (other === 'nvcc') {
			found.push(...execute(name, withNvcc(name)));
		} else {
			const { status, ir, stderr } = await cuda.compile({ source, name: 'k.cu', target });
			if (status !== 0)
				throw new Error(stderr);
			const ptx = toPtx(ir);
			found.push(...execute(name, ptx));
			if (other === 'clang' && toPtx(withClang(name, source)) !== ptx)
				found.push('the PTX of clang 22 is another one');
		}
	} catch (error) {
		found.push(error.message);
	}
	if (found.length) {
		bad++;
		console.log(`${name}: ${found.join('; ')}`);
	}
}
console.log(`${names.length - bad} of ${names.length} kernels as expected`);
process.exitCode = bad ? 1 : 0;

// The sandbox of a job: bubblewrap where it works, and limits of the system in any case (executor/main.c sets them).
//
// Inside there is no network and no other process, the root is read-only, the home folders and /tmp are empty, as are the service's own, and of the devices only
// the GPU's are there.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';

const gpuFiles = () => existsSync('/dev') ? readdirSync('/dev').filter((name) => /^(?:nvidia|dxg$)/.test(name)).map((name) => `/dev/${name}`) : [];

/** Arguments of bwrap. `files`: what has to be readable inside although it lies in a folder that is empty there; `hidden`: folders that are
 * empty there, too. */
function bwrap(files, hidden = []) {
	const bind = (option, path) => [option, path, path];
	const folders = [...new Set(files.map((file) => dirname(realpathSync(file))))];
	return [
		'--unshare-all', '--die-with-parent', '--new-session', ...bind('--ro-bind', '/'), '--dev', '/dev', ...gpuFiles().flatMap((file) => bind('--dev-bind', file)),
		'--proc', '/proc', '--tmpfs', '/tmp', ...['/home', '/root', '/run', '/var/tmp', ...hidden].filter(existsSync).flatMap((path) => ['--tmpfs', path]),
		...folders.flatMap((folder) => bind('--ro-bind', folder)), '--chdir', '/', '--clearenv', '--setenv', 'PATH', '/usr/bin:/bin', '--setenv', 'LANG', 'C.UTF-8',
	];
}

let works;
/** bubblewrap is there and may make its namespaces. */
export const sandboxed = () => works ??= process.platform === 'linux' && spawnSync('bwrap', [...bwrap([]), 'true'], { stdio: 'ignore' }).status === 0;

/** The command that runs `command` inside; `files`: what it needs, `env`: what it sees besides PATH and LANG; `sandbox`: { hidden }. */
export function confine(command, { files = [], env = {}, sandbox: { hidden = [] } = {} }) {
	if (!sandboxed())
		return { command, env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', ...env } };
	const variables = Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]);
	return { command: ['bwrap', ...bwrap(files, hidden), ...variables, '--', ...command], env: { PATH: process.env.PATH } };
}

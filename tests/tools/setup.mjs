// Finds what a command needs and installs what is missing: npm packages, and tools through apt where it may (root, or sudo
// without a password). What cannot be had is reported with the names of its packages; nothing here is specific to a machine.

import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The path of `program` on PATH, or null. */
export function which(program) {
	for (const folder of (process.env.PATH ?? '').split(delimiter)) {
		const file = join(folder, program);
		try {
			accessSync(file, constants.X_OK);
			if (statSync(file).isFile())
				return file;
		} catch { /* not here */ }
	}
	return null;
}

const anyOf = (...programs) => () => programs.some(which);
const allOf = (...programs) => () => programs.every(which);

/** A C compiler that also links AddressSanitizer's runtime. */
function sanitizers() {
	const flags = ['-fsanitize=address,undefined', '-x', 'c', '-', '-o', '/dev/null'];
	return spawnSync('cc', flags, { input: 'int main(void) { return 0; }' }).status === 0;
}

/** Every tool: how to see that it is there, the packages that bring it, and what it is for. */
export const tools = {
	make: { found: allOf('make'), packages: ['make'], use: 'every build' },
	cc: { found: allOf('cc'), packages: ['gcc', 'libc6-dev'], use: 'the native build' },
	sanitizers: { found: sanitizers, packages: ['gcc', 'libc6-dev'], use: 'the build under AddressSanitizer' },
	emcc: { found: allOf('emcc'), packages: ['emscripten'], use: 'the WebAssembly build' },
	chromium: { found: () => browser() !== null, packages: ['chromium-headless-shell'], use: 'the tests of the page' },
	llvm: {
		found: allOf('llc-19', 'opt-19', 'llvm-as-19', 'llvm-dis-19'), packages: ['llvm-19'],
		use: 'the comparisons with LLVM 19',
	},
	clang: { found: allOf('clang-19'), packages: ['clang-19', 'libclang-rt-19-dev'], use: 'fuzzing' },
	filecheck: { found: anyOf('FileCheck-19'), packages: ['llvm-19-tools'], use: 'checking our checker against FileCheck' },
	format: { found: allOf('clang-format'), packages: ['clang-format'], use: 'checking the layout of C files' },
	bubblewrap: { found: allOf('bwrap'), packages: ['bubblewrap'], use: 'the sandbox of the GPU runner' },
	nats: { found: allOf('nats-server'), packages: ['nats-server'], use: 'the queue of several GPU hosts' },
	hyperfine: { found: allOf('hyperfine'), packages: ['hyperfine'], use: 'timing' },
};

/** A Chromium-like browser: $CHROMIUM, or the first of the usual names; null where there is none. */
export function browser() {
	// Opening the page takes the shell without windows two thirds of the processor time.
	const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
	// Ubuntu's /usr/bin/chromium-browser may be no more than a script that asks for the snap.
	const works = (file) => file && !(statSync(file).size < 4096 && readFileSync(file, 'latin1').includes('snap install'));
	const own = process.env.CHROMIUM;
	if (own)
		return existsSync(own) ? own : null;
	return names.map(which).find(works) ?? null;
}

function sudo() {
	if (process.getuid?.() === 0)
		return [];
	return which('sudo') && spawnSync('sudo', ['-n', 'true']).status === 0 ? ['sudo', '-n'] : null;
}

function runApt(prefix, args) {
	const command = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q', '-o', 'DPkg::Lock::Timeout=120', ...args];
	return spawnSync(command[0], command.slice(1), { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
}

/** Those of `packages` that this machine's archive offers. */
function offered(packages) {
	const { stdout = '' } = spawnSync('apt-cache', ['policy', ...packages], { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } });
	const have = new Set();
	for (const [, name, candidate] of stdout.matchAll(/^(\S+):\n {2}Installed: .*\n {2}Candidate: (.*)$/gm))
		if (candidate !== '(none)')
			have.add(name);
	return packages.filter((name) => have.has(name));
}

/** Tries to bring the missing ones among `names`; returns those that are still missing. Says what it does through `say`. */
export function ensureTools(names, say) {
	const missing = () => names.filter((name) => !tools[name].found());
	let left = missing();
	if (left.length === 0 || !which('apt-get'))
		return left;
	const prefix = sudo();
	if (prefix === null)
		return left;
	const wanted = () => [...new Set(left.flatMap((name) => tools[name].packages))];
	if (offered(wanted()).length < wanted().length)
		runApt(prefix, ['update']);
	// One by one, so that a package that cannot be installed does not keep the others away.
	for (const name of left) {
		const packages = tools[name].packages;
		if (offered(packages).length < packages.length || tools[name].found())
			continue;
		say(`installing ${packages.join(' ')} for ${tools[name].use}`);
		const { status, stderr } = runApt(prefix, ['install', '-y', '--no-install-recommends', ...packages]);
		if (status !== 0)
			say(`could not install ${packages.join(' ')}: ${(stderr ?? '').trim().split('\n').at(-1)}`);
	}
	left = missing();
	return left;
}

/** "make (for every build): sudo apt-get install make" for each of `names`. */
export function howToInstall(names) {
	return names.map((name) => `  ${name} is missing (for ${tools[name].use}): sudo apt-get install ${tools[name].packages.join(' ')}`)
		.join('\n');
}

function npmIsCurrent() {
	const stamp = join(root, 'node_modules/.package-lock.json');
	const time = (file) => statSync(join(root, file)).mtimeMs;
	return existsSync(stamp) && ['package-lock.json', 'package.json', 'wasm/package.json', 'web/package.json', 'runner/package.json']
		.every((file) => !existsSync(join(root, file)) || time(file) <= statSync(stamp).mtimeMs);
}

/** Installs the npm packages of the lock file unless they are there. Returns null, or what went wrong. */
export function ensureNpm(say) {
	if (npmIsCurrent())
		return null;
	say('installing npm packages');
	const { status, stderr } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'],
		{ cwd: root, encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] });
	return status === 0 ? null : `npm ci failed: ${(stderr ?? '').trim()}`;
}

/** Node's version is too old for the tools of the page; null where it is fine. */
export function nodeProblem() {
	const [major, minor] = process.versions.node.split('.').map(Number);
	return major > 20 || (major === 20 && minor >= 19) ? null
		: `Node ${process.versions.node} is too old: 20.19 or later is needed (https://nodejs.org)`;
}

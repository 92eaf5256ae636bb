#!/usr/bin/env node
// cuda IN.cu [-o OUT]: CUDA C++ to PTX, or to LLVM IR where OUT ends in .ll or -emit-llvm is given.
// cuda run PROGRAM.cu [ARGUMENT...]: runs a whole program, its host code in WebAssembly, its kernels on the emulator.

import { readFileSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { setFlagsFromString } from 'node:v8';

const usage = `usage: cuda IN.cu [-o OUT.ptx] [-arch=sm_75] [-O0..-O3] [-DNAME=VALUE] [-IFOLDER] [-emit-llvm] [-KNOB=VALUE]
       cuda run PROGRAM.cu [-arch=sm_75] [-O0..-O3] [-DNAME=VALUE] [-IFOLDER] [ARGUMENT...]

Compiles the device code of CUDA C++ to PTX. "-" is standard input or output. Options that are not listed go to ptxscope.
With run, compiles a program with a main and runs it: its output and exit status are the program's. Options stand in front of PROGRAM.cu
or right behind it; what comes after the first other word, or after "--", is the program's.`;

/** One compilation is done before a better tier of clang's code would be ready. */
for (const flag of ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering'])
	setFlagsFromString(flag);

function readArguments(words) {
	const run = words[0] === 'run', argv = run ? words.slice(1) : words;
	const options = { run, target: 'sm_75', level: 3, output: '-', defines: {}, folders: [], further: [], args: [], ir: false };
	for (let i = 0; i < argv.length; i++) {
		const word = argv[i], [, letter, rest] = /^-([oDIO])(.*)$/.exec(word) ?? [];
		if (word === '-h' || word === '--help')
			options.help = true;
		else if (run && word === '--') {
			options.args = argv.slice(i + 1);
			break;
		}
		else if (/^-(?:arch|mcpu|-gpu-architecture|-cuda-gpu-arch)=/.test(word))
			options.target = word.slice(word.indexOf('=') + 1);
		else if (letter === 'O' && /^[0-3]$/.test(rest))
			options.level = Number(rest);
		else if (letter === 'o')
			options.output = rest || argv[++i];
		else if (letter === 'D') {
			const [name, value = '1'] = (rest || argv[++i] || '').split(/=(.*)/s);
			options.defines[name] = value;
		} else if (letter === 'I')
			options.folders.push(rest || argv[++i]);
		else if (word === '-emit-llvm')
			options.ir = true;
		else if (word.startsWith('-') && word !== '-')
			options.further.push(word);
		else if (options.input === undefined)
			options.input = word;
		else if (run) {
			options.args = argv.slice(i);
			break;
		} else
			throw new Error(`two inputs: ${options.input} and ${word}`);
	}
	if (!options.help && options.input === undefined)
		throw new Error('no input');
	return options;
}

/** Files that the source includes in quotes, and what these include, as far as they are there. */
function includedFiles(source, from, folders, found = {}) {
	for (const [, name] of source.matchAll(/^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"/gm))
		for (const folder of [from, ...folders]) {
			const path = normalize(join(folder, name));
			if (found[path] !== undefined)
				break;
			try {
				found[path] = readFileSync(path, 'utf8');
			} catch {
				continue;
			}
			includedFiles(found[path], dirname(path), folders, found);
			break;
		}
	return found;
}

/** Ranges of columns and machine-readable fixes are for diagnostics.js. */
const forPeople = (stderr) => stderr.replace(/^(.+?:\d+:\d+:)(?:\{[\d:-]+\})+:/gm, '$1').replace(/^fix-it:.*\n/gm, '');

async function runMain(source, name, { target, level, defines, folders, args, further }) {
	if (further.length)
		throw new Error(`run has no option ${further[0]}`);
	const { load, runProgram } = await import('./node.js');
	const [cuda, { load: loadCompiler }] = await Promise.all([load({ programs: true }), import('@ptxscope/core')]);
	const program = await cuda.compileProgram({ source, name, target, level, defines, folders, files: includedFiles(source, dirname(name), folders) });
	process.stderr.write(forPeople(program.stderr));
	if (program.status !== 0)
		return program.status;
	const input = process.stdin.isTTY ? new Uint8Array() : readFileSync(0);
	const { status } = await runProgram(await loadCompiler(), program, { args, input, print: (stream, bytes) => writeAll(stream, bytes) });
	return status;
}

/** To a pipe that is full, a write may take a part or nothing. */
function writeAll(stream, bytes) {
	for (let at = 0; at < bytes.length;)
		try {
			at += writeSync(stream, bytes, at);
		} catch (error) {
			if (error.code !== 'EAGAIN')
				throw error;
		}
}

async function main() {
	const options = readArguments(process.argv.slice(2));
	if (options.help) {
		console.log(usage);
		return 0;
	}
	const { target, level, defines, input, output, folders } = options;
	const source = readFileSync(input === '-' ? 0 : input, 'utf8'), name = input === '-' ? 'input.cu' : normalize(input);
	if (options.run)
		return runMain(source, name, options);
	const { hasMain, load } = await import('./node.js');
	const cuda = await load({ programs: hasMain(source) });
	const { status, ir, stderr } = await cuda.compile({ source, name, target, level, defines, folders, files: includedFiles(source, dirname(name), folders) });
	process.stderr.write(forPeople(stderr));
	if (status !== 0)
		return status;
	const write = (text) => writeFileSync(output === '-' ? 1 : output, text);
	if (options.ir || output.endsWith('.ll')) {
		write(ir);
		return 0;
	}
	const { load: loadCompiler } = await import('@ptxscope/core');
	const result = (await loadCompiler()).run(['compile', 'cuda.ll', '-o', '-', `-mcpu=${target}`, `-O${level}`, ...options.further], { 'cuda.ll': ir });
	process.stderr.write(result.stderr);
	if (result.status === 0)
		write(result.stdout);
	return result.status;
}

try {
	process.exitCode = await main();
} catch (error) {
	writeFileSync(2, `cuda: ${error.message}\n${error.code ? '' : `${usage}\n`}`);
	process.exitCode = 2;
}

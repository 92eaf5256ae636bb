#!/usr/bin/env node
// The page's checker in the manner of LLVM's FileCheck, so that tests of text need no LLVM.
// As a program: filecheck.mjs CHECKFILE [options] <input

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { filecheck, readArguments } from '../../web/src/filecheck.js';

export * from '../../web/src/filecheck.js';

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const { file, options } = readArguments(process.argv.slice(2));
	const problem = filecheck(readFileSync(file, 'utf8'), readFileSync(0, 'utf8'), options, file);
	if (problem)
		console.error(problem);
	process.exitCode = problem ? 1 : 0;
}

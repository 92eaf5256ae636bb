// What a request asks for, as the words of a command line: one reader of options for the command line, the page and programs.

/** Target, level and knobs: for compile, run and check alike. */
function targetArguments({ target, ptx, level, knobs = {} }) {
	const argv = [];
	if (target)
		argv.push(`-mcpu=${target}`);
	if (ptx)
		argv.push(`-mattr=+${ptx}`);
	if (level !== undefined)
		argv.push(`-O${level}`);
	for (const [name, value] of Object.entries(knobs))
		argv.push(`-${name}=${typeof value === 'boolean' ? Number(value) : value}`);
	return argv;
}

/** The libraries, by their names as files. */
export const libraryArguments = ({ libraries = {} }) => Object.keys(libraries).map((name) => `--link=${name}`);

/** The command line that does what a CompileRequest asks, its record in `trace`. */
export function compileArguments(request, trace = 'trace.json') {
	const bisect = request.bisect === undefined ? [] : [`-opt-bisect-limit=${request.bisect}`];
	return ['compile', request.name ?? 'input.ll', '-o', '-', ...targetArguments(request), ...libraryArguments(request), ...bisect, `--trace=${trace}`];
}

/** The options of `run` that do what an EmulatorProgram asks. */
export const programArguments = (program) => [...program.at ? [`--level=${program.at}`] : [], ...targetArguments(program)];

/** The options of `run` that LaunchOptions stand for. */
export function launchArguments({ profile, sanitize = [], independent, registers, maxSteps, quantum, compiled }) {
	const options = {
		'--profile': profile, '--independent': independent, '--sanitize': sanitize.join(','), '--registers': registers,
		'--max-steps': maxSteps, '--quantum': quantum, '--compiled': compiled,
	};
	return Object.entries(options).filter(([, value]) => value).map(([name, value]) => value === true ? name : `${name}=${value}`);
}

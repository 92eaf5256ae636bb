// What the modifiers of a PTX instruction mean, and what the instructions of LLVM IR and their flags do: a sentence each.

/** By the word after the dot; what a word means only with some mnemonics stands under MNEMONIC.WORD. */
const words: Readonly<Record<string, string>> = {
	global: 'in global memory', shared: 'in the memory that a block shares', 'shared::cta': "in this block's shared memory", 'shared::cluster': 'in shared memory of a block of the cluster',
	local: "in the thread's own memory", const: 'in constant memory', param: 'of the parameters', 'param::entry': "of the kernel's parameters", 'param::func': "of the function's parameters", generic: 'in any memory: the address tells which',
	v2: 'two elements at once', v4: 'four elements at once', v8: 'eight elements at once',
	rn: 'rounds to nearest, ties to even', rz: 'rounds towards zero', rm: 'rounds down', rp: 'rounds up', rna: 'rounds to nearest, ties away from zero', rs: 'rounds at random',
	rni: 'rounds to the nearest integer, ties to even', rzi: 'rounds to an integer towards zero', rmi: 'rounds down to an integer', rpi: 'rounds up to an integer',
	approx: 'a fast approximation', full: 'a fast approximation over the full range', ftz: 'takes subnormal inputs and results for zero', sat: 'clamps the result to its range (floats: 0 to 1)', satfinite: 'clamps to the largest finite value',
	eq: 'equal', ne: 'not equal', lt: 'less', le: 'less or equal', gt: 'greater', ge: 'greater or equal', ls: 'lower or the same, unsigned', hs: 'higher or the same, unsigned',
	equ: 'equal, or one is NaN', neu: 'not equal, or one is NaN', ltu: 'less, or one is NaN', leu: 'less or equal, or one is NaN', gtu: 'greater, or one is NaN', geu: 'greater or equal, or one is NaN', num: 'neither is NaN', nan: 'one is NaN',
	lo: 'the low half of the product', hi: 'the high half of the product', wide: 'the whole product, twice as wide', 'setp.lo': 'lower, unsigned', 'setp.hi': 'higher, unsigned', 'set.lo': 'lower, unsigned', 'set.hi': 'higher, unsigned',
	and: 'combined by and', or: 'combined by or', xor: 'combined by exclusive or', add: 'adds', min: 'keeps the smaller', max: 'keeps the greater', inc: 'counts up to a limit', dec: 'counts down from a limit', cas: 'stores if equal to what is expected', exch: 'exchanges',
	ca: 'cached at all levels', cg: 'cached in L2 only', cs: 'cached as read or written once', lu: 'last use: the line may go', cv: 'not cached: read again each time', wb: 'written back when the line goes', wt: 'written through to memory',
	nc: 'through the read-only cache: nobody writes it while the kernel runs', weak: 'without ordering between threads', volatile: 'always done, in order', relaxed: 'atomic, without ordering', acquire: 'what comes after sees what was released', release: 'what came before is seen by who acquires', acq_rel: 'acquires and releases', sc: 'in one order that all threads agree on',
	cta: 'between threads of the block', cluster: 'between threads of the cluster', gpu: 'between threads of the GPU', sys: 'between all threads of the system', gl: 'between threads of the GPU',
	sync: 'waits for the lanes of the mask', aligned: 'all threads of the warp execute it together', uni: 'all threads of the warp go the same way', arrive: 'arrives without waiting', red: 'reduces over the threads that wait',
	up: 'from a lower lane', down: 'from a higher lane', bfly: 'from the lane whose number differs in these bits', idx: 'from the lane of this number', all: 'true in all lanes', any: 'true in any lane', ballot: 'a bit for each lane', popc: 'counts',
	to: 'into that memory', noftz: 'keeps subnormals', l: 'to the left', r: 'to the right', wrap: 'the distance wraps around', clamp: 'the distance is clamped', row: 'stored row by row', col: 'stored column by column', trans: 'transposed', x1: 'one matrix', x2: 'two matrices', x4: 'four matrices',
	async: 'in the background', bulk: 'many bytes at once', commit_group: 'closes a group of copies', wait_group: 'waits for groups of copies', noinc: 'without counting up', shiftamt: 'as an amount to shift by', cc: 'sets or reads the carry',
};

const signs: Readonly<Record<string, string>> = { u: 'unsigned', s: 'signed', b: 'untyped', f: 'floating-point', bf: 'bfloat', tf: 'TensorFloat' };

function typeInWords(word: string): string | undefined {
	if (word === 'pred')
		return 'a predicate';
	const [, kind, bits, lanes] = /^(u|s|b|f|bf|tf)(\d+)(?:x(\d+))?$/.exec(word) ?? [];
	if (!kind)
		return /^u?e\dm\d/.test(word) ? 'a float of few bits: its exponent and fraction' : undefined;
	return `${lanes ? `${lanes} × ` : ''}${signs[kind]}, ${bits} bits`;
}

/** The modifiers of a mnemonic that are present, and what each means. */
export function modifiersIn(mnemonic: string): [string, string][] {
	const [head, ...rest] = mnemonic.split('.');
	const types = rest.filter((word) => typeInWords(word));
	return rest.flatMap((word, i): [string, string][] => {
		const type = typeInWords(word);
		// Of two types the first is that of the result, where a conversion has both.
		const which = type && types.length === 2 && ['cvt', 'set', 'slct'].includes(head!) ? (rest.indexOf(word) === i && types[0] === word && !rest.slice(0, i).includes(word) ? 'to ' : 'from ') : '';
		const meaning = type ? which + type : words[`${head}.${word}`] ?? words[word] ?? (/^L[12]::/.test(word) ? 'a hint for the cache' : /^m\d+n\d+k\d+$/.test(word) ? 'rows, columns and depth of the product' : undefined);
		return meaning ? [[`.${word}`, meaning]] : [];
	});
}

const instructions: Readonly<Record<string, string>> = {
	ret: 'leaves the function', br: 'goes to a block, or to one of two', switch: 'goes to the block of the case', indirectbr: 'goes to a computed block', unreachable: 'is never reached',
	fneg: 'flips the sign', add: 'integer sum', fadd: 'floating-point sum', sub: 'integer difference', fsub: 'floating-point difference', mul: 'integer product, low bits', fmul: 'floating-point product',
	udiv: 'unsigned quotient', sdiv: 'signed quotient, towards zero', fdiv: 'floating-point quotient', urem: 'unsigned remainder', srem: 'signed remainder, with the sign of the dividend', frem: 'floating-point remainder',
	shl: 'shift to the left', lshr: 'shift to the right, zeros come in', ashr: 'shift to the right, the sign comes in', and: 'bitwise and', or: 'bitwise or', xor: 'bitwise exclusive or',
	extractelement: 'an element of a vector', insertelement: 'the vector with one element replaced', shufflevector: 'elements of two vectors in a new order', extractvalue: 'a member of a structure', insertvalue: 'the structure with one member replaced',
	alloca: "a place in the thread's own memory", load: 'reads memory', store: 'writes memory', fence: 'orders memory accesses', cmpxchg: 'writes memory if it holds what is expected, in one step', atomicrmw: 'reads, changes and writes memory in one step', getelementptr: 'computes an address from a pointer and indices; touches no memory',
	trunc: 'cuts off the high bits', zext: 'widens with zeros', sext: 'widens with the sign', fptrunc: 'to a smaller float', fpext: 'to a larger float', fptoui: 'float to unsigned integer', fptosi: 'float to signed integer', uitofp: 'unsigned integer to float', sitofp: 'signed integer to float',
	ptrtoint: 'address as an integer', inttoptr: 'integer as an address', bitcast: 'the same bits as another type', addrspacecast: 'the same place as an address of another memory', icmp: 'compares integers or pointers', fcmp: 'compares floats',
	phi: 'the value that belongs to the block that control came from', select: 'one of two values, without a branch', freeze: 'makes undefined bits some fixed value', call: 'calls a function',
};

const flags: Readonly<Record<string, string>> = {
	nuw: 'no unsigned overflow, or the result is poison', nsw: 'no signed overflow, or the result is poison', nusw: 'no overflow of the signed offset', exact: 'no remainder, or the result is poison', inbounds: 'stays within its object, or the result is poison', disjoint: 'no bit is set on both sides',
	nneg: 'the operand is not negative', samesign: 'both operands have the same sign', fast: 'all of the float freedoms', nnan: 'no NaN occurs', ninf: 'no infinity occurs', nsz: 'the sign of zero does not matter', arcp: 'may multiply by the reciprocal', contract: 'may be fused with a sum to one rounding', afn: 'may be approximated', reassoc: 'may be summed in another order',
	volatile: 'always done, in order', atomic: 'in one step, seen by other threads', tail: "uses nothing of the caller's stack", musttail: 'must take the place of its caller', addrspace: 'in a memory of its own (1 global, 3 shared, 4 constant, 5 local, 101 parameters)', align: 'the address is a multiple of so many bytes', noundef: 'not undefined', range: 'the value lies in this range', syncscope: 'between these threads',
	slt: 'signed less', sle: 'signed less or equal', sgt: 'signed greater', sge: 'signed greater or equal', ult: 'unsigned less', ule: 'unsigned less or equal', ugt: 'unsigned greater', uge: 'unsigned greater or equal', eq: 'equal', ne: 'not equal',
	oeq: 'equal, no NaN', one: 'not equal, no NaN', olt: 'less, no NaN', ole: 'less or equal, no NaN', ogt: 'greater, no NaN', oge: 'greater or equal, no NaN', ueq: 'equal or NaN', une: 'not equal or NaN', uno: 'one is NaN', ord: 'neither is NaN',
};

/** An instruction of LLVM IR, and what of its line says more about it. */
export function irInstruction(word: string, line: string): { text: string; parts: [string, string][] } | null {
	const text = Object.hasOwn(instructions, word) ? instructions[word]! : undefined;
	if (!text)
		return null;
	const rest = line.replace(/;.*$/, '').replace(/[@%!]("[^"]*"|[-$.\w]+)/g, ' ');
	const present = [...new Set(rest.match(/[a-z]+/g) ?? [])].filter((w) => w !== word && Object.hasOwn(flags, w));
	return { text, parts: present.map((w) => [w, flags[w]!]) };
}

// The grammars of the text formats and of CUDA C++, one table of sticky patterns each. The first pattern that matches at a place wins; its kind
// may depend on the matched word. Lines are tokenised alone (none of the formats spreads a token over lines here), so the
// read-only views and the editor share this one source.

export type Kind =
	| '' | 'comment' | 'string' | 'number' | 'opcode' | 'keyword' | 'type' | 'register' | 'global' | 'label' | 'meta'
	| 'special' | 'directive';

type Rule = readonly [pattern: RegExp, kind: Kind | ((word: string) => Kind)];
/** Of the compiler's own texts. */
export type CodeLanguage = 'llvm' | 'mir' | 'ptx';
export type Language = CodeLanguage | 'cuda';

export interface Token {
	start: number;
	end: number;
	kind: Kind;
}

const words = (list: string) => new Set(list.split(/\s+/));

const llvmOpcodes = words(`ret br switch indirectbr invoke callbr resume unreachable fneg add fadd sub fsub mul fmul udiv sdiv
	fdiv urem srem frem shl lshr ashr and or xor extractelement insertelement shufflevector extractvalue insertvalue alloca load
	store fence cmpxchg atomicrmw getelementptr trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint inttoptr
	bitcast addrspacecast icmp fcmp phi select freeze call landingpad va_arg`);
const llvmTypes = /^(?:i\d+|half|bfloat|float|double|fp128|void|ptr|label|token|metadata|opaque|x86_fp80|ppc_fp128)$/;

const llvm: Rule[] = [
	[/;.*/y, 'comment'],
	[/c?"(?:[^"\\]|\\.)*"?/y, 'string'],
	[/[-$._a-zA-Z0-9]+:(?=\s|$)/y, 'label'],
	[/%(?:"[^"]*"|[-$._a-zA-Z0-9]+)/y, 'register'],
	[/@(?:"[^"]*"|[-$._a-zA-Z0-9]+)/y, 'global'],
	[/![-$._a-zA-Z0-9]*|#\d+/y, 'meta'],
	[/(?:0x[KLMHR]?[0-9A-Fa-f]+|-?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)(?![\w.])/y, 'number'],
	[/[a-zA-Z_][-$._a-zA-Z0-9]*/y, (w) => llvmTypes.test(w) ? 'type' : llvmOpcodes.has(w) ? 'opcode' : 'keyword'],
];

const mirWords = words(`successors liveins body name registers blocks frameInfo stack killed dead implicit undef
	def early-clobber renamable internal debug-instr-number align from into addrspace invariant volatile
	dereferenceable call-frame-setup nofpexcept nnan ninf nsz arcp contract afn reassoc nuw nsw exact load store`);

const mir: Rule[] = [
	[/[;#].*/y, 'comment'],
	[/"(?:[^"\\]|\\.)*"?|'(?:[^']|'')*'?/y, 'string'],
	[/%?bb\.\d+(?:\.[-$._\w]+)?/y, 'label'],
	[/%(?:stack|fixed-stack|const|ir)\.[-$._\w]+|%ir-block\.[-$._\w]+/y, 'special'],
	[/%[-$._\w]+/y, 'register'],
	[/\$[a-zA-Z_][\w.]*/y, 'special'],
	[/[@&][-$._\w]+/y, 'global'],
	[/:(?:[a-z]\w*)(?=[\s,)=]|$)/y, 'type'],
	[/![-$._\w]*/y, 'meta'],
	[/(?:0x[0-9A-Fa-f]+|-?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)(?![\w.])/y, 'number'],
	[/[A-Za-z_][-\w]*/y, (w) => /^(?:i\d+|float|double|half|ptr|s\d+|p\d+|int\d+regs|float\d+regs|pred|b\d+|f\d+)$/.test(w) ? 'type'
		: /^[A-Z][A-Z0-9]/.test(w) ? 'opcode' : mirWords.has(w) ? 'keyword' : ''],
];

const ptx: Rule[] = [
	[/\/\/.*|\/\*.*?(?:\*\/|$)/y, 'comment'],
	[/"(?:[^"\\]|\\.)*"?/y, 'string'],
	[/(?:\$?[A-Za-z_][\w$]*|\$[\w$]+):(?!:)/y, 'label'],
	[/%(?:(?:n?tid|n?ctaid|clusterid|nclusterid|cluster_n?ctaid)(?:\.[xyzw])?|laneid|warpid|nwarpid|n?smid|gridid|clock(?:64)?(?:_hi)?|lanemask_\w+|envreg\d+|pm\d+|globaltimer(?:_\w+)?|dynamic_smem_size|total_smem_size|SPL?)\b(?:\.[xyzw]\b)?/y, 'special'],
	[/%[\w$]+/y, 'register'],
	[/\$[\w$]+/y, 'label'],
	[/\.(?:pred|b|u|s|f|bf|e\d+m)\d+(?:x\d)?\b|\.pred\b/y, 'type'],
	[/\.[a-z]\w*/y, 'directive'],
	[/0[fF][0-9A-Fa-f]{8}|0[dD][0-9A-Fa-f]{16}|0x[0-9A-Fa-f]+U?|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?U?(?![\w.])/y, 'number'],
	[/[a-z][a-z0-9_]*(?:(?:\.|::)[a-zA-Z0-9_]+)*/y, (w) => ptxOpcode.test(w) ? 'opcode' : ''],
	[/[A-Za-z_][\w$]*/y, 'global'],
];
const ptxOpcode = /^(?:abs|activemask|add|addc|alloca|and|atom|bar|barrier|bfe|bfi|bfind|bmsk|bra|brev|brkpt|brx|call|clz|cnot|copysign|cos|cp|createpolicy|cvt|cvta|discard|div|dp2a|dp4a|elect|ex2|exit|fence|fma|fns|getctarank|griddepcontrol|isspacep|istypep|ld|ldmatrix|ldu|lg2|lop3|mad|mad24|madc|mapa|match|max|mbarrier|membar|min|mma|mov|movmatrix|mul|mul24|multimem|nanosleep|neg|not|or|pmevent|popc|prefetch|prefetchu|prmt|rcp|red|redux|rem|ret|rsqrt|sad|selp|set|setmaxnreg|setp|shf|shfl|shl|shr|sin|slct|sqrt|st|stackrestore|stacksave|stmatrix|sub|subc|suld|suq|sured|sust|szext|tanh|tcgen05|tensormap|testp|tex|tld4|trap|txq|vabsdiff|vadd|vavrg|vmad|vmax|vmin|vote|vset|vshl|vshr|vsub|wgmma|wmma|xor)(?:\.|$)/;

const cudaKeywords = words(`alignas alignof asm auto break case catch class const constexpr continue decltype default delete do else enum
	explicit extern false for friend goto if inline mutable namespace new noexcept nullptr operator private protected public register return
	sizeof static static_assert static_cast reinterpret_cast const_cast struct switch template this throw true try typedef typename union
	using virtual volatile while __restrict__ __forceinline__ __noinline__`);
const cudaTypes = /^(?:void|bool|char|short|int|long|float|double|half2?|signed|unsigned|size_t|ptrdiff_t|dim3|u?int(?:8|16|32|64|ptr)_t|(?:u?(?:char|short|int|long|longlong)|float|double)[1-4]|__half2?|__nv_bfloat162?)$/;
const cudaSpecial = /^(?:threadIdx|blockIdx|blockDim|gridDim|warpSize|__(?:global|device|host|shared|constant|managed|launch_bounds|grid_constant|align)__)$/;

const cuda: Rule[] = [
	[/\/\/.*|\/\*.*?(?:\*\/|$)/y, 'comment'],
	[/#\s*include\s*<[^>]*>?/y, 'directive'],
	[/#\s*\w+/y, 'directive'],
	[/"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?/y, 'string'],
	[/(?:0[xX][\da-fA-F.]+(?:[pP][-+]?\d+)?|\d[\d']*\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)[a-zA-Z]*/y, 'number'],
	[/[A-Za-z_]\w*/y, (w) => cudaKeywords.has(w) ? 'keyword' : cudaTypes.test(w) ? 'type' : cudaSpecial.test(w) ? 'special' : /^__\w+|^atomic[A-Z]/.test(w) ? 'opcode' : ''],
];

const grammars: Readonly<Record<Language, Rule[]>> = { llvm, mir, ptx, cuda };

/** Splits one line; the tokens cover the text that has a kind, in order. Very long lines stay plain past a limit. */
export function tokenize(language: Language, line: string): Token[] {
	const rules = grammars[language];
	const tokens: Token[] = [];
	const stop = Math.min(line.length, 4000);
	let at = 0;
	scan: while (at < stop) {
		for (const [pattern, kind] of rules) {
			pattern.lastIndex = at;
			const end = pattern.test(line) ? pattern.lastIndex : at;
			if (end === at)
				continue;
			const word = typeof kind === 'string' ? kind : kind(line.slice(at, end));
			if (word)
				tokens.push({ start: at, end, kind: word });
			at = end;
			continue scan;
		}
		at++;
	}
	return tokens;
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (c) => escapes[c]!);

/** One line as HTML; `marks` are ranges to emphasise, in order and apart. */
export function lineHtml(language: Language, line: string, marks: ReadonlyArray<readonly [number, number]> = []): string {
	const cuts = new Set<number>([0, line.length]);
	const tokens = tokenize(language, line);
	for (const { start, end } of tokens)
		cuts.add(start).add(end);
	for (const [start, end] of marks)
		cuts.add(start).add(end);
	const places = [...cuts].sort((a, b) => a - b);
	let html = '', token = 0, mark = 0;
	for (let k = 0; k + 1 < places.length; k++) {
		const from = places[k]!, to = places[k + 1]!;
		while (token < tokens.length && tokens[token]!.end <= from)
			token++;
		while (mark < marks.length && marks[mark]![1] <= from)
			mark++;
		const kind = token < tokens.length && tokens[token]!.start <= from ? tokens[token]!.kind : '';
		const marked = mark < marks.length && marks[mark]![0] <= from;
		const text = escapeHtml(line.slice(from, to));
		const names = [kind && `t-${kind}`, marked && 'marked'].filter(Boolean).join(' ');
		html += names ? `<span class="${names}">${text}</span>` : text;
	}
	return html;
}

/** Which grammar a pass's text wants. */
export function languageOf(level: string | undefined, text: string): CodeLanguage {
	if (level === 'ir')
		return 'llvm';
	if (level === 'mir' || level === 'dag')
		return 'mir';
	if (/^\s*\.version\s/m.test(text.slice(0, 4000)))
		return 'ptx';
	return /^\s*(?:define|declare|target triple)/m.test(text) ? 'llvm' : 'mir';
}

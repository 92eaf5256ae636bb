// The names of CUDA's math API (CUDA Math API reference, 13.0), by family: a signature and the functions that have it. A test takes the
// address of each with exactly this type.

const words = (text) => text.trim().split(/\s+/);
const roundings = (text) => words(text).flatMap((name) => ['rn', 'rz', 'ru', 'rd'].map((r) => `${name}_${r}`));
const both = (text) => words(text).flatMap((name) => [`${name}2`, `${name}4`]);
const rows = (...list) => list.map(([type, names]) => [type, typeof names === 'string' ? words(names) : names]);

const oneArgument = `acos acosh asin asinh atan atanh cbrt ceil cos cosh cospi cyl_bessel_i0 cyl_bessel_i1 erf erfc erfcinv erfcx erfinv exp exp10 exp2 expm1
	fabs floor j0 j1 lgamma log log10 log1p log2 logb nearbyint normcdf normcdfinv rcbrt rint round rsqrt sin sinh sinpi sqrt tan tanh tgamma trunc y0 y1`;
const twoArguments = 'atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder rhypot';

/** Functions of one type; single ones end in f. */
function reals(T, f) {
	const named = (text) => words(text).map((name) => `${name}${f}`);
	return rows(
		[`${T}(${T})`, named(oneArgument)], [`${T}(${T}, ${T})`, named(f ? `${twoArguments} fdivide` : twoArguments)],
		[`${T}(${T}, ${T}, ${T})`, named('fma norm3d rnorm3d')], [`${T}(${T}, ${T}, ${T}, ${T})`, named('norm4d rnorm4d')],
		[`int(${T})`, named('ilogb')], [`long(${T})`, named('lrint lround')], [`long long(${T})`, named('llrint llround')],
		[`${T}(int, ${T})`, named('jn yn')], [`${T}(${T}, int)`, named('ldexp scalbn')], [`${T}(${T}, long)`, named('scalbln')],
		[`${T}(${T}, int *)`, named('frexp')], [`${T}(${T}, ${T} *)`, named('modf')], [`${T}(${T}, ${T}, int *)`, named('remquo')],
		[`${T}(const char *)`, named('nan')], [`${T}(int, const ${T} *)`, named('norm rnorm')], [`void(${T}, ${T} *, ${T} *)`, named('sincos sincospi')],
	);
}

const compared = 'eq ge gt le lt ne';
/** Functions of half and bfloat16, whose names have the `stem`. */
function smallFloats(H, H2, stem) {
	const compare = (...ends) => words(compared).flatMap((name) => ends.flatMap((end) => ['', 'u'].map((u) => end.replace('*', `${name}${u}`))));
	const integers = { int: 'int', uint: 'unsigned', short: 'short', ushort: 'unsigned short', ll: 'long long', ull: 'unsigned long long' };
	const functions = words('ceil cos exp exp10 exp2 floor log log10 log2 rcp rint rsqrt sin sqrt tanh tanh_approx trunc');
	return {
		arithmetic: rows(
			[`${H}(${H}, ${H})`, '__hadd __hadd_rn __hadd_sat __hdiv __hmul __hmul_rn __hmul_sat __hsub __hsub_rn __hsub_sat __hmax __hmax_nan __hmin __hmin_nan'],
			[`${H}(${H})`, '__habs __hneg'], [`${H}(${H}, ${H}, ${H})`, '__hfma __hfma_relu __hfma_sat'],
			[`${H}(${H} *, ${H})`, 'atomicAdd'], [`${H2}(${H2} *, ${H2})`, 'atomicAdd'],
			[`${H2}(${H2}, ${H2})`, '__hadd2 __hadd2_rn __hadd2_sat __h2div __hmul2 __hmul2_rn __hmul2_sat __hsub2 __hsub2_rn __hsub2_sat __hmax2 __hmax2_nan __hmin2 __hmin2_nan'],
			[`${H2}(${H2})`, '__habs2 __hneg2'], [`${H2}(${H2}, ${H2}, ${H2})`, '__hcmadd __hfma2 __hfma2_relu __hfma2_sat'],
		),
		comparison: rows(
			[`bool(${H}, ${H})`, compare('__h*')], [`bool(${H2}, ${H2})`, compare('__hb*2')], [`${H2}(${H2}, ${H2})`, compare('__h*2')],
			[`unsigned(${H2}, ${H2})`, compare('__h*2_mask')], [`bool(${H})`, '__hisnan'], [`int(${H})`, '__hisinf'], [`${H2}(${H2})`, '__hisnan2'],
		),
		mathematics: rows([`${H}(${H})`, functions.map((f) => `h${f}`)], [`${H2}(${H2})`, functions.map((f) => `h2${f}`)]),
		conversion: rows(
			[`${H}(double)`, `__double2${stem}`], [`${H}(float)`, [`__float2${stem}`, ...roundings(`__float2${stem}`)]], [`float(${H})`, `__${stem}2float`],
			...Object.entries(integers).flatMap(([name, T]) => [[`${H}(${T})`, roundings(`__${name}2${stem}`)], [`${T}(${H})`, roundings(`__${stem}2${name}`)]]),
			[`signed char(${H})`, `__${stem}2char_rz`], [`unsigned char(${H})`, `__${stem}2uchar_rz`],
			[`short(${H})`, `__${stem}_as_short`], [`unsigned short(${H})`, `__${stem}_as_ushort`], [`${H}(short)`, `__short_as_${stem}`], [`${H}(unsigned short)`, `__ushort_as_${stem}`],
			[`${H2}(float)`, `__float2${stem}2_rn`], [`${H2}(float, float)`, `__floats2${stem}2_rn`], [`${H2}(float2)`, `__float22${stem}2_rn`], [`float2(${H2})`, `__${stem}22float2`],
			[`${H2}(${H}, ${H})`, `__halves2${stem}2 make_${stem}2`], [`${H2}(${H})`, `__${stem}2${stem}2`], [`float(${H2})`, '__high2float __low2float'],
			[`${H}(${H2})`, `__high2${stem} __low2${stem}`], [`${H2}(${H2})`, `__high2${stem}2 __low2${stem}2 __lowhigh2highlow`], [`${H2}(${H2}, ${H2})`, `__highs2${stem}2 __lows2${stem}2`],
			...[H, H2].flatMap((T) => [
				[`${T}(const ${T} *)`, '__ldca __ldcg __ldcs __ldcv __ldg __ldlu'], [`void(${T} *, ${T})`, '__stcg __stcs __stwb __stwt'],
				[`${T}(unsigned, ${T}, int, int)`, '__shfl_sync __shfl_xor_sync'], [`${T}(unsigned, ${T}, unsigned, int)`, '__shfl_down_sync __shfl_up_sync'],
			]),
		),
	};
}
const half = smallFloats('__half', '__half2', 'half'), bfloat = smallFloats('__nv_bfloat16', '__nv_bfloat162', 'bfloat16');

/** Conversions of floats of 8, 6 and 4 bits. */
function tinyFloats(fp, how) {
	const one = `__nv_${fp}_storage_t`, two = `__nv_${fp}x2_storage_t`, as = `__nv_${fp}_interpretation_t`;
	return rows(
		...[['double', 'double'], ['float', 'float'], ['halfraw', '__half_raw'], ['bfloat16raw', '__nv_bfloat16_raw']].map(([name, T]) => [`${one}(${T}, ${how})`, `__nv_cvt_${name}_to_${fp}`]),
		...[['double2', 'double2'], ['float2', 'float2'], ['halfraw2', '__half2_raw'], ['bfloat16raw2', '__nv_bfloat162_raw']].map(([name, T]) => [`${two}(${T}, ${how})`, `__nv_cvt_${name}_to_${fp}x2`]),
		[`__half_raw(${one}, ${as})`, `__nv_cvt_${fp}_to_halfraw`], [`__half2_raw(${two}, ${as})`, `__nv_cvt_${fp}x2_to_halfraw2`],
	);
}

const ordered = 'eq ges geu gts gtu les leu lts ltu ne';
const video = (prefix) => both(words(ordered).map((name) => `${prefix}${name}`).join(' '));
const limits = (name, types) => types.map((type) => `__vi${name}_${type}`);
const withRelu = ['s16x2', 's16x2_relu', 'u16x2'];

export const families = {
	'single precision': reals('float', 'f'),
	'double precision': reals('double', ''),
	'overloads for float': rows(
		['float(float)', oneArgument], ['float(float, float)', twoArguments.replace(' rhypot', '')], ['float(float, float, float)', 'fma'], ['float(float, int)', 'ldexp scalbn'],
		['float(float, int *)', 'frexp'], ['float(float, float *)', 'modf'], ['float(float, float)', 'max min'], ['double(double, double)', 'max min'], ['float(float)', 'abs'], ['double(double)', 'abs'],
		...['float', 'double'].map((T) => [`bool(${T})`, 'isfinite isinf isnan signbit']),
	),
	'single precision intrinsics': rows(
		['float(float)', [...words('__cosf __exp10f __expf __log10f __log2f __logf __saturatef __sinf __tanf __tanhf __frsqrt_rn'), ...roundings('__frcp __fsqrt')]],
		['float(float, float)', [...words('__fdividef __powf'), ...roundings('__fadd __fdiv __fmul __fsub')]],
		['float(float, float, float)', roundings('__fmaf __fmaf_ieee')], ['void(float, float *, float *)', '__sincosf'],
		['float2(float2, float2)', roundings('__fadd2 __fmul2')], ['float2(float2, float2, float2)', roundings('__ffma2')],
	),
	'double precision intrinsics': rows(
		['double(double)', roundings('__drcp __dsqrt')], ['double(double, double)', roundings('__dadd __ddiv __dmul __dsub')], ['double(double, double, double)', roundings('__fma')],
	),
	'integer functions': rows(
		['int(int)', 'abs'], ['long(long)', 'labs abs'], ['long long(long long)', 'llabs abs'], ['int(int, int)', 'max min'], ['unsigned(unsigned, unsigned)', 'max min umax umin'],
		['unsigned(unsigned, int)', 'max min'], ['unsigned(int, unsigned)', 'max min'], ['long(long, long)', 'max min'], ['unsigned long(unsigned long, unsigned long)', 'max min'],
		['long long(long long, long long)', 'max min llmax llmin'], ['unsigned long long(unsigned long long, unsigned long long)', 'max min ullmax ullmin'],
	),
	'integer intrinsics': rows(
		['unsigned(unsigned)', '__brev'], ['unsigned long long(unsigned long long)', '__brevll'], ['unsigned(unsigned, unsigned, unsigned)', '__byte_perm __funnelshift_l __funnelshift_lc __funnelshift_r __funnelshift_rc __usad __dp2a_hi __dp2a_lo __dp4a'],
		['int(int)', '__clz __ffs'], ['int(long long)', '__clzll __ffsll'], ['unsigned(unsigned, unsigned, int)', '__fns'], ['int(int, int)', '__hadd __mul24 __mulhi __rhadd'],
		['unsigned(unsigned, unsigned)', '__uhadd __umul24 __umulhi __urhadd'], ['long long(long long, long long)', '__mul64hi'], ['unsigned long long(unsigned long long, unsigned long long)', '__umul64hi'],
		['int(unsigned)', '__popc'], ['int(unsigned long long)', '__popcll'], ['unsigned(int, int, unsigned)', '__sad'], ['int(int, int, int)', '__dp2a_hi __dp2a_lo __dp4a'],
		['int(short2, char4, int)', '__dp2a_hi __dp2a_lo'], ['unsigned(ushort2, uchar4, unsigned)', '__dp2a_hi __dp2a_lo'], ['int(char4, char4, int)', '__dp4a'], ['unsigned(uchar4, uchar4, unsigned)', '__dp4a'],
		['unsigned short(unsigned short)', '__nv_bswap16'], ['unsigned(unsigned)', '__nv_bswap32'], ['unsigned long long(unsigned long long)', '__nv_bswap64'],
	),
	'type casts': rows(
		['float(double)', roundings('__double2float')], ['int(double)', ['__double2hiint', '__double2loint', ...roundings('__double2int')]], ['long long(double)', ['__double_as_longlong', ...roundings('__double2ll')]],
		['unsigned(double)', roundings('__double2uint')], ['unsigned long long(double)', roundings('__double2ull')], ['int(float)', ['__float_as_int', ...roundings('__float2int')]],
		['long long(float)', roundings('__float2ll')], ['unsigned(float)', ['__float_as_uint', ...roundings('__float2uint')]], ['unsigned long long(float)', roundings('__float2ull')],
		['double(int, int)', '__hiloint2double'], ['double(int)', '__int2double_rn'], ['float(int)', ['__int_as_float', ...roundings('__int2float')]], ['double(long long)', ['__longlong_as_double', ...roundings('__ll2double')]],
		['float(long long)', roundings('__ll2float')], ['double(unsigned)', '__uint2double_rn'], ['float(unsigned)', ['__uint_as_float', ...roundings('__uint2float')]],
		['double(unsigned long long)', roundings('__ull2double')], ['float(unsigned long long)', roundings('__ull2float')],
	),
	'SIMD intrinsics': rows(
		['unsigned(unsigned)', both('__vabs __vabsss __vneg __vnegss')],
		['unsigned(unsigned, unsigned)', [
			...both('__vabsdiffs __vabsdiffu __vadd __vaddss __vaddus __vavgs __vavgu __vhaddu __vmaxs __vmaxu __vmins __vminu __vsads __vsadu __vsub __vsubss __vsubus'),
			...video('__vcmp'), ...video('__vset'), ...limits('max', ['s16x2_relu']), ...limits('min', ['s16x2_relu']),
		]],
		['int(int, int)', ['__vimax_s32_relu', '__vimin_s32_relu']],
		['unsigned(unsigned, unsigned, unsigned)', ['addmax', 'addmin', 'max3', 'min3'].flatMap((name) => limits(name, [...withRelu, 'u32']))],
		['int(int, int, int)', ['addmax', 'addmin', 'max3', 'min3'].flatMap((name) => limits(name, ['s32', 's32_relu']))],
		['unsigned(unsigned, unsigned, bool *, bool *)', ['__vibmax_s16x2', '__vibmax_u16x2', '__vibmin_s16x2', '__vibmin_u16x2']],
		['int(int, int, bool *)', ['__vibmax_s32', '__vibmin_s32']], ['unsigned(unsigned, unsigned, bool *)', ['__vibmax_u32', '__vibmin_u32']],
	),
	...Object.fromEntries(Object.entries(half).map(([name, list]) => [`half: ${name}`, list])),
	...Object.fromEntries(Object.entries(bfloat).map(([name, list]) => [`bfloat16: ${name}`, list])),
	'fp8': [...tinyFloats('fp8', '__nv_saturation_t, __nv_fp8_interpretation_t'), ...rows(
		['__nv_bfloat16_raw(__nv_fp8_storage_t)', '__nv_cvt_e8m0_to_bf16raw'], ['__nv_bfloat162_raw(__nv_fp8x2_storage_t)', '__nv_cvt_e8m0x2_to_bf162raw'],
		...[['double', 'double'], ['float', 'float'], ['bfloat16raw', '__nv_bfloat16_raw']].map(([name, T]) => [`__nv_fp8_storage_t(${T}, __nv_saturation_t, cudaRoundMode)`, `__nv_cvt_${name}_to_e8m0`]),
		...[['double2', 'double2'], ['float2', 'float2'], ['bfloat162raw', '__nv_bfloat162_raw']].map(([name, T]) => [`__nv_fp8x2_storage_t(${T}, __nv_saturation_t, cudaRoundMode)`, `__nv_cvt_${name}_to_e8m0x2`]),
	)],
	'fp6': tinyFloats('fp6', '__nv_fp6_interpretation_t, cudaRoundMode'),
	'fp4': tinyFloats('fp4', '__nv_fp4_interpretation_t, cudaRoundMode'),
	'complex numbers': [['cuFloatComplex', 'float', 'f'], ['cuDoubleComplex', 'double', '']].flatMap(([C, T, f]) => rows(
		[`${T}(${C})`, ['cuCreal', 'cuCimag', 'cuCabs'].map((name) => name + f)], [`${C}(${C})`, [`cuConj${f}`]], [`${C}(${T}, ${T})`, `make_${C}`],
		[`${C}(${C}, ${C})`, ['cuCadd', 'cuCsub', 'cuCmul', 'cuCdiv'].map((name) => name + f)], [`${C}(${C}, ${C}, ${C})`, [`cuCfma${f}`]],
	)).concat(rows(['cuDoubleComplex(cuFloatComplex)', 'cuComplexFloatToDouble'], ['cuFloatComplex(cuDoubleComplex)', 'cuComplexDoubleToFloat'], ['cuComplex(float, float)', 'make_cuComplex'])),
};

/** Types and constants. */
export const types = words(`half half2 nv_half nv_half2 nv_bfloat16 nv_bfloat162 __half_raw __half2_raw __nv_bfloat16_raw __nv_bfloat162_raw
	__nv_fp8_e4m3 __nv_fp8x2_e4m3 __nv_fp8x4_e4m3 __nv_fp8_e5m2 __nv_fp8x2_e5m2 __nv_fp8x4_e5m2 __nv_fp8_e8m0 __nv_fp8x2_e8m0 __nv_fp8x4_e8m0 __nv_fp8x4_storage_t
	__nv_fp6_e2m3 __nv_fp6x2_e2m3 __nv_fp6x4_e2m3 __nv_fp6_e3m2 __nv_fp6x2_e3m2 __nv_fp6x4_e3m2 __nv_fp6x4_storage_t __nv_fp4_e2m1 __nv_fp4x2_e2m1 __nv_fp4x4_e2m1 __nv_fp4x4_storage_t`);

/** A source with each name on a line of its own, and the names by line. */
export function source() {
	const lines = ['cuda_fp16', 'cuda_bf16', 'cuda_fp8', 'cuda_fp6', 'cuda_fp4', 'cuComplex'].map((header) => `#include <${header}.h>`).concat('__global__ void names() {');
	const names = lines.map(() => '');
	const add = (name, line) => {
		names.push(name);
		lines.push(line);
	};
	for (const [type, all] of Object.values(families).flat())
		for (const name of all)
			add(name, `{ ${type.replace('(', ' (*f)(')} = &${name}; (void)f; }`);
	for (const name of types)
		add(name, `{ ${name} v; (void)v; }`);
	return { text: [...lines, '}', ''].join('\n'), names };
}

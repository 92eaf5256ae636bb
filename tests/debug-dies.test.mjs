// The tree of debug information entries is llc-22's: types, members, templates, scopes, inlined functions, variables, labels, with their
// names, lines and sizes. At -O0, where variables are in memory, the sections are llc-22's byte for byte but for the numbers of labels;
// else registers differ, and where variables are is not compared: tests/ptx/debug-pieces.ll has expressions.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { dies, tree } from './tools/dies.mjs';
import { root, which } from './tools/setup.mjs';

const native = join(root, 'build/native/ptxscope');
const scratch = join(root, 'build/debug-dies');
const prelude = ['global', 'device', 'shared', 'constant'].map((a) => `#define __${a}__ __attribute__((${a}))\n`).join('') + 'struct S2 { int x; };\n';

const sources = {
	types: `
struct alignas(32) S { int a; alignas(16) int b; unsigned c : 3, d : 7; };
typedef int T16 __attribute__((aligned(16)));
enum E : int { A, B = 7 };
struct Fwd;
union U { int i; float f; };
template<class T, int N> struct Arr { T v[N]; static const int n = N; };
template<template<class, int> class C, bool F, class... P> struct Many { int x; };
extern "C" __device__ int use(const void *);
alignas(64) __device__ int G;
static __shared__ int sh0[4];
__device__ Arr<float, 3> arr;
__device__ Many<Arr, true, int, char> many;
extern "C" __global__ void k(S *s, T16 *t, E e, Fwd *f, U u, Arr<S, 2> *as) {
	__shared__ float tile[8];
	static __shared__ int q;
	alignas(16) int loc = s->a;
	use(&loc); use(f); use(t); use(tile); use(&q); use(as); use(&many);
	decltype(nullptr) np = nullptr;
	use(np);
	s->b = G + e + u.i + sh0[1] + (int)arr.v[0];
}`,
	scopes: `
template<class T> __device__ inline T id(T x) { static __shared__ T keep[4]; keep[1] = x; return keep[x & 3]; }
extern "C" __global__ void k(int *p) {
	*p = id<int>(*p) + id<long>(3);
	static __shared__ int z;
	z = 3;
	for (int i = 0; i < *p; i++) { static __shared__ int inner; inner = i; *p += z; }
}
struct C {
	static int s;
	__device__ int m(int a) const { return a + 1; }
	template<int N> __device__ int t() { return N; }
};
extern "C" __global__ void k2(int *p) { C c; *p = c.m(3) + c.t<4>(); }`,
	inlined: `
static __device__ __attribute__((always_inline)) int low(int a) { int twice = a * 2; { for (int i = 0; i < a; i++) { int h = i * twice; twice ^= h; } } return twice; }
static __device__ __attribute__((always_inline)) int high(int b) { return low(b) + low(b + 1); }
extern "C" __global__ void k(int *p, int n) { *p = high(n) - low(n); }`,
	classes: `
struct Base { int b; virtual int f(); [[noreturn]] void no() &&; private: void one() const &; };
struct D : public Base, private virtual S2 { int S2::*mp; ~D(); explicit D(int); virtual void pure() = 0; protected: int prot; volatile int vol : 5; };
union U { int a; struct { short lo, hi; }; };
typedef __attribute__((ext_vector_type(3))) float f3;
namespace N { namespace { __device__ int an; } inline namespace V { __device__ int iv; } }
using namespace N;
extern "C" __global__ void k(int *p, D *d, U *u, f3 *f, int &&rr, float __attribute__((address_space(3))) *sp) { *p = N::an + N::iv + d->b + u->lo + rr; }`,
	constants: `
static const int konst = 12; static const unsigned ku = 4000000000u; constexpr double kd = 2.5; static const long long kl = -5;
struct C { static int s; static const int k = 7; };
__device__ int C::s;
template<class T> __device__ T vt = T(3);
__constant__ int cc[4];
extern "C" __global__ void k(double *p) { *p = konst + ku + kd + kl + C::s + C::k + vt<int> + cc[1]; }`,
	labels: `
static __device__ __attribute__((always_inline)) int count(int n) { again: n--; { int t = n; if (t > 3) goto again; } return n; }
extern "C" __global__ void k(int *p, int n, S2 *s, float f, unsigned char c) {
	if (n > 5) goto big;
	*p = count(n);
	return;
big: for (int i = 0; i < n; i++) { if (p[i] == 3) goto out; p[i] = 2; }
out: *p = 4;
}`,
};

function run(command, args, input) {
	const r = spawnSync(command, args, { input, encoding: 'utf8', maxBuffer: 1 << 26 });
	assert.equal(r.status, 0, r.stderr);
	return r.stdout;
}

/** PTX of ptxscope and of llc-22. */
function both(name, source, level) {
	const file = join(scratch, `${name}${level}.cu`);
	writeFileSync(file, prelude + source);
	const ir = run(which('clang-22'), ['-x', 'cuda', '--cuda-device-only', '-nocudainc', '-nocudalib', '--cuda-gpu-arch=sm_80', '-std=c++17',
		'-Wno-everything', '-g', '-Xclang', '-debug-info-kind=limited', level, '-S', '-emit-llvm', file, '-o', '-']);
	const options = ['-mcpu=sm_80', '-mattr=+ptx80', level === '-O0' ? '-O0' : '-O3', '-o', '-'];
	return { ours: run(native, ['compile', '-', ...options], ir), theirs: run(which('llc-22'), options, ir) };
}

/** The files and all sections, comments included. */
const sections = (ptx) => ptx.slice(ptx.search(/^\t\.file/m)).replace(/\$L__tmp\d+ */g, '$L__tmp ');

const lacks = ['clang-22', 'llc-22'].filter((tool) => !which(tool));

describe('entries of debug information are those of llc-22', { skip: lacks.length ? `no ${lacks.join(', ')}` : false }, () => {
	mkdirSync(scratch, { recursive: true });
	for (const [name, source] of Object.entries(sources))
		for (const level of ['-O0', '-O1', '-O2'])
			test(`${name} ${level}`, () => {
				const { ours, theirs } = both(name, source, level);
				assert.ok(tree(theirs).length > 300);
				assert.equal(tree(ours), tree(theirs));
			});
	for (const name of ['scopes', 'inlined', 'classes', 'constants', 'labels'])
		test(`${name}: bytes at -O0`, () => {
			const { ours, theirs } = both(name, sources[name], '-O0');
			assert.equal(sections(ours), sections(theirs));
		});
});

const shared = `
target triple = "nvptx64-nvidia-cuda"
@g = addrspace(1) global i32 0
@s = internal addrspace(3) global i32 undef
define internal i32 @f(ptr %p) noinline !dbg !5 {
  %v = load volatile i32, ptr %p, !dbg !6
  ret i32 %v, !dbg !6
}
define ptx_kernel void @k(ptr addrspace(1) %out) {
  %a = call i32 @f(ptr addrspacecast (ptr addrspace(1) @g to ptr))
  %b = call i32 @f(ptr addrspacecast (ptr addrspace(3) @s to ptr))
  %c = add i32 %a, %b
  store i32 %c, ptr addrspace(1) %out
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "x", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !7, spFlags: DISPFlagDefinition | DISPFlagLocalToUnit, unit: !0)
!6 = !DILocation(line: 2, scope: !5)
!7 = !DISubroutineType(types: !{null})
`;

test('each of the functions that ipmsp makes of one has an entry', () => {
	const DW_TAG_subprogram = 0x2e, DW_AT_name = 0x03, DW_AT_low_pc = 0x11;
	const ptx = run(native, ['compile', '-', '-mcpu=sm_80', '-mattr=+ptx80', '-o', '-'], shared);
	const made = ptx.match(/^\.func .* f[\w$]*\($/gm).length;
	const functions = dies(ptx).filter((d) => d.tag === DW_TAG_subprogram);
	assert.ok(made > 1);
	assert.equal(functions.length, made);
	for (const f of functions) {
		assert.deepEqual(f.attributes.filter(([a]) => a === DW_AT_name), [[DW_AT_name, 'f']]);
		assert.equal(f.attributes.filter(([a]) => a === DW_AT_low_pc).length, 1);
	}
});

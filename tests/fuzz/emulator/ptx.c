/* ptx.c: random statements of PTX, of patterns whose holes are filled. Registers hold what earlier statements left there; the
 * first ones begin with addresses of buffers and of shared and local memory, so that many accesses hit. */
#include "emulator.h"

#include <string.h>

void ptx_head(Case *k) { text_f(&k->text, ".version 8.3\n.target sm_90\n.address_size 64\n"); }

void ptx_registers(Case *k)
{
	text_f(&k->text,
	       " .reg .pred %%p<4>; .reg .b16 %%h<4>; .reg .b32 %%r<12>; .reg .b64 %%d<12>; .reg .f32 %%f<4>; .reg "
	       ".f64 %%g<4>;\n mov.u32 %%r0, %%tid.x; mov.u32 %%r1, %%laneid; mov.u32 %%r2, 1024; mov.u32 %%r3, 256;\n");
}

static const char *const spaces[] = {"", ".global", ".shared", ".local", ".const", ".param", ".shared::cta"};
enum { GENERIC, GLOBAL, SHARED, PARAM = 5 }; /* of `spaces` */

/* Registers that begin with an address of the space. */
static const char *const bases[][2] = {{"%d1", "%d2"}, {"%d0", "%d3"}, {"%r2", "%r2"}, {"%r3", "%r3"},
                                       {"c0", "c0"},   {"%d0", "%d0"}, {"%r2", "%r2"}};

static void address(Case *k, const PtxNames *names, u32 space)
{
	Choice *c = &k->c;
	Text   *t = &k->text;
	if (space == PARAM && names->param) {
		text_f(t, "%s", names->param);
	} else if (!chance(c, 12)) {
		text_f(t, "%s", bases[space][choose(c, 2)]);
	} else {
		switch (choose(c, 4)) {
		case 0: text_f(t, "%%d%u", choose(c, 12)); break;
		case 1: text_f(t, "%%r%u", choose(c, 12)); break;
		case 2: text_f(t, "%s", names->n_variables ? names->variable[choose(c, names->n_variables)] : "%d0"); break;
		default: text_f(t, "%llu", (unsigned long long)choose_number(c)); return;
		}
	}
	if (chance(c, 16))
		text_f(t, "+%lld", (long long)(i32)(u32)choose_number(c));
	else if (chance(c, 16))
		text_f(t, "+%d", choose_small(c));
	else if (chance(c, 2))
		text_f(t, "+%u", choose(c, 4) * 16);
}

/* `space`: of the statement's addresses. */
static void hole(Case *k, const PtxNames *names, char what, u32 *space)
{
	Choice *c = &k->c;
	Text   *t = &k->text;
	switch (what) {
	case 'p': text_f(t, "%%p%u", choose(c, 4)); break;
	case 'h': text_f(t, "%%h%u", choose(c, 4)); break;
	case 'r': text_f(t, "%%r%u", choose(c, 12)); break;
	case 'd': text_f(t, "%%d%u", choose(c, 12)); break;
	case 'f': text_f(t, "%%f%u", choose(c, 4)); break;
	case 'g': text_f(t, "%%g%u", choose(c, 4)); break;
	case 'n': text_f(t, "%lld", (long long)choose_number(c)); break;
	case 's': text_f(t, "%u", choose(c, 33)); break;
	case 'i': text_f(t, "%d", choose_small(c)); break;
	case 'm': text_f(t, "%s", chance(c, 3) ? "%r1" : chance(c, 4) ? "0x55555555" : "0xffffffff"); break;
	case 'A': address(k, names, *space); break;
	case 'S':
		*space = choose(c, PS_COUNT(spaces));
		text_f(t, "%s", spaces[*space]);
		break;
	case 'L': text_f(t, "L%u", choose(c, names->labels)); break;
	case 'F': text_f(t, "%s", names->n_functions ? names->function[choose(c, names->n_functions)] : "f0"); break;
	case 'V': text_f(t, "%s", names->n_variables ? names->variable[choose(c, names->n_variables)] : "%d0"); break;
	default: text_c(t, what); break;
	}
}

void ptx_pattern(Case *k, const PtxNames *names, const char *pattern)
{
	u32 space = strstr(pattern, "shared") ? SHARED : strstr(pattern, ".global") ? GLOBAL : GENERIC;
	for (const char *p = pattern; *p; p++)
		if (*p == '$')
			hole(k, names, *++p, &space);
		else
			text_c(&k->text, *p);
}

static const char *const moves[] = {
	"mov.u32 $r, $n;",
	"mov.u64 $d, $n;",
	"mov.u32 $r, %tid.x;",
	"mov.u32 $r, %ctaid.x;",
	"mov.u64 $d, $V;",
	"add.u64 $d, $d, $i;",
	"add.s32 $r, $r, $i;",
	"mul.wide.u32 $d, $r, $s;",
	"mad.wide.u32 $d, $r, 4, $d;",
	"add.u64 $d, $d, $d;",
	"shl.b64 $d, $d, $r;",
	"cvt.u64.u32 $d, $r;",
	"cvt.u32.u64 $r, $d;",
	"cvt.rn.f32.s32 $f, $r;",
	"cvt.rzi.s32.f64 $r, $g;",
	"setp.lt.u32 $p, $r, $s;",
	"setp.eq.u32 $p, $r, $s;",
	"selp.b64 $d, $d, $d, $p;",
	"@$p mov.u32 $r, $n;",
	"@!$p add.u64 $d, $d, $i;",
	"prmt.b32 $r, $r, $r, $n;",
	"bfe.u32 $r, $r, $r, $r;",
	"div.u32 $r, $r, $r;",
	"rem.s64 $d, $d, $d;",
	"mov.b64 $d, {$r, $r};",
	"mov.b64 {$r, $r}, $d;",
	"cvta.shared.u64 $d, $d;",
	"cvta.to.shared.u64 $d, $d;",
	"cvta.to.local.u64 $d, $d;",
	"isspacep.shared $p, $d;",
	"mapa.u64 $d, $d, $r;",
};
static const char *const accesses[] = {
	"ld$S.u8 $h, [$A];",
	"ld$S.b32 $r, [$A];",
	"ld$S.u64 $d, [$A];",
	"ld$S.f64 $g, [$A];",
	"ld$S.v2.u32 {$r, $r}, [$A];",
	"ld$S.v4.b32 {$r, $r, $r, $r}, [$A];",
	"ld$S.v2.b64 {$d, $d}, [$A];",
	"ld.volatile$S.u32 $r, [$A];",
	"ldu.global.v4.f32 {$f, $f, $f, $f}, [$A];",
	"ld.global.nc.v4.u32 {$r, _, $r, $r}, [$A];",
	"st$S.u8 [$A], $h;",
	"st$S.b32 [$A], $r;",
	"st$S.u64 [$A], $d;",
	"st$S.v2.u16 [$A], {$h, $h};",
	"st$S.v4.u32 [$A], {$r, $r, $r, $r};",
	"st$S.v2.f64 [$A], {$g, $g};",
	"atom$S.add.u32 $r, [$A], $r;",
	"atom$S.cas.b64 $d, [$A], $d, $d;",
	"atom$S.add.f64 $g, [$A], $g;",
	"atom$S.cas.b16 $h, [$A], $h, $h;",
	"atom$S.inc.u32 $r, [$A], $s;",
	"atom$S.exch.b32 $r, [$A], $r;",
	"red$S.max.u64 [$A], $d;",
	"prefetch.global.L2 [$A];",
	"prefetch.L1 [$A];",
	"discard.global.L2 [$A], 128;",
};
static const char *const asyncs[] = {
	"cp.async.ca.shared.global [$A], [$A], 16;",
	"cp.async.ca.shared.global [$A], [$A], 4, $r;",
	"cp.async.cg.shared.global [$A], [$A], 16, $s;",
	"cp.async.commit_group;",
	"cp.async.wait_group $s;",
	"cp.async.wait_all;",
	"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$A], [$A], $r, [$A];",
	"cp.async.bulk.global.shared::cta.bulk_group [$A], [$A], $r;",
	"cp.async.bulk.commit_group;",
	"cp.async.bulk.wait_group 0;",
	"cp.async.mbarrier.arrive.shared.b64 [$A];",
	"mbarrier.init.shared.b64 [$A], 1;",
	"mbarrier.init.shared.b64 [%r2], 2; mbarrier.arrive.shared.b64 $d, [%r2];",
	"mbarrier.init.shared.b64 [$A], $r;",
	"mbarrier.init.b64 [$A], $s;",
	"mbarrier.inval.shared.b64 [$A];",
	"mbarrier.arrive.shared.b64 $d, [$A];",
	"mbarrier.arrive.expect_tx.shared.b64 $d, [$A], $r;",
	"mbarrier.arrive.noComplete.shared.b64 $d, [$A], $s;",
	"mbarrier.test_wait.shared.b64 $p, [$A], $d;",
	"mbarrier.try_wait.shared.b64 $p, [$A], $d;",
	"mbarrier.try_wait.parity.shared.b64 $p, [$A], $s;",
	"mbarrier.expect_tx.relaxed.cta.shared.b64 [$A], $r;",
	"mbarrier.complete_tx.relaxed.cta.shared.b64 [$A], $r;",
	"mbarrier.pending_count.b64 $r, $d;",
	"mapa.shared::cluster.u32 $r, %r2, $s; ld.shared::cluster.u32 $r, [$r];",
	"mapa.u64 $d, %d1, $r; st.u32 [$d], $r;",
	"mapa.shared::cluster.u32 %r4, %r2, 1; atom.shared::cluster.add.u32 $r, [%r4], $r;",
	"mapa.shared::cluster.u32 $r, $r, $r; getctarank.shared::cluster.u32 $r, $r;",
	"mapa.shared::cluster.u32 %r4, %r2, $s; mbarrier.arrive.shared::cluster.b64 _, [%r4];",
	"mapa.shared::cluster.u32 %r4, %r2, 1; st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r4+16], $r, [%r4];",
	"mapa.shared::cluster.u32 %r4, %r2, 1; cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r4+16], "
	"[%r2], 16, [%r4];",
	"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r2], [$A], 16, [%r2], $h;",
	"isspacep.shared::cta $p, $d; mov.u32 $r, %cluster_ctarank;",
};
static const char *const together[] = {
	"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {$r, $r, $r, $r}, [$A];",
	"ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {$r}, [$A];",
	"stmatrix.sync.aligned.m8n8.x2.shared.b16 [$A], {$r, $r};",
	"wmma.load.a.sync.aligned.row.m16n16k16.f16 {$r, $r, $r, $r, $r, $r, $r, $r}, [$A], $r;",
	"wmma.load.c.sync.aligned.row.m16n16k16.shared.f32 {$f, $f, $f, $f, $f, $f, $f, $f}, [$A];",
	"wmma.store.d.sync.aligned.col.m16n16k16.f32 [$A], {$f, $f, $f, $f, $f, $f, $f, $f}, $r;",
	"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$f, $f, $f, $f}, {$r, $r, $r, $r}, {$r, $r}, {$f, $f, $f, $f};",
	"mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {$r, $r, $r, $r}, {$r, $r, $r, $r}, {$r, $r}, {$r, $r, $r, $r};",
	"shfl.sync.idx.b32 $r|$p, $r, $r, $n, $m;",
	"shfl.sync.bfly.b32 $r, $r, $s, $r, $m;",
	"vote.sync.ballot.b32 $r, $p, $m;",
	"vote.sync.all.pred $p, $p, $m;",
	"match.any.sync.b64 $r, $d, $m;",
	"match.all.sync.b32 $r|$p, $r, $m;",
	"redux.sync.add.s32 $r, $r, $m;",
	"activemask.b32 $r;",
	"elect.sync $r|$p, $m;",
	"bar.sync 0;",
	"bar.sync $s;",
	"bar.sync $r, $r;",
	"bar.arrive $s, $s;",
	"bar.red.popc.u32 $r, 0, $p;",
	"barrier.sync $s, 64;",
	"bar.warp.sync $m;",
	"barrier.cluster.arrive;",
	"barrier.cluster.wait;",
	"barrier.cluster.arrive.relaxed; barrier.cluster.wait;",
	"barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;",
	"fence.acq_rel.gpu;",
	"membar.sys;",
	"nanosleep.u32 $s;",
};
static const char *const turns[] = {
	"@$p bra $L;",
	"@!$p bra $L;",
	"bra $L;",
	"@$p bra.uni $L;",
	"ts: .branchtargets $L, $L, $L;\n brx.idx $r, ts;",
	"@$p exit;",
	"@$p ret;",
	"@$p trap;",
	"call $F, ();",
	"@$p call $F, ();",
	"mov.u64 %d11, $F;\n pr: .callprototype _ ();\n call %d11, (), pr;",
	"pr: .callprototype _ ();\n call $d, (), pr;",
	".param .b64 a; .param .b64 b;\n st.param.b64 [a], $d;\n call (b), malloc, (a);\n ld.param.b64 $d, [b];",
	".param .b64 a;\n st.param.b64 [a], $d;\n call free, (a);",
	".param .b64 a; .param .b64 b; .param .b32 e;\n st.param.b64 [a], $d; st.param.b64 [b], $d;\n call (e), vprintf, (a, "
	"b);\n "
	"ld.param.b32 $r, [e];",
	".local .align 8 .b8 l[24];\n mov.u64 $d, l;\n cvta.local.u64 $d, $d;",
};

void ptx_statements(Case *k, const PtxNames *names, u32 n)
{
	Choice *c = &k->c;
	u32     label = 0;
	for (u32 i = 0; i < n; i++) {
		if (label < names->labels && (i + 1) * names->labels / n > label)
			text_f(&k->text, "L%u:\n", label++);
		text_f(&k->text, " { ");
		switch (choose(c, 8)) {
		case 0:
		case 1: ptx_pattern(k, names, one_of(c, moves)); break;
		case 2:
		case 3:
		case 4: ptx_pattern(k, names, one_of(c, accesses)); break;
		case 5: ptx_pattern(k, names, one_of(c, asyncs)); break;
		case 6: ptx_pattern(k, names, one_of(c, together)); break;
		default: ptx_pattern(k, names, one_of(c, turns)); break;
		}
		text_f(&k->text, " }\n");
	}
	while (label < names->labels)
		text_f(&k->text, "L%u:\n", label++);
}

/* Analyses of machine functions behind the pass manager's cache: computed once, kept, dropped and checked. */
#include "unit.h"

#include "mir/cfg.h"
#include "pass/analysis_cache.h"
#include "pass/manager.h"

typedef struct Bed {
	Session    s;
	jmp_buf    out;
	Manager    manager;
	Arena      scratch;
	MirModule *m;
	MirFunc   *f;
	PassCx    *cx;
} Bed;

static const char diamond[] = "---\nname: f\nisSSA: true\nbody: |\n"
			      "  bb.0:\n    successors: %bb.1, %bb.2\n    %0:int1regs = IMPLICIT_DEF\n"
			      "    CBranch %0, %bb.2\n    GOTO %bb.1\n"
			      "  bb.1:\n    successors: %bb.3\n    GOTO %bb.3\n"
			      "  bb.2:\n    successors: %bb.3\n    GOTO %bb.3\n"
			      "  bb.3:\n    Return\n...\n";

static void bed_open(Bed *b)
{
	struct IrModule *ir;
	session_init(&b->s, 0);
	b->m = mir_parse(&b->s, str_of(diamond), &ir);
	for (u32 i = 0; i < b->s.diags.list.n; i++)
		printf("# %u: %.*s\n", b->s.diags.list.p[i].at.line, STR_ARG(b->s.diags.list.p[i].message));
	EXPECT(b->m != NULL);
	b->f = b->m->func.p[0];
	manager_init(&b->manager, &b->s, NULL);
	arena_init(&b->scratch, &b->s.budget);
	b->manager.at = PASS_MIR;
	b->cx = &b->manager.cx;
	b->cx->mir = b->m;
	b->cx->func = 1;
	b->cx->scratch = &b->scratch;
}

static void bed_close(Bed *b)
{
	manager_free(&b->manager);
	arena_free(&b->scratch);
	session_free(&b->s);
}

static MirBlockId block(const MirFunc *f, u32 number)
{
	mir_each_block(f, b)
		if (mir_block(f, b)->number == number)
			return b;
	return (MirBlockId){0};
}

TEST(mir_analysis, ANA_11_recomputed_where_not_kept)
{
	Bed b;
	bed_open(&b);
	DomTree *before = mir_dom(b.cx);
	EXPECT_EQ(before->idom[3], 0);
	EXPECT(mir_dom(b.cx) == before);
	pass_invalidate(b.cx, AN_MIR_CONTROL);
	EXPECT(mir_dom(b.cx) == before);
	mir_edge_remove(b.f, block(b.f, 0), block(b.f, 2));
	pass_invalidate(b.cx, AN_CFG | AN_DOM); /* those of the other level say nothing of these */
	EXPECT_EQ(mir_dom(b.cx)->idom[3], 1);
	EXPECT_EQ(mir_postdom(b.cx)->idom[0], 1);
	bed_close(&b);
}

/* A pass that changes edges and claims to keep one analysis is found out by that very analysis. */
TEST(mir_analysis, ANA_11_a_false_claim_is_an_internal_error)
{
	static const struct {
		AnalysisId  id;
		const char *title;
	} kept[] = {{AN_MIR_CFG_ID, "control flow graph"},
	            {AN_MIR_DOM_ID, "the dominator tree"},
	            {AN_MIR_POSTDOM_ID, "post-dominator tree"},
	            {AN_MIR_LOOPS_ID, "loops"}};
	for (u32 k = 0; k < PS_COUNT(kept); k++) {
		Bed           b;
		volatile bool caught = false;
		Pass          liar = {.id = "liar", .level = PASS_MIR, .keeps = 1u << kept[k].id};
		bed_open(&b);
		pass_analysis(b.cx, kept[k].id);
		pass_invalidate(b.cx, liar.keeps);
		mir_edge_remove(b.f, block(b.f, 0), block(b.f, 2));
		mir_edge_add(b.f, block(b.f, 3), block(b.f, 1), MIR_PROB_UNKNOWN);
		b.s.out = &b.out;
		if (setjmp(b.out))
			caught = true;
		else
			analysis_cache_check(b.manager.cache, b.cx, &liar);
		EXPECT(caught && strstr(b.s.failure.p, kept[k].title));
		bed_close(&b);
	}
}

UNIT_MAIN

/* The random machine functions of randommir.h are what they say. */
#include "randommir.h"

TEST(random_mir, functions_are_well_formed)
{
	u32 irreducible = 0, loops = 0, phis = 0, ties = 0;
	for (u32 seed = 1; seed <= 400; seed++) {
		MirBench *b = mirbench_open(a);
		MirFunc  *f = random_mir(b->m, &(Rng){seed}, seed % 4, 12);
		expect_good_mir(b, f);
		const MirCfg *cfg = mir_cfg_build(f, &b->s.arena);
		DomTree       dom = dom_build(&cfg->g, &b->s.arena, 0);
		irreducible += !graph_is_reducible(&cfg->g, &cfg->order, &dom);
		loops += loops_build(&cfg->g, &cfg->order, &dom, &b->s.arena).n != 0;
		phis += mir_may_have(f, ISA_PHI);
		ties += f->has_ties;
		EXPECT_EQ(dom.reached, f->n_blocks);
		mirbench_close(b);
	}
	EXPECT(irreducible > 20 && loops > 100 && phis > 100 && ties > 40);
}

UNIT_MAIN

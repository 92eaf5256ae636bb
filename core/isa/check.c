/* check.c: checks the tables against each other, for the unit tests.
 *
 * Every word of a row must be a slot, a token, a type, or one of the fixed words of PTX mnemonics below; a misspelt slot
 * would else be taken for a fixed word, and its modifier would never be read. The plainest form of a row (the first token of
 * each slot that it must have) must print, read back as the same row or an earlier one of the same text, and have a MIR name
 * of its own. Cost: a few thousand instructions for each row. */
#include "isa/isa_impl.h"

/* Words of templates that are always there. A new one is added here with its row. */
static const char *const fixed_words[] = {
	"L2",
	"a",
	"aligned",
	"all",
	"alloc",
	"any",
	"arrive",
	"async",
	"async::generic",
	"b",
	"block_scale",
	"bulk",
	"bulk_group",
	"c",
	"cc",
	"cluster",
	"commit",
	"commit_group",
	"cp",
	"cp_fenceproxy",
	"cvt",
	"d",
	"dealloc",
	"down",
	"expect_tx",
	"fence",
	"fractional",
	"get_first_ctaid",
	"idx",
	"init",
	"inval",
	"is_canceled",
	"ld",
	"ld_reduce",
	"load",
	"mask",
	"mbarrier",
	"mbarrier::arrive::one",
	"mbarrier::complete_tx::bytes",
	"mbarrier_init",
	"mma",
	"mma_async",
	"noComplete",
	"oob",
	"p",
	"pack",
	"parity",
	"pending_count",
	"popc",
	"prefetch",
	"proxy",
	"query_cancel",
	"range",
	"red",
	"reduce",
	"relinquish_alloc_permit",
	"replace",
	"shift",
	"sp",
	"st",
	"store",
	"sync",
	"tensor",
	"tensormap",
	"tensormap::generic",
	"tile",
	"trans",
	"try_cancel",
	"wait",
	"wait_all",
	"wait_group",
	"warp",
	"ws",
};

static bool is_fixed_word(Str w)
{
	for (u32 i = 0; i < PS_COUNT(fixed_words); i++)
		if (str_is(w, fixed_words[i]))
			return true;
	return false;
}

static PtxOpc plainest(u32 op)
{
	const IsaRow *r = isa_row(op);
	PtxOpc        o = {.op = (u16)op};
	const char   *p = isa_row_modifiers(r);
	for (IsaElem e; isa_elem_next(&p, &e);) {
		u32 class = isa_slot_class(e.slot);
		for (u32 t = 1; e.slot && !e.optional && !o.slot[e.slot] && t <= isa_class_tokens(class); t++)
			if (isa_token_allowed(class, t, e.allow))
				o.slot[e.slot] = (u8)t;
	}
	if (op == ISA_sreg)
		o.slot[SLOT_sreg] = SREG_tid_x;
	if (op == ISA_mov_pack || op == ISA_mov_unpack)
		o.slot[SLOT_vec] = TOK_vec_v2;
	return o;
}

/* Every slot, token and type that the row names exists. A list of tokens belongs to a slot. */
static void check_words(Session *s, u32 op)
{
	const char *p = isa_row_modifiers(isa_row(op));
	Str         wrong = isa_unknown_operand(op);
	for (IsaElem e; !wrong.n && isa_elem_next(&p, &e);) {
		wrong = isa_unknown_condition(e.condition);
		if (!wrong.n && e.slot)
			wrong = isa_unknown_token(isa_slot_class(e.slot), e.allow);
		else if (!e.slot && (e.optional || e.allow.n || !is_fixed_word(e.word)))
			wrong = e.word;
	}
	if (wrong.n)
		ICE(s, "row %s: nothing is called %.*s", isa_row_id(isa_row(op)), STR_ARG(wrong));
}

static void check_row(Session *s, u32 op)
{
	check_words(s, op);
	PtxOpc o = plainest(op);
	Text   name;
	u32    desc;
	if (!isa_is_wellformed(&o))
		ICE(s, "row %s: no token fits a slot that it must have", isa_row_id(isa_row(op)));
	desc = isa_intern(s, o);
	text_init(&name, &s->arena);
	isa_name(s, desc, 0, &name);
	if (isa_desc_by_name(s, text_str(&name)) != desc)
		ICE(s, "row %s: the name %.*s is not its own", isa_row_id(isa_row(op)), STR_ARG(text_str(&name)));
	if (isa_row(op)->flags & IF_PSEUDO)
		return;
	IsaParseError e;
	for (u32 d = isa_intern_mnemonic(s, isa_desc(s, desc)->mnemonic, &e); d; d = isa_next_alternative(s, d))
		if (isa_op(s, d) == op)
			return;
	ICE(s, "row %s: %.*s does not read back", isa_row_id(isa_row(op)), STR_ARG(isa_desc(s, desc)->mnemonic));
}

void isa_self_check(Session *s)
{
	for (u32 op = 1; op < ISA_GENERIC_COUNT; op++)
		if (isa_intern(s, (PtxOpc){.op = (u16)op}) != op)
			ICE(s, "generic opcode %s is not its own number", isa_row_id(isa_row(op)));
	for (u32 op = ISA_GENERIC_COUNT; op < ISA_OP_COUNT; op++)
		check_row(s, op);
}

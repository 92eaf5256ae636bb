/* LLVM's names of texture and surface opcodes. The whole list (1,294 names) is in tests/ptx/image-names.csv; this
 * program reads it. */
#include "unit.h"

#include "isa/isa.h"

static Session *new_session(Arena *a)
{
	Session *s = arena_new(a, Session);
	session_init(s, 64u << 20);
	return s;
}

/* Bit k: the k-th operand is a handle whose letter at the end of the name is I. */
static u32 slots_of(const IsaDesc *d, Str name)
{
	u32 mask = 0, letter = name.n;
	while (letter && name.p[letter - 1] != '_')
		letter--;
	for (u32 i = 0; i < d->n_operands; i++)
		if (d->operand[i].kind == IO_IMAGE)
			mask |= (u32)(name.p[letter++] == 'I') << i;
	return mask;
}

TEST(isa_image, every_name_of_llvm_is_one_opcode_and_back)
{
	Session *s = new_session(a);
	FILE    *f = fopen("tests/ptx/image-names.csv", "r");
	char     line[256];
	u32      rows = 0;
	EXPECT(f != NULL);
	while (f && fgets(line, sizeof line, f)) {
		char *comma = strchr(line, ',');
		if (!comma || str_starts(str_of(line), "name,"))
			continue;
		comma[strcspn(comma, "\n")] = 0;
		Str name = {line, (u32)(comma - line)};
		u32 d = isa_desc_by_name(s, name);
		EXPECT(d != 0);
		if (!d)
			continue;
		EXPECT_STR(isa_desc(s, d)->mnemonic, comma + 1);
		Text t;
		text_init(&t, a);
		isa_name(s, d, slots_of(isa_desc(s, d), name), &t);
		EXPECT_STREQ(text_str(&t), name);
		rows++;
	}
	if (f)
		fclose(f);
	EXPECT_EQ(rows, 1294); /* 1,266 opcodes on both sides and 28 queries */
	session_free(s);
}

/* The next name of the list in `line`; false at its end. */
static bool next_name(FILE *f, char line[256], Str *name)
{
	do {
		if (!fgets(line, 256, f))
			return false;
		line[strcspn(line, ",")] = 0;
		*name = str_of(line);
	} while (str_is(*name, "name"));
	return true;
}

static bool ends_in(Str s, const char *end)
{
	Str e = str_of(end);
	return s.n >= e.n && memcmp(s.p + s.n - e.n, e.p, e.n) == 0;
}

/* The register forms that have a slot form beside them: surface loads, surface stores, texture handles, sampler handles. */
TEST(isa_image, IMGH_04_the_four_tables)
{
	Session *s = new_session(a);
	FILE    *f = fopen("tests/ptx/image-names.csv", "r");
	char     line[256];
	u32      loads = 0, stores = 0, textures = 0, samplers = 0;
	Str      name;
	EXPECT(f != NULL);
	while (f && next_name(f, line, &name)) {
		u32  d = isa_desc_by_name(s, name);
		u32  op = d ? isa_op(s, d) : ISA_NONE;
		bool fetch = d && isa_desc(s, d)->eval == EV_tex;
		loads += op == ISA_suld_b && ends_in(name, "_R");
		stores += (op == ISA_sust_b || op == ISA_sust_p) && ends_in(name, "_R");
		textures += fetch && (ends_in(name, "_R") || ends_in(name, "_RR") || ends_in(name, "_RI"));
		samplers += fetch && (ends_in(name, "_RR") || ends_in(name, "_IR"));
	}
	if (f)
		fclose(f);
	EXPECT_EQ(loads, 165);
	EXPECT_EQ(stores, 210);
	EXPECT_EQ(textures, 258);
	EXPECT_EQ(samplers, 168);
	session_free(s);
}

TEST(isa_image, IMGH_07_every_register_form_has_its_slot_form)
{
	Session *s = new_session(a);
	FILE    *f = fopen("tests/ptx/image-names.csv", "r");
	char     line[256];
	u32      forms = 0;
	Str      name;
	EXPECT(f != NULL);
	while (f && next_name(f, line, &name)) {
		u32 d = isa_desc_by_name(s, name);
		if (!d || !slots_of(isa_desc(s, d), name))
			forms++;
		for (u32 i = name.n; i-- && name.p[i] != '_';)
			line[i] = 'I';
		EXPECT_EQ(isa_desc_by_name(s, name), d);
	}
	if (f)
		fclose(f);
	EXPECT(forms > 400);
	session_free(s);
}

/* The operations that a name of each family may stand for. */
static bool fits(Str name, u32 op)
{
	if (str_starts(name, "TEX_") || str_starts(name, "TLD4_"))
		return op == ISA_tex || op == ISA_tex_unified || op == ISA_tld4 || op == ISA_tld4_unified;
	if (str_starts(name, "SULD_"))
		return op == ISA_suld_b;
	if (str_starts(name, "SUST_"))
		return op == ISA_sust_b || op == ISA_sust_p;
	return str_starts(name, "TXQ_") ? op == ISA_txq : str_starts(name, "SUQ_") && op == ISA_suq;
}

TEST(isa_image, IMGH_08_a_name_is_an_operation_of_its_family)
{
	Session *s = new_session(a);
	FILE    *f = fopen("tests/ptx/image-names.csv", "r");
	char     line[256];
	u32      rows = 0;
	Str      name;
	EXPECT(f != NULL);
	for (; f && next_name(f, line, &name); rows++)
		EXPECT(fits(name, isa_op(s, isa_desc_by_name(s, name))));
	if (f)
		fclose(f);
	EXPECT_EQ(rows, 1294);
	session_free(s);
}

TEST(isa_image, handles_and_coordinates)
{
	Session       *s = new_session(a);
	const IsaDesc *d = isa_desc(s, isa_desc_by_name(s, STR("TEX_2D_ARRAY_F32_F32_GRAD_RR")));
	EXPECT_STR(d->mnemonic, "tex.grad.a2d.v4.f32.f32");
	EXPECT_EQ(d->n_defs, 4);
	EXPECT_EQ(d->n_operands, 4 + 2 + 4 + 2 + 2);
	EXPECT_EQ(d->operand[4].kind, IO_IMAGE);
	EXPECT_EQ(d->operand[5].kind, IO_IMAGE);
	EXPECT_EQ(d->operand[6].type, TOK_type_u32); /* the layer */
	EXPECT_EQ(d->operand[7].type, TOK_type_f32);
	EXPECT_EQ(isa_desc_by_name(s, STR("TEX_2D_ARRAY_F32_F32_GRAD_R")), 0);
	EXPECT_EQ(isa_desc_by_name(s, STR("SULD_4D_I8_ZERO_R")), 0);
	session_free(s);
}

UNIT_MAIN

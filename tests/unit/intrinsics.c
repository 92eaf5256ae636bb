/* intrinsics.c: the columns of ir/intrinsics.def against each other, and against the tables that are keyed by its families. */
#include "dag/lower_row.h"
#include "ir/internal.h"
#include "ir/intrinsic.h"
#include "ir/names.h"
#include "ir/signature.h"
#include "irpass.h"
#include "isa/isa.h"

/* The parameters of the first form of a signature: the first character of each; . for more. */
static u32 parameters(const char *signature, char *out)
{
	u32 n = 0;
	for (const char *p = strchr(signature, '(') + 1; *p != ')'; p++) {
		if ((*p >= '0' && *p <= '9') && n && out[n - 1] == 'p')
			continue; /* the space of p3 */
		out[n++] = *p;
		if (*p == '=' || *p == '^' || *p == '/')
			p++;
		else if (*p == '~')
			p += 2;
		else if (*p == '<')
			p = strchr(p, '>');
	}
	return n;
}

static bool is_pointer(char c) { return c == 'p' || c == 'P' || c == 'W' || c == 'Q' || c == 'A'; }

static bool has(const char *attributes, const char *word) { return strstr(attributes, word) != NULL; }

/* A pointer argument of `row` where its family says there is one, or no pointer at all. */
static void expect_pointer(const IrIntrinsicInfo *row, u32 at)
{
	char kind[64];
	u32  n = parameters(row->signature, kind), pointers = 0;
	for (u32 i = 0; i < n; i++)
		pointers += is_pointer(kind[i]) || kind[i] == '=';
	if (pointers && !(at < n && (is_pointer(kind[at]) || kind[at] == '=')))
		unit_fail(__FILE__, __LINE__, row->names);
}

TEST(intrinsics, effects_agree_with_signatures)
{
	IrIntrinsicInfo row;
	(void)a;
	for (u32 i = 0; ir_intrinsic_info(i, &row); i++) {
		char kind[64];
		u32  n = parameters(row.signature, kind), pointers = 0;
		for (u32 k = 0; k < n; k++)
			pointers += is_pointer(kind[k]) || kind[k] == 'm';
		/* what moves between branches must not depend on who takes them */
		if (has(row.attributes, "convergent") && has(row.attributes, "speculatable"))
			unit_fail(__FILE__, __LINE__, row.names);
		/* memory of arguments: there is an argument that points to it */
		if (has(row.attributes, "argmem") && !pointers)
			unit_fail(__FILE__, __LINE__, row.names);
		/* what must be a constant is there */
		if (row.immediates >> n)
			unit_fail(__FILE__, __LINE__, row.names);
		if (has(row.attributes, "noreturn") && has(row.attributes, "willreturn"))
			unit_fail(__FILE__, __LINE__, row.names);
	}
}

TEST(intrinsics, families_agree_with_signatures)
{
	IrIntrinsicInfo row;
	(void)a;
	for (u32 i = 0; ir_intrinsic_info(i, &row); i++) {
		char                kind[64];
		u32                 n = parameters(row.signature, kind);
		const IrFamilyInfo *f = &ir_family_info[row.family];
		/* the result points to what argument 0 points to */
		if (f->forwards && !(n && (is_pointer(kind[0]) || kind[0] == '=') && is_pointer(row.signature[0])))
			unit_fail(__FILE__, __LINE__, row.names);
		/* threads that take part: a word of 32 bits */
		u32 mask = f->divergence == IRDIV_MASK_0 ? 0 : f->divergence == IRDIV_MASK_1 ? 1 : ~0u;
		if (mask != ~0u && !(mask < n && kind[mask] == 'i'))
			unit_fail(__FILE__, __LINE__, row.names);
		/* votes and reductions wait for the others */
		if (mask != ~0u && !has(row.attributes, "convergent"))
			unit_fail(__FILE__, __LINE__, row.names);
		if (row.family == IRFAM_SREG && (n || !strstr(row.names, "read.ptx.sreg.")))
			unit_fail(__FILE__, __LINE__, row.names);
	}
}

TEST(intrinsics, addresses_of_respaced_families_are_pointers)
{
	static const struct {
		u8 family, args;
	} respaced[] = {
#define RESPACE(family, args, spaces, spelling, flags) {IRFAM_##family, args},
#include "irpass/respace.def"
	};
	(void)a;
	for (u32 r = 0; r < PS_COUNT(respaced); r++) {
		IrIntrinsicInfo row;
		u32             rows = 0;
		for (u32 k = 0; k < r; k++)
			EXPECT(respaced[k].family != respaced[r].family);
		for (u32 i = 0; ir_intrinsic_info(i, &row); i++) {
			if (row.family != respaced[r].family)
				continue;
			rows++;
			for (u32 k = 0; k < 8; k++)
				if (respaced[r].args >> k & 1)
					expect_pointer(&row, k);
		}
		EXPECT(rows > 0);
	}
}

typedef void NameFn(Bench *b, Str name, u32 row);

/* Every name of a pattern, its groups replaced. */
static void each_name(Bench *b, u32 row, const char *pattern, char *at, u32 n, NameFn *fn)
{
	for (; *pattern && *pattern != '{' && *pattern != '*'; pattern++)
		at[n++] = *pattern;
	if (*pattern != '{') {
		fn(b, (Str){at, n}, row);
		return;
	}
	const char *close = strchr(pattern, '}');
	for (const char *from = pattern + 1; from <= close;) {
		u32 k = (u32)strcspn(from, ",}");
		memcpy(at + n, from, k);
		each_name(b, row, close + 1, at, n + k, fn);
		from += k + 1;
	}
}

static void finds_its_row(Bench *b, Str name, u32 row)
{
	IrType t = ir_func_type(b->m, IR_TYPE(VOID), NULL, 0, false);
	IrRef  g = ir_func_new(b->m, name, t, IRL_EXTERNAL)->ref;
	if (ir_intrinsic_of(b->m, g) != row || !str_eq(ir_str(b->m, ir_global(b->m, g)->name), name))
		unit_fail(__FILE__, __LINE__, arena_fmt(b->m->arena, "%.*s fits two rows", STR_ARG(name)).p);
}

TEST(intrinsics, no_name_fits_two_rows)
{
	IrIntrinsicInfo row;
	Bench          *b = bench_open(a, "define void @k() {\nret void\n}\n");
	char            name[128];
	for (u32 i = 0; ir_intrinsic_info(i, &row); i++)
		each_name(b, i + 1, row.names, name, 0, finds_its_row);
	bench_close(b);
}

/* An upgrade that makes a call of an intrinsic that there is, with arguments that the signature has. */
TEST(intrinsics, upgrades_lead_to_rows)
{
	static const struct {
		const char *names, *signature, *to, *args;
		bool        calls;
	} rows[] = {
#define CALL                                            true
#define CAST(op)                                        false
#define RMW(op)                                         false
#define LDG                                             false
#define ABS                                             false
#define NAME                                            true
#define KEEP                                            false
#define SPLICE                                          false
#define SHFL                                            false
#define VOTE                                            false
#define UPGRADE(names, signature, how, to, args, named) {names, signature, to, args, how},
#include "ir/upgrades.def"
#undef CALL
	};
	Bench *b = bench_open(a, "define void @k() {\nret void\n}\n");
	for (u32 i = 0; i < PS_COUNT(rows); i++) {
		char kind[64];
		u32  n = parameters(rows[i].signature, kind);
		Str  to = str_of(rows[i].to);
		to.n -= to.n && to.p[to.n - 1] == '*';
		if (rows[i].calls && !ir_intrinsic_of_name(b->m, to))
			unit_fail(__FILE__, __LINE__, arena_fmt(a, "%s: there is no %s", rows[i].names, rows[i].to).p);
		for (const char *p = rows[i].args; *p; p++)
			if (*p >= 'a' && *p <= 'z' && (u32)(*p - 'a') >= n)
				unit_fail(__FILE__, __LINE__, arena_fmt(a, "%s has no argument %c", rows[i].names, *p).p);
	}
	bench_close(b);
}

/* No upgrade hides another one. */
TEST(intrinsics, upgrades_are_reached)
{
	static const char *const rows[] = {
#define UPGRADE(names, signature, how, to, args, named) names,
#include "ir/upgrades.def"
	};
	for (u32 i = 0; i < PS_COUNT(rows); i++)
		for (u32 k = 0; k < i; k++)
			if (ir_name_matches(rows[k], rows[i], rows[i] + strlen(rows[i]), NULL))
				unit_fail(__FILE__, __LINE__, arena_fmt(a, "%s comes behind %s", rows[i], rows[k]).p);
}

/* How many registers a result is: 4f, {ib} and one. */
static u32 results_of(const char *signature)
{
	u32 n = 0;
	if (*signature == 'v')
		return 0;
	if (*signature >= '1' && *signature <= '9')
		return (u32)strtoul(signature, NULL, 10);
	if (*signature != '{')
		return 1;
	for (signature++; *signature != '}'; signature++)
		n += *signature != '~' && !(*signature >= '0' && *signature <= '9');
	return n;
}

/* The letters of operands are arguments of their kind; each argument is used. */
static void check_operands(const IrIntrinsicInfo *row, const char *text, const char *p, u32 used)
{
	char kind[64];
	u32  n = parameters(row->signature, kind);
	for (; *p; p++) {
		if (*p < 'a' || *p > 'z')
			continue;
		u32 k = (u32)(*p - 'a');
		used |= 1u << k;
		if (k >= n || (p[-1] == '[' && p[1] == ']' && !is_pointer(kind[k])))
			unit_fail(__FILE__, __LINE__, text);
	}
	if (used != (n ? UINT32_MAX >> (32 - n) : 0)) /* an argument that is not passed on */
		unit_fail(__FILE__, __LINE__, text);
}

/* The opcode exists. */
static void check_instruction(Session *s, const IrIntrinsicInfo *row, const char *text)
{
	u32         results = results_of(row->signature), operands = 0;
	u64         bases = 0;
	const char *p = text + strcspn(text, " ");
	Str         mnemonic = {text, (u32)(p - text)};
	check_operands(row, text, p, 0);
	for (bool begins = true; *p; begins = *p == ' ' || *p == ',', p++) {
		if (*p == '[')
			bases |= (u64)1 << operands++;
		operands += begins && *p != ' ' && *p != ',';
	}
	if (!isa_intern_form(s, mnemonic, &(IsaShape){results, results + operands, bases}))
		unit_fail(__FILE__, __LINE__, text);
}

static u32 words(const char *p, char separator, char end)
{
	u32 n = 1;
	for (; *p != end; p++)
		n += *p == separator;
	return n;
}

/* The n-th {a,b} of the names, from 1; NULL: there is none. */
static const char *group(const char *names, u32 n)
{
	for (; names && n; n--)
		names = strchr(names + 1, '{');
	return names;
}

static void add_alternative(Text *t, const char *p)
{
	for (; *p == '!'; p += strcspn(p, "|") + 1)
		;
	text_add(t, (Str){p, (u32)strcspn(p, "|}>")});
}

/* A text with alternatives has as many as the names; the plainest of them is an instruction. */
static void check_form(Session *s, Arena *a, const IrIntrinsicInfo *row, const char *text)
{
	Text t;
	u32  k = 0, used = 0;
	text_init(&t, a);
	for (const char *p = text; *p; p++) {
		if (*p == '{') {
			bool numbered = p[1] >= '1' && p[1] <= '9' && p[2] == ':' && p[3] != ':';
			k = numbered ? (u32)(p[1] - '0') : k + 1;
			p += numbered ? 3 : 1;
			const char *names = group(row->names, k);
			if (!names || words(names, ',', '}') != words(p, '|', '}'))
				unit_fail(__FILE__, __LINE__, text);
			add_alternative(&t, p);
			p = strchr(p, '}');
		} else if (*p == '<') {
			used |= 1u << (p[1] - 'a');
			if (!(row->immediates >> (p[1] - 'a') & 1) || p[2] != ':')
				unit_fail(__FILE__, __LINE__, text);
			add_alternative(&t, p + 3);
			/* operands that a constant asks for */
			for (const char *q = p + 3; *q != '>'; q++)
				if (*q == '%')
					used |= 1u << (q[1] - 'a');
			p = strchr(p, '>');
		} else if (*p == '@' || *p == '$') {
			p += p[0] == '@' && p[1] == '@'; /* the shared memory of the block by its whole name */
			text_s(&t, *p == '@' ? "" : row->signature[0] == 'F' ? "f32" : "32");
			p++;
		} else if (*p == '(') {
			p = strchr(p, ')');
		} else {
			text_c(&t, *p);
		}
	}
	text_c(&t, 0);
	IsaParseError e;
	u32           n = (u32)strcspn(t.p, " ");
	if (!isa_intern_mnemonic(s, (Str){t.p, n}, &e))
		unit_fail(__FILE__, __LINE__, t.p);
	check_operands(row, text, t.p + n, used);
}

TEST(intrinsics, lowering_agrees_with_signatures)
{
	IrIntrinsicInfo row;
	Bench          *b = bench_open(a, "define void @k() {\nret void\n}\n");
	for (u32 i = 0; ir_intrinsic_info(i, &row); i++) {
		DagIntrinsicRow low = dag_intrinsic_at(i + 1);
		char            kind[64];
		u32             n = parameters(row.signature, kind);
		if (low.kind == DAG_ROW_INSN)
			check_instruction(&b->s, &row, low.text);
		if (low.kind == DAG_ROW_FORM)
			check_form(&b->s, a, &row, low.text);
		if (low.kind == DAG_ROW_NODE && (!n || row.signature[0] == 'v'))
			unit_fail(__FILE__, __LINE__, row.names);
		if (low.kind == DAG_ROW_NODE && has(row.attributes, "convergent"))
			unit_fail(__FILE__, __LINE__, row.names);
	}
	bench_close(b);
}

UNIT_MAIN

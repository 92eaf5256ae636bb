/* print_attr.c: attributes. */
#include "ir/print.h"

static const char *const names[IRA_COUNT] = {
#define IR_ATTR(id, text, form, places, since, code) [IRA_##id] = text,
#include "ir/attrs.def"
};

/* The access of other memory, then that of each location that differs from it. */
static void print_memory(Printer *pr, u32 bits)
{
	static const char *const access[] = {"none", "read", "write", "readwrite"};
	static const struct {
		u8          shift;
		const char *name;
	} places[] = {{IRM_ARG, "argmem"},
	              {IRM_INACCESSIBLE, "inaccessiblemem"},
	              {IRM_ERRNO, "errnomem"},
	              {IRM_TARGET0, "target_mem0"},
	              {IRM_TARGET1, "target_mem1"}};
	u32  other = bits >> IRM_OTHER & 3;
	bool first = !other && bits;
	text_s(pr->out, "memory(");
	if (!first)
		text_s(pr->out, access[other]);
	for (u32 i = 0; i < PS_COUNT(places); i++) {
		u32 here = bits >> places[i].shift & 3;
		if (here == other)
			continue;
		text_f(pr->out, "%s%s: %s", first ? "" : ", ", places[i].name, access[here]);
		first = false;
	}
	text_c(pr->out, ')');
}

static void print_fpclass(Printer *pr, u32 mask)
{
	static const struct {
		u32         bits;
		const char *name;
	} classes[] = {{0x3FF, "all"},  {0x003, "nan"},  {0x001, "snan"},  {0x002, "qnan"},  {0x204, "inf"}, {0x004, "ninf"},
	               {0x200, "pinf"}, {0x060, "zero"}, {0x020, "nzero"}, {0x040, "pzero"}, {0x090, "sub"}, {0x010, "nsub"},
	               {0x080, "psub"}, {0x108, "norm"}, {0x008, "nnorm"}, {0x100, "pnorm"}};
	bool first = true;
	text_s(pr->out, "nofpclass(");
	for (u32 i = 0; i < PS_COUNT(classes) && mask; i++) {
		if ((mask & classes[i].bits) != classes[i].bits)
			continue;
		text_f(pr->out, "%s%s", first ? "" : " ", classes[i].name);
		mask &= ~classes[i].bits;
		first = false;
	}
	text_c(pr->out, ')');
}

static void print_range(Printer *pr, const IrAttr *a)
{
	u32 width = ir_type(pr->m, a->type)->bits;
	text_s(pr->out, "range(");
	if (a->text.i) {
		text_add(pr->out, ir_str(pr->m, a->text));
	} else {
		u64 sign = (u64)1 << (width - 1);
		irw_type(pr, a->type);
		text_f(pr->out, " %lld, %lld", (long long)((a->a ^ sign) - sign), (long long)((a->b ^ sign) - sign));
	}
	text_c(pr->out, ')');
}

static void print_attr(Printer *pr, const IrAttr *a, bool in_group)
{
	const char *name = names[a->kind];
	switch (a->kind) {
	case IRA_STRING:
		irw_string(pr, ir_str(pr->m, a->key));
		if (a->text.i) {
			text_c(pr->out, '=');
			irw_string(pr, ir_str(pr->m, a->text));
		}
		break;
	case IRA_MEMORY: print_memory(pr, (u32)a->a); break;
	case IRA_NOFPCLASS: print_fpclass(pr, (u32)a->a); break;
	case IRA_RANGE: print_range(pr, a); break;
	case IRA_ALIGN: text_f(pr->out, in_group ? "align=%llu" : "align %llu", (unsigned long long)a->a); break;
	case IRA_ALIGNSTACK:
	case IRA_DEREFERENCEABLE:
	case IRA_DEREFERENCEABLE_OR_NULL:
		text_f(pr->out, in_group ? "%s=%llu" : "%s(%llu)", name, (unsigned long long)a->a);
		break;
	case IRA_ALLOCSIZE:
	case IRA_VSCALE_RANGE:
		text_f(pr->out, "%s(%llu", name, (unsigned long long)a->a);
		if (a->b != UINT64_MAX)
			text_f(pr->out, ",%llu", (unsigned long long)a->b);
		text_c(pr->out, ')');
		break;
	default:
		text_s(pr->out, name);
		if (a->text.i)
			text_f(pr->out, "(%.*s)", STR_ARG(ir_str(pr->m, a->text)));
		if (a->type.i) {
			text_c(pr->out, '(');
			irw_type(pr, a->type);
			text_c(pr->out, ')');
		}
	}
}

void irw_attrs(Printer *pr, IrAttrs set, bool in_group)
{
	set = irw_older_attrs(pr->m, set);
	for (u32 i = 0, n = ir_attrs_count(pr->m, set); i < n; i++) {
		text_c(pr->out, ' ');
		print_attr(pr, ir_attrs_at(pr->m, set, i), in_group);
	}
}

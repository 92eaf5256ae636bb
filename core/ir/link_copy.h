/* link_copy.h: copies types, constants, attributes, metadata and bodies from one module to another of the same session. */
#ifndef PS_IR_LINK_COPY_H
#define PS_IR_LINK_COPY_H

#include "ir/builder.h"

typedef struct Copier Copier;
struct Copier {
	IrModule *to, *from;
	Arena    *arena;
	VecU32    types, consts, asms, attrs, mds, globals; /* by index in `from`: index in `to`; 0: not copied yet */
	VecU32    md_work;                                  /* nodes of `from` with a copy that is to be filled in */
	Map       structs;                                  /* names of the structs of `to` → IrType */
	Map       local;                                    /* of the body that is copied: IrRef.i → IrRef.i */
	/* What stands in `to` for a global that is used; none: there was an error. */
	IrRef (*global)(Copier *c, IrRef g);
	/* What metadata refers to: none where the global was not taken. */
	IrRef (*taken)(Copier *c, IrRef g);
	void *user;
	bool  failed;
};

void    copier_init(Copier *c, IrModule *to, IrModule *from, Arena *arena);
IrType  copy_type(Copier *c, IrType t);
IrRef   copy_value(Copier *c, IrRef v);
IrAttrs copy_attrs(Copier *c, IrAttrs set);
IrMd    copy_md(Copier *c, IrMd n);
u32     copy_attachments(Copier *c, u32 list);
/* The blocks of `f` as those of the declaration `to`, whose arguments have the same types. */
void copy_body(Copier *c, IrFunc *f, IrFunc *to);

/* The copy's slot of index `i`. */
static inline u32 *copy_slot(Copier *c, VecU32 *v, u32 i)
{
	if (i >= v->n)
		vec_extend(c->arena, v, i + 1 - v->n);
	return &v->p[i];
}

#endif

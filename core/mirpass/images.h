/* images.h: what a texture, sampler or surface operand stands for. Shared by nvptx-image-optimizer and
 * nvptx-replace-image-handles. */
#ifndef PS_MIRPASS_IMAGES_H
#define PS_MIRPASS_IMAGES_H

#include "mirpass/mirpass.h"

typedef enum ImageKind {
	IMAGE_UNKNOWN, /* a parameter without an annotation: a handle, for all that is known */
	IMAGE_NONE,    /* a variable that is none */
	IMAGE_TEXTURE,
	IMAGE_SAMPLER,
	IMAGE_SURFACE,
} ImageKind;

typedef enum ImageHandle {
	HANDLE_FOUND,   /* it is one argument, or the address of one variable */
	HANDLE_SEVERAL, /* one of several, by the path taken */
	HANDLE_OPAQUE,  /* computed, or read from memory */
} ImageHandle;

/* May the function have texture or surface instructions? */
bool mirpass_has_images(const MirFunc *f);
/* Where the handle in `r` comes from, through copies and phis. HANDLE_FOUND: *named is a symbol (of a parameter) or a global. */
ImageHandle mirpass_image_handle(const MirFunc *f, MirReg r, MirOp *named);
ImageKind   mirpass_image_kind(const MirFunc *f, const MirOp *named);
/* Reports a handle of the wrong kind, or of none, at operand `n` of `i`, once. The operand is a register or named. true: it is all
 * right, for all that is known. */
bool mirpass_image_check(PassCx *cx, const MirFunc *f, MirInstId i, u32 n);

#endif

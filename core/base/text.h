/* text.h: a growing text. The printers write into one of these. */
#ifndef PS_TEXT_H
#define PS_TEXT_H

#include "base/arena.h"

typedef struct Text {
	Arena *arena;
	char  *p;
	u32    n, cap;
	u32    lines; /* newlines written so far; the current line is lines + 1 */
} Text;

void text_init(Text *t, Arena *arena);
void text_add(Text *t, Str s);
void text_c(Text *t, char c);
void text_s(Text *t, const char *s);
void text_u(Text *t, u64 v);
void text_i(Text *t, i64 v);
void text_f(Text *t, const char *fmt, ...) PS_PRINTF(2, 3); /* base/fmt.h */
void text_room(Text *t, u32 bytes);                         /* the next so many bytes need no more memory */
void text_pad(Text *t, u32 column, u32 from);               /* spaces until `n - from` is `column` */
/* The same as text_add for a word without newlines. */
static inline void text_word(Text *t, Str s)
{
	text_room(t, s.n);
	for (u32 i = 0; i < s.n; i++)
		t->p[t->n + i] = s.p[i];
	t->n += s.n;
}
static inline Str text_str(const Text *t) { return (Str){t->p, t->n}; }

/* A double in the shortest decimal form that reads back to the same bits. */
void text_double(Text *t, f64 v);
/* `s` as the inside of a JSON string, quotes included; invalid UTF-8 becomes U+FFFD. */
void text_json(Text *t, Str s);
/* Bytes of the UTF-8 sequence at s, of which n are left; 0 where it is malformed. */
u32 utf8_length(const u8 *s, u32 n);

#endif

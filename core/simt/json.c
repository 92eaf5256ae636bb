/* json.c: reads JSON into one array of records (json.h). Only the first error is reported, at its line and column. */
#include "simt/json.h"

#include "base/decimal.h"

enum { JSON_DEPTH = 64 };

static void error(Json *j, const char *what)
{
	if (!j->failed)
		diag_report(&j->s->diags, DIAG_LAUNCH_JSON, src_at(j->line, j->at - j->line_start + 1), what);
	j->failed = true;
}

static char peek(Json *j)
{
	while (j->at < j->text.n) {
		char c = j->text.p[j->at];
		if (c == '\n') {
			j->line++;
			j->line_start = j->at + 1;
		} else if (c != ' ' && c != '\t' && c != '\r') {
			return c;
		}
		j->at++;
	}
	return 0;
}

static bool take(Json *j, char c)
{
	if (peek(j) != c)
		return false;
	j->at++;
	return true;
}

static u32 value_new(Json *j, JsonKind kind)
{
	if (j->v.n == 0)
		vec_push(j->arena, &j->v, ((JsonValue){0}));
	JsonValue v = {.kind = (u8)kind, .line = j->line, .col = j->at - j->line_start + 1};
	vec_push(j->arena, &j->v, v);
	return j->v.n - 1;
}

static u32 hex4(Json *j)
{
	u32 v = 0;
	for (u32 i = 0; i < 4; i++) {
		char c = j->at < j->text.n ? j->text.p[j->at++] : 0;
		u32  d = c >= '0' && c <= '9'   ? (u32)(c - '0')
		         : c >= 'a' && c <= 'f' ? (u32)(c - 'a' + 10)
		         : c >= 'A' && c <= 'F' ? (u32)(c - 'A' + 10)
		                                : 16;
		if (d == 16)
			error(j, "four hexadecimal digits are wanted after \\u");
		v = v << 4 | (d & 15);
	}
	return v;
}

static void put_utf8(Text *t, u32 c)
{
	if (c < 0x80) {
		text_c(t, (char)c);
	} else if (c < 0x800) {
		text_c(t, (char)(0xC0 | c >> 6));
		text_c(t, (char)(0x80 | (c & 63)));
	} else {
		text_c(t, (char)(0xE0 | c >> 12));
		text_c(t, (char)(0x80 | (c >> 6 & 63)));
		text_c(t, (char)(0x80 | (c & 63)));
	}
}

static Str string(Json *j) /* after the quote */
{
	Text t;
	text_init(&t, j->arena);
	while (j->at < j->text.n && j->text.p[j->at] != '"' && !j->failed) {
		char c = j->text.p[j->at++];
		if ((u8)c < 0x20)
			error(j, "a control character in a string");
		if (c != '\\') {
			text_c(&t, c);
			continue;
		}
		c = j->at < j->text.n ? j->text.p[j->at++] : 0;
		switch (c) {
		case 'n': text_c(&t, '\n'); break;
		case 't': text_c(&t, '\t'); break;
		case 'r': text_c(&t, '\r'); break;
		case 'b': text_c(&t, '\b'); break;
		case 'f': text_c(&t, '\f'); break;
		case 'u': put_utf8(&t, hex4(j)); break;
		case '"':
		case '\\':
		case '/': text_c(&t, c); break;
		default: error(j, "an unknown escape in a string");
		}
	}
	if (j->at >= j->text.n)
		error(j, "a string does not end");
	j->at++;
	return text_str(&t);
}

static void number(Json *j, u32 v)
{
	u32 from = j->at;
	while (j->at < j->text.n && strchr("+-.eE0123456789", j->text.p[j->at]))
		j->at++;
	j->v.p[v].text = (Str){j->text.p + from, j->at - from};
	f64 d = base_parse_double(j->v.p[v].text);
	if (d != d)
		error(j, "not a number");
}

static bool word(Json *j, const char *w)
{
	u32 n = (u32)strlen(w);
	if (j->text.n - j->at < n || memcmp(j->text.p + j->at, w, n) != 0)
		return false;
	j->at += n;
	return true;
}

static u32 value(Json *j, u32 depth)
{
	char c = peek(j);
	u32  v = value_new(j, JSON_NULL);
	if (depth > JSON_DEPTH) {
		error(j, "nested too deeply");
	} else if (c == '{' || c == '[') {
		char end = c == '{' ? '}' : ']';
		u32  last = 0;
		j->at++;
		j->v.p[v].kind = c == '{' ? JSON_OBJECT : JSON_ARRAY;
		while (!j->failed && !take(j, end)) {
			Str key = {"", 0};
			if (last && !take(j, ',')) {
				error(j, end == '}' ? "',' or '}' is wanted" : "',' or ']' is wanted");
				break;
			}
			if (end == '}') {
				if (!take(j, '"'))
					error(j, "a member's name is wanted");
				else
					key = string(j);
				if (!j->failed && !take(j, ':'))
					error(j, "':' is wanted");
			}
			if (j->failed)
				break;
			u32 child = value(j, depth + 1);
			j->v.p[child].key = key;
			if (last)
				j->v.p[last].next = child;
			else
				j->v.p[v].first = child;
			last = child;
			j->v.p[v].n++;
		}
	} else if (c == '"') {
		j->at++;
		Str s = string(j);
		j->v.p[v].kind = JSON_STRING;
		j->v.p[v].text = s;
	} else if (c == '-' || (c >= '0' && c <= '9')) {
		j->v.p[v].kind = JSON_NUMBER;
		number(j, v);
	} else if (word(j, "true") || word(j, "false")) {
		j->v.p[v].kind = JSON_BOOL;
		j->v.p[v].truth = c == 't';
	} else if (!word(j, "null")) {
		error(j, c ? "a value is wanted" : "the text ends where a value is wanted");
	}
	return v;
}

bool json_parse(Json *j, Session *s, Arena *arena, Str text)
{
	*j = (Json){.s = s, .arena = arena, .text = text, .line = 1};
	value(j, 0);
	if (!j->failed && peek(j))
		error(j, "something follows the value");
	return !j->failed;
}

u32 json_member(const Json *j, u32 object, const char *key)
{
	if (json_at(j, object)->kind == JSON_OBJECT)
		json_each(j, object, i)
			if (str_is(json_at(j, i)->key, key))
				return i;
	return 0;
}

bool json_u64(const JsonValue *v, u64 *out)
{
	Str  t = v->text;
	bool neg = t.n && t.p[0] == '-';
	u64  r = 0;
	if ((v->kind != JSON_NUMBER && v->kind != JSON_STRING) || t.n == (u32)neg)
		return false;
	for (u32 i = neg; i < t.n; i++) {
		if (t.p[i] < '0' || t.p[i] > '9') {
			f64 d = base_parse_double(t); /* 1e3, 5.0 */
			if (v->kind != JSON_NUMBER || !(d > -9.3e18 && d < 1.8e19))
				return false;
			*out = d < 0 ? (u64)(i64)d : (u64)d;
			return (d < 0 ? (f64)(i64)*out : (f64)*out) == d;
		}
		r = r * 10 + (u64)(t.p[i] - '0');
	}
	*out = neg ? 0 - r : r;
	return true;
}

bool json_f64(const JsonValue *v, f64 *out)
{
	static const struct {
		const char *name;
		u64         bits;
	} special[] = {
		{"nan", 0x7ff8000000000000u},
		{"inf", 0x7ff0000000000000u},
		{"-inf", 0xfff0000000000000u},
	};
	if (v->kind == JSON_STRING)
		for (u32 i = 0; i < PS_COUNT(special); i++)
			if (str_is(v->text, special[i].name)) {
				memcpy(out, &special[i].bits, 8);
				return true;
			}
	if ((v->kind != JSON_NUMBER && v->kind != JSON_STRING) || !v->text.n)
		return false;
	*out = base_parse_double(v->text);
	return *out == *out;
}

/* hint_body.c: hints for statements and expressions, as Python and C write them. */
#include <string.h>

#include "hint.h"
#include "parse.h"

static bool is_operator(int code) {
    return (code >= TK_EQ && code <= TK_TILDE) || code == TK_NOT;
}

static bool is_operand(int code) {
    return code == TK_NAME || code == TK_NUMBER || code == TK_TRUE || code == TK_FALSE;
}

static bool ends_operand(int code) {
    return code == TK_NAME || code == TK_NUMBER || code == TK_TRUE || code == TK_FALSE ||
           code == TK_RP || code == TK_RSB;
}

/* ---- blocks */

static bool range_of_for(struct uc *uc, const struct token *t, const struct token *begin) {
    if (begin->code != TK_FOR)
        return false;
    if (t == begin + 2 && t->code == TK_COMMA) {
        error(uc, t->at,
              "unexpected ','; a 'for' has one name, write 'for i in 0..n', and 'x[i]' for an "
              "element");
        return true;
    }
    const char *called = t > begin + 3 ? word(uc, begin + 3) : NULL;
    bool range = called && foreign_iterator(called);
    if (!range && !(t == begin + 1 && t->code == TK_LP) && t->code != TK_LB)
        return false;
    if (t->code == TK_LB && t[-1].code == TK_IN)
        return false;
    error(uc, range ? begin[3].at : t->at, "unexpected %s; write 'for i in 0..n'",
          quoted(uc, range ? begin[3].at : t->at));
    return true;
}

/* `for i in 0:10 { }`; without the block the colon stands for it. */
static bool dots_for_colon(struct uc *uc, const struct token *t, const struct token *begin) {
    const struct token *block = t + 1;
    if (begin->code != TK_FOR || t->code != TK_COLON || t < begin + 4)
        return false;
    while (block->code != 0 && block->code != TK_END && block->depth >= t->depth &&
           (block->code != TK_LB || block->depth > t->depth))
        block++;
    if (block->code != TK_LB || block == t + 1)
        return false;
    bool words = t == begin + 4 && block == t + 2;
    struct span a = begin[3].at, b = t[1].at;
    if (words && a.end - a.begin <= 40 && b.end - b.begin <= 40)
        error(uc, t->at, "unexpected ':'; write '%.*s..%.*s'", (int)(a.end - a.begin),
              uc->src.text + a.begin, (int)(b.end - b.begin), uc->src.text + b.begin);
    else
        error(uc, t->at, "unexpected ':'; a range is written 'a..b'");
    return true;
}

static bool brace_for_colon(struct uc *uc, const struct token *t, const struct token *begin) {
    int code = begin->code;
    if (t->code != TK_COLON)
        return false;
    bool header = code == TK_IF || code == TK_ELIF || code == TK_ELSE || code == TK_WHILE ||
                  code == TK_FOR || (code == TK_DEF && (t[1].first || t[1].code == TK_RETURN));
    if (header)
        error(uc, t->at, "unexpected ':'; a block stands in braces, '{ ... }'");
    return header;
}

bool hint_of_block(struct uc *uc, const struct token *t, const struct token *begin,
                   enum recovery *recovery) {
    bool range = range_of_for(uc, t, begin), dots = !range && dots_for_colon(uc, t, begin);
    bool brace = !range && !dots && brace_for_colon(uc, t, begin);
    if (brace || (range && t->code == TK_COLON)) /* no brace will follow */
        *recovery = RECOVER_DECLARATION;
    return range || dots || brace;
}

/* ---- statements, expressions */

static bool several_results(struct uc *uc, const struct token *t, const struct token *begin,
                            const bool *acceptable) {
    if (t->code != TK_COMMA || (begin->code != TK_UFUNC && begin->code != TK_DEF) ||
        !acceptable[TK_DEF] || t[-1].code == TK_RB)
        return false;
    error(uc, t->at, "unexpected ','; several results need a block, '{ return a, b }'");
    return true;
}

/* `assert x > 0`, `print(x, "text")`, `atomicAdd(&h[k], 1)` */
static bool statement(struct uc *uc, const struct token *t, const struct token *begin) {
    const struct token *o = enclosing(t);
    bool call = o && o->code == TK_LP;
    const struct token *name = call ? o - 1 : t - 1;
    const char *text = call || name == begin ? word(uc, name) : NULL;
    const char *instead = text ? foreign_statement(text) : NULL;
    if (instead)
        error(uc, name->at, "unexpected '%s'; %s", text, instead);
    return instead != NULL;
}

static bool assignment(struct uc *uc, const struct token *t, const struct token *begin) {
    if (t->code != TK_ASSIGN)
        return false;
    bool chain = t->depth == begin->depth, first = false, comma = false;
    for (const struct token *o = begin; o < t && chain; o++) {
        first = first || o->code == TK_ASSIGN;
        comma = comma || (first && o->code == TK_COMMA && o->depth == t->depth);
    }
    if (begin->code == TK_IF || begin->code == TK_ELIF || begin->code == TK_WHILE)
        error(uc, t->at, "unexpected '=' in a condition; write '==' to compare");
    else if (comma && (begin->code == TK_LET || begin->code == TK_VAR))
        error(uc, t->at, "unexpected '='; write 'let a, b = x, y', or a 'let' for each name");
    else if (chain && (begin->code == TK_LET || begin->code == TK_VAR || begin->code == TK_NAME))
        error(uc, t->at, "unexpected '='; assignments do not chain");
    else if (!chain && enclosing(t)[-1].code == TK_NAME)
        error(uc, t->at, "unexpected '='; arguments go by their places");
    else
        return false;
    return true;
}

/* The module of another language that a name is; NULL: none. */
static const char *module(struct uc *uc, const struct token *t) {
    static const char *const modules[] = {"math", "cmath", "np",  "numpy", "cp",
                                          "cupy", "jnp",   "std", "torch", "scipy"};
    for (size_t i = 0; t->code == TK_NAME && i < sizeof modules / sizeof modules[0]; i++)
        if (is_text(uc, t, modules[i]))
            return modules[i];
    return NULL;
}

static bool module_member(struct uc *uc, const struct token *t) {
    const char *name = word(uc, t + 1), *of = module(uc, t - 1);
    if (!name || !of)
        return false;
    error(uc, span_over(t[-1].at, t->at), "unexpected '%s.'; write '%s'", of, name);
    return true;
}

/* `dtype(x)(3)`, `f(x)(y)` */
static bool call_of_call(struct uc *uc, const struct token *t) {
    const struct token *o = t - 1;
    if (t->code != TK_LP || o->code != TK_RP || t->first)
        return false;
    do
        o--;
    while (o->depth != t[-1].depth);
    const char *name = word(uc, o - 1), *operand = word(uc, o + 1);
    bool number = t[1].code == TK_NUMBER && t[2].code == TK_RP;
    if (!name)
        return false;
    if (strcmp(name, "dtype") == 0 && operand && number)
        error(uc, t->at,
              "unexpected '('; numbers take the type of what they meet, write %s without '%s(%s)'",
              quoted(uc, t[1].at), name, operand);
    else if (strcmp(name, "dtype") == 0 && operand)
        error(uc, t->at, "unexpected '('; to convert, write 'let v: %s(%s) = ...'", name, operand);
    else
        error(uc, t->at, "unexpected '('; what '%s' returns cannot be called", name);
    return true;
}

/* `x[0:2]`, `x[0][1]`, `[v for v in x]` */
static bool brackets(struct uc *uc, const struct token *t) {
    const struct token *o = enclosing(t);
    if ((t->code == TK_COLON || t->code == TK_RANGE) && o && o->code == TK_LSB &&
        ends_operand(o[-1].code))
        error(uc, t->at, "unexpected %s; there are no slices, write 'x[i]' and say for which i",
              quoted(uc, t->at));
    else if (t->code == TK_LSB && t[-1].code == TK_RSB && !t->first)
        error(uc, t->at, "unexpected '['; write 'x[i, j]'");
    else if (t->code == TK_LSB && o && o->code == TK_LP)
        error(uc, t->at, "unexpected '['; write the values without brackets, 'sum(v for v in x)'");
    else
        return false;
    return true;
}

/* `x.sin()`, `x.astype(np.float32)` */
static bool attribute(struct uc *uc, const struct token *t) {
    if (t->code != TK_DOT || t[1].code != TK_NAME)
        return false;
    if (module_member(uc, t))
        return true;
    const char *name = word(uc, t + 1), *of = word(uc, t - 1), *rest = "";
    const struct builtin *f = name ? builtin_named(name) : NULL;
    if (name && strcmp(name, "astype") == 0 && t[2].code == TK_LP)
        name = word(uc, t[4].code == TK_DOT ? t + 5 : t + 3);
    else if (name && is_comprehension(name) && strcmp(name, "reduce") != 0)
        of = arena_printf(uc, "v for v in %s", of ? of : "x");
    else if (!f)
        name = NULL;
    else if (f->nargs > 1)
        rest = ", ...";
    if (name)
        error(uc, t->at, "unexpected '.'; there are no attributes, write '%s(%s%s)'", name,
              of ? of : "...", of ? rest : "");
    else if (is_text(uc, t + 1, "shape") || is_text(uc, t + 1, "size"))
        error(uc, t->at, "unexpected '.'; a size has the name that the dimension bears, 'x[n]': n");
    else
        error(uc, t->at, "unexpected '.'; there are no attributes");
    return true;
}

static bool declaration_in_block(struct uc *uc, const struct token *t) {
    if (t->depth == 0)
        return false;
    if (t->code == TK_CONST)
        error(uc, t->at, "unexpected 'const' in a function; write 'let'");
    else if (t->code == TK_UFUNC || t->code == TK_DEF)
        error(uc, t->at, "unexpected %s in a function; functions do not nest", quoted(uc, t->at));
    else if (t->code == TK_IMPORT && t[1].code == TK_STRING)
        error(uc, t->at, "unexpected 'import' in a function; it stands outside");
    else
        return false;
    return true;
}

/* `(float)x`: t is what comes after the type in parentheses. */
static bool c_cast(struct uc *uc, const struct token *t) {
    bool cast = (is_operand(t->code) || t->code == TK_LP) && t[-1].code == TK_RP &&
                t[-2].code == TK_NAME && t[-3].code == TK_LP && t[-4].code != TK_NAME;
    const char *type = cast ? word(uc, t - 2) : NULL, *value = word(uc, t);
    const char *here = type ? foreign_name(type) : NULL;
    if (!here && (!type || dtype_named(type) == DT_COUNT))
        return false;
    if (here)
        error(uc, span_over(t[-3].at, t[-1].at), "unexpected '(%s)'; a conversion is a call of %s",
              type, here);
    else
        error(uc, span_over(t[-3].at, t[-1].at), "unexpected '(%s)'; write '%s(%s)'", type, type,
              value ? value : "...");
    return true;
}

/* `float x = 1` */
static bool c_declaration(struct uc *uc, const struct token *t, const struct token *begin) {
    if (t->code != TK_NAME || t[-1].code != TK_NAME || t - 1 != begin || t->depth == 0 ||
        (t[1].code != TK_ASSIGN && t[1].code != TK_END))
        return false;
    const char *type = word(uc, t - 1), *name = word(uc, t);
    if (!type || !name)
        return false;
    if (foreign_name(type))
        error(uc, t->at, "unexpected '%s'; write 'let %s = ...', or 'var' to assign again", name,
              name);
    else
        error(uc, t->at, "unexpected '%s'; write 'let %s: %s = ...'", name, name, type);
    return true;
}

static bool other(struct uc *uc, const struct token *t, const struct token *begin) {
    if ((t->code == TK_NAME || t->code == TK_COLON) && t[-1].code == TK_NAME &&
        is_text(uc, t - 1, "lambda"))
        error(uc, t[-1].at, "unexpected 'lambda'; write a 'def'");
    else if (t->code == TK_QUESTION)
        error(uc, t->at, "unexpected '?'; write 'x if c else y' for 'c ? x : y'");
    else if (t->code == TK_STRING)
        error(uc, t->at, "unexpected string; there are only numbers");
    else if (t->code == TK_RETURN && t[-1].code == TK_COLON && t->depth == 0)
        error(uc, t->at,
              "unexpected 'return'; here stands the signature, ': float32(float32)', and then a "
              "block in braces, '{ ... }'");
    else if (t[-1].code == TK_IMPORT && module(uc, t))
        error(uc, t->at, "unexpected %s; its functions are known without import",
              quoted(uc, t->at));
    else if (t[-1].code == TK_IMPORT && t->code == TK_NAME)
        error(uc, t->at, "unexpected %s; write 'import \"%.*s.uf\"'", quoted(uc, t->at),
              (int)(t->at.end - t->at.begin < 40 ? t->at.end - t->at.begin : 40),
              uc->src.text + t->at.begin);
    else if (t->code == TK_NOT && is_operator(t[-1].code))
        error(uc, t->at, "unexpected 'not' after an operator; write '(not ...)'");
    else if (t->code == TK_END && t->depth == 0 && begin->code >= TK_UFUNC)
        error(uc, t->at, "unexpected ';'; declarations need no separator");
    else if ((t->code == TK_ELIF || t->code == TK_ELSE) && t == begin)
        error(uc, t->at, "unexpected %s; it stands after the '}' of an 'if'", quoted(uc, t->at));
    else
        return false;
    return true;
}

bool hint_of_body(struct uc *uc, const struct token *t, const struct token *begin,
                  const bool *acceptable) {
    return several_results(uc, t, begin, acceptable) || statement(uc, t, begin) ||
           assignment(uc, t, begin) || attribute(uc, t) || call_of_call(uc, t) || brackets(uc, t) ||
           declaration_in_block(uc, t) || c_cast(uc, t) || c_declaration(uc, t, begin) ||
           other(uc, t, begin);
}

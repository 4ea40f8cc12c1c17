/* hint_head.c: hints for the heads of declarations, as Numba, NumPy, Python and C write them. */
#include <string.h>

#include "hint.h"
#include "parse.h"

static bool type_of_parameter(struct uc *uc, const struct token *t, const struct token *begin) {
    const struct token *o = enclosing(t);
    bool in_params = begin->code >= TK_UFUNC && begin->code <= TK_DEF && o && o == begin + 2;
    if (in_params && t->code == TK_ASSIGN) {
        error(uc, t->at, "unexpected '='; a parameter has no default, each call gives all");
        return true;
    }
    if (in_params && t->code == TK_STAR && t[-1].code == TK_NAME) {
        error(uc, t->at,
              "unexpected '*'; there are no pointers: an array is 'x[n]' of a 'gufunc', and types "
              "stand in the signature, ': float32(float32)'");
        return true;
    }
    if (!in_params || (t->code != TK_COLON && !(t->code == TK_NAME && t[-1].code == TK_NAME)))
        return false;
    bool array = begin->code != TK_DEF && t->code == TK_COLON && t[1].code == TK_NAME &&
                 t[2].code == TK_LSB && t[3].code == TK_COLON;
    const char *name = array ? word(uc, t - 1) : NULL;
    if (name)
        error(uc, t->at,
              "unexpected ':'; an array has dimensions, '%s[n]' of a 'gufunc', and its type stands "
              "in the signature, ': float32(float32)'",
              name);
    else if (begin->code != TK_DEF)
        error(uc, t->at,
              "unexpected %s; the parameters' types stand in the signature, "
              "': float32(float32)'",
              quoted(uc, t->at));
    else
        error(uc, t->at, "unexpected %s; a def's parameters take the types of its arguments",
              quoted(uc, t->at));
    return true;
}

/* `x(n)`, `f(x, y) (n),(n)->()`: NumPy's signatures; `f(x[n]) :`. */
static bool core_dimensions(struct uc *uc, const struct token *t, const struct token *begin,
                            const bool *acceptable) {
    if (begin->code != TK_GUFUNC || t < begin + 3)
        return false;
    bool operand = t->code == TK_LP && t[-1].code == TK_NAME && t[1].code == TK_NAME;
    const char *name = operand ? word(uc, t - 1) : NULL, *dim = operand ? word(uc, t + 1) : NULL;
    if (name && dim)
        error(uc, t->at, "unexpected '('; dimensions stand in brackets, '%s[%s%s]'", name, dim,
              t[2].code == TK_COMMA ? ", ..." : "");
    else if (t->code == TK_RSB && t[-1].code == TK_LSB)
        error(uc, t->at, "unexpected ']'; a dimension has a name, 'x[n]'");
    else if (t->code == TK_COLON && acceptable[TK_ARROW])
        error(uc, t->at, "unexpected ':'; a gufunc's outputs come first, '-> y' or '-> y[n]'");
    else if ((t->depth == 0 && t[-1].code == TK_RP &&
              (t->code == TK_COMMA || t->code == TK_LP || t->code == TK_STRING)) ||
             (t->code == TK_ARROW && t[-1].code == TK_RP && !acceptable[TK_ARROW]) ||
             (t->code == TK_RP && t[-1].code == TK_LP && t[-2].code == TK_ARROW))
        error(uc, t->at,
              "unexpected %s; dimensions stand with the operands' names: '(n),(n)->()' is "
              "'f(x[n], y[n]) -> z'",
              quoted(uc, t->at));
    else
        return false;
    return true;
}

static bool result_of_function(struct uc *uc, const struct token *t, const struct token *begin) {
    if (t[-1].code != TK_RP || t->depth > 0)
        return false;
    if (begin->code == TK_DEF && (t->code == TK_ARROW || t->code == TK_COLON))
        error(uc, t->at, "unexpected %s; a def has no signature, its types follow from the call",
              quoted(uc, t->at));
    else if (begin->code == TK_UFUNC && t->code == TK_ARROW)
        error(uc, t->at, "unexpected '->'; results stand in the signature, ': float32(float32)'");
    else
        return false;
    return true;
}

/* The type once for each parameter of a ufunc: "float32, float32". */
static const char *type_for_each(struct uc *uc, const struct token *begin, struct span type) {
    enum { MAX_SHOWN = 4 };
    const struct token *t = begin + 3;
    const char *text = "";
    int n = 0;
    for (; t->depth > begin->depth; t++)
        if (t->code == TK_NAME && n++ < MAX_SHOWN)
            text = arena_printf(uc, "%s%s%.*s", text, n == 1 ? "" : ", ",
                                (int)(type.end - type.begin), uc->src.text + type.begin);
    return n > MAX_SHOWN ? "..." : text;
}

/* `T(T) for T in float32, float64`, `T(T, U) for T in floating, for U in integer` */
static bool group(struct uc *uc, const struct token *t, const struct token *begin) {
    const struct token *last = t - 1, *first = last;
    if (t->code == TK_FOR && last->code == TK_COMMA && t->depth == 0) {
        error(uc, t->at,
              "unexpected 'for'; one stands before all, 'for T in floating, U in integer'");
        return true;
    }
    while (first > begin + 2 && first->code == TK_NAME && first[-1].code == TK_COMMA)
        first -= 2;
    if (first == last || first->code != TK_NAME || first[-1].code != TK_IN)
        return false;
    const char *a = word(uc, first), *b = word(uc, first + 2);
    if (!a || !b)
        return false;
    error(uc, first[1].at, "unexpected ','; types of a 'for' stand with '|', 'for T in %s | %s'", a,
          b);
    return true;
}

static bool signature(struct uc *uc, const struct token *t, const struct token *begin,
                      const bool *acceptable) {
    struct span type = t[-1].at;
    if (is_text(uc, t - 1, "identity") && begin->code == TK_UFUNC && t->depth == 0) {
        error(uc, type,
              "'identity' comes after the signature as 'with identity ...', without a comma");
        return true;
    }
    if (begin->code == TK_GUFUNC && t->depth == 0 && t[-1].code == TK_NAME && acceptable[TK_LP] &&
        (t[-2].code == TK_COLON || t[-2].code == TK_COMMA)) {
        error(uc, type, "a signature has the types of the inputs too, ': float32(float32)'");
        return true;
    }
    if (begin->code != TK_UFUNC || t->depth > 0 || t < begin + 4 || begin[2].code != TK_LP ||
        t[-1].code != TK_NAME || !acceptable[TK_LP] || acceptable[TK_STAR] ||
        type.end - type.begin > 40)
        return false;
    error(uc, type, "a signature has the types of the inputs too; write '%.*s(%s)'",
          (int)(type.end - type.begin), uc->src.text + type.begin, type_for_each(uc, begin, type));
    return true;
}

/* `with identity = 0`, also before the signature. */
static bool identity(struct uc *uc, const struct token *t, const struct token *begin) {
    const struct token *with = t - 1;
    if (begin->code != TK_UFUNC || t->depth > begin->depth)
        return false;
    while (with > begin && with->code != TK_WITH)
        with--;
    if (with == begin)
        return false;
    if (t->code == TK_ASSIGN && t == with + 2)
        error(uc, t->at, "unexpected '='; write 'with identity 0'");
    else if (t->code == TK_COLON)
        error(uc, with->at, "'with identity' comes after the signature");
    else
        return false;
    return true;
}

/* `__global__ void f(float *x) {`, `static inline float f(float x) {`, `function f(x) {` */
static bool head_of_c(struct uc *uc, const struct token *t) {
    const struct token *open = t;
    bool arrays = false;
    while (open->depth == 0 && open->code != 0 && open->code != TK_LP && open->code != TK_LB &&
           open->code != TK_ASSIGN && open->code != TK_END) {
        if (open->code == TK_DOT || (open->code >= TK_UFUNC && open->code <= TK_IMPORT))
            return false;
        arrays = arrays || is_text(uc, open, "void") || is_text(uc, open, "__global__");
        open++;
    }
    const char *name = open > t + 1 && open->code == TK_LP ? word(uc, open - 1) : NULL;
    if (!name)
        return false;
    if (arrays)
        error(uc, t->at,
              "unexpected %s; write 'gufunc %s(x[n]) -> y[n] : float32(float32) { ... }'",
              quoted(uc, t->at), name);
    else
        error(
            uc, t->at,
            "unexpected %s; write 'ufunc %s(x) : float32(float32) { ... }', or, to share it, 'def "
            "%s(x) { ... }'",
            quoted(uc, t->at), name, name);
    return true;
}

/* A token that begins no declaration. */
static bool no_declaration(struct uc *uc, const struct token *t) {
    const char *name = word(uc, t), *instead = name ? foreign_statement(name) : NULL;
    const char *bound = t->code == TK_LET || t->code == TK_VAR ? word(uc, t + 1) : NULL;
    if (t->code == TK_NAME && t[1].code == TK_ASSIGN)
        bound = name;
    if (bound)
        error(uc, t->at, "unexpected %s; outside of functions write 'const %s = ...'",
              quoted(uc, t->at), bound);
    else if (instead)
        error(uc, t->at, "unexpected '%s'; %s", name, instead);
    else if (name && strcmp(name, "from") == 0)
        error(uc, t->at,
              "unexpected 'from'; write 'import \"file.uf\"', which imports all of a "
              "file; built-in functions need none");
    else
        return name && head_of_c(uc, t);
    return true;
}

/* Whether t is behind the `=` that begins a body. */
static bool in_body(const struct token *t, const struct token *begin) {
    int depth = begin->depth;
    while (t > begin && (t[-1].code != TK_ASSIGN || t[-1].depth != depth))
        t--;
    return t > begin;
}

bool hint_of_head(struct uc *uc, const struct token *t, const struct token *begin,
                  const bool *acceptable) {
    if (t->depth == 0 && t->first && acceptable[TK_DEF])
        return no_declaration(uc, t);
    if (in_body(t, begin))
        return false;
    if (t->depth == 0 && t->code == TK_RETURN && t[-1].code != TK_COLON) {
        error(uc, t->at, "unexpected 'return'; a block stands in braces, '{ return ... }'");
        return true;
    }
    if (t->depth == 0 && t->code == TK_STRING && t[-1].code == TK_COLON) {
        error(uc, t->at, "unexpected string; a signature stands without quotes");
        return true;
    }
    return identity(uc, t, begin) || group(uc, t, begin) || signature(uc, t, begin, acceptable) ||
           type_of_parameter(uc, t, begin) || core_dimensions(uc, t, begin, acceptable) ||
           result_of_function(uc, t, begin);
}

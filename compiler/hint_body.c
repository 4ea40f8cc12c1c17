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

/* `for i, j { }`, `for i in 0..m, j in 0..n { }`: t is the comma. */
static bool several_indices(struct uc *uc, const struct token *t, const struct token *begin) {
    const char *first = word(uc, begin + 1), *second = word(uc, t + 1);
    int behind = second ? t[2].code : 0;
    if (t->code != TK_COMMA || t->depth != begin->depth || !first || !second ||
        behind != (t == begin + 2 ? TK_LB : TK_IN))
        return false;
    error(uc, t->at,
          "unexpected ','; a 'for' has one name, write 'for %s in ... { for %s in ... { } }', or, "
          "without an order, 'y[%s, %s] = ... for %s, %s'",
          first, second, first, second, first, second);
    return true;
}

/* A definition whose `for` stands on the next line, which is none of its own: no block follows. */
static bool for_of_line_above(struct uc *uc, const struct token *t) {
    const struct token *begin =
        construct(t->code == TK_RB ? t - (t[-1].code == TK_END ? 2 : 1) : t);
    const struct token *above = begin - 1, *end = begin;
    if (begin->code != TK_FOR || t == begin || !begin->first || begin->depth == 0 ||
        above->code != TK_END)
        return false;
    while (end->code != 0 && end->depth >= begin->depth && end->code != TK_END &&
           (end->code != TK_LB || end->depth > begin->depth))
        end++;
    above = construct(above - 1);
    if (end->code == TK_LB || above->code != TK_NAME || above[1].code != TK_LSB)
        return false;
    error(uc, begin->at,
          "unexpected 'for'; the line end before it ends the definition: write 'for' at the end of "
          "that line");
    return true;
}

static bool range_of_for(struct uc *uc, const struct token *t, const struct token *begin) {
    if (begin->code != TK_FOR)
        return false;
    if (several_indices(uc, t, begin))
        return true;
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

/* `for i in 0:10 { }`.  Without a block the colon stands for its brace. */
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
                  code == TK_FOR ||
                  (code >= TK_UFUNC && code <= TK_DEF && t->depth == 0 &&
                   (t[1].first || t[1].code == TK_RETURN));
    if (header)
        error(uc, t->at, "unexpected ':'; a block stands in braces, '{ ... }'");
    return header;
}

bool hint_of_block(struct uc *uc, const struct token *t, const struct token *begin,
                   enum recovery *recovery) {
    if (for_of_line_above(uc, t))
        return true;
    bool range = range_of_for(uc, t, begin), dots = !range && dots_for_colon(uc, t, begin);
    bool brace = !range && !dots && brace_for_colon(uc, t, begin);
    if (brace || (range && t->code == TK_COLON)) /* no brace follows */
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
    const struct token *name = o && o->code == TK_LP ? o - 1 : begin;
    const char *text = word(uc, name);
    const char *instead = text ? foreign_statement(text) : NULL;
    if (instead)
        error(uc, name->at, "unexpected '%s'; %s", text, instead);
    return instead != NULL;
}

static bool assignment(struct uc *uc, const struct token *t, const struct token *begin) {
    if (t->code != TK_ASSIGN)
        return false;
    if (t[-1].code == TK_RANGE) {
        const char *end = word(uc, t + 1);
        error(uc, t->at, "unexpected '='; a range ends before its end, write '0..%s + 1'",
              end ? end : "n");
        return true;
    }
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

/* The module of another language that a name stands for; NULL: none. */
static const char *module(struct uc *uc, const struct token *t) {
    static const char *const modules[] = {"math", "cmath", "np",    "numpy", "cp",    "cupy", "jnp",
                                          "std",  "torch", "scipy", "cuda",  "numba", "nb"};
    for (size_t i = 0; t->code == TK_NAME && i < sizeof modules / sizeof modules[0]; i++)
        if (is_text(uc, t, modules[i]))
            return modules[i];
    return NULL;
}

/* `np.sin`, `np.sum(x)`, `np.dot`: t is the dot. */
static bool module_member(struct uc *uc, const struct token *t) {
    const char *name = word(uc, t + 1), *of = module(uc, t - 1);
    if (!name || !of)
        return false;
    struct span at = span_over(t[-1].at, t->at);
    const char *array = t[2].code == TK_LP && t[4].code == TK_RP ? word(uc, t + 3) : NULL;
    const char *foreign = foreign_name(name);
    if (is_comprehension(name) && array)
        error(uc, at, "unexpected '%s.'; write '%s(v for v in %s)'", of, name, array);
    else if (foreign_iterator(name))
        error(uc, at, "unexpected '%s.%s'; write 'for i in 0..n'", of, name);
    else if (foreign)
        error(uc, at, "unexpected '%s.'; for '%s' write %s", of, name, foreign);
    else if (foreign_statement(name))
        error(uc, at, "unexpected '%s.%s'; %s", of, name, foreign_statement(name));
    else
        error(uc, at, "unexpected '%s.'; write '%s'", of, name);
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

/* Whether there is a `for` between the bracket t and the one that closes it. */
static bool has_for(const struct token *t) {
    const struct token *end = t + 1;
    while (end->depth > t->depth && end->code != TK_FOR)
        end++;
    return end->code == TK_FOR;
}

/* `const A = (1, 2)`, `const A = {1, 2}`, `const A = 1, 2`, `const A = []`, `const A = [v for v in
 * x]`
 */
static bool table(struct uc *uc, const struct token *t, const struct token *begin) {
    const struct token *open = begin + 3;
    if (begin->code != TK_CONST || t <= begin + 2 || begin[2].code != TK_ASSIGN)
        return false;
    if ((t->code == TK_COMMA &&
         t->depth == (open->code == TK_LP ? begin->depth + 1 : begin->depth)) ||
        (t == open && t->code == TK_LB))
        error(uc, t->at, "unexpected %s; a table stands in brackets, 'const %s = [1, 2]'",
              quoted(uc, t->at), word(uc, begin + 1) ? word(uc, begin + 1) : "A");
    else if (t->code == TK_RSB && t[-1].code == TK_LSB)
        error(uc, t->at, "unexpected ']'; a table has an element at least");
    else if (t->code == TK_FOR)
        error(uc, t->at, "unexpected 'for'; a table's elements are written out");
    else
        return false;
    return true;
}

/* `y = [2 * v for v in x]`, `let t = [x[i] for i in range(n)]`: t is the bracket. */
static bool list_of_elements(struct uc *uc, const struct token *t, const struct token *begin) {
    bool let = begin->code == TK_LET || begin->code == TK_VAR;
    const char *name = word(uc, begin + let);
    if (t != begin + let + 2 || t[-1].code != TK_ASSIGN || !name || !has_for(t))
        return false;
    error(uc, t->at, "unexpected '['; an array is defined by its elements, '%s%s[i] = ... for i%s'",
          let ? "let " : "", name, let ? " in 0..n" : "");
    return true;
}

/* `x[0:2]`, `x[0][1]`, `[v for v in x]` */
static bool brackets(struct uc *uc, const struct token *t, const struct token *begin) {
    const struct token *o = enclosing(t);
    const char *name = o ? word(uc, o - 1) : NULL;
    if (t->code == TK_RANGE && o && o->code == TK_LSB && ends_operand(o[-1].code))
        error(uc, t->at, "unexpected '..'; a slice is written '%s[a:b]'", name ? name : "x");
    else if (t->code == TK_LSB && t[-1].code == TK_RSB && !t->first)
        error(uc, t->at, "unexpected '['; write 'x[i, j]'");
    else if (t->code == TK_LSB && o && o->code == TK_LP && name && strcmp(name, "reduce") == 0)
        error(uc, t->at, "unexpected '['; several values stand in parentheses, '(a, b)'");
    else if (t->code == TK_LSB && o && o->code == TK_LP)
        error(uc, t->at, "unexpected '['; write the values without brackets, '%s(%s)'",
              name ? name : "sum", has_for(t) ? "v for v in x" : "a, b");
    else if (t->code == TK_LSB && (t[-1].code == TK_LET || t[-1].code == TK_VAR))
        error(uc, t->at, "unexpected '['; write 'let a, b = ...'");
    else if (t->code == TK_LSB && t[-1].code == TK_RP && !t->first)
        error(uc, t->at,
              "unexpected '['; an array that a call gives gets a name, 'let a = f(x)', and then "
              "'a[i]'; of several results write 'let a, b = f(x)'");
    else if (t->code == TK_LSB && list_of_elements(uc, t, begin))
        return true;
    else if (t->code == TK_LSB && !ends_operand(t[-1].code))
        error(uc, t->at,
              "unexpected '['; a list of constants is 'const W = [1, 2]', outside of functions; "
              "another is 'var w: float64[4]' and 'w[0] = ...'");
    else
        return false;
    return true;
}

/* `x.sin()`, `x.astype(np.float32)` */
static bool attribute(struct uc *uc, const struct token *t) {
    if (t->code != TK_DOT || t[1].code != TK_NAME)
        return false;
    if (t[-1].code == TK_RANGE) {
        error(uc, t->at, "unexpected '.'; a range is written 'a..b', and ends before b");
        return true;
    }
    if (module_member(uc, t))
        return true;
    const char *name = word(uc, t + 1), *of = word(uc, t - 1), *rest = "";
    if (of && (strstr(of, "Idx") || strstr(of, "Dim")) && foreign_name(of)) { /* CUDA's */
        error(uc, t[-1].at, "unexpected '%s'; write %s", of, foreign_name(of));
        return true;
    }
    const struct builtin *f = name ? builtin_named(name) : NULL;
    bool bits = name && strcmp(name, "frombits") == 0 && of && strncmp(of, "float", 5) == 0;
    if (bits) {
        const char *arg = t[2].code == TK_LP && t[4].code == TK_RP ? word(uc, t + 3) : NULL;
        error(uc, t->at, "unexpected '.'; write 'frombits(%s)', which gives a %s of a uint%s",
              arg ? arg : "...", of, of + 5);
        return true;
    }
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
    else if (is_text(uc, t + 1, "T"))
        error(uc, t->at, "unexpected '.'; of a transpose write the element, 'x[j, i]'");
    else if ((name = word(uc, t + 1)) != NULL && t[2].code == TK_LP && foreign_name(name))
        error(uc, t->at, "unexpected '.'; for '%s' write %s", name, foreign_name(name));
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

/* `(float)x`: t is the token behind the type in parentheses. */
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

/* The type that a word stands for in C.  Of a text such as "'float64' (NumPy's) or 'float32' (C's)"
 * it is the last one; NULL: there is none. */
static const char *c_type(struct uc *uc, const char *type) {
    const char *text = foreign_name(type), *other = text ? strstr(text, " or '") : NULL;
    if (dtype_named(type) != DT_COUNT)
        return type;
    if (!text || *text != '\'')
        return NULL;
    text = other ? other + strlen(" or '") : text + 1;
    const char *here = arena_printf(uc, "%.*s", (int)strcspn(text, "'"), text);
    return dtype_named(here) != DT_COUNT ? here : NULL;
}

/* `float x = 1`, `const float x = 1`, `__shared__ float x[9]`, `let float x = 1`: t is the token at
 * which a type or qualifier turns out to be no name. */
static bool c_declaration(struct uc *uc, const struct token *t, const struct token *begin) {
    bool keyword = begin->code == TK_LET || begin->code == TK_VAR || begin->code == TK_CONST;
    if (t->depth == 0 || t > begin + 2 || (begin->code != TK_NAME && !keyword))
        return false;
    const struct token *name = begin;
    while (name[1].code == TK_NAME)
        name++;
    if (name < begin + 1 + keyword || t > name)
        return false;
    const char *text = word(uc, name), *type = word(uc, name - 1);
    const char *here = type ? c_type(uc, type) : NULL;
    bool array = name[1].code == TK_LSB;
    bool again = begin->code == TK_VAR || is_text(uc, name - 1, "mut");
    if (!text || (!array && !here && name[1].code != TK_ASSIGN) ||
        (!array && name[1].code != TK_ASSIGN && name[1].code != TK_END))
        return false;
    if (array)
        error(uc, t->at, "unexpected %s; a local array is 'var %s: %s[4]', its size a constant",
              quoted(uc, t->at), text, here ? here : "float64");
    else if (here && !foreign_name(type))
        error(uc, t->at, "unexpected %s; write '%s %s: %s = ...'", quoted(uc, t->at),
              again ? "var" : "let", text, here);
    else if (again)
        error(uc, t->at, "unexpected %s; write 'var %s = ...'", quoted(uc, t->at), text);
    else
        error(uc, t->at, "unexpected %s; write 'let %s = ...', or 'var' to assign again",
              quoted(uc, t->at), text);
    return true;
}

/* `x is None`, `x in (1, 2)`, `x as float32` */
static bool word_operator(struct uc *uc, const struct token *t) {
    const char *left = word(uc, t - 1), *right = word(uc, t + 1);
    if (!ends_operand(t[-1].code))
        return false;
    if (t->code == TK_IN && enclosing(t) && construct(t)->code != TK_FOR)
        error(uc, t->at, "unexpected 'in'; write 'x == a or x == b'");
    else if (is_text(uc, t, "is"))
        error(uc, t->at, "unexpected 'is'; write '%s'", t[1].code == TK_NOT ? "!=" : "==");
    else if (is_text(uc, t, "as") && right && dtype_named(right) != DT_COUNT)
        error(uc, t->at, "unexpected 'as'; write '%s(%s)'", right, left ? left : "...");
    else
        return false;
    return true;
}

/* `if x > 0 return x`, `for i in 0..n y[i] = 0` */
static bool block_without_braces(struct uc *uc, const struct token *t, const struct token *begin,
                                 const bool *acceptable) {
    int code = begin->code;
    bool head =
        code == TK_IF || code == TK_ELIF || code == TK_ELSE || code == TK_WHILE || code == TK_FOR;
    bool statement = t->code == TK_NAME || (t->code >= TK_LET && t->code <= TK_RETURN &&
                                            t->code != TK_IN && t->code != TK_ELSE);
    if (!head || !statement || !acceptable[TK_LB])
        return false;
    error(uc, t->at, "unexpected %s; a block stands in braces, '{ ... }'", quoted(uc, t->at));
    return true;
}

/* `x if c for v in a`, `a for i in 0:n`, `return (a, b)`, `sin x`, `= if c`, `var w[4]` */
static bool order(struct uc *uc, const struct token *t, const struct token *begin,
                  const bool *acceptable) {
    const struct token *o = enclosing(t);
    const char *last = word(uc, t - 1), *name = word(uc, t);
    if (t->code == TK_FOR && (begin->code == TK_LET || begin->code == TK_VAR) &&
        t->depth == begin->depth && word(uc, begin + 1) && begin[2].code != TK_LSB)
        error(uc, t->at, "unexpected 'for'; an array has subscripts, write 'let %s[i] = ... for i'",
              word(uc, begin + 1));
    else if (t->code == TK_FOR && acceptable[TK_ELSE])
        error(uc, t->at, "unexpected 'for'; its condition comes last, 'x[i] for i if x[i] > 0'");
    else if (t->code == TK_COLON && t[-2].code == TK_IN)
        error(uc, t->at, "unexpected ':'; a range is written 'a..b'");
    else if (t->code == TK_COMMA && o && o->code == TK_LP && o[-1].code == TK_RETURN)
        error(uc, t->at,
              "unexpected ','; several results stand without parentheses, 'return a, b'");
    else if (last && name && (builtin_named(last) || is_comprehension(last)))
        error(uc, t->at, "unexpected '%s'; write '%s(%s)'", name, last, name);
    else if (t->code == TK_IF && acceptable[TK_NUMBER] && !acceptable[TK_LET])
        error(uc, t->at, "unexpected 'if'; as a value write 'x if c else y'");
    else if (t->code == TK_LSB && t == begin + 2 &&
             (begin->code == TK_VAR || begin->code == TK_LET))
        error(uc, t->at, "unexpected '['; a local array is 'var %s: float64[4]'",
              last ? last : "w");
    else
        return false;
    return true;
}

static bool other(struct uc *uc, const struct token *t, const struct token *begin) {
    if (t->code == TK_ASSERT && t != begin) {
        error(uc, t->at, "unexpected 'assert'; it is a statement, 'assert condition, \"text\"'");
        return true;
    }
    if (begin->code == TK_ASSERT && t->code == TK_COMMA && enclosing(t) == begin + 1) {
        error(uc, t->at, "unexpected ','; without parentheses: 'assert condition, \"text\"'");
        return true;
    }
    if (begin->code == TK_ASSERT && t->depth == begin->depth) {
        error(uc, t->at, "unexpected %s; write 'assert condition, \"text\"'",
              token_description(uc, t));
        return true;
    }
    if ((t->code == TK_NAME || t->code == TK_COLON) && t[-1].code == TK_NAME &&
        is_text(uc, t - 1, "lambda"))
        error(uc, t[-1].at, "unexpected 'lambda'; write a 'def'");
    else if (t->code == TK_COLON && t[1].code == TK_COLON && module(uc, t - 1) && word(uc, t + 2))
        error(uc, span_over(t[-1].at, t[1].at), "unexpected '%s::'; write '%s'", module(uc, t - 1),
              word(uc, t + 2));
    else if (t->code == TK_LP && (t[-1].code == TK_LET || t[-1].code == TK_VAR))
        error(uc, t->at, "unexpected '('; write 'let a, b = ...'");
    else if (t->code == TK_AMP && is_operand(t[1].code) && !ends_operand(t[-1].code))
        error(uc, t->at, "unexpected '&'; there are no pointers");
    else if (t->code == TK_STAR && is_operand(t[1].code) && !ends_operand(t[-1].code))
        error(uc, t->at, "unexpected '*'; there are neither pointers nor lists of arguments");
    else if (t->code == TK_RETURN && t[-1].code == TK_ASSIGN)
        error(uc, t->at, "unexpected 'return'; write '= x', or '{ return x }'");
    else if (t->code == TK_LB && t[-1].code == TK_ASSIGN)
        error(uc, t->at, "unexpected '{'; write '= x', or '{ return x }'");
    else if (t->code == TK_WITH && begin->code == TK_UFUNC && t->depth == 0)
        error(uc, t->at, "unexpected 'with'; 'with identity' comes before the body");
    else if (t->code == TK_QUESTION)
        error(uc, t->at, "unexpected '?'; write 'x if c else y' for 'c ? x : y'");
    else if (t->code == TK_STRING && t == begin)
        error(uc, t->at, "unexpected string; a comment begins with '#'");
    else if (t->code == TK_STRING && uc->src.text[t->at.begin] == '\'')
        error(uc, t->at,
              "unexpected string; in quotes stands one ASCII character, 'A', which is "
              "its code");
    else if (t->code == TK_STRING && t->at.end - t->at.begin == 3)
        error(uc, t->at, "unexpected string; a character's code is written '%c', in single quotes",
              uc->src.text[t->at.begin + 1]);
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
    return several_results(uc, t, begin, acceptable) || table(uc, t, begin) ||
           statement(uc, t, begin) || assignment(uc, t, begin) || attribute(uc, t) ||
           call_of_call(uc, t) || brackets(uc, t, begin) || c_declaration(uc, t, begin) ||
           declaration_in_block(uc, t) || c_cast(uc, t) || word_operator(uc, t) ||
           order(uc, t, begin, acceptable) || block_without_braces(uc, t, begin, acceptable) ||
           other(uc, t, begin);
}

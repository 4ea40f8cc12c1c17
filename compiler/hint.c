/* hint.c: what is said about a token that the grammar does not accept: what was expected, and for
 * what fingers type first, what to write instead. */
#include <string.h>

#include "syntax.h"
#include "parse.h"

/* Of the tokens that "expected ..." lists one by one; the others are listed as a group. */
static const char *const spelling[] = {
    [0] = "the end of the source",
    [TK_NAME] = "a name",
    [TK_NUMBER] = "a number",
    [TK_STRING] = "a file's name in quotes",
    [TK_LP] = "'('",
    [TK_RP] = "')'",
    [TK_LB] = "'{'",
    [TK_COMMA] = "','",
    [TK_COLON] = "':'",
    [TK_ASSIGN] = "'='",
    [TK_UFUNC] = "'ufunc'",
    [TK_DEF] = "'def'",
    [TK_CONST] = "'const'",
    [TK_GUFUNC] = "'gufunc'",
    [TK_IMPORT] = "'import'",
    [TK_WITH] = "'with'",
    [TK_ELIF] = "'elif'",
    [TK_ELSE] = "'else'",
    [TK_FOR] = "'for'",
    [TK_IN] = "'in'",
    [TK_RANGE] = "'..'",
    [TK_BAR] = "'|'",
    [TK_END] = "a line end",
    [TK_RB] = "'}'",
    [TK_ARROW] = "'->'",
};

const char *quoted(struct uc *uc, struct span at) {
    enum { LONGEST = 40 };
    const char *text = uc->src.text + at.begin;
    size_t size = at.end - at.begin;
    if (size <= LONGEST)
        return arena_printf(uc, "'%.*s'", (int)size, text);
    return arena_printf(uc, "'%.*s...'", (int)whole_characters(text, LONGEST - 3), text);
}

const char *token_description(struct uc *uc, const struct token *t) {
    if (t->code == 0)
        return "end of the source";
    if (t->code == TK_END && t->at.begin == t->at.end)
        return "line end";
    return quoted(uc, t->at);
}

static bool is_text(const struct uc *uc, const struct token *t, const char *text) {
    size_t size = strlen(text);
    return t->at.end - t->at.begin == size && memcmp(uc->src.text + t->at.begin, text, size) == 0;
}

/* ---- "expected A, B or C" */

/* Replaces what a group's name covers by that name. */
static int expected_groups(bool *expected, const char **names) {
    int n = 0;
    bool statement = expected[TK_LET];
    if (statement)
        names[n++] = "a statement";
    else if (expected[TK_NUMBER])
        names[n++] = "an expression";
    else if (expected[TK_DEF] && expected[TK_STAR])
        names[n++] = "an operator";
    if (statement || expected[TK_NUMBER])
        expected[TK_NAME] = expected[TK_NUMBER] = expected[TK_LP] = false;
    if (statement)
        expected[TK_FOR] = expected[TK_END] = false;
    if (expected[TK_STAR]) /* operators and a call's bracket go without saying */
        expected[TK_RANGE] = expected[TK_BAR] = expected[TK_LP] = false;
    return n;
}

static const char *expected_text(struct uc *uc, const bool *acceptable) {
    enum { MOST = 6, COUNT = sizeof spelling / sizeof spelling[0] };
    bool expected[COUNT];
    const char *names[COUNT + 1], *text = "";
    memcpy(expected, acceptable, sizeof expected);
    int n = expected_groups(expected, names);
    for (int code = 1; code < COUNT; code++)
        if (expected[code] && spelling[code])
            names[n++] = spelling[code];
    if (n == 0)
        return expected[0] ? spelling[0] : "an operator";
    if (n > MOST)
        n = MOST;
    for (int i = 0; i < n; i++)
        text = arena_printf(uc, "%s%s%s", text, i == 0 ? "" : i == n - 1 ? " or " : ", ", names[i]);
    return text;
}

/* ---- the place of a token */

/* The opening bracket that t is directly in, or NULL. */
static const struct token *enclosing(const struct token *t) {
    if (t->depth == 0)
        return NULL;
    int depth = t->depth - 1;
    do
        t--;
    while (t->depth != depth);
    return t;
}

/* The first token of the statement or declaration that t stands in. */
static const struct token *construct(const struct token *t) {
    int depth = t->depth;
    for (const struct token *o; (o = enclosing(t)) != NULL && o->code != TK_LB;)
        t = o, depth = o->depth;
    for (; t[-1].depth >= depth && t[-1].code != 0; t--)
        if (t->depth == depth && (t[-1].code == TK_END || t[-1].code == TK_RB ||
                                  (depth == 0 && t->code <= TK_IMPORT && t->code >= TK_UFUNC)))
            break;
    return t;
}

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

/* ---- hints: each says whether it has reported t */

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

/* A word's text; NULL: it is no word, or a long one. */
static const char *word(struct uc *uc, const struct token *t) {
    int size = (int)(t->at.end - t->at.begin);
    return t->code == TK_NAME && size <= 40
               ? arena_printf(uc, "%.*s", size, uc->src.text + t->at.begin)
               : NULL;
}

static bool type_of_parameter(struct uc *uc, const struct token *t, const struct token *begin) {
    const struct token *o = enclosing(t);
    bool in_params = begin->code >= TK_UFUNC && begin->code <= TK_DEF && o && o == begin + 2;
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
    else if (t->code == TK_COLON && acceptable[TK_ARROW])
        error(uc, t->at, "unexpected ':'; a gufunc's outputs come first, '-> y' or '-> y[n]'");
    else if ((t->depth == 0 && t[-1].code == TK_RP &&
              (t->code == TK_COMMA || t->code == TK_LP || t->code == TK_STRING)) ||
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

/* "float32, float32", for each parameter of a ufunc the type */
static const char *type_for_each(struct uc *uc, const struct token *begin, struct span type) {
    enum { MOST = 4 };
    const struct token *t = begin + 3;
    const char *text = "";
    int n = 0;
    for (; t->depth > begin->depth; t++)
        if (t->code == TK_NAME && n++ < MOST)
            text = arena_printf(uc, "%s%s%.*s", text, n == 1 ? "" : ", ",
                                (int)(type.end - type.begin), uc->src.text + type.begin);
    return n > MOST ? "..." : text;
}

static bool signature(struct uc *uc, const struct token *t, const struct token *begin,
                      const bool *acceptable) {
    struct span type = t[-1].at;
    if (begin->code != TK_UFUNC || t->depth > 0 || t < begin + 4 || begin[2].code != TK_LP ||
        t[-1].code != TK_NAME || !acceptable[TK_LP] || acceptable[TK_STAR] ||
        type.end - type.begin > 40)
        return false;
    error(uc, type, "a signature has the types of the inputs too; write '%.*s(%s)'",
          (int)(type.end - type.begin), uc->src.text + type.begin, type_for_each(uc, begin, type));
    return true;
}

/* `with identity = 0`, or before the signature */
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

static bool several_results(struct uc *uc, const struct token *t, const struct token *begin,
                            const bool *acceptable) {
    if (t->code != TK_COMMA || (begin->code != TK_UFUNC && begin->code != TK_DEF) ||
        !acceptable[TK_DEF] || t[-1].code == TK_RB)
        return false;
    error(uc, t->at, "unexpected ','; several results need a block, '{ return a, b }'");
    return true;
}

static bool range_of_for(struct uc *uc, const struct token *t, const struct token *begin) {
    if (begin->code != TK_FOR)
        return false;
    bool range = t > begin + 3 && is_text(uc, begin + 3, "range");
    if (!range && !(t == begin + 1 && t->code == TK_LP) && t->code != TK_LB)
        return false;
    if (t->code == TK_LB && t[-1].code == TK_IN)
        return false;
    error(uc, range ? begin[3].at : t->at, "unexpected %s; write 'for i in 0..n'",
          quoted(uc, range ? begin[3].at : t->at));
    return true;
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

bool in_elif(const struct token *t) {
    const struct token *begin = construct(t), *block = enclosing(begin);
    return begin->code == TK_ELIF || (block && construct(block)->code == TK_ELIF);
}

void too_deep(struct uc *uc, struct span at, int what) {
    error(uc, at, "%s",
          what == TK_ELIF   ? "too many 'elif' in a row; begin another 'if'"
          : what == TK_PLUS ? "too many operators in an expression; split it with 'let'"
                            : "nested too deeply; split it with 'let'");
}

/* Says where the bracket is that t may be missing to close, if it is on another line. */
static void note_opener(struct uc *uc, const struct token *t) {
    const struct token *o = enclosing(t);
    if (o && memchr(uc->src.text + o->at.begin, '\n', t->at.begin - o->at.begin))
        note(uc, o->at, "to match this %s", quoted(uc, o->at));
}

enum recovery syntax_error(struct uc *uc, const struct token *t, const bool *acceptable) {
    if (t->problems || t->inserted)
        return RECOVER_STATEMENT; /* something was said here */
    const struct token *begin = construct(t);
    if (range_of_for(uc, t, begin))
        return t->code == TK_COLON ? RECOVER_DECLARATION : RECOVER_STATEMENT;
    if (dots_for_colon(uc, t, begin))
        return RECOVER_STATEMENT;
    if (brace_for_colon(uc, t, begin))
        return RECOVER_DECLARATION; /* no brace will follow */
    if (identity(uc, t, begin) || signature(uc, t, begin, acceptable) ||
        several_results(uc, t, begin, acceptable) || type_of_parameter(uc, t, begin) ||
        core_dimensions(uc, t, begin, acceptable) || result_of_function(uc, t, begin) ||
        assignment(uc, t, begin) || attribute(uc, t) || brackets(uc, t) ||
        declaration_in_block(uc, t) || c_cast(uc, t) || c_declaration(uc, t, begin) ||
        other(uc, t, begin))
        return RECOVER_STATEMENT;
    error(uc, t->at, "unexpected %s, expected %s", token_description(uc, t),
          expected_text(uc, acceptable));
    if (acceptable[TK_RP])
        note_opener(uc, t);
    return RECOVER_STATEMENT;
}

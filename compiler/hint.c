/* hint.c: messages about a token that the grammar does not accept: what was expected, or what to
 * write instead, by hint_head.c and hint_body.c. */
#include <string.h>

#include "hint.h"
#include "parse.h"

/* The tokens that "expected ..." lists singly; all others are covered by the name of a group. */
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

bool is_text(const struct uc *uc, const struct token *t, const char *text) {
    size_t size = strlen(text);
    return t->at.end - t->at.begin == size && memcmp(uc->src.text + t->at.begin, text, size) == 0;
}

const char *word(struct uc *uc, const struct token *t) {
    int size = (int)(t->at.end - t->at.begin);
    return t->code == TK_NAME && size <= 40
               ? arena_printf(uc, "%.*s", size, uc->src.text + t->at.begin)
               : NULL;
}

/* ---- the place of a token */

const struct token *enclosing(const struct token *t) {
    if (t->depth == 0)
        return NULL;
    int depth = t->depth - 1;
    do
        t--;
    while (t->depth != depth);
    return t;
}

const struct token *construct(const struct token *t) {
    int depth = t->depth;
    for (const struct token *o; (o = enclosing(t)) != NULL && o->code != TK_LB;)
        t = o, depth = o->depth;
    for (; t[-1].depth >= depth && t[-1].code != 0; t--)
        if (t->depth == depth && (t[-1].code == TK_END || t[-1].code == TK_RB ||
                                  (depth == 0 && t->code <= TK_IMPORT && t->code >= TK_UFUNC)))
            break;
    return t;
}

/* ---- "expected A, B or C" */

/* Puts the names of groups, such as "a statement", in the place of the tokens that they cover.
 * Gives the number of names. */
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
    if (expected[TK_STAR]) /* operators, and the bracket of a call, go without saying */
        expected[TK_RANGE] = expected[TK_BAR] = expected[TK_LP] = false;
    return n;
}

static const char *expected_text(struct uc *uc, const bool *acceptable) {
    enum { MAX_SHOWN = 6, COUNT = sizeof spelling / sizeof spelling[0] };
    bool expected[COUNT];
    const char *names[COUNT + 1], *text = "";
    memcpy(expected, acceptable, sizeof expected);
    int n = expected_groups(expected, names);
    for (int code = 1; code < COUNT; code++)
        if (expected[code] && spelling[code])
            names[n++] = spelling[code];
    if (n == 0)
        return expected[0] ? spelling[0] : "an operator";
    if (n > MAX_SHOWN)
        n = MAX_SHOWN;
    for (int i = 0; i < n; i++)
        text = arena_printf(uc, "%s%s%s", text, i == 0 ? "" : i == n - 1 ? " or " : ", ", names[i]);
    return text;
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

/* Notes the bracket that t may have been meant to close, if it is on another line. */
static void note_opener(struct uc *uc, const struct token *t) {
    const struct token *o = enclosing(t);
    if (o && memchr(uc->src.text + o->at.begin, '\n', t->at.begin - o->at.begin))
        note(uc, o->at, "to match this %s", quoted(uc, o->at));
}

/* Whether t is in `from m import t`; then 'from' was reported already. */
static bool imports_from(const struct uc *uc, const struct token *t) {
    return t[-1].code == TK_IMPORT && t[-2].code == TK_NAME && is_text(uc, t - 3, "from");
}

enum recovery syntax_error(struct uc *uc, const struct token *t, const bool *acceptable) {
    if (t->problems || t->wrong || t->inserted || imports_from(uc, t))
        return RECOVER_STATEMENT; /* an error was reported here before */
    const struct token *begin = construct(t);
    enum recovery recovery = RECOVER_STATEMENT;
    if (hint_of_block(uc, t, begin, &recovery) || hint_of_head(uc, t, begin, acceptable) ||
        hint_of_body(uc, t, begin, acceptable))
        return recovery;
    error(uc, t->at, "unexpected %s, expected %s", token_description(uc, t),
          expected_text(uc, acceptable));
    if (acceptable[TK_RP])
        note_opener(uc, t);
    return RECOVER_STATEMENT;
}

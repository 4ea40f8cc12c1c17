/* layout.c: tokens as they stand in the source → tokens for the grammar.
 *
 * A line end counts only directly inside { }.  It ends the statement unless the line's last token
 * cannot end one, or the next line begins with a token that can only continue it.  Brackets come in
 * pairs: missing ones are inserted and stray ones dropped, each with a problem that says so, so
 * that the parser finds the end of any construct.  What C programmers type where no valid source
 * has it (`i++`, `else if`, `// a comment`) is taken for what it means. */
#include "syntax.h"
#include "parse.h"

enum { LOOKAHEAD = 100 }; /* how many tokens beyond the next one may be looked at */

struct layout {
    struct uc *uc;
    struct scanner scanner;
    struct token ahead[4 * LOOKAHEAD]; /* tokens from `next` to `end` were scanned and not taken */
    int next, end;
    struct token *out; /* begins with two empty tokens */
    size_t n, capacity;
    struct problem *problems, **tail; /* those of the next token, no more than can be reported */
    int nproblems;
    struct token open[MAX_BRACKETS + 1];
    int depth;
    uint32_t column; /* of the last declaration's keyword */
};

/* ---- the input */

/* The next token; LOOKAHEAD tokens, or the end of the source, are in `ahead` behind it. */
static const struct token *next(struct layout *l) {
    int n = l->end - l->next;
    if (n > LOOKAHEAD + 1 || (n > 0 && l->ahead[l->end - 1].code == 0))
        return &l->ahead[l->next];
    memmove(l->ahead, &l->ahead[l->next], (size_t)n * sizeof *l->ahead);
    l->next = 0;
    l->end = n;
    do
        l->ahead[l->end++] = scan(&l->scanner);
    while (l->ahead[l->end - 1].code != 0 && l->end < 4 * LOOKAHEAD);
    return l->ahead;
}

/* ---- the output */

static void add_problems(struct layout *l, struct problem *problems) {
    for (; problems && l->nproblems <= MAX_ERRORS; problems = problems->next, l->nproblems++) {
        *l->tail = problems;
        l->tail = &problems->next;
    }
    *l->tail = NULL;
}

static void put(struct layout *l, struct token t) {
    add_problems(l, t.problems);
    t.problems = l->problems;
    l->problems = NULL;
    l->tail = &l->problems;
    l->nproblems = 0;
    t.depth = (uint16_t)l->depth;
    if (l->n == l->capacity) {
        size_t size = l->n * sizeof t;
        l->capacity = l->n + l->n / 2 + 256;
        l->out = arena_resize(l->uc, l->out, size, l->capacity * sizeof t);
    }
    l->out[l->n++] = t;
}

static const struct token *last(const struct layout *l) {
    return &l->out[l->n - 1];
}

/* Adds a token without text, behind the last one. */
static void insert(struct layout *l, int code, bool inserted) {
    uint32_t end = last(l)->at.end;
    put(l, (struct token){.at = {end, end}, .code = (uint16_t)code, .inserted = inserted});
}

/* ---- line ends */

static bool is_binary(int code) {
    return (code >= TK_AND && code <= TK_POWER && code != TK_NOT);
}

/* Whether the keyword may be a statement by itself. */
static bool is_plain_statement(int code) {
    return code >= TK_BREAK && code <= TK_RETURN;
}

static bool ends_statement(int code) {
    switch (code) {
    case TK_NAME:
    case TK_NUMBER:
    case TK_STRING:
    case TK_TRUE:
    case TK_FALSE:
    case TK_RP:
    case TK_RSB:
    case TK_COLON:
    case TK_ERROR:
    case TK_BAD: return true;
    default: return is_plain_statement(code); /* `}` needs no line end behind it */
    }
}

static bool continues_statement(int code) {
    return is_binary(code) || code == TK_COMMA || code == TK_LB || code == TK_RB ||
           code == TK_ELIF || code == TK_ELSE || code == 0;
}

static bool directly_in_block(const struct layout *l) {
    return l->depth > 0 && l->open[l->depth - 1].code == TK_LB;
}

/* ---- brackets */

static int closer(int code) {
    return code == TK_LP ? TK_RP : code == TK_LSB ? TK_RSB : TK_RB;
}

static const char *spelling(int code) {
    return code == TK_RP ? ")" : code == TK_RSB ? "]" : "}";
}

/* Inserts the bracket that closes the innermost one, before t. */
static void close_missing(struct layout *l, const struct token *t) {
    const struct token *o = &l->open[l->depth - 1];
    struct problem *problem = problem_new(
        l->uc, t->at, t->code ? "expected '%s' before %s" : "expected '%s' before the %s",
        spelling(closer(o->code)), token_description(l->uc, t));
    problem->note_at = o->at;
    problem->note = arena_printf(l->uc, "to match this %s", quoted(l->uc, o->at));
    add_problems(l, problem);
    l->depth--;
    insert(l, closer(o->code), true);
}

static uint32_t column(const struct uc *uc, const struct token *t) {
    uint32_t begin = t->at.begin;
    uint32_t first = uc->file ? uc->file->begin : 0;
    while (begin > first && uc->src.text[begin - 1] != '\n')
        begin--;
    return t->at.begin - begin;
}

static bool is_declaration(int code) {
    return code == TK_UFUNC || code == TK_GUFUNC || code == TK_DEF || code == TK_CONST ||
           code == TK_IMPORT;
}

/* Whether t shows that the innermost bracket ought to have been closed. */
static bool shows_missing(struct layout *l, const struct token *t) {
    bool in_block = directly_in_block(l);
    if (is_declaration(t->code))
        return t->first && column(l->uc, t) <= l->column;
    switch (t->code) {
    case 0: return true;
    case TK_LET:
    case TK_VAR:
    case TK_WHILE: return !in_block && t->first;
    case TK_LB: return !in_block;
    default: return is_plain_statement(t->code) && !in_block && t->first;
    }
}

/* The position in the stack of the bracket that t closes; -1: none. */
static int opener(const struct layout *l, int code) {
    for (int i = l->depth - 1; i >= 0; i--) {
        if (closer(l->open[i].code) == code)
            return i;
        if (l->open[i].code == TK_LB)
            break; /* `)` closes no bracket outside its block */
    }
    return -1;
}

static void close_bracket(struct layout *l, struct token t) {
    int o = opener(l, t.code);
    if (o < 0 && l->depth > 0 && !directly_in_block(l) && t.code != TK_RB) {
        close_missing(l, &t); /* as in `(a]` */
        return;
    }
    if (o < 0) {
        add_problems(l, t.problems);
        add_problems(l, problem_new(l->uc, t.at, "unexpected '%s'", spelling(t.code)));
        return;
    }
    while (l->depth > o + 1)
        close_missing(l, &t);
    l->depth--;
    put(l, t);
}

/* ---- C's habits */

static bool begins_statement(const struct layout *l) {
    int before = last(l)->code;
    return before == 0 || before == TK_LB || before == TK_RB || before == TK_END;
}

static bool is_word(const struct token *t) {
    return t->code == TK_NAME || t->code == TK_NUMBER;
}

/* Whether `//` begins a comment.  No statement begins with `//`, and no expression has two words
 * side by side.  A string behind a word is one that an apostrophe in the comment begins. */
static bool is_comment(const struct layout *l, const struct token *t) {
    if (begins_statement(l))
        return true;
    t++;
    for (int i = 0; i < LOOKAHEAD && t->code && !t->first && t->code != TK_END; i++, t++)
        if (is_word(t) && (is_word(t + 1) || t[1].code == TK_STRING) && !t[1].first)
            return true;
    return false;
}

static bool take_comment(struct layout *l) {
    add_problems(l, problem_new(l->uc, next(l)->at, "unexpected '//'; a comment begins with '#'"));
    do
        l->next++;
    while (next(l)->code && !next(l)->first);
    return true;
}

static bool take_else_if(struct layout *l, const struct token *t) {
    struct span at = span_over(t[0].at, t[1].at);
    add_problems(l, problem_new(l->uc, at, "unexpected 'else if'; write 'elif'"));
    put(l, (struct token){.at = at, .code = TK_ELIF});
    l->next += 2;
    return true;
}

/* Where a name or an element begins that the last token ends; l->n: it ends none. */
static size_t begin_of_place(const struct layout *l) {
    size_t at = l->n - 1;
    if (last(l)->code == TK_RSB) {
        while (at > 2 && (l->out[at].code != TK_LSB || l->out[at].depth != last(l)->depth))
            at--;
        at--;
    }
    return l->out[at].code == TK_NAME ? at : l->n;
}

/* Takes `i++`, `h[v]++` or `++i` as a statement; t is the first sign. */
static bool take_increment(struct layout *l, const struct token *t) {
    bool prefix = begins_statement(l) || (t->first && directly_in_block(l));
    size_t begin = prefix ? l->n : begin_of_place(l);
    if (prefix ? t[2].code != TK_NAME : begin == l->n)
        return false;
    const struct token *after = t + (prefix ? 3 : 2);
    if (!after->first && after->code != TK_END && after->code != TK_RB && after->code != TK_RP &&
        after->code != TK_LB && after->code != 0)
        return false;
    struct span place = prefix ? t[2].at : span_over(l->out[begin].at, last(l)->at);
    bool brief = place.end - place.begin <= 40;
    if (prefix && !begins_statement(l))
        insert(l, TK_END, false);
    else if (!prefix)
        l->n = begin; /* the token BAD replaces the name too */
    const char *sign = t->code == TK_PLUS ? "+" : "-";
    struct span at = span_over(t[0].at, t[1].at);
    add_problems(l, problem_new(l->uc, at, "unexpected '%s%s'; write '%.*s %s= 1'", sign, sign,
                                brief ? (int)(place.end - place.begin) : 1,
                                brief ? l->uc->src.text + place.begin : "i", sign));
    put(l, (struct token){.at = at, .code = TK_BAD});
    l->next += prefix ? 3 : 2;
    return true;
}

/* Takes the next tokens if they are one of C's habits. */
static bool take_foreign(struct layout *l, const struct token *t) {
    if (t->code == TK_FLOOR && is_comment(l, t))
        return take_comment(l);
    if (t->code == TK_ELSE && t[1].code == TK_IF)
        return take_else_if(l, t);
    if ((t->code == TK_PLUS || t->code == TK_MINUS) && t[1].code == t->code &&
        t[0].at.end == t[1].at.begin)
        return take_increment(l, t);
    return false;
}

/* ---- tokens */

static void take(struct layout *l, struct token t) {
    while (l->depth > 0 && shows_missing(l, &t))
        close_missing(l, &t);
    if (t.first && directly_in_block(l) && ends_statement(last(l)->code) &&
        !continues_statement(t.code))
        insert(l, TK_END, false);
    switch (t.code) {
    case TK_RP:
    case TK_RSB:
    case TK_RB: close_bracket(l, t); break;
    case TK_LP:
    case TK_LSB:
    case TK_LB:
        put(l, t);
        l->open[l->depth++] = t;
        break;
    case TK_ERROR:
        if (t.first || last(l)->code != TK_ERROR) /* else it is part of that error */
            put(l, t);
        break;
    default:
        if (l->depth == 0 && t.first && is_declaration(t.code))
            l->column = column(l->uc, &t);
        put(l, t);
    }
}

const struct token *layout(struct uc *uc) {
    struct layout *l = NEW(uc, struct layout);
    *l = (struct layout){.uc = uc, .tail = &l->problems};
    put(l, (struct token){0});
    put(l, (struct token){0});
    scan_begin(&l->scanner, uc);
    while (next(l)->code != 0 && l->depth <= MAX_BRACKETS)
        if (!take_foreign(l, next(l)))
            take(l, l->ahead[l->next++]);
    const struct token *t = next(l);
    if (t->code != 0) {
        add_problems(l, problem_new(uc, l->open[l->depth - 1].at,
                                    "more than %d brackets open at once", MAX_BRACKETS));
        while (l->depth > 0) {
            l->depth--;
            insert(l, closer(l->open[l->depth].code), true);
        }
    }
    struct token end = {
        .at = {last(l)->at.end, last(l)->at.end}, .problems = t->problems, .wrong = t->wrong};
    while (l->depth > 0)
        close_missing(l, &end);
    put(l, end);
    put(l, (struct token){.at = end.at});
    put(l, (struct token){.at = end.at});
    return l->out + 2;
}

/* ast.c: constructors of the AST.  They report what the grammar cannot express: chained
 * comparisons, statements without effect, numbers too large, trees too deep. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "syntax.h"
#include "parse.h"

struct span span_over(struct span a, struct span b) {
    return (struct span){a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}

const char *const node_word[] = {
#define NODE(ID, word) word,
#include "node.def"
#undef NODE
};

struct node *node_new(struct uc *uc, enum node_kind kind, struct span at) {
    struct node *n = NEW(uc, struct node);
    n->kind = kind;
    n->at = n->mark = at;
    n->op = OP_COUNT;
    return n;
}

const char *token_name(struct parser *p, const struct token *t) {
    return intern(p->uc, p->uc->src.text + t->at.begin, t->at.end - t->at.begin);
}

/* ---- walks */

bool node_walk(const struct node *n, node_visitor *visit, void *arg) {
    const struct comprehension *c = n->comprehension;
    const struct node *const lists[] = {n->a,
                                        n->b,
                                        n->c,
                                        n->list,
                                        n->clauses,
                                        n->filter,
                                        c ? c->value : NULL,
                                        c ? c->init : NULL,
                                        n->decltype_ ? n->decltype_->sizes : NULL,
                                        n->kind == N_CLAUSE ? NULL : n->then,
                                        n->other};
    enum walk way = visit(n, arg);
    for (size_t i = 0; way == WALK_IN && i < sizeof lists / sizeof lists[0]; i++)
        if (!ast_walk(lists[i], visit, arg))
            return false;
    return way != WALK_STOP;
}

bool ast_walk(const struct node *list, node_visitor *visit, void *arg) {
    for (; list; list = list->next)
        if (!node_walk(list, visit, arg))
            return false;
    return true;
}

/* ---- depth */

struct depth {
    const struct node *parent;
    int deepest;
};

static enum walk deepen(const struct node *n, void *arg) {
    struct depth *d = arg;
    if (n == d->parent)
        return WALK_IN;
    d->deepest = n->depth > d->deepest ? n->depth : d->deepest;
    return WALK_PAST;
}

/* Completes n, whose children are set, with its depth.  A tree that is too deep becomes a leaf. */
static struct node *complete(struct parser *p, struct node *n) {
    struct depth below = {.parent = n};
    node_walk(n, deepen, &below);
    n->depth = below.deepest + 1;
    if (n->depth <= MAX_DEPTH)
        return n;
    bool chain = n->kind == N_IF && n->other && n->other->depth == below.deepest;
    if (!p->deep)
        too_deep(p->uc, n->mark, chain ? TK_ELIF : n->kind == N_BINARY ? TK_PLUS : 0);
    p->deep = true;
    return node_new(p->uc, n->kind < N_LET ? N_CONST : N_BLOCK, n->at);
}

/* ---- expressions */

static const enum op binary_op[] = {
    [TK_AND] = OP_LAND,     [TK_OR] = OP_LOR,
    [TK_EQ] = OP_EQ,        [TK_NE] = OP_NE,
    [TK_LT] = OP_LT,        [TK_LE] = OP_LE,
    [TK_GT] = OP_GT,        [TK_GE] = OP_GE,
    [TK_BAR] = OP_OR,       [TK_CARET] = OP_XOR,
    [TK_AMP] = OP_AND,      [TK_SHL] = OP_SHL,
    [TK_SHR] = OP_SHR,      [TK_PLUS] = OP_ADD,
    [TK_MINUS] = OP_SUB,    [TK_STAR] = OP_MUL,
    [TK_SLASH] = OP_DIV,    [TK_FLOOR] = OP_FLOORDIV,
    [TK_PERCENT] = OP_MOD,  [TK_POWER] = OP_POW,
    [TK_ASSIGN] = OP_COUNT, [TK_ADD_TO] = OP_ADD,
    [TK_SUB_TO] = OP_SUB,   [TK_MUL_TO] = OP_MUL,
    [TK_DIV_TO] = OP_DIV,   [TK_FLOOR_TO] = OP_FLOORDIV,
    [TK_MOD_TO] = OP_MOD,   [TK_POW_TO] = OP_POW,
    [TK_AND_TO] = OP_AND,   [TK_OR_TO] = OP_OR,
    [TK_XOR_TO] = OP_XOR,   [TK_SHL_TO] = OP_SHL,
    [TK_SHR_TO] = OP_SHR,
};

static const enum op unary_op[] = {
    [TK_NOT] = OP_LNOT, [TK_PLUS] = OP_POS, [TK_MINUS] = OP_NEG, [TK_TILDE] = OP_NOT};

struct node *expr_name(struct parser *p, const struct token *t) {
    struct node *n = node_new(p->uc, N_NAME, t->at);
    n->name = token_name(p, t);
    return complete(p, n);
}

struct node *expr_bool(struct parser *p, const struct token *t) {
    struct node *n = node_new(p->uc, N_CONST, t->at);
    n->value.type = (struct type){TYPE_DTYPE, DT_BOOL};
    n->value.i = t->code == TK_TRUE;
    return complete(p, n);
}

/* Decodes the digits of a whole number, without '_'.  False: it has more than 127 bits. */
static bool decode_whole(const char *digits, unsigned base, wide_int *value) {
    const wide_int most = ((((wide_int)1 << 126) - 1) << 1) + 1;
    *value = 0;
    for (; *digits; digits++) {
        unsigned digit =
            *digits <= '9' ? (unsigned)(*digits - '0') : (unsigned)((*digits | 0x20) - 'a') + 10;
        if (*value > (most - digit) / base)
            return false;
        *value = *value * base + digit;
    }
    return true;
}

/* The code of a character in quotes, which may be behind a backslash. */
static wide_int character(const char *text) {
    static const char escapes[] = "n\nt\tr\r0\0";
    if (text[1] != '\\')
        return text[1];
    for (size_t i = 0; i + 1 < sizeof escapes; i += 2)
        if (escapes[i] == text[2])
            return escapes[i + 1];
    return text[2];
}

struct node *expr_number(struct parser *p, const struct token *t) {
    struct node *n = node_new(p->uc, N_CONST, t->at);
    n->value.type.kind = TYPE_WEAK_INT;
    if (t->problems || t->wrong)
        return complete(p, n);
    if (p->uc->src.text[t->at.begin] == '\'') {
        n->value.i = character(p->uc->src.text + t->at.begin);
        return complete(p, n);
    }
    char *text = arena_alloc(p->uc, t->at.end - t->at.begin + 1), *end = text;
    for (uint32_t i = t->at.begin; i < t->at.end; i++)
        if (p->uc->src.text[i] != '_')
            *end++ = p->uc->src.text[i];
    int mark = text[0] == '0' ? text[1] | 0x20 : 0;
    unsigned base = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 10;
    if (base == 10 && (end[-1] == 'j' || end[-1] == 'J')) {
        n->value.type.kind = TYPE_WEAK_COMPLEX;
        n->value.im = strtod(text, NULL);
    } else if (base == 10 && strpbrk(text, ".eE")) {
        n->value.type.kind = TYPE_WEAK_FLOAT;
        n->value.f = strtod(text, NULL);
        if (isinf(n->value.f))
            error(p->uc, t->at, "%s is too large; write 'inf'", quoted(p->uc, t->at));
    } else if (!decode_whole(base == 10 ? text : text + 2, base, &n->value.i))
        error(p->uc, t->at, "%s is too large; whole numbers go up to 2**127 - 1",
              quoted(p->uc, t->at));
    return complete(p, n);
}

struct node *expr_unary(struct parser *p, const struct token *op, struct node *a) {
    struct node *n = node_new(p->uc, N_UNARY, span_over(op->at, a->at));
    n->op = unary_op[op->code];
    n->mark = op->at;
    n->a = a;
    return complete(p, n);
}

static bool is_comparison(const struct node *n) {
    return n->kind == N_BINARY && n->op >= OP_EQ && n->op <= OP_GE;
}

static const char *text_of(struct uc *uc, struct span at) {
    return arena_printf(uc, "%.*s", (int)(at.end - at.begin), uc->src.text + at.begin);
}

/* Is it `a | b` or `a & b`, without parentheses around it? */
static bool is_bits(const struct node *n) {
    return n->kind == N_BINARY && (n->op == OP_OR || n->op == OP_AND) &&
           n->at.begin == n->a->at.begin;
}

/* Reports a chain of comparisons: left is its first one, op and b are the operator and operand that
 * follow. */
static void chained(struct uc *uc, const struct node *left, const struct token *op,
                    const struct node *b) {
    enum { LONGEST = 60 };
    struct span all = span_over(left->at, b->at);
    const char *text = uc->src.text + all.begin;
    const struct node *m = left->b;
    if (all.end - all.begin > LONGEST || memchr(text, '\n', all.end - all.begin)) {
        error(uc, op->at, "comparisons do not chain; write 'a < b and b < c'");
        return;
    }
    bool type = m->kind == N_NAME && (dtype_named(m->name) != DT_COUNT || foreign_name(m->name));
    if (type && left->a->kind == N_NAME && left->op == OP_LT && op->code == TK_GT) {
        error(uc, left->mark,
              "unexpected '<'; there are no templates, a conversion is 'float32(x)'");
        return;
    }
    if (is_bits(m)) {
        bool more = is_bits(b); /* then only b's left operand is compared here */
        const char *word = m->op == OP_OR ? "or" : "and";
        error(uc, m->mark, "'%s' binds tighter than '%s'; write '%s %s %s %s %s %s %s%s'",
              op_info[m->op].spelling, text_of(uc, op->at), text_of(uc, left->a->at),
              text_of(uc, left->mark), text_of(uc, m->a->at), word, text_of(uc, m->b->at),
              text_of(uc, op->at), text_of(uc, more ? b->a->at : b->at),
              !more            ? ""
              : b->op == OP_OR ? " or ..."
                               : " and ...");
        return;
    }
    const char *middle = text_of(uc, m->at);
    error(uc, op->at, "comparisons do not chain; write '%s %s %s and %s %s %s'",
          text_of(uc, left->a->at), text_of(uc, left->mark), middle, middle, text_of(uc, op->at),
          text_of(uc, b->at));
}

struct node *expr_binary(struct parser *p, struct node *a, const struct token *op, struct node *b) {
    struct node *n = node_new(p->uc, N_BINARY, span_over(a->at, b->at));
    n->op = binary_op[op->code];
    n->mark = op->at;
    n->a = a;
    n->b = b;
    /* A comparison in parentheses begins before its left operand, and is no part of a chain. */
    if (is_comparison(n) && is_comparison(a) && a->at.begin == a->a->at.begin) {
        chained(p->uc, a, op, b);
        n->op = OP_LAND; /* not a comparison any more, so that a chain gets one message */
    }
    return complete(p, n);
}

struct node *expr_cond(struct parser *p, struct node *a, const struct token *mark, struct node *c,
                       struct node *b) {
    struct node *n = node_new(p->uc, N_COND, span_over(a->at, b->at));
    n->mark = mark->at;
    n->a = a;
    n->b = b;
    n->c = c;
    return complete(p, n);
}

struct node *expr_call(struct parser *p, const struct token *name, struct node_list args,
                       const struct token *close) {
    struct node *n = node_new(p->uc, N_CALL, span_over(name->at, close->at));
    n->mark = name->at;
    n->name = token_name(p, name);
    n->list = args.first;
    return complete(p, n);
}

struct node *expr_several(struct parser *p, const struct token *open, struct node *first,
                          struct node_list others, const struct token *close) {
    struct node *n = node_new(p->uc, N_TUPLE, span_over(open->at, close->at));
    n->list = first;
    first->next = others.first;
    return complete(p, n);
}

struct node *expr_table(struct parser *p, const struct token *open, struct node_list elements,
                        const struct token *close) {
    struct node *n = node_new(p->uc, N_TUPLE, span_over(open->at, close->at));
    n->list = elements.first;
    return complete(p, n);
}

struct node *expr_comprehension(struct parser *p, const struct token *name, struct node_list args,
                                struct clauses clauses, const struct token *close) {
    struct node *n = expr_call(p, name, args, close);
    if (n->kind != N_CALL) /* no call: a leaf for a tree too deep */
        return n;
    n->clauses = clauses.list;
    n->filter = clauses.filter;
    return complete(p, n);
}

struct node *expr_slice(struct parser *p, const struct token *colon, struct node *begin,
                        struct node *end, struct node *step) {
    const struct node *last = step ? step : end;
    struct span at = begin ? span_over(begin->at, colon->at) : colon->at;
    struct node *n = node_new(p->uc, N_SLICE, last ? span_over(at, last->at) : at);
    n->mark = colon->at;
    n->a = begin;
    n->b = end;
    n->c = step;
    return complete(p, n);
}

struct node *expr_index(struct parser *p, const struct token *name, struct node_list subscripts,
                        const struct token *close) {
    struct node *n = node_new(p->uc, N_INDEX, span_over(name->at, close->at));
    n->mark = name->at;
    n->name = token_name(p, name);
    n->list = subscripts.first;
    return complete(p, n);
}

struct node *clause_new(struct parser *p, const struct token *name, struct range range) {
    const struct node *last = range.step ? range.step : range.end ? range.end : range.begin;
    struct node *n = node_new(p->uc, N_CLAUSE, last ? span_over(name->at, last->at) : name->at);
    n->mark = name->at;
    n->list = expr_name(p, name);
    n->a = range.begin;
    n->b = range.end;
    n->c = range.step;
    return complete(p, n);
}

struct node *expr_paren(const struct token *open, struct node *a, const struct token *close) {
    a->at = span_over(open->at, close->at);
    return a;
}

/* ---- statements */

static struct span span_of_list(struct span begin, struct node_list list) {
    return list.last ? span_over(begin, list.last->at) : begin;
}

struct node *stmt_bind(struct parser *p, const struct token *keyword, struct node_list names,
                       struct typename *type, struct node_list values) {
    struct span at = span_of_list(span_of_list(keyword->at, names), values);
    struct node *n = node_new(p->uc, keyword->code == TK_LET ? N_LET : N_VAR,
                              type ? span_over(at, type->at) : at);
    n->mark = keyword->at;
    n->list = names.first;
    n->decltype_ = type;
    n->b = values.first;
    const char *name = names.first->name;
    if (!values.first && n->kind == N_LET)
        error(p->uc, names.first->at,
              "'%s' has no value; write 'let %s = ...', or 'var' to assign later", name, name);
    else if (!values.first && !type)
        error(p->uc, names.first->at, "'%s' has no type; write 'var %s = ...' or 'var %s: float64'",
              name, name, name);
    return complete(p, n);
}

static const struct node *last_of(struct clauses clauses) {
    const struct node *last = clauses.list;
    while (last->next)
        last = last->next;
    return clauses.filter ? clauses.filter : last;
}

struct node *stmt_array(struct parser *p, const struct token *keyword, struct node *element,
                        struct typename *type, struct node *value, struct clauses clauses) {
    const struct node *last = clauses.list ? last_of(clauses) : value;
    struct node *n = node_new(p->uc, N_LET, span_over(keyword->at, last->at));
    n->mark = keyword->at;
    n->list = element;
    n->decltype_ = type;
    n->b = value;
    n->clauses = clauses.list;
    n->filter = clauses.filter;
    return complete(p, n);
}

static void check_target(struct uc *uc, const struct node *target) {
    if (target->kind == N_NAME || target->kind == N_INDEX)
        return;
    error(uc, target->at, "cannot assign to %s",
          target->kind == N_CALL    ? "a call"
          : target->kind == N_CONST ? "a constant"
                                    : "an expression");
}

struct node *stmt_assign(struct parser *p, struct node_list targets, const struct token *op,
                         struct node_list values) {
    struct node *n = node_new(p->uc, N_ASSIGN, span_over(targets.first->at, values.last->at));
    n->op = binary_op[op->code];
    n->mark = op->at;
    n->list = targets.first;
    n->b = values.first;
    for (const struct node *t = targets.first; t; t = t->next)
        check_target(p->uc, t);
    if (n->op != OP_COUNT && (targets.count > 1 || values.count > 1))
        error(p->uc, op->at, "%s takes one name and one value, got %d and %d",
              quoted(p->uc, op->at), targets.count, values.count);
    return complete(p, n);
}

struct node *stmt_define(struct parser *p, struct node_list targets, const struct token *op,
                         struct node_list values, struct clauses clauses) {
    struct node *n = stmt_assign(p, targets, op, values);
    const char *fold = n->op == OP_ADD || n->op == OP_SUB   ? "sum"
                       : n->op == OP_MUL || n->op == OP_DIV ? "prod"
                                                            : NULL;
    if (targets.count > 1 || values.count > 1)
        error(p->uc, op->at, "a definition is of one output; write one for each");
    else if (targets.first->kind == N_NAME && fold)
        error(p->uc, op->at,
              "%s of all iterations together is a comprehension; write '%s %s %s(... for ...)'",
              quoted(p->uc, op->at), targets.first->name, text_of(p->uc, op->at), fold);
    else if (targets.first->kind == N_NAME && n->op != OP_COUNT)
        error(p->uc, op->at,
              "%s in a definition, which has no order; write 'for ... { %s %s ... }'",
              quoted(p->uc, op->at), targets.first->name, text_of(p->uc, op->at));
    else if (targets.first->kind == N_NAME)
        error(
            p->uc, targets.first->at,
            "a definition has subscripts; write '%s[i] = ... for i', or of a number '%s = sum(... "
            "for i)'",
            targets.first->name, targets.first->name);
    if (n->kind != N_ASSIGN) /* no assignment: a leaf for a tree too deep */
        return n;
    n->kind = N_DEFINE;
    n->at = span_over(n->at, last_of(clauses)->at);
    n->clauses = clauses.list;
    n->filter = clauses.filter;
    return complete(p, n);
}

struct node *stmt_expression(struct parser *p, struct node_list values) {
    const struct node *first = values.first;
    struct span at = span_over(first->at, values.last->at);
    const char *instead = first->name ? foreign_statement(first->name) : NULL;
    if (first->kind == N_BINARY && first->op == OP_EQ)
        error(p->uc, first->mark, "'==' compares; write '=' to assign");
    else if (instead)
        error(p->uc, at, "unexpected '%s'; %s", first->name, instead);
    else if (first->kind == N_CALL)
        error(p->uc, at,
              "the call does nothing here: a def returns values and cannot write arrays; write "
              "'let v = %s(...)'",
              first->name);
    else
        error(p->uc, at, "expression statements do nothing; write 'let ... =' or 'return'");
    return complete(p, node_new(p->uc, N_BLOCK, at));
}

struct node *stmt_if(struct parser *p, const struct token *keyword, struct node *c,
                     struct node *then, struct node *other) {
    struct node *n = node_new(p->uc, N_IF, span_over(keyword->at, (other ? other : then)->at));
    n->mark = keyword->at;
    n->c = c;
    n->then = then;
    n->other = other;
    return complete(p, n);
}

struct node *stmt_while(struct parser *p, const struct token *keyword, struct node *c,
                        struct node *then) {
    struct node *n = node_new(p->uc, N_WHILE, span_over(keyword->at, then->at));
    n->mark = keyword->at;
    n->c = c;
    n->then = then;
    return complete(p, n);
}

struct node *stmt_for(struct parser *p, const struct token *keyword, const struct token *name,
                      struct range range, struct node *then) {
    struct node *n = node_new(p->uc, N_FOR, span_over(keyword->at, then->at));
    n->mark = keyword->at;
    n->list = expr_name(p, name);
    n->a = range.begin;
    n->b = range.end;
    n->c = range.step;
    n->then = then;
    return complete(p, n);
}

struct node *stmt_assert(struct parser *p, const struct token *keyword, struct node *c,
                         const struct token *text) {
    struct node *n = node_new(p->uc, N_ASSERT, span_over(keyword->at, text->at));
    n->mark = keyword->at;
    n->c = c;
    n->name =
        intern(p->uc, p->uc->src.text + text->at.begin + 1, text->at.end - text->at.begin - 2);
    return complete(p, n);
}

struct node *stmt_plain(struct parser *p, enum node_kind kind, const struct token *keyword,
                        struct node_list values) {
    struct node *n = node_new(p->uc, kind, span_of_list(keyword->at, values));
    n->mark = keyword->at;
    n->list = values.first;
    return complete(p, n);
}

struct node *stmt_return(struct parser *p, const struct token *keyword, struct node_list values,
                         struct clauses clauses) {
    struct node *n = stmt_plain(p, N_RETURN, keyword, values);
    if (n->kind != N_RETURN) /* a leaf for a tree too deep */
        return n;
    n->at = span_over(n->at, last_of(clauses)->at);
    n->clauses = clauses.list;
    n->filter = clauses.filter;
    return complete(p, n);
}

struct node *stmt_bad(struct parser *p, const struct token *t) {
    return complete(p, node_new(p->uc, N_BLOCK, t->at));
}

struct node *stmt_block(struct parser *p, const struct token *open, struct node_list statements,
                        const struct token *close) {
    struct node *n = node_new(p->uc, N_BLOCK, span_over(open->at, close->at));
    n->list = statements.first;
    return complete(p, n);
}

struct node *stmt_body(struct parser *p, const struct token *assign, struct node *value) {
    struct node_list one;
    START(one, value);
    struct node *result = stmt_plain(p, N_RETURN, assign, one);
    struct node *n = node_new(p->uc, N_BLOCK, result->at);
    n->list = result;
    return complete(p, n);
}

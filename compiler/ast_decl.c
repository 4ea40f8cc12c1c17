/* ast_decl.c: constructors of declarations: parameters, types, signatures. */
#include <string.h>

#include "syntax.h"
#include "parse.h"

/* The text at a place, copied. */
static const char *text_of(struct uc *uc, struct span at) {
    return arena_printf(uc, "%.*s", (int)(at.end - at.begin), uc->src.text + at.begin);
}

static bool is_word(struct parser *p, const struct token *t, const char *word) {
    if (strcmp(token_name(p, t), word) == 0)
        return true;
    error(p->uc, t->at, "unexpected %s, expected '%s'", quoted(p->uc, t->at), word);
    return false;
}

struct param *param_new(struct parser *p, const struct token *name, struct node_list dims,
                        const struct token *end) {
    struct param *param = NEW(p->uc, struct param);
    param->name = token_name(p, name);
    param->at = span_over(name->at, end->at);
    param->dims = dims.first;
    param->rank = dims.count;
    return param;
}

struct node *dim_optional(struct parser *p, const struct token *name, const struct token *mark) {
    struct node *n = expr_name(p, name);
    n->at = span_over(name->at, mark->at);
    n->optional = true;
    return n;
}

struct typename *type_named(struct parser *p, const struct token *name) {
    struct typename *t = NEW(p->uc, struct typename);
    t->name = token_name(p, name);
    t->at = name->at;
    return t;
}

struct typename *type_of(struct parser *p, const struct token *word, const struct token *operand,
                         const struct token *close) {
    is_word(p, word, "dtype");
    struct typename *t = type_named(p, operand);
    t->dtype_of = true;
    t->at = span_over(word->at, close->at);
    return t;
}

struct typename *type_of_rank(struct parser *p, const struct token *name, int rank,
                              const struct token *close) {
    struct typename *t = type_named(p, name);
    t->rank = rank;
    t->at = span_over(name->at, close->at);
    return t;
}

struct typename *type_of_array(struct typename *t, struct node_list sizes,
                               const struct token *close) {
    t->sizes = sizes.first;
    t->at = span_over(t->at, close->at);
    return t;
}

struct sig *sig_several(struct parser *p, const struct token *open, struct typename_list results,
                        struct typename_list params, const struct token *close) {
    struct sig *s = NEW(p->uc, struct sig);
    s->results = results.first;
    s->params = params.first;
    s->at = span_over(open->at, close->at);
    return s;
}

struct sig *sig_one(struct parser *p, const struct token *result, struct typename_list params,
                    const struct token *close) {
    struct typename_list results;
    START(results, type_named(p, result));
    return sig_several(p, result, results, params, close);
}

struct sig *sig_void(struct parser *p, const struct token *open, struct typename_list operands,
                     const struct token *close) {
    struct typename *none = NEW(p->uc, struct typename);
    none->name = intern(p->uc, "void", 4);
    none->at = open->at;
    return sig_several(p, open, (struct typename_list){none, none, 1}, operands, close);
}

static struct binder *binder_new(struct parser *p, const struct token *name,
                                 struct typename_list groups) {
    struct binder *b = NEW(p->uc, struct binder);
    b->name = token_name(p, name);
    b->groups = groups.first;
    b->at = name->at;
    return b;
}

struct sig *sig_for(struct parser *p, struct sig *s, const struct token *binder,
                    struct typename_list groups) {
    s->binders = binder_new(p, binder, groups);
    s->at = span_over(s->at, groups.last->at);
    return s;
}

void sig_also(struct parser *p, struct sig *s, const struct token *binder,
              struct typename_list groups) {
    struct binder **end = &s->binders;
    const char *name = token_name(p, binder);
    if (!*end)
        error(p->uc, binder->at, "unexpected '%s'; write 'for %s in ...'", name, name);
    while (*end) {
        if ((*end)->name == name)
            error(p->uc, binder->at, "'%s' is bound twice; give one another name", name);
        end = &(*end)->next;
    }
    *end = binder_new(p, binder, groups);
    s->at = span_over(s->at, groups.last->at);
}

struct node *identity_value(struct parser *p, const struct token *word, struct node *value) {
    is_word(p, word, "identity");
    return value;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

/* The line that ends before `end`, not before `first`; blanks around it are left out. */
static struct span line_before(const char *text, uint32_t first, uint32_t end) {
    struct span line = {end - 1, end - 1};
    while (line.begin > first && text[line.begin - 1] != '\n')
        line.begin--;
    if (line.begin == first && strncmp(text + first, "\xef\xbb\xbf", 3) == 0)
        line.begin += 3;
    while (line.begin < line.end && is_blank(text[line.begin]))
        line.begin++;
    while (line.end > line.begin && is_blank(text[line.end - 1]))
        line.end--;
    return line;
}

/* The comment lines directly above the keyword, without '#' and one space; NULL: none. */
static const char *doc_above(struct uc *uc, const struct token *keyword) {
    const char *text = uc->src.text;
    uint32_t end = keyword->at.begin, first = uc->file ? uc->file->begin : 0;
    while (end > first && is_blank(text[end - 1]))
        end--;
    uint32_t begin = end;
    while (begin > first && text[begin - 1] == '\n' &&
           text[line_before(text, first, begin).begin] == '#')
        for (begin--; begin > first && text[begin - 1] != '\n';)
            begin--;
    if (begin == end)
        return NULL;
    char *doc = arena_alloc(uc, end - begin + 1), *out = doc;
    while (begin < end) {
        begin = (uint32_t)((const char *)memchr(text + begin, '\n', end - begin) + 1 - text);
        struct span line = line_before(text, first, begin);
        line.begin += line.end - line.begin > 1 && text[line.begin + 1] == ' ' ? 2 : 1;
        memcpy(out, text + line.begin, line.end - line.begin);
        out += line.end - line.begin;
        *out++ = '\n';
    }
    out[-1] = '\0';
    return doc;
}

static struct decl *decl_new(struct parser *p, enum decl_kind kind, const struct token *keyword,
                             const struct token *name, struct param_list params,
                             struct node *body) {
    struct decl *d = NEW(p->uc, struct decl);
    d->kind = kind;
    d->name = token_name(p, name);
    d->at = name->at;
    d->file = p->uc->file;
    d->doc = doc_above(p->uc, keyword);
    d->params = params.first;
    d->nparams = params.count;
    d->body = body;
    *p->tail = d;
    p->tail = &d->next;
    struct decl *first = map_get(&p->uc->declared, d->name);
    if (first)
        first->last_alike->alike = d;
    else
        map_set(p->uc, &p->uc->declared, d->name, first = d);
    first->last_alike = d;
    return d;
}

/* Reports array parameters, which only gufuncs and defs have. */
static void check_scalars(struct parser *p, struct param_list params) {
    for (const struct param *param = params.first; param; param = param->next)
        if (param->dims)
            error(p->uc, param->at, "a ufunc's parameters are scalars; write 'gufunc' for arrays");
}

/* One type for each parameter: "float32, float32". */
static const char *types_text(struct parser *p, int n) {
    const char *types = "float32";
    for (int i = 1; i < n && n <= 4; i++)
        types = arena_printf(p->uc, "%s, float32", types);
    return n > 4 ? "..." : types;
}

void decl_ufunc(struct parser *p, const struct token *keyword, const struct token *name,
                struct param_list params, struct sig_list sigs, struct node *identity,
                struct node *body) {
    struct decl *d = decl_new(p, DECL_UFUNC, keyword, name, params, body);
    d->sigs = sigs.first;
    d->identity = identity;
    check_scalars(p, params);
    if (params.count == 0)
        error(p->uc, name->at, "ufunc '%s' has no parameters", d->name);
    if (sigs.count == 0)
        error(p->uc, name->at, "ufunc '%s' has no signature; write ': float32(%s)' before its body",
              d->name, types_text(p, params.count));
}

/* Makes the gufunc's body `= value` an assignment to its output, which must be one scalar. */
static void assign_output(struct parser *p, const struct decl *d, struct node *value) {
    if (d->noutputs != 1 || d->outputs->rank > 0) {
        error(p->uc, value->mark, "'=' is for one scalar output; write a block, '{ %s%s }'",
              d->outputs->name, d->outputs->rank > 0 ? "[i] = ... for i" : " = ...");
        value->kind = N_BLOCK;
        value->list = NULL;
        return;
    }
    struct node *target = node_new(p->uc, N_NAME, d->outputs->at);
    target->name = d->outputs->name;
    value->kind = N_ASSIGN;
    value->b = value->list;
    value->list = target;
}

void decl_gufunc(struct parser *p, const struct token *keyword, const struct token *name,
                 struct param_list params, struct param_list outputs, struct sig_list sigs,
                 struct node *body) {
    struct decl *d = decl_new(p, DECL_GUFUNC, keyword, name, params, body);
    d->sigs = sigs.first;
    d->outputs = outputs.first;
    d->noutputs = outputs.count;
    struct node *value = body->list;
    if (value && value->kind == N_RETURN && p->uc->src.text[value->mark.begin] == '=')
        assign_output(p, d, value);
    if (params.count == 0)
        error(p->uc, name->at, "gufunc '%s' has no inputs", d->name);
    if (sigs.count == 0)
        error(p->uc, name->at,
              "gufunc '%s' has no signature; write ': float32(%s)' before its body", d->name,
              types_text(p, params.count));
}

void decl_def(struct parser *p, const struct token *keyword, const struct token *name,
              struct param_list params, struct node *body) {
    decl_new(p, DECL_DEF, keyword, name, params, body);
}

void decl_const(struct parser *p, const struct token *keyword, const struct token *name,
                struct node *value) {
    decl_new(p, DECL_CONST, keyword, name, (struct param_list){0}, value);
}

void decl_import(struct parser *p, const struct token *path) {
    struct import *i = NEW(p->uc, struct import), **tail = &p->uc->file->imports;
    i->path = text_of(p->uc, (struct span){path->at.begin + 1, path->at.end - 1});
    i->at = path->at;
    if (p->uc->src.text[path->at.begin] != '"')
        error(p->uc, path->at, "a file's name stands in double quotes, \"%s\"", i->path);
    while (*tail)
        tail = &(*tail)->next;
    *tail = i;
}

/* dump.c: tokens and trees as text: a line for each statement, expressions as (operator
 * operands). */
#include "syntax.h"
#include "parse.h"

struct dump {
    struct uc *uc;
    struct buf *b;
    bool typed;
    struct insts {
        const struct inst *inst;
        struct insts *next;
    } * insts, **tail; /* with types: the functions found in calls, an instance for each call */
};

void dump_tokens(struct uc *uc, struct buf *b) {
    const struct token *t = layout(uc);
    do {
        int line, column;
        locate(uc, t->at.begin, &line, &column);
        buf_printf(b, "%d:%d %s%s\n", line, column, token_description(uc, t),
                   t->inserted ? " (inserted)" : "");
    } while (t++->code != 0);
}

static void indent(struct dump *d, int level) {
    buf_printf(d->b, "%*s", 2 * level, "");
}

static void dump_type(struct dump *d, struct type type) {
    static const char *const names[] = {
        [TYPE_WEAK_INT] = "int", [TYPE_WEAK_FLOAT] = "float", [TYPE_WEAK_COMPLEX] = "complex"};
    if (type.kind != TYPE_NONE) /* a call with several results has no type */
        buf_printf(d->b, ":%s",
                   type.kind == TYPE_DTYPE ? dtype_info[type.dtype].name : names[type.kind]);
}

static void meet(struct dump *d, const struct inst *inst) {
    struct insts *i = NEW(d->uc, struct insts);
    i->inst = inst;
    *d->tail = i;
    d->tail = &i->next;
}

static void dump_expr(struct dump *d, const struct node *n);

static void dump_clauses(struct dump *d, const struct node *n);

static void dump_operation(struct dump *d, const char *name, const struct node *n) {
    buf_printf(d->b, "(%s", name);
    if (d->typed)
        dump_type(d, n->type);
    const struct node *operands[] = {n->c, n->a, n->b};
    for (size_t i = 0; i < sizeof operands / sizeof operands[0]; i++)
        if (operands[i]) {
            buf_printf(d->b, " ");
            dump_expr(d, operands[i]);
        }
    for (const struct node *e = n->list; e; e = e->next) {
        buf_printf(d->b, " ");
        dump_expr(d, e);
    }
    dump_clauses(d, n);
    buf_printf(d->b, ")");
}

static void dump_range(struct dump *d, const struct node *n);

/* " for i, j in 0..n if condition" */
static void dump_clauses(struct dump *d, const struct node *n) {
    for (const struct node *c = n->clauses; c; c = c->next) {
        buf_printf(d->b, c == n->clauses ? " for " : ", ");
        dump_range(d, c);
    }
    if (n->filter) {
        buf_printf(d->b, " if ");
        dump_expr(d, n->filter);
    }
}

static void dump_reduce(struct dump *d, const struct node *n) {
    static const char *const names[] = {
#define REDUCE(ID, name) name,
#include "reduce.def"
    };
    const struct comprehension *c = n->comprehension;
    struct node value = *n;
    value.list = c->value;
    dump_operation(d, names[c->kind], &value);
}

static void dump_call(struct dump *d, const struct node *n) {
    const char *name = n->name;
    if (n->inst) {
        meet(d, n->inst);
        name = n->inst->decl->name;
    } else if (n->builtin)
        name = n->builtin->nresults == 1
                   ? n->builtin->name
                   : arena_printf(d->uc, "%s.%d", n->builtin->name, n->result);
    dump_operation(d, name, n);
}

static void dump_slice(struct dump *d, const struct node *n) {
    const struct node *parts[] = {n->a, n->b, n->c};
    for (int i = 0; i < (n->c ? 3 : 2); i++) {
        buf_printf(d->b, i ? ":" : "");
        if (parts[i])
            dump_expr(d, parts[i]);
    }
}

static void dump_expr(struct dump *d, const struct node *n) {
    switch (n->kind) {
    case N_CONST: buf_printf(d->b, "%s", constant_text(d->uc, &n->value)); break;
    case N_NAME: buf_printf(d->b, "%s", n->name); return;
    case N_LOCAL: buf_printf(d->b, "%s.%d", n->local->name, n->local->id); break;
    case N_UNARY:
    case N_BINARY: dump_operation(d, op_info[n->op].spelling, n); return;
    case N_COND: dump_operation(d, "if", n); return;
    case N_CAST: dump_operation(d, "cast", n); return;
    case N_INDEX: dump_operation(d, n->array ? n->array->name : n->name, n); return;
    case N_TUPLE: dump_operation(d, ",", n); return;
    case N_SLICE: dump_slice(d, n); return;
    case N_REDUCE: dump_reduce(d, n); return;
    default: /* N_CALL */ dump_call(d, n); return;
    }
    if (d->typed)
        dump_type(d, n->type);
}

static void dump_list(struct dump *d, const struct node *list, const char *separator) {
    for (; list; list = list->next) {
        dump_expr(d, list);
        if (list->next)
            buf_printf(d->b, "%s", separator);
    }
}

static void dump_block(struct dump *d, const struct node *block, int level);

static void dump_binding(struct dump *d, const struct node *n) {
    buf_printf(d->b, "%s ", node_word[n->kind]);
    dump_list(d, n->list, ", ");
    const struct typename *type = n->decltype_;
    if (type)
        buf_printf(d->b, type->dtype_of ? ": dtype(%s)" : ": %s", type->name);
    if (n->b) {
        buf_printf(d->b, " = ");
        dump_list(d, n->b, ", ");
    }
}

static void dump_range(struct dump *d, const struct node *n) {
    dump_expr(d, n->list);
    if (n->a) {
        buf_printf(d->b, " in ");
        dump_expr(d, n->a);
    }
    for (const struct node *e = n->b; e; e = e == n->c ? NULL : n->c) {
        buf_printf(d->b, "..");
        dump_expr(d, e);
    }
}

static void dump_statement(struct dump *d, const struct node *n, int level) {
    if (n->kind == N_BLOCK) {
        indent(d, level);
        buf_printf(d->b, "block\n");
        dump_block(d, n, level + 1);
        return;
    }
    indent(d, level);
    switch (n->kind) {
    case N_LET:
    case N_VAR: dump_binding(d, n); break;
    case N_ASSIGN:
        dump_list(d, n->list, ", ");
        buf_printf(d->b, " %s= ", n->op == OP_COUNT ? "" : op_info[n->op].spelling);
        dump_list(d, n->b, ", ");
        break;
    case N_DEFINE:
        buf_printf(d->b, "define ");
        dump_list(d, n->list, ", ");
        buf_printf(d->b, " = ");
        dump_list(d, n->b, ", ");
        dump_clauses(d, n);
        break;
    case N_FOR:
        buf_printf(d->b, "for ");
        dump_range(d, n);
        break;
    case N_CALL: dump_call(d, n); break;
    default:
        buf_printf(d->b, n->c || n->list ? "%s " : "%s", node_word[n->kind]);
        dump_list(d, n->c ? n->c : n->list, ", ");
        dump_clauses(d, n);
        break;
    }
    buf_printf(d->b, "\n");
    if (n->then)
        dump_block(d, n->then, level + 1);
    if (n->other) {
        indent(d, level);
        buf_printf(d->b, "else\n");
        dump_block(d, n->other, level + 1);
    }
}

/* Dumps a block's statements, or the N_IF that stands for an `else`'s block. */
static void dump_block(struct dump *d, const struct node *block, int level) {
    if (block->kind != N_BLOCK) {
        dump_statement(d, block, level);
        return;
    }
    for (const struct node *n = block->list; n; n = n->next)
        dump_statement(d, n, level);
}

/* ---- declarations */

static void dump_types(struct dump *d, const struct typename *t, const char *separator) {
    for (; t; t = t->next)
        buf_printf(d->b, "%s%s", t->name, t->next ? separator : "");
}

static void dump_sig(struct dump *d, const struct sig *s) {
    bool several = s->results && s->results->next;
    buf_printf(d->b, "  : %s", several ? "(" : "");
    dump_types(d, s->results, ", ");
    buf_printf(d->b, several ? ")(" : "(");
    dump_types(d, s->params, ", ");
    buf_printf(d->b, ")");
    for (const struct binder *b = s->binders; b; b = b->next) {
        buf_printf(d->b, "%s%s in ", b == s->binders ? " for " : ", ", b->name);
        dump_types(d, b->groups, " | ");
    }
    buf_printf(d->b, "\n");
}

static void dump_doc(struct dump *d, const char *doc) {
    for (const char *end; doc; doc = *end ? end + 1 : NULL) {
        for (end = doc; *end && *end != '\n'; end++) {
        }
        buf_printf(d->b, "# %.*s\n", (int)(end - doc), doc);
    }
}

static void dump_params(struct dump *d, const struct param *p) {
    buf_printf(d->b, "(");
    for (; p; p = p->next) {
        buf_printf(d->b, "%s", p->name);
        for (const struct node *n = p->dims; n; n = n->next) {
            buf_printf(d->b, n == p->dims ? "[" : ", ");
            dump_expr(d, n);
            buf_printf(d->b, n->optional ? "?" : "");
        }
        buf_printf(d->b, "%s%s", p->dims ? "]" : "", p->next ? ", " : "");
    }
    buf_printf(d->b, ")");
}

static void dump_decl(struct dump *d, const struct decl *decl) {
    static const char *const keyword[] = {[DECL_UFUNC] = "ufunc",
                                          [DECL_GUFUNC] = "gufunc",
                                          [DECL_DEF] = "def",
                                          [DECL_CONST] = "const"};
    if (decl != d->uc->decls)
        buf_printf(d->b, "\n");
    if (decl->doc)
        dump_doc(d, decl->doc);
    buf_printf(d->b, "%s %s", keyword[decl->kind], decl->name);
    if (decl->kind == DECL_CONST) {
        buf_printf(d->b, " = ");
        dump_expr(d, decl->body);
        buf_printf(d->b, "\n");
        return;
    }
    dump_params(d, decl->params);
    if (decl->outputs) {
        buf_printf(d->b, " -> ");
        dump_params(d, decl->outputs);
    }
    buf_printf(d->b, "\n");
    for (const struct sig *s = decl->sigs; s; s = s->next)
        dump_sig(d, s);
    if (decl->identity) {
        buf_printf(d->b, "  with identity ");
        dump_expr(d, decl->identity);
        buf_printf(d->b, "\n");
    }
    dump_block(d, decl->body, 1);
}

/* ---- typed */

static void dump_inst(struct dump *d, const char *keyword, const struct inst *inst) {
    buf_printf(d->b, "%s %s(", keyword, inst->decl->name);
    for (int i = 0; i < inst->decl->nparams; i++) {
        const struct local *param = inst->params[i];
        buf_printf(d->b, "%s%s.%d", i ? ", " : "", param->name, param->id);
        dump_type(d, param->type);
    }
    buf_printf(d->b, ") -> ");
    for (int i = 0; i < inst->nresults; i++)
        buf_printf(d->b, "%s%s", i ? ", " : "", dtype_info[inst->results[i]].name);
    buf_printf(d->b, "\n");
    dump_block(d, inst->body, 1);
}

static void dump_typed(struct dump *d) {
    for (const struct decl *decl = d->uc->decls; decl; decl = decl->next)
        for (const struct overload *o = decl->overloads; o; o = o->next)
            if (o->inst) /* an overload without one is only called; the calls have instances */
                dump_inst(d, decl->kind == DECL_UFUNC ? "ufunc" : "gufunc", o->inst);
    for (const struct insts *i = d->insts; i; i = i->next)
        dump_inst(d, "instance of", i->inst);
}

void dump_ast(struct uc *uc, struct buf *b, bool typed) {
    struct dump d = {.uc = uc, .b = b, .typed = typed};
    d.tail = &d.insts;
    if (typed)
        dump_typed(&d);
    else
        for (const struct decl *decl = uc->decls; decl; decl = decl->next)
            dump_decl(&d, decl);
}

/* dump.c: plans as text: operations infix, fully parenthesised; x is an input's element, x.3 a
 * variable, where() a choice between two values that are both computed. */
#include <math.h>
#include <string.h>

#include "uc.h"

enum { WIDTH = 96 };

struct dump {
    struct uc *uc;
    struct buf *b;
    const struct plan *plan;
};

static void dump_constant(struct dump *d, const struct pval *v) {
    struct constant c = {.type = dtype_type(v->dtype), .f = v->f};
    c.i = v->dtype == DT_UINT64 ? (wide_int)v->i : (wide_int)(int64_t)v->i;
    if (is_float(v->dtype) && v->f == trunc(v->f) && fabs(v->f) < 1e15)
        buf_printf(d->b, "%.1f", v->f);
    else
        buf_printf(d->b, "%s", constant_text(d->uc, &c));
}

static void dump_value(struct dump *d, const struct pval *v, bool inside);

static void dump_op(struct dump *d, const struct pval *v, bool inside) {
    buf_printf(d->b, inside ? "(" : "");
    if (v->nargs == 2) {
        dump_value(d, v->args[0], true);
        buf_printf(d->b, " %s ", op_info[v->op].spelling);
    } else
        buf_printf(d->b, "%s%s", op_info[v->op].spelling, v->op == OP_LNOT ? " " : "");
    dump_value(d, v->args[v->nargs - 1], true);
    buf_printf(d->b, inside ? ")" : "");
}

static void dump_call(struct dump *d, const char *name, const struct pval *v) {
    buf_printf(d->b, "%s(", name);
    for (int i = 0; i < v->nargs; i++) {
        buf_printf(d->b, i > 0 ? ", " : "");
        dump_value(d, v->args[i], false);
    }
    buf_printf(d->b, ")");
}

static const char *builtin_text(struct dump *d, const struct pval *v) {
    const struct builtin *f = v->builtin;
    return f->nresults == 1 ? f->name : arena_printf(d->uc, "%s.%d", f->name, v->result);
}

static void dump_element(struct dump *d, const char *name, const struct pval *v) {
    buf_printf(d->b, "%s[", name);
    for (int i = 0; i < v->nargs; i++) {
        buf_printf(d->b, i > 0 ? ", " : "");
        dump_value(d, v->args[i], false);
    }
    buf_printf(d->b, v->checked ? "]!" : "]");
}

static const char *dim_name(const struct plan *p, int index) {
    const struct dim *dim = p->overload->decl->dims;
    while (dim->index != index)
        dim = dim->next;
    return dim->name;
}

static void dump_value(struct dump *d, const struct pval *v, bool inside) {
    switch (v->kind) {
    case PV_CONST: dump_constant(d, v); break;
    case PV_VAR: buf_printf(d->b, "%s.%d", v->var->name, v->var->id); break;
    case PV_LOAD: buf_printf(d->b, "%s", d->plan->operands[v->operand].name); break;
    case PV_ELEM: dump_element(d, d->plan->operands[v->operand].name, v); break;
    case PV_TABLE: dump_element(d, v->table->name, v); break;
    case PV_DIM: buf_printf(d->b, "%s", dim_name(d->plan, v->operand)); break;
    case PV_OP: dump_op(d, v, inside); break;
    case PV_CAST: dump_call(d, dtype_info[v->dtype].brief, v); break;
    case PV_CALL: dump_call(d, builtin_text(d, v), v); break;
    case PV_SELECT: dump_call(d, "where", v); break;
    case PV_FMA: dump_call(d, "fma", v); break;
    case PV_PART: dump_call(d, v->result == 0 ? "real" : "imag", v); break;
    case PV_PACK: dump_call(d, "complex", v); break;
    }
}

/* ---- statements */

static void dump_list(struct dump *d, const struct pstmt *s, int level);

static void dump_range(struct dump *d, const struct pvar *var, const struct pval *lo,
                       const struct pval *hi, const struct pval *step) {
    bool by_one = step->kind == PV_CONST && step->i == 1;
    const struct pval *parts[] = {lo, hi, by_one ? NULL : step};
    buf_printf(d->b, "%s.%d in ", var->name, var->id);
    for (int i = 0; i < 3 && parts[i] != NULL; i++) {
        buf_printf(d->b, i > 0 ? ".." : "");
        dump_value(d, parts[i], true);
    }
}

static void dump_accs(struct dump *d, const struct pstmt *s) {
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        buf_printf(d->b, "%s %s.%d", a == s->accs ? " to" : ",", a->acc->name, a->acc->id);
}

static void dump_spread(struct dump *d, const struct pstmt *s) {
    buf_printf(d->b, s->outermost ? "spread " : "each ");
    for (const struct prange *r = s->ranges; r != NULL; r = r->next) {
        dump_range(d, r->var, r->lo, r->hi, r->step);
        buf_printf(d->b, r->next != NULL ? ", " : "");
    }
    dump_accs(d, s);
    buf_printf(d->b, s->ordered ? " in order" : "");
}

static void dump_series(struct dump *d, const struct series *s) {
    for (int i = 0; s != NULL && s->whole && i < s->n; i++)
        buf_printf(d->b, "%s %s.%d", i == 0 ? ", a series of" : ",", s->acc[i].var->name,
                   s->acc[i].var->id);
}

static void dump_deal(struct dump *d, const struct deal *x) {
    for (int i = 0; x != NULL && i < x->narrays; i++)
        if (i == 0 || x->array[i].place != x->array[i - 1].place)
            buf_printf(d->b, "%s %s", i == 0 ? ", dealt out to bins of" : ",",
                       x->array[i].element->name);
}

static void dump_head(struct dump *d, const struct pstmt *s) {
    static const char *const heads[] = {
#define PSTMT(ID, head) head,
#include "pstmt.def"
#undef PSTMT
    };
    buf_printf(d->b, s->sync_blocks ? "sync blocks " : s->sync ? "sync " : "");
    buf_printf(d->b, s->sync_lanes ? "sync lanes " : "");
    buf_printf(d->b, s->own_portions ? "own portions " : s->portions ? "portions " : "");
    buf_printf(d->b, s->sync_portions && !s->sync_blocks   ? "sync portions "
                     : s->sync_blocks && !s->sync_portions ? "joined portions "
                                                           : "");
    if (s->owner != NULL) {
        buf_printf(d->b, "row ");
        dump_value(d, s->owner, true);
        buf_printf(d->b, " ");
    }
    buf_printf(d->b, s->by_first ? "alone " : "");
    switch (s->kind) {
    case PS_SET: buf_printf(d->b, "%s.%d = ", s->var->name, s->var->id); break;
    case PS_STORE: buf_printf(d->b, "store %s = ", d->plan->operands[s->operand].name); break;
    case PS_PUT:
        dump_element(d, d->plan->operands[s->place->operand].name, s->place);
        buf_printf(d->b, " = ");
        break;
    case PS_CLEAR: buf_printf(d->b, "clear %s", d->plan->operands[s->operand].name); break;
    case PS_SPREAD: dump_spread(d, s); break;
    case PS_FOR:
        buf_printf(d->b, s->accs != NULL ? "scan " : "for ");
        dump_range(d, s->var, s->lo, s->hi, s->step);
        dump_accs(d, s);
        if (s->lag > 0)
            buf_printf(d->b, " by %d behind one another%s", s->lag, s->aslant ? ", aslant" : "");
        if (s->totals != NULL)
            dump_accs(d, s->totals);
        dump_series(d, s->series);
        dump_deal(d, s->deal);
        break;
    case PS_BLOCK: buf_printf(d->b, "block %d", s->id); break;
    case PS_LEAVE: buf_printf(d->b, "leave block %d", s->target->id); break;
    default: buf_printf(d->b, "%s", heads[s->kind]); break;
    }
    if (s->value != NULL)
        dump_value(d, s->value, false);
    buf_printf(d->b, "\n");
}

/* Dumps a statement; the indentation is printed already. */
static void dump_statement(struct dump *d, const struct pstmt *s, int level) {
    dump_head(d, s);
    dump_list(d, s->body, level + 1);
    if (s->shared != NULL) {
        buf_printf(d->b, "%*sshared as\n", 2 * level, "");
        dump_list(d, s->shared, level + 1);
    }
    if (s->joined != NULL) {
        buf_printf(d->b, "%*sjoin\n", 2 * level, "");
        dump_list(d, s->joined, level + 1);
    }
    if (s->other == NULL)
        return;
    buf_printf(d->b, "%*selse", 2 * level, "");
    if (s->other->kind == PS_IF && s->other->next == NULL) {
        buf_printf(d->b, " ");
        dump_statement(d, s->other, level);
    } else {
        buf_printf(d->b, "\n");
        dump_list(d, s->other, level + 1);
    }
}

static void dump_list(struct dump *d, const struct pstmt *s, int level) {
    for (; s != NULL; s = s->next) {
        buf_printf(d->b, "%*s", 2 * level, "");
        dump_statement(d, s, level);
    }
}

/* ---- plans */

/* Dumps a name in a list, on a new line where the line is full. */
static void dump_name(struct dump *d, int *column, const char *name, enum ufc_dtype dtype) {
    const char *type = dtype_info[dtype].brief;
    int width = (int)(strlen(name) + strlen(type)) + 3;
    bool full = *column > 0 && *column + width > WIDTH;
    buf_printf(d->b, full ? ",\n      " : *column > 0 ? ", " : "");
    buf_printf(d->b, "%s %s", name, type);
    *column = full ? 6 + width : *column + width;
}

static void dump_operands(struct dump *d, const char *head, int from, int to) {
    int column = 0;
    buf_printf(d->b, "  %s ", head);
    for (int k = from; k < to; k++)
        dump_name(d, &column, d->plan->operands[k].name, d->plan->operands[k].dtype);
    buf_printf(d->b, "\n");
}

static void dump_vars(struct dump *d) {
    int column = 0;
    buf_printf(d->b, "  var ");
    for (const struct pvar *v = d->plan->vars; v != NULL; v = v->next)
        dump_name(d, &column, arena_printf(d->uc, "%s.%d", v->name, v->id), v->dtype);
    buf_printf(d->b, "\n");
}

/* Dumps how threads may share a gufunc's call. */
static void dump_tiling(struct dump *d, const struct tiling *t) {
    buf_printf(d->b, "  or tiles of results, %d x %d a thread, of parts of", t->per[0], t->per[1]);
    for (int n = 0; n < t->nfactors; n++) {
        const struct factor *f = &t->factors[n];
        buf_printf(d->b, "%s ", n > 0 ? "," : "");
        dump_value(d, f->place != NULL ? f->place : f->value, false);
    }
    buf_printf(d->b, " in shared memory%s\n", t->batch != NULL ? ", those of a batch apart" : "");
    if (t->in_order)
        buf_printf(d->b, "    whose terms are taken in order\n");
    if (t->skew != SKEW_NONE)
        buf_printf(d->b, "    along a band of %s\n", t->skew == SKEW_DEPTH ? "sums" : "columns");
}

static void dump_neighbours(struct dump *d, const struct ufc_phase *phase) {
    buf_printf(d->b, "  %u neighbours a thread, where side by side are elements of",
               phase->neighbours);
    for (int k = 0; k < d->plan->noperands; k++)
        if (phase->beside >> k & 1)
            buf_printf(d->b, " %s", d->plan->operands[k].name);
    buf_printf(d->b, "%s\n", phase->flat != 0 ? ", or from row to row" : "");
}

static void dump_band(struct dump *d) {
    const struct plan *p = plan_of_bands(d->plan);
    buf_printf(d->b, "  or bands of rows, in all phases");
    for (const struct pstmt *s = d->plan->body->body, *own = p->body->body; s != NULL; s = s->next)
        if (own != NULL && s->kind == own->kind && s->phase == own->phase && s->var == own->var)
            own = own->next;
        else
            for (const struct pstmt *in = s->body; in != NULL; in = in->next)
                if (in->kind == PS_PUT)
                    buf_printf(d->b, "; tiles compute %s", d->plan->operands[in->operand].name);
    for (int k = 0; k < p->noperands; k++)
        if (band_memory(p, k) != k)
            buf_printf(d->b, "; %s in the memory of %s", p->operands[k].name,
                       p->operands[band_memory(p, k)].name);
    buf_printf(d->b, "\n");
}

static void dump_mapping(struct dump *d) {
    const struct mapping *m = &d->plan->map;
    if (d->plan->on_host)
        buf_printf(d->b, "  hosts go in it%s\n", d->plan->host_only ? ", and no GPU" : "");
    if (m->deals && !m->spreads)
        buf_printf(d->b, "  a thread a call, or in %d phase%s\n", m->phases,
                   m->phases == 1 ? "" : "s");
    else if (!m->spreads)
        buf_printf(d->b, "  %s a call\n",
                   m->series ? "a thread, or a block for series," : "one thread");
    else if (!m->in_phases)
        buf_printf(d->b, "  a thread, a warp or a block a call\n");
    else
        buf_printf(d->b,
                   "  a thread, a warp or a block a call, or threads a point, in %d phase%s\n",
                   m->phases, m->phases == 1 ? "" : "s");
    if (m->in_phases && d->plan->steps != NULL)
        buf_printf(d->b, "  phases %d to %d are launched for each step\n",
                   d->plan->steps->begin->phase, d->plan->steps->end->phase);
    if (m->held > 0)
        buf_printf(d->b, "  registers of a warp's or a block's threads hold rows, %d points each\n",
                   m->held);
    if (m->state != NULL) {
        buf_printf(d->b, "  registers of a warp's lanes keep");
        for (int k = 0; k < d->plan->noperands; k++)
            if (m->state_arrays >> k & 1)
                buf_printf(d->b, " %s", d->plan->operands[k].name);
        buf_printf(d->b, ", a lane for each index\n");
    }
    if (m->small != NULL)
        buf_printf(d->b, "  registers of a thread hold arrays along %s up to %d", m->small->name,
                   m->small_most);
    if (m->small_wide > 0)
        buf_printf(d->b, ", or powers of two up to %d", m->small_wide);
    if (m->small != NULL)
        buf_printf(d->b, "\n");
    for (int i = 0; i < m->phases; i++)
        if (m->in_phases && m->phase[i].neighbours > 0)
            dump_neighbours(d, &m->phase[i]);
    for (int i = 0; i < m->phases; i++)
        if (m->in_phases && m->phase[i].abreast > 0)
            buf_printf(d->b, "  %u points of range %u a thread, whose %s run together%s\n",
                       m->phase[i].abreast, m->phase[i].abreast_range,
                       m->phase[i].reductions > 0 ? "reductions" : "loops",
                       m->phase[i].slides > 0 ? ", and slide" : "");
    for (int i = 0; i < m->phases; i++)
        if (m->in_phases && m->phase[i].micro[0] > 0)
            buf_printf(d->b, "  or %u of range %u by %u of range %u\n", m->phase[i].micro[0],
                       m->phase[i].micro_range[0], m->phase[i].micro[1],
                       m->phase[i].micro_range[1]);
    for (int i = 0; i < m->phases; i++)
        if (m->tiling[i] != NULL)
            dump_tiling(d, m->tiling[i]);
    if (m->in_phases && is_banded(d->plan))
        dump_band(d);
    for (int i = 0; i < m->phases; i++)
        if (m->in_phases && m->phase[i].sweep > 0)
            buf_printf(d->b, "  or a sweep over rows, in %u phases from phase %d on\n",
                       m->phase[i].sweep, i);
    if (m->window != NULL)
        buf_printf(d->b,
                   "  or tiles of results, with what their windows see of %s in shared memory\n",
                   d->plan->operands[m->window->x->operand].name);
}

/* ---- what a body does */

/* A set of loops: "0 2". */
static void dump_loops(struct dump *d, uint64_t loops) {
    for (int i = 0; i < UFC_MAX_LOOPS; i++)
        if (loops & UINT64_C(1) << i)
            buf_printf(d->b, " %d", i);
}

/* A size in postfix order: "n m - 0 max". */
static void dump_program(struct dump *d, const struct ufc_program *size) {
    static const char *const ops[] = {
        [UFC_TERM_ADD] = "+",       [UFC_TERM_SUB] = "-", [UFC_TERM_MUL] = "*",
        [UFC_TERM_FLOORDIV] = "//", [UFC_TERM_MOD] = "%", [UFC_TERM_MIN] = "min",
        [UFC_TERM_MAX] = "max"};
    for (uint64_t i = 0; i < size->nterms; i++) {
        const struct ufc_term *t = &size->terms[i];
        if (t->op == UFC_TERM_NUMBER)
            buf_printf(d->b, " %lld", (long long)t->value);
        else if (t->op == UFC_TERM_DIMENSION)
            buf_printf(d->b, " %s", dim_name(d->plan, (int)t->value));
        else
            buf_printf(d->b, " %s", ops[t->op]);
    }
    buf_printf(d->b, size->nterms == 0 ? " ?" : "");
}

static void dump_access(struct dump *d, const struct ufc_access *a) {
    buf_printf(d->b, "  %u %s %s, by loops", a->count, a->stored ? "stores of" : "loads of",
               d->plan->operands[a->operand].name);
    dump_loops(d, a->loops);
    for (int i = 0; i < a->nsteps; i++) {
        buf_printf(d->b, "%s %d", i == 0 ? ":" : ",", a->steps[i].factor);
        for (uint32_t rest = a->steps[i].sizes; rest != 0; rest <<= 8)
            buf_printf(d->b, " %s", dim_name(d->plan, (int)(rest >> 24) - 1));
        buf_printf(d->b, " in %d of %d", a->steps[i].subscript, a->steps[i].loop);
    }
    buf_printf(d->b, a->irregular ? ", irregular\n" : "\n");
}

/* "  longest chain: 4 n m + 8, or 4 n / g" */
static void dump_chain(struct dump *d) {
    const struct body_domain *domain = &d->plan->domain;
    for (uint32_t i = 0; i < domain->nchain; i++) {
        const struct ufc_chain *term = &domain->chain[i];
        const char *before = i == 0                                             ? "  longest chain:"
                             : term->sum == term[-1].sum                        ? " +"
                             : term->least > 0 && term->least == term[-1].least ? ", at most"
                                                                                : ", or";
        buf_printf(d->b, "%s %.4g", before, term->clocks);
        for (int k = 0; k < UFC_CHAIN_POWERS && term->dim[k] > 0; k++)
            buf_printf(d->b, " %s", dim_name(d->plan, term->dim[k] - 1));
        for (int k = 0; k < UFC_CHAIN_POWERS && term->over[k] > 0; k++)
            buf_printf(d->b, " / %s", dim_name(d->plan, term->over[k] - 1));
    }
    buf_printf(d->b, domain->nchain > 0 ? "\n" : "");
}

static void dump_domain(struct dump *d) {
    static const char *const kinds[] = {"points", "reduction", "serial"};
    static const char *const works[] = {"float32", "float64", "integer", "special"};
    const struct body_domain *domain = &d->plan->domain;
    for (uint32_t i = 0; i < domain->nloops; i++) {
        const struct ufc_loop *l = &domain->loops[i];
        buf_printf(d->b, "  loop %u in %d, %s%s:", i, l->parent, kinds[l->kind],
                   l->flags & UFC_LOOP_MAY_END ? ", may end" : "");
        if (l->chain > 0)
            buf_printf(d->b, " %u clocks:", l->chain);
        dump_program(d, &l->size);
        buf_printf(d->b, "\n");
    }
    for (uint32_t i = 0; i < domain->nwork; i++) {
        buf_printf(d->b, "  work by loops");
        dump_loops(d, domain->work[i].loops);
        for (int k = 0; k < UFC_WORK_COUNT; k++)
            if (domain->work[i].operations[k] > 0)
                buf_printf(d->b, ", %u %s", domain->work[i].operations[k], works[k]);
        buf_printf(d->b, "\n");
    }
    for (uint32_t i = 0; i < domain->naccesses; i++)
        dump_access(d, &domain->accesses[i]);
    dump_chain(d);
}

void dump_plan(struct uc *uc, struct buf *b) {
    for (const struct plan *p = uc->plans; p != NULL; p = p->next) {
        struct dump d = {.uc = uc, .b = b, .plan = p};
        buf_printf(b, "%s%s: %s\n", p == uc->plans ? "" : "\n", p->overload->decl->name,
                   p->overload->signature);
        buf_printf(b, "  as  %s\n", p->symbol);
        if (p->nin > 0)
            dump_operands(&d, "in ", 0, p->nin);
        dump_operands(&d, "out", p->nin, p->noperands);
        if (p->vars != NULL)
            dump_vars(&d);
        if (p->overload->decl->kind == DECL_GUFUNC)
            dump_mapping(&d);
        dump_domain(&d);
        dump_list(&d, p->body, 1);
    }
}

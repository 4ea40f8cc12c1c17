/* statements.c: what a gufunc's call does at each of its statements that have loops: what these are
 * of, how a GPU's threads share them, what is staged on the way, and what it costs at least. */
#include <string.h>

#include "recorder.h"
#include "statements.h"

/* A statement: the loops from `first` up to `end`, of which those up to `own` are its ranges. */
struct statement {
    const struct body *body;
    uint32_t first, own, end;
};

static const struct ufc_overload *overload_of(const struct statement *s) {
    return s->body->it->overload;
}

static const struct ufc_loop *loop_of(const struct statement *s, uint32_t k) {
    return &overload_of(s)->loops[k];
}

static uint64_t loops_between(uint32_t from, uint32_t to) {
    return (to < 64 ? UINT64_C(1) << to : 0) - (UINT64_C(1) << from);
}

static bool find_statement(struct statement *s, uint32_t from) {
    const struct ufc_overload *o = overload_of(s);
    s->first = from;
    s->own = s->end = from + 1;
    while (s->own < o->nloops && o->loops[s->own].parent == (int32_t)s->own - 1 &&
           (o->loops[s->own].flags & (UFC_LOOP_FURTHER | UFC_LOOP_RAGGED)) == UFC_LOOP_FURTHER)
        s->own++;
    while (s->end < o->nloops && o->loops[s->end].parent >= 0)
        s->end++;
    return from < o->nloops;
}

/* "67108864 points" */
static void put_iterations(const struct statement *s, uint32_t from, uint32_t to, char *text,
                           size_t size) {
    static const char *const before[] = {"", "a reduction of ", ""};
    static const char *const behind[] = {"points", "", "steps in order"};
    uint8_t kind = loop_of(s, from)->kind;
    bool known = true;
    for (uint32_t k = from; k < to; k++)
        known = known && s->body->size[k] >= 0;
    put_text(text, size, "%s", before[kind]);
    if (known)
        put_text(text, size, "%.0f%s", model_points(s->body->it, loops_between(from, to)),
                 *behind[kind] ? " " : "");
    bool ragged = loop_of(s, from)->flags & UFC_LOOP_RAGGED;
    put_text(text, size, "%s",
             !known && ragged                       ? "of a range of its own"
             : !known && kind == UFC_LOOP_REDUCTION ? "elements"
                                                    : behind[kind]);
}

/* The loops inside, each level once: "4096 points, each a reduction of 9". */
static void put_loops(const struct statement *s, char *text, size_t size) {
    put_iterations(s, s->first, s->own, text, size);
    for (uint32_t k = s->own; k < s->end;) {
        struct statement in = {.body = s->body};
        find_statement(&in, k);
        put_text(text, size, k == s->own ? ", each " : " and ");
        put_iterations(s, k, in.own, text, size);
        k = in.own;
    }
}

/* Has the statement an access to an operand in its loops? */
static bool accesses(const struct statement *s, int operand, bool stored) {
    const struct ufc_overload *o = overload_of(s);
    for (uint32_t i = 0; i < o->naccesses; i++)
        if (o->accesses[i].operand == operand && o->accesses[i].stored == stored &&
            o->accesses[i].loops & loops_between(s->first, s->end))
            return true;
    return false;
}

/* "y, z: ", the arrays that it stores to; "of x: ", where it is a number, those that it reads. */
static void put_arrays(const struct statement *s, char *text, size_t size) {
    int named = 0;
    for (int stored = 1; stored >= 0 && named == 0; stored--)
        for (int k = 0; k < walked(s->body->it); k++)
            if (accesses(s, k, stored))
                put_text(text, size, "%s%s",
                         named++ > 0 ? ", "
                         : stored    ? ""
                                     : "of ",
                         s->body->it->ufunc->params[k]);
    put_text(text, size, "%s", named > 0 ? ": " : "");
}

/* ---- costs */

/* The bytes of the elements that the statement accesses, each array's at most once. */
static double bytes_of(const struct statement *s) {
    const struct ufc_overload *o = overload_of(s);
    const struct iteration *it = s->body->it;
    double sum = 0;
    for (int operand = 0; operand < walked(it); operand++) {
        double most = 0, all = (double)operand_bytes(it, operand);
        for (uint32_t i = 0; i < o->naccesses; i++) {
            const struct ufc_access *a = &o->accesses[i];
            if (a->operand != operand || !(a->loops & loops_between(s->first, s->end)))
                continue;
            double bytes = (double)it->total * a->count * model_points(it, a->loops) *
                           dtype_info[it->dtype[operand]].size;
            most = bytes > most ? bytes : most;
        }
        sum += most < all ? most : all;
    }
    return sum;
}

/* "537 M" */
static void put_quantity(double n, char *text, size_t size) {
    static const char *const unit[] = {"", " k", " M", " G", " T", " P", " E"};
    size_t k = 0;
    for (; n >= 999.5 && k + 1 < sizeof unit / sizeof unit[0]; k++)
        n /= 1000;
    put_text(text, size, "%.3g%s", n, unit[k]);
}

static void put_cost(const struct statement *s, const struct gpu_model *m, char *text,
                     size_t size) {
    static const char *const names[] = {"float32", "float64", "integers", "special functions"};
    const struct ufc_overload *o = overload_of(s);
    double work[UFC_WORK_COUNT] = {0}, bytes = bytes_of(s), longest = 0;
    const char *by = "bytes";
    for (uint32_t i = 0; i < o->nwork; i++)
        if (o->work[i].loops & loops_between(s->first, s->end))
            for (int k = 0; k < UFC_WORK_COUNT; k++)
                work[k] += (double)s->body->it->total * o->work[i].operations[k] *
                           model_points(s->body->it, o->work[i].loops);
    put_text(text, size, "; ");
    put_quantity(bytes, text, size);
    put_text(text, size, "%s", bytes >= 999.5 ? "B" : " B");
    if (m != NULL && m->copy_rate > 0)
        longest = bytes / m->copy_rate;
    for (int k = 0; k < UFC_WORK_COUNT; k++) {
        if (work[k] > 0) {
            put_text(text, size, ", ");
            put_quantity(work[k], text, size);
            put_text(text, size, " %s", names[k]);
        }
        if (m != NULL && m->rate[k] > 0 && work[k] / m->rate[k] > longest) {
            longest = work[k] / m->rate[k];
            by = names[k];
        }
    }
    if (longest > 0)
        put_text(text, size, ": %.1f us of %s", longest * 1e6, by);
}

/* ---- how it is shared, and what is staged */

static bool has_shared(const struct statement *s) {
    for (uint32_t k = s->first; k < s->end; k++)
        if (is_shared(overload_of(s), k))
            return true;
    return false;
}

static void put_sharing(const struct statement *s, const struct launched *l, char *text,
                        size_t size) {
    bool shared = has_shared(s), ordered = loop_of(s, s->first)->kind == UFC_LOOP_SERIAL;
    bool follows = l->kind == UFC_KERNEL_FOLLOW && ufc_lag(loop_of(s, s->first)) > 0;
    switch (by_phases(l->kind) ? UFC_BY_POINTS : kernel_info[l->kind].sharing) {
    case UFC_BY_THREAD: put_text(text, size, "; one thread a call"); break;
    case UFC_BY_WARP:
    case UFC_BY_BLOCK:
        put_text(text, size, "; %s",
                 follows ? "iterations shared by the call's threads, one behind another"
                 : !shared && ordered ? "not shared by the call's threads (see -Wserial)"
                 : !shared            ? "not shared by the call's threads"
                 : ordered            ? "steps shared by the call's threads"
                                      : "shared by the call's threads");
        if (shared && l->across > 1)
            put_text(text, size, ", of %u neighbouring calls at a time", l->across);
        break;
    default:
        if (l->swept)
            put_text(text, size, "; in the same sweep");
        if (l->swept && l->launches == 0)
            break;
        put_text(text, size, "%s%s, %d launch%s", l->swept ? "" : "; ",
                 l->swept ? "" : kernel_info[l->kind].name, l->launches,
                 l->launches == 1 ? "" : "es");
        if (l->neighbours > 0)
            put_text(text, size, ", %u neighbours a thread", l->neighbours);
        if (l->abreast > 0)
            put_text(text, size, ", %u points a thread at once", l->abreast);
        if (l->kind == UFC_KERNEL_DEAL)
            put_text(text, size, ", keys taken to be spread");
        if (l->seconds > 0)
            put_text(text, size, " of %.1f us by %s", l->seconds * 1e6, l->by);
    }
}

/* Do two statements or more read an input? */
static bool is_read_again(const struct statement *s, int operand) {
    struct statement other = {.body = s->body};
    int readers = 0;
    for (uint32_t k = 0; find_statement(&other, k); k = other.end)
        readers += accesses(&other, operand, false);
    return readers > 1;
}

/* Where an operand is while the statement runs, if not in memory alone; NULL: there. */
static const char *stage_of(const struct statement *s, const struct launched *l, int operand) {
    const struct iteration *it = s->body->it;
    bool is_input = operand < (int)it->ufunc->nin;
    enum ufc_sharing by = kernel_info[l->kind].sharing;
    if (l->kind == UFC_KERNEL_RESIDENT && it->overload->resident >> operand & 1 &&
        (!is_input || l->inputs))
        return "shared memory";
    if (l->kind == UFC_KERNEL_HALO && it->overload->halo.stored >> operand & 1)
        return "shared memory";
    if (l->kind == UFC_KERNEL_PANEL && it->overload->panels.stored >> operand & 1)
        return "shared memory";
    if (!accesses(s, operand, false) || !is_input)
        return NULL;
    if (by == UFC_BY_TILE)
        return "shared memory";
    bool holds = l->kind == UFC_KERNEL_WARP || l->kind == UFC_KERNEL_BLOCK;
    if (ufc_is_joint(l->kind) && it->overload->in_memory >> operand & 1)
        return "shared memory";
    return holds && l->held && is_read_again(s, operand) ? "registers" : NULL;
}

/* "; x, y in shared memory", of operands from `first` on. */
static void put_stages(const struct statement *s, const struct launched *l, int first, char *text,
                       size_t size) {
    const char *stage = NULL;
    for (int k = first; k < walked(s->body->it); k++) {
        const char *own = stage_of(s, l, k);
        if (own != NULL)
            put_text(text, size, "%s%s", stage ? ", " : "; ", s->body->it->ufunc->params[k]);
        stage = own != NULL ? own : stage;
    }
    if (stage != NULL)
        put_text(text, size, " in %s", stage);
}

void describe_statements(const struct body *body, const struct gpu_model *m,
                         const struct launched *launched, char *text, size_t size) {
    struct statement s = {.body = body};
    for (uint32_t k = 0; find_statement(&s, k); k = s.end) {
        const struct ufc_loop *loop = loop_of(&s, k);
        const struct launched *l = launched;
        if (l != NULL && by_phases(l->kind))
            l += loop->phase;
        put_text(text, size, "%u: ", loop->line);
        put_arrays(&s, text, size);
        put_loops(&s, text, size);
        if (l != NULL) {
            put_sharing(&s, l, text, size);
            put_stages(&s, l, 0, text, size);
        }
        put_cost(&s, m, text, size);
        put_text(text, size, "\n");
    }
    char *last = strrchr(text, '\n');
    text[last != NULL ? last - text + 1 : 0] = '\0';
}

void describe_held(const struct body *body, const struct launched *launched, char *text,
                   size_t size) {
    const struct ufc_ufunc *ufunc = body->it->ufunc;
    struct statement s = {.body = body};
    if (*text && (launched->kind == UFC_KERNEL_RESIDENT || launched->kind == UFC_KERNEL_HALO ||
                  launched->kind == UFC_KERNEL_PANEL))
        put_stages(&s, launched, (int)(ufunc->nin + ufunc->nout), text, size);
}

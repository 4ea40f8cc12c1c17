/* kernel.c: which of kernel.def's GPU kernels an overload has. */
#include "uc.h"

static bool always(const struct plan *p) {
    (void)p;
    return true;
}

/* ---- of ufuncs */

static bool fits_rows(const struct plan *p) {
    return p->noperands <= MOST_IN_ROWS;
}

static bool fits_transpose(const struct plan *p) {
    int bytes = 0;
    for (int k = 0; k < p->nin; k++)
        bytes += dtype_info[p->operands[k].dtype].bits / 8;
    return p->nin > 0 && bytes <= MOST_TRANSPOSED;
}

static bool has_identity(const struct plan *p) {
    return has_methods(p) && p->overload->identity != NULL;
}

/* ---- of gufuncs */

/* Are all core dimensions numbers, or computed? */
static bool has_fixed_core(const struct plan *p) {
    for (const struct dim *dim = p->overload->decl->dims; dim != NULL; dim = dim->next)
        if (dim->size < 0 && dim->expr == NULL)
            return false;
    return true;
}

static bool has_named_core(const struct plan *p) {
    return !has_fixed_core(p);
}

/* A while outside of spreads.  A subscript that is out of range may be what would have ended it. */
static enum walk find_while(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_LOOP ? WALK_STOP : s->kind == PS_SPREAD ? WALK_PAST : WALK_IN;
}

static bool has_while(const struct pstmt *list) {
    return !plan_walk(list, &(struct plan_visitor){.stmt = find_while}, NULL);
}

/* With subscripts that are tested, threads that share a call go on outside of spreads, for they
 * wait for one another; what one has by itself it may leave. */
static bool spreads(const struct plan *p) {
    return p->map.spreads && !(p->checked && has_while(p->body));
}

static bool spreads_in_phases(const struct plan *p) {
    return spreads(p) && p->map.in_phases;
}

static bool is_contraction(const struct plan *p) {
    return p->map.contraction != NULL;
}

static bool has_window(const struct plan *p) {
    return p->map.window != NULL;
}

/* ---- the table */

/* With subscripts that are tested there are the simplest kernels of each size; of ufuncs those that
 * compute each element once, and of those that reduce the one in order: TREE combines what may be
 * no element. */
static const struct existence {
    bool (*exists)(const struct plan *p);
    bool checked;
} existence[UFC_KERNEL_COUNT] = {
#define KERNEL(family, ID, suffix, name, module, sharing, size, block, checked, exists, body)      \
    {exists, checked},
#include "kernel.def"
#undef KERNEL
};

bool has_kernel(const struct plan *p, enum ufc_kernel_kind kind) {
    bool of_gufunc = kernel_info[kind].family == UFC_FAMILY_GUFUNC;
    return of_gufunc == (p->overload->decl->kind == DECL_GUFUNC) &&
           (existence[kind].checked || !p->checked) && existence[kind].exists(p);
}

bool has_module(const struct plan *p, enum ufc_module module) {
    for (enum ufc_kernel_kind kind = 0; kind < UFC_KERNEL_COUNT; kind++)
        if (kernel_info[kind].module == module && has_kernel(p, kind))
            return true;
    return false;
}

const char *entry_name(struct uc *uc, const struct plan *p, enum ufc_kernel_kind kind) {
    return arena_printf(uc, "%s_%s", p->symbol, kernel_info[kind].suffix);
}

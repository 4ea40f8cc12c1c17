/* kernel.c: which of kernel.def's GPU kernels an overload has, and what its image says of them;
 * whether it has host code. */
#include "uc.h"

static bool always(const struct plan *p) {
    (void)p;
    return true;
}

/* ---- of ufuncs */

static bool fits_rows(const struct plan *p) {
    return p->noperands <= MAX_IN_ROWS;
}

static enum walk weigh(const struct pval *v, void *weight) {
    *(int *)weight += v->kind == PV_CALL ? CALL_COST : 1;
    return WALK_IN;
}

static bool has_numbers(const struct plan *p) {
    int weight = 0;
    plan_walk(p->body, &(struct plan_visitor){.value = weigh}, &weight);
    return p->nin > 1 && weight <= LARGE_BODY && !has_loop(p->body);
}

static int input_bytes(const struct plan *p) {
    int bytes = 0;
    for (int k = 0; k < p->nin; k++)
        bytes += dtype_info[p->operands[k].dtype].bits / 8;
    return bytes;
}

static bool fits_transpose(const struct plan *p) {
    return p->nin > 0 && input_bytes(p) <= MAX_TRANSPOSED;
}

int transpose_side(const struct plan *p) {
    bool wide = p->nin <= 2 && input_bytes(p) <= FEW_TRANSPOSED;
    return wide ? TRANSPOSE_WIDE : TRANSPOSE_SIDE;
}

static bool merges(const struct plan *p) {
    struct pstmt put;
    return merges_at(p, &put);
}

/* ---- of gufuncs */

/* Whether all core dimensions are fixed numbers or computed. */
static bool has_fixed_core(const struct plan *p) {
    for (const struct dim *dim = p->overload->decl->dims; dim != NULL; dim = dim->next)
        if (dim->size < 0 && dim->expr == NULL)
            return false;
    return true;
}

/* Whether a call has results, and a thread's registers hold each of its operands, where all core
 * dimensions that have names are of this size: computed ones are not below 0, which is an error,
 * and some output has elements. */
static bool is_small(const struct plan *p, int64_t named) {
    const struct decl *d = p->overload->decl;
    int64_t size[MAX_DIMS];
    bool any = false;
    for (const struct dim *dim = d->dims; dim != NULL; dim = dim->next) {
        const struct ufc_program computed = {dim->terms, (uint64_t)dim->nterms};
        int64_t *n = &size[dim->index];
        *n = dim->size >= 0 ? dim->size : named;
        if (dim->expr != NULL && (!ufc_program_size(&computed, size, n) || *n < 0))
            return false;
    }
    for (int k = 0; k < p->noperands; k++) {
        int64_t elements = 1;
        for (int r = 0; r < p->operands[k].rank; r++) {
            int64_t n = size[p->operands[k].dims[r]->index];
            elements =
                n > UFC_MAX_HELD || elements * n > UFC_MAX_HELD ? UFC_MAX_HELD + 1 : elements * n;
        }
        any = any || (k >= p->nin && elements > 0);
        if (elements > UFC_MAX_HELD)
            return false;
    }
    return any;
}

static bool has_small_core(const struct plan *p) {
    return has_fixed_core(p) && is_small(p, 0);
}

static bool has_core_2(const struct plan *p) {
    return !has_fixed_core(p) && is_small(p, 2);
}

static bool has_core_3(const struct plan *p) {
    return !has_fixed_core(p) && is_small(p, 3);
}

static bool has_core_4(const struct plan *p) {
    return !has_fixed_core(p) && is_small(p, 4);
}

/* Finds a while loop outside of spreads. */
static enum walk find_while(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_LOOP ? WALK_STOP : s->kind == PS_SPREAD ? WALK_PAST : WALK_IN;
}

static bool has_while(const struct pstmt *list) {
    return !plan_walk(list, &(struct plan_visitor){.stmt = find_while}, NULL);
}

/* Whether threads may share a call.  With tested subscripts they go on after a failed test outside
 * of spreads, since they wait for one another, and a while loop that the subscript should have
 * ended would not end. */
static bool spreads(const struct plan *p) {
    return (p->map.spreads || p->map.shared) && !(p->checked && has_while(p->body));
}

/* Whether a phase is a scan, and not one at each point of a definition. */
static bool has_units(const struct plan *p, int phase) {
    return p->map.phase[phase].units > 0 && p->map.phase[phase].ranges == 0;
}

/* Whether all is one scan, beside straight code. */
static bool is_one_scan(const struct plan *p) {
    return p->map.phases == 1 && has_units(p, 0);
}

/* Whether the launch can number the points: the sizes of definitions are known. */
static bool nests(const struct plan *p) {
    bool known = (spreads(p) || p->map.deals) && p->map.in_phases &&
                 p->map.phases <= UFC_MAX_PHASES && (p->steps != NULL || !is_one_scan(p));
    for (uint32_t i = 0; i < p->domain.nloops; i++) {
        const struct ufc_loop *l = &p->domain.loops[i];
        bool inner = l->parent >= 0 && (p->domain.loops[l->parent].kind != UFC_LOOP_POINTS ||
                                        !(l->flags & UFC_LOOP_FURTHER)); /* at a point */
        known = known && (l->kind != UFC_LOOP_POINTS || inner || l->flags & UFC_LOOP_RAGGED ||
                          l->size.nterms > 0);
    }
    return known && p->domain.nloops > 0;
}

/* Whether a thread may have a call.  Where all is one definition by reductions, choose_spread has
 * NEST compute it, or WARP and BLOCK what NEST cannot number, however many calls there are. */
static bool has_threads(const struct plan *p) {
    const struct ufc_phase *first = p->map.phase; /* NULL where there are none */
    return !(nests(p) && p->map.phases == 1 && first->ranges > 0 && first->reductions > 0);
}

/* Ordered loops whose iterations follow one another may be all that threads share. */
static bool has_resident(const struct plan *p) {
    return (spreads(p) || p->map.follows) && p->map.resident != 0;
}

static bool has_follow(const struct plan *p) {
    return has_resident(p) && p->map.follows;
}

static bool has_halo(const struct plan *p) {
    return has_resident(p) && p->map.halo != NULL;
}

static bool has_panels(const struct plan *p) {
    return has_resident(p) && p->map.panels != NULL;
}

static bool has_clusters(const struct plan *p) {
    return spreads(p) && has_step_arrays(p) && !p->map.follows;
}

/* Whether some phase merges numbers into bins that blocks may have copies of. */
static bool scatters(const struct plan *p) {
    bool any = false;
    for (int i = 0; i < p->map.phases && nests(p); i++)
        any = any || p->map.phase[i].merged != 0;
    return any;
}

static bool repeats(const struct plan *p) {
    return p->repeated >> p->nin != 0;
}

static bool has_tiling(const struct plan *p) {
    return next_tiling(p, 0) != NULL;
}

/* Where only calls are rows, tiles of two sizes will do. */
static bool has_results_tiling(const struct plan *p) {
    return has_tiling(p) && !tiles_calls(p);
}

/* Whether the GPU's matrix units can compute some tiling's sums. */
static bool has_matrix(const struct plan *p) {
    bool any = false;
    for (int i = 0; i < p->map.phases; i++)
        any = any || is_matrix(p->map.tiling[i]);
    return any;
}

static bool has_window(const struct plan *p) {
    return p->map.window != NULL;
}

static bool has_constant_bounds(const struct pstmt *s) {
    return s->lo->kind == PV_CONST && s->hi->kind == PV_CONST;
}

static enum walk find_ordered(const struct pstmt *s, void *any) {
    if (s->kind == PS_SPREAD)
        return WALK_STOP;
    if (s->kind != PS_FOR || has_constant_bounds(s))
        return WALK_IN;
    *(bool *)any = true;
    return has_store(s->body) ? WALK_STOP : WALK_PAST;
}

/* Whether all ordered loops only read, so that calls may share all that they access in turn. */
static bool may_be_uniform(const struct plan *p) {
    bool any = false;
    return plan_walk(p->body, &(struct plan_visitor){.stmt = find_ordered}, &any) && any;
}

static bool is_helped(const struct plan *p) {
    return p->map.helped;
}

/* Whether some phase is a scan. */
static bool has_prefix(const struct plan *p) {
    bool any = false;
    for (int i = 0; i < p->map.phases; i++)
        any = any || has_units(p, i);
    return any && p->map.in_phases && (is_one_scan(p) || nests(p));
}

/* Whether all is one scan, behind assignments alone. */
static bool has_strip(const struct plan *p) {
    const struct pstmt *s = p->body->body;
    while (s != NULL && s->kind == PS_SET)
        s = s->next;
    return has_prefix(p) && s != NULL && is_scan_loop(s) && s->next == NULL;
}

/* Whether some phases are a sweep. */
static bool has_sweep(const struct plan *p) {
    bool any = false;
    for (int i = 0; i < p->map.phases; i++)
        any = any || p->map.phase[i].sweep > 0;
    return any && nests(p);
}

bool is_held_sweep_large(const struct plan *p) {
    bool large = false;
    for (int k = 0; k < p->noperands; k++)
        large = large || dtype_info[p->operands[k].dtype].bits >= 64;
    for (int i = 0; i < p->map.phases; i++)
        large = large || (p->map.phase[i].cells > 0 && p->map.phase[i].ranges > 1);
    return large;
}

static bool has_held_sweep(const struct plan *p) {
    bool complex = false;
    for (int k = 0; k < p->noperands; k++)
        complex = complex || is_complex(p->operands[k].dtype);
    return has_sweep(p) && !complex;
}

static bool joins_blocks(const struct plan *p) {
    return spreads(p) && p->map.entry > 0 && !p->map.several &&
           ufc_joint_points((uint32_t)p->map.held, (uint32_t)p->map.kept_bytes) > 0;
}

static bool has_columns(const struct plan *p) {
    return joins_blocks(p) && p->map.beside;
}

static bool has_series(const struct plan *p) {
    return p->map.series;
}

/* Whether some phase deals entries out. */
static bool has_deals(const struct plan *p) {
    bool any = false;
    for (int i = 0; i < p->map.phases; i++)
        any = any || p->map.phase[i].deals > 0;
    return any && nests(p);
}

static bool has_small_2(const struct plan *p) {
    return p->map.small_most > 0;
}

static bool has_small_4(const struct plan *p) {
    return p->map.small_most > 2;
}

static bool has_small_8(const struct plan *p) {
    return p->map.small_most > 4;
}

static bool has_small_16(const struct plan *p) {
    return p->map.small_wide >= 16;
}

static bool has_small_32(const struct plan *p) {
    return p->map.small_wide >= 32;
}

static bool has_small_64(const struct plan *p) {
    return p->map.small_wide >= 64;
}

/* Whether lanes may keep several elements of a state, which shared memory has room for, too. */
static bool keeps_several(const struct plan *p) {
    int bytes = 0;
    for (int k = 0; k < p->noperands; k++)
        if (p->map.state_arrays >> k & 1)
            bytes += dtype_info[p->operands[k].dtype].bits / 8;
    return spreads(p) && p->map.state != NULL && bytes <= UFC_STATE_BYTES;
}

/* ---- the table */

/* exists: whether an overload has the kernel.  checked: whether the kernel exists with tested
 * subscripts too.  That holds for the simplest kernel of each size: of ufuncs' kernels for those
 * that compute each element once, of reductions for the serial one, as TREE may combine values that
 * are no elements. */
static const struct existence {
    bool (*exists)(const struct plan *p);
    bool checked;
} existence[UFC_KERNEL_COUNT] = {
#define KERNEL(family, ID, suffix, name, module, sharing, size, block, checked, exists, body)      \
    {exists, checked},
#include "kernel.def"
#undef KERNEL
};

static bool has_wide_inputs(const struct plan *p) {
    bool wide = false;
    for (int k = 0; k < p->nin; k++)
        wide = wide || dtype_info[p->operands[k].dtype].bits >= 64;
    return wide;
}

static bool has_double_inputs(const struct plan *p) {
    bool any = false;
    for (int k = 0; k < p->nin; k++)
        any =
            any || (is_float(p->operands[k].dtype) && dtype_info[p->operands[k].dtype].bits >= 64);
    return any;
}

/* What a phase that merges has: statements that do, and operands that it
 * reads, a bit each. */
struct merging {
    int puts;
    uint64_t operands;
};

static enum walk note_operand(const struct pval *v, void *merging) {
    if (v->kind == PV_ELEM)
        ((struct merging *)merging)->operands |= UINT64_C(1) << v->operand;
    return WALK_IN;
}

static enum walk count_merging(const struct pstmt *s, void *merging) {
    struct merging *m = merging;
    if (s->kind == PS_PUT && s->merged) {
        m->puts++;
        value_walk(merged_value(s), note_operand, m);
        for (int i = 0; i < s->place->nargs; i++)
            value_walk(s->place->args[i], note_operand, m);
        return WALK_IN;
    }
    stmt_values(s, note_operand, m);
    return WALK_IN;
}

/* Has a phase one merging statement, which reads elements of two inputs at most, by three
 * subscripts; or two of three inputs where vectors have two elements? */
static bool merges_simply_in(const struct plan *p, const struct merging *m) {
    int operands = 0, subscripts = 0;
    for (int k = 0; k < p->nin; k++)
        if (m->operands >> k & 1) {
            operands++;
            subscripts += p->operands[k].rank;
        }
    if (has_wide_inputs(p))
        return m->puts <= 2 && operands <= 3 && subscripts <= 3;
    return m->puts <= 1 && operands <= 2 && subscripts <= 3;
}

/* Do all phases that merge read so little that a thread of SCATTER, which loads what several points
 * read before it merges the first, does so with 64 registers? */
static bool merges_simply(const struct plan *p) {
    enum { FEW_PHASES = 2 }; /* whose operands' addresses are kept besides */
    const struct plan_visitor count = {.stmt = count_merging};
    bool simply = true;
    int phases = 0;
    for (const struct pstmt *s = p->body->body; s != NULL; s = s->next) {
        struct merging m = {0};
        if (s->kind == PS_SPREAD && s->merged) {
            stmt_walk(s, &count, &m);
            phases++;
        }
        simply = simply && merges_simply_in(p, &m);
    }
    return simply && (phases <= FEW_PHASES || !has_wide_inputs(p)) && !has_double_inputs(p);
}

uint32_t block_threads(const struct plan *p, enum ufc_kernel_kind kind) {
    if (kind == UFC_KERNEL_SCATTER && !merges_simply(p))
        return SCATTER_BLOCK; /* twice as many have too few registers */
    return kind == UFC_KERNEL_BLOCK && p->map.long_rows ? HELD_THREADS : kernel_info[kind].threads;
}

/* Whether all is one scan or reduction, without arrays that another version has not. */
static bool is_composed(const struct plan *p) {
    int given = p->nin + p->overload->nout;
    for (const struct param *i = p->overload->decl->intermediates; i != NULL; i = i->next)
        given++;
    return p->noperands == given && p->map.in_phases && p->map.phases == 1 && p->steps == NULL &&
           (p->map.scans || p->map.phase[0].reductions > 0) && p->map.phase[0].ranges == 0;
}

bool has_kernel(const struct plan *p, enum ufc_kernel_kind kind) {
    bool of_gufunc = kernel_info[kind].family == UFC_FAMILY_GUFUNC;
    bool in_phases = (kind >= UFC_KERNEL_NEST && kind <= UFC_KERNEL_TILE_128) ||
                     kind == UFC_KERNEL_SCATTER || ufc_is_band(kind) || kind == UFC_KERNEL_PREFIX ||
                     ufc_is_sweep(kind) || kind == UFC_KERNEL_DEAL || ufc_is_matrix(kind) ||
                     (kind == UFC_KERNEL_RESIDENT && p->map.phased);
    bool in_calls = kind == UFC_KERNEL_THREAD || kind == UFC_KERNEL_UNIFORM || ufc_is_small(kind) ||
                    ufc_is_warp(kind) || kind == UFC_KERNEL_BLOCK || ufc_is_joint(kind) ||
                    kind == UFC_KERNEL_PREFIX || kind == UFC_KERNEL_STRIP ||
                    kind == UFC_KERNEL_SERIES;
    bool may = !p->calls || in_calls || kind == UFC_KERNEL_HELPED || kind == UFC_KERNEL_LONE ||
               (p->nests && kind == UFC_KERNEL_NEST) || (p->retimed && kind == UFC_KERNEL_RESIDENT);
    if (p->stores)
        may = in_phases || (in_calls && is_composed(p));
    if (!may || p->host_only)
        return false;
    return of_gufunc == (p->overload->decl->kind == DECL_GUFUNC) &&
           (existence[kind].checked || !p->checked) && existence[kind].exists(p);
}

_Static_assert(UFC_KERNEL_COUNT <= 64, "the bits of a set of kernels");

uint64_t module_kernels(const struct plan *p, enum ufc_module module) {
    uint64_t kernels = 0;
    for (enum ufc_kernel_kind kind = 0; kind < UFC_KERNEL_COUNT; kind++)
        if (kernel_info[kind].module == module && has_kernel(p, kind))
            kernels |= UINT64_C(1) << kind;
    return kernels;
}

bool is_common_module(enum ufc_module module) {
    return module == UFC_MODULE_SORT;
}

bool has_host_code(const struct uc *uc, const struct plan *p) {
    return (!is_version(p) || p->on_host) && p->overload->decl != uc->copies;
}

const char *entry_name(struct uc *uc, const struct plan *p, enum ufc_kernel_kind kind) {
    const char *suffix = kernel_info[kind].suffix;
    return is_common_module(kernel_info[kind].module)
               ? arena_printf(uc, "%s_0%s", stem(uc), suffix)
               : arena_printf(uc, "%s_%s", p->symbol, suffix);
}

int vector_width(const struct plan *p) {
    int widest = 8;
    for (int k = 0; k < p->noperands; k++)
        if (dtype_info[p->operands[k].dtype].bits > widest)
            widest = dtype_info[p->operands[k].dtype].bits;
    return 128 / widest;
}

/* occupancy.c: how many blocks of a kernel a multiprocessor is to hold at least.  ptxas limits a
 * thread's registers by it; with 0 it chooses their number. */
#include "gen/gpu/gpu.h"

enum { SMALLEST_BODY = 8 };

static bool has_bits(const struct plan *p, int bits) {
    for (int k = 0; k < p->noperands; k++)
        if (dtype_info[part_dtype(p->operands[k].dtype)].bits == bits)
            return true;
    return false;
}

bool has_64_bits(const struct plan *p) {
    return has_bits(p, 64);
}

bool is_smallest(const struct plan *p, LLVMValueRef element) {
    return body_size(element) <= SMALLEST_BODY && p->nin > 1 && p->noperands <= 3 &&
           !has_64_bits(p);
}

/* Ufuncs' kernels for any layout: in those of large bodies ptxas chooses slightly too few
 * registers, and in TRANSPOSE for what float64's functions of libdevice call.  In ROWS of the
 * smallest ones it has 64 for what a loop does not change, where 48 do. */
static int of_layout(const struct plan *p, enum ufc_kernel_kind kind, LLVMValueRef element) {
    if (kind == UFC_KERNEL_ROWS && is_smallest(p, element))
        return 5;
    if (body_size(element) <= LARGE_BODY)
        return kind == UFC_KERNEL_TRANSPOSE && has_64_bits(p) ? 3 : 0;
    return p->noperands > 4 || has_64_bits(p) ? 2 : 3;
}

static enum walk find_call(const struct pval *v, void *none) {
    (void)none;
    return v->kind == PV_CALL ? WALK_STOP : WALK_IN;
}

/* SCAN, of elements of so many bits: functions need the more registers. */
static int of_accumulation(const struct plan *p, int bits) {
    bool calls = !plan_walk(p->body, &(struct plan_visitor){.value = find_call}, NULL);
    if (has_loop(p->body))
        return 2;
    return bits <= 32 ? 6 : bits == 64 && !calls ? 4 : 3;
}

/* TREE needs 48 registers, or 64, as ACROSS does; left to itself ptxas chooses fewer, and
 * spills.  What a thread has of bytes, in a word each, and of wide elements takes more. */
static int of_fold(const struct plan *p, enum ufc_kernel_kind kind) {
    int bits = dtype_info[p->operands[0].dtype].bits;
    switch (kind) {
    case UFC_KERNEL_TREE: return bits == 16 || bits == 32 ? 5 : 4;
    case UFC_KERNEL_ACROSS: return bits == 8 ? 2 : 4;
    case UFC_KERNEL_SCAN: return of_accumulation(p, bits);
    case UFC_KERNEL_AT: return bits > 64 || has_loop(p->body) ? 2 : 4;
    default: return 0;
    }
}

static int accs_words(const struct shape *s) {
    int bits = 0;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        bits += dtype_info[a->acc->dtype].bits;
    return (bits + 31) / 32;
}

/* 32-bit registers that the accs of one result take, in a kernel with shared memory. */
static int results_words(const struct plan *p) {
    int most = p->map.window != NULL ? accs_words(&p->map.window->shape) : 0;
    for (int i = 0; i < p->map.phases; i++) {
        const struct tiling *t = p->map.tiling[i];
        int words = t != NULL ? accs_words(&t->shape) : 0;
        most = words > most ? words : most;
    }
    return most;
}

/* 32-bit registers that a thread's results take, of tilings whose factors are computed from several
 * elements; 0: there are none. */
static int computed_words(const struct plan *p) {
    int most = 0;
    for (int i = 0; i < p->map.phases; i++) {
        const struct tiling *t = p->map.tiling[i];
        for (int n = 0; t != NULL && n < t->nfactors; n++) {
            int words = t->per[0] * t->per[1] * accs_words(&t->shape);
            if (t->factors[n].place == NULL && words > most)
                most = words;
        }
    }
    return most;
}

static int count_arrays(const struct plan *p) {
    int n = 0;
    for (int k = 0; k < p->noperands; k++)
        n += p->operands[k].rank > 0;
    return n;
}

static enum walk find_ordered(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_FOR ? WALK_STOP : s->kind == PS_SPREAD ? WALK_PAST : WALK_IN;
}

static bool has_ordered_loop(const struct plan *p) {
    return !plan_walk(p->body, &(struct plan_visitor){.stmt = find_ordered}, NULL);
}

/* May teams of a block share the reductions of all tilings, with few elements loaded ahead?  Then
 * blocks wait for memory more than for products. */
static bool gathers(const struct plan *p) {
    bool all = true;
    for (int i = 0; i < p->map.phases; i++) {
        const struct tiling *t = p->map.tiling[i];
        all = all && (t == NULL || (t->gathers && t->nahead[0] <= 1 && t->nahead[1] <= 1));
    }
    return all;
}

/* Does some tiling reduce in two loops, with and without conditions? */
static bool is_twofold(const struct plan *p) {
    bool any = false;
    for (int i = 0; i < p->map.phases; i++)
        any = any ||
              (p->map.tiling[i] != NULL && (p->map.tiling[i]->guarded || p->map.tiling[i]->finite));
    return any;
}

/* Do some terms in order use their indices as numbers?  These take registers beside results. */
static bool names_ordered_terms(const struct plan *p) {
    bool any = false;
    for (int i = 0; i < p->map.phases; i++) {
        const struct tiling *t = p->map.tiling[i];
        any = any || (t != NULL && t->in_order && t->names_index);
    }
    return any;
}

/* Blocks of BAND: four or five warps a scheduler; four where the addresses of batches take
 * registers.
 */
static int of_band(const struct plan *p, int words) {
    int blocks = is_twofold(p) ? 4 : 5;
    for (int i = 0; i < p->map.phases; i++)
        if (p->map.tiling[i] != NULL && p->map.tiling[i]->batch != NULL)
            blocks = 4;
    return words > blocks ? 1 : blocks / words;
}

/* Blocks of tiles, whose results are `words` words each: the largest tiles are reduced fastest by
 * few threads with all the registers; with the smaller ones more threads wait for memory at a time,
 * as many as have registers without spilling.  (Measured on an H200, with products of matrices.) */
static int of_tile(const struct plan *p, enum ufc_kernel_kind kind) {
    enum { FEW = 32 };
    int words = results_words(p), computed = computed_words(p);
    int most = computed > FEW || names_ordered_terms(p) ? 4 : 6;
    switch (kind) {
    case UFC_KERNEL_TILE_16:
        return words > 2 || (words + (computed > 0) > 1 && !gathers(p)) ? 1 : 2;
    case UFC_KERNEL_TILE_32: return words > 2 ? 4 : computed > 0 ? 6 : 8;
    case UFC_KERNEL_BAND: return of_band(p, words);
    case UFC_KERNEL_BAND_64: return 2;
    case UFC_KERNEL_TILE_64: return words > most ? 1 : most / words;
    default: return 1;
    }
}

static enum walk find_stored_rows(const struct pstmt *s, void *none) {
    (void)none;
    return s->held && s->accs == NULL ? WALK_STOP : WALK_IN;
}

/* Do points that registers hold have results, for which ptxas chooses too many registers, or too
 * few? */
static bool stores_rows(const struct plan *p) {
    return !plan_walk(p->body->body, &(struct plan_visitor){.stmt = find_stored_rows}, NULL);
}

/* The size of the neighbouring points that a thread of NEST takes together; 0: it takes none. */
static int64_t neighbours_size(const struct plan *p) {
    int64_t most = 0;
    for (const struct pstmt *s = p->body->body; s != NULL; s = s->next) {
        uint32_t n = s->kind == PS_SPREAD ? p->map.phase[s->phase].neighbours : 0;
        int64_t size = n > 0 ? n * point_size(s) : 0;
        most = size > most ? size : most;
    }
    return most;
}

/* Are some of these so large that a thread takes rows of them at once? */
static bool has_large_neighbours(const struct plan *p) {
    bool any = false;
    for (const struct pstmt *s = p->body->body; s != NULL; s = s->next)
        any = any || (s->kind == PS_SPREAD && p->map.phase[s->phase].neighbours > 0 &&
                      point_size(s) > WALKED_BODY);
    return any;
}

/* Does a thread of NEST have several points at once in some phase? */
static bool takes_abreast(const struct plan *p) {
    bool any = false;
    for (int i = 0; i < p->map.phases; i++)
        any = any || p->map.phase[i].abreast > 0;
    return any;
}

/* Does a thread of NEST have points along two ranges in some phase? */
static bool takes_microtiles(const struct plan *p) {
    bool any = false;
    for (int i = 0; i < p->map.phases; i++)
        any = any || p->map.phase[i].micro[0] > 0;
    return any;
}

/* Does a thread of NEST take terms in order, of two iterations and many points at once: along two
 * ranges, or of 64 bits? */
static bool takes_ordered_terms(const struct plan *p) {
    bool any = false;
    for (int i = 0; i < p->map.phases; i++) {
        const struct ufc_phase *phase = &p->map.phase[i];
        bool many = phase->micro[0] > 0 || (phase->abreast > 0 && has_64_bits(p));
        any = any || (many && phase->reductions == 0);
    }
    return any;
}

/* NEST, if elements of reductions slide in some phase, whose points may end at different places, or
 * those of loops in order, which compute terms of all points besides; 0: in none. */
static int of_sliding(const struct plan *p) {
    int blocks = 0;
    for (int i = 0; i < p->map.phases; i++) {
        const struct ufc_phase *phase = &p->map.phase[i];
        int own = phase->uneven || phase->reductions == 0 || has_64_bits(p) ? 2 : 3;
        if (phase->slides > 0 && (blocks == 0 || own < blocks))
            blocks = own;
    }
    return blocks;
}

/* Finds a loop that stores, for which elements are loaded ahead. */
static enum walk find_storing_loop(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_FOR && !has_loop(s->body) && has_store(s->body) ? WALK_STOP : WALK_IN;
}

/* Have points such loops? */
static bool has_storing_loop(const struct plan *p) {
    bool any = false;
    for (const struct pstmt *s = p->body->body; s != NULL; s = s->next)
        any = any || (s->kind == PS_SPREAD &&
                      !stmt_walk(s, &(struct plan_visitor){.stmt = find_storing_loop}, NULL));
    return any;
}

/* NEST, if a thread takes neighbouring points together.  In kernels of many phases loops of points
 * abreast keep more values besides, and so do points along two ranges of 64 bits, or in order, or
 * with loops that store these. */
static int of_neighbours(const struct plan *p) {
    enum { LARGE_NEIGHBOURS = 320, MANY_PHASES = 4 };
    bool large = has_64_bits(p) || neighbours_size(p) > LARGE_NEIGHBOURS;
    bool two = has_large_neighbours(p) || takes_ordered_terms(p) ||
               (has_64_bits(p) && (takes_microtiles(p) || has_storing_loop(p)));
    int blocks = two ? 2 : large || p->map.lane_series > 0 ? 3 : 4;
    return takes_abreast(p) && p->map.phases > MANY_PHASES ? blocks - 1 : blocks;
}

/* Bytes of the accs of a scan, of the phase whose scan has the most. */
static uint32_t widest_entry(const struct plan *p) {
    uint32_t most = 0;
    for (int i = 0; i < p->map.phases; i++)
        most = p->map.phase[i].entry > most ? p->map.phase[i].entry : most;
    return most;
}

/* PREFIX, whose threads hold `words` words of iterations. */
static int of_runs(int words, uint32_t entry) {
    enum { FEW = 16, MANY = 32, MOST = 48, WIDE = 16, WIDEST = 24 };
    return words > MOST && entry > WIDEST ? 2
           : words > MANY || entry > WIDE ? 3
           : words > FEW                  ? 4
                                          : 5;
}

/* Kernels of scans, with the accs of several iterations a thread. */
static int of_scan(const struct plan *p, enum ufc_kernel_kind kind) {
    enum { ONE_ACC = 8, TWO_ACCS = 16 }; /* bytes of an entry, of accs of 32 bits */
    uint32_t entry = widest_entry(p);
    if (kind == UFC_KERNEL_PREFIX && p->map.run_words > 0)
        return of_runs(p->map.run_words, entry);
    if (kind == UFC_KERNEL_BLOCK || entry > TWO_ACCS)
        return 1;
    if (kind == UFC_KERNEL_STRIP)
        return entry > ONE_ACC ? 3 : 4;
    return kind != UFC_KERNEL_PREFIX ? 3 : has_bits(p, 8) ? 5 : 6; /* of bytes, in a word each */
}

/* Does a body have points with definitions in them? */
static bool has_points_within(const struct plan *p) {
    const struct pstmt *s = p->body->body;
    while (s != NULL && !(s->kind == PS_SPREAD && s->accs == NULL && has_inner_definitions(s)))
        s = s->next;
    return s != NULL;
}

/* Kernels of gufuncs: for large bodies and 64-bit values ptxas may choose so few registers that it
 * spills.  (Measured on an H100, with softmax, sums and products of matrices.) */
static int of_gufunc(const struct plan *p, enum ufc_kernel_kind kind) {
    enum { LARGE = 30, CHUNKED = 128, FEW_TERMS = 4 };
    bool alone = kind == UFC_KERNEL_THREAD || kind == UFC_KERNEL_HELPED;
    if (ufc_is_small(kind))
        return kind == UFC_KERNEL_SMALL_2 && !has_64_bits(p) ? 2 : 1; /* arrays are in registers */
    if (kind == UFC_KERNEL_SERIES) /* what terms need is loaded for several iterations at once */
        return p->map.series == 1 || series_groups(p).units < FEW_TERMS ? 0
               : has_64_bits(p)                                         ? 2
                                                                        : 3;
    if (kind == UFC_KERNEL_DEAL)
        return 1; /* updates of many entries are written out */
    bool in_phases = kind == UFC_KERNEL_NEST || kind == UFC_KERNEL_SCATTER ||
                     kernel_info[kind].sharing == UFC_BY_TILE;
    if (p->map.scans && !alone && !in_phases) /* units, and the addresses of all of them */
        return of_scan(p, kind);
    if (kind == UFC_KERNEL_WINDOW)
        return results_words(p) > 2 ? 1 : results_words(p) > 1 ? 2 : 4;
    if (kernel_info[kind].sharing == UFC_BY_TILE)
        return of_tile(p, kind);
    if (kind == UFC_KERNEL_UNIFORM)
        return p->map.operations > LARGE ? 2 : 4;
    if (alone && p->map.operations <= CHUNKED && has_ordered_loop(p))
        return count_arrays(p) > 2                            ? 1
               : kind == UFC_KERNEL_HELPED && !has_64_bits(p) ? 3 /* of smaller blocks */
                                                              : 2;
    if (ufc_is_joint(kind))
        return UFC_JOINT_BLOCKS;
    if (kind == UFC_KERNEL_HELD_SWEEP)
        return is_held_sweep_large(p) ? 2 : 3; /* all that are launched run at once */
    if (ufc_is_sweep(kind)) {
        int blocks = p->map.operations > LARGE || has_64_bits(p) ? 1 : 2;
        return kind == UFC_KERNEL_SWEEP ? blocks : blocks + 1;
    }
    if (kind == UFC_KERNEL_SCATTER)
        return 1; /* left to itself ptxas chooses slightly too few registers for bytes */
    if (kind == UFC_KERNEL_BLOCK && p->map.long_rows &&
        (p->map.operations > LARGE || stores_rows(p)))
        return 1; /* or more smaller ones, in which a row is loaded while another one is computed */
    if (kind == UFC_KERNEL_WARP && p->map.rows != NULL && !has_64_bits(p))
        return p->map.held_steps ? 3 : 4; /* rows are then loaded while others are computed */
    if (kind == UFC_KERNEL_STATE_2 || kind == UFC_KERNEL_STATE_4)
        return has_64_bits(p) ? 2 : 4; /* of half as many threads */
    if (kind == UFC_KERNEL_WARP && p->map.state != NULL)
        return has_64_bits(p) ? 2 : 4; /* other calls hide what a step waits for */
    if (kind == UFC_KERNEL_WARP && has_points_within(p) && !has_64_bits(p) &&
        p->map.operations <= LARGE)
        return 3; /* the addresses of both are in registers */
    if (kind == UFC_KERNEL_NEST && of_sliding(p) > 0)
        return of_sliding(p);
    if (kind == UFC_KERNEL_NEST && neighbours_size(p) > 0)
        return of_neighbours(p);
    if (p->map.operations > LARGE || has_64_bits(p))
        return 1;
    if (kind == UFC_KERNEL_NEST && (takes_microtiles(p) || p->map.lane_series > 0))
        return takes_ordered_terms(p) ? 2 : 3; /* lanes have terms of several iterations */
    if (alone && has_loop(p->body))
        return 2; /* loops load what comes next while they compute */
    bool steps = has_step_arrays(p) && (kind == UFC_KERNEL_RESIDENT || kind == UFC_KERNEL_FOLLOW ||
                                        kind == UFC_KERNEL_HALO || kind == UFC_KERNEL_PANEL ||
                                        kind == UFC_KERNEL_BLOCK || kind == UFC_KERNEL_CLUSTER);
    return steps                                                ? 2
           : kind == UFC_KERNEL_THREAD                          ? 3
           : kind == UFC_KERNEL_NEST || kind == UFC_KERNEL_WARP ? 4
                                                                : 0;
}

int least_blocks(const struct plan *p, enum ufc_kernel_kind kind, LLVMValueRef element) {
    if (p->overload->decl->kind == DECL_GUFUNC)
        return of_gufunc(p, kind);
    switch (kernel_info[kind].module) {
    case UFC_MODULE_LAYOUT: return of_layout(p, kind, element);
    case UFC_MODULE_FOLD: return of_fold(p, kind);
    default: return 0;
    }
}

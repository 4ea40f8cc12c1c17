/* tile_reduce.c: the reductions of a tile's results, part after part: while one is reduced, slabs
 * have the next one loaded. */
#include <string.h>

#include "tile.h"

void tile_select_accs(struct tile *t, int i, int j) {
    int n = 0;
    for (const struct pacc *a = t->tiling->shape.accs; a != NULL; a = a->next, n++)
        var_of(t->g, a->acc)->slot = t->acc[n][i][j];
}

/* Sets the indices to those of the thread's result i, j, or of the nearest one that there is: there
 * are rows and columns.  i1: it exists. */
static LLVMValueRef set_nearest(struct tile *t, int i, int j) {
    struct gen *g = t->g;
    LLVMValueRef exists = t->own.exists;
    for (int axis = 0; axis < 2; axis++) {
        LLVMValueRef at = tile_index(t, axis, axis == 0 ? i : j), end = t->sizes[axis];
        exists = both(g, exists, compare(g, LLVMIntSLT, at, end));
        tile_set_index(t, (enum tile_index)axis,
                       least(g, at, LLVMBuildSub(g->b, end, i64(g, 1), "")));
    }
    return exists;
}

/* Sets what an ordered reduction's accs begin with. */
static void begin_result(struct tile *t, int i, int j) {
    struct gen *g = t->g;
    LLVMBasicBlockRef after = NULL;
    LLVMValueRef exists = set_nearest(t, i, j);
    gen_assignments(g, t->tiling->shape.first);
    if (!t->tiling->begins_anyway) {
        for (const struct pacc *a = t->tiling->shape.accs; a != NULL; a = a->next)
            LLVMBuildStore(g->b, LLVMConstNull(gen_type(g, a->acc->dtype)),
                           var_of(g, a->acc)->slot);
        if (t->tiling->when != NULL)
            exists = both(g, exists, gen_value(g, t->tiling->when));
        after = begin_if(g, exists);
    }
    gen_assignments(g, t->tiling->begin);
    if (after != NULL)
        end_if(g, after);
}

/* i1: of what the selected result's accs begin with, none is -0.0. */
static LLVMValueRef has_no_minus_zero(struct tile *t) {
    struct gen *g = t->g;
    LLVMValueRef none = LLVMConstInt(i1_type(g), 1, false);
    for (const struct pacc *a = t->tiling->shape.accs; a != NULL; a = a->next) {
        if (!is_float(a->acc->dtype))
            continue;
        LLVMTypeRef type = gen_type(g, a->acc->dtype),
                    bits = gen_int_type(g, dtype_info[a->acc->dtype].bits);
        LLVMValueRef v = LLVMBuildLoad2(g->b, type, var_of(g, a->acc)->slot, "");
        none = both(g, none,
                    compare(g, LLVMIntNE, LLVMBuildBitCast(g->b, v, bits, ""),
                            LLVMConstBitCast(LLVMConstReal(type, -0.0), bits)));
    }
    return none;
}

static void begin_accs(struct tile *t) {
    struct gen *g = t->g;
    t->plain = LLVMConstInt(i1_type(g), 1, false);
    for (int i = 0; i < t->per[0]; i++)
        for (int j = 0; j < t->per[1]; j++) {
            int n = 0;
            for (const struct pacc *a = t->tiling->shape.accs; a != NULL; a = a->next, n++)
                t->acc[n][i][j] = gen_alloca(g, gen_type(g, a->acc->dtype), "acc");
            tile_select_accs(t, i, j);
            if (t->tiling->in_order)
                begin_result(t, i, j);
            else
                gen_assignments(g, t->tiling->shape.first);
            if (t->tiling->in_order && t->tiling->finite)
                t->plain = both(g, t->plain, has_no_minus_zero(t));
        }
    for (int axis = 0; axis < 2 && t->tiling->in_order; axis++)
        tile_set_index(t, (enum tile_index)axis, t->crew.first[axis]);
}

/* Loads the thread's elements of a slab `step` steps along k from the address of the first one. */
static void load_elements(struct tile *t, const struct slab *p, LLVMValueRef at, int step,
                          LLVMValueRef element[MAX_PER]) {
    struct gen *g = t->g;
    enum ufc_dtype d = p->factor->dtype;
    LLVMTypeRef memory = gen_memory_type(g, d);
    int axis = (int)p->x_index, group = t->group[axis];
    for (int i = 0; i < t->per[axis]; i++) {
        unsigned from = (unsigned)step * p->pitch + (unsigned)result_at_side(t, axis, i);
        unsigned wide = (unsigned)group * p->bytes;
        unsigned align = i % group > 0 ? p->bytes : wide < 16 ? wide : 16;
        element[i] = gen_load_element(g, d, memory, at_byte(g, at, i32(g, from * p->bytes)), align);
    }
}

/* The reduction's body for result i, j. */
static void add_result(struct tile *t, int i, int j, LLVMValueRef element[][MAX_PER]) {
    struct gen *g = t->g;
    const struct shape *s = &t->tiling->shape;
    struct held held[TILE_MAX_FACTORS];
    int n = 0;
    for (int k = 0; k < t->tiling->nfactors; k++) {
        const struct factor *f = &t->tiling->factors[k];
        LLVMValueRef v = element[k][f->of_rows ? i : j];
        if (f->place != NULL)
            held[n++] = (struct held){f->place, v};
        else
            LLVMBuildStore(g->b, v, var_of(g, f->var)->slot);
    }
    tile_select_accs(t, i, j);
    if (t->tiling->names_index) {
        tile_set_index(t, TILE_ROW, tile_index(t, 0, i));
        tile_set_index(t, TILE_COLUMN, tile_index(t, 1, j));
    }
    g->held = held;
    g->nheld = n;
    LLVMBasicBlockRef after = t->filters ? begin_if(g, gen_value(g, s->filter)) : NULL;
    gen_stmts(g, s->body);
    if (after != NULL)
        end_if(g, after);
    g->nheld = 0;
}

/* A slab that is reduced: the stage it is in, and the number of its first element along k, i64. */
struct part {
    LLVMValueRef stage, first;
};

/* Finds where the thread's elements of a part are in each slab, those of step k (i32). */
static void find_elements(struct tile *t, const struct part *part, LLVMValueRef k,
                          LLVMValueRef *at) {
    for (int n = 0; n < t->tiling->nfactors; n++) {
        const struct slab *p = &t->slab[n];
        at[n] = slab_at(t, part->stage, p, k, tile_place(t, (int)p->x_index));
    }
}

/* Loads the elements of step s from there on. */
static void load_step(struct tile *t, const LLVMValueRef *at, int s,
                      LLVMValueRef element[][MAX_PER]) {
    for (int n = 0; n < t->tiling->nfactors; n++)
        load_elements(t, &t->slab[n], at[n], s, element[n]);
}

/* Branches around what follows if the reduction of result i, j has no element `number`; end_step
 * closes it.  end: of the first result's, or NULL, which makes it nothing. */
static LLVMBasicBlockRef begin_step(struct tile *t, LLVMValueRef number, LLVMValueRef end, int i,
                                    int j) {
    if (end == NULL)
        return NULL;
    LLVMValueRef here = tile_end_at(t, end, tile_index(t, 0, i), tile_index(t, 1, j));
    return begin_if(t->g, compare(t->g, LLVMIntSLT, number, here));
}

static void end_step(struct gen *g, LLVMBasicBlockRef after) {
    if (after != NULL)
        end_if(g, after);
}

/* Reduces step k (i32) of a part for all of the thread's results; end: of the reduction for the
 * first result, which makes ends be tested, or NULL. */
static void add_step(struct tile *t, const struct part *part, LLVMValueRef k,
                     LLVMValueRef element[][MAX_PER], LLVMValueRef end) {
    struct gen *g = t->g;
    LLVMValueRef number = add(g, part->first, extended(g, k));
    tile_set_index(t, TILE_DEPTH, number);
    bool by_row = t->tiling->end_growth[TILE_COLUMN] == 0;
    for (int i = 0; i < t->per[0]; i++) {
        LLVMBasicBlockRef row = by_row ? begin_step(t, number, end, i, 0) : NULL;
        for (int n = 0; n < t->per[1]; n++) {
            /* back and forth: neighbours in this order share an element, which saves reads */
            int j = i % 2 == 0 ? n : t->per[1] - 1 - n;
            LLVMBasicBlockRef one = by_row ? NULL : begin_step(t, number, end, i, j);
            add_result(t, i, j, element);
            end_step(g, one);
        }
        end_step(g, row);
    }
}

/* The steps of a part that a thread has: all, or those of one that shares them. */
struct steps {
    LLVMValueRef first, end; /* i32 */
};

static struct steps own_steps(struct tile *t) {
    struct gen *g = t->g;
    LLVMValueRef all = i32(g, (uint32_t)t->depth);
    if (!t->shares)
        return (struct steps){i32(g, 0), all};
    LLVMValueRef own = LLVMBuildUDiv(g->b, all, t->sharers, ""), first = multiply(g, t->turn, own);
    return (struct steps){first, add(g, first, own)};
}

/* Reduces some steps of a part, so many at a time. */
static void add_steps(struct tile *t, const struct part *part, struct steps own, int steps,
                      LLVMValueRef end) {
    struct gen *g = t->g;
    LLVMValueRef at[TILE_MAX_FACTORS], element[TILE_MAX_FACTORS][MAX_PER];
    struct loop l;
    loop_begin(g, &l, 1, &own.first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], own.end));
    l.keep = true;
    find_elements(t, part, l.phi[0], at);
    for (int s = 0; s < steps; s++) {
        load_step(t, at, s, element);
        add_step(t, part, add(g, l.phi[0], i32(g, (uint32_t)s)), element, end);
    }
    LLVMValueRef next = add(g, l.phi[0], i32(g, (uint32_t)steps));
    loop_end(g, &l, &next);
}

/* Steps that are written out, of which no thread that shares them has less. */
static int steps_at_once(const struct tile *t) {
    int least = t->shares ? t->depth / TILE_SHARERS : t->depth;
    return t->steps < least ? t->steps : least;
}

/* Steps whose elements are loaded first: all; or, where a block has several teams, so many that
 * registers hold them beside accs of 64 bits. */
static int steps_loaded(const struct tile *t) {
    int words = 0, lot = t->depth;
    for (int n = 0; n < t->tiling->nfactors; n++)
        words += t->per[t->slab[n].x_index] * (int)((t->slab[n].bytes + 3) / 4);
    while (!t->alone && tile_accs_bits(t) > 32 && lot > 1 && lot * words > TILE_LOADED_WORDS)
        lot /= 2;
    return lot;
}

/* Reduces all steps of a part, written out. */
static void add_all(struct tile *t, const struct part *part) {
    struct gen *g = t->g;
    LLVMValueRef at[TILE_MAX_FACTORS];
    LLVMValueRef(*element)[TILE_MAX_FACTORS][MAX_PER] =
        arena_alloc(g->uc, (size_t)t->depth * sizeof *element);
    find_elements(t, part, i32(g, 0), at);
    int lot = steps_loaded(t);
    for (int first = 0; first < t->depth; first += lot) {
        for (int s = first; s < first + lot; s++)
            load_step(t, at, s, element[s]);
        for (int s = first; s < first + lot; s++)
            add_step(t, part, i32(g, (uint32_t)s), element[s], NULL);
    }
}

/* Reduces the thread's steps of a part, all of which exist. */
static void add_whole(struct tile *t, const struct part *part) {
    struct gen *g = t->g;
    if (t->matrix) {
        matrix_add(t, part->stage);
        return;
    }
    if (t->steps < t->depth) {
        add_steps(t, part, own_steps(t), steps_at_once(t), NULL);
        return;
    }
    if (!t->shares) {
        add_all(t, part);
        return;
    }
    LLVMBasicBlockRef all = gen_block(g, "all"), own = gen_block(g, "own"),
                      done = gen_block(g, "reduced");
    LLVMBuildCondBr(g->b, compare(g, LLVMIntEQ, t->sharers, i32(g, 1)), all, own);
    gen_place(g, all);
    add_all(t, part);
    LLVMBuildBr(g->b, done);
    gen_place(g, own);
    add_steps(t, part, own_steps(t), steps_at_once(t), NULL);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* Reduces the steps of a part that are left and the thread's, so many at a time. */
static void add_left(struct tile *t, const struct part *part, LLVMValueRef left, int steps,
                     LLVMValueRef end) {
    struct steps own = own_steps(t);
    own.end = least(t->g, left, own.end);
    add_steps(t, part, own, steps, end);
}

/* Reduces a part, of which `left` (i32) elements are left along k.  Zeros that follow the last ones
 * are reduced too, up to as many steps as are written out, unless they would change the result.
 * finite (i1): so are the team's factors. */
static void add_part(struct tile *t, const struct part *part, LLVMValueRef left,
                     LLVMValueRef finite) {
    struct gen *g = t->g;
    LLVMValueRef depth = i32(g, (uint32_t)t->depth), whole = compare(g, LLVMIntSGE, left, depth);
    LLVMValueRef end = NULL;
    bool padded = t->tiling->padded && !t->tiling->guarded;
    bool zeros = padded && !t->tiling->finite;
    if (t->tiling->guarded) {
        end = t->end[0];
        whole = compare(g, LLVMIntSLE, add(g, part->first, extended(g, depth)), t->end[1]);
    } else if (padded && t->steps == t->depth) {
        whole = LLVMConstInt(i1_type(g), 1, false);
    }
    t->filters = t->tiling->shape.filter != NULL && !t->tiling->finite;
    if (zeros && t->steps < t->depth) {
        add_left(t, part, left, steps_at_once(t), NULL);
        return;
    }
    if (LLVMIsConstant(whole) && !t->tiling->finite) {
        add_whole(t, part);
        return;
    }
    LLVMBasicBlockRef all = gen_block(g, "whole"), some = gen_block(g, "some"),
                      done = gen_block(g, "added");
    LLVMBuildCondBr(g->b, both(g, both(g, whole, finite), t->plain), all, some);
    gen_place(g, all);
    add_whole(t, part);
    LLVMBuildBr(g->b, done);
    gen_place(g, some);
    if (end != NULL && matrix_masks(t)) {
        LLVMBasicBlockRef masked = gen_block(g, "masked"), tested = gen_block(g, "tested");
        LLVMValueRef clean = gpu(g)->barrier_all(g, matrix_is_finite(t, part->stage));
        LLVMBuildCondBr(g->b, clean, masked, tested);
        gen_place(g, masked);
        matrix_add_masked(t, part->stage, part->first);
        LLVMBuildBr(g->b, done);
        gen_place(g, tested);
    }
    t->filters = t->tiling->shape.filter != NULL;
    add_left(t, part, left, zeros ? steps_at_once(t) : 1, end);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* Whether parts that add nothing are told, and left out: matrix units do not wait for it. */
static bool is_sparse(const struct tile *t) {
    return t->tiling->sparse != 0 && !t->matrix;
}

/* Whether nothing is moved behind the last part: not where what is moved tells whether parts add to
 * results. */
static bool skips_end(const struct tile *t) {
    return ufc_is_band(t->kind) && t->tiling->finite == 0 && !is_sparse(t);
}

/* Begins to copy what slabs of a part have of elements as they are. */
static void copy_all(struct tile *t, const struct slab_part *part, LLVMValueRef stage) {
    struct gen *g = t->g;
    for (int n = 0; n < t->tiling->nfactors; n++) {
        const struct slab *p = &t->slab[n];
        if (slab_copies(t, p))
            slab_copy(t, p, part, at_byte(g, t->crew_shared, stage));
    }
    if (t->matrix)
        gpu(g)->end_copies(g);
}

/* Begins what is for a part only if there is one: blocks of bands have many short reductions, and
 * all teams of a block are behind the last part at once.  NULL: it is for any. */
static LLVMBasicBlockRef begin_part(struct tile *t, const struct slab_part *part) {
    struct gen *g = t->g;
    if (!skips_end(t))
        return NULL;
    return begin_if(g, compare(g, LLVMIntSGT, add(g, part->left, t->skew), i32(g, 0)));
}

static void end_part(struct tile *t, LLVMBasicBlockRef after) {
    if (after != NULL)
        end_if(t->g, after);
}

/* Loads the thread's share of all other slabs, or what it is computed of; to that stage. */
static void fetch_all(struct tile *t, const struct slab_part *part, LLVMValueRef stage) {
    struct gen *g = t->g;
    LLVMBasicBlockRef after = begin_part(t, part);
    for (int n = 0; n < t->tiling->nfactors; n++) {
        const struct slab *p = &t->slab[n];
        if (p->factor->place == NULL || slab_copies(t, p))
            continue;
        LLVMValueRef at = multiply(g, extended(g, part->first), p->step_k);
        slab_fetch(t, p, at_byte(g, p->first, at), part->left);
    }
    for (int side = 0; side < 2; side++)
        values_fetch(t, side, part, at_byte(g, t->crew_shared, stage));
    end_part(t, after);
}

/* The part behind one. */
static struct slab_part next_part(struct tile *t, const struct slab_part *part) {
    struct gen *g = t->g;
    return (struct slab_part){add(g, part->first, t->hop), subtract(g, part->left, t->hop),
                              subtract(g, i32(g, 1), part->table)};
}

/* i1: what the thread fetched of a part adds nothing to any result, as far as it goes. */
static LLVMValueRef adds_nothing(struct tile *t) {
    struct gen *g = t->g;
    LLVMValueRef nothing = LLVMConstInt(i1_type(g), 1, false);
    for (int n = 0; n < t->tiling->nfactors; n++) {
        const struct slab *p = &t->slab[n];
        bool zero = t->tiling->sparse >> p->x_index & 1;
        nothing = both(g, nothing, zero ? slab_is_zero(t, p) : slab_is_finite(t, p));
    }
    return nothing;
}

/* Stores what was fetched, and waits for all others to do so.  i1: all are finite, where that
 * matters; or all add nothing. */
static LLVMValueRef put_all(struct tile *t, const struct slab_part *part, LLVMValueRef stage) {
    struct gen *g = t->g;
    LLVMValueRef finite = LLVMConstInt(i1_type(g), 1, false);
    LLVMBasicBlockRef after = begin_part(t, part);
    for (int side = 0; side < 2; side++)
        values_compute(t, side, part);
    for (int n = 0; n < t->tiling->nfactors; n++) {
        if (slab_is_put(t, &t->slab[n]) || slab_copies(t, &t->slab[n]))
            continue;
        slab_put(t, &t->slab[n], at_byte(g, t->crew_shared, stage));
        if (t->tiling->finite >> t->slab[n].x_index & 1)
            finite = both(g, finite, slab_is_finite(t, &t->slab[n]));
    }
    end_part(t, after);
    struct slab_part next = next_part(t, part);
    tables_next(t, &next);
    if (t->matrix)
        gpu(g)->await_copies(g, (unsigned)t->stages - 2);
    if (t->tiling->finite)
        return gpu(g)->barrier_all(g, finite);
    if (is_sparse(t))
        return gpu(g)->barrier_all(g, adds_nothing(t));
    gpu(g)->barrier(g);
    return finite;
}

/* Sets where the team's part of the reduction begins and ends; parts are whole slabs. */
static void take_part(struct tile *t, LLVMValueRef *begin, LLVMValueRef *end) {
    struct gen *g = t->g;
    LLVMValueRef depth = i32(g, (uint32_t)t->depth), last = i32(g, (uint32_t)t->depth - 1);
    LLVMValueRef slabs = LLVMBuildUDiv(g->b, add(g, *end, last), depth, "");
    LLVMValueRef each = add(g, slabs, subtract(g, t->parts, i32(g, 1)));
    each = multiply(g, tile_quotient(t, each, t->parts, slabs), depth);
    *begin = multiply(g, t->own.part, each);
    *end = least(g, *end, add(g, *begin, each));
}

/* The part that is so many behind one. */
static struct slab_part later_part(struct tile *t, struct slab_part part, int parts) {
    for (int i = 0; i < parts; i++)
        part = next_part(t, &part);
    return part;
}

/* The stage behind one, or that many behind; i32. */
static LLVMValueRef later_stage(struct tile *t, LLVMValueRef stage, int stages) {
    struct gen *g = t->g;
    LLVMValueRef all = i32(g, t->stage * (unsigned)t->stages);
    if (t->stages == 1)
        return i32(g, 0);
    LLVMValueRef next = add(g, stage, i32(g, t->stage * (unsigned)stages));
    LLVMValueRef around = compare(g, LLVMIntSGE, next, all);
    return gen_select(g, around, subtract(g, next, all), next);
}

/* i1: the thread has a result.  NULL: it goes on in any case, as tiles mostly fit the results;
 * those of BAND are the same for all phases. */
static LLVMValueRef has_results(struct tile *t) {
    struct gen *g = t->g;
    if (!ufc_is_band(g->threads->kind))
        return NULL;
    LLVMValueRef has = t->own.exists;
    for (int axis = 0; axis < 2; axis++) {
        LLVMValueRef left = elements_left(g, t->sizes[axis], t->own.first[axis]);
        has = both(g, has, compare(g, LLVMIntSLT, tile_place(t, axis), left));
    }
    return has;
}

/* Reduces a part, if it is `there` (i1), and puts the next one, part `rest`, to its stage; as
 * put_all. */
static LLVMValueRef reduce_part(struct tile *t, const struct slab_part *part,
                                const struct slab_part *rest, LLVMValueRef stage, LLVMValueRef next,
                                LLVMValueRef known, LLVMValueRef there) {
    struct gen *g = t->g;
    struct part own = {at_byte(g, t->shared, stage), extended(g, part->first)};
    LLVMValueRef inputs[UFC_MAX_OPERANDS];
    memcpy(inputs, g->inputs, sizeof inputs);
    memcpy(g->inputs, t->inputs, sizeof inputs);
    LLVMValueRef has = has_results(t);
    has = has != NULL ? both(g, has, there) : there;
    if (is_sparse(t)) {
        has = both(g, has, gen_not(g, known));
        known = LLVMConstInt(i1_type(g), 1, false);
    }
    LLVMBasicBlockRef after = begin_large_if(g, has);
    if (t->streams)
        matrix_add_most(t, own.stage);
    else
        add_part(t, &own, part->left, known);
    end_if(g, after);
    memcpy(g->inputs, inputs, sizeof inputs);
    if (t->stages == 1)
        gpu(g)->barrier(g);
    known = put_all(t, rest, next);
    if (t->streams)
        matrix_add_last(t, at_byte(g, t->shared, next), there);
    return known;
}

/* Teams that share a part of the reduction take its slabs in turn. */
static void take_turns(struct tile *t) {
    struct gen *g = t->g;
    LLVMValueRef depth = i32(g, (uint32_t)t->depth), zero = i32(g, 0);
    t->hop = depth;
    t->skew = zero;
    if (t->alone || !(t->cut || ufc_is_band(t->kind)))
        return;
    t->hop = gen_select(g, t->gathers, i32(g, (uint32_t)(t->depth * t->teams)), depth);
    t->skew = gen_select(g, t->gathers, multiply(g, t->team_number, depth), zero);
}

/* Whether what moves slabs, which is much of the code, is there once: in the loop, in whose first
 * iteration no part is reduced.  Many accs would have copies there. */
static bool moves_in_loop(const struct tile *t) {
    return t->per[0] * t->per[1] * tile_accs_bits(t) <= UFC_TILE_PER * UFC_TILE_PER * 32;
}

/* Begins to copy the first `parts` parts from one on, where copies are under way beside sums. */
static void begin_copies(struct tile *t, const struct slab_part *part, int parts) {
    for (int i = 0; i < parts && t->matrix; i++) {
        struct slab_part later = later_part(t, *part, i);
        copy_all(t, &later, i32(t->g, (uint32_t)i * t->stage));
    }
}

/* How far a reduction is: the part that is moved next, the stage of the one before, and whether
 * that is `there`; `known`, of it, is as put_all says. */
struct progress {
    struct slab_part rest;
    LLVMValueRef stage, known, there;
};

/* Before the loop: the first part is the next one, or is there. */
static struct progress begin_slabs(struct tile *t, struct slab_part first) {
    struct gen *g = t->g;
    LLVMValueRef none = LLVMConstNull(i1_type(g)), yes = LLVMConstNot(none);
    bool in_loop = moves_in_loop(t);
    if (t->tables > 0) {
        tables_fill(t);
        tables_next(t, &first);
        gpu(g)->barrier(g);
    }
    begin_copies(t, &first, in_loop ? t->stages - 2 : t->stages - 1);
    if (t->streams)
        matrix_begin(t);
    if (in_loop)
        return (struct progress){first, i32(g, t->stage * (unsigned)(t->stages - 1)), yes, none};
    fetch_all(t, &first, i32(g, 0));
    LLVMValueRef known = put_all(t, &first, i32(g, 0));
    if (t->streams)
        matrix_add_last(t, t->shared, none);
    return (struct progress){next_part(t, &first), i32(g, 0), known, yes};
}

/* Moves and reduces slab after slab: the next one is loaded to registers while the current one is
 * reduced, or copied before.  All teams of a block go on until none has a slab left. */
static void reduce(struct tile *t) {
    struct gen *g = t->g;
    LLVMValueRef all = elements_left(g, t->end[2], i64(g, 0)), zero = i32(g, 0), begin = zero;
    if (t->cut)
        take_part(t, &begin, &all);
    take_turns(t);
    begin = add(g, begin, t->skew);
    struct progress p = begin_slabs(t, (struct slab_part){begin, subtract(g, all, begin), zero});
    LLVMValueRef first[] = {p.rest.first, p.stage, p.rest.table, p.known, p.there};
    struct loop l;
    loop_begin(g, &l, 5, first);
    struct slab_part rest = {l.phi[0], subtract(g, all, l.phi[0]), l.phi[2]};
    struct slab_part part = {subtract(g, rest.first, t->hop), add(g, rest.left, t->hop),
                             subtract(g, i32(g, 1), rest.table)};
    LLVMValueRef some = compare(g, LLVMIntSGT, add(g, part.left, t->skew), zero);
    loop_while(g, &l, LLVMBuildOr(g->b, gen_not(g, l.phi[4]), some, ""));
    l.keep = true;
    LLVMValueRef stage = later_stage(t, l.phi[1], 1);
    if (t->matrix) {
        struct slab_part later = later_part(t, part, t->stages - 1);
        copy_all(t, &later, later_stage(t, l.phi[1], t->stages - 1));
    }
    fetch_all(t, &rest, stage);
    LLVMValueRef known = reduce_part(t, &part, &rest, l.phi[1], stage, l.phi[3], l.phi[4]);
    struct slab_part behind = next_part(t, &rest);
    LLVMValueRef next[] = {behind.first, stage, behind.table, known,
                           LLVMConstInt(i1_type(g), 1, false)};
    loop_end(g, &l, next);
    if (t->matrix) { /* results go to the same memory */
        gpu(g)->await_copies(g, 0);
        gpu(g)->barrier(g);
    }
}

void tile_reduce(struct tile *t) {
    struct gen *g = t->g;
    begin_accs(t);
    if (!t->cut) {
        if (t->loaded.reduction != NULL)
            loaded_begin(t);
        reduce(t);
        if (t->renew != NULL)
            t->renew(t);
        if (t->loaded.reduction != NULL)
            loaded_end(t);
        if (ufc_is_band(t->kind) && !t->alone)
            tile_gather(t);
        tile_store(t);
        return;
    }
    LLVMBasicBlockRef all = gen_block(g, "reduce"), join = gen_block(g, "join"),
                      part = gen_block(g, "part"), finish = gen_block(g, "finish"),
                      gather = gen_block(g, "gather"), done = gen_block(g, "done");
    LLVMValueRef several = compare(g, LLVMIntUGT, t->units, i32(g, 1));
    LLVMBuildCondBr(g->b, t->joins, join, all);
    gen_place(g, all);
    reduce(t);
    if (t->shares)
        tile_join_sharers(t);
    LLVMBuildBr(g->b, gather);
    gen_place(g, join);
    tile_join_parts(t);
    LLVMBuildBr(g->b, gather);
    gen_place(g, gather);
    if (!t->alone)
        tile_gather(t);
    LLVMBuildCondBr(g->b, several, part, finish);
    gen_place(g, part);
    tile_store_part(t);
    LLVMBuildBr(g->b, done);
    gen_place(g, finish);
    tile_store(t);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* step_points.c: the points of definitions in the steps of ordered loops, a thread each.  A step
 * waits for its slowest thread, so a thread loads what several points read before it stores one:
 * the compiler could not, since the array that is read is often the one that is stored to. */
#include "gufunc.h"

struct turns step_turns(struct gen *g, LLVMValueRef shift) {
    const struct threads *t = g->threads;
    if (t->own == NULL)
        return (struct turns){LLVMBuildLShr(g->b, t->number, shift, ""),
                              LLVMBuildLShr(g->b, t->count, shift, "")};
    LLVMValueRef blocks = extended(g, t->blocks);
    LLVMValueRef place = multiply(g, LLVMBuildLShr(g->b, t->member, shift, ""), blocks);
    return (struct turns){add(g, t->own, place),
                          multiply(g, LLVMBuildLShr(g->b, t->members, shift, ""), blocks)};
}

/* The same of rows, of which neighbours are different blocks', where the call has several. */
static struct turns row_turns(struct gen *g, LLVMValueRef shift) {
    const struct threads *t = g->threads;
    struct turns near = step_turns(g, shift);
    if (t->blocks == NULL || t->own != NULL)
        return near;
    LLVMValueRef row =
        multiply(g, LLVMBuildLShr(g->b, t->member, shift, ""), extended(g, t->blocks));
    row = add(g, row, extended(g, t->block));
    LLVMValueRef wide = compare(g, LLVMIntUGE, shift, i64(g, __builtin_ctz(WARP)));
    return (struct turns){gen_select(g, wide, row, near.first), near.apart};
}

/* Sets the slots of `walked`, ranges of n, by the number of a point of theirs. */
static void set_slots(struct gen *g, const struct nest *walked, LLVMValueRef number) {
    LLVMValueRef position[MAX_RANGES] = {position_of(g, number)};
    if (walked->n > 1)
        take_apart(g, walked, number, position);
    for (int i = 0; i < walked->n; i++)
        LLVMBuildStore(g->b, position[i], walked->slot[i]);
}

/* `units` points of the ranges `walked` of n at a time, from number `first` on, `apart` from one
 * another, while so many are left; gives the first that is not. */
static LLVMValueRef gen_units(struct gen *g, const struct pstmt *s, struct batch *batch,
                              const struct nest *n, const struct nest *walked, LLVMValueRef first,
                              LLVMValueRef apart, int units) {
    struct loop l;
    LLVMValueRef times = LLVMConstInt(LLVMTypeOf(apart), (uint64_t)units - 1, false);
    LLVMValueRef far = multiply(g, apart, times), end = as_position(g, walked, walked->total);
    loop_begin(g, &l, 1, &first);
    l.keep = batch != NULL;
    LLVMValueRef last = units > 1 ? add(g, l.phi[0], far) : l.phi[0], at = l.phi[0];
    loop_while(g, &l, is_before(g, last, end));
    for (int i = 0; i < units; i++, at = add(g, at, apart)) {
        set_slots(g, walked, at);
        set_indices(g, n);
        if (batch != NULL)
            batch_load(g, batch, i, 1);
    }
    if (batch != NULL)
        batch_compute(g, batch, units, 1);
    else
        gen_stmts(g, s->body);
    loop_end(g, &l, &at);
    return l.phi[0];
}

/* A thread's only point, if it has one. */
static void gen_single(struct gen *g, const struct pstmt *s, struct batch *batch,
                       const struct nest *n, const struct nest *walked, LLVMValueRef first) {
    LLVMValueRef exists = is_before(g, first, as_position(g, walked, walked->total));
    LLVMBasicBlockRef after = begin_if(g, exists);
    set_slots(g, walked, first);
    set_indices(g, n);
    if (batch != NULL) {
        batch_load(g, batch, 0, 1);
        batch_compute(g, batch, 1, 1);
    } else {
        gen_stmts(g, s->body);
    }
    end_if(g, after);
}

/* A thread's points, in fewer and fewer at a time.  What all of them read is loaded once where it
 * is near: none of them stores what another one reads. */
static void gen_several(struct gen *g, const struct pstmt *s, struct batch *batch,
                        const struct nest *n, const struct nest *walked, LLVMValueRef first,
                        LLVMValueRef apart) {
    LLVMBasicBlockRef after =
        begin_if(g, is_before(g, first, as_position(g, walked, walked->total)));
    if (batch != NULL && has_near_outputs(g)) {
        set_slots(g, walked, first);
        set_indices(g, n);
        batch_keep(g, batch, walked);
    }
    for (int units = batch != NULL ? batch_units(g, batch, 1) : 1; units > 0; units /= 2)
        first = gen_units(g, s, batch, n, walked, first, apart, units);
    end_if(g, after);
}

/* Most steps are so short that a thread has a single point. */
static void gen_walk(struct gen *g, const struct pstmt *s, struct batch *batch,
                     const struct nest *n, const struct nest *walked, LLVMValueRef first,
                     LLVMValueRef apart) {
    LLVMBasicBlockRef single = gen_block(g, "single"), several = gen_block(g, "several"),
                      done = gen_block(g, "walked");
    first = as_position(g, walked, first);
    apart = as_position(g, walked, apart);
    LLVMValueRef more = is_before(g, apart, as_position(g, walked, walked->total));
    LLVMBuildCondBr(g->b, more, several, single);
    gen_place(g, single);
    gen_single(g, s, batch, n, walked, first);
    LLVMBuildBr(g->b, done);
    gen_place(g, several);
    gen_several(g, s, batch, n, walked, first, apart);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

LLVMValueRef bits_above(struct gen *g, LLVMValueRef n) {
    LLVMValueRef one = i64(g, 1), args[] = {NULL, LLVMConstInt(i1_type(g), 0, false)};
    n = subtract(g, least(g, n, i64(g, 1 << 20)), one);
    n = gen_select(g, compare(g, LLVMIntSLT, n, i64(g, 0)), i64(g, 0), n);
    args[0] = LLVMBuildTrunc(g->b, n, i32_type(g), "");
    return subtract(g, i32(g, 32), gen_intrinsic(g, "ctlz", NULL, args, 2));
}

LLVMValueRef greatest(struct gen *g, LLVMValueRef a, LLVMValueRef b) {
    return gen_select(g, compare(g, LLVMIntSGT, a, b), a, b);
}

/* How many threads share a row, as a power of two, i32: up to a warp's, or more where a block has
 * fewer rows than warps. */
static LLVMValueRef row_bits(struct gen *g, LLVMValueRef rows, LLVMValueRef columns) {
    const struct threads *t = g->threads;
    LLVMValueRef own = bits_above(g, rows), all = trailing_zeros(g, t->ntid);
    if (t->blocks != NULL)
        own = greatest(g, subtract(g, own, bits_above(g, extended(g, t->blocks))), i32(g, 0));
    LLVMValueRef most = greatest(g, subtract(g, all, own), i32(g, __builtin_ctz(WARP)));
    return least(g, bits_above(g, columns), most);
}

/* Where a call has more blocks than a step has rows, each longer than a block's threads, as many
 * blocks as there are share each row: sets the block's row in *turns, its first column and how far
 * apart its columns are. */
static void split_rows(struct gen *g, LLVMValueRef rows, LLVMValueRef columns, LLVMValueRef *column,
                       LLVMValueRef *width, struct turns *turns) {
    const struct threads *t = g->threads;
    if (t->blocks == NULL || t->own != NULL)
        return;
    LLVMValueRef one = i64(g, 1), few = greatest(g, rows, one), block = extended(g, t->block);
    LLVMValueRef blocks = extended(g, t->blocks), all = extended(g, t->ntid);
    LLVMValueRef share = LLVMBuildUDiv(g->b, block, few, "");
    LLVMValueRef shares = LLVMBuildUDiv(g->b, blocks, few, "");
    LLVMValueRef has =
        both(g, compare(g, LLVMIntUGT, shares, one),
             both(g, compare(g, LLVMIntSGT, columns, all), compare(g, LLVMIntEQ, *width, all)));
    LLVMValueRef row = subtract(g, block, multiply(g, share, few));
    row = gen_select(g, compare(g, LLVMIntULT, share, shares), row, rows);
    turns->first = gen_select(g, has, row, turns->first);
    *column = add(g, *column, multiply(g, gen_select(g, has, share, i64(g, 0)), *width));
    *width = multiply(g, gen_select(g, has, shares, one), *width);
}

/* A definition of several ranges, whose rows are along the last one: a thread has columns, down
 * each of which it goes. */
static void gen_in_rows(struct gen *g, const struct pstmt *s, struct batch *batch,
                        const struct nest *n) {
    const struct threads *t = g->threads;
    struct nest rows = *n, columns = *n;
    rows.n--;
    rows.total = i64(g, 1);
    columns.n = 1;
    columns.slot[0] = n->slot[rows.n];
    columns.total = n->count[rows.n];
    for (int i = 0; i < rows.n; i++)
        rows.total = multiply(g, rows.total, n->count[i]);
    LLVMValueRef shift = extended(g, row_bits(g, rows.total, columns.total));
    LLVMValueRef width = LLVMBuildShl(g->b, i64(g, 1), shift, "");
    LLVMValueRef column = both(g, t->member, subtract(g, width, i64(g, 1)));
    struct turns turns = row_turns(g, shift);
    split_rows(g, rows.total, columns.total, &column, &width, &turns);
    struct loop l;
    column = as_position(g, &columns, column);
    loop_begin(g, &l, 1, &column);
    l.keep = true;
    loop_while(g, &l, is_before(g, l.phi[0], as_position(g, &columns, columns.total)));
    set_slots(g, &columns, l.phi[0]);
    gen_walk(g, s, batch, n, &rows, turns.first, turns.apart);
    LLVMValueRef next = add(g, l.phi[0], as_position(g, &columns, width));
    loop_end(g, &l, &next);
}

/* Stops at an element that a definition may store. */
static enum walk find_result(const struct pval *v, void *plan) {
    const struct plan *p = plan;
    bool result =
        v->kind == PV_ELEM && (v->operand >= p->noperands || p->operands[v->operand].is_output);
    return result ? WALK_STOP : WALK_IN;
}

static enum walk find_results(const struct pstmt *s, void *plan) {
    return s->value == NULL || value_walk(s->value, find_result, plan) ? WALK_IN : WALK_STOP;
}

bool gen_step_points(struct gen *g, const struct pstmt *s, struct nest *n) {
    const struct threads *t = g->threads;
    const struct plan_visitor reads = {.stmt = find_results};
    if (!shares_steps(g) || t->lane_mask != NULL || s->accs != NULL || g->abreast != NULL)
        return false;
    struct batch *batch = find_scalars(g, s);
    bool alone = plan_walk(s->body, &reads, (void *)(uintptr_t)g->plan);
    if (alone && s->owner == NULL && n->n == 1) /* LLVM sees that nothing it reads is stored */
        return false;
    if (n->n > 1) {
        gen_in_rows(g, s, batch, n);
        return true;
    }
    if (batch == NULL && s->owner == NULL)
        return false;
    if (batch == NULL) {
        gen_one_by_one(g, s, NULL, n);
        return true;
    }
    struct turns turns = step_turns(g, i64(g, 0));
    gen_walk(g, s, batch, n, n, turns.first, turns.apart);
    return true;
}

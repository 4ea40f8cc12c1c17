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

/* `units` points along the last range at a time, from `first` on, `apart` from one another, while
 * so many are left; gives the first that is not. */
static LLVMValueRef gen_units(struct gen *g, const struct pstmt *s, struct batch *batch,
                              const struct nest *n, LLVMValueRef first, LLVMValueRef apart,
                              int units) {
    struct loop l;
    LLVMValueRef far = multiply(g, apart, i64(g, (uint64_t)units - 1));
    loop_begin(g, &l, 1, &first);
    l.keep = batch != NULL;
    LLVMValueRef last = units > 1 ? add(g, l.phi[0], far) : l.phi[0], at = l.phi[0];
    loop_while(g, &l, compare(g, LLVMIntSLT, last, n->count[n->n - 1]));
    for (int i = 0; i < units; i++, at = add(g, at, apart)) {
        LLVMBuildStore(g->b, at, n->slot[n->n - 1]);
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

/* The same of all points, in fewer and fewer at a time. */
static void gen_line(struct gen *g, const struct pstmt *s, struct batch *batch,
                     const struct nest *n, LLVMValueRef first, LLVMValueRef apart) {
    for (int units = batch != NULL ? batch_units(g, batch, 1) : 1; units > 0; units /= 2)
        first = gen_units(g, s, batch, n, first, apart, units);
}

/* The least b, i32, of which 1 << b is at least n, i64, or a million. */
static LLVMValueRef bits_above(struct gen *g, LLVMValueRef n) {
    LLVMValueRef one = i64(g, 1), args[] = {NULL, LLVMConstInt(i1_type(g), 0, false)};
    n = subtract(g, least(g, n, i64(g, 1 << 20)), one);
    n = gen_select(g, compare(g, LLVMIntSLT, n, i64(g, 0)), i64(g, 0), n);
    args[0] = LLVMBuildTrunc(g->b, n, i32_type(g), "");
    return subtract(g, i32(g, 32), gen_intrinsic(g, "ctlz", NULL, args, 2));
}

static LLVMValueRef greatest(struct gen *g, LLVMValueRef a, LLVMValueRef b) {
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

/* A definition of several ranges, whose rows are along the last one. */
static void gen_in_rows(struct gen *g, const struct pstmt *s, struct batch *batch,
                        const struct nest *n) {
    const struct threads *t = g->threads;
    struct nest rows = *n;
    LLVMValueRef total = i64(g, 1), columns = n->count[--rows.n], position[MAX_RANGES];
    for (int i = 0; i < rows.n; i++)
        total = multiply(g, total, n->count[i]);
    LLVMValueRef bits = row_bits(g, total, columns), shift = extended(g, bits);
    LLVMValueRef width = LLVMBuildShl(g->b, i64(g, 1), shift, "");
    LLVMValueRef column = both(g, t->member, subtract(g, width, i64(g, 1)));
    struct turns turns = row_turns(g, shift);
    struct loop l;
    loop_begin(g, &l, 1, &turns.first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], total));
    take_apart(g, &rows, l.phi[0], position);
    for (int i = 0; i < rows.n; i++)
        LLVMBuildStore(g->b, position[i], n->slot[i]);
    gen_line(g, s, batch, n, column, width);
    LLVMValueRef next = add(g, l.phi[0], turns.apart);
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
    bool steps = t->kind == UFC_KERNEL_BLOCK || t->kind == UFC_KERNEL_CLUSTER ||
                 t->kind == UFC_KERNEL_RESIDENT;
    if (!steps || !has_steps(g) || t->lane_mask != NULL || s->accs != NULL || g->abreast != NULL)
        return false;
    struct batch *batch = find_scalars(g, s);
    bool alone = plan_walk(s->body, &reads, (void *)(uintptr_t)g->plan);
    if (alone && s->owner == NULL && n->n == 1) /* LLVM sees that nothing it reads is stored */
        return false;
    if (n->n > 1) {
        /* shared memory is near, and rows there are short */
        gen_in_rows(g, s, t->kind == UFC_KERNEL_RESIDENT ? NULL : batch, n);
        return true;
    }
    if (batch == NULL && s->owner == NULL)
        return false;
    if (batch == NULL) {
        gen_one_by_one(g, s, NULL, n);
        return true;
    }
    struct turns turns = step_turns(g, i64(g, 0));
    gen_line(g, s, batch, n, turns.first, turns.apart);
    return true;
}

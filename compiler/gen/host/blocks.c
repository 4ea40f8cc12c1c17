/* blocks.c: long reductions on the host, in blocks of points.  The results of blocks are joined in
 * pairs, those of pairs in pairs, and so on, as they come: after n blocks the tree has a result for
 * each bit of n that is set.  Rounding errors then grow with the logarithm of n, as in NumPy's
 * pairwise sums. */
#include "gufunc.h"

enum { LEVELS = 40 }; /* of the tree: for 2**40 blocks */

/* The address of a variable's value at a level (i64) of its tree. */
static LLVMValueRef level_of(struct gen *g, const struct pvar *like, LLVMValueRef tree,
                             LLVMValueRef level) {
    return LLVMBuildGEP2(g->b, gen_slot_type(g, like), tree, &level, 1, "");
}

void blocks_begin(struct gen *g, struct blocks *b, const struct pstmt *s, bool two) {
    int n = 0;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        n++;
    b->s = s;
    b->two = two;
    b->done = gen_alloca(g, i64_type(g), "blocks");
    LLVMBuildStore(g->b, i64(g, 0), b->done);
    b->tree = NEWN(g->uc, LLVMValueRef, n);
    b->first = NEWN(g->uc, LLVMValueRef, n);
    n = 0;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next, n++) {
        LLVMTypeRef type = gen_slot_type(g, a->acc);
        b->tree[n] = gen_alloca(g, LLVMArrayType2(type, two ? 1 : LEVELS), "tree");
        b->first[n] = LLVMBuildLoad2(g->b, type, gen_slot_of(g, a->acc), "");
    }
}

/* Joins the tree's values at a level, as the earlier ones, with the accs. */
static void join_level(struct gen *g, const struct blocks *b, LLVMValueRef level) {
    int i = 0;
    for (const struct pacc *a = b->s->accs; a != NULL; a = a->next, i++) {
        move_slot(g, a->acc, gen_slot_of(g, a->acc), gen_slot_of(g, a->other));
        move_slot(g, a->acc, level_of(g, a->acc, b->tree[i], level), gen_slot_of(g, a->acc));
    }
    gen_stmts(g, b->s->joined);
}

/* Puts the accs at a level of the tree, and sets them to their first values. */
static void put_level(struct gen *g, const struct blocks *b, LLVMValueRef level) {
    int i = 0;
    for (const struct pacc *a = b->s->accs; a != NULL; a = a->next, i++) {
        LLVMValueRef acc = gen_slot_of(g, a->acc);
        move_slot(g, a->acc, acc, level_of(g, a->acc, b->tree[i], level));
        LLVMBuildStore(g->b, b->first[i], acc);
    }
}

void blocks_push(struct gen *g, const struct blocks *b) {
    struct loop l;
    LLVMValueRef zero = i64(g, 0), one = i64(g, 1);
    LLVMValueRef done = LLVMBuildLoad2(g->b, i64_type(g), b->done, "");
    LLVMBuildStore(g->b, add(g, done, one), b->done);
    if (b->two) {
        put_level(g, b, zero);
        return;
    }
    loop_begin(g, &l, 1, &zero);
    LLVMValueRef bit = LLVMBuildAnd(g->b, LLVMBuildLShr(g->b, done, l.phi[0], ""), one, "");
    loop_while(g, &l, compare(g, LLVMIntNE, bit, zero));
    l.keep = true;
    join_level(g, b, l.phi[0]);
    LLVMValueRef next = add(g, l.phi[0], one);
    loop_end(g, &l, &next);
    put_level(g, b, l.phi[0]);
}

void blocks_finish(struct gen *g, const struct blocks *b) {
    struct loop l;
    LLVMValueRef zero = i64(g, 0), one = i64(g, 1);
    LLVMValueRef first[] = {zero, LLVMBuildLoad2(g->b, i64_type(g), b->done, "")};
    if (b->two) {
        LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntNE, first[1], zero));
        join_level(g, b, zero);
        end_if(g, after);
        return;
    }
    loop_begin(g, &l, 2, first);
    loop_while(g, &l, compare(g, LLVMIntNE, l.phi[1], zero));
    l.keep = true;
    LLVMValueRef bit = LLVMBuildAnd(g->b, l.phi[1], one, "");
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntNE, bit, zero));
    join_level(g, b, l.phi[0]);
    end_if(g, after);
    LLVMValueRef next[] = {add(g, l.phi[0], one), LLVMBuildLShr(g->b, l.phi[1], one, "")};
    loop_end(g, &l, next);
}

bool blocks_matter(const struct pstmt *s) {
    const struct pacc *a = s->accs;
    while (a != NULL && !is_float(a->acc->dtype))
        a = a->next;
    return a != NULL && !s->chooses;
}

/* ---- loops in order */

/* Whether a range has few points where the code runs: less than `limit`. */
static bool is_short(const struct gen *g, const struct prange *r, uint64_t limit) {
    bool whole = r->lo->kind == PV_CONST && (int64_t)r->lo->i >= 0 && r->step->kind == PV_CONST &&
                 (int64_t)r->step->i > 0 && r->hi->kind == PV_DIM;
    return whole && g->short_sizes.dims >> r->hi->operand & 1 && g->short_sizes.limit <= limit;
}

bool blocks_in_order(struct gen *g, const struct pstmt *s) {
    const struct prange *r = s->ranges;
    if (s->ordered || !blocks_matter(s) || r == NULL || r->next != NULL ||
        (g->lanes > 1 && (gen_varies(g, r->lo) || gen_varies(g, r->hi) || gen_varies(g, r->step))))
        return false;
    if (is_short(g, r, BLOCK_POINTS + 1))
        return false;
    LLVMValueRef lo = gen_scalar(g, r->lo), step = gen_scalar(g, r->step);
    LLVMValueRef count = gen_count(g, lo, gen_scalar(g, r->hi), step);
    if (LLVMIsAConstantInt(count) && LLVMConstIntGetZExtValue(count) <= BLOCK_POINTS)
        return false;
    LLVMTypeRef type = LLVMTypeOf(lo);
    LLVMValueRef points = LLVMConstInt(type, BLOCK_POINTS, false), first = LLVMConstNull(type);
    LLVMBasicBlockRef more = gen_block(g, "more"), last = gen_block(g, "last");
    struct blocks blocks;
    struct loop l;
    blocks_begin(g, &blocks, s, is_short(g, r, 2 * BLOCK_POINTS + 1));
    loop_begin(g, &l, 1, &first);
    LLVMValueRef end = LLVMBuildAdd(g->b, l.phi[0], points, "");
    LLVMValueRef whole = LLVMBuildICmp(g->b, LLVMIntSLT, end, count, "");
    LLVMValueRef to = LLVMBuildSelect(g->b, whole, end, count, "");
    LLVMValueRef from = LLVMBuildMul(g->b, l.phi[0], step, "");
    to = LLVMBuildMul(g->b, to, step, "");
    gen_for_uniform(g, s->serial, LLVMBuildAdd(g->b, lo, from, ""), LLVMBuildAdd(g->b, lo, to, ""),
                    step);
    LLVMBuildCondBr(g->b, whole, more, last);
    gen_place(g, more);
    blocks_push(g, &blocks);
    loop_end(g, &l, &end);
    LLVMBuildBr(g->b, last); /* never taken: the loop is left from its last block of points */
    gen_place(g, last);
    blocks_finish(g, &blocks);
    return true;
}

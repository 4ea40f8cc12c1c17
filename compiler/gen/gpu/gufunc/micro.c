/* micro.c: vectors of elements that a microtile of points reads.  A thread takes neighbours of
 * their reductions together, and loads all elements of these first: each is a vector, and one that
 * several points read is loaded once. */
#include "micro.h"

/* Copies of a body: for each neighbour and each point, in all its nodes of values. */
enum { MICRO_COPIES = 2048 };

/* Neighbours of the reduction that a thread takes together; 0: it takes one. */
static int lanes_of(struct gen *g, const struct pstmt *s) {
    int widest = widest_access(g, s->body);
    int lanes = widest > 0 && widest <= 8 ? 16 / widest : 0;
    while (lanes > 1 && lanes * point_size(s) * points_at_once(g) > MICRO_COPIES)
        lanes /= 2;
    return lanes > 1 ? lanes : 0;
}

static bool loads_vectors(const struct gen *g) {
    return g->plan->map.phase[g->threads->definition->phase].micro_vectors != 0;
}

/* Whether rows are aligned, i1, and so long that what is left of them beside vectors takes no
 * longer: in shorter ones some threads have a vector more than others. */
static LLVMValueRef may_take(struct gen *g, const struct taking *k, struct nest *n) {
    const struct threads *t = g->threads;
    int last = n->n - 1;
    uint64_t least = (uint64_t)k->lanes * UFC_MICRO_VECTORS;
    LLVMValueRef long_rows =
        compare(g, LLVMIntSGE, n->count[last], multiply(g, t->count, i64(g, least)));
    return both(g, long_rows, are_aligned(g, k->spread->body, n->lo[last], k->lanes));
}

LLVMBasicBlockRef begin_micro_vectors(struct gen *g, const struct pstmt *s, struct nest *n,
                                      bool by_one) {
    if (g->abreast == NULL || g->aside == 0 || !by_one || !s->parted || !loads_vectors(g))
        return NULL;
    const struct taking k = {.spread = s, .lanes = lanes_of(g, s), .batch = find_micro_batch(g, s)};
    if (k.lanes == 0 || k.batch == NULL)
        return NULL;
    LLVMBasicBlockRef vectors = gen_block(g, "vectors"), scalars = gen_block(g, "scalars"),
                      done = gen_block(g, "shared");
    LLVMBuildCondBr(g->b, may_take(g, &k, n), vectors, scalars);
    gen_place(g, vectors);
    gen_vectors(g, &k, n);
    LLVMBuildBr(g->b, done);
    gen_place(g, scalars);
    return done;
}

void end_micro_vectors(struct gen *g, LLVMBasicBlockRef done) {
    if (done == NULL)
        return;
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

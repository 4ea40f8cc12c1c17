/* side.c: streams whose elements of an iteration are side by side, in a row of several elements an
 * iteration.
 *
 * Where subscripts behind that with the index are numbers, and arrays have so many elements there,
 * an element's place is one number, as if the array had a dimension less; whether it is so in
 * memory is seen at the call.  All elements of a row that is stored are stored by each iteration.
 * Of one that is loaded some may not be accessed: those that are not between others of the loop are
 * left out by leaving its last iteration out of chunks. */
#include <stdlib.h>

#include "stream.h"

/* A dimension's size, if it is known; or -1. */
static int64_t size_of(struct gen *g, const struct dim *dim) {
    LLVMValueRef known = dim->index >= 0 ? g->dims[dim->index] : NULL;
    bool number = known != NULL && LLVMIsAConstantInt(known);
    return number ? LLVMConstIntGetSExtValue(known) : dim->index >= 0 ? -1 : dim->size;
}

/* The elements from one to the next in the dimension of the stream's subscript with the index, if
 * the dimensions behind it are of fixed sizes; else 0. */
static int64_t elements_behind(struct gen *g, const struct access *a) {
    int64_t n = 1;
    for (int i = a->axis + 1; i < a->place->nargs; i++) {
        const struct dim *dim = g->plan->operands[a->place->operand].dims[i];
        int64_t size = size_of(g, dim);
        if (a->at[i].n > 0 || size <= 0 || size > STEP_ELEMENTS || a->at[i].plus < 0 ||
            a->at[i].plus >= size)
            return 0;
        n *= size;
        if (n > STEP_ELEMENTS)
            return 0;
    }
    return n;
}

/* The place of the stream's element among those of all iterations, beside that of another one. */
static int64_t place_of(struct gen *g, const struct access *a, const struct access *other) {
    int64_t place = 0;
    for (int i = a->axis; i < a->place->nargs; i++) {
        int64_t size = size_of(g, g->plan->operands[a->place->operand].dims[i]);
        place = place * (i == a->axis ? 1 : size) + (a->at[i].plus - other->at[i].plus);
    }
    return place;
}

/* Whether two streams are of one array, and may be in one row. */
static bool are_alike(const struct stream *s, const struct stream *of) {
    const struct access *a = s->anchor, *b = of->anchor;
    bool alike = a->place->operand == b->place->operand && a->axis == b->axis &&
                 s->stored == of->stored && llabs(a->at[a->axis].plus - b->at[a->axis].plus) < 64;
    for (int i = 0; alike && i <= a->axis; i++)
        alike =
            are_parallel(&a->at[i], &b->at[i]) && (i == a->axis || a->at[i].plus == b->at[i].plus);
    return alike;
}

/* Streams that may be in one row, and their places beside the first one's. */
struct row {
    int stream[MAX_STREAMS], n;
    int64_t place[MAX_STREAMS], least, most;
};

static void add_to_row(struct gen *g, const struct chunk *c, struct row *r, int k) {
    int64_t place = place_of(g, c->stream[k].anchor, c->stream[r->stream[0]].anchor);
    r->least = place < r->least ? place : r->least;
    r->most = place > r->most ? place : r->most;
    r->place[r->n] = place;
    r->stream[r->n++] = k;
}

/* Sets what streams in a row of `count` elements an iteration have of it. */
static void set_row(struct chunk *c, const struct row *r, int count) {
    bool loaded = false, whole = r->most - r->least == count - 1;
    for (int i = 0; i < r->n; i++)
        loaded = loaded || c->stream[r->stream[i]].loaded;
    for (int i = 0; i < r->n; i++) {
        struct stream *s = &c->stream[r->stream[i]];
        int64_t first = s->down ? r->most - (count - 1) : r->least;
        s->head = r->stream[0];
        s->count = count;
        s->at = (int)(r->place[i] - first);
        s->loaded = loaded;
    }
    if (!whole)
        c->apart = 1;
}

/* Whether rows of `count` elements of a stream's array are worth their copies. */
static bool is_worth(const struct row *r, int64_t count, const struct stream *s) {
    bool fits = count > 1 && count <= STEP_ELEMENTS && count * stream_bytes(s) <= STEP_BYTES;
    return fits && r->most - r->least < count && (s->stored ? r->n == count : 2 * r->n >= count);
}

void find_rows_beside(struct gen *g, struct chunk *c) {
    for (int k = 0; k < c->nstreams; k++) {
        c->stream[k].head = k;
        c->stream[k].count = 1;
        c->stream[k].at = 0;
    }
    for (int k = 0; k < c->nstreams; k++) {
        struct stream *s = &c->stream[k];
        struct row r = {.stream = {k}};
        int64_t behind = elements_behind(g, s->anchor);
        int64_t count = behind * llabs(s->anchor->at[s->anchor->axis].times);
        if (s->head != k || behind == 0)
            continue;
        for (int i = k; i < c->nstreams; i++)
            if (c->stream[i].head == i && c->stream[i].count == 1 && are_alike(&c->stream[i], s) &&
                elements_behind(g, c->stream[i].anchor) == behind)
                add_to_row(g, c, &r, i);
        if (is_worth(&r, count, s))
            set_row(c, &r, (int)count);
    }
}

/* ---- in code */

unsigned vector_bytes(const struct chunk *c, const struct stream *s) {
    unsigned bytes = stream_bytes(s) * (unsigned)(c->size * s->count), power = bytes & -bytes;
    return power < 16 ? power : 16;
}

void find_stride(struct gen *g, struct stream *s) {
    const struct access *a = s->anchor;
    int64_t times = llabs(a->at[a->axis].times);
    s->stride = g->arrays[a->place->operand].stride[a->axis];
    if (times > 1)
        s->stride = multiply(g, s->stride, i64(g, (uint64_t)times));
    s->row.stride = s->stride;
}

LLVMValueRef ahead_of(struct gen *g, const struct chunk *c, const struct stream *s) {
    int shift = __builtin_ctz((unsigned)s->count), size = c->size >> shift;
    int odd = s->count >> shift; /* its own inverse, as sizes are 8 at most */
    LLVMValueRef at =
        LLVMBuildPtrToInt(g->b, row_lowest(g, s, i64(g, 0), i64(g, 1)), i64_type(g), "");
    at = LLVMBuildUDiv(g->b, at, i64(g, (uint64_t)stream_bytes(s) << shift), "");
    at = s->down ? add(g, at, i64(g, (uint64_t)odd)) : LLVMBuildNeg(g->b, at, "");
    at = multiply(g, at, i64(g, (uint64_t)odd));
    return LLVMBuildURem(g->b, at, i64(g, (uint64_t)(size > 0 ? size : 1)), "");
}

/* Whether elements of all iterations of a row are neighbours, where streams are known: i1. */
static LLVMValueRef are_neighbours(struct gen *g, const struct chunk *c, const struct stream *s) {
    LLVMValueRef bytes = i64(g, stream_bytes(s) * (uint64_t)s->count);
    LLVMValueRef all = compare(g, LLVMIntEQ, s->stride, bytes);
    for (int k = s->head + 1; k < c->nstreams; k++)
        if (c->stream[k].head == s->head) {
            LLVMValueRef at = row_lowest(g, &c->stream[k], i64(g, 0), i64(g, 1));
            all = both(g, all, compare(g, LLVMIntEQ, at, row_lowest(g, s, i64(g, 0), i64(g, 1))));
        }
    return all;
}

/* The address of an access, in the iterations of inner loops that it is in. */
static LLVMValueRef address_of(struct gen *g, const struct access *a) {
    for (int i = 0; i < a->ninner; i++)
        var_of(g, a->inner[i].var)->known = i64(g, (uint64_t)a->inner[i].index);
    LLVMValueRef at = gen_address(g, a->place);
    for (int i = 0; i < a->ninner; i++)
        var_of(g, a->inner[i].var)->known = NULL;
    return at;
}

/* Where the elements of a row of several streams are, of an iteration: those that are not accessed
 * are another one's. */
static void find_beside(struct gen *g, const struct chunk *c, struct stream *s) {
    if (s->count == 1)
        return;
    LLVMValueRef lowest =
        LLVMBuildPtrToInt(g->b, row_lowest(g, s, i64(g, 0), i64(g, 1)), i64_type(g), "");
    s->row.beside = NEWN(g->uc, LLVMValueRef, s->count);
    for (int i = 0; i < s->count; i++)
        s->row.beside[i] = i64(g, (unsigned)s->at * stream_bytes(s));
    for (int k = s->head + 1; k < c->nstreams; k++)
        if (c->stream[k].head == s->head) {
            LLVMValueRef at = LLVMBuildPtrToInt(g->b, c->stream[k].first, i64_type(g), "");
            s->row.beside[c->stream[k].at] = subtract(g, at, lowest);
        }
}

LLVMValueRef begin_streams(struct gen *g, struct chunk *c) {
    LLVMValueRef ahead = i64(g, 0);
    for (int k = c->nstreams; k-- > 0;) {
        struct stream *s = &c->stream[k];
        s->first = address_of(g, s->anchor);
        if (!has_row(c, k))
            continue;
        s->unit = are_neighbours(g, c, s);
        ahead = gen_select(g, s->unit, ahead_of(g, c, s), ahead);
        find_beside(g, c, s);
    }
    return ahead;
}

bool has_row(const struct chunk *c, int k) {
    return c->stream[k].head == k;
}

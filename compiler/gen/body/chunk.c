/* chunk.c: ordered loops in chunks.
 *
 * A thread that runs over a row, an element an iteration, leaves most of each 32 bytes that memory
 * moves for another access.  So the loop takes several iterations at once, with the elements that
 * they access in registers: loaded before, as vectors where they are neighbours and aligned, and
 * stored after.  Iterations before the first aligned element, and the last ones, go one by one.
 *
 * The elements x[i + c] for the loop's index i and any constants c are a stream, of which a chunk
 * holds those of one constant; others are in memory.  An array that the loop stores to has streams
 * only if each access is of one, and these are of different elements for certain. */
#include "build.h"

enum {
    MAX_STREAMS = 8,
    MAX_ACCESSES = 48,
    MAX_REST = 3,
    MAX_CHUNK = 8, /* iterations */
};

/* A subscript: times * index + plus + rest, of which all but the index is the same throughout the
 * loop, but for the indices of loops in it. */
struct affine {
    int64_t times, plus;
    struct {
        const struct pval *value;
        bool minus;
    } rest[MAX_REST];
    int n;
    bool inner; /* it has such an index */
};

struct access {
    const struct pval *place;
    bool stored;
    bool certain; /* each iteration accesses it */
    bool affine;  /* all subscripts are */
    struct affine at[MAX_CORE_RANK];
    int axis; /* the only subscript that has the index, grows by one an iteration or falls; or -1 */
    int stream; /* or -1 */
};

struct stream {
    const struct access *anchor; /* a chunk holds the elements that this access has */
    bool down, stored;
    LLVMValueRef held;          /* their slots, in the order of memory */
    LLVMValueRef stride, first; /* bytes from one to the next; address of the anchor's element in
                                   the loop's first iteration */
    LLVMValueRef vector;        /* i1: chunks are neighbours and aligned */
};

struct chunk {
    const struct pstmt *loop;
    int64_t step;
    int size, turn;  /* iterations; the one that is being generated */
    const bool *set; /* by variable: the loop's body assigns to it */
    struct access access[MAX_ACCESSES];
    int naccesses;
    struct stream stream[MAX_STREAMS];
    int nstreams;
};

/* ---- subscripts */

/* Whether a value may change within the loop. */
static enum walk find_change(const struct pval *v, void *arg) {
    const struct chunk *c = arg;
    bool changes = v->kind == PV_ELEM || (v->kind == PV_VAR && c->set[v->var->id]);
    return changes ? WALK_STOP : WALK_IN;
}

static bool add_subscript(struct gen *g, const struct chunk *c, const struct pval *v, bool minus,
                          struct affine *a) {
    LLVMValueRef known = v->kind == PV_VAR ? var_of(g, v->var)->known : NULL;
    if (v->kind == PV_OP && (v->op == OP_ADD || v->op == OP_SUB))
        return add_subscript(g, c, v->args[0], minus, a) &&
               add_subscript(g, c, v->args[1], minus != (v->op == OP_SUB), a);
    if (v->kind == PV_OP && v->op == OP_NEG)
        return add_subscript(g, c, v->args[0], !minus, a);
    if (v->kind == PV_CONST || known != NULL) {
        int64_t i = known != NULL ? LLVMConstIntGetSExtValue(known) : (int64_t)v->i;
        a->plus += minus ? -i : i;
        a->inner = a->inner || known != NULL;
        return true;
    }
    if (v->kind == PV_VAR && v->var == c->loop->var) {
        a->times += minus ? -1 : 1;
        return true;
    }
    if (!value_walk(v, find_change, (void *)c) || a->n == MAX_REST)
        return false;
    a->rest[a->n].value = v;
    a->rest[a->n++].minus = minus;
    return true;
}

static void find_subscripts(struct gen *g, const struct chunk *c, struct access *a) {
    a->axis = a->stream = -1;
    a->affine = true;
    bool several = false;
    for (int i = 0; i < a->place->nargs; i++) {
        a->at[i] = (struct affine){0};
        a->affine = a->affine && add_subscript(g, c, a->place->args[i], false, &a->at[i]);
        if (a->at[i].times == 0)
            continue;
        several = several || a->axis >= 0 || a->at[i].times > 1 || a->at[i].times < -1;
        a->axis = i;
    }
    if (several || !a->affine)
        a->axis = -1;
}

/* Whether two subscripts differ by a constant. */
static bool are_parallel(const struct affine *a, const struct affine *b) {
    bool same = a->times == b->times && a->n == b->n;
    for (int i = 0; same && i < a->n; i++)
        same =
            a->rest[i].minus == b->rest[i].minus && same_value(a->rest[i].value, b->rest[i].value);
    return same;
}

/* Whether a is of the stream with this anchor. */
static bool is_of(const struct access *a, const struct access *anchor) {
    bool same =
        a->axis >= 0 && a->axis == anchor->axis && a->place->operand == anchor->place->operand;
    for (int i = 0; same && i < a->place->nargs; i++)
        same = are_parallel(&a->at[i], &anchor->at[i]) &&
               (i == a->axis || (a->at[i].plus == anchor->at[i].plus && !a->at[i].inner));
    return same;
}

/* Whether two accesses of an array are of different elements in any two iterations. */
static bool are_apart(const struct access *a, const struct access *b) {
    for (int i = 0; a->affine && b->affine && i < a->place->nargs; i++)
        if (a->at[i].times == 0 && are_parallel(&a->at[i], &b->at[i]) && !a->at[i].inner &&
            !b->at[i].inner && a->at[i].plus != b->at[i].plus)
            return true;
    return false;
}

/* ---- the body's accesses */

struct survey {
    struct gen *g;
    struct chunk *c;
    bool *set;
    const struct pval *stored;
    bool certain;
    int cost;
};

static enum walk add_access(const struct pval *v, void *arg) {
    struct survey *s = arg;
    struct chunk *c = s->c;
    s->cost++;
    if (v->kind != PV_ELEM || v->operand >= s->g->plan->noperands)
        return WALK_IN;
    if (c->naccesses == MAX_ACCESSES) {
        s->cost = CHUNK_BODY;
        return WALK_STOP;
    }
    struct access *a = &c->access[c->naccesses++];
    *a = (struct access){.place = v, .stored = v == s->stored, .certain = s->certain};
    find_subscripts(s->g, c, a);
    return WALK_IN;
}

/* Iterations of a loop in the body, whose bounds are constants; 0: they are not, or there is no
 * iteration. */
static int64_t iterations(const struct pstmt *s) {
    bool constant = s->lo->kind == PV_CONST && s->hi->kind == PV_CONST && s->step->kind == PV_CONST;
    return constant && s->step->i == 1 && (int64_t)s->hi->i > (int64_t)s->lo->i
               ? (int64_t)s->hi->i - (int64_t)s->lo->i
               : 0;
}

static void survey(struct survey *s, const struct pstmt *list);

static void survey_loop(struct survey *s, const struct pstmt *loop) {
    struct gen_var *index = var_of(s->g, loop->var);
    int64_t n = iterations(loop);
    int before = s->cost;
    if (n == 0 || n > CHUNK_BODY) {
        s->cost = CHUNK_BODY;
        return;
    }
    index->known = i64(s->g, loop->lo->i);
    survey(s, loop->body);
    index->known = NULL;
    s->cost = before + (int)n * (s->cost - before);
}

/* Adds the list's cost, the variables that it assigns to and its accesses. */
static void survey(struct survey *s, const struct pstmt *list) {
    for (; list != NULL && s->cost < CHUNK_BODY; list = list->next) {
        bool certain = s->certain;
        switch (list->kind) {
        case PS_SPREAD: survey(s, list->serial); break;
        case PS_FOR: survey_loop(s, list); break;
        case PS_SET: s->set[list->var->id] = true; break;
        case PS_PUT: break;
        case PS_IF:
        case PS_BLOCK:
            s->certain = false;
            survey(s, list->body);
            survey(s, list->other);
            s->certain = certain;
            break;
        default: s->cost = CHUNK_BODY;
        }
        s->stored = list->place;
        if (list->kind != PS_SPREAD)
            stmt_values(list, add_access, s);
    }
}

/* ---- streams */

static void add_stream(struct chunk *c, const struct access *anchor) {
    for (int k = 0; k < c->nstreams; k++)
        if (is_of(anchor, c->stream[k].anchor))
            return;
    if (c->nstreams < MAX_STREAMS)
        c->stream[c->nstreams++] =
            (struct stream){.anchor = anchor, .down = anchor->at[anchor->axis].times * c->step < 0};
}

/* Whether operand k may have streams. */
static bool is_settled(const struct gen *g, const struct chunk *c, int k) {
    if (is_complex(g->plan->operands[k].dtype))
        return false;
    for (int i = 0; i < c->naccesses; i++)
        for (int j = 0; j < c->naccesses; j++) {
            const struct access *a = &c->access[i], *b = &c->access[j];
            if (a->place->operand == k && a->stored && b->place->operand == k &&
                (a->stream < 0 || a->stream != b->stream) && !are_apart(a, b))
                return false;
        }
    return true;
}

/* Finds the streams, stores before loads, so that what is stored is held. */
static void find_streams(struct gen *g, struct chunk *c) {
    for (int stored = 1; stored >= 0; stored--)
        for (int i = 0; i < c->naccesses; i++) {
            const struct access *a = &c->access[i];
            if (a->axis >= 0 && a->certain && a->stored == stored)
                add_stream(c, a);
        }
    for (int i = 0; i < c->naccesses; i++)
        for (int k = 0; k < c->nstreams; k++)
            if (is_of(&c->access[i], c->stream[k].anchor)) {
                c->access[i].stream = k;
                c->stream[k].stored = c->stream[k].stored || c->access[i].stored;
            }
    int n = 0;
    for (int k = 0; k < c->nstreams; k++)
        if (is_settled(g, c, c->stream[k].anchor->place->operand))
            c->stream[n++] = c->stream[k];
    c->nstreams = n;
}

static unsigned bytes_of(const struct stream *s) {
    return (unsigned)dtype_info[s->anchor->place->dtype].bits / 8;
}

/* Iterations whose elements fill CHUNK_BYTES. */
static int chunk_size(const struct chunk *c) {
    unsigned widest = CHUNK_BYTES / MAX_CHUNK;
    for (int k = 0; k < c->nstreams; k++)
        widest = bytes_of(&c->stream[k]) > widest ? bytes_of(&c->stream[k]) : widest;
    return (int)(CHUNK_BYTES / widest);
}

/* ---- elements of a chunk */

static LLVMValueRef slot(struct gen *g, const struct stream *s, int i) {
    return at_byte(g, s->held, i64(g, (uint64_t)i * bytes_of(s)));
}

LLVMValueRef chunk_slot(struct gen *g, const struct pval *place) {
    const struct chunk *c = g->chunk;
    struct access a = {.place = place};
    if (c == NULL || place->operand >= g->plan->noperands)
        return NULL;
    find_subscripts(g, c, &a);
    for (int k = 0; k < c->nstreams; k++) {
        const struct stream *s = &c->stream[k];
        int64_t at = s->down ? c->size - 1 - c->turn : c->turn;
        if (!is_of(&a, s->anchor))
            continue;
        at += a.at[a.axis].plus - s->anchor->at[a.axis].plus;
        return at >= 0 && at < c->size ? slot(g, s, (int)at) : NULL;
    }
    return NULL;
}

/* Copies the chunk at `lowest` to its slots, or back, an element or 16 bytes at a time. */
static void copy(struct gen *g, const struct chunk *c, const struct stream *s, LLVMValueRef lowest,
                 bool load, bool vector) {
    const struct pval *place = s->anchor->place;
    LLVMTypeRef type = gen_memory_type(g, place->dtype);
    unsigned bytes = bytes_of(s), all = bytes * (unsigned)c->size,
             align = dtype_align(place->dtype);
    int per = 1;
    if (vector) {
        per = (int)((all < 16 ? all : 16) / bytes);
        type = LLVMVectorType(type, (unsigned)per);
        align = bytes * (unsigned)per;
    }
    for (int i = 0; i < c->size; i += per) {
        LLVMValueRef apart = vector ? i64(g, bytes) : s->stride;
        LLVMValueRef memory = at_byte(g, lowest, multiply(g, apart, i64(g, (uint64_t)i)));
        LLVMValueRef v = LLVMBuildLoad2(g->b, type, load ? memory : slot(g, s, i), "");
        LLVMSetAlignment(v, align);
        if (load)
            gen_mark_constant(g, place, v);
        LLVMSetAlignment(LLVMBuildStore(g->b, v, load ? slot(g, s, i) : memory), align);
    }
}

static void move(struct gen *g, const struct chunk *c, const struct stream *s, LLVMValueRef turn,
                 bool load) {
    LLVMBasicBlockRef vectors = gen_block(g, "vectors"), elements = gen_block(g, "elements"),
                      done = gen_block(g, "moved");
    LLVMValueRef at = s->down ? add(g, turn, i64(g, (uint64_t)c->size - 1)) : turn;
    at = multiply(g, at, s->stride);
    LLVMValueRef lowest = at_byte(g, s->first, s->down ? LLVMBuildNeg(g->b, at, "") : at);
    LLVMBuildCondBr(g->b, s->vector, vectors, elements);
    gen_place(g, vectors);
    copy(g, c, s, lowest, load, true);
    LLVMBuildBr(g->b, done);
    gen_place(g, elements);
    copy(g, c, s, lowest, load, false);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* ---- the loop */

static void set_index(struct gen *g, const struct chunk *c, LLVMValueRef lo, LLVMValueRef turn) {
    LLVMValueRef i = add(g, lo, multiply(g, turn, i64(g, (uint64_t)c->step)));
    LLVMBuildStore(g->b, i, var_of(g, c->loop->var)->slot);
}

/* Prepares the streams.  Gives how many iterations come before the first chunk: those before an
 * aligned element of the first stream whose elements are neighbours. */
static LLVMValueRef begin_streams(struct gen *g, struct chunk *c, LLVMValueRef lo) {
    LLVMValueRef ahead = i64(g, 0), size = i64(g, (uint64_t)c->size), unit[MAX_STREAMS];
    set_index(g, c, lo, i64(g, 0));
    for (int k = c->nstreams; k-- > 0;) {
        struct stream *s = &c->stream[k];
        const struct pval *place = s->anchor->place;
        LLVMTypeRef type = gen_memory_type(g, place->dtype);
        s->stride = g->arrays[place->operand].stride[s->anchor->axis];
        s->first = gen_address(g, place);
        s->held = gen_alloca(g, LLVMArrayType2(type, (uint64_t)c->size), "held");
        LLVMSetAlignment(s->held, 16);
        unit[k] = compare(g, LLVMIntEQ, s->stride, i64(g, bytes_of(s)));
        LLVMValueRef at = LLVMBuildPtrToInt(g->b, s->first, i64_type(g), "");
        at = LLVMBuildUDiv(g->b, at, i64(g, bytes_of(s)), "");
        at = s->down ? add(g, at, i64(g, 1)) : LLVMBuildNeg(g->b, at, "");
        ahead = gen_select(g, unit[k], LLVMBuildURem(g->b, at, size, ""), ahead);
    }
    for (int k = 0; k < c->nstreams; k++) {
        struct stream *s = &c->stream[k];
        uint64_t align =
            (uint64_t)c->size * bytes_of(s) < 16 ? (uint64_t)c->size * bytes_of(s) : 16;
        LLVMValueRef at =
            s->down ? LLVMBuildNeg(g->b, add(g, ahead, i64(g, (uint64_t)c->size - 1)), "") : ahead;
        at = at_byte(g, s->first, multiply(g, at, i64(g, bytes_of(s))));
        LLVMValueRef low =
            LLVMBuildAnd(g->b, LLVMBuildPtrToInt(g->b, at, i64_type(g), ""), i64(g, align - 1), "");
        s->vector = both(g, unit[k], compare(g, LLVMIntEQ, low, i64(g, 0)));
    }
    return ahead;
}

static void gen_chunk(struct gen *g, struct chunk *c, LLVMValueRef lo, LLVMValueRef turn) {
    int copies = g->copies;
    for (int k = 0; k < c->nstreams; k++)
        move(g, c, &c->stream[k], turn, true);
    g->chunk = c;
    g->copies = CHUNK_BODY;
    for (c->turn = 0; c->turn < c->size; c->turn++) {
        set_index(g, c, lo, add(g, turn, i64(g, (uint64_t)c->turn)));
        gen_stmts(g, c->loop->body);
    }
    g->chunk = NULL;
    g->copies = copies;
    for (int k = 0; k < c->nstreams; k++)
        if (c->stream[k].stored)
            move(g, c, &c->stream[k], turn, false);
}

static void gen_loop(struct gen *g, struct chunk *c) {
    struct loop l;
    LLVMValueRef lo = gen_value(g, c->loop->lo), zero = i64(g, 0), size = i64(g, (uint64_t)c->size);
    LLVMValueRef n = gen_count(g, lo, gen_value(g, c->loop->hi), i64(g, (uint64_t)c->step));
    LLVMBasicBlockRef enter = begin_if(g, compare(g, LLVMIntSGT, n, zero));
    LLVMValueRef ahead = begin_streams(g, c, lo);
    loop_begin(g, &l, 1, &zero);
    l.keep = true;
    LLVMValueRef turn = l.phi[0];
    loop_while(g, &l, compare(g, LLVMIntSLT, turn, n));
    LLVMBasicBlockRef chunk = gen_block(g, "chunk"), single = gen_block(g, "single"),
                      next = gen_block(g, "next");
    LLVMValueRef left = subtract(g, n, turn);
    LLVMValueRef whole =
        both(g, compare(g, LLVMIntSGE, turn, ahead), compare(g, LLVMIntSGE, left, size));
    LLVMBuildCondBr(g->b, whole, chunk, single);
    gen_place(g, chunk);
    gen_chunk(g, c, lo, turn);
    LLVMBasicBlockRef behind = LLVMGetInsertBlock(g->b);
    LLVMBuildBr(g->b, next);
    gen_place(g, single);
    set_index(g, c, lo, turn);
    gen_stmts(g, c->loop->body);
    LLVMBasicBlockRef behind_one = LLVMGetInsertBlock(g->b);
    LLVMBuildBr(g->b, next);
    gen_place(g, next);
    LLVMValueRef after = add(g, turn, phi2(g, behind, size, behind_one, i64(g, 1)));
    loop_end(g, &l, &after);
    end_if(g, enter);
}

bool gen_in_chunks(struct gen *g, const struct pstmt *s) {
    if (!g->in_chunks || g->lanes > 1 || g->chunk != NULL || s->step->kind != PV_CONST ||
        g->sections.mentioned != NULL || gen_is_checked(s->body))
        return false;
    int64_t step = (int64_t)s->step->i;
    if (step != 1 && step != -1)
        return false;
    struct chunk *c = NEW(g->uc, struct chunk);
    struct survey v = {.g = g, .c = c, .set = NEWN(g->uc, bool, g->plan->nvars), .certain = true};
    *c = (struct chunk){.loop = s, .step = step, .set = v.set};
    survey(&v, s->body); /* finds what is assigned */
    c->naccesses = 0;
    if (v.cost < CHUNK_BODY)
        survey(&(struct survey){.g = g, .c = c, .set = v.set, .certain = true}, s->body);
    if (v.cost >= CHUNK_BODY)
        return false;
    find_streams(g, c);
    if (c->nstreams == 0)
        return false;
    c->size = chunk_size(c);
    gen_loop(g, c);
    return true;
}

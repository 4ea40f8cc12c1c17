/* ptx_decode_memory.c: the instructions of PTX that reach memory, and those by which threads meet.
 */
#include "ptx_read.h"

/* ---- addresses */

static enum ptx_space take_space(struct reader *p) {
    static const enum ptx_word spaces[] = {W_GLOBAL, W_SHARED, W_LOCAL, W_PARAM, W_CONST};
    return (enum ptx_space)(take_one(p, spaces, 5) + 1);
}

/* Takes the words for caches and for the order of accesses; true: other threads' accesses must be
 * seen. */
static bool take_order(struct reader *p) {
    static const enum ptx_word caches[] = {W_CA, W_CG, W_CS, W_LU, W_CV, W_WB, W_WT, W_NC, W_WEAK};
    static const enum ptx_word orders[] = {W_VOLATILE, W_RELAXED, W_ACQUIRE,
                                           W_RELEASE,  W_ACQ_REL, W_SC};
    static const enum ptx_word scopes[] = {W_CTA, W_CLUSTER, W_GPU, W_SYS, W_GL};
    take_one(p, caches, 9);
    bool ordered = take_one(p, orders, 6) >= 0;
    take_one(p, scopes, 5);
    return ordered;
}

static unsigned size_code(int bits) {
    return bits == 64 ? 3U : bits == 32 ? 2U : bits == 16 ? 1U : 0U;
}

static void set_address(struct reader *p, struct insn *insn, uint32_t base, int operand) {
    int64_t offset = p->operand[operand].offset;
    insn->x[4] = base;
    insn->offset = (int32_t)offset;
    if (offset != insn->offset || !p->operand[operand].is_address)
        ptx_wrong(p, "operand %d of '%.*s' is not an address", operand + 1, (int)p->opcode.size,
                  p->opcode.text);
}

/* ---- loads and stores */

static enum ptx_op access_op(bool load, enum ptx_space space, unsigned size, bool plain) {
    if (plain && space == SPACE_GLOBAL)
        return (enum ptx_op)((int)(load ? OP_LD_GLOBAL8 : OP_ST_GLOBAL8) + (int)size);
    if (plain && space == SPACE_SHARED)
        return (enum ptx_op)((int)(load ? OP_LD_SHARED8 : OP_ST_SHARED8) + (int)size);
    if (plain && load && space == SPACE_PARAM)
        return (enum ptx_op)((int)OP_LD_PARAM8 + (int)size);
    return load ? OP_LD : OP_ST;
}

static bool decode_access(struct reader *p, bool load) {
    static const enum ptx_word vectors[] = {W_V2, W_V4};
    bool ordered = take_order(p);
    enum ptx_space space = take_space(p);
    take_order(p); /* cache words come after the space too */
    int vector = take_one(p, vectors, 2), n = vector < 0 ? 1 : vector == 0 ? 2 : 4;
    struct ptx_type t = take_type(p);
    int data = load ? 0 : 1;
    const struct ptx_operand *o = &p->operand[data];
    if (t.bits < 8 || p->noperands != 2 || o->n != n || o->is_address || (n > 1) != o->is_vector)
        return false;
    unsigned size = size_code(t.bits), aux = (unsigned)space;
    aux |= size << ACCESS_SIZE_SHIFT | (unsigned)(n - 1) << ACCESS_COUNT_SHIFT;
    if (load && t.kind == 's' && t.bits < 64) {
        int reg = o->value[0].bits;
        aux |= ACCESS_SIGNED | (reg == 64 ? 2U : reg == 32 ? 1U : 0U) << ACCESS_EXTEND_SHIFT;
    }
    bool plain = n == 1 && !ordered && !(aux & ACCESS_SIGNED);
    aux |= ordered ? ACCESS_ORDERED : 0U;
    uint32_t x[4] = {0}, base = slot_of(p, &p->operand[1 - data].value[0], 64);
    for (int i = 0; i < n; i++)
        x[i] = slot_of(p, &o->value[i], t.bits);
    struct insn *insn = emit(p, access_op(load, space, size, plain), x[0], x[1], x[2], x[3]);
    insn->aux = (uint16_t)aux;
    set_address(p, insn, base, 1 - data);
    return true;
}

/* ---- atomic operations */

static int atom_op(struct reader *p, struct ptx_type *t) {
    static const enum ptx_word ops[] = {W_ADD, W_MIN, W_MAX, W_AND,  W_OR,
                                        W_XOR, W_INC, W_DEC, W_EXCH, W_CAS};
    int op = take_one(p, ops, 10);
    *t = take_type(p);
    bool sign = t->kind == 's';
    switch (op) {
    case 0: return t->kind == 'f' ? ATOM_ADD_F : ATOM_ADD;
    case 1: return sign ? ATOM_MIN_S : ATOM_MIN_U;
    case 2: return sign ? ATOM_MAX_S : ATOM_MAX_U;
    case 3: return ATOM_AND;
    case 4: return ATOM_OR;
    case 5: return ATOM_XOR;
    case 6: return ATOM_INC;
    case 7: return ATOM_DEC;
    case 8: return ATOM_EXCH;
    case 9: return ATOM_CAS;
    default: return -1;
    }
}

static bool decode_atom(struct reader *p, bool has_result) {
    take_order(p);
    enum ptx_space space = take_space(p);
    struct ptx_type t;
    int op = atom_op(p, &t), address = has_result ? 1 : 0, n = op == ATOM_CAS ? 2 : 1;
    if (op < 0 || t.bits < 32 || p->noperands != address + 1 + n ||
        (t.kind == 'f' && op != ATOM_ADD_F))
        return false;
    uint32_t d = has_result ? result(p, 0) : slot_trash(p);
    uint32_t base = slot_of(p, &p->operand[address].value[0], 64);
    uint32_t b = source(p, address + 1, t.bits), c = n == 2 ? source(p, address + 2, t.bits) : 0;
    struct insn *insn = emit(p, OP_ATOM, d, b, c, 0);
    insn->aux = (uint16_t)((unsigned)space | size_code(t.bits) << ACCESS_SIZE_SHIFT |
                           (unsigned)op << ACCESS_ATOM_SHIFT);
    set_address(p, insn, base, address);
    return true;
}

/* cvta: all spaces lie in one address space here. */
static bool decode_cvta(struct reader *p) {
    take(p, W_TO);
    return take_space(p) != SPACE_GENERIC && take_type(p).bits == 64 &&
           emit_values(p, OP_MOV, 64, 1);
}

static bool decode_isspacep(struct reader *p) {
    enum ptx_space space = take_space(p);
    emit(p, OP_ISSPACEP, result(p, 0), source(p, 1, 64), 0, 0)->aux = (uint16_t)space;
    return space != SPACE_GENERIC && p->noperands == 2;
}

static bool decode_fence(struct reader *p) {
    take_order(p);
    take_order(p);
    emit(p, OP_FENCE, 0, 0, 0, 0);
    return p->noperands == 0;
}

/* cp.async.ca.shared.global [to], [from], size{, bytes}; and what waits for it. */
static bool decode_copy(struct reader *p) {
    if (!take(p, W_ASYNC))
        return false;
    const struct ptx_value *number = &p->operand[p->noperands < 3 ? 0 : 2].value[0];
    if (take(p, W_COMMIT_GROUP)) {
        emit(p, OP_COPY_GROUP, 0, 0, 0, 0);
        return p->noperands == 0;
    }
    bool all = take(p, W_WAIT_ALL);
    if (all || take(p, W_WAIT_GROUP)) {
        emit(p, OP_COPY_WAIT, all ? 0 : (uint32_t)number->number, 0, 0, 0)->aux = all;
        return all ? p->noperands == 0 : p->noperands == 1 && number->kind == VALUE_NUMBER;
    }
    take_order(p);
    if (!take(p, W_SHARED) || !take(p, W_GLOBAL) || p->noperands < 3 || p->noperands > 4 ||
        number->kind != VALUE_NUMBER || !p->operand[0].is_address)
        return false;
    uint32_t bytes =
        p->noperands == 4 ? source(p, 3, 32) : slot_preset(p, PRESET_CONSTANT, number->number);
    uint32_t to = slot_of(p, &p->operand[0].value[0], 64),
             from = slot_of(p, &p->operand[1].value[0], 64);
    struct insn *insn = emit(p, OP_COPY, 0, 0, bytes, to);
    set_address(p, insn, from, 1);
    insn->aux = (uint16_t)number->number;
    return insn->offset == 0 && p->operand[0].offset == 0;
}

/* There is no cache. */
static bool decode_prefetch(struct reader *p) {
    return take(p, W_GLOBAL) && take(p, W_L1) && p->noperands == 1;
}

/* Launches end before the next one begins. */
static bool decode_wait(struct reader *p) {
    return take(p, W_WAIT) && p->noperands == 0;
}

bool decode_memory(struct reader *p, enum ptx_word base) {
    switch (base) {
    case W_LD:
    case W_LDU: return decode_access(p, true);
    case W_ST: return decode_access(p, false);
    case W_ATOM: return decode_atom(p, true);
    case W_RED: return decode_atom(p, false);
    case W_CVTA: return decode_cvta(p);
    case W_ISSPACEP: return decode_isspacep(p);
    case W_MEMBAR:
    case W_FENCE: return decode_fence(p);
    case W_CP: return decode_copy(p);
    case W_PREFETCH: return decode_prefetch(p);
    case W_GRIDDEPCONTROL: return decode_wait(p);
    default: return false;
    }
}

/* ---- barriers */

static bool decode_barrier(struct reader *p, enum ptx_word base) {
    static const enum ptx_word kinds[] = {W_SYNC, W_ARRIVE, W_RED};
    static const enum ptx_word reductions[] = {W_POPC, W_AND, W_OR};
    take(p, W_CTA);
    if (base == W_BARRIER)
        take(p, W_ALIGNED);
    int kind = take_one(p, kinds, 3), op = kind;
    uint32_t d = NO_SLOT, predicate = 0;
    int first = 0, last = p->noperands;
    if (kind == 2) {
        int reduction = take_one(p, reductions, 3);
        if (reduction < 0 || p->noperands < 3 || !take_type(p).bits)
            return false;
        if (base == W_BARRIER)
            take(p, W_ALIGNED);
        op = BAR_POPC + reduction;
        d = result(p, first++);
        predicate = source(p, --last, 1);
    } else if (base == W_BARRIER) {
        take(p, W_ALIGNED);
    }
    if (kind < 0 || last - first < 1 || last - first > 2 || (kind == 1 && last - first != 2))
        return false;
    uint32_t barrier = source(p, first, 32);
    uint32_t count = last - first == 2 ? source(p, first + 1, 32) : NO_SLOT;
    emit(p, OP_BAR, d, barrier, count, predicate)->aux = (uint16_t)op;
    return true;
}

/* ---- warps */

static bool emit_warp(struct reader *p, enum warp_op op, struct ptx_type t, int nsources) {
    if (p->noperands != nsources + 2)
        return false;
    const struct ptx_value *pair = &p->operand[0].pair;
    uint32_t x[3] = {0}, d = result(p, 0);
    uint32_t predicate = pair->kind == VALUE_NONE ? slot_trash(p) : slot_of(p, pair, 1);
    for (int i = 0; i < nsources; i++)
        x[i] = source(p, i + 1, t.bits);
    uint32_t mask = source(p, nsources + 1, 32);
    struct insn *insn = emit(p, OP_WARP, d, predicate, x[0], x[1]);
    insn->x[4] = x[2];
    insn->aux = (uint16_t)op;
    emit(p, OP_EXTRA, mask, 0, 0, 0);
    return true;
}

static bool decode_shuffle(struct reader *p) {
    static const enum ptx_word modes[] = {W_UP, W_DOWN, W_BFLY, W_IDX};
    bool sync = take(p, W_SYNC);
    int mode = take_one(p, modes, 4);
    struct ptx_type t = take_type(p);
    return sync && mode >= 0 && t.bits == 32 && emit_warp(p, (enum warp_op)(SHFL_UP + mode), t, 3);
}

static bool decode_vote(struct reader *p) {
    static const enum ptx_word modes[] = {W_ALL, W_ANY, W_UNI, W_BALLOT};
    bool sync = take(p, W_SYNC);
    int mode = take_one(p, modes, 4);
    take_type(p);
    return sync && mode >= 0 &&
           emit_warp(p, (enum warp_op)(VOTE_ALL + mode), (struct ptx_type){1, 'p'}, 1);
}

static bool decode_match(struct reader *p) {
    bool all = take(p, W_ALL), any = !all && take(p, W_ANY), sync = take(p, W_SYNC);
    struct ptx_type t = take_type(p);
    return (all || any) && sync && t.bits >= 32 && emit_warp(p, all ? MATCH_ALL : MATCH_ANY, t, 1);
}

static bool decode_redux(struct reader *p) {
    static const enum ptx_word ops[] = {W_ADD, W_MIN, W_MAX, W_AND, W_OR, W_XOR};
    static const enum warp_op unsigned_ops[] = {REDUX_ADD, REDUX_MIN_U, REDUX_MAX_U,
                                                REDUX_AND, REDUX_OR,    REDUX_XOR};
    static const enum warp_op signed_ops[] = {REDUX_ADD, REDUX_MIN_S, REDUX_MAX_S,
                                              REDUX_AND, REDUX_OR,    REDUX_XOR};
    bool sync = take(p, W_SYNC);
    int op = take_one(p, ops, 6);
    struct ptx_type t = take_type(p);
    return sync && op >= 0 && t.bits == 32 && t.kind != 'f' &&
           emit_warp(p, t.kind == 's' ? signed_ops[op] : unsigned_ops[op], t, 1);
}

/* bar.warp.sync mask */
static bool decode_warp_barrier(struct reader *p) {
    if (!take(p, W_SYNC) || p->noperands != 1)
        return false;
    uint32_t mask = source(p, 0, 32);
    emit(p, OP_WARP, slot_trash(p), slot_trash(p), 0, 0)->aux = WARP_SYNC;
    emit(p, OP_EXTRA, mask, 0, 0, 0);
    return true;
}

/* All blocks both arrive and wait: the second is the barrier. */
static bool decode_cluster_barrier(struct reader *p) {
    bool arrives = take(p, W_ARRIVE), waits = !arrives && take(p, W_WAIT);
    take_order(p);
    take(p, W_ALIGNED);
    if (arrives) {
        emit(p, OP_FENCE, 0, 0, 0, 0);
        return p->noperands == 0;
    }
    uint32_t barrier = slot_preset(p, PRESET_CONSTANT, CLUSTER_BARRIER);
    emit(p, OP_BAR, NO_SLOT, barrier, NO_SLOT, 0)->aux = BAR_CLUSTER;
    return waits && p->noperands == 0;
}

/* mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {result}, {rows}, {columns}, {sum} */
static bool decode_matrices(struct reader *p) {
    static const enum ptx_word words[] = {W_SYNC, W_ALIGNED, W_ROW, W_COL};
    static const enum ptx_word shapes[] = {W_M16N8K4, W_M16N8K8, W_M16N8K16};
    bool known = true;
    for (int i = 0; i < 4; i++)
        known &= take(p, words[i]);
    int shape = take_one(p, shapes, 3), k = shape < 0 ? 0 : 4 << shape, n[] = {4, k / 2, k / 4, 4};
    uint32_t x[4][MAX_VECTOR] = {{0}};
    known = known && k > 0;
    for (int i = 0; i < 4; i++) {
        known = known && take_type(p).bits == 64 && p->noperands == 4 && p->operand[i].n == n[i];
        for (int e = 0; known && e < n[i]; e++)
            x[i][e] = slot_of(p, &p->operand[i].value[e], 64);
    }
    if (!known)
        return false;
    struct insn *insn = emit(p, OP_WARP, x[0][0], x[0][1], x[0][2], x[0][3]);
    insn->aux = MMA_F64;
    insn->x[4] = x[3][0];
    emit(p, OP_EXTRA, slot_preset(p, PRESET_CONSTANT, UINT32_MAX), x[3][1], x[3][2], x[3][3]);
    emit(p, OP_EXTRA, x[1][0], x[1][1], x[1][2], x[1][3])->aux = (uint16_t)k;
    emit(p, OP_EXTRA, x[1][4], x[1][5], x[1][6], x[1][7]);
    emit(p, OP_EXTRA, x[2][0], x[2][1], x[2][2], x[2][3]);
    return true;
}

bool decode_threads(struct reader *p, enum ptx_word base) {
    switch (base) {
    case W_BAR:
        if (take(p, W_WARP))
            return decode_warp_barrier(p);
        return decode_barrier(p, base);
    case W_BARRIER: return take(p, W_CLUSTER) ? decode_cluster_barrier(p) : decode_barrier(p, base);
    case W_SHFL: return decode_shuffle(p);
    case W_VOTE: return decode_vote(p);
    case W_MATCH: return decode_match(p);
    case W_REDUX: return decode_redux(p);
    case W_MMA: return decode_matrices(p);
    default: return false;
    }
}

/* run.c: the simulator's interpreter: one thread of a kernel. */
#include <math.h>
#include <string.h>
#include "sim.h"

/* Instructions after which a thread gives way to others, in kernels whose threads wait for each
 * other. */
enum { SLICE = 1 << 20 };

/* ---- bits of values */

static inline float as_float(uint64_t bits) {
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return value;
}

static inline double as_double(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The bits of a float; a GPU gives all NaNs the same bits. */
static inline uint64_t float_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return value != value ? 0x7fffffff : bits;
}

static inline uint64_t double_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline uint64_t flush32(uint64_t bits) {
    return bits & 0x7f800000 ? bits : bits & 0x80000000U;
}

/* ---- integers */

static int64_t divide(int64_t a, int64_t b) {
    return b == 0 ? -1 : b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}

static int64_t modulo(int64_t a, int64_t b) {
    return b == 0 ? a : b == -1 ? 0 : a % b;
}

/* aux: 1: the carry is added; 2: the carry is set */
static uint64_t add_carry32(uint64_t a, uint64_t b, unsigned aux, uint64_t *carry) {
    uint64_t sum = a + b + (aux & 1 ? *carry : 0);
    if (aux & 2)
        *carry = sum >> 32;
    return (uint32_t)sum;
}

static uint64_t add_carry64(uint64_t a, uint64_t b, unsigned aux, uint64_t *carry) {
    uwide sum = (uwide)a + b + (aux & 1 ? *carry : 0);
    if (aux & 2)
        *carry = (uint64_t)(sum >> 64);
    return (uint64_t)sum;
}

static uint64_t sub_borrow32(uint64_t a, uint64_t b, unsigned aux, uint64_t *carry) {
    uint64_t difference = a - b - (aux & 1 ? *carry : 0);
    if (aux & 2)
        *carry = difference >> 32 & 1;
    return (uint32_t)difference;
}

static uint64_t sub_borrow64(uint64_t a, uint64_t b, unsigned aux, uint64_t *carry) {
    uwide difference = (uwide)a - b - (aux & 1 ? *carry : 0);
    if (aux & 2)
        *carry = (uint64_t)(difference >> 64) & 1;
    return (uint64_t)difference;
}

static uint64_t low_mask(uint64_t n) {
    return n > 63 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

/* `count` bits from bit `from` on; beyond the last bit come zeros, or copies of the sign. */
static uint64_t bits_extract(uint64_t a, uint64_t from, uint64_t count, unsigned width, bool sign) {
    from &= 0xff;
    count &= 0xff;
    uint64_t field = from < width ? (a >> from) & low_mask(count) : 0;
    uint64_t top = from + count < width ? from + count : width;
    if (sign && count && a >> (top - 1) & 1)
        field |= top > from ? ~low_mask(top - from) : UINT64_MAX;
    return field & low_mask(width);
}

static uint64_t bits_insert(uint64_t a, uint64_t b, uint64_t at, uint64_t count, unsigned width) {
    at &= 0xff;
    count &= 0xff;
    if (at >= width)
        return b;
    uint64_t mask = low_mask(count) << at & low_mask(width);
    return (b & ~mask) | (a << at & mask);
}

/* The place of the highest bit.  aux: 1: 64 bits; 2: signed; 4: as the shift that brings the bit to
 * the top. */
static uint64_t bits_find(uint64_t a, unsigned aux) {
    unsigned width = aux & 1 ? 64 : 32;
    if (aux & 2 && a >> (width - 1) & 1)
        a = ~a & low_mask(width);
    if (!a)
        return UINT32_MAX;
    unsigned bit = 63 - (unsigned)__builtin_clzll(a);
    return aux & 4 ? width - 1 - bit : bit;
}

static uint64_t bits_reverse(uint64_t a) {
    uint64_t reversed = 0;
    for (int i = 0; i < 64; i++, a >>= 1)
        reversed = reversed << 1 | (a & 1);
    return reversed;
}

static uint64_t logic3(uint64_t a, uint64_t b, uint64_t c, uint64_t table) {
    uint64_t result = 0;
    for (unsigned k = 0; k < 8; k++)
        if (table >> k & 1)
            result |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
    return (uint32_t)result;
}

/* The selectors of prmt's modes, by the low two bits of c: PTX ISA, "prmt". */
static uint64_t permute(uint64_t a, uint64_t b, uint64_t c, unsigned mode) {
    static const uint16_t selectors[7][4] = {
        {0},
        {0x3210, 0x4321, 0x5432, 0x6543}, /* f4e */
        {0x5670, 0x6701, 0x7012, 0x0123}, /* b4e */
        {0x0000, 0x1111, 0x2222, 0x3333}, /* rc8 */
        {0x3210, 0x3211, 0x3222, 0x3333}, /* ecl */
        {0x0000, 0x1110, 0x2210, 0x3210}, /* ecr */
        {0x1010, 0x3232, 0x1010, 0x3232}, /* rc16 */
    };
    uint64_t bytes = b << 32 | a, result = 0;
    unsigned selector = mode ? selectors[mode][c & 3] : (unsigned)c;
    for (unsigned k = 0; k < 4; k++) {
        unsigned nibble = selector >> 4 * k & 15;
        uint64_t byte = bytes >> 8 * (nibble & 7) & 0xff;
        if (nibble & 8)
            byte = byte & 0x80 ? 0xff : 0;
        result |= byte << 8 * k;
    }
    return result;
}

/* ---- memory */

#define SIZE_OF(aux) (1U << (((aux)&ACCESS_SIZE) >> ACCESS_SIZE_SHIFT))

static inline uint64_t load_bytes(uintptr_t address, unsigned size) {
    uint64_t value = 0; /* little end first */
    switch (size) {     /* which compilers make loads of */
    case 1: memcpy(&value, (const void *)address, 1); break;
    case 2: memcpy(&value, (const void *)address, 2); break;
    case 4: memcpy(&value, (const void *)address, 4); break;
    default: memcpy(&value, (const void *)address, 8); break;
    }
    return value;
}

static inline uint64_t extend(uint64_t value, unsigned size, unsigned aux) {
    if (!(aux & ACCESS_SIGNED))
        return value;
    unsigned shift = 64 - 8 * size, code = (aux & ACCESS_EXTEND) >> ACCESS_EXTEND_SHIFT;
    value = (uint64_t)((int64_t)(value << shift) >> shift);
    return code == 2 ? value : value & (code ? UINT32_MAX : UINT16_MAX);
}

/* A fast path for most accesses: whole elements of arrays without gaps; sim_reach does the
 * others. */
static inline bool reach_global(struct sim_worker *w, const struct sim_thread *t, uintptr_t address,
                                unsigned size, int use, const struct insn *i) {
    const struct sim_region *region = w->launch->regions;
    for (int k = w->launch->nregions; k > 0 && !(address & (size - 1)); k--, region++) {
        uint64_t at = address - region->begin;
        if (at < region->size && region->size - at >= size && region->naxes == 0 &&
            (use == MEMORY_READ || region->writable))
            return true;
    }
    return sim_reach(w, t, SPACE_GLOBAL, address, size, use, (uint32_t)(i - w->program->code));
}

/* As an instruction of any space says, which is no atomic operation. */
static bool reach_any(struct sim_worker *w, const struct sim_thread *t, uintptr_t address,
                      unsigned size, int use, const struct insn *i) {
    enum ptx_space space = (enum ptx_space)(i->aux & ACCESS_SPACE);
    if (space == SPACE_GLOBAL && use != MEMORY_ORDERED)
        return reach_global(w, t, address, size, use, i);
    return sim_reach(w, t, space, address, size, use, (uint32_t)(i - w->program->code));
}

/* OP_LD and OP_ST: any space, vectors, signed values. */
static bool load(struct sim_worker *w, struct sim_thread *t, const struct insn *i, uint64_t *r) {
    uintptr_t address = r[i->x[4]] + (uint64_t)(int64_t)i->offset;
    unsigned size = SIZE_OF(i->aux), n = ((i->aux & ACCESS_COUNT) >> ACCESS_COUNT_SHIFT) + 1;
    bool ordered = i->aux & ACCESS_ORDERED;
    if (!reach_any(w, t, address, n * size, ordered ? MEMORY_ORDERED : MEMORY_READ, i))
        return false;
    if (ordered)
        atomic_thread_fence(memory_order_seq_cst);
    for (uint64_t k = 0; k < n; k++) {
        uintptr_t from = address + k * size;
        r[i->x[k]] =
            extend(ordered ? sim_load_ordered(from, size) : load_bytes(from, size), size, i->aux);
    }
    return true;
}

static bool store(struct sim_worker *w, struct sim_thread *t, const struct insn *i,
                  const uint64_t *r) {
    uintptr_t address = r[i->x[4]] + (uint64_t)(int64_t)i->offset;
    unsigned size = SIZE_OF(i->aux), n = ((i->aux & ACCESS_COUNT) >> ACCESS_COUNT_SHIFT) + 1;
    if (!reach_any(w, t, address, n * size, MEMORY_WRITE, i))
        return false;
    if (i->aux & ACCESS_ORDERED) {
        atomic_thread_fence(memory_order_seq_cst);
        for (uint64_t k = 0; k < n; k++)
            sim_store_ordered(address + k * size, size, r[i->x[k]]);
        return true;
    }
    for (uint64_t k = 0; k < n; k++)
        memcpy((void *)(address + k * size), &r[i->x[k]], size);
    return true;
}

/* ---- copies under way */

/* Does the oldest copies until `left` are under way.  False: one meets another access. */
static bool finish_copies(struct sim_worker *w, struct sim_thread *t, uint32_t left) {
    uint32_t done = t->ncopies > left ? t->ncopies - left : 0;
    for (uint32_t k = 0; k < done; k++) {
        const struct sim_copy *c = &t->copies[k];
        if (!sim_reach(w, t, SPACE_SHARED, c->to, c->size, MEMORY_WRITE, c->insn))
            return false;
        memset((void *)c->to, 0, c->size);
        memcpy((void *)c->to, (const void *)c->from, c->bytes);
    }
    t->ncopies -= done;
    memmove(t->copies, t->copies + done, t->ncopies * sizeof *t->copies);
    return true;
}

/* Begins a copy, which may be done at any time from now on: here it is as late as can be. */
static bool begin_copy(struct sim_worker *w, struct sim_thread *t, const struct insn *i,
                       const uint64_t *r) {
    uint32_t size = i->aux, insn = (uint32_t)(i - w->program->code);
    uint64_t bytes = r[i->x[2]] < size ? r[i->x[2]] : size;
    struct sim_copy c = {.to = r[i->x[3]] + (uint64_t)(int64_t)i->offset,
                         .from = r[i->x[4]],
                         .size = size,
                         .bytes = (uint32_t)bytes,
                         .insn = insn,
                         .group = t->groups};
    if (!sim_reach(w, t, SPACE_SHARED, c.to, size, MEMORY_WRITE, insn) ||
        (bytes > 0 && !sim_reach(w, t, SPACE_GLOBAL, c.from, size, MEMORY_READ, insn)) ||
        (t->ncopies == SIM_COPIES && !finish_copies(w, t, SIM_COPIES - 1)))
        return false;
    t->copies[t->ncopies++] = c;
    return true;
}

static bool wait_copies(struct sim_worker *w, struct sim_thread *t, const struct insn *i) {
    uint32_t left = 0;
    while (!i->aux && left < t->ncopies &&
           t->copies[t->ncopies - 1 - left].group + i->x[0] >= t->groups)
        left++;
    return finish_copies(w, t, left);
}

/* Whether an exchange in shared memory is allowed. Bytes that are exchanged for themselves, as
 * those beside an element that is less than a word are, may be read meanwhile. */
static bool reach_exchange(struct sim_worker *w, const struct sim_thread *t, const struct insn *i,
                           uintptr_t address, uint64_t change) {
    enum ptx_space space = (enum ptx_space)(i->aux & ACCESS_SPACE);
    uint32_t insn = (uint32_t)(i - w->program->code);
    bool may = sim_reach(w, t, space, address, SIZE_OF(i->aux), MEMORY_ORDERED, insn);
    for (uint32_t k = 0; may && k < SIZE_OF(i->aux); k++)
        if ((change >> (8 * k) & UINT8_MAX) != 0)
            may = sim_reach(w, t, space, address + k, 1, MEMORY_ATOMIC, insn);
    return may;
}

static bool atomic(struct sim_worker *w, struct sim_thread *t, const struct insn *i, uint64_t *r) {
    uintptr_t address = r[i->x[4]] + (uint64_t)(int64_t)i->offset;
    enum atom_op op = (enum atom_op)(i->aux >> ACCESS_ATOM_SHIFT);
    bool exchanges = op == ATOM_CAS && sim_is_space(w, t, SPACE_SHARED, address);
    if (exchanges ? !reach_exchange(w, t, i, address, r[i->x[1]] ^ r[i->x[2]])
                  : !sim_reach(w, t, (enum ptx_space)(i->aux & ACCESS_SPACE), address,
                               SIZE_OF(i->aux), MEMORY_ATOMIC, (uint32_t)(i - w->program->code)))
        return false;
    r[i->x[0]] = sim_atomic(op, SIZE_OF(i->aux), address, r[i->x[1]], r[i->x[2]]);
    return true;
}

static inline bool reach_shared(struct sim_worker *w, const struct sim_thread *t, uintptr_t address,
                                unsigned size, int use, const struct insn *i) {
    return sim_reach(w, t, SPACE_SHARED, address, size, use, (uint32_t)(i - w->program->code));
}

static inline bool reach_param(struct sim_worker *w, const struct sim_thread *t, uintptr_t address,
                               unsigned size, const struct insn *i) {
    const struct kernel_launch *l = w->launch->launch;
    uint64_t at = address - (uintptr_t)l->param;
    if (at < l->size && l->size - at >= size && address % size == 0)
        return true;
    return sim_reach(w, t, SPACE_PARAM, address, size, MEMORY_READ,
                     (uint32_t)(i - w->program->code));
}

/* ---- calls */

static uint64_t special_value(const struct sim_worker *w, const struct sim_thread *t,
                              enum special which) {
    uint32_t lane = t->number % WARP_LANES, bit = UINT32_C(1) << lane;
    unsigned block = w->launch->launch->block;
    switch (which) {
    case SPECIAL_TID_X: return t->number;
    case SPECIAL_NTID_X: return block;
    case SPECIAL_CTAID_X: return w->block;
    case SPECIAL_NCTAID_X: return w->launch->launch->blocks;
    case SPECIAL_NTID_Y:
    case SPECIAL_NTID_Z:
    case SPECIAL_NCTAID_Y:
    case SPECIAL_NCTAID_Z:
    case SPECIAL_NSMID: return 1;
    case SPECIAL_LANEID: return lane;
    case SPECIAL_WARPID: return t->number / WARP_LANES;
    case SPECIAL_NWARPID: return (block + WARP_LANES - 1) / WARP_LANES;
    case SPECIAL_LANEMASK_EQ: return bit;
    case SPECIAL_LANEMASK_LT: return bit - 1;
    case SPECIAL_LANEMASK_LE: return bit | (bit - 1);
    case SPECIAL_LANEMASK_GT: return (uint32_t) ~(bit | (bit - 1));
    case SPECIAL_LANEMASK_GE: return (uint32_t) ~(bit - 1);
    case SPECIAL_DYNAMIC_SMEM: return w->launch->launch->shared;
    case SPECIAL_TOTAL_SMEM: return w->launch->shared_size;
    default: return 0;
    }
}

void sim_preset(const struct sim_worker *w, const struct sim_thread *t,
                const struct ptx_function *f, bool specials_only) {
    for (uint32_t k = f->npresets; k-- > 0;) {
        const struct preset *p = &f->presets[k]; /* special registers are the last */
        if (p->kind == PRESET_SPECIAL)
            t->r[p->slot] = special_value(w, t, (enum special)p->value);
        else if (specials_only)
            return;
        else if (p->kind == PRESET_PARAM)
            t->r[p->slot] = (uintptr_t)w->launch->launch->param + p->value;
        else if (p->kind == PRESET_SHARED)
            t->r[p->slot] = (uintptr_t)w->shared + p->value;
        else if (p->kind == PRESET_DYNAMIC)
            t->r[p->slot] =
                (uintptr_t)w->shared + w->launch->shared_size - w->launch->launch->shared;
        else if (p->kind == PRESET_FRAME)
            t->r[p->slot] = (uintptr_t)t->frame + p->value;
        else
            t->r[p->slot] = p->value;
    }
}

static void enter(struct sim_worker *w, struct sim_thread *t, uint32_t call, uint32_t next) {
    const struct ptx_program *m = w->program;
    const struct ptx_call *c = &m->calls[call];
    const struct ptx_copy *copy = &m->copies[c->first_copy];
    const struct ptx_function *f = &m->functions[t->function];
    char *frame = t->frame + f->frame_size;
    for (uint32_t k = 0; k < c->nargs; k++, copy++)
        memcpy(frame + copy->callee, t->frame + copy->caller.offset, copy->caller.size);
    t->returns[t->depth++] = (struct sim_return){next, call, t->function};
    t->r += f->nslots;
    t->frame = frame;
    t->function = c->callee;
    sim_preset(w, t, &m->functions[c->callee], false);
}

/* Returns from a function; gives the instruction to go on with. */
static uint32_t leave(struct sim_worker *w, struct sim_thread *t) {
    const struct ptx_program *m = w->program;
    struct sim_return back = t->returns[--t->depth];
    const struct ptx_call *c = &m->calls[back.call];
    const struct ptx_copy *copy = &m->copies[c->first_copy + c->nargs];
    const struct ptx_function *f = &m->functions[back.function];
    char *frame = t->frame - f->frame_size;
    for (uint32_t k = 0; k < c->nresults; k++, copy++)
        memcpy(frame + copy->caller.offset, t->frame + copy->callee, copy->caller.size);
    t->r -= f->nslots;
    t->frame = frame;
    t->function = back.function;
    return back.insn;
}

static enum sim_stop fault(struct sim_worker *w, const struct sim_thread *t, enum fault_kind kind,
                           uint32_t insn) {
    w->fault = (struct sim_fault){.kind = kind, .insn = insn, .thread = t->number};
    return STOP_FAULT;
}

/* ---- the loop */

#define A        r[i->x[1]]
#define B        r[i->x[2]]
#define C        r[i->x[3]]
#define E        r[i->x[4]]
#define AUX      i->aux
#define S16(v)   ((int16_t)(v))
#define S32(v)   ((int32_t)(v))
#define S64(v)   ((int64_t)(v))
#define F(v)     as_float(v)
#define D(v)     as_double(v)
#define f(v)     float_bits(v)
#define d(v)     double_bits(v)
#define ADDRESS  (r[i->x[4]] + (uint64_t)(int64_t)i->offset)
#define POSITION ((uint32_t)(i - code))

/* Each instruction jumps to the next one's code: processors foresee where many jumps go better than
 * where one goes, that all share. */
#define CODE(name) at_##name:
#define GO                                                                                         \
    do {                                                                                           \
        n++;                                                                                       \
        goto *code_of[i->op];                                                                      \
    } while (false)
#define NEXT                                                                                       \
    do {                                                                                           \
        i++;                                                                                       \
        GO;                                                                                        \
    } while (false)

#define ACCESS(SPACE, reach, bits)                                                                 \
    CODE(LD_##SPACE##bits)                                                                         \
    if (!reach(w, t, ADDRESS, (bits) / 8, MEMORY_READ, i))                                         \
        goto failed;                                                                               \
    r[i->x[0]] = load_bytes(ADDRESS, (bits) / 8);                                                  \
    NEXT;                                                                                          \
    CODE(ST_##SPACE##bits)                                                                         \
    if (!reach(w, t, ADDRESS, (bits) / 8, MEMORY_WRITE, i))                                        \
        goto failed;                                                                               \
    memcpy((void *)ADDRESS, &r[i->x[0]], (bits) / 8);                                              \
    NEXT;

#define ACCESSES(bits)                                                                             \
    ACCESS(GLOBAL, reach_global, bits)                                                             \
    ACCESS(SHARED, reach_shared, bits)                                                             \
    CODE(LD_PARAM##bits)                                                                           \
    if (!reach_param(w, t, ADDRESS, (bits) / 8, i))                                                \
        goto failed;                                                                               \
    r[i->x[0]] = load_bytes(ADDRESS, (bits) / 8);                                                  \
    NEXT;

/* Any of them may end a loop in which the thread waits for what another one does. */
#define BRANCH(to)                                                                                 \
    i = code + (to);                                                                               \
    if (n >= limit) {                                                                              \
        stop = STOP_SLICE;                                                                         \
        goto done;                                                                                 \
    }                                                                                              \
    GO

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic" /* C11 has no addresses of labels */
enum sim_stop sim_run(struct sim_worker *w, struct sim_thread *t) {
    const struct insn *code = w->program->code, *i = code + t->pc;
    uint64_t *r = t->r, carry = t->carry, n = 0, limit = w->kernel->waits ? SLICE : UINT64_MAX;
    enum sim_stop stop = STOP_FAULT;
    static const void *const code_of[] = {
#define VALUE(name, value) &&at_##name,
#include "ptx_value.def"
#undef VALUE
#define OP(name) &&at_##name,
#include "ptx_op.def"
#undef OP
    };
    GO;
#define VALUE(name, value)                                                                         \
    CODE(name)                                                                                     \
    r[i->x[0]] = (uint64_t)(value);                                                                \
    NEXT;
#include "ptx_value.def"
#undef VALUE
    ACCESSES(8)
    ACCESSES(16)
    ACCESSES(32)
    ACCESSES(64)
    CODE(LD)
    if (!load(w, t, i, r))
        goto failed;
    NEXT;
    CODE(ST)
    if (!store(w, t, i, r))
        goto failed;
    NEXT;
    CODE(ATOM)
    if (!atomic(w, t, i, r))
        goto failed;
    NEXT;
    CODE(ISSPACEP)
    r[i->x[0]] = sim_is_space(w, t, (enum ptx_space)AUX, A);
    NEXT;
    CODE(CLOCK)
    r[i->x[0]] = w->executed + n;
    NEXT;
    CODE(BRA_IF)
    if (!A)
        NEXT;
    BRANCH(i->x[0]);
    CODE(BRA_UNLESS)
    if (A)
        NEXT;
    BRANCH(i->x[0]);
    CODE(BRA)
    BRANCH(i->x[0]);
    CODE(BRA_EITHER)
    BRANCH(A ? i->x[0] : i->x[2]);
    CODE(MOVES)
    n += AUX;
    for (unsigned more = AUX; more > 0; more--, i++)
        r[i->x[0]] = A;
    r[i->x[0]] = A;
    NEXT;
    CODE(BRX)
    if (r[i->x[0]] >= i->x[2]) {
        stop = fault(w, t, FAULT_BRANCH, POSITION);
        goto done;
    }
    i = code + w->program->table[i->x[1] + r[i->x[0]]];
    GO;
    CODE(CALL)
    enter(w, t, i->x[0], POSITION + 1);
    r = t->r;
    i = code + w->program->functions[t->function].first;
    GO;
    CODE(RET)
    i = code + leave(w, t);
    r = t->r;
    GO;
    CODE(FENCE)
    atomic_thread_fence(memory_order_seq_cst);
    NEXT;
    CODE(EXTRA)
    NEXT;
    CODE(COPY)
    if (!begin_copy(w, t, i, r))
        goto failed;
    NEXT;
    CODE(COPY_GROUP)
    t->groups++;
    NEXT;
    CODE(COPY_WAIT)
    if (!wait_copies(w, t, i))
        goto failed;
    NEXT;
    CODE(TRAP)
    stop = fault(w, t, FAULT_TRAP, POSITION);
    goto done;
    CODE(EXIT)
    stop = STOP_ENDED;
    goto done;
    CODE(WARP)
    stop = STOP_WARP;
    goto done;
    CODE(BAR)
    stop = STOP_BARRIER;
    goto done;
failed:
done:
    t->pc = POSITION;
    t->carry = carry;
    w->executed += n;
    return stop;
}
#pragma GCC diagnostic pop

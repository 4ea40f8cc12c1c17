/* ptx.h: PTX, read and decoded for the simulator.
 *
 *   ptx.re          scanner: text to tokens
 *   ptx_module.c    tokens, directives, functions
 *   ptx_symbol.c    names, operands, constants
 *   ptx_body.c      declarations, the statements of a function's body
 *   ptx_decode.c    an instruction's words and operands to a struct insn; branches and calls
 *   ptx_decode_float.c, ptx_decode_integer.c, ptx_decode_memory.c   the other instructions
 *
 * All operands of a decoded instruction are slots of the thread's register window: constants,
 * special registers and addresses of variables have slots too, preset when a function begins. */
#ifndef UFC_PTX_H
#define UFC_PTX_H

#include "rt.h"

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 uwide;

/* ---- decoded code */

enum ptx_op {
#define VALUE(name, value) OP_##name,
#include "ptx_value.def"
#undef VALUE
#define OP(name) OP_##name,
#include "ptx_op.def"
#undef OP
};

struct insn {
    uint16_t op, aux;
    uint32_t x[5];
    int32_t offset;
};

#define NO_SLOT UINT32_MAX /* no operand there, or a result that is not wanted */

enum ptx_space {
    SPACE_GENERIC,
    SPACE_GLOBAL,
    SPACE_SHARED,
    SPACE_LOCAL,
    SPACE_PARAM,
    SPACE_CONST,
};

/* aux of OP_LD, OP_ST, OP_ATOM: an access. */
enum {
    ACCESS_SPACE = 0x07,
    ACCESS_SIZE_SHIFT = 3, /* log2 of the bytes of an element */
    ACCESS_SIZE = 0x18,
    ACCESS_COUNT_SHIFT = 5, /* elements - 1 */
    ACCESS_COUNT = 0x60,
    ACCESS_SIGNED = 0x80,    /* sign-extended */
    ACCESS_EXTEND_SHIFT = 8, /* to 16 << this bits */
    ACCESS_EXTEND = 0x300,
    ACCESS_ORDERED = 0x400, /* volatile, relaxed, acquire, release: sees other threads' writes */
    ACCESS_ATOM_SHIFT = 8,  /* of OP_ATOM: enum atom_op */
};

enum atom_op {
    ATOM_ADD,
    ATOM_MIN_U,
    ATOM_MIN_S,
    ATOM_MAX_U,
    ATOM_MAX_S,
    ATOM_AND,
    ATOM_OR,
    ATOM_XOR,
    ATOM_INC,
    ATOM_DEC,
    ATOM_EXCH,
    ATOM_CAS,
    ATOM_ADD_F,
};

enum warp_op {
    WARP_SYNC,
    SHFL_UP,
    SHFL_DOWN,
    SHFL_BFLY,
    SHFL_IDX,
    VOTE_ALL,
    VOTE_ANY,
    VOTE_UNI,
    VOTE_BALLOT,
    MATCH_ANY,
    MATCH_ALL,
    REDUX_ADD,
    REDUX_MIN_U,
    REDUX_MIN_S,
    REDUX_MAX_U,
    REDUX_MAX_S,
    REDUX_AND,
    REDUX_OR,
    REDUX_XOR,
    MMA_F64, /* x[0..4) the result's elements, x[4] of the sum's, and its other ones in x[1..4) of
                the OP_EXTRA that has the mask; two more have the elements of rows, and one those
                of columns, four each; aux of the first of them: products of a sum */
};

enum bar_op { BAR_SYNC, BAR_ARRIVE, BAR_CLUSTER, BAR_POPC, BAR_AND, BAR_OR };
enum { CLUSTER_BARRIER = 16 }; /* behind those of bar, as the number of a barrier */

/* aux of OP_FLOAT: an operation, its rounding (<< FLOAT_ROUND_SHIFT), and flags. */
enum float_op {
    FLOAT_ADD,
    FLOAT_SUB,
    FLOAT_MUL,
    FLOAT_DIV,
    FLOAT_FMA,
    FLOAT_RCP,
    FLOAT_SQRT,
    FLOAT_MIN,
    FLOAT_MAX,
    FLOAT_MIN_NAN,
    FLOAT_MAX_NAN,
    FLOAT_ABS,
    FLOAT_NEG,
    FLOAT_RSQRT,
    FLOAT_SIN,
    FLOAT_COS,
    FLOAT_EX2,
    FLOAT_LG2,
    FLOAT_TANH,
    FLOAT_RCP_GROSS,
    FLOAT_RSQRT_GROSS,
    FLOAT_OP = 0x3f,
};
enum { ROUND_NEAREST, ROUND_ZERO, ROUND_DOWN, ROUND_UP };
enum {
    FLOAT_ROUND_SHIFT = 6,
    FLOAT_FTZ = 0x100,
    FLOAT_SAT = 0x200,
    FLOAT_64 = 0x400,
};

/* aux of OP_CONVERT: two types, the rounding, and flags.  A result narrower than its register is
 * extended. */
enum number_type { N_U8, N_S8, N_U16, N_S16, N_U32, N_S32, N_U64, N_S64, N_F32, N_F64 };
enum {
    CONVERT_TO_SHIFT = 4, /* the low bits have the type that is converted */
    CONVERT_ROUND_SHIFT = 8,
    CONVERT_FTZ = 0x400,
    CONVERT_SAT = 0x800,
    CONVERT_INTEGRAL = 0x1000, /* float to float: rounded to a whole number */
    CONVERT_EXTEND_SHIFT = 13, /* the register has 16 << this bits */
};

/* aux of OP_TESTP */
enum {
    TESTP_FINITE,
    TESTP_INFINITE,
    TESTP_NUMBER,
    TESTP_NAN,
    TESTP_NORMAL,
    TESTP_SUBNORMAL,
    TESTP_64 = 0x10
};

/* ---- slots that are preset when a function begins */

enum preset_kind {
    PRESET_CONSTANT, /* the value; also the address of a global variable */
    PRESET_PARAM,    /* address in the kernel's parameters, by offset */
    PRESET_SHARED,   /* in the block's shared memory */
    PRESET_DYNAMIC,  /* an extern array in it, which lies behind the others */
    PRESET_FRAME,    /* in the function's frame of local memory */
    PRESET_SPECIAL,  /* value: enum special */
};

enum special {
#define SPECIAL(id, name) SPECIAL_##id,
#include "ptx_special.def"
#undef SPECIAL
    SPECIAL_COUNT
};

struct preset {
    enum preset_kind kind;
    uint32_t slot;
    uint64_t value;
};

/* ---- programs */

struct frame_range {
    uint32_t offset, size;
};

struct ptx_call {
    uint32_t callee;          /* index of a function */
    uint32_t first_copy;      /* first of its copies: of arguments, then of results */
    uint32_t nargs, nresults; /* arguments are copied into the callee's frame, results back
                                 from it */
};

struct ptx_copy { /* a copy between frames, at a call */
    struct frame_range caller;
    uint32_t callee; /* offset */
};

struct ptx_function {
    char *name;
    bool is_kernel, is_defined;
    bool waits;                   /* has barriers or warp instructions, or calls a function
                                     that has */
    uint32_t nslots;              /* slots of its register window */
    uint32_t nparams, param_size; /* a kernel's: bytes */
    uint32_t frame_size;          /* bytes of local variables, and of what is passed at calls */
    struct frame_range *params;   /* not of a kernel: where results, then arguments, are in
                                     the frame */
    uint32_t nresults;
    uint64_t shared_size; /* bytes of the static shared memory that it declares */
    uint32_t first, end;  /* code */
    struct preset *presets;
    uint32_t npresets;
    /* of the function and all that it calls: */
    uint32_t stack_slots, stack_frames, depth;
};

struct place { /* where an instruction is */
    uint32_t ptx_line;
    uint32_t line;     /* of the source; 0: not known */
    uint16_t file;     /* index */
    uint16_t function; /* index */
};

struct ptx_variable { /* a variable in global memory */
    char *name, *memory;
    uint64_t size;
    bool constant;
};

/* Bytes of a block's shared memory that every GPU has, and that a kernel has unasked. */
enum { UNASKED_SHARED = 48 << 10 };

struct ptx_program {
    struct insn *code;
    struct place *places; /* one an instruction */
    uint32_t ncode;
    struct ptx_function *functions;
    uint32_t nfunctions;
    uint32_t *table; /* targets of OP_BRX: indices in code */
    struct ptx_call *calls;
    struct ptx_copy *copies;
    struct ptx_variable *variables;
    uint32_t nvariables;
    char **files; /* by number; entries may be NULL */
    uint32_t nfiles;
    uint64_t shared_size; /* static shared memory, of all kernels together */
    bool dynamic_shared;  /* an extern array lies behind the static shared memory */
};

/* ptx_module.c */
ufc_status ptx_read(const char *text, struct ptx_program **program, ufc_error *err);
void ptx_free(struct ptx_program *program);
/* The kernel of that name; NULL: there is none. */
const struct ptx_function *ptx_kernel(const struct ptx_program *program, const char *name);

#endif

/* op.c: the table of operators. */
#include "uc.h"

const struct op_info op_info[OP_COUNT] = {
#define OP(ID, spelling, arity, kind) [OP_##ID] = {(spelling), (arity), OPS_##kind},
#include "op.def"
#undef OP
};

enum op mirrored_op(enum op op) {
    switch (op) {
    case OP_LT: return OP_GT;
    case OP_LE: return OP_GE;
    case OP_GT: return OP_LT;
    case OP_GE: return OP_LE;
    default: return op;
    }
}

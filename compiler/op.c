/* op.c: the table of operators. */
#include "uc.h"

const struct op_info op_info[OP_COUNT] = {
#define OP(ID, spelling, arity, kind) [OP_##ID] = {(spelling), (arity), OPS_##kind},
#include "op.def"
#undef OP
};

/* form_bits.c: whole numbers whose bits iterations move to the left, mask and turn, as codes of the
 * last letters, `code = (code << 2 | x) & 0xffff`, and flags that are set and cleared: of three
 * numbers (s << n & mask) ^ turned, which such functions of one another are, too. */
#include "form.h"

static struct pval *operate(struct lower *l, enum op op, struct pval *a, struct pval *b) {
    return value_op(l, op, a->dtype, a, b);
}

static struct pval *moved(struct lower *l, struct pval *v, struct pval *n) {
    return operate(l, OP_SHL, v, value_cast(l, n, v->dtype));
}

/* How far two moves go together, which need not be told where no bit is left. */
static struct pval *further(struct lower *l, struct pval *a, struct pval *b) {
    struct pval *args[] = {operate(l, OP_ADD, a, b), form_number(l, DT_INT32, 64)};
    return value_call(l, B_MIN, DT_INT32, 2, args);
}

struct pval *bits_neutral(struct lower *l, enum ufc_dtype d, int part) {
    return part == 0   ? form_number(l, DT_INT32, 0)
           : part == 1 ? form_number(l, d, wrap(-1, d))
                       : value_zero(l, d);
}

void bits_free(struct lower *l, struct pval *v, struct form *to) {
    to->part[0] = form_number(l, DT_INT32, 0);
    to->part[1] = value_zero(l, v->dtype);
    to->part[2] = v;
}

bool bits_by(struct lower *l, const struct pval *v, struct pval *by, struct form *to) {
    struct pval **part = to->part;
    switch (v->op) {
    case OP_SHL:
        if (by->kind != PV_CONST || by->i >= (uint64_t)dtype_info[v->dtype].bits)
            return false;
        part[0] = further(l, part[0], form_number(l, DT_INT32, (int64_t)by->i));
        part[1] = moved(l, part[1], by);
        part[2] = moved(l, part[2], by);
        return true;
    case OP_AND:
        part[1] = operate(l, OP_AND, part[1], by);
        part[2] = operate(l, OP_AND, part[2], by);
        return true;
    case OP_OR:
        part[1] = operate(l, OP_AND, part[1], operate(l, OP_NOT, by, NULL));
        part[2] = operate(l, OP_OR, part[2], by);
        return true;
    case OP_XOR: part[2] = operate(l, OP_XOR, part[2], by); return true;
    case OP_NOT: part[2] = operate(l, OP_NOT, part[2], NULL); return true;
    default: return false;
    }
}

void join_bits(struct lower *l, struct pval *const *earlier, struct pval *const *later,
               struct form *to) {
    to->part[0] = further(l, earlier[0], later[0]);
    to->part[1] = operate(l, OP_AND, moved(l, earlier[1], later[0]), later[1]);
    to->part[2] = bits_value(l, later, earlier[2]);
}

struct pval *bits_value(struct lower *l, struct pval *const *part, struct pval *v) {
    v = operate(l, OP_AND, moved(l, v, part[0]), part[1]);
    return operate(l, OP_XOR, v, part[2]);
}

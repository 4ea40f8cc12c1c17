/* call.h: what calls of libufc take, read from Python's arguments: shared by call.c, method.c and
 * explain.c. */
#ifndef UFC_CALL_H
#define UFC_CALL_H

#include "ext.h"

enum { MAX_OPERANDS = 64, MAX_AXES = 64 };

/* A call of a function; a method's operands are those of the call that has them as inputs. */
struct call {
    const ufc_ufunc *ufunc;
    ufc_description d;
    ufc_context *ctx; /* NULL: of the arrays' GPU */
    void *stream;
    struct argument operands[MAX_OPERANDS], where;
    int noperands;
    ufc_arg in[MAX_OPERANDS];
    ufc_out out[MAX_OPERANDS];
    DLManagedTensorVersioned *made[MAX_OPERANDS];
    PyObject *make; /* makes results; borrowed, NULL: ufc does */
    PyObject *arrays[MAX_OPERANDS];
    int narrays; /* that it has made; owned */
    ufc_keywords keywords;
    int axis;
    ufc_axes core_axes[MAX_OPERANDS];
    int axes[MAX_OPERANDS][MAX_AXES];
};

/* call.c */
/* A call without operands, whose results `make` makes, unless it is None; freed with call_free. */
struct call *call_new(PyObject *function, unsigned long long stream, PyObject *make);
void call_free(struct call *c);
/* The call of _ufc.call's arguments. */
struct call *read_call(PyObject *module, PyObject *args);
/* Leaves *dtype as it is where no type is named. */
int read_dtype(const char *name, DLDataType *dtype);
/* Integers that are no C int are NumPy's ValueError too. */
int read_axis_number(PyObject *number, int *axis);
/* Whether an argument is an array in a GPU's memory. */
bool on_gpu(const struct argument *a);
/* A tuple with an array or a capsule for each result that was made, else None. */
PyObject *results_of(struct call *c);

#endif

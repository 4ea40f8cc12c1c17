/* ufunc.c: a function of a program as an np.ufunc.
 *
 * Host code has the arguments of NumPy's inner loops; it is made when a loop first runs.  An
 * np.ufunc borrows its tables, its name and its documentation: they are in a struct tables, which a
 * capsule in the ufunc's `obj` owns, together with the program. */
#include <stdlib.h>
#include <string.h>

#include "ext.h"

enum { MAX_OPERANDS = 64 }; /* NumPy's limit, or more */

/* What the loop of an overload is called with. */
struct loop {
    const ufc_ufunc *ufunc;
    int overload;
};

struct tables {
    Program *program; /* owned */
    const ufc_ufunc *ufunc;
    int n;              /* loops of types that NumPy has itself */
    struct loop *loops; /* of all overloads */
    PyUFuncGenericFunction *functions;
    void **data;
    char *types;     /* n times all operands */
    char *signature; /* of a gufunc */
};

static const char tables_name[] = "ufc._ufc.tables";

/* ---- what NumPy calls */

/* NumPy may have released the GIL, or not. */
static void run_loop(char **args, const npy_intp *dimensions, const npy_intp *steps, void *data) {
    const struct loop *loop = data;
    ufc_error err;
    ufc_status status = ufc_inner_loop(loop->ufunc, loop->overload, args, dimensions, steps, &err);
    if (status == UFC_OK)
        return;
    PyGILState_STATE gil = PyGILState_Ensure();
    if (!PyErr_Occurred())
        raise_status(status, &err);
    PyGILState_Release(gil);
}

static int process_core_dims(PyUFuncObject *ufunc, npy_intp *sizes) {
    ufc_error err;
    const struct tables *t = PyCapsule_GetPointer(ufunc->obj, tables_name);
    ufc_status status = t ? ufc_core_sizes(t->ufunc, sizes, &err) : UFC_OK;
    if (status != UFC_OK)
        raise_status(status, &err);
    return t && status == UFC_OK ? 0 : -1;
}

/* ---- types */

/* NumPy's number of ml_dtypes' bfloat16, or -1. */
static int find_bfloat16(void) {
    PyObject *module = PyImport_ImportModule("ml_dtypes"), *type = NULL;
    PyArray_Descr *descr = NULL;
    if (module)
        type = PyObject_GetAttrString(module, "bfloat16");
    if (type && PyArray_DescrConverter(type, &descr) != NPY_SUCCEED)
        descr = NULL;
    int number = descr ? descr->type_num : -1;
    Py_XDECREF(descr);
    Py_XDECREF(type);
    Py_XDECREF(module);
    PyErr_Clear();
    return number;
}

int numpy_type(ufc_type type) {
    static const int numbers[] = {
        [UFC_BOOL] = NPY_BOOL,
        [UFC_INT8] = NPY_INT8,
        [UFC_UINT8] = NPY_UINT8,
        [UFC_INT16] = NPY_INT16,
        [UFC_UINT16] = NPY_UINT16,
        [UFC_INT32] = NPY_INT32,
        [UFC_UINT32] = NPY_UINT32,
        [UFC_INT64] = NPY_INT64,
        [UFC_UINT64] = NPY_UINT64,
        [UFC_FLOAT16] = NPY_FLOAT16,
        [UFC_BFLOAT16] = -1,
        [UFC_FLOAT32] = NPY_FLOAT32,
        [UFC_FLOAT64] = NPY_FLOAT64,
        [UFC_COMPLEX64] = NPY_COMPLEX64,
        [UFC_COMPLEX128] = NPY_COMPLEX128,
    };
    return type == UFC_BFLOAT16 ? find_bfloat16() : numbers[type];
}

/* An overload in NumPy's types; false: NumPy has not all of them. */
static bool read_types(const struct tables *t, int overload, int nargs, int *types) {
    const uint8_t *own = ufc_describe_overload(t->ufunc, overload).types;
    bool known = true;
    for (int k = 0; k < nargs; k++) {
        types[k] = numpy_type((ufc_type)own[k]);
        known = known && types[k] >= 0;
    }
    return known;
}

/* Whether an overload before this one takes every call that it could take.  ufc takes the first
 * overload that inputs cast to safely, NumPy one of the very types: so it is given no others. */
static bool is_shadowed(const struct tables *t, int overload, int nin, int nargs,
                        const int *types) {
    int before[MAX_OPERANDS];
    for (int i = 0; i < overload; i++) {
        bool takes = read_types(t, i, nargs, before);
        for (int k = 0; k < nin && takes; k++)
            takes = PyArray_CanCastSafely(types[k], before[k]);
        if (takes)
            return true;
    }
    return false;
}

/* Registers a loop of types that NumPy does not have itself. */
static int add_user_loop(PyObject *ufunc, struct loop *loop, int nargs, const int *types) {
    for (int k = 0; k < nargs; k++)
        if (PyTypeNum_ISUSERDEF(types[k]))
            return PyUFunc_RegisterLoopForType((PyUFuncObject *)ufunc, types[k], run_loop, types,
                                               loop);
    return 0;
}

/* ---- identities */

static PyObject *number_object(const ufc_arg *number) {
    switch (number->kind) {
    case UFC_ARG_BOOL: return PyBool_FromLong(number->as.b);
    case UFC_ARG_INT: return PyLong_FromLongLong(number->as.i);
    case UFC_ARG_UINT: return PyLong_FromUnsignedLongLong(number->as.u);
    case UFC_ARG_COMPLEX: return PyComplex_FromDoubles(number->as.c.re, number->as.c.im);
    default: return PyFloat_FromDouble(number->as.f);
    }
}

/* NumPy has one identity for all overloads: that of the simplest kind, where all are equal.  Gives
 * PyUFunc_None, PyUFunc_ReorderableNone, PyUFunc_IdentityValue with *value, which is then owned, or
 * FAILED with an exception set. */
enum { FAILED = -100 };
static int find_identity(const ufc_ufunc *ufunc, const ufc_description *d, PyObject **value) {
    bool reorders = d->noverloads > 0, all = true;
    ufc_arg_kind simplest = UFC_ARG_COMPLEX;
    *value = NULL;
    if (d->nin != 2 || d->nout != 1 || d->core)
        return PyUFunc_None;
    for (int i = 0; i < d->noverloads; i++) {
        ufc_overload_description o = ufc_describe_overload(ufunc, i);
        reorders = reorders && o.reorders;
        all = all && o.has_identity;
    }
    if (!reorders || !all)
        return reorders ? PyUFunc_ReorderableNone : PyUFunc_None;
    for (int i = 0; i < d->noverloads; i++) {
        ufc_overload_description o = ufc_describe_overload(ufunc, i);
        PyObject *number = number_object(&o.identity);
        int equal = !number ? -1 : *value ? PyObject_RichCompareBool(number, *value, Py_EQ) : 1;
        if (equal < 1) {
            Py_XDECREF(number);
            Py_CLEAR(*value);
            return equal < 0 ? FAILED : PyUFunc_ReorderableNone;
        }
        if (!*value || o.identity.kind < simplest) {
            Py_XDECREF(*value);
            *value = number;
            simplest = o.identity.kind;
        } else
            Py_DECREF(number);
    }
    return PyUFunc_IdentityValue;
}

/* ---- signatures */

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Whether NumPy reads a dimension as ufc does: a name, perhaps with `?`, or a number. */
static bool is_plain(const char *dim, size_t size) {
    bool number = is_digit(*dim);
    if (size > 1 && !number && dim[size - 1] == '?')
        size--;
    for (size_t i = 0; i < size; i++)
        if (!(is_digit(dim[i]) || (!number && is_letter(dim[i]))))
            return false;
    return true;
}

/* The end of a dimension, which may have parentheses of its own. */
static const char *end_of_dim(const char *s) {
    for (int depth = 0; *s && (depth > 0 || (*s != ',' && *s != ')')); s++)
        depth += (*s == '(') - (*s == ')');
    return s;
}

/* The longest run of underscores. */
static size_t underscores(const char *s) {
    size_t longest = 0;
    for (size_t run = 0; *s; s++) {
        run = *s == '_' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

/* NumPy's signature: computed dimensions, "n + k - 1", become names that no other has, equal ones
 * the same.  The caller frees it with free. */
static char *numpy_signature(const char *core) {
    size_t size = strlen(core), used = 0, n = 0, lines = underscores(core) + 1;
    char *text = malloc((size + 1) * (lines + 24));
    struct {
        const char *dim;
        size_t size;
    } *computed = malloc((size + 1) * sizeof *computed);
    for (const char *s = core, *end; text && computed && *s; s = end) {
        bool dim = s > core && (s[-1] == '(' || s[-1] == ',') && *s != ')' && *s != '(';
        end = dim ? end_of_dim(s) : s + 1;
        size_t length = (size_t)(end - s), i = 0;
        if (!dim || is_plain(s, length)) {
            memcpy(text + used, s, length);
            used += length;
            continue;
        }
        while (i < n && (computed[i].size != length || memcmp(computed[i].dim, s, length) != 0))
            i++;
        if (i == n) {
            computed[n].dim = s;
            computed[n++].size = length;
        }
        memset(text + used, '_', lines);
        used += lines;
        used += (size_t)snprintf(text + used, 24, "%zu", i);
    }
    free(computed);
    if (text)
        text[used] = '\0';
    return text;
}

/* ---- tables */

static void tables_free(struct tables *t) {
    free(t->loops);
    free(t->functions);
    free(t->data);
    free(t->types);
    free(t->signature);
    Py_DECREF(t->program);
    free(t);
}

static void capsule_free(PyObject *capsule) {
    tables_free(PyCapsule_GetPointer(capsule, tables_name));
}

static struct tables *tables_new(Program *program, const ufc_ufunc *ufunc) {
    ufc_description d = ufc_describe(ufunc);
    size_t n = (size_t)d.noverloads + 1, nargs = (size_t)(d.nin + d.nout);
    struct tables *t = calloc(1, sizeof *t);
    if (!t) {
        PyErr_NoMemory();
        return NULL;
    }
    Py_INCREF(program);
    t->program = program;
    t->ufunc = ufunc;
    t->loops = calloc(n, sizeof *t->loops);
    t->functions = calloc(n, sizeof *t->functions);
    t->data = calloc(n, sizeof *t->data);
    t->types = calloc(n, nargs);
    t->signature = d.core ? numpy_signature(d.core) : NULL;
    if (t->loops && t->functions && t->data && t->types && (t->signature || !d.core))
        return t;
    tables_free(t);
    PyErr_NoMemory();
    return NULL;
}

/* Fills the tables of types that NumPy has itself. */
static void fill_tables(struct tables *t, const ufc_description *d) {
    int nargs = d->nin + d->nout, types[MAX_OPERANDS];
    for (int i = 0; i < d->noverloads; i++) {
        bool own = read_types(t, i, nargs, types);
        t->loops[i] = (struct loop){t->ufunc, i};
        for (int k = 0; k < nargs; k++)
            own = own && !PyTypeNum_ISUSERDEF(types[k]);
        if (!own || is_shadowed(t, i, d->nin, nargs, types))
            continue;
        for (int k = 0; k < nargs; k++)
            t->types[t->n * nargs + k] = (char)types[k];
        t->functions[t->n] = run_loop;
        t->data[t->n++] = &t->loops[i];
    }
}

static int add_user_loops(PyObject *ufunc, struct tables *t, const ufc_description *d) {
    int nargs = d->nin + d->nout, types[MAX_OPERANDS];
    for (int i = 0; i < d->noverloads; i++)
        if (read_types(t, i, nargs, types) && !is_shadowed(t, i, d->nin, nargs, types) &&
            add_user_loop(ufunc, &t->loops[i], nargs, types))
            return -1;
    return 0;
}

/* The member that NumPy 2.1 has added to ufunc objects. */
struct ufunc_2_1 {
    PyUFuncObject ufunc;
    int (*process_core_dims)(PyUFuncObject *ufunc, npy_intp *sizes);
};

static bool computes_dimensions(void) {
    return PyArray_GetNDArrayCFeatureVersion() >= NPY_2_1_API_VERSION;
}

bool lacks_dimensions(PyObject *made) {
    const PyUFuncObject *ufunc = (const PyUFuncObject *)made;
    const struct tables *t = PyCapsule_GetPointer(ufunc->obj, tables_name);
    return t->signature && strcmp(t->signature, ufc_describe(t->ufunc).core) != 0 &&
           !computes_dimensions();
}

/* NumPy takes an output that is an input for one that is read before it is written, element by
 * element, unless it is told otherwise: a body may read any element at any time. */
static void copy_overlaps(PyUFuncObject *ufunc) {
    for (int k = ufunc->nin; k < ufunc->nargs; k++)
        ufunc->op_flags[k] = NPY_ITER_WRITEONLY | NPY_ITER_UPDATEIFCOPY | NPY_ITER_ALIGNED |
                             NPY_ITER_ALLOCATE | NPY_ITER_NO_BROADCAST | NPY_ITER_NO_SUBTYPE;
}

PyObject *make_ufunc(Program *program, const ufc_ufunc *ufunc) {
    ufc_description d = ufc_describe(ufunc);
    PyObject *identity_value, *made = NULL, *capsule;
    if (d.nin + d.nout > MAX_OPERANDS || d.nin + d.nout > NPY_MAXARGS)
        return PyErr_Format(PyExc_ValueError, "'%s' has more operands than NumPy's ufuncs", d.name);
    struct tables *t = tables_new(program, ufunc);
    if (!t)
        return NULL;
    capsule = PyCapsule_New(t, tables_name, capsule_free);
    if (!capsule) {
        tables_free(t);
        return NULL;
    }
    fill_tables(t, &d);
    int identity = find_identity(ufunc, &d, &identity_value);
    if (identity != FAILED)
        made = PyUFunc_FromFuncAndDataAndSignatureAndIdentity(
            t->functions, t->data, t->types, t->n, d.nin, d.nout, identity, d.name,
            d.doc ? d.doc : "", 0, t->signature, identity_value);
    Py_XDECREF(identity_value);
    if (!made) {
        Py_DECREF(capsule);
        return NULL;
    }
    ((PyUFuncObject *)made)->obj = capsule; /* the ufunc's own from here on */
    if (d.core)
        copy_overlaps((PyUFuncObject *)made);
    if (d.core && computes_dimensions())
        ((struct ufunc_2_1 *)made)->process_core_dims = process_core_dims;
    if (add_user_loops(made, t, &d))
        Py_CLEAR(made);
    return made;
}

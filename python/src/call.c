/* call.c: ufc_call, for arrays that NumPy's ufuncs do not take. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"

/* ---- keywords */

static int read_casting(const char *name, ufc_casting *casting) {
    static const char *const names[] = {[UFC_CASTING_NO] = "no",
                                        [UFC_CASTING_EQUIV] = "equiv",
                                        [UFC_CASTING_SAFE] = "safe",
                                        [UFC_CASTING_SAME_KIND] = "same_kind",
                                        [UFC_CASTING_UNSAFE] = "unsafe"};
    *casting = UFC_CASTING_DEFAULT;
    for (int i = UFC_CASTING_NO; i <= UFC_CASTING_UNSAFE && name; i++)
        if (strcmp(name, names[i]) == 0)
            *casting = (ufc_casting)i;
    if (!name || *casting != UFC_CASTING_DEFAULT)
        return 0;
    PyErr_Format(PyExc_ValueError, "'%s' is no casting rule", name);
    return -1;
}

static int read_type(const char *name, ufc_type *type) {
    for (*type = UFC_BOOL; *type <= UFC_COMPLEX128; *type = (ufc_type)(*type + 1))
        if (strcmp(name, ufc_type_name(ufc_dltype(*type))) == 0)
            return 0;
    PyErr_Format(PyExc_TypeError, "ufc has no type '%s'", name);
    return -1;
}

int read_dtype(const char *name, DLDataType *dtype) {
    ufc_type type;
    if (!name)
        return 0;
    if (read_type(name, &type))
        return -1;
    *dtype = ufc_dltype(type);
    return 0;
}

int read_axis_number(PyObject *number, int *axis) {
    long value = PyLong_AsLong(number);
    if (value == -1 && PyErr_Occurred())
        return -1;
    if (value < INT_MIN || value > INT_MAX) {
        PyErr_SetString(PyExc_ValueError, "integer won't fit into a C int");
        return -1;
    }
    *axis = (int)value;
    return 0;
}

static int read_axes_of(PyObject *tuple, int *axes, ufc_axes *to) {
    Py_ssize_t n = PyTuple_Size(tuple);
    if (n < 0 || n > MAX_AXES) {
        if (n > 0)
            PyErr_SetString(PyExc_ValueError, "an operand has too many axes");
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++)
        if (read_axis_number(PyTuple_GetItem(tuple, i), &axes[i]))
            return -1;
    *to = (ufc_axes){axes, (int)n};
    return 0;
}

/* axes: a tuple of tuples, or None. */
static int read_axes(struct call *c, PyObject *axes) {
    if (axes == Py_None)
        return 0;
    Py_ssize_t n = PyTuple_Size(axes);
    if (n < 0 || n > MAX_OPERANDS) {
        if (n > 0)
            PyErr_SetString(PyExc_ValueError, "there are more axes than operands");
        return -1;
    }
    c->keywords.core_axes = c->core_axes;
    c->keywords.ncore_axes = (int)n;
    for (Py_ssize_t k = 0; k < n; k++)
        if (read_axes_of(PyTuple_GetItem(axes, k), c->axes[k], &c->core_axes[k]))
            return -1;
    return 0;
}

static int read_axis(struct call *c, PyObject *axis) {
    if (axis == Py_None)
        return 0;
    c->keywords.axes = &c->axis;
    c->keywords.naxes = 1;
    return read_axis_number(axis, &c->axis);
}

/* ---- arguments */

static int read_operands(struct call *c, PyObject *inputs, PyObject *outputs) {
    if (PyTuple_Size(inputs) != c->d.nin || PyTuple_Size(outputs) != c->d.nout) {
        PyErr_Format(PyExc_TypeError, "%s takes %d inputs and %d outputs", c->d.name, c->d.nin,
                     c->d.nout);
        return -1;
    }
    c->noperands = c->d.nin + c->d.nout;
    for (int k = 0; k < c->d.nin; k++) {
        if (read_argument(PyTuple_GetItem(inputs, k), false, &c->operands[k]))
            return -1;
        c->in[k] = c->operands[k].arg;
    }
    for (int k = 0; k < c->d.nout; k++) {
        PyObject *given = PyTuple_GetItem(outputs, k);
        struct argument *output = &c->operands[c->d.nin + k];
        c->out[k] = ufc_new(&c->made[k]);
        if (given == Py_None)
            continue;
        if (read_argument(given, true, output))
            return -1;
        c->out[k] = ufc_into(&output->tensor);
    }
    return 0;
}

bool on_gpu(const struct argument *a) {
    return a->arg.kind == UFC_ARG_ARRAY && a->arg.as.array &&
           a->tensor.device.device_type != kDLCPU && a->tensor.device.device_type != kDLCUDAHost;
}

static bool any_on_gpu(const struct call *c) {
    bool any = false;
    for (int k = 0; k < c->noperands; k++)
        any = any || on_gpu(&c->operands[k]);
    return any;
}

void call_free(struct call *c) {
    for (int k = 0; k < c->noperands; k++)
        free_argument(&c->operands[k]);
    for (int k = 0; k < c->d.nout; k++)
        ufc_free(c->made[k]);
    while (c->narrays > 0)
        Py_DECREF(c->arrays[--c->narrays]);
    free_argument(&c->where);
    PyMem_Free(c);
}

/* ---- results by the caller's library */

static PyObject *tuple_of(const int64_t *sizes, int n) {
    PyObject *tuple = PyTuple_New(n);
    for (int i = 0; i < n && tuple; i++) {
        PyObject *size = PyLong_FromLongLong(sizes[i]);
        if (!size || PyTuple_SetItem(tuple, i, size))
            Py_CLEAR(tuple);
    }
    return tuple;
}

/* Calls what makes results, which gives an array and its capsule. */
static int make_array(struct call *c, const DLTensor *prototype, DLManagedTensorVersioned **array) {
    PyObject *shape = tuple_of(prototype->shape, prototype->ndim), *pair = NULL;
    PyObject *strides = tuple_of(prototype->strides, prototype->ndim);
    struct argument a;
    if (shape && strides)
        pair =
            PyObject_CallFunction(c->make, "OsO", shape, ufc_type_name(prototype->dtype), strides);
    Py_XDECREF(shape);
    Py_XDECREF(strides);
    if (!pair || read_argument(PyTuple_GetItem(pair, 1), true, &a)) {
        Py_XDECREF(pair);
        return -1;
    }
    *array = managed_argument(&a);
    if (*array) {
        c->arrays[c->narrays] = PyTuple_GetItem(pair, 0);
        Py_INCREF(c->arrays[c->narrays++]);
    }
    Py_DECREF(pair);
    return *array ? 0 : -1;
}

/* It leaves Python's exception. */
static ufc_status make_result(void *user, const DLTensor *prototype,
                              DLManagedTensorVersioned **array, ufc_error *err) {
    PyGILState_STATE gil = PyGILState_Ensure();
    int failed = make_array(user, prototype, array);
    PyGILState_Release(gil);
    if (failed)
        (void)snprintf(err->message, sizeof err->message, "a result cannot be made");
    return failed ? UFC_ENOMEM : UFC_OK;
}

struct call *call_new(PyObject *function, unsigned long long stream, PyObject *make) {
    struct call *c = PyMem_Calloc(1, sizeof *c);
    if (!c)
        return (struct call *)PyErr_NoMemory();
    c->ufunc = function_ufunc(function);
    c->d = ufc_describe(c->ufunc);
    c->stream = (void *)(uintptr_t)stream;
    if (make != Py_None) {
        c->make = make;
        c->keywords.allocate = make_result;
        c->keywords.user = c;
    }
    return c;
}

struct call *read_call(PyObject *module, PyObject *args) {
    struct state *state = PyModule_GetState(module);
    PyObject *function, *inputs, *outputs, *where, *axes, *axis, *make;
    const char *casting, *dtype;
    int keepdims;
    unsigned long long stream;
    if (!PyArg_ParseTuple(args, "O!O!O!OzzOOpKO", state->function, &function, &PyTuple_Type,
                          &inputs, &PyTuple_Type, &outputs, &where, &casting, &dtype, &axes, &axis,
                          &keepdims, &stream, &make))
        return NULL;
    struct call *c = call_new(function, stream, make);
    if (!c)
        return NULL;
    c->keywords.keepdims = keepdims;
    if (read_casting(casting, &c->keywords.casting) || read_dtype(dtype, &c->keywords.dtype) ||
        read_axes(c, axes) || read_axis(c, axis) || read_operands(c, inputs, outputs) ||
        (where != Py_True && read_argument(where, false, &c->where))) {
        call_free(c);
        return NULL;
    }
    if (where != Py_True)
        c->keywords.where = &c->where.tensor;
    c->ctx = any_on_gpu(c) ? NULL : state->host;
    return c;
}

/* ---- results */

static void capsule_free(PyObject *capsule) {
    if (PyCapsule_IsValid(capsule, "dltensor_versioned"))
        ufc_free(PyCapsule_GetPointer(capsule, "dltensor_versioned"));
}

PyObject *tensor_capsule(DLManagedTensorVersioned *tensor) {
    PyObject *capsule = PyCapsule_New(tensor, "dltensor_versioned", capsule_free);
    if (!capsule)
        ufc_free(tensor);
    return capsule;
}

PyObject *results_of(struct call *c) {
    PyObject *tuple = PyTuple_New(c->d.nout);
    for (int k = 0, made = 0; k < c->d.nout && tuple; k++) {
        PyObject *result = c->made[k] && c->make ? c->arrays[made++] : Py_None;
        if (c->made[k] && !c->make) {
            result = tensor_capsule(c->made[k]);
            c->made[k] = NULL; /* the capsule's now */
        } else
            Py_INCREF(result);
        if (!result || PyTuple_SetItem(tuple, k, result))
            Py_CLEAR(tuple);
    }
    return tuple;
}

PyObject *call_arrays(PyObject *module, PyObject *args) {
    struct call *c = read_call(module, args);
    PyObject *results = NULL;
    ufc_status status;
    ufc_error err;
    if (!c)
        return NULL;
    PyThreadState *released = PyEval_SaveThread();
    status = ufc_call_with(c->ctx, c->stream, c->ufunc, c->in, c->out, &c->keywords, &err);
    PyEval_RestoreThread(released);
    if (status == UFC_OK)
        results = results_of(c);
    else if (!PyErr_Occurred())
        raise_status(status, &err);
    call_free(c);
    return results;
}

/* An array of NumPy over a result: the capsule owns its memory. */
PyObject *array_of(PyObject *module, PyObject *capsule) {
    const DLManagedTensorVersioned *from = PyCapsule_GetPointer(capsule, "dltensor_versioned");
    ufc_type type;
    (void)module;
    if (!from || read_type(ufc_type_name(from->dl_tensor.dtype), &type))
        return NULL;
    const DLTensor *t = &from->dl_tensor;
    PyArray_Descr *descr = PyArray_DescrFromType(numpy_type(type));
    npy_intp shape[MAX_AXES], strides[MAX_AXES], size = t->dtype.bits / 8;
    for (int i = 0; i < t->ndim && i < MAX_AXES; i++) {
        shape[i] = (npy_intp)t->shape[i];
        strides[i] = (npy_intp)t->strides[i] * size;
    }
    PyObject *array =
        descr ? PyArray_NewFromDescr(&PyArray_Type, descr, t->ndim, shape, strides,
                                     (char *)t->data + t->byte_offset, NPY_ARRAY_WRITEABLE, NULL)
              : NULL;
    Py_INCREF(capsule);
    if (array && PyArray_SetBaseObject((PyArrayObject *)array, capsule))
        Py_CLEAR(array); /* the capsule's reference is gone in any case */
    else if (!array)
        Py_DECREF(capsule);
    return array;
}

/* ---- capsules for those who do not know of versions */

static void free_versioned(DLManagedTensor *tensor) {
    ufc_free(tensor->manager_ctx);
    free(tensor);
}

static void unversioned_free(PyObject *capsule) {
    if (PyCapsule_IsValid(capsule, "dltensor"))
        free_versioned(PyCapsule_GetPointer(capsule, "dltensor"));
}

PyObject *unversioned_capsule(PyObject *module, PyObject *capsule) {
    DLManagedTensorVersioned *from = PyCapsule_GetPointer(capsule, "dltensor_versioned");
    DLManagedTensor *tensor = from ? malloc(sizeof *tensor) : NULL;
    (void)module;
    if (!tensor)
        return from ? PyErr_NoMemory() : NULL;
    *tensor = (DLManagedTensor){from->dl_tensor, from, free_versioned};
    PyObject *made = PyCapsule_New(tensor, "dltensor", unversioned_free);
    if (!made) {
        free(tensor);
        return NULL;
    }
    (void)PyCapsule_SetName(capsule, "used_dltensor_versioned"); /* of a capsule it does not fail */
    return made;
}

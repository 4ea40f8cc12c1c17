/* cupy.c: CuPy's arrays, as if CuPy had DLPack's exchange API, which its versions up to 14 lack. */
#include <string.h>

#include "exchange.h"

enum { MAX_AXES = 64 };

/* What calls use of CuPy, once that is imported. */
struct cupy {
    PyTypeObject *array;                       /* cupy.ndarray */
    PyObject *get_current_stream, *get_device; /* of cupy.cuda and cupy.cuda.runtime */
};
static _Atomic(struct cupy *) found;

/* ---- arrays */

/* An attribute that is an int; false with an exception. */
static bool read_number(PyObject *o, PyObject *name, long long *number) {
    PyObject *value = PyObject_GetAttr(o, name);
    *number = value ? PyLong_AsLongLong(value) : -1;
    Py_XDECREF(value);
    return !PyErr_Occurred();
}

/* Reads whole numbers of a tuple, each divided. */
static bool read_tuple(PyObject *tuple, Py_ssize_t n, int64_t divisor, int64_t *to) {
    if (PyTuple_Size(tuple) != n)
        return false;
    for (Py_ssize_t i = 0; i < n; i++) {
        int64_t number = PyLong_AsLongLong(PyTuple_GetItem(tuple, i));
        if ((number == -1 && PyErr_Occurred()) || number % divisor)
            return false;
        to[i] = number / divisor;
    }
    return true;
}

/* Whether an array is said to be in C order, which is faster asked than its strides. */
static bool is_c_order(PyObject *o) {
    PyObject *value = PyObject_GetAttr(o, names.c_contiguous);
    bool is = value == Py_True;
    Py_XDECREF(value);
    if (!value)
        PyErr_Clear();
    return is;
}

static bool read_strides(PyObject *o, DLTensor *t) {
    PyObject *strides;
    if (is_c_order(o)) {
        int64_t stride = 1;
        for (int i = t->ndim - 1; i >= 0; stride *= t->shape[i--])
            t->strides[i] = stride;
        return true;
    }
    strides = PyObject_GetAttr(o, names.strides);
    bool read = strides && read_tuple(strides, t->ndim, t->dtype.bits / 8, t->strides);
    Py_XDECREF(strides);
    return read;
}

static bool read_extents(PyObject *o, DLTensor *t) {
    PyObject *shape = PyObject_GetAttr(o, names.shape);
    Py_ssize_t n = shape ? PyTuple_Size(shape) : -1;
    bool read = false;
    if (n >= 0 && n <= MAX_AXES)
        t->shape = PyMem_Malloc((2 * (size_t)n + 1) * sizeof *t->shape);
    if (t->shape) {
        t->ndim = (int32_t)n;
        t->strides = t->shape + n;
        read = read_tuple(shape, n, 1, t->shape) && read_strides(o, t);
    }
    Py_XDECREF(shape);
    return read;
}

static int tensor_of(void *array, DLTensor *t) {
    PyObject *data = PyObject_GetAttr(array, names.data),
             *dtype = PyObject_GetAttr(array, names.dtype);
    long long pointer = 0, device = 0;
    ufc_type type;
    memset(t, 0, sizeof *t);
    bool read = data && dtype && PyArray_DescrCheck(dtype) &&
                PyArray_ISNBO(((PyArray_Descr *)dtype)->byteorder) &&
                type_of_descr((PyArray_Descr *)dtype, &type) &&
                read_number(data, names.ptr, &pointer) &&
                read_number(data, names.device_id, &device);
    Py_XDECREF(data);
    Py_XDECREF(dtype);
    if (read) {
        t->dtype = ufc_dltype(type);
        t->data = (void *)(intptr_t)pointer;
        t->device = (DLDevice){kDLCUDA, (int32_t)device};
        read = read_extents(array, t);
    }
    if (!read) {
        PyMem_Free(t->shape);
        t->shape = NULL;
    }
    return read ? 0 : -1;
}

/* ---- results */

static PyObject *tuple_of(const int64_t *numbers, int n, int64_t factor) {
    PyObject *tuple = PyTuple_New(n);
    for (int i = 0; i < n && tuple; i++) {
        PyObject *number = PyLong_FromLongLong(numbers[i] * factor);
        if (!number || PyTuple_SetItem(tuple, i, number))
            Py_CLEAR(tuple);
    }
    return tuple;
}

static DLManagedTensorVersioned *make(const DLTensor *prototype) {
    ufc_type type = UFC_BOOL;
    while (type < UFC_COMPLEX128 &&
           strcmp(ufc_type_name(ufc_dltype(type)), ufc_type_name(prototype->dtype)) != 0)
        type = (ufc_type)(type + 1);
    PyObject *shape = tuple_of(prototype->shape, prototype->ndim, 1);
    PyObject *dtype = (PyObject *)PyArray_DescrFromType(numpy_type(type));
    struct argument a = {0};
    if (shape && dtype)
        a.owner = PyObject_CallFunctionObjArgs((PyObject *)atomic_load(&found)->array, shape, dtype,
                                               NULL);
    Py_XDECREF(shape);
    Py_XDECREF(dtype);
    if (!a.owner || tensor_of(a.owner, &a.tensor)) {
        Py_XDECREF(a.owner);
        return NULL;
    }
    a.extents = a.tensor.shape;
    return managed_argument(&a);
}

static int allocate(DLTensor *prototype, DLManagedTensorVersioned **made, void *context,
                    set_error_fn *set_error) {
    PyGILState_STATE gil = PyGILState_Ensure();
    *made = make(prototype);
    PyGILState_Release(gil);
    if (!*made)
        set_error(context, "cupy", "a result cannot be made");
    return *made ? 0 : -1;
}

/* The array, or a view of its memory where the caller has put the axes in another order. */
static int array_of_managed(DLManagedTensorVersioned *managed, void **array) {
    const DLTensor *t = &managed->dl_tensor;
    PyObject *made = managed_owner(managed);
    int64_t stride = 1;
    bool c_order = true;
    for (int i = t->ndim - 1; i >= 0; i--) {
        c_order = c_order && (t->shape[i] <= 1 || t->strides[i] == stride);
        stride *= t->shape[i];
    }
    if (c_order)
        Py_INCREF(made);
    else {
        PyObject *data = PyObject_GetAttr(made, names.data),
                 *dtype = PyObject_GetAttr(made, names.dtype);
        PyObject *shape = tuple_of(t->shape, t->ndim, 1);
        PyObject *strides = tuple_of(t->strides, t->ndim, t->dtype.bits / 8);
        made = data && dtype && shape && strides
                   ? PyObject_CallFunctionObjArgs((PyObject *)atomic_load(&found)->array, shape,
                                                  dtype, data, strides, NULL)
                   : NULL;
        Py_XDECREF(data);
        Py_XDECREF(dtype);
        Py_XDECREF(shape);
        Py_XDECREF(strides);
    }
    ufc_free(managed);
    *array = made;
    return made ? 0 : -1;
}

/* ---- streams */

/* CuPy allocates on the current device: arrays of another are not taken here. */
static int current_stream(DLDeviceType type, int32_t device, void **to) {
    const struct cupy *cupy = atomic_load(&found);
    PyObject *number = PyObject_CallObject(cupy->get_device, NULL), *stream = NULL;
    long long pointer = 0;
    (void)type;
    if (number && PyLong_AsLong(number) == device)
        stream = PyObject_CallObject(cupy->get_current_stream, NULL);
    bool read = stream && read_number(stream, names.ptr, &pointer);
    Py_XDECREF(number);
    Py_XDECREF(stream);
    *to = (void *)(intptr_t)pointer;
    return read ? 0 : -1;
}

/* ---- the type */

static PyObject *attribute_of(const char *module, const char *name) {
    PyObject *imported = PyImport_ImportModule(module);
    PyObject *attribute = imported ? PyObject_GetAttrString(imported, name) : NULL;
    Py_XDECREF(imported);
    return attribute;
}

/* NULL: CuPy is not imported, or lacks what is used. */
static struct cupy *find_cupy(void) {
    PyObject *modules = PySys_GetObject("modules"); /* borrowed: nothing is imported here */
    PyObject *cupy = modules ? PyMapping_GetItemString(modules, "cupy") : NULL;
    struct cupy *made = cupy ? PyMem_Calloc(1, sizeof *made) : NULL, *there = NULL;
    if (made) {
        made->array = (PyTypeObject *)PyObject_GetAttrString(cupy, "ndarray");
        made->get_current_stream = attribute_of("cupy.cuda", "get_current_stream");
        made->get_device = attribute_of("cupy.cuda.runtime", "getDevice");
        if (!made->array || !made->get_current_stream || !made->get_device ||
            !atomic_compare_exchange_strong(&found, &there, made)) {
            Py_XDECREF((PyObject *)made->array);
            Py_XDECREF(made->get_current_stream);
            Py_XDECREF(made->get_device);
            PyMem_Free(made);
        }
    }
    Py_XDECREF(cupy);
    PyErr_Clear();
    return atomic_load(&found);
}

const struct exchange *exchange_of_cupy(PyTypeObject *type) {
    static const struct exchange api = {.header = {DLPACK_MAJOR_VERSION, 0, NULL},
                                        .allocate = allocate,
                                        .array_of = array_of_managed,
                                        .tensor_of = tensor_of,
                                        .current_stream = current_stream};
    const struct cupy *cupy = atomic_load(&found);
    if (!cupy)
        cupy = find_cupy();
    return cupy && cupy->array == type ? &api : NULL;
}

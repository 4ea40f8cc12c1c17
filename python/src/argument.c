/* argument.c: Python's arrays and numbers as arguments of ufc_call. */
#include <stdlib.h>
#include <string.h>

#include "ext.h"

/* ---- types */

/* By kind and size: each array of each call is asked. */
bool type_of_descr(const PyArray_Descr *descr, ufc_type *type) {
    static const struct {
        char kind;
        unsigned char size, type;
    } known[] = {{'f', 4, UFC_FLOAT32}, {'f', 8, UFC_FLOAT64},   {'i', 8, UFC_INT64},
                 {'i', 4, UFC_INT32},   {'c', 8, UFC_COMPLEX64}, {'c', 16, UFC_COMPLEX128},
                 {'f', 2, UFC_FLOAT16}, {'b', 1, UFC_BOOL},      {'u', 1, UFC_UINT8},
                 {'i', 1, UFC_INT8},    {'i', 2, UFC_INT16},     {'u', 2, UFC_UINT16},
                 {'u', 4, UFC_UINT32},  {'u', 8, UFC_UINT64}};
    npy_intp size = PyDataType_ELSIZE(descr);
    if (PyTypeNum_ISUSERDEF(descr->type_num)) {
        *type = UFC_BFLOAT16;
        return descr->type_num == numpy_type(UFC_BFLOAT16);
    }
    if (descr->type_num < 0) /* another's, whatever kind it says that it is of */
        return false;
    for (size_t i = 0; i < Py_ARRAY_LENGTH(known); i++)
        if (known[i].kind == descr->kind && known[i].size == size) {
            *type = (ufc_type)known[i].type;
            return true;
        }
    return false;
}

/* ---- arrays of NumPy */

/* An array that ufc can read: aligned, in the processor's byte order, with strides that are whole
 * elements; a copy where it is not so. */
static bool is_in_order(PyArrayObject *array) {
    npy_intp size = PyArray_ITEMSIZE(array);
    bool whole = PyArray_ISBEHAVED_RO(array);
    for (int i = 0; i < PyArray_NDIM(array) && whole; i++)
        whole = PyArray_STRIDE(array, i) % size == 0;
    return whole;
}

static PyArrayObject *in_order(PyArrayObject *array) {
    if (is_in_order(array)) {
        Py_INCREF(array);
        return array;
    }
    PyArray_Descr *native = PyArray_DescrNewByteorder(PyArray_DESCR(array), NPY_NATIVE);
    return native ? (PyArrayObject *)PyArray_FromArray(array, native,
                                                       NPY_ARRAY_DEFAULT | NPY_ARRAY_ENSURECOPY)
                  : NULL;
}

static int refuse_output(const char *what) {
    PyErr_Format(PyExc_ValueError, "an output is %s", what);
    return -1;
}

/* Takes the reference. */
static int read_array(PyArrayObject *array, bool writable, struct argument *a) {
    ufc_type type;
    a->owner = (PyObject *)array;
    if (!type_of_descr(PyArray_DESCR(array), &type)) {
        PyErr_Format(PyExc_TypeError, "ufc has no elements of %R", PyArray_DESCR(array));
        return -1;
    }
    if (writable && !PyArray_ISWRITEABLE(array))
        return refuse_output("read-only");
    PyArrayObject *plain = in_order(array);
    if (!plain)
        return -1;
    if (writable && plain != array) {
        Py_DECREF(plain);
        return refuse_output("not aligned, or not in the processor's byte order");
    }
    Py_DECREF(array);
    a->owner = (PyObject *)plain;
    int ndim = PyArray_NDIM(plain);
    a->extents = PyMem_Malloc((2 * (size_t)ndim + 1) * sizeof *a->extents);
    if (!a->extents) {
        PyErr_NoMemory();
        return -1;
    }
    for (int i = 0; i < ndim; i++) {
        a->extents[i] = PyArray_DIM(plain, i);
        a->extents[ndim + i] = PyArray_STRIDE(plain, i) / PyArray_ITEMSIZE(plain);
    }
    a->tensor = (DLTensor){PyArray_DATA(plain), {kDLCPU, 0},       ndim, ufc_dltype(type),
                           a->extents,          a->extents + ndim, 0};
    a->arg = ufc_array(&a->tensor);
    return 0;
}

/* ---- others */

/* The tensor stays the capsule's. */
static int read_capsule(PyObject *capsule, bool writable, struct argument *a) {
    Py_INCREF(capsule);
    a->owner = capsule;
    if (PyCapsule_IsValid(capsule, "dltensor")) {
        const DLManagedTensor *m = PyCapsule_GetPointer(capsule, "dltensor");
        a->tensor = m->dl_tensor;
    } else {
        const DLManagedTensorVersioned *m = PyCapsule_GetPointer(capsule, "dltensor_versioned");
        if (!m)
            return -1;
        if (m->version.major != DLPACK_MAJOR_VERSION) {
            PyErr_Format(PyExc_BufferError, "an array is of DLPack %u, not %d",
                         (unsigned)m->version.major, DLPACK_MAJOR_VERSION);
            return -1;
        }
        if (writable && m->flags & DLPACK_FLAG_BITMASK_READ_ONLY)
            return refuse_output("read-only");
        a->tensor = m->dl_tensor;
    }
    a->arg = ufc_array(&a->tensor);
    return 0;
}

/* A number is weak.  One beyond 64 bits is an array of objects in NumPy, and an error here. */
static int read_int(PyObject *o, struct argument *a) {
    int overflow;
    a->arg = ufc_int(PyLong_AsLongLongAndOverflow(o, &overflow));
    if (overflow > 0)
        a->arg = ufc_uint(PyLong_AsUnsignedLongLong(o));
    else if (overflow < 0)
        PyErr_SetString(PyExc_OverflowError, "an int is too large to be an int64");
    return PyErr_Occurred() ? -1 : 0;
}

static int read_complex(PyObject *o, struct argument *a) {
    a->arg = ufc_complex(PyComplex_RealAsDouble(o), PyComplex_ImagAsDouble(o));
    return 0;
}

int read_argument(PyObject *o, bool writable, struct argument *a) {
    memset(a, 0, sizeof *a);
    if (PyCapsule_CheckExact(o))
        return read_capsule(o, writable, a);
    if (writable && !PyArray_Check(o)) {
        PyErr_SetString(PyExc_TypeError, "an output is no array");
        return -1;
    }
    if (PyArray_Check(o)) {
        Py_INCREF(o);
        return read_array((PyArrayObject *)o, writable, a);
    }
    if (PyBool_Check(o)) {
        a->arg = ufc_bool(o == Py_True);
        return 0;
    }
    if (PyLong_CheckExact(o))
        return read_int(o, a);
    if (PyFloat_CheckExact(o)) {
        a->arg = ufc_float(PyFloat_AsDouble(o));
        return 0;
    }
    if (PyComplex_CheckExact(o))
        return read_complex(o, a);
    PyObject *array = PyArray_FROM_O(o);
    return array ? read_array((PyArrayObject *)array, false, a) : -1;
}

void free_argument(struct argument *a) {
    Py_XDECREF(a->owner);
    PyMem_Free(a->extents);
}

/* ---- arguments as DLPack's tensors */

struct managed {
    DLManagedTensorVersioned tensor;
    struct argument argument;
};

static void managed_free(DLManagedTensorVersioned *tensor) {
    struct managed *m = tensor->manager_ctx;
    PyGILState_STATE gil = PyGILState_Ensure();
    free_argument(&m->argument);
    PyGILState_Release(gil);
    free(m);
}

DLManagedTensorVersioned *managed_argument(struct argument *a) {
    struct managed *m = calloc(1, sizeof *m);
    if (!m) {
        free_argument(a);
        PyErr_NoMemory();
        return NULL;
    }
    m->argument = *a;
    m->tensor = (DLManagedTensorVersioned){
        .version = {1, 0}, .manager_ctx = m, .deleter = managed_free, .dl_tensor = a->tensor};
    return &m->tensor;
}

PyObject *managed_owner(const DLManagedTensorVersioned *tensor) {
    return ((const struct managed *)tensor->manager_ctx)->argument.owner;
}

PyObject *device_capsule(PyObject *module, PyObject *args) {
    PyObject *array;
    int device;
    struct argument a = {0};
    (void)module;
    if (!PyArg_ParseTuple(args, "O!i", &PyArray_Type, &array, &device))
        return NULL;
    if (!is_in_order((PyArrayObject *)array)) {
        PyErr_SetString(PyExc_ValueError,
                        "an array on a GPU is not aligned, in another byte order, "
                        "or its strides are no whole elements");
        return NULL;
    }
    Py_INCREF(array);
    if (read_array((PyArrayObject *)array, false, &a)) {
        free_argument(&a);
        return NULL;
    }
    a.tensor.device = (DLDevice){kDLCUDA, device};
    DLManagedTensorVersioned *tensor = managed_argument(&a);
    if (tensor && !PyArray_ISWRITEABLE((PyArrayObject *)array))
        tensor->flags |= DLPACK_FLAG_BITMASK_READ_ONLY;
    return tensor ? tensor_capsule(tensor) : NULL;
}

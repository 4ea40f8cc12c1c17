/* cupy.c: CuPy's arrays, as if CuPy had DLPack's exchange API, which its versions up to 14 lack.
 *
 * CuPy tells its attributes to Python alone, which takes as long as a launch.  Its C functions are
 * in capsules that are named by their types, and where a member of its objects lies is found once,
 * from arrays whose members are known: where CuPy has either otherwise, its calls are
 * ufc._dispatch's. */
#include <string.h>

#include "exchange.h"

enum { MAX_AXES = 64 };

/* A std::vector of Py_ssize_t. */
struct vector {
    const Py_ssize_t *begin, *end, *capacity;
};

/* Offsets of members, in bytes. */
struct layout {
    size_t data, dtype, shape, strides; /* of an array */
    size_t ptr, device;                 /* of the MemoryPointer that is its data */
};

typedef PyObject *init_fn(PyObject *type, const struct vector *shape, PyObject *dtype,
                          PyObject *base);

/* What calls use of CuPy, once that is imported. */
struct cupy {
    PyTypeObject *array, *pointer; /* cupy.ndarray, cupy.cuda.MemoryPointer */
    struct layout layout;
    init_fn *init;
    int (*current_device)(int skip_dispatch);
    intptr_t (*current_stream)(void);
};
static _Atomic(struct cupy *) found;

/* ---- arrays */

static const void *member(const void *object, size_t offset) {
    return (const char *)object + offset;
}

static bool read_extents(const struct layout *at, const void *array, DLTensor *t) {
    const struct vector *shape = member(array, at->shape), *strides = member(array, at->strides);
    ptrdiff_t n = shape->end - shape->begin, size = t->dtype.bits / 8;
    if (n > MAX_AXES || strides->end - strides->begin != n ||
        !(t->shape = PyMem_Malloc((2 * (size_t)n + 1) * sizeof *t->shape)))
        return false;
    t->ndim = (int32_t)n;
    t->strides = t->shape + n;
    bool whole = true;
    for (ptrdiff_t i = 0; i < n; i++) {
        t->shape[i] = shape->begin[i];
        t->strides[i] = strides->begin[i] / size;
        whole = whole && t->strides[i] * size == strides->begin[i];
    }
    return whole;
}

static int tensor_of(void *array, DLTensor *t) {
    const struct cupy *cupy = atomic_load(&found);
    const struct layout *at = &cupy->layout;
    PyObject *data = *(PyObject *const *)member(array, at->data),
             *dtype = *(PyObject *const *)member(array, at->dtype);
    ufc_type type;
    memset(t, 0, sizeof *t);
    if (Py_TYPE(data) != cupy->pointer || !PyArray_DescrCheck(dtype) ||
        !PyArray_ISNBO(((PyArray_Descr *)dtype)->byteorder) ||
        !type_of_descr((PyArray_Descr *)dtype, &type))
        return -1;
    t->dtype = ufc_dltype(type);
    t->data = (void *)*(const intptr_t *)member(data, at->ptr);
    t->device = (DLDevice){kDLCUDA, *(const int *)member(data, at->device)};
    if (read_extents(at, array, t))
        return 0;
    PyMem_Free(t->shape);
    t->shape = NULL;
    return -1;
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
    Py_ssize_t extents[MAX_AXES];
    for (int i = 0; i < prototype->ndim; i++)
        extents[i] = prototype->shape[i];
    const struct vector shape = {extents, extents + prototype->ndim, extents + prototype->ndim};
    const struct cupy *cupy = atomic_load(&found);
    PyObject *dtype = (PyObject *)PyArray_DescrFromType(numpy_type(type));
    struct argument a = {0};
    if (dtype)
        a.owner = cupy->init((PyObject *)cupy->array, &shape, dtype, Py_None);
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
    (void)type;
    if (cupy->current_device(0) != device)
        return -1;
    *to = (void *)cupy->current_stream();
    return PyErr_Occurred() ? -1 : 0;
}

/* ---- where members are */

/* An array whose members are known, of memory that nobody asks for. */
struct probe {
    PyObject *array, *data;
    size_t size, pointer_size; /* of the objects */
    intptr_t ptr;
    int device, ndim;
    Py_ssize_t shape[5], strides[5];
};

static void probe_free(struct probe *p) {
    Py_XDECREF(p->array);
    Py_XDECREF(p->data);
}

static size_t size_of(PyObject *object) {
    PyObject *size = PyObject_GetAttrString((PyObject *)Py_TYPE(object), "__basicsize__");
    size_t bytes = size ? PyLong_AsSize_t(size) : 0;
    Py_XDECREF(size);
    return PyErr_Occurred() ? 0 : bytes;
}

/* An array of float32 that has `ndim` axes, in *p, which is all 0; false with an exception. */
static bool make_probe(PyObject *cupy, PyObject *cuda, int ndim, struct probe *p) {
    PyObject *memory, *shape = PyTuple_New(ndim);
    Py_ssize_t bytes = 4;
    p->ndim = ndim;
    p->device = 1234567 + ndim;
    p->ptr = (intptr_t)7654321 * 4096 * ndim;
    for (int i = ndim - 1; i >= 0; i--) {
        p->shape[i] = 11 * ndim + i;
        p->strides[i] = bytes;
        bytes *= p->shape[i];
        if (shape && PyTuple_SetItem(shape, i, PyLong_FromSsize_t(p->shape[i])))
            Py_CLEAR(shape);
    }
    memory = PyObject_CallMethod(cuda, "UnownedMemory", "nnOi", (Py_ssize_t)p->ptr, bytes, Py_None,
                                 p->device);
    p->data = memory ? PyObject_CallMethod(cuda, "MemoryPointer", "Oi", memory, 0) : NULL;
    if (shape && p->data)
        p->array = PyObject_CallMethod(cupy, "ndarray", "OsO", shape, "float32", p->data);
    Py_XDECREF(memory);
    Py_XDECREF(shape);
    p->size = p->array ? size_of(p->array) : 0;
    p->pointer_size = p->array ? size_of(p->data) : 0;
    return p->size && p->pointer_size;
}

/* The only place in an object's `size` bytes that has the value's; 0: there is none. */
static size_t place_of(const void *object, size_t size, const void *value, size_t width) {
    size_t place = 0;
    for (size_t at = sizeof(PyObject); at + width <= size; at += width)
        if (memcmp(member(object, at), value, width) == 0) {
            if (place)
                return 0;
            place = at;
        }
    return place;
}

/* That of a vector of the numbers. */
static size_t place_of_vector(const struct probe *p, const Py_ssize_t *numbers) {
    size_t place = 0, bytes = (size_t)p->ndim * sizeof *numbers;
    for (size_t at = sizeof(PyObject); at + sizeof(struct vector) <= p->size;
         at += sizeof(void *)) {
        struct vector v;
        memcpy(&v, member(p->array, at), sizeof v);
        /* Objects are farther apart than the odd number of words between these pointers. */
        if (v.begin && (uintptr_t)v.end - (uintptr_t)v.begin == bytes &&
            memcmp(v.begin, numbers, bytes) == 0) {
            if (place)
                return 0;
            place = at;
        }
    }
    return place;
}

static struct layout layout_of(const struct probe *p) {
    PyObject *dtype = PyObject_GetAttr(p->array, names.dtype);
    struct layout l = {
        .data = place_of(p->array, p->size, &p->data, sizeof p->data),
        .dtype = place_of(p->array, p->size, &dtype, sizeof dtype),
        .shape = place_of_vector(p, p->shape),
        .strides = place_of_vector(p, p->strides),
        .ptr = place_of(p->data, p->pointer_size, &p->ptr, sizeof p->ptr),
        .device = place_of(p->data, p->pointer_size, &p->device, sizeof p->device),
    };
    Py_XDECREF(dtype);
    return l;
}

/* False: members are not where two arrays alike have them. */
static bool find_layout(PyObject *cupy, PyObject *cuda, struct layout *layout) {
    struct probe p = {0}, q = {0};
    struct layout other;
    bool made = make_probe(cupy, cuda, 3, &p) && make_probe(cupy, cuda, 5, &q);
    if (made) {
        *layout = layout_of(&p);
        other = layout_of(&q);
    }
    probe_free(&p);
    probe_free(&q);
    return made && memcmp(layout, &other, sizeof other) == 0 && layout->data && layout->dtype &&
           layout->shape && layout->strides && layout->ptr && layout->device;
}

/* ---- the type */

/* A function that a module has for C; NULL with an exception: it has none of that type. */
static void *function_of(const char *module, const char *name, const char *type) {
    PyObject *imported = PyImport_ImportModule(module);
    PyObject *functions = imported ? PyObject_GetAttrString(imported, "__pyx_capi__") : NULL;
    PyObject *capsule = functions ? PyMapping_GetItemString(functions, name) : NULL;
    void *function = capsule ? PyCapsule_GetPointer(capsule, type) : NULL;
    Py_XDECREF(capsule); /* the module keeps it */
    Py_XDECREF(functions);
    Py_XDECREF(imported);
    return function;
}

static bool find_functions(struct cupy *made) {
    void *init = function_of("cupy._core.core", "_ndarray_init",
                             "struct __pyx_obj_4cupy_5_core_4core__ndarray_base *(PyObject *, "
                             "__pyx_t_4cupy_5_core_7_carray_shape_t const &, PyObject *, "
                             "PyObject *)"),
         *device = function_of("cupy_backends.cuda.api.runtime", "getDevice",
                               "int (int __pyx_skip_dispatch)"),
         *stream =
             function_of("cupy_backends.cuda.stream", "get_current_stream_ptr", "intptr_t (void)");
    memcpy(&made->init, &init, sizeof init);
    memcpy(&made->current_device, &device, sizeof device);
    memcpy(&made->current_stream, &stream, sizeof stream);
    return init && device && stream;
}

/* NULL: CuPy is not as it is known here. */
static struct cupy *find_cupy(void) {
    PyObject *cupy = PyImport_ImportModule("cupy");
    PyObject *cuda = cupy ? PyObject_GetAttrString(cupy, "cuda") : NULL;
    struct cupy *made = cuda ? PyMem_Calloc(1, sizeof *made) : NULL, *there = NULL;
    if (made) {
        made->array = (PyTypeObject *)PyObject_GetAttrString(cupy, "ndarray");
        made->pointer = (PyTypeObject *)PyObject_GetAttrString(cuda, "MemoryPointer");
        if (!made->array || !made->pointer || !find_functions(made) ||
            !find_layout(cupy, cuda, &made->layout) ||
            !atomic_compare_exchange_strong(&found, &there, made)) {
            Py_XDECREF((PyObject *)made->array);
            Py_XDECREF((PyObject *)made->pointer);
            PyMem_Free(made);
        }
    }
    Py_XDECREF(cuda);
    Py_XDECREF(cupy);
    PyErr_Clear();
    return atomic_load(&found);
}

static bool is_named(PyTypeObject *type, const char *attribute, const char *text) {
    PyObject *name = PyObject_GetAttrString((PyObject *)type, attribute);
    bool is = name && PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, text) == 0;
    Py_XDECREF(name);
    return is;
}

bool is_cupys(PyTypeObject *type) {
    return is_named(type, "__module__", "cupy") && is_named(type, "__name__", "ndarray");
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

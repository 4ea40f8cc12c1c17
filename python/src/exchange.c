/* exchange.c: calls with arrays of libraries that have DLPack's exchange API: PyTorch, CuPy.
 *
 * A type with that API has C functions that describe an array, name the stream that its library
 * works on, and make arrays from the library's own allocator: so that a call takes no Python code.
 * Calls with keywords other than out, and arrays with derivatives, are ufc._dispatch's. */
#include <stdlib.h>
#include <string.h>

#include "exchange.h"

enum { MAX_OPERANDS = 16, MAX_AXES = 64 };

/* ---- which types have it */

/* A type with its own API; types are few, and are kept. */
struct known {
    PyTypeObject *type;
    const struct exchange *api; /* NULL: it has none that can be used */
    bool lazy;                  /* arrays may be more than their memory: see is_lazy */
    bool owned;                 /* tensors' extents are the caller's */
};

enum { MAX_KNOWN = 64 };
static _Atomic(const struct known *) known[MAX_KNOWN];

static const struct exchange *api_of_capsule(PyObject *capsule) {
    const struct exchange *api = PyCapsule_GetPointer(capsule, "dlpack_exchange_api");
    while (api && api->header.major > DLPACK_MAJOR_VERSION)
        api = api->header.older;
    return api && api->header.major == DLPACK_MAJOR_VERSION && api->tensor_of ? api : NULL;
}

/* Keeps a type among the others, unless another thread has; NULL: there is no room. */
static const struct known *keep(struct known type) {
    struct known *made = malloc(sizeof *made);
    for (int i = 0; i < MAX_KNOWN && made; i++) {
        const struct known *there = NULL;
        *made = type;
        if (atomic_compare_exchange_strong(&known[i], &there, made)) {
            Py_INCREF((PyObject *)type.type);
            return made;
        }
        if (there->type == type.type) {
            free(made);
            return there;
        }
    }
    free(made);
    return NULL;
}

/* Looks for the API of a type, not for one that it inherits: arrays of subclasses may have no
 * memory.  NULL without an exception: there is none. */
static const struct known *find_type(PyTypeObject *type) {
    PyObject *members = PyObject_GetAttrString((PyObject *)type, "__dict__");
    PyObject *capsule =
        members ? PyMapping_GetItemString(members, "__dlpack_c_exchange_api__") : NULL;
    const struct known *found = NULL;
    PyErr_Clear();
    bool cupys = !capsule && is_cupys(type);
    bool library = cupys || PyObject_HasAttrString((PyObject *)type, "__dlpack__");
    const struct exchange *api = capsule ? api_of_capsule(capsule)
                                 : cupys ? exchange_of_cupy(type)
                                         : NULL;
    if (capsule || library) /* others are told apart at once the next time, too */
        found = keep((struct known){type, api, PyObject_HasAttrString((PyObject *)type, "is_neg"),
                                    !capsule});
    PyErr_Clear();
    Py_XDECREF(members);
    Py_XDECREF(capsule); /* the type keeps it */
    return found;
}

static const struct known *type_of(PyObject *o) {
    PyTypeObject *type = Py_TYPE(o);
    for (int i = 0; i < MAX_KNOWN; i++) {
        const struct known *there = atomic_load(&known[i]);
        if (!there)
            break;
        if (there->type == type)
            return there;
    }
    return find_type(type);
}

/* ---- a call */

struct call {
    const struct exchange *api;
    int nin, nout;
    struct argument operands[MAX_OPERANDS];
    PyObject *given[MAX_OPERANDS]; /* outputs, borrowed; NULL: to be made */
    ufc_arg in[MAX_OPERANDS];
    ufc_out out[MAX_OPERANDS];
    DLManagedTensorVersioned *made[MAX_OPERANDS];
    DLDevice device; /* of the library's arrays */
    ufc_keywords keywords;
};

/* Asks an object whether an attribute, or what a method without arguments gives, is True. */
static bool asks(PyObject *o, PyObject *name, bool method) {
    PyObject *value =
        method ? PyObject_CallMethodObjArgs(o, name, NULL) : PyObject_GetAttr(o, name);
    Py_XDECREF(value);
    return value == Py_True;
}

/* Whether a tensor of PyTorch is more than its memory: it has a derivative, or its elements are to
 * be negated or conjugated as they are read, which DLPack does not tell. */
static bool is_lazy(PyObject *o, DLDataType dtype) {
    return asks(o, names.requires_grad, false) || asks(o, names.is_neg, true) ||
           (dtype.code == kDLComplex && asks(o, names.is_conj, true));
}

static bool join_device(struct call *c, DLDevice device) {
    if (device.device_type == kDLCUDAHost)
        device = (DLDevice){kDLCPU, 0};
    if (device.device_type != kDLCPU && device.device_type != kDLCUDA)
        return false;
    if (c->device.device_type == 0)
        c->device = device;
    return device.device_type == c->device.device_type && device.device_id == c->device.device_id;
}

/* Whether an operand is one that this file takes.  It sets no exception. */
static bool read_operand(struct call *c, PyObject *o, bool writable, struct argument *a) {
    const struct known *type = is_numpys(o) ? NULL : type_of(o);
    memset(a, 0, sizeof *a);
    if (!type)
        return is_numpys(o) && o != Py_None && read_argument(o, writable, a) == 0;
    const struct exchange *api = type->api;
    if (!api || (c->api && api != c->api) || api->tensor_of(o, &a->tensor) ||
        (type->lazy && is_lazy(o, a->tensor.dtype)))
        return false;
    if (type->owned)
        a->extents = a->tensor.shape;
    c->api = api;
    a->arg = ufc_array(&a->tensor);
    return join_device(c, a->tensor.device);
}

/* Outputs given behind the inputs, or by the only keyword. */
static bool read_outputs(struct call *c, PyObject *args, PyObject *keywords) {
    Py_ssize_t n = PyTuple_Size(args), named = keywords ? PyDict_Size(keywords) : 0;
    PyObject *out = named == 1 ? PyDict_GetItemString(keywords, "out") : NULL;
    if (n > c->nin + c->nout || named > 1 || (named == 1 && !out) || (out && n > c->nin))
        return false;
    if (out && PyTuple_Check(out) && PyTuple_Size(out) != c->nout)
        return false;
    for (int k = 0; k < c->nout; k++) {
        PyObject *given = c->nin + k < n              ? PyTuple_GetItem(args, c->nin + k)
                          : out && PyTuple_Check(out) ? PyTuple_GetItem(out, k)
                          : k == 0                    ? out
                                                      : NULL;
        struct argument *a = &c->operands[c->nin + k];
        c->out[k] = ufc_new(&c->made[k]);
        if (!given || given == Py_None)
            continue;
        if (!read_operand(c, given, true, a))
            return false;
        c->given[k] = given;
        c->out[k] = ufc_into(&a->tensor);
    }
    return true;
}

static bool read_inputs(struct call *c, PyObject *args) {
    if (PyTuple_Size(args) < c->nin)
        return false;
    for (int k = 0; k < c->nin; k++) {
        if (!read_operand(c, PyTuple_GetItem(args, k), false, &c->operands[k]))
            return false;
        c->in[k] = c->operands[k].arg;
    }
    return true;
}

/* ---- results */

static void keep_message(void *context, const char *kind, const char *message) {
    ufc_error *err = context;
    (void)snprintf(err->message, sizeof err->message, "%s: %s", kind, message);
}

/* The library makes arrays in C order: the axes are sorted by their strides for it, and put back.
 */
static ufc_status allocate(void *user, const DLTensor *prototype, DLManagedTensorVersioned **array,
                           ufc_error *err) {
    const struct call *c = user;
    int64_t shape[MAX_AXES], strides[MAX_AXES];
    int order[MAX_AXES], n = prototype->ndim;
    DLTensor asked = *prototype;
    asked.shape = shape;
    asked.strides = NULL;
    for (int i = 0; i < n; i++) {
        int at = i;
        for (; at > 0 && prototype->strides[order[at - 1]] < prototype->strides[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    for (int i = 0; i < n; i++)
        shape[i] = prototype->shape[order[i]];
    if (c->api->allocate(&asked, array, err, keep_message) || !*array)
        return UFC_ENOMEM;
    DLTensor *made = &(*array)->dl_tensor;
    if (made->ndim == n && made->strides)
        memcpy(strides, made->strides, (size_t)n * sizeof *strides);
    for (int i = 0; i < n && made->ndim == n && made->strides; i++) {
        made->shape[order[i]] = shape[i];
        made->strides[order[i]] = strides[i];
    }
    return UFC_OK;
}

static PyObject *result_of(struct call *c, int k) {
    void *array = c->given[k];
    if (array)
        Py_INCREF(array);
    else if (c->api->array_of(c->made[k], &array))
        array = NULL;
    c->made[k] = NULL; /* the array's now */
    return array;
}

static PyObject *results_of(struct call *c) {
    if (c->nout == 1)
        return result_of(c, 0);
    PyObject *tuple = PyTuple_New(c->nout);
    for (int k = 0; k < c->nout && tuple; k++) {
        PyObject *result = result_of(c, k);
        if (!result || PyTuple_SetItem(tuple, k, result))
            Py_CLEAR(tuple);
    }
    return tuple;
}

static PyObject *run(struct call *c, ufc_context *host, const ufc_ufunc *ufunc, void *stream) {
    ufc_error err = {""};
    c->keywords.allocate = allocate;
    c->keywords.user = c;
    PyThreadState *released = PyEval_SaveThread();
    ufc_status status = ufc_call_with(c->device.device_type == kDLCPU ? host : NULL, stream, ufunc,
                                      c->in, c->out, &c->keywords, &err);
    PyEval_RestoreThread(released);
    if (status == UFC_OK)
        return results_of(c);
    if (!PyErr_Occurred())
        raise_status(status, &err);
    return NULL;
}

bool exchange_call(ufc_context *host, const ufc_ufunc *ufunc, PyObject *args, PyObject *keywords,
                   PyObject **result) {
    ufc_description d = ufc_describe(ufunc);
    void *stream = NULL;
    if (d.nin + d.nout > MAX_OPERANDS)
        return false;
    struct call c;
    memset(&c, 0, offsetof(struct call, operands));
    memset(c.operands, 0, (size_t)(d.nin + d.nout) * sizeof *c.operands);
    memset(c.given, 0, sizeof c.given);
    memset(c.made, 0, sizeof c.made);
    memset(&c.device, 0, sizeof c.device);
    memset(&c.keywords, 0, sizeof c.keywords);
    c.nin = d.nin;
    c.nout = d.nout;
    bool takes = read_inputs(&c, args) && read_outputs(&c, args, keywords) && c.api &&
                 (c.device.device_type == kDLCPU ||
                  c.api->current_stream(kDLCUDA, c.device.device_id, &stream) == 0);
    PyErr_Clear(); /* ufc._dispatch tells what is wrong */
    if (takes)
        *result = run(&c, host, ufunc, stream);
    for (int k = 0; k < d.nin + d.nout; k++) {
        free_argument(&c.operands[k]);
        if (k < d.nout)
            ufc_free(c.made[k]);
    }
    return takes;
}

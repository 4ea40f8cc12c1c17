/* xla.c: calls from programs that XLA has compiled, which is what JAX runs: a handler of XLA's FFI.
 *
 * A program names a function by a key that depends on its source alone, as a program may outlive
 * the process in JAX's cache.  The handler runs without the GIL and sees no object of Python's.  It
 * is made where jaxlib's header was found, which has the ABI; elsewhere JAX calls back. */
#include <stdlib.h>
#include <string.h>

#include "ext.h"

/* ---- functions by key */

struct published {
    struct published *next;
    const ufc_ufunc *ufunc;
    char key[];
};

/* Entries are put before the others and stay: whoever reads needs no lock. */
static _Atomic(struct published *) published;

static const ufc_ufunc *find(const char *key, size_t size) {
    for (const struct published *p = atomic_load(&published); p; p = p->next)
        if (strlen(p->key) == size && memcmp(p->key, key, size) == 0)
            return p->ufunc;
    return NULL;
}

PyObject *publish_function(PyObject *module, PyObject *args) {
    struct state *state = PyModule_GetState(module);
    PyObject *function;
    const char *key;
    if (!PyArg_ParseTuple(args, "O!s", state->function, &function, &key))
        return NULL;
    size_t size = strlen(key);
    struct published *made = find(key, size) ? NULL : malloc(sizeof *made + size + 1);
    if (!made && !find(key, size))
        return PyErr_NoMemory();
    if (made) {
        Py_INCREF(function); /* XLA may call it as long as the process lives */
        made->ufunc = function_ufunc(function);
        memcpy(made->key, key, size + 1);
        made->next = atomic_load(&published);
        while (!atomic_compare_exchange_weak(&published, &made->next, made))
            continue;
    }
    Py_RETURN_NONE;
}

#if __has_include(<xla/ffi/api/c_api.h>)
#include <xla/ffi/api/c_api.h>

enum { MAX_OPERANDS = 64 };
static _Atomic(ufc_context *) host;

/* ---- what XLA passes */

static XLA_FFI_Error *fail(const XLA_FFI_CallFrame *frame, XLA_FFI_Error_Code code,
                           const char *message) {
    XLA_FFI_Error_Create_Args args = {XLA_FFI_Error_Create_Args_STRUCT_SIZE, NULL, message, code};
    return frame->api->XLA_FFI_Error_Create(&args);
}

static bool type_of(XLA_FFI_DataType from, DLDataType *to) {
    static const struct {
        XLA_FFI_DataType from;
        ufc_type to;
    } types[] = {{XLA_FFI_DataType_PRED, UFC_BOOL},      {XLA_FFI_DataType_S8, UFC_INT8},
                 {XLA_FFI_DataType_U8, UFC_UINT8},       {XLA_FFI_DataType_S16, UFC_INT16},
                 {XLA_FFI_DataType_U16, UFC_UINT16},     {XLA_FFI_DataType_S32, UFC_INT32},
                 {XLA_FFI_DataType_U32, UFC_UINT32},     {XLA_FFI_DataType_S64, UFC_INT64},
                 {XLA_FFI_DataType_U64, UFC_UINT64},     {XLA_FFI_DataType_F16, UFC_FLOAT16},
                 {XLA_FFI_DataType_BF16, UFC_BFLOAT16},  {XLA_FFI_DataType_F32, UFC_FLOAT32},
                 {XLA_FFI_DataType_F64, UFC_FLOAT64},    {XLA_FFI_DataType_C64, UFC_COMPLEX64},
                 {XLA_FFI_DataType_C128, UFC_COMPLEX128}};
    for (size_t i = 0; i < Py_ARRAY_LENGTH(types); i++)
        if (types[i].from == from) {
            *to = ufc_dltype(types[i].to);
            return true;
        }
    return false;
}

static bool read_buffer(const XLA_FFI_Buffer *b, DLDevice device, DLTensor *t) {
    *t = (DLTensor){.data = b->data, .device = device, .ndim = (int32_t)b->rank, .shape = b->dims};
    return type_of(b->dtype, &t->dtype);
}

static const void *attribute(const XLA_FFI_CallFrame *frame, const char *name,
                             XLA_FFI_AttrType type) {
    const XLA_FFI_Attrs *attrs = &frame->attrs;
    for (int64_t i = 0; i < attrs->size; i++)
        if (attrs->names[i]->len == strlen(name) &&
            memcmp(attrs->names[i]->ptr, name, strlen(name)) == 0 && attrs->types[i] == type)
            return attrs->attrs[i];
    return NULL;
}

/* An input, told by three numbers: its kind, and what a number is. */
static ufc_arg number(const int64_t *told) {
    ufc_arg arg = {(ufc_arg_kind)told[0], {NULL}};
    if (arg.kind == UFC_ARG_BOOL)
        arg.as.b = told[1] != 0;
    else if (arg.kind == UFC_ARG_COMPLEX)
        memcpy(&arg.as.c, told + 1, sizeof arg.as.c);
    else
        memcpy(&arg.as.i, told + 1, sizeof arg.as.i);
    return arg;
}

struct call {
    const ufc_ufunc *ufunc;
    ufc_description d;
    DLTensor tensors[MAX_OPERANDS], where;
    ufc_arg in[MAX_OPERANDS];
    ufc_out out[MAX_OPERANDS];
    ufc_keywords keywords;
};

/* What is wrong, or NULL. */
static const char *read_call(const XLA_FFI_CallFrame *frame, DLDevice device, struct call *c) {
    const XLA_FFI_ByteSpan *key = attribute(frame, "function", XLA_FFI_AttrType_STRING);
    const XLA_FFI_Array *inputs = attribute(frame, "inputs", XLA_FFI_AttrType_ARRAY);
    const XLA_FFI_Array *keywords = attribute(frame, "keywords", XLA_FFI_AttrType_ARRAY);
    c->ufunc = key ? find(key->ptr, key->len) : NULL;
    if (!c->ufunc)
        return "the function is not of this process: call it once, or trace it again";
    c->d = ufc_describe(c->ufunc);
    if (!inputs || !keywords || inputs->size != 3 * (size_t)c->d.nin || keywords->size != 3 ||
        c->d.nin + c->d.nout > MAX_OPERANDS || frame->rets.size != c->d.nout)
        return "the program has other operands than the function";
    int64_t next = 0;
    for (int k = 0; k < c->d.nin; k++) {
        const int64_t *told = (const int64_t *)inputs->data + 3 * k;
        c->in[k] = ufc_array(&c->tensors[k]);
        if (told[0] != UFC_ARG_ARRAY)
            c->in[k] = number(told);
        else if (next == frame->args.size ||
                 !read_buffer(frame->args.args[next++], device, &c->tensors[k]))
            return "an input has a type that ufc does not have";
    }
    for (int k = 0; k < c->d.nout; k++) {
        DLTensor *t = &c->tensors[c->d.nin + k];
        c->out[k] = ufc_into(t);
        if (!read_buffer(frame->rets.rets[k], device, t))
            return "an output has a type that ufc does not have";
    }
    const int64_t *values = keywords->data;
    if (values[2]) {
        if (next == frame->args.size || !read_buffer(frame->args.args[next], device, &c->where))
            return "the mask is missing";
        c->keywords.where = &c->where;
    }
    c->keywords.casting = (ufc_casting)values[0];
    if (values[1] >= 0)
        c->keywords.dtype = ufc_dltype((ufc_type)values[1]);
    return NULL;
}

/* ---- handlers */

static bool tells_version(XLA_FFI_CallFrame *frame) {
    XLA_FFI_Extension_Base *extension = frame->extension_start;
    if (!extension || extension->type != XLA_FFI_Extension_Metadata)
        return false;
    XLA_FFI_Metadata *to = ((XLA_FFI_Metadata_Extension *)extension)->metadata;
    to->api_version = (XLA_FFI_Api_Version){.struct_size = XLA_FFI_Api_Version_STRUCT_SIZE,
                                            .major_version = XLA_FFI_API_MAJOR,
                                            .minor_version = XLA_FFI_API_MINOR};
    to->traits = 0;
    return true;
}

static XLA_FFI_Error *run(const XLA_FFI_CallFrame *frame, DLDevice device, void *stream) {
    struct call *c = calloc(1, sizeof *c);
    ufc_error err;
    if (!c)
        return fail(frame, XLA_FFI_Error_Code_RESOURCE_EXHAUSTED, "ufc: out of memory");
    const char *wrong = read_call(frame, device, c);
    ufc_status status = UFC_OK;
    if (!wrong) {
        ufc_context *ctx = device.device_type == kDLCPU ? atomic_load(&host) : NULL;
        status = ufc_call_with(ctx, stream, c->ufunc, c->in, c->out, &c->keywords, &err);
    }
    free(c);
    if (wrong)
        return fail(frame, XLA_FFI_Error_Code_FAILED_PRECONDITION, wrong);
    return status == UFC_OK ? NULL
                            : fail(frame,
                                   status == UFC_ENOMEM ? XLA_FFI_Error_Code_RESOURCE_EXHAUSTED
                                                        : XLA_FFI_Error_Code_INVALID_ARGUMENT,
                                   err.message);
}

static XLA_FFI_Error *handle_cpu(XLA_FFI_CallFrame *frame) {
    return tells_version(frame) ? NULL : run(frame, (DLDevice){kDLCPU, 0}, NULL);
}

static XLA_FFI_Error *handle_cuda(XLA_FFI_CallFrame *frame) {
    if (tells_version(frame))
        return NULL;
    XLA_FFI_Stream_Get_Args stream = {XLA_FFI_Stream_Get_Args_STRUCT_SIZE, NULL, frame->ctx, NULL};
    XLA_FFI_Error *error = frame->api->XLA_FFI_Stream_Get(&stream);
    XLA_FFI_DeviceOrdinal_Get_Args device = {XLA_FFI_DeviceOrdinal_Get_Args_STRUCT_SIZE, NULL,
                                             frame->ctx, 0};
    if (!error && frame->api->struct_size >= XLA_FFI_Api_STRUCT_SIZE)
        error = frame->api->XLA_FFI_DeviceOrdinal_Get(&device);
    return error ? error : run(frame, (DLDevice){kDLCUDA, device.device_ordinal}, stream.stream);
}

PyObject *xla_targets(PyObject *module, PyObject *none) {
    struct state *state = PyModule_GetState(module);
    XLA_FFI_Handler *cpu = handle_cpu, *cuda = handle_cuda;
    void *cpu_pointer, *cuda_pointer;
    (void)none;
    memcpy(&cpu_pointer, &cpu, sizeof cpu);
    memcpy(&cuda_pointer, &cuda, sizeof cuda);
    atomic_store(&host, state->host);
    PyObject *capsules[] = {PyCapsule_New(cpu_pointer, NULL, NULL),
                            PyCapsule_New(cuda_pointer, NULL, NULL)};
    PyObject *dict = NULL;
    if (capsules[0] && capsules[1])
        dict = Py_BuildValue("{sOsO}", "cpu", capsules[0], "CUDA", capsules[1]);
    Py_XDECREF(capsules[0]);
    Py_XDECREF(capsules[1]);
    return dict;
}
#else
PyObject *xla_targets(PyObject *module, PyObject *none) {
    (void)module, (void)none;
    Py_RETURN_NONE;
}
#endif

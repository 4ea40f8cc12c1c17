/* module.c: the module ufc._ufc. */
#include <string.h>

#define UFC_EXT_MODULE
#include "ext.h"

void raise_status(ufc_status status, const ufc_error *err) {
    PyObject *kind = status == UFC_ENOMEM                           ? PyExc_MemoryError
                     : status == UFC_EDTYPE                         ? PyExc_TypeError
                     : status == UFC_EINVAL || status == UFC_ESHAPE ? PyExc_ValueError
                     : status == UFC_EIO                            ? PyExc_OSError
                                                                    : PyExc_RuntimeError;
    /* A long message may be cut within a character. */
    PyObject *text =
        PyUnicode_DecodeUTF8(err->message, (Py_ssize_t)strlen(err->message), "replace");
    if (text)
        PyErr_SetObject(kind, text);
    Py_XDECREF(text);
}

/* NumPy keeps its C API in one table for the process, and loops that run without the GIL find the
 * thread's state by the main interpreter. */
static int refuse_subinterpreters(void) {
    if (PyInterpreterState_GetID(PyInterpreterState_Get()) == 0)
        return 0;
    PyErr_SetString(PyExc_ImportError, "ufc cannot be imported in a subinterpreter");
    return -1;
}

struct names names;

static int make_names(void) {
    static const struct {
        PyObject **name;
        const char *text;
    } all[] = {
        {&names.out, "out"},       {&names.where, "where"},
        {&names.stream, "stream"}, {&names.requires_grad, "requires_grad"},
        {&names.is_neg, "is_neg"}, {&names.is_conj, "is_conj"},
        {&names.data, "data"},     {&names.dtype, "dtype"},
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(all); i++)
        if (!*all[i].name && !(*all[i].name = PyUnicode_InternFromString(all[i].text)))
            return -1;
    return 0;
}

static int add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **type) {
    *type = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, NULL);
    return *type ? PyModule_AddType(module, *type) : -1;
}

static int module_exec(PyObject *module) {
    struct state *state = PyModule_GetState(module);
    ufc_error err;
    if (refuse_subinterpreters() || _import_array() < 0 || _import_umath() < 0 || make_names())
        return -1;
    ufc_status status = ufc_context_new(&state->host, "cpu", 0, &err);
    if (status != UFC_OK) {
        raise_status(status, &err);
        return -1;
    }
    if (add_type(module, &program_spec, &state->program) ||
        add_type(module, &function_spec, &state->function))
        return -1;
    return PyModule_AddStringConstant(module, "version", UFC_VERSION);
}

static int module_traverse(PyObject *module, visitproc visit, void *arg) {
    struct state *state = PyModule_GetState(module);
    if (state) {
        Py_VISIT(state->program);
        Py_VISIT(state->function);
    }
    return 0;
}

static int module_clear(PyObject *module) {
    struct state *state = PyModule_GetState(module);
    if (state) {
        Py_CLEAR(state->program);
        Py_CLEAR(state->function);
    }
    return 0;
}

static void module_free(void *module) {
    struct state *state = PyModule_GetState(module);
    (void)module_clear(module);
    for (size_t i = 0; state && i < Py_ARRAY_LENGTH(state->gpus); i++)
        ufc_context_free(state->gpus[i]);
    if (state)
        ufc_context_free(state->host);
}

static PyMethodDef methods[] = {
    {"compile", program_compile, METH_VARARGS, NULL},
    {"emit", program_emit, METH_VARARGS, NULL},
    {"call", call_arrays, METH_VARARGS, NULL},
    {"method", call_method, METH_VARARGS, NULL},
    {"explain", explain_arrays, METH_VARARGS, NULL},
    {"array", array_of, METH_O, NULL},
    {"unversioned", unversioned_capsule, METH_O, NULL},
    {"on_device", device_capsule, METH_VARARGS, NULL},
    {"order", order_streams, METH_VARARGS, NULL},
    {"profile", profile_calls, METH_VARARGS, NULL},
    {"find_libdevice", find_libdevice, METH_NOARGS, NULL},
    {"publish", publish_function, METH_VARARGS, NULL},
    {"xla_targets", xla_targets, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, module_exec},
#ifdef Py_GIL_DISABLED
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,   .m_name = "ufc._ufc",  .m_size = sizeof(struct state),
    .m_methods = methods,    .m_slots = slots,      .m_traverse = module_traverse,
    .m_clear = module_clear, .m_free = module_free,
};

PyMODINIT_FUNC PyInit__ufc(void);
PyMODINIT_FUNC PyInit__ufc(void) {
    return PyModuleDef_Init(&definition);
}

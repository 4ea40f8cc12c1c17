/* function.c: Function: what is called.
 *
 * NumPy's arrays and numbers go to the function's np.ufunc at once; calls with other arguments to
 * ufc._dispatch. */
#include <string.h>

#include "ext.h"

typedef struct {
    PyObject base;
    Program *program;
    const ufc_ufunc *ufunc;
    PyObject *numpy;            /* the np.ufunc */
    PyObject *dispatch, *retry; /* call and retry of ufc._dispatch */
    bool own;                   /* NumPy cannot call it */
    bool gufunc;
    int nin;
} Function;

const ufc_ufunc *function_ufunc(PyObject *self) {
    return ((Function *)self)->ufunc;
}

/* ---- calls */

bool is_numpys(PyObject *o) {
    return PyArray_CheckExact(o) || PyFloat_CheckExact(o) || PyLong_CheckExact(o) || o == Py_None ||
           PyArray_CheckScalar(o) || PyBool_Check(o) || PyComplex_CheckExact(o);
}

static bool are_numpys(PyObject *tuple) {
    Py_ssize_t n = PyTuple_Size(tuple);
    bool all = true;
    for (Py_ssize_t i = 0; i < n && all; i++)
        all = is_numpys(PyTuple_GetItem(tuple, i));
    return all;
}

/* Whether a keyword is one of `names`: a call's keywords are mostly that very str. */
static bool is_keyword(PyObject *name, PyObject *kept, const char *text) {
    return name == kept || PyUnicode_CompareWithASCIIString(name, text) == 0;
}

/* Whether NumPy's ufunc is to be called with a keyword. */
static bool is_numpys_keyword(const Function *self, PyObject *name, PyObject *value) {
    if (is_keyword(name, names.out, "out")) {
        bool tuple = PyTuple_Check(value);
        return !self->gufunc && (tuple ? are_numpys(value) : is_numpys(value));
    }
    if (is_keyword(name, names.where, "where"))
        return is_numpys(value);
    return !is_keyword(name, names.stream, "stream");
}

/* Calls a function of ufc._dispatch; error is passed behind the rest, unless NULL. */
static PyObject *call_back(Function *self, PyObject *callback, PyObject *args, PyObject *keywords,
                           PyObject *error) {
    PyObject *none = keywords ? NULL : PyDict_New(), *result = NULL;
    if (keywords || none)
        result = PyObject_CallFunctionObjArgs(callback, (PyObject *)self, args,
                                              keywords ? keywords : none, error, NULL);
    Py_XDECREF(none);
    return result;
}

/* Whether ufc._dispatch knows more of the exception that is set. */
static bool tells_more(const Function *self) {
    return PyErr_ExceptionMatches(PyExc_TypeError) ||
           (self->program->checks && PyErr_ExceptionMatches(PyExc_ValueError));
}

static PyObject *function_call(Function *self, PyObject *args, PyObject *keywords) {
    PyObject *name, *value;
    Py_ssize_t at = 0;
    bool numpys = !self->own && are_numpys(args);
    while (numpys && keywords && PyDict_Next(keywords, &at, &name, &value))
        numpys = is_numpys_keyword(self, name, value);
    /* Of a gufunc a given output keeps what is not written. */
    numpys = numpys && !(self->gufunc && PyTuple_Size(args) > self->nin);
    PyObject *result;
    if (!numpys) {
        struct state *state = PyType_GetModuleState(Py_TYPE((PyObject *)self->program));
        if (exchange_call(state->host, self->ufunc, args, keywords, &result))
            return result;
        return call_back(self, self->dispatch, args, keywords, NULL);
    }
    result = PyObject_Call(self->numpy, args, keywords);
    if (result || !tells_more(self))
        return result;
    PyObject *type, *refusal, *traceback;
    PyErr_Fetch(&type, &refusal, &traceback);
    PyErr_NormalizeException(&type, &refusal, &traceback);
    if (refusal)
        result = call_back(self, self->retry, args, keywords, refusal);
    Py_XDECREF(type);
    Py_XDECREF(refusal);
    Py_XDECREF(traceback);
    return result;
}

/* ---- the type */

static PyObject *function_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    static char *keys[] = {"program", "name", "dispatch", "retry", NULL};
    PyObject *program, *dispatch, *retry;
    const char *name;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "OsOO", keys, &program, &name, &dispatch,
                                     &retry))
        return NULL;
    if (!is_program(program)) {
        PyErr_SetString(PyExc_TypeError, "program must be a Program");
        return NULL;
    }
    const ufc_ufunc *ufunc = ufcc_function(((Program *)program)->program, name);
    if (!ufunc)
        return PyErr_Format(PyExc_AttributeError, "there is no function '%s'", name);
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    Function *self = (Function *)alloc(type, 0);
    if (!self)
        return NULL;
    Py_INCREF(program);
    Py_INCREF(dispatch);
    Py_INCREF(retry);
    self->program = (Program *)program;
    self->dispatch = dispatch;
    self->retry = retry;
    self->ufunc = ufunc;
    self->gufunc = ufc_describe(ufunc).core != NULL;
    self->nin = ufc_describe(ufunc).nin;
    self->numpy = make_ufunc(self->program, ufunc);
    if (self->numpy)
        self->own = lacks_dimensions(self->numpy);
    else
        Py_CLEAR(self);
    return (PyObject *)self;
}

static void function_dealloc(Function *self) {
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    Py_XDECREF(self->numpy);
    Py_XDECREF(self->dispatch);
    Py_XDECREF(self->retry);
    Py_XDECREF((PyObject *)self->program);
    release(self);
    Py_DECREF(type);
}

static PyObject *text_or_none(const char *text) {
    if (!text)
        Py_RETURN_NONE;
    return PyUnicode_FromString(text);
}

static PyObject *get_name(Function *self, void *closure) {
    (void)closure;
    return PyUnicode_FromString(ufc_describe(self->ufunc).name);
}

static PyObject *get_comment(Function *self, void *closure) {
    (void)closure;
    return text_or_none(ufc_describe(self->ufunc).doc);
}

static PyObject *get_core(Function *self, void *closure) {
    (void)closure;
    return text_or_none(ufc_describe(self->ufunc).core);
}

static PyObject *get_number(Function *self, void *closure) {
    ufc_description d = ufc_describe(self->ufunc);
    const char *which = closure;
    return PyLong_FromLong(*which == 'i' ? d.nin : *which == 'o' ? d.nout : d.nin + d.nout);
}

static PyObject *get_operands(Function *self, void *closure) {
    ufc_description d = ufc_describe(self->ufunc);
    PyObject *tuple = PyTuple_New(d.nin + d.nout);
    (void)closure;
    for (int k = 0; k < d.nin + d.nout && tuple; k++) {
        PyObject *name = PyUnicode_FromString(d.operands[k]);
        if (!name || PyTuple_SetItem(tuple, k, name))
            Py_CLEAR(tuple);
    }
    return tuple;
}

static PyObject *get_overloads(Function *self, void *closure) {
    int n = ufc_describe(self->ufunc).noverloads;
    PyObject *tuple = PyTuple_New(n);
    (void)closure;
    for (int i = 0; i < n && tuple; i++) {
        PyObject *text = PyUnicode_FromString(ufc_signature(self->ufunc, i));
        if (!text || PyTuple_SetItem(tuple, i, text))
            Py_CLEAR(tuple);
    }
    return tuple;
}

static PyObject *get_own(Function *self, void *closure) {
    (void)closure;
    return PyBool_FromLong(self->own);
}

static PyObject *get_checks(Function *self, void *closure) {
    (void)closure;
    return PyBool_FromLong(self->program->checks);
}

static PyGetSetDef function_getset[] = {
    {"__name__", (getter)get_name, NULL, NULL, NULL},
    {"comment", (getter)get_comment, NULL, "its comment in the source, or None", NULL},
    {"signature", (getter)get_core, NULL, "a gufunc's core dimensions, or None", NULL},
    {"nin", (getter)get_number, NULL, "how many inputs it has", "i"},
    {"nout", (getter)get_number, NULL, "how many outputs it has", "o"},
    {"nargs", (getter)get_number, NULL, "how many operands it has", "a"},
    {"operands", (getter)get_operands, NULL, "names of its inputs, then of its outputs", NULL},
    {"overloads", (getter)get_overloads, NULL, "its overloads' types, in the order of the choice",
     NULL},
    {"own", (getter)get_own, NULL, "whether this version of NumPy cannot call its np.ufunc", NULL},
    {"checks", (getter)get_checks, NULL, "whether its subscripts are tested", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMemberDef function_members[] = {
    {"program", T_OBJECT, offsetof(Function, program), READONLY, "what it is a function of"},
    {"numpy", T_OBJECT, offsetof(Function, numpy), READONLY, "the np.ufunc"},
    {NULL, 0, 0, 0, NULL},
};

static PyType_Slot function_slots[] = {
    {Py_tp_doc, "A function of a program, which is called with arrays."},
    {Py_tp_new, function_new},
    {Py_tp_dealloc, function_dealloc},
    {Py_tp_call, function_call},
    {Py_tp_getset, function_getset},
    {Py_tp_members, function_members},
    {0, NULL},
};

PyType_Spec function_spec = {
    .name = "ufc._ufc.Function",
    .basicsize = sizeof(Function),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = function_slots,
};

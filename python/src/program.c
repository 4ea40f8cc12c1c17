/* program.c: Program: a source that was compiled and loaded. */
#include <stdlib.h>
#include <string.h>

#include "ext.h"

/* ---- diagnostics
 *
 * The compiler runs without the GIL, and so its callback cannot make objects: it copies what it is
 * told, of which a list is made afterwards.  What the callback is told later, by code that is made
 * when it is needed, is a failed call's own exception, and is dropped. */

struct diagnostic {
    struct diagnostic *next;
    ufcc_diagnostic d;
    size_t message, warning, file, source; /* offsets in text; of those that are not NULL */
    char text[];
};

struct diagnostics {
    PyThread_type_lock lock; /* over the others */
    struct diagnostic *first, **last;
    int open, lost;
};

static size_t put(char *text, size_t *used, const char *s, size_t size) {
    size_t at = *used;
    if (s) {
        memcpy(text + at, s, size);
        text[at + size] = '\0';
        *used += size + 1;
    }
    return at;
}

static size_t length(const char *s) {
    return s ? strlen(s) : 0;
}

static void keep_diagnostic(void *user, const ufcc_diagnostic *d) {
    struct diagnostics *to = user;
    size_t used = 0, message = length(d->message), warning = length(d->warning),
           file = length(d->file), source = d->source ? d->source_size : 0;
    struct diagnostic *kept = malloc(sizeof *kept + message + warning + file + source + 4);
    PyThread_acquire_lock(to->lock, WAIT_LOCK);
    if (!kept || !to->open) {
        to->lost |= !kept;
        free(kept);
        PyThread_release_lock(to->lock);
        return;
    }
    kept->next = NULL;
    kept->d = *d;
    kept->message = put(kept->text, &used, d->message, message);
    kept->warning = put(kept->text, &used, d->warning, warning);
    kept->file = put(kept->text, &used, d->file, file);
    kept->source = put(kept->text, &used, d->source, source);
    *to->last = kept;
    to->last = &kept->next;
    PyThread_release_lock(to->lock);
}

static struct diagnostics *diagnostics_new(void) {
    struct diagnostics *made = calloc(1, sizeof *made);
    if (made)
        made->lock = PyThread_allocate_lock();
    if (!made || !made->lock) {
        free(made);
        PyErr_NoMemory();
        return NULL;
    }
    made->last = &made->first;
    made->open = 1;
    return made;
}

static void diagnostics_free(struct diagnostics *d) {
    if (!d)
        return;
    for (struct diagnostic *next; d->first; d->first = next) {
        next = d->first->next;
        free(d->first);
    }
    PyThread_free_lock(d->lock);
    free(d);
}

/* Source text as a str: it may be anything. */
static PyObject *text_or_none(const char *s, const char *text) {
    if (!s)
        Py_RETURN_NONE;
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

static PyObject *diagnostic_tuple(const struct diagnostic *kept) {
    static const char *const severities[] = {
        [UFCC_ERROR] = "error", [UFCC_WARNING] = "warning", [UFCC_NOTE] = "note"};
    const ufcc_diagnostic *d = &kept->d;
    PyObject *message = text_or_none(d->message, kept->text + kept->message);
    PyObject *warning = text_or_none(d->warning, kept->text + kept->warning);
    PyObject *file = text_or_none(d->file, kept->text + kept->file);
    PyObject *source = text_or_none(d->source, kept->text + kept->source);
    PyObject *tuple = NULL;
    if (message && warning && file && source)
        tuple = Py_BuildValue("(sOOOiiiiO)", severities[d->severity], message, warning, file,
                              d->line, d->column, d->end_line, d->end_column, source);
    Py_XDECREF(message);
    Py_XDECREF(warning);
    Py_XDECREF(file);
    Py_XDECREF(source);
    return tuple;
}

/* What was told so far, as a list; later diagnostics are dropped. */
static PyObject *diagnostics_close(struct diagnostics *d) {
    PyThread_acquire_lock(d->lock, WAIT_LOCK);
    d->open = 0;
    PyThread_release_lock(d->lock);
    if (d->lost)
        return PyErr_NoMemory();
    PyObject *list = PyList_New(0);
    for (struct diagnostic *kept = d->first; kept && list; kept = kept->next) {
        PyObject *tuple = diagnostic_tuple(kept);
        if (!tuple || PyList_Append(list, tuple))
            Py_CLEAR(list);
        Py_XDECREF(tuple);
    }
    return list;
}

/* ---- options */

/* A list of str as an array of C strings, which live as long as the list; to be freed with
 * PyMem_Free. */
static const char **read_strings(PyObject *list, int *n) {
    Py_ssize_t size = PySequence_Size(list);
    const char **strings = size < 0 ? NULL : PyMem_Malloc(((size_t)size + 1) * sizeof *strings);
    if (!strings)
        return size < 0 ? NULL : (const char **)PyErr_NoMemory();
    *n = (int)size;
    for (Py_ssize_t i = 0; i < size; i++) {
        strings[i] = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(list, i), NULL);
        if (!strings[i]) {
            PyMem_Free(strings);
            return NULL;
        }
    }
    return strings;
}

/* A list of pairs of a str and bytes as files, likewise. */
static ufcc_file *read_files(PyObject *list, int *n) {
    Py_ssize_t size = PySequence_Size(list);
    ufcc_file *files = PyMem_Malloc(((size_t)size + 1) * sizeof *files);
    if (!files)
        return (ufcc_file *)PyErr_NoMemory();
    *n = (int)size;
    for (Py_ssize_t i = 0; i < size; i++) {
        char *name, *text;
        Py_ssize_t length = 0;
        if (!PyArg_ParseTuple(PyTuple_GetItem(list, i), "sy#", &name, &text, &length)) {
            PyMem_Free(files);
            return NULL;
        }
        files[i] = (ufcc_file){name, text, (size_t)length};
    }
    return files;
}

/* compile's arguments, as Python has them. */
struct source {
    const char *name, *text;
    Py_ssize_t size;
    PyObject *warnings, *files; /* tuples */
    ufcc_options options;
};

static int read_source(PyObject *args, struct source *s) {
    int targets, fp_contract, ftz, fast_math, line_info, check, strict;
    ufcc_options *o = &s->options;
    memset(s, 0, sizeof *s);
    if (!PyArg_ParseTuple(args, "ss#izzzppppppO!O!", &s->name, &s->text, &s->size, &targets,
                          &o->only, &o->cache, &o->libdevice, &fp_contract, &ftz, &fast_math,
                          &line_info, &check, &strict, &PyTuple_Type, &s->warnings, &PyTuple_Type,
                          &s->files))
        return -1;
    o->targets = (unsigned)targets;
    o->native = true;
    o->fp_contract = fp_contract;
    o->ftz = ftz;
    o->fast_math = fast_math;
    o->line_info = line_info;
    o->check = check;
    o->warnings_are_errors = strict;
    return 0;
}

/* Compiles without the GIL.  *program is NULL after errors, which are in *to. */
static int compile_source(struct source *s, struct diagnostics *to, ufcc_program **program) {
    const char **warnings = read_strings(s->warnings, &s->options.nwarnings);
    ufcc_file *files = warnings ? read_files(s->files, &s->options.nfiles) : NULL;
    if (!files) {
        PyMem_Free(warnings);
        return -1;
    }
    s->options.warnings = warnings;
    s->options.files = files;
    s->options.diagnostic = keep_diagnostic;
    s->options.user = to;
    PyThreadState *released = PyEval_SaveThread();
    *program = ufcc_compile(s->name, s->text, (size_t)s->size, &s->options);
    PyEval_RestoreThread(released);
    PyMem_Free(warnings);
    PyMem_Free(files);
    return 0;
}

/* ---- Program */

PyObject *program_compile(PyObject *module, PyObject *args) {
    struct state *state = PyModule_GetState(module);
    struct source source;
    if (read_source(args, &source))
        return NULL;
    Program *self = PyObject_New(Program, state->program);
    if (!self)
        return NULL;
    self->program = NULL;
    self->weakrefs = NULL;
    self->checks = source.options.check;
    self->diagnostics = diagnostics_new();
    PyObject *list = NULL, *result = NULL;
    if (!self->diagnostics || compile_source(&source, self->diagnostics, &self->program))
        goto end;
    bool loaded = false;
    if (self->program) {
        PyThreadState *released = PyEval_SaveThread();
        loaded = ufcc_load(self->program);
        PyEval_RestoreThread(released);
    }
    list = diagnostics_close(self->diagnostics);
    if (list)
        result = PyTuple_Pack(2, loaded ? (PyObject *)self : Py_None, list);
end:
    Py_XDECREF(list);
    Py_DECREF(self);
    return result;
}

PyObject *program_emit(PyObject *module, PyObject *args) {
    static const struct {
        const char *name;
        ufcc_output output;
    } outputs[] = {{"ptx", UFCC_PTX}, {"llvm", UFCC_LLVM}, {"asm", UFCC_ASM}};
    struct source source;
    const char *kind;
    PyObject *options, *result = NULL, *list = NULL;
    ufcc_program *program = NULL;
    char *data = NULL;
    size_t size = 0, i = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "sO!", &kind, &PyTuple_Type, &options) ||
        read_source(options, &source))
        return NULL;
    while (i < Py_ARRAY_LENGTH(outputs) && strcmp(kind, outputs[i].name) != 0)
        i++;
    if (i == Py_ARRAY_LENGTH(outputs)) {
        PyErr_Format(PyExc_ValueError, "'%s' is none of 'ptx', 'llvm' and 'asm'", kind);
        return NULL;
    }
    struct diagnostics *diagnostics = diagnostics_new();
    if (!diagnostics || compile_source(&source, diagnostics, &program))
        goto end;
    bool made = false;
    if (program) {
        PyThreadState *released = PyEval_SaveThread();
        made = ufcc_emit(program, outputs[i].output, &data, &size);
        PyEval_RestoreThread(released);
    }
    list = diagnostics_close(diagnostics);
    PyObject *text = !list  ? NULL
                     : made ? PyUnicode_DecodeUTF8(data, (Py_ssize_t)size, "replace")
                            : (Py_INCREF(Py_None), Py_None);
    if (text)
        result = PyTuple_Pack(2, text, list);
    Py_XDECREF(text);
end:
    Py_XDECREF(list);
    free(data);
    ufcc_free(program);
    diagnostics_free(diagnostics);
    return result;
}

PyObject *find_libdevice(PyObject *module, PyObject *none) {
    char *path = ufcc_find_libdevice();
    (void)module;
    (void)none;
    if (!path)
        Py_RETURN_NONE;
    PyObject *found = PyUnicode_DecodeFSDefault(path);
    free(path);
    return found;
}

static void program_dealloc(Program *self) {
    PyTypeObject *type = Py_TYPE(self);
    if (self->weakrefs)
        PyObject_ClearWeakRefs((PyObject *)self);
    ufcc_free(self->program);
    diagnostics_free(self->diagnostics);
    PyObject_Free(self);
    Py_DECREF(type);
}

bool is_program(PyObject *o) {
    return PyType_GetSlot(Py_TYPE(o), Py_tp_dealloc) == (void *)program_dealloc;
}

/* Names that come one by one. */
typedef PyObject *nth_fn(const ufcc_program *program, int i);

static PyObject *tuple_of(const Program *self, nth_fn *nth) {
    PyObject *list = PyList_New(0), *tuple = NULL;
    for (int i = 0; list; i++) {
        PyObject *name = nth(self->program, i);
        if (!name)
            break;
        if (PyList_Append(list, name))
            Py_CLEAR(list);
        Py_DECREF(name);
    }
    if (list && !PyErr_Occurred())
        tuple = PyList_AsTuple(list);
    Py_XDECREF(list);
    return tuple;
}

static PyObject *nth_name(const ufcc_program *program, int i) {
    const char *name = ufcc_function_name(program, i);
    return name ? PyUnicode_FromString(name) : NULL;
}

static PyObject *nth_declaration(const ufcc_program *program, int i) {
    if (!ufcc_function_name(program, i))
        return NULL;
    char *declaration = ufcc_function_declaration(program, i);
    PyObject *text = declaration ? PyUnicode_FromString(declaration) : PyErr_NoMemory();
    free(declaration);
    return text;
}

static PyObject *program_names(Program *self, void *closure) {
    (void)closure;
    return tuple_of(self, nth_name);
}

static PyObject *program_declarations(Program *self, void *closure) {
    (void)closure;
    return tuple_of(self, nth_declaration);
}

static PyObject *nth_import(const ufcc_program *program, int i) {
    size_t size;
    const char *name = ufcc_file_name(program, i + 1);
    const char *text = ufcc_file_text(program, i + 1, &size);
    PyObject *decoded =
        name ? PyUnicode_DecodeUTF8(name, (Py_ssize_t)strlen(name), "replace") : NULL;
    return decoded ? Py_BuildValue("(Ny#)", decoded, text, (Py_ssize_t)size) : NULL;
}

static PyObject *program_imports(Program *self, void *closure) {
    (void)closure;
    return tuple_of(self, nth_import);
}

static PyGetSetDef program_getset[] = {
    {"names", (getter)program_names, NULL, "names of its functions, in the order of the source",
     NULL},
    {"declarations", (getter)program_declarations, NULL, "their declarations, without bodies",
     NULL},
    {"imports", (getter)program_imports, NULL, "names and texts of the files that it imports",
     NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMemberDef program_members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(Program, weakrefs), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyType_Slot program_slots[] = {
    {Py_tp_doc, "A source that was compiled and loaded; compile makes it."},
    {Py_tp_dealloc, program_dealloc},
    {Py_tp_getset, program_getset},
    {Py_tp_members, program_members},
    {0, NULL},
};

PyType_Spec program_spec = {
    .name = "ufc._ufc.Program",
    .basicsize = sizeof(Program),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = program_slots,
};

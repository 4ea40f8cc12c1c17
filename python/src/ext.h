/* ext.h: ufc._ufc, the extension module below the Python of the package: what its files share.
 *
 *   module.c    the module: its types, and compile
 *   program.c   Program: a source that was compiled and loaded
 *   ufunc.c     a function of a program as an np.ufunc
 *   function.c  Function: an object that calls that np.ufunc, or ufc_call for arrays of others
 *   argument.c  Python's arrays and numbers as arguments of ufc_call
 *   call.c      ufc_call; call.h has what the next two share with it
 *   method.c    reduce, accumulate, reduceat, at
 *   explain.c   ufc_explain
 *   stream.c    the order of streams, ufc_profile
 *   xla.c       calls from programs of JAX
 *   exchange.c  calls with arrays of PyTorch and CuPy, without Python code
 *   cupy.c      CuPy's side of it
 *
 * It sees Python's limited API, NumPy's C API, XLA's where it is found, ufc.h and ufcc.h. Functions
 * that return an object give a new reference, or NULL with an exception set; those that return int
 * give 0, or -1 with an exception set.
 *
 * Builds of Python without the GIL run it in many threads at once: what they share is made when the
 * module is imported and stays, or is put in its place by one atomic operation. */
#ifndef UFC_EXT_H
#define UFC_EXT_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdatomic.h>
#include <structmember.h>

#define NPY_2_0_API_VERSION    0x00000012
#define NPY_NO_DEPRECATED_API  NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION     NPY_2_0_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL ufc_numpy_api
#define PY_UFUNC_UNIQUE_SYMBOL ufc_numpy_ufunc_api
#ifndef UFC_EXT_MODULE
#define NO_IMPORT_ARRAY
#define NO_IMPORT_UFUNC
#endif
#include <numpy/arrayobject.h>
#include <numpy/ufuncobject.h>

#include "ufc.h"
#include "ufcc.h"

/* module.c */
/* The module's own. */
struct state {
    PyTypeObject *program, *function;
    ufc_context *host;               /* of calls on arrays in the host's memory */
    _Atomic(ufc_context *) gpus[16]; /* of streams' order; those that were asked for */
};
/* Interned strings, of keywords and attributes that calls ask for. */
struct names {
    PyObject *out, *where, *stream;
    PyObject *requires_grad, *is_neg, *is_conj;
    PyObject *data, *dtype;
};
extern struct names names;
/* Sets the exception that a status stands for. */
void raise_status(ufc_status status, const ufc_error *err);

/* program.c */
typedef struct {
    PyObject base;
    ufcc_program *program;
    struct diagnostics *diagnostics; /* of the callback that the program has */
    bool checks;                     /* it was compiled with check */
    PyObject *weakrefs;
} Program;
extern PyType_Spec program_spec;
bool is_program(PyObject *o);
/* Functions of the module; _ufc.pyi says what they take. */
PyObject *program_compile(PyObject *module, PyObject *args);
PyObject *program_emit(PyObject *module, PyObject *args);
PyObject *find_libdevice(PyObject *module, PyObject *none);

/* ufunc.c */
/* The np.ufunc of a function of the program, which it keeps alive. */
PyObject *make_ufunc(Program *program, const ufc_ufunc *ufunc);
/* Whether it has core dimensions that this version of NumPy does not let it compute. */
bool lacks_dimensions(PyObject *made);
/* NumPy's number of a type; -1 without an exception: it is not known here, as bfloat16 is not
 * without ml_dtypes. */
int numpy_type(ufc_type type);

/* function.c */
extern PyType_Spec function_spec;
const ufc_ufunc *function_ufunc(PyObject *self);
/* Whether an object is NumPy's array or scalar, a number or None. */
bool is_numpys(PyObject *o);

/* argument.c */
/* An argument of ufc_call that a Python object stands for. */
struct argument {
    ufc_arg arg;
    DLTensor tensor;
    PyObject *owner;  /* of the tensor's memory; owned */
    int64_t *extents; /* of the tensor; owned */
};
/* Reads an array of NumPy, a number, a capsule of DLPack, or what NumPy makes an array of.
 * writable: it is written into, and so must be an array. */
int read_argument(PyObject *o, bool writable, struct argument *argument);
void free_argument(struct argument *argument);
/* The argument's array as a tensor that owns it from here on, after a failure too. */
DLManagedTensorVersioned *managed_argument(struct argument *argument);
PyObject *managed_owner(const DLManagedTensorVersioned *tensor); /* borrowed */
/* ufc's type of a NumPy type; false: it has none. */
bool type_of_descr(const PyArray_Descr *descr, ufc_type *type);
/* A function of the module; _ufc.pyi says what it takes. */
PyObject *device_capsule(PyObject *module, PyObject *args);

/* exchange.c */
/* Calls a ufunc if all arrays are one library's that has DLPack's exchange API, NumPy's beside
 * them: then gives true, and *result is as of functions that return an object.  host: its context.
 */
bool exchange_call(ufc_context *host, const ufc_ufunc *ufunc, PyObject *args, PyObject *keywords,
                   PyObject **result);

/* xla.c */
/* Functions of the module; _ufc.pyi says what they take. */
PyObject *publish_function(PyObject *module, PyObject *args);
PyObject *xla_targets(PyObject *module, PyObject *none);

/* call.c */
/* Functions of the module; _ufc.pyi says what they take. */
PyObject *call_arrays(PyObject *module, PyObject *args);
PyObject *array_of(PyObject *module, PyObject *capsule);
PyObject *unversioned_capsule(PyObject *module, PyObject *capsule);
/* A capsule that owns the tensor, after a failure too. */
PyObject *tensor_capsule(DLManagedTensorVersioned *tensor);

/* stream.c */
/* Functions of the module; _ufc.pyi says what they take. */
PyObject *order_streams(PyObject *module, PyObject *args);
PyObject *profile_calls(PyObject *module, PyObject *args);

/* method.c, explain.c */
/* Functions of the module; _ufc.pyi says what they take. */
PyObject *call_method(PyObject *module, PyObject *args);
PyObject *explain_arrays(PyObject *module, PyObject *args);

#endif

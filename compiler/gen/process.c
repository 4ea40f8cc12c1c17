/* process.c: LLVM in this process: its failures, forks, and what is started once. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>

#include "gen/llvm.h"

/* ---- fatal errors: no memory, and errors that LLVM has no other way to report
 *
 * LLVM's handlers must not return, so they leave its stack frames by longjmp, as its own
 * CrashRecoveryContext does.  Those frames may hold locks or be half-way through an initialisation
 * that is done once a process, so LLVM is not entered again. */

/* From llvm/Support/ErrorHandling.h: LLVM's C interface has only the handler of fatal errors. */
typedef void failure_handler(void *user, const char *why, bool crash);
extern void install_bad_alloc_handler(failure_handler *handler, void *user) __asm__(
    "_ZN4llvm31install_bad_alloc_error_handlerEPFvPvPKcbES0_");
extern void remove_bad_alloc_handler(void) __asm__("_ZN4llvm30remove_bad_alloc_error_handlerEv");
extern void report_bad_alloc(const char *why,
                             bool crash) __asm__("_ZN4llvm22report_bad_alloc_errorEPKcb");
/* C++'s std::set_new_handler.  The handler that LLVM itself would install ends the program where a
 * `new` fails. */
typedef void new_handler(void);
extern new_handler *set_new_handler(new_handler *handler) __asm__("_ZSt15set_new_handlerPFvvE");

static atomic_bool is_lost;
static _Thread_local struct uc *working; /* whose code this thread generates, or NULL */

void llvm_give_up(const char *why) {
    struct uc *uc = working;
    atomic_store(&is_lost, true);
    snprintf(uc->llvm_failure, sizeof uc->llvm_failure, "%s", why);
    longjmp(*uc->no_memory, LLVM_FAILED);
}

/* A program linked with libufcc.a may use LLVM and C++ itself: its own failures take their usual
 * way. */
static void on_no_memory(void *user, const char *why, bool crash) {
    (void)user;
    if (working != NULL)
        llvm_give_up("out of memory");
    remove_bad_alloc_handler();
    report_bad_alloc(why, crash);
}

static void on_fatal_error(const char *why) {
    if (working != NULL)
        llvm_give_up(why);
}

static _Atomic(new_handler *) program_handler; /* the one before on_failed_new */

/* Memory that is freed where a `new` first fails, so that it need not fail: it may be under one of
 * LLVM's locks, which another thread waits for. */
static _Atomic(void *) reserve;
enum { RESERVE = 1 << 20 };

static void keep_reserve(void) {
    void *memory = atomic_load(&reserve) ? NULL : malloc(RESERVE), *none = NULL;
    if (memory != NULL && !atomic_compare_exchange_strong(&reserve, &none, memory))
        free(memory);
}

static bool free_reserve(void) {
    void *memory = atomic_exchange(&reserve, NULL);
    free(memory);
    return memory != NULL;
}

__attribute__((destructor)) static void drop_reserve(void) {
    (void)free_reserve();
}

/* `new` tries again when this returns. */
static void on_failed_new(void) {
    if (working != NULL && free_reserve())
        return;
    if (working != NULL)
        llvm_give_up("out of memory");
    set_new_handler(atomic_load(&program_handler)); /* `new` calls it next; NULL: it throws */
}

static void install_handlers(void) {
    LLVMInstallFatalErrorHandler(on_fatal_error);
    install_bad_alloc_handler(on_no_memory, NULL);
}

const char llvm_lost[] = "this process can generate no more code, since it failed before, or since "
                         "the process was forked "
                         "while another thread generated some; start another one";

static atomic_int generating; /* threads between llvm_begin and llvm_end */

/* A child has no thread but the one that forked, and the locks that others held stay locked. */
static void lose_in_child(void) {
    if (atomic_load(&generating) > 0)
        atomic_store(&is_lost, true);
}

static void watch_forks(void) {
    pthread_atfork(NULL, NULL, lose_in_child);
}

bool llvm_begin(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    if (atomic_load(&is_lost))
        return false;
    atomic_fetch_add(&generating, 1);
    return true;
}

void llvm_end(void) {
    atomic_fetch_sub(&generating, 1);
}

struct uc *llvm_works_for(struct uc *uc) {
    struct uc *before = working;
    working = uc;
    return before;
}

/* ---- what LLVM keeps for the whole process
 *
 * Targets, and the passes that generating code registers, are behind locks.  One thread registers
 * them all before others come to use them: if it failed among others, those would wait for its
 * locks for ever. */

/* Gives what starting jumped with, or 0. */
static int try_start(struct uc *uc, const struct llvm_part *p) {
    jmp_buf *outer = uc->no_memory, failed;
    uc->no_memory = &failed;
    int jump = setjmp(failed);
    if (jump == 0)
        p->start(uc);
    uc->no_memory = outer;
    return jump;
}

void llvm_start(struct uc *uc, struct llvm_part *p) {
    int jump = 0;
    pthread_mutex_lock(&p->lock);
    bool begins = !p->is_started && !atomic_load(&is_lost);
    if (begins)
        jump = try_start(uc, p);
    p->is_started = p->is_started || (begins && jump == 0);
    bool is_started = p->is_started;
    pthread_mutex_unlock(&p->lock);
    if (jump != 0)
        longjmp(*uc->no_memory, jump);
    if (!is_started)
        llvm_give_up("it failed on another thread");
}

/* Loop strength reduction takes a sixth of the time of host code, and makes a variable of each form
 * of address that a loop has, of which some are spilled: without it code is a tenth shorter.  Only
 * an option of the process leaves it out; a context's OptPassGate would keep LCSSA, made for it. */
static void start_targets(struct uc *uc) {
    (void)uc;
    static const char *const options[] = {"ufc", "-disable-lsr"};
    LLVMParseCommandLineOptions(2, options, NULL);
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
}

bool llvm_enter(struct uc *uc) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    static struct llvm_part targets = {start_targets, PTHREAD_MUTEX_INITIALIZER, false};
    pthread_once(&once, install_handlers);
    new_handler *before = set_new_handler(on_failed_new);
    if (before != on_failed_new)
        atomic_store(&program_handler, before);
    keep_reserve();
    working = uc;
    if (atomic_load(&is_lost))
        return false;
    llvm_start(uc, &targets);
    return true;
}

/* crash.c: what is said where a kernel ends the command: without --check a subscript that is out of
 * range reads or writes memory that is not the array's, or none at all. */
#include <unistd.h>

#include "cmd.h"

static const char message[] =
    "ufc: the kernel accessed memory that there is none of, as a subscript that is out of range "
    "does; 'ufc run --check' tells which\n";

/* The action is the default one again: behind this the access is repeated, and ends the process as
 * it would have. */
static void tell(int number) {
    (void)number;
    ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
    (void)written;
}

void crash_watch(struct crash_watch *w, bool wanted) {
    struct sigaction action = {.sa_handler = tell, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    w->on = wanted && sigaction(SIGSEGV, &action, &w->segv) == 0;
    w->on_bus = wanted && sigaction(SIGBUS, &action, &w->bus) == 0;
}

void crash_unwatch(const struct crash_watch *w) {
    if (w->on)
        sigaction(SIGSEGV, &w->segv, NULL);
    if (w->on_bus)
        sigaction(SIGBUS, &w->bus, NULL);
}

/* wait.c: PTX whose kernels wait for the launches ahead of them in their stream, which may not have
 * ended where a launch overlaps them. */
#include <stdlib.h>
#include <string.h>
#include "cuda.h"

/* The first driver by which streams that are captured may have such launches. */
enum { WAITING_DRIVER = 12030 };

static const char target[] = ".target sm_", entry[] = ".visible .entry ";
static const char waiting_target[] = ".version 7.8\n.target sm_90\n"; /* UFC_WAITING_SM */
static const char wait[] = "\tgriddepcontrol.wait;\n";

bool cuda_waits(int capability) {
    int driver = 0;
    (void)CU(NULL, cuDriverGetVersion, &driver);
    return capability >= UFC_WAITING_SM && driver >= WAITING_DRIVER && cuda.cuLaunchKernelEx;
}

static bool begins(const char *line, const char *with) {
    return strncmp(line, with, strlen(with)) == 0;
}

/* Room for a text that waits. */
static char *room(const char *ptx) {
    size_t size = strlen(ptx) + sizeof waiting_target;
    for (const char *at = strstr(ptx, entry); at; at = strstr(at + 1, entry))
        size += sizeof wait;
    return malloc(size);
}

/* The lines of a text, with those of its version and target replaced, and a wait at the beginning
 * of each kernel, which is the first line with its opening brace. */
static void put_waiting(char *to, const char *ptx) {
    bool is_entry = false;
    for (const char *line = ptx, *next; *line; line = next) {
        next = line + strcspn(line, "\n");
        next += *next == '\n';
        if (begins(line, ".version "))
            continue;
        if (begins(line, target)) {
            to = stpcpy(to, waiting_target);
            continue;
        }
        memcpy(to, line, (size_t)(next - line));
        to += next - line;
        is_entry |= begins(line, entry);
        if (is_entry && *line == '{') {
            to = stpcpy(to, wait);
            is_entry = false;
        }
    }
    *to = '\0';
}

char *cuda_waiting(char *ptx) {
    const char *sm = strstr(ptx, target);
    if (!sm || strtol(sm + strlen(target), NULL, 10) >= UFC_WAITING_SM)
        return ptx;
    char *text = room(ptx);
    if (text)
        put_waiting(text, ptx);
    free(ptx);
    return text;
}

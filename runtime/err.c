/* err.c: error messages, into the caller's buffer. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "rt.h"

ufc_status fail(ufc_error *err, ufc_status status, const char *format, ...) {
    if (!err || status == UFC_OK)
        return status;
    va_list args;
    va_start(args, format);
    (void)vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    return status;
}

ufc_status fail_at(ufc_error *err, ufc_status status, const char *format, ...) {
    if (!err || status == UFC_OK)
        return status;
    ufc_error whole;
    va_list args;
    va_start(args, format);
    (void)vsnprintf(whole.message, sizeof whole.message, format, args);
    va_end(args);
    fail_more(&whole, ": %s", err->message);
    *err = whole;
    return status;
}

void fail_more(ufc_error *err, const char *format, ...) {
    if (!err)
        return;
    size_t used = strlen(err->message);
    va_list args;
    va_start(args, format);
    (void)vsnprintf(err->message + used, sizeof err->message - used, format, args);
    va_end(args);
}

/* nvtx.c: a tool that writes the ranges of domains, indented, to the file $RANGES. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void function(void);
struct callbacks {
    size_t size;
    int (*get_table)(int module, function ****table, unsigned *n);
};
struct attributes {
    uint16_t version, size;
    uint32_t category;
    int32_t color_type;
    uint32_t color;
    int32_t payload_type, reserved;
    uint64_t payload;
    int32_t message_type;
    const char *message;
};

int InitializeInjectionNvtx2(const void *(*get)(uint32_t));

static FILE *out;
static int open_ranges;

static void *create(const char *name) {
    return strcmp(name, "ufc") == 0 ? out : NULL;
}

static int push(void *domain, const struct attributes *range) {
    if (domain != out || range->version != 3 || range->size != sizeof *range ||
        range->message_type != 1)
        fprintf(out, "not a range\n");
    else
        fprintf(out, "%*s%s\n", 2 * open_ranges, "", range->message);
    return open_ranges++;
}

static int pop(void *domain) {
    if (domain != out || open_ranges == 0)
        fprintf(out, "no range is open\n");
    fflush(out);
    return --open_ranges;
}

int InitializeInjectionNvtx2(const void *(*get)(uint32_t)) {
    static const unsigned modules[] = {16, 9, 15, 7, 16, 7};
    const struct callbacks *callbacks = get(1);
    function ***table;
    unsigned n;
    out = out ? out : fopen(getenv("RANGES"), "a");
    if (!out || get(2) || !get(3) || callbacks->size < sizeof *callbacks)
        return 0;
    for (int m = 1; m <= 6; m++) /* a tool may set all that there is */
        if (!callbacks->get_table(m, &table, &n) || n != modules[m - 1] || table[n] || table[0])
            return 0;
    if (!callbacks->get_table(5, &table, &n))
        return 0;
    *table[4] = (function *)push;
    *table[5] = (function *)pop;
    *table[12] = (function *)create;
    return getenv("REFUSES") == NULL;
}

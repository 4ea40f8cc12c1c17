/* nearest.c: what was probably meant by a name that there is none of. */
#include "nearest.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

/* The number of insertions, deletions, substitutions and swaps of neighbours that turn a into b,
 * ignoring case; limit + 1 if there are more than limit. */
static size_t distance(const char *a, const char *b, size_t limit) {
    enum { LONGEST = 63 };
    size_t la = strlen(a), lb = strlen(b);
    size_t rows[3][LONGEST + 1], *before = rows[0], *last = rows[1], *row = rows[2];
    if (la > LONGEST || lb > LONGEST || (la > lb ? la - lb : lb - la) > limit)
        return limit + 1;
    for (size_t j = 0; j <= lb; j++)
        last[j] = j;
    for (size_t i = 1; i <= la; i++) {
        row[0] = i;
        for (size_t j = 1; j <= lb; j++) {
            size_t least = last[j - 1] + (strncasecmp(&a[i - 1], &b[j - 1], 1) != 0);
            if (last[j] + 1 < least)
                least = last[j] + 1;
            if (row[j - 1] + 1 < least)
                least = row[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                before[j - 2] + 1 < least)
                least = before[j - 2] + 1;
            row[j] = least;
        }
        size_t *oldest = before;
        before = last;
        last = row;
        row = oldest;
    }
    return last[lb];
}

const char *nearest_name(const char *name, const char *const *candidates) {
    size_t limit = (strlen(name) + 1) / 3;
    const char *nearest = NULL;
    for (; *candidates; candidates++) {
        size_t d = distance(name, *candidates, limit);
        if (d <= limit && strcmp(name, *candidates) != 0) {
            nearest = *candidates;
            if (d == 0)
                break;
            limit = d - 1;
        }
    }
    return nearest;
}

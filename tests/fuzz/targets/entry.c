/* entry.c: whatever a file in the folder of code holds: a whole entry gives its code, and a damaged
 * one is as if there were none. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cache.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[] = "/tmp/ufc-fuzz-XXXXXX";
static const struct cache_key key = {{1, 2, 3}};

static void remove_folder(void) {
    ufcc_cache_prune(folder, 0);
    rmdir(folder);
}

static void entry_path(char *path, size_t room) {
    int n = snprintf(path, room, "%s/", folder);
    for (size_t i = 0; i < sizeof key.bytes; i++)
        n += snprintf(path + n, room - (size_t)n, "%02x", key.bytes[i]);
    snprintf(path + n, room - (size_t)n, ".ufc");
}

/* The file of the key as it is given. */
static void any_entry(const struct cache *c, const uint8_t *data, size_t size) {
    char path[200];
    struct buf code = {0};
    entry_path(path, sizeof path);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f) != 0)
        abort();
    if (cache_find(c, &key, &code) &&
        (code.size > size || memcmp(code.data, data + size - code.size, code.size) != 0))
        abort();
    free(code.data);
    unlink(path);
}

/* An entry that was kept, one byte of whose file is changed, or which is cut off. */
static void damaged_entry(const struct cache *c, const uint8_t *data, size_t size) {
    char path[200];
    struct buf code = {.data = (char *)(uintptr_t)(data + 3), .size = size - 3}, found = {0};
    if (cache_keep(c, &key, &code) != 0)
        abort();
    entry_path(path, sizeof path);
    FILE *f = fopen(path, "r+b");
    if (!f || fseek(f, 0, SEEK_END) != 0)
        abort();
    long whole = ftell(f), at = (data[0] + 256L * data[1]) % whole;
    int byte;
    if (fseek(f, at, SEEK_SET) != 0 || (byte = fgetc(f)) < 0 || fseek(f, at, SEEK_SET) != 0)
        abort();
    bool cut = data[2] == 255;
    fputc(byte ^ data[2], f);
    if (fclose(f) != 0 || (cut && truncate(path, at) != 0))
        abort();
    bool is_found = cache_find(c, &key, &found);
    if (is_found != (data[2] == 0) ||
        (is_found && (found.size != code.size || memcmp(found.data, code.data, code.size) != 0)))
        abort();
    free(found.data);
    unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct cache cache;
    if (!cache.folder) {
        if (!mkdtemp(folder))
            abort();
        atexit(remove_folder);
        cache_open(&cache, folder);
    }
    if (size < 4)
        return 0;
    if (data[0] & 1)
        any_entry(&cache, data + 1, size - 1);
    else
        damaged_entry(&cache, data + 1, size - 1);
    return 0;
}

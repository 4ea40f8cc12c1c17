/* import.c: the files that a source imports, and the names that a file sees. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "syntax.h"

bool sees(const struct file *file, const struct decl *d) {
    if (file == NULL || d->file == NULL)
        return false;
    const struct import *i = d->file == file ? NULL : file->imports;
    while (i && i->file != d->file)
        i = i->next;
    return d->file == file || i;
}

/* ---- names of files */

/* A path that an importing file names, relative to that file's folder. */
static const char *path_from(struct uc *uc, const struct file *importer, const char *path) {
    const char *slash = *path == '/' ? NULL : strrchr(importer->name, '/');
    return slash
               ? arena_printf(uc, "%.*s%s", (int)(slash + 1 - importer->name), importer->name, path)
               : path;
}

/* The file that was read already, under whatever name; NULL: it was not. */
static struct file *file_known(const struct uc *uc, const struct stat *st) {
    struct file *f = uc->files;
    while (f && (f->inode != (uint64_t)st->st_ino || f->device != (uint64_t)st->st_dev))
        f = f->next;
    return f;
}

static void identify(struct file *f, const struct stat *st) {
    f->device = (uint64_t)st->st_dev;
    f->inode = (uint64_t)st->st_ino;
}

/* A name without "." and, behind a folder, "..": "lib/../b.uf" is "b.uf". */
static const char *plain_name(struct uc *uc, const char *name) {
    size_t size = strlen(name), used = *name == '/', floor = used; /* floor: where ".." stay */
    char *plain = NEWN(uc, char, size + 2);
    plain[0] = *name;
    for (const char *part = name + used, *end; *part; part = end + (*end == '/')) {
        size_t n = (size_t)((end = part + strcspn(part, "/")) - part);
        bool up = n == 2 && memcmp(part, "..", 2) == 0;
        if (n == 0 || (n == 1 && *part == '.'))
            continue;
        if (up && used > floor) {
            for (used--; used > floor && plain[used - 1] != '/';)
                used--;
            continue;
        }
        memcpy(plain + used, part, n);
        plain[used + n] = '/';
        used += n + 1;
        floor = up ? used : floor;
    }
    plain[used > 1 ? used - 1 : used] = '\0';
    return plain;
}

/* The text that is given for a file; NULL: it is read from disk. */
static const ufcc_file *file_given(struct uc *uc, const char *name) {
    const struct ufcc_options *o = uc->options;
    const char *plain = o->nfiles > 0 ? plain_name(uc, name) : NULL;
    for (int i = 0; i < o->nfiles; i++)
        if (strcmp(plain_name(uc, o->files[i].name), plain) == 0)
            return &o->files[i];
    return NULL;
}

/* The file of a given text that was taken already, by whatever name. */
static struct file *file_taken(const struct uc *uc, const ufcc_file *given) {
    struct file *f = uc->files;
    while (f && f->given != given)
        f = f->next;
    return f;
}

/* "a.uf, b.uf, a.uf": from the import of f to `last`, which imports f. */
static const char *cycle_text(struct uc *uc, const struct file *f, const struct file *last) {
    const char *text = f->name;
    for (; last != f; last = last->importer)
        text = arena_printf(uc, "%s, %s", last->name, text);
    return arena_printf(uc, "%s, %s", f->name, text);
}

/* ---- reading */

static void unreadable(struct uc *uc, const struct import *i, const char *name, const char *why) {
    enum { SHOWN = 80 }; /* bytes of each end of a name */
    size_t size = strlen(name);
    if (size > (size_t)3 * SHOWN)
        name = arena_printf(uc, "%.*s...%s", (int)whole_characters(name, SHOWN), name,
                            name + whole_characters(name, size - SHOWN));
    error(uc, i->at, "'%s' cannot be read: %s", name, why);
}

/* Reads a file, at most size bytes.  Gives their number; *why: an errno, or 0. */
static size_t read_text(const char *name, char *text, size_t size, int *why) {
    FILE *in = fopen(name, "rb");
    *why = in ? 0 : errno;
    if (!in)
        return 0;
    size_t n = fread(text, 1, size, in);
    if (ferror(in))
        *why = errno;
    fclose(in);
    return n;
}

/* Room for a file's text behind those of the others, which *text is from then on; NULL: too large.
 */
static struct file *file_begin(struct uc *uc, const struct import *i, const char *name, size_t size,
                               char **text) {
    if (size > UFCC_MAX_SOURCE || uc->src.size + size > UFCC_MAX_SOURCE) {
        unreadable(uc, i, name, "it is too large");
        return NULL;
    }
    struct file *f = NEW(uc, struct file);
    f->name = name;
    f->begin = (uint32_t)uc->src.size + 1;
    *text = NEWN(uc, char, f->begin + size + 1);
    memcpy(*text, uc->src.text, f->begin);
    return f;
}

/* The file is one of the program's, with size bytes of the text. */
static void file_end(struct uc *uc, struct file *f, char *text, size_t size) {
    struct file **tail = &uc->files;
    f->end = f->begin + (uint32_t)size;
    text[f->end] = '\0';
    diag_grow(uc, f->end);
    uc->src.text = text;
    uc->src.size = f->end;
    while (*tail)
        tail = &(*tail)->next;
    *tail = f;
}

static struct file *read_file(struct uc *uc, const struct import *i, const char *name,
                              const struct stat *st) {
    int why;
    char *text;
    size_t size = (size_t)st->st_size;
    struct file *f = file_begin(uc, i, name, size, &text); /* it may not return: no file is open */
    if (!f)
        return NULL;
    identify(f, st);
    size = read_text(name, text + f->begin, size, &why);
    if (why != 0) {
        unreadable(uc, i, name, strerror(why));
        return NULL;
    }
    file_end(uc, f, text, size);
    return f;
}

static struct file *copy_file(struct uc *uc, const struct import *i, const char *name,
                              const ufcc_file *given) {
    char *text;
    struct file *f = file_begin(uc, i, name, given->size, &text);
    if (!f)
        return NULL;
    if (given->size > 0)
        memcpy(text + f->begin, given->text, given->size);
    file_end(uc, f, text, given->size);
    return f;
}

/* ---- importing */

static bool parse_file(struct uc *uc, struct file *f);

/* A file that is imported for the first time: NULL after errors. */
static struct file *take_file(struct uc *uc, const struct import *i, const char *name,
                              const ufcc_file *given, const struct stat *st) {
    struct file *f = given ? copy_file(uc, i, name, given) : read_file(uc, i, name, st);
    if (f)
        f->given = given;
    return f;
}

static bool take_import(struct uc *uc, const struct file *importer, struct import *i) {
    const char *name = path_from(uc, importer, i->path);
    const ufcc_file *given = file_given(uc, name);
    struct stat st;
    if (!given && stat(name, &st) != 0)
        unreadable(uc, i, name, strerror(errno));
    else if (!given && !S_ISREG(st.st_mode))
        unreadable(uc, i, name, S_ISDIR(st.st_mode) ? "it is a folder" : "it is no file");
    else if ((i->file = given ? file_taken(uc, given) : file_known(uc, &st)) != NULL) {
        if (i->file->busy)
            error(uc, i->at, "'%s' imports itself: %s", i->file->name,
                  cycle_text(uc, i->file, importer));
    } else if ((i->file = take_file(uc, i, name, given, &st)) != NULL) {
        i->file->importer = importer;
        parse_file(uc, i->file);
    }
    return uc->nerrors == 0;
}

/* Parses a file, then those that it imports. */
static bool parse_file(struct uc *uc, struct file *f) {
    uc->file = f;
    bool ok = parse(uc);
    f->busy = true;
    for (struct import *i = f->imports; i; i = i->next)
        ok = take_import(uc, f, i) && ok;
    f->busy = false;
    return ok;
}

bool parse_all(struct uc *uc) {
    struct stat st;
    if (stat(uc->src.name, &st) == 0 && S_ISREG(st.st_mode))
        identify(uc->files, &st);
    return parse_file(uc, uc->files);
}

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

/* Appends a file's text to those of the others. */
static struct file *read_file(struct uc *uc, const struct import *i, const char *name,
                              const struct stat *st) {
    struct file *f = NEW(uc, struct file), **tail = &uc->files;
    size_t size = (size_t)st->st_size;
    f->name = name;
    f->begin = (uint32_t)uc->src.size + 1;
    identify(f, st);
    if (size > UFCC_MAX_SOURCE || uc->src.size + size > UFCC_MAX_SOURCE) {
        unreadable(uc, i, name, "it is too large");
        return NULL;
    }
    int why;
    char *text =
        NEWN(uc, char, f->begin + size + 1); /* before a file is open: this may not return */
    memcpy(text, uc->src.text, f->begin);
    f->end = f->begin + (uint32_t)read_text(name, text + f->begin, size, &why);
    text[f->end] = '\0';
    if (why != 0) {
        unreadable(uc, i, name, strerror(why));
        return NULL;
    }
    diag_grow(uc, f->end);
    uc->src.text = text;
    uc->src.size = f->end;
    while (*tail)
        tail = &(*tail)->next;
    *tail = f;
    return f;
}

/* ---- importing */

static bool parse_file(struct uc *uc, struct file *f);

static bool take_import(struct uc *uc, const struct file *importer, struct import *i) {
    const char *name = path_from(uc, importer, i->path);
    struct stat st;
    if (stat(name, &st) != 0)
        unreadable(uc, i, name, strerror(errno));
    else if (!S_ISREG(st.st_mode))
        unreadable(uc, i, name, S_ISDIR(st.st_mode) ? "it is a folder" : "it is no file");
    else if ((i->file = file_known(uc, &st)) != NULL) {
        if (i->file->busy)
            error(uc, i->at, "'%s' imports itself: %s", i->file->name,
                  cycle_text(uc, i->file, importer));
    } else if ((i->file = read_file(uc, i, name, &st)) != NULL) {
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

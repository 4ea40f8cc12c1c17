/* rows.c: reduces the elements of a group of lines: as leaves and trees, or in order. */
#include <string.h>

#include "fold.h"

/* Rows of a group, without elements that the mask leaves out. */
struct rows {
    const char *at;
    int64_t step, n;
    int64_t taken; /* elements of a line that they stand for */
};

/* ---- elements */

/* The byte offsets of element k along the inner axes, and how many follow on the fastest. */
static int64_t locate(const struct reduction *r, int64_t k, int64_t *in, int64_t *where) {
    if (r->ninner <= 1) {
        *in = r->ninner ? k * r->in.inner[0] : 0;
        *where = r->ninner && r->where.data ? k * r->where.inner[0] : 0;
        return r->length - k;
    }
    int64_t run = 1;
    *in = *where = 0;
    for (int axis = 0; axis < r->ninner; axis++) {
        int64_t position = k % r->inner_size[axis];
        k /= r->inner_size[axis];
        *in += position * r->in.inner[axis];
        *where += position * r->where.inner[axis];
        if (axis == 0)
            run = r->inner_size[0] - position;
    }
    return run;
}

void copy_element(char *to, const char *from, int64_t size) {
    switch (size) {
    case 1: *to = *from; break;
    case 2: memmove(to, from, 2); break;
    case 4: memmove(to, from, 4); break;
    case 8: memmove(to, from, 8); break;
    default: memmove(to, from, 16); break;
    }
}

void copy_row(const struct job *job, char *to, const char *from, int64_t n) {
    if (n == 1)
        copy_element(to, from, job->size);
    else
        memmove(to, from, (size_t)(n * job->size));
}

/* ---- kernels */

/* Calls the kernel for `width` neighbours: out = f(acc, x), args. */
static void apply(const struct job *job, char **args, int64_t width) {
    finding_run(job->finding, 0, job->code.kernel, args, &(intptr_t){width},
                (intptr_t[]){job->size, job->size, job->size}, NULL);
}

void run_fold(const struct job *job, const char *acc, const char *x, int64_t n, int64_t step,
              int64_t width, char *out, int64_t out_step) {
    if (job->code.fold) {
        job->code.fold(acc, x, n, step, width, out, out_step, NULL);
        return;
    }
    for (; n > 0; n--, x += step, out += out_step) {
        char *args[] = {(char *)(uintptr_t)acc, (char *)(uintptr_t)x, out};
        apply(job, args, width);
        acc = out;
    }
}

void run_leaf(const struct job *job, char *result, const char *x, int64_t n) {
    _Alignas(16) char lanes[8 * 16];
    int64_t s = job->size, whole = n & -job->lanes;
    if (job->code.leaf) {
        job->code.leaf(result, x, n);
        return;
    }
    if (job->exact) {
        copy_element(result, x, s);
        run_fold(job, result, x + s, n - 1, s, 1, result, 0);
        return;
    }
    memcpy(lanes, x, (size_t)(whole ? job->lanes * s : s));
    if (whole)
        run_fold(job, lanes, x + job->lanes * s, whole / job->lanes - 1, job->lanes * s, job->lanes,
                 lanes, 0);
    for (int64_t apart = 1; whole && apart < job->lanes; apart *= 2)
        for (int64_t j = 0; j < job->lanes; j += 2 * apart)
            run_fold(job, lanes + j * s, lanes + (j + apart) * s, 1, 0, 1, lanes + j * s, 0);
    whole = whole ? whole : 1;
    run_fold(job, lanes, x + whole * s, n - whole, s, 1, lanes, 0);
    copy_element(result, lanes, s);
}

/* Copies elements [begin, begin + n) of a line to neighbours, converted, without those that the
 * mask leaves out. */
static int64_t fetch(const struct job *job, const struct group *g, int64_t begin, int64_t n,
                     char *to) {
    const struct reduction *r = job->r;
    char *end = to;
    for (int64_t run; n > 0; n -= run, begin += run) {
        int64_t in, where, stride = r->ninner ? r->in.inner[0] : 0;
        run = locate(r, begin, &in, &where);
        if (run > n)
            run = n;
        cast_elements(r->in.dtype, job->dtype, end, job->size, g->in + in, stride, run);
        if (!g->where) {
            end += run * job->size;
            continue;
        }
        const char *mask = g->where + where, *from = end;
        int64_t mask_step = r->ninner ? r->where.inner[0] : 0;
        for (int64_t i = 0, m; i < run; i += m) {
            uint16_t marked[MASK_PIECE];
            m = run - i < MASK_PIECE ? run - i : MASK_PIECE;
            int64_t found = find_marked(marked, mask + i * mask_step, mask_step, m);
            gather_marked(marked, end, from + i * job->size, job->size, job->size, found);
            end += found * job->size;
        }
    }
    return (end - to) / job->size;
}

/* Reads rows from `begin` on, at least one and at most n; the buffer has ROWS_BUFFER bytes. */
static struct rows take_rows(const struct job *job, const struct group *g, int64_t begin, int64_t n,
                             char *buffer) {
    const struct reduction *r = job->r;
    int64_t in, where, room = ROWS_BUFFER / (g->n * job->size), run = locate(r, begin, &in, &where);
    if (job->direct) {
        n = run < n ? run : n;
        return (struct rows){g->in + in, r->ninner ? r->in.inner[0] : 0, n, n};
    }
    n = room < n ? room : n;
    struct rows rows = {buffer, g->n * job->size, n, n};
    if (job->along)
        rows.n = fetch(job, g, begin, n, buffer);
    if (job->brief)
        copy_matrix(&(struct matrix){buffer, g->in + begin * job->size, g->n, job->size,
                                     r->in.outer[0], n, rows.step, job->size},
                    job->size);
    for (int64_t i = 0; i < n && !job->along && !job->brief; i++) {
        locate(r, begin + i, &in, &where);
        cast_elements(r->in.dtype, job->dtype, buffer + i * rows.step, job->size, g->in + in,
                      r->in.outer[0], g->n);
    }
    return rows;
}

/* out = f(acc, x) of rows; the kernel of calls is the best one for wide rows. */
static void fold_row(const struct job *job, const char *acc, const char *x, int64_t width,
                     char *out) {
    if (width * job->size < ROW_CALL_BYTES) {
        run_fold(job, acc, x, 1, 0, width, out, 0);
        return;
    }
    char *args[] = {(char *)(uintptr_t)acc, (char *)(uintptr_t)x, out};
    apply(job, args, width);
}

void fold_rows(const struct job *job, const char *acc, const char *x, int64_t n, int64_t step,
               int64_t width, char *out, int64_t out_step) {
    if (width * job->size <= NARROW_ROW_BYTES) {
        run_fold(job, acc, x, n, step, width, out, out_step);
        return;
    }
    for (int64_t m; n > 0; n -= m, x += m * step, out += m * out_step) {
        m = n < WIDE_ROWS_AT_ONCE ? n : WIDE_ROWS_AT_ONCE;
        if (m == 1)
            fold_row(job, acc, x, width, out);
        else
            run_fold(job, acc, x, m, step, width, out, out_step);
        acc = out + (m - 1) * out_step;
    }
}

bool join_rows(const struct job *job, bool has, char *acc, bool more, const char *other,
               int64_t width) {
    if (has && more)
        fold_row(job, acc, other, width, acc);
    else if (more)
        copy_row(job, acc, other, width);
    return has || more;
}

/* ---- leaves; functions return false where the mask leaves out all elements */

static bool leaf_along(const struct job *job, const struct group *g, int64_t begin, int64_t n,
                       char *acc) {
    _Alignas(64) char buffer[MAX_LEAF], transposed[MAX_LEAF];
    const char *x = buffer;
    int64_t s = job->size, each;
    if (job->packed)
        x = g->in + begin * s;
    else
        n = fetch(job, g, begin, n, buffer);
    if (n == 0)
        return false;
    each = n / job->lanes;
    if (!job->commutes && each > 1) { /* consecutive parts are transposed to lanes */
        for (int64_t j = 0; j < job->lanes; j++)
            cast_elements(job->dtype, job->dtype, transposed + j * s, job->lanes * s,
                          x + j * each * s, s, each);
        int64_t whole = each * job->lanes * s;
        memcpy(transposed + whole, x + whole, (size_t)(n * s - whole));
        x = transposed;
    }
    run_leaf(job, acc, x, n);
    return true;
}

/* The partial results of a leaf's lanes, each a row. */
struct parts {
    int64_t each;      /* rows of the array in each part */
    const char *at[8]; /* each part's result so far: a row of the array, or own[j] */
    char *own[8];      /* a row for each part's result; the first is the leaf's */
};

/* Folds rows [t, t + rows->n) of a leaf into their parts. */
static void part_rows(const struct job *job, const struct group *g, const struct rows *rows,
                      int64_t t, struct parts *p) {
    for (int64_t j = 0; j < job->lanes; j++) {
        int64_t every = job->commutes ? job->lanes : 1, begin = job->commutes ? j : j * p->each;
        int64_t end = begin + (p->each - 1) * every + 1, first = begin;
        if (first < t)
            first += (t - first + every - 1) / every * every;
        if (end > t + rows->n)
            end = t + rows->n;
        if (first >= end)
            continue;
        int64_t n = (end - 1 - first) / every + 1;
        const char *x = rows->at + (first - t) * rows->step;
        if (first == begin) {
            p->at[j] = x;
            if (!job->direct) { /* the next rows overwrite x */
                copy_row(job, p->own[j], x, g->n);
                p->at[j] = p->own[j];
            }
            x += every * rows->step;
            n--;
        }
        if (n > 0) {
            fold_rows(job, p->at[j], x, n, every * rows->step, g->n, p->own[j], 0);
            p->at[j] = p->own[j];
        }
    }
}

static void join_parts(const struct job *job, const struct group *g, const struct parts *p) {
    const char *at[8];
    memcpy(at, p->at, sizeof at);
    for (int64_t apart = 1; apart < job->lanes; apart *= 2)
        for (int64_t j = 0; j < job->lanes; j += 2 * apart) {
            fold_row(job, at[j], at[j + apart], g->n, p->own[j]);
            at[j] = p->own[j];
        }
}

static bool leaf_across(const struct job *job, const struct group *g, int64_t begin, int64_t n,
                        char *acc, char *space) {
    _Alignas(64) char buffer[ROWS_BUFFER];
    struct parts p = {.each = n / job->lanes};
    int64_t whole = p.each * job->lanes;
    struct rows rows;
    for (int64_t j = 0; j < job->lanes; j++)
        p.own[j] = j ? space + (j - 1) * job->row : acc;
    for (int64_t t = 0; t < n; t += rows.n) {
        rows = take_rows(job, g, begin + t, (t < whole ? whole : n) - t, buffer);
        bool first = t == 0 && !whole;
        if (t < whole) {
            part_rows(job, g, &rows, t, &p);
            if (t + rows.n == whole)
                join_parts(job, g, &p);
            continue;
        }
        if (first)
            copy_row(job, acc, rows.at, g->n);
        fold_rows(job, acc, rows.at + first * rows.step, rows.n - first, rows.step, g->n, acc, 0);
    }
    return true;
}

/* ---- trees, and in order */

int64_t left_half(const struct job *job, int64_t n) {
    return n / 2 & -job->lanes; /* lanes are a power of two */
}

/* Reduces neighbouring elements as a tree. */
static void tree_packed(const struct job *job, const char *x, int64_t n, char *acc) {
    _Alignas(16) char pair[32];
    if (n <= LEAF * job->lanes) {
        run_leaf(job, acc, x, n);
        return;
    }
    int64_t half = left_half(job, n);
    tree_packed(job, x, half, pair);
    tree_packed(job, x + half * job->size, n - half, pair + job->size);
    run_leaf(job, acc, pair, 2);
}

/* Reduces elements of a line as they are fetched, to what they give in order. */
static bool exact_line(const struct job *job, const struct group *g, int64_t begin, int64_t n,
                       char *acc) {
    _Alignas(64) char buffer[ROWS_BUFFER], part[16];
    int64_t room = ROWS_BUFFER / job->size;
    bool has = false;
    if (job->packed) {
        run_leaf(job, acc, g->in + begin * job->size, n);
        return true;
    }
    for (int64_t end = begin + n, m; begin < end; begin += m) {
        m = end - begin < room ? end - begin : room;
        int64_t kept = fetch(job, g, begin, m, buffer);
        if (kept)
            run_leaf(job, part, buffer, kept);
        has = join_rows(job, has, acc, kept, part, 1);
    }
    return has;
}

bool fold_tree(const struct job *job, const struct group *g, int64_t begin, int64_t n, char *acc,
               char *space) {
    if (job->exact)
        return job->along ? exact_line(job, g, begin, n, acc)
                          : fold_in_order(job, g, begin, n, false, acc);
    if (job->packed && job->commutes) {
        tree_packed(job, g->in + begin * job->size, n, acc);
        return true;
    }
    if (n <= LEAF * job->lanes)
        return job->along ? leaf_along(job, g, begin, n, acc)
                          : leaf_across(job, g, begin, n, acc, space);
    int64_t half = left_half(job, n);
    bool has = fold_tree(job, g, begin, half, acc, space);
    bool more = fold_tree(job, g, begin + half, n - half, space, space + job->row);
    return join_rows(job, has, acc, more, space, g->n);
}

bool fold_in_order(const struct job *job, const struct group *g, int64_t begin, int64_t n, bool has,
                   char *acc) {
    _Alignas(64) char buffer[ROWS_BUFFER];
    struct rows rows;
    for (int64_t end = begin + n; begin < end; begin += rows.taken) {
        rows = take_rows(job, g, begin, end - begin, buffer);
        bool first = !has && rows.n > 0;
        if (first)
            copy_row(job, acc, rows.at, g->n);
        fold_rows(job, acc, rows.at + first * rows.step, rows.n - first, rows.step, g->n, acc, 0);
        has = has || first;
    }
    return has;
}

void accumulate_lines(const struct job *job, const struct group *g, int64_t begin, int64_t n,
                      const char *before) {
    _Alignas(64) char buffer[ROWS_BUFFER], results[ROWS_BUFFER], last[ROWS_BUFFER];
    const struct reduction *r = job->r;
    int64_t out_step = r->ninner ? r->out.inner[0] : 0, packed = g->n * job->size;
    int64_t lane_step = r->nouter ? r->out.outer[0] : 0;
    struct rows rows;
    for (int64_t end = begin + n; begin < end; begin += rows.n) {
        int64_t room = job->stores ? end - begin : ROWS_BUFFER / packed;
        rows = take_rows(job, g, begin, room < end - begin ? room : end - begin, buffer);
        char *out = g->out + begin * out_step, *to = job->stores ? out : results;
        int64_t step = job->stores ? out_step : packed, first = !before;
        if (first)
            copy_row(job, to, rows.at, g->n);
        fold_rows(job, first ? to : before, rows.at + first * rows.step, rows.n - first, rows.step,
                  g->n, to + first * step, step);
        before = to + (rows.n - 1) * step;
        if (job->stores)
            continue;
        copy_row(job, last, before, g->n);
        before = last;
        if (job->along)
            cast_elements(job->dtype, r->out.dtype, out, out_step, results, packed, rows.n);
        for (int64_t i = 0; i < rows.n && !job->along; i++)
            cast_elements(job->dtype, r->out.dtype, out + i * out_step, lane_step,
                          results + i * packed, job->size, g->n);
    }
}

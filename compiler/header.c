/* header.c: names in C, and the header that declares an object's ufuncs. */
#include <ctype.h>
#include <string.h>

#include "uc.h"

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

const char *stem(struct uc *uc) {
    const char *base = uc->options->prefix;
    if (base == NULL) {
        const char *slash = strrchr(uc->src.name, '/');
        base = slash ? slash + 1 : uc->src.name;
    }
    size_t length = strlen(base);
    if (uc->options->prefix == NULL && length > 3 && strcmp(base + length - 3, ".uf") == 0)
        length -= 3;
    char *name = arena_printf(uc, "_%.*s", (int)length, base);
    for (char *c = name; *(c += strspn(c, letters)) != 0;)
        *c = '_';
    return length == 0 || isdigit((unsigned char)name[1]) ? name : name + 1;
}

/* ---- a ufunc */

/* Puts text into a comment, without what would end the comment or cause a warning there. */
static void put_doc(struct buf *out, const char *doc) {
    char last = ' ';
    for (const char *c = doc; *c != 0; last = *c++) {
        if ((*c == '/' && (last == '*' || last == '?')) || (*c == '*' && last == '/'))
            buf_put(out, " ", 1);
        if (*c != '\n')
            buf_put(out, c, 1);
        else
            buf_printf(out, "\n *%s", c[1] != '\n' && c[1] != 0 ? " " : "");
    }
}

/* Puts operands with their core dimensions: "x[m, n], y". */
static void put_operands(struct buf *out, const struct param *p) {
    for (; p != NULL; p = p->next) {
        buf_printf(out, "%s", p->name);
        for (int i = 0; i < p->rank; i++)
            buf_printf(out, "%s%s%s%s", i == 0 ? "[" : ", ", p->core[i]->name,
                       p->core[i]->optional ? "?" : "", i == p->rank - 1 ? "]" : "");
        buf_printf(out, "%s", p->next != NULL ? ", " : "");
    }
}

static void put_comment(struct buf *out, const struct decl *d) {
    buf_printf(out, "\n/* ");
    if (d->doc != NULL) {
        put_doc(out, d->doc);
        buf_printf(out, "\n *\n * ");
    }
    if (d->kind == DECL_GUFUNC) {
        put_operands(out, d->params);
        buf_printf(out, " -> ");
        put_operands(out, d->outputs);
        buf_printf(out, "\n * ");
    }
    for (const struct overload *o = d->overloads; o != NULL; o = o->next)
        buf_printf(out, "%s%s", o->signature, o->next != NULL ? "\n * " : " */\n");
}

/* Names of parameters end in '_', so that they are no keyword or macro and differ from the
 * wrapper's other names. */
static void put_wrapper(struct uc *uc, struct buf *out, const struct decl *d) {
    const char *args = "", *outs = "", *arguments = "";
    int nout = d->overloads->nout;
    for (const struct param *p = d->params; p != NULL; p = p->next) {
        arguments = arena_printf(uc, "%sufc_arg %s_, ", arguments, p->name);
        args = arena_printf(uc, "%s%s%s_", args, p == d->params ? "" : ", ", p->name);
    }
    const struct param *output = d->outputs;
    for (int i = 0; nout > 1 && i < nout; i++) {
        const char *name =
            output != NULL ? arena_printf(uc, "%s_", output->name) : arena_printf(uc, "out%d", i);
        arguments = arena_printf(uc, "%sufc_out %s, ", arguments, name);
        outs = arena_printf(uc, "%s%s%s", outs, i == 0 ? "" : ", ", name);
        output = output != NULL ? output->next : NULL;
    }
    buf_printf(out, "static inline ufc_status %s_%s(ufc_context *ctx, void *stream,\n", stem(uc),
               d->name);
    buf_printf(out, "    %s%sufc_error *err) {\n", arguments, nout == 1 ? "ufc_out out, " : "");
    buf_printf(out, "    const ufc_arg args[] = {%s};\n", args);
    if (nout > 1)
        buf_printf(out, "    const ufc_out outs[] = {%s};\n", outs);
    buf_printf(out, "    return ufc_call(ctx, stream, &%s_%s_ufunc, args, %s, err);\n}\n", stem(uc),
               d->name, nout > 1 ? "outs" : "&out");
}

/* ---- the file */

void make_header(struct uc *uc, struct buf *out) {
    buf_printf(out, "/* Made by ufc(1): ufuncs of %s.  ufc(3) has the calls. */\n", stem(uc));
    buf_printf(out, "#ifndef %s_UF_H\n#define %s_UF_H\n\n#include <ufc.h>\n\n", stem(uc), stem(uc));
    buf_printf(out, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    for (const struct decl *d = uc->decls; d != NULL; d = d->next)
        if (is_compiled(uc, d)) {
            put_comment(out, d);
            buf_printf(out, "extern const ufc_ufunc %s_%s_ufunc;\n\n", stem(uc), d->name);
            put_wrapper(uc, out, d);
        }
    buf_printf(out, "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
}

"""%%ufc: cells of notebooks that are sources."""

import html
import warnings

from ._diagnostic import CompileError, CompileWarning
from ._module import compile

_COLOURS = {"error": "#c0392b", "warning": "#8e44ad", "note": "#16727e"}


class _Shown(CompileError):
    """An error that the notebook shows already: it ends the cell, and no traceback is shown."""

    def _render_traceback_(self):
        return []


def _page(parts):
    return "<pre style='line-height: 1.3; margin: 0'>" + "\n".join(parts) + "</pre>"


def _html(diagnostic):
    """As the command line prints it, in colour."""
    shade = f"<b style='color: {_COLOURS[diagnostic.severity]}'>"
    return html.escape(diagnostic.text(True), quote=False).replace("\33[1m", "<b>").replace(
        "\33[m", "</b>").replace(diagnostic.shade, shade)


def _options(line):
    """The module's name, or None, and options of compile: '--fast-math m'."""
    names, options = [], {}
    for word in line.split():
        if word.startswith("--"):
            options[word[2:].replace("-", "_")] = True
        else:
            names.append(word)
    if len(names) > 1 or not all(name.isidentifier() for name in names):
        raise ValueError(f"%%ufc takes one name and options, not {line.strip()!r}")
    return (names or [None])[0], options


def load_ipython_extension(shell):
    """%load_ext ufc: has %%ufc compile a cell.  Its functions become variables; with a name, as
    `%%ufc m`, attributes of that one.  Options are compile's: --fast-math, --check."""

    def show(page, plain):
        shell.display_pub.publish({"text/html": page, "text/plain": plain})

    def ufc(line, cell):
        name, options = _options(line)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            try:
                module = compile(cell, "cell.uf", **options)
            except CompileError as error:
                show(_page(map(_html, error.diagnostics)), str(error))
                raise _Shown(error.diagnostics) from None
        for w in told:
            if issubclass(w.category, CompileWarning):
                show(_page([html.escape(str(w.message), quote=False)]), str(w.message))
            else:
                warnings.warn_explicit(w.message, w.category, w.filename, w.lineno)
        shell.user_ns.update({f.__name__: f for f in module} if name is None else {name: module})

    shell.register_magic_function(ufc, "cell", "ufc")

"""What the compiler tells of a source, as objects and as text."""

import os
import sys
import warnings
from typing import NamedTuple, Optional


class Diagnostic(NamedTuple):
    """An error, a warning, or a note on the one before it.

    Without a place file is None; lines and columns count from 1, columns bytes; the end's column is
    that behind the range.  source is the text of the line.
    """

    severity: str
    message: str
    warning: Optional[str]
    file: Optional[str]
    line: int
    column: int
    end_line: int
    end_column: int
    source: Optional[str]

    def __str__(self):
        return self.text(False)

    @property
    def shade(self):
        """The terminal's sequence for its colour."""
        return {"error": "\33[1;31m", "warning": "\33[1;35m", "note": "\33[1;36m"}[self.severity]

    def text(self, colour):
        """As the command line prints it."""
        bold, on, off = ("\33[1m", self.shade, "\33[m") if colour else ("", "", "")
        place = f"{bold}{self.file}:{self.line}:{self.column}:{off} " if self.file else ""
        name = f" [-W{self.warning}]" if self.warning else ""
        lines = [f"{place}{on}{self.severity}:{off} {bold}{self.message}{off}{name}"]
        if self.source is not None and self.file:
            lines.append(f"{self.line:5} | {self.source.expandtabs()}")
            lines.append(f"{'':5} | {' ' * self._columns(self.column)}{on}{self._carets()}{off}")
        return "\n".join(lines)

    def _columns(self, column):
        """The characters before a column."""
        before = self.source.encode()[: column - 1].decode(errors="replace")
        return len(before.expandtabs())

    def _carets(self):
        ends_here = self.end_line == self.line
        end = self.end_column if ends_here else len(self.source.encode()) + 1
        return "^" + "~" * (self._columns(end) - self._columns(self.column) - 1)


class CompileError(Exception):
    """A source has errors, or code cannot be made.  `diagnostics` has all that was told."""

    def __init__(self, diagnostics):
        super().__init__(diagnostics)
        self.diagnostics = tuple(diagnostics)

    def __str__(self):
        colour = sys.stderr is not None and sys.stderr.isatty() and "NO_COLOR" not in os.environ
        return "\n".join(d.text(colour) for d in self.diagnostics) or "out of memory"


class CompileWarning(UserWarning):
    """What the compiler warns of."""


def take(told, failed, stacklevel):
    """Raises what was told of a source that failed; else passes warnings on."""
    diagnostics = [Diagnostic(*d) for d in told]
    if failed:
        raise CompileError(diagnostics)
    groups = []
    for d in diagnostics:
        if d.severity != "note" or not groups:
            groups.append([])
        groups[-1].append(str(d))
    for group in groups:
        warnings.warn("\n".join(group), CompileWarning, stacklevel=stacklevel + 1)

# SPDX-License-Identifier: Apache-2.0
"""A submission's source in colour, with what was found beside its lines."""
import collections
import functools
import itertools
import time

from markupsafe import Markup, escape

try:
    import pygments
    import pygments.lexers
    from pygments.token import Comment, Keyword, Name, Number, String
except ModuleNotFoundError:  # Grades are drawn without it, too, in one colour.
    pygments = None

# A student's file of thousands of empty lines or slashes costs the lexer their square: hours for 1 MiB. An ordinary one is
# done in a hundredth of this.
SECONDS_TO_COLOUR = 0.5

_LEXER = pygments and pygments.lexers.get_lexer_by_name("cuda", stripnl=False, ensurenl=False)


@functools.cache
def _class_of(kind):
    """Of pages.css; "" for what has the colour of text."""
    for kinds, name in ((Comment.Preproc, "pp"), (Comment, "co"), (Keyword, "kw"), (String, "st"), (Number, "nu"),
                        (Name.Builtin, "bi")):
        if kind in kinds:
            return name
    return ""


class _TooSlow(Exception):
    pass


def _words(source):
    """(class, text) of each word, in order."""
    begin = time.process_time()
    for kind, value in _LEXER.get_tokens(source):
        if time.process_time() - begin > SECONDS_TO_COLOUR:
            raise _TooSlow
        yield _class_of(kind) if value.strip() else "", value


def coloured_lines(source):
    """Each line of a program as HTML; what goes over several lines, as a comment does, is coloured in each. In one colour where
    that would take too long."""
    try:
        if pygments is not None:
            return _coloured(_words(source))
    except _TooSlow:
        pass
    return [escape(line) for line in source.split("\n")]


def _coloured(words):
    lines = [""]
    for name, group in itertools.groupby(words, key=lambda word: word[0]):
        pieces = str(escape("".join(value for _, value in group))).split("\n")
        for number, piece in enumerate(pieces):
            if number > 0:
                lines.append("")
            if piece:
                lines[-1] += f'<span class="{name}">{piece}</span>' if name else piece
    return [Markup(line) for line in lines]


def listing(text):
    """[(number, line as HTML, notes)] of a graded text; notes whose line is not shown are in `elsewhere`."""
    notes = collections.defaultdict(list)
    for note in text["notes"]:
        notes[note["line"]].append(note)
    lines = coloured_lines(text["source"].rstrip("\n"))
    return [(number, line, notes.get(number, [])) for number, line in enumerate(lines, 1)]


def elsewhere(text):
    return [note for note in text["notes"] if note["line"] == 0]

# SPDX-License-Identifier: Apache-2.0
"""Turns of phrase that no teacher would use, in the English texts that people read.

A rule is a pattern with what to say instead. Patterns are narrow: `stands for`, `in step 3` or `so many that` are good
English and pass. ALLOWED names the places that a rule misjudges, each with its reason; one that is no longer needed is
an error, too.
"""
import re

# In a pattern a space matches any white space, a line's end, too.
RULES = [(re.compile(pattern.replace(" ", r"\s+"), re.IGNORECASE), advice) for pattern, advice in (
    (r"\bof those that\b", "name them"),
    (r"\bwhere that is nothing\b", "say the condition with `if`"),
    (r"\bnothing is to be launched\b", "write `launch nothing`"),
    (r"\bis told\b(?! to\b)", "say who reports what"),
    (r"\blets? pass\b", "write `accepts`"),
    (r"\bneeds? no leave\b", "write `is allowed without ...`"),
    (r"\bwhat becomes of\b", "say what happens to it"),
    (r"\bplaces? (?:of|in) shared memory\b", "write `a shared-memory element`"),
    (r"\bha(?:s|ve) no element of\b", "write `own no element of` or `compute no element of`"),
    (r"\bjust those\b", "write `exactly these`, or name them"),
    (r"\bbehind (?:the|its) (?:end|matrix|last (?:row|column|element|one))\b", "write `past the end`"),
    (r"\b(?:in|out of) step\b(?! (?:\d|\{|[a-z]\b|of\b))", "write `in lockstep` or `out of phase`"),
    (r"\bso many\b(?![^.,;:?!]{0,40}\bthat\b)", "say the number"),
    (r"\bit is that \w+ (?:which|that|who)\b", "begin with the subject"),
    (r"\b(?:thread|lane|warp|load|access|line)s?(?: \([^()]*\))? asks? for\b", "write `loads` or `reads`"),
    (r"\b(?:thread|lane|warp|line)s?(?: \([^()]*\))? puts?\b", "write `stores` or `writes`"),
    # People do stand: "the student stands in line", "how many stand before him".
    (r"(?<!\bstudents\s)(?<!\bstudent\s)(?<!\bpeople\s)(?<!\bperson\s)(?<!\bchildren\s)(?<!\bchild\s)(?<!\bhe\s)(?<!\bshe\s)"
     r"\bstands? (?:in|at|on|there|behind|above|below|beside|between|before)\b(?! (?:for|him|her|them|us|me|whom)\b)", "write `is`"),
    (r"\bbrings? (?:\{\d\}|cuda[A-Z]\w+|an error\b)", "write `returns`"),
)]
# Not a question, and not the whole of a title: "What nobody has set is no number."
STATEMENT = re.compile(r"(?:^|(?<=[.?!]\s))\s*((?:What|Who|Where)\b[^.?!:\n]*(?:\n[^.?!:\n]+)*\.)(?=\s|$)")

# A file and a part of its text: why it is right there.
ALLOWED = {}

LITERAL = re.compile(r'"""(.*?)"""|"((?:[^"\\\n]|\\.)*)"', re.DOTALL)
LITERALS_IN_ROW = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*')


def blanked(match):
    """As many lines as before, without a word."""
    return "\n" * match[0].count("\n")


def of_table(text):
    """The templates of a table of messages, each put together from its literals."""
    text = re.sub(r"^\s*//[^\n]*", "", text, flags=re.MULTILINE)
    for match in LITERALS_IN_ROW.finditer(text):
        joined = re.sub(r'"(\s*)"', lambda between: "\n" * between[1].count("\n"), match[0])
        yield text.count("\n", 0, match.start()) + 1, joined[1:-1].replace(r"\n", " ").replace('\\"', '"')


def of_data(text):
    """Strings of TOML or JSON; one without a space is a key or an id."""
    text = re.sub(r"^\s*#[^\n]*", "", text, flags=re.MULTILINE)
    for match in LITERAL.finditer(text):
        words = match[1] if match[1] is not None else match[2]
        if " " in words:
            yield text.count("\n", 0, match.start()) + 1, words


def paragraphs(text):
    line = 1
    for part in re.split(r"(\n(?=[ \t]*\n)|\n(?=[ \t]*(?:[-*|]|\d+\.)[ \t])|\x00)", text):
        if part.strip():
            yield line, part
        line += part.count("\n")


def of_markdown(text):
    text = re.sub(r"^([ \t]*)```.*?^\1```", blanked, text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"`[^`\n]*`", "0", text)
    text = re.sub(r"^#[^\n]*", "", text, flags=re.MULTILINE)
    yield from paragraphs(text.replace("|", "\x00"))


def of_page(text):
    """What a template shows: its own text, and the strings that it hands to macros."""
    text = re.sub(r"\{#.*?#\}", blanked, text, flags=re.DOTALL)
    for match in re.finditer(r"\{[{%].*?[%}]\}", text, re.DOTALL):
        first = text.count("\n", 0, match.start())
        yield from ((first + line, words) for line, words in of_data(match[0]))
    text = re.sub(r"\{%.*?%\}", blanked, text, flags=re.DOTALL)
    text = re.sub(r"\{\{.*?\}\}", lambda shown: "0" + blanked(shown), text, flags=re.DOTALL)
    text = re.sub(r"<(pre|script|style)\b.*?</\1>", blanked, text, flags=re.DOTALL)
    # Titles: "What to listen for."
    text = re.sub(r"<(h\d|th|strong)\b[^>]*>(?:What|Who|Where)\b[^<]*</\1>", blanked, text)
    text = re.sub(r"</?(?:a|b|code|em|i|span|strong|sub|sup|cite)\b[^>]*>", "", text)
    yield from paragraphs(re.sub(r"<[^>]*>", lambda tag: "\x00" + blanked(tag), text))


def of_header(text):
    """Comments of a contract, whose list of what is graded has an item a line or more."""
    comments = re.sub(r"^(?!//).*$", "", re.sub(r"^.*?(?=//)", "", text, flags=re.MULTILINE), flags=re.MULTILINE)
    yield from paragraphs(re.sub(r"^// ?(?:SPDX.*)?", "", comments, flags=re.MULTILINE))


READERS = {".h": of_header, ".inc": of_table, ".toml": of_data, ".json": of_data, ".md": of_markdown, ".j2": of_page}


def is_read_by_people(name):
    return (re.fullmatch(r"(?:README|CONTRIBUTING|docs/\w+|handouts/README)\.md|grader/(?:messages/\w+|base/messages)\.inc"
                         r"|tests/suites/.+/messages\.inc|chapters/[^/]+/(?:(?:chapter|drills)\.toml|\w+\.h)"
                         r"|(?:chapters|grader/workbook)/\w+\.md", name) is not None
            # What `new` writes becomes an author's first text.
            or re.fullmatch(r"grader/authoring/template/(?:exercise\.toml|contract\.h|\w+\.html\.j2)", name) is not None
            or name.startswith(("handouts/text/en/", "handouts/templates/")))


def faults_of(name, text):
    """(line, what was found, what to say instead)."""
    for first, words in READERS["." + name.rsplit(".", 1)[1]](text):
        found = [(match, advice) for pattern, advice in RULES for match in pattern.finditer(words)]
        found += [(match, "begin with the subject, or with `if`") for match in STATEMENT.finditer(words)]
        for match, advice in found:
            start = match.start() + len(match[0]) - len(match[0].lstrip())
            around = " ".join(words[max(0, start - 60):match.end() + 60].split())
            yield first + words.count("\n", 0, start), " ".join(match[0].split())[:60], advice, around


def faults(files, allowed=None):
    """`files` are names with their texts."""
    allowed = ALLOWED if allowed is None else allowed
    unused = set(allowed)
    wrong = []
    for name, text in files:
        for line, found, advice, around in sorted(faults_of(name, text)):
            excused = {key for key in allowed if key[0] == name and key[1] in around}
            unused -= excused
            if not excused:
                wrong.append(f"{name}:{line}: '{found}': {advice}")
    return wrong + [f"ALLOWED of tests/gates/voice.py: {name}: '{part}' is not needed" for name, part in sorted(unused)]

# SPDX-License-Identifier: Apache-2.0
"""What is the same on all pages and would be forgotten in one: done to a page when its template has been rendered.

- The cells of a table say of what they are the head (`scope`); an empty head is no head.
- What scrolls sideways can be reached with the keyboard.
- Code of few lines is marked as short: on paper it does not part.
- Figures with a caption are numbered, "Figure 5.2", and can be linked to as #figure-5-2; not those in answers, which
  only instructors see: a number means the same figure in both versions.
- Chinese has a blank beside Latin words and numbers, and none where a line of the source ended.
- Quotes are “these” and ’this is the apostrophe, 16 × 16 has a multiplication sign; code stays as it is.

A page is our own templates' output: attributes in double quotes, every element closed, no ">" in an attribute.
"""
import re

import languages

TAG = re.compile(r"(<[^>]*>)")
AS_IT_IS = ("pre", "code", "script", "style", "kbd", "textarea")
INLINE = ("a", "b", "code", "em", "i", "kbd", "span", "strong", "sub", "sup")


def finish(page, figure, number=None):
    """`figure` is the word before the number, "Figure {number}", empty where the figures have their numbers; `number` that
    of the chapter, if it is one."""
    tokens = TAG.split(page)
    _head_cells(tokens)
    _scrollable(tokens)
    _short_code(tokens)
    if figure:
        _figures(tokens, figure, number)
    _typography(tokens)
    return "".join(tokens)


def _name(token):
    match = re.match(r"</?([a-zA-Z0-9]+)", token)
    return match.group(1).lower() if match else ""


def _head_cells(tokens):
    row = []  # Of a table's row: (index of the cell's opening tag, of its closing tag)
    for i in range(1, len(tokens), 2):
        if tokens[i].startswith("<tr"):
            row = []
        elif tokens[i].startswith(("<th ", "<th>", "<td ", "<td>")):
            row.append([i, None])
        elif tokens[i] in ("</th>", "</td>"):
            row[-1][1] = i
        elif tokens[i] == "</tr>":
            _head_cells_of_row(tokens, row)


def _head_cells_of_row(tokens, row):
    scope = "row" if any(tokens[first].startswith("<td") for first, _ in row) else "col"
    for first, last in row:
        if not tokens[first].startswith("<th"):
            continue
        if not "".join(tokens[first + 1:last]).strip():
            tokens[first] = "<td" + tokens[first][3:]
            tokens[last] = "</td>"
        elif "scope=" not in tokens[first]:
            tokens[first] = f'<th scope="{scope}"' + tokens[first][3:]


def _scrollable(tokens):
    for i in range(1, len(tokens), 2):
        if (_name(tokens[i]) == "pre" or 'class="scroll' in tokens[i]) and not tokens[i].startswith("</") \
                and "tabindex" not in tokens[i]:
            tokens[i] = tokens[i][:-1] + ' tabindex="0">'


# A third of a page. What is kept together and higher would leave pages half empty.
SHORT = 20


def _short_code(tokens):
    for i in range(1, len(tokens), 2):
        if _name(tokens[i]) != "pre" or tokens[i].startswith("</") or "class=" in tokens[i]:
            continue
        end = next(k for k in range(i, len(tokens), 2) if tokens[k] == "</pre>")
        if "".join(tokens[i + 1:end:2]).strip("\n").count("\n") < SHORT:
            tokens[i] = '<pre class="short"' + tokens[i][4:]


def _figures(tokens, figure, chapter):
    count, opened = 0, None
    depth, answer = 0, None  # How many <div> are open, and how many were when the answer began.
    for i in range(1, len(tokens), 2):
        if _name(tokens[i]) == "div":
            depth += -1 if tokens[i].startswith("</") else 1
            if answer is None and tokens[i] == '<div class="answer">':
                answer = depth
            elif answer is not None and depth < answer:
                answer = None
        elif _name(tokens[i]) == "figure" and not tokens[i].startswith("</"):
            opened = i
        elif tokens[i] == "<figcaption>" and answer is None:
            count += 1
            number = f"{chapter}.{count}" if chapter else str(count)
            tokens[opened] = tokens[opened][:-1] + f' id="figure-{number.replace(".", "-")}">'
            tokens[i] += f'<b>{figure.format(number=number)}</b> '


def _typography(tokens):
    last, last_text = " ", 0  # The character before, of the same paragraph, and the last token of prose.
    inside = []
    for i, token in enumerate(tokens):
        if i % 2:
            name = _name(token)
            if name in AS_IT_IS:
                if token.startswith("</"):
                    inside.pop()
                else:
                    inside.append(name)
            if name not in INLINE:
                last = " "
        elif token:
            if not inside:
                token = languages.spaced(typographic(token, last))
                tokens[i] = " " + token if languages.parts_words(last, token[0]) else token
                last_text = i
            elif languages.is_han(last) and languages.parts_words(last, token[0]):
                tokens[last_text] += " "  # Before code, which stays as it is.
            last = token[-1]


def typographic(text, before=" "):
    """Text of a page with real signs; `before` is the character before it."""
    text = text.replace("&#34;", '"').replace("&quot;", '"').replace("&#39;", "'")
    text = re.sub(r"(?<=\d)(\s)x(?=\s\d)", "\\1×", text)

    def quote(match):
        previous = text[match.start() - 1] if match.start() else before
        opens = previous.isspace() or previous in "([—–“"
        if match.group() == "'":
            return "'" if opens else "’"
        return "“" if opens else "”"

    return re.sub("[\"']", quote, text)

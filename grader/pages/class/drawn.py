# SPDX-License-Identifier: Apache-2.0
"""What of a class report was drawn from what, so that the next drawing draws what has changed and nothing else.

It is kept in the report's folder, as hashes: of what each student's page was made from, of the page itself, so that a page
that somebody has edited or lost is drawn again, and of the texts whose similarity was computed. Whoever changes what
draws (the files beside this one, and pages/) has everything drawn anew. A file that is missing or damaged means the same.
"""
import hashlib
import json
import pathlib

import pages
import similarity
from listing import pygments

HERE = pathlib.Path(__file__).resolve().parent
NAME = ".drawn.json"


def digest(*values):
    """Of anything that JSON can say."""
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()


def drawing_code():
    """Of all that decides how a page looks, and is no data."""
    files = sorted(path for folder in (HERE, pathlib.Path(pages.__file__).parent) for path in folder.iterdir() if path.is_file())
    colours = pygments.__version__ if pygments else "none"
    return digest(colours, pages.jinja2.__version__, [(path.name, hashlib.sha256(path.read_bytes()).hexdigest()) for path in files])


class Drawn:
    def __init__(self, folder):
        self._file, self._folder, self._code = pathlib.Path(folder) / NAME, pathlib.Path(folder), drawing_code()
        known = self._read()
        self._pages, self._similar = known["pages"], known["similar"]
        self._new_pages, self._new_similar = {}, {}

    def _read(self):
        try:
            known = json.loads(self._file.read_text(encoding="utf-8"))
            if known["code"] == self._code and isinstance(known["pages"], dict) and isinstance(known["similar"], dict):
                return known
        except (OSError, ValueError, KeyError, TypeError):
            pass
        return {"pages": {}, "similar": {}}

    def page(self, file, inputs, draw):
        """Writes what draw() returns, unless the page is there and was made from the same."""
        name = str(file.relative_to(self._folder))
        if self._pages.get(name) != [inputs, self._of_file(file)]:
            pages.write_if_changed(file, draw())
        self._new_pages[name] = [inputs, self._of_file(file)]

    @staticmethod
    def _of_file(file):
        try:
            return hashlib.sha256(file.read_bytes()).hexdigest()
        except OSError:
            return ""

    def similar(self, exercise, texts, starter):
        """similarity.compare(), from the last drawing where all texts are the same."""
        keys = sorted(texts)
        inputs = digest([texts[key] for key in keys], starter)
        known = self._similar.get(exercise)
        if not (isinstance(known, list) and len(known) == 4 and known[0] == inputs):
            place = {key: number for number, key in enumerate(keys)}
            groups, pairs, left = similarity.compare({key: texts[key] for key in keys}, starter)
            known = [inputs, [[place[key] for key in group] for group in groups],
                     [[share, place[a], place[b]] for share, a, b in pairs], [place[key] for key in left]]
        self._new_similar[exercise] = known
        return ([[keys[number] for number in group] for group in known[1]],
                [(share, keys[a], keys[b]) for share, a, b in known[2]], [keys[number] for number in known[3]])

    def save(self):
        """What was not drawn or compared this time is forgotten."""
        pages.write_if_changed(self._file, json.dumps({"code": self._code, "pages": self._new_pages,
                                                       "similar": self._new_similar}))

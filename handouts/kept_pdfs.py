# SPDX-License-Identifier: Apache-2.0
"""PDFs that were printed before, by the hash of what decides them: the page, which is one file with all that it shows, the
paper, and what prints.

Printing takes longer than all else that builds the handouts, and whoever makes a student edition prints the same pages in a
new folder each time. The folder is the user's cache; the least recently used files beyond MOST are removed. Several processes
may use it at once. If something goes wrong here, a page is printed again.
"""
import hashlib
import os
import pathlib
import posixpath
import re
import tempfile
import urllib.parse

MOST = 256
END = b"%%EOF"
HERE = pathlib.Path(__file__).resolve().parent
_LINK = re.compile(rb"/URI \((file://[^()\\]*)\)")


class KeptPdfs:
    def __init__(self, folder, browser):
        """`folder` empty: nothing is kept. `browser` is the program that prints."""
        self._folder = pathlib.Path(folder) if folder else None
        self._printer = self._of_printer(browser) if folder else b""

    @staticmethod
    def _of_printer(browser):
        """The browser's file has another time in another version. What prints with it is ours."""
        file = pathlib.Path(browser).resolve()
        ours = [HERE / "paper.py", HERE / "kept_pdfs.py", HERE.parent / "grader" / "pages" / "chromium.py"]
        try:
            status = file.stat()
            code = [hashlib.sha256(each.read_bytes()).hexdigest() for each in ours]
        except OSError:
            return b""
        return "\0".join([str(file), str(status.st_size), str(status.st_mtime_ns), *code]).encode()

    def _file(self, page, paper):
        parts = hashlib.sha256(page.read_bytes()).digest(), paper.encode(), self._printer
        return self._folder / (hashlib.sha256(b"\0".join(parts)).hexdigest() + ".pdf")

    def find(self, page, paper):
        """The PDF of a page; None if it was not printed, or is not there as a whole."""
        if not self._printer:
            return None
        try:
            file = self._file(page, paper)
            pdf = file.read_bytes()
            os.utime(file)  # It was used.
        except OSError:
            return None
        return pdf if pdf.rstrip().endswith(END) else None

    def insert(self, page, paper, pdf):
        if not self._printer:
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self._folder, delete=False) as part:
                part.write(pdf)
            os.replace(part.name, self._file(page, paper))
            self._remove_oldest()
        except OSError:
            pass

    def _remove_oldest(self):
        files = sorted((each.stat().st_mtime_ns, each) for each in self._folder.iterdir())
        for _, file in files[:max(len(files) - MOST, 0)]:
            file.unlink(missing_ok=True)


def beside(pdf, page):
    """The PDF with links to files as the page has them, relative to its folder: Chromium writes where they lie now. The
    length stays, because a PDF knows the places of its parts."""
    folder = urllib.parse.urlsplit(page.resolve().parent.as_uri()).path

    def relative(found):
        path, hash_sign, place = found.group(1).decode().removeprefix("file://").partition("#")
        link = f"/URI ({posixpath.relpath(path, folder)}{hash_sign}{place})".encode()
        length = len(found.group())
        return link.ljust(length) if len(link) <= length else found.group()

    return _LINK.sub(relative, pdf)

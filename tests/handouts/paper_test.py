# SPDX-License-Identifier: Apache-2.0
"""Pages on paper: what was printed once is kept, wherever the same page is built the next time, and links to its neighbours."""
import contextlib
import io
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "handouts"), str(ROOT / "grader" / "pages")]
import kept_pdfs  # noqa: E402
import paper  # noqa: E402

PRINTED = []


class Browser:
    """Prints as Chromium does, as far as it matters here, and counts in PRINTED."""

    def __init__(self, _program):
        self.url = ""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def page(self):
        return Browser("")

    def open(self, url):
        self.url = url

    def start_pdf(self, size):
        PRINTED.append((self.url.rpartition("/")[2], size))
        return size

    def finish_pdf(self, size):
        folder = self.url.rpartition("/")[0]
        return (f"%PDF {size} /URI ({folder}/glossary.html#warp) /URI ({folder.rpartition('/')[0]}/index.html)"
                " /URI (https://example.org/a) %%EOF\n").encode()


class Paper(unittest.TestCase):
    def setUp(self):
        # pylint: disable-next=consider-using-with
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.scratch = pathlib.Path(folder.name).resolve()
        self.program = self.scratch / "chromium"
        self.program.write_text("1")
        PRINTED.clear()

    def build(self, folder, text="<p>page</p>", papers=("A4", "Letter")):
        """Prints the page PAGE.html of this folder; returns what the browser printed and what was said."""
        page = self.scratch / folder / "page.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text)
        PRINTED.clear()
        said = io.StringIO()
        with unittest.mock.patch("chromium.find", lambda: str(self.program)), unittest.mock.patch("chromium.Chromium", Browser), \
                unittest.mock.patch("os.cpu_count", lambda: 2), contextlib.redirect_stderr(said):
            paper.print_all([(page, each) for each in papers], None, "{n} PDFs, {seconds} s", str(self.scratch / "kept"))
        for each in papers:
            self.assertTrue((page.parent / f"page-{each}.pdf").read_bytes().startswith(f"%PDF {each}".encode()))
        return len(PRINTED), said.getvalue()

    def test_the_same_page_in_another_folder_is_not_printed_again(self):
        self.assertEqual(self.build("one"), (2, "2 PDFs, 3 s\n"))
        self.assertEqual(self.build("two"), (0, ""))
        self.assertEqual(self.build("two", papers=("A4", "Letter", "16x9")), (1, ""))

    def test_another_page_or_browser_is(self):
        self.build("one")
        self.assertEqual(self.build("two", text="<p>other</p>")[0], 2)
        self.program.write_text("version 2")
        self.assertEqual(self.build("three")[0], 2)

    def test_a_damaged_one_is(self):
        self.build("one")
        for file in (self.scratch / "kept").iterdir():
            file.write_bytes(file.read_bytes()[:20])
        self.assertEqual(self.build("two")[0], 2)
        self.assertEqual(self.build("three")[0], 0)

    def test_the_oldest_go(self):
        with unittest.mock.patch("kept_pdfs.MOST", 2):
            self.build("one")
            self.build("two", text="<p>other</p>")
            self.assertEqual(len(list((self.scratch / "kept").iterdir())), 2)
            self.assertEqual(self.build("three", text="<p>other</p>")[0], 0)
            self.assertEqual(self.build("four")[0], 2)

    def test_a_folder_that_cannot_be_written_costs_nothing(self):
        (self.scratch / "kept").write_text("no folder")
        self.assertEqual(self.build("one")[0], 2)

    def test_links_lead_to_the_neighbours_wherever_the_folder_goes(self):
        """In a student edition the folder in which the pages were printed is long gone."""
        self.build("pages/zh (1)", papers=("A4",))
        pdf = (self.scratch / "pages" / "zh (1)" / "page-A4.pdf").read_bytes()
        self.assertNotIn(b"file:", pdf)
        for link in (b"/URI (glossary.html#warp) ", b"/URI (../index.html) ", b"/URI (https://example.org/a) "):
            self.assertIn(link, pdf)
        before = Browser("")
        before.open((self.scratch / "pages" / "zh (1)" / "page.html").as_uri())
        self.assertEqual(len(pdf), len(before.finish_pdf("A4")), "a PDF knows the places of its parts")
        self.assertEqual(kept_pdfs.beside(b"/URI (file:///a)", pathlib.Path("/far/below/this/page.html")), b"/URI (file:///a)")


if __name__ == "__main__":
    unittest.main()

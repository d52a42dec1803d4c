# SPDX-License-Identifier: Apache-2.0
"""The pages on paper: PAGE-A4.pdf and PAGE-Letter.pdf beside PAGE.html, an instructor's slides as PAGE.slides-16x9.pdf;
tagged, printed by a headless Chromium."""
import os
import re
import sys

import chromium
import kept_pdfs
import progress
from markupsafe import Markup

MISSING = ("No PDF: there is no Chromium here. Install the package chromium (or Google Chrome), or print the pages "
           "from a browser.")
SLIDES = "16x9"
MOST_AT_ONCE = 4  # Pages that are printed at the same time; each takes some 200 MB.
SECONDS_EACH = 3  # One page on one core.


def running_head(left, right, made_by=""):
    """Style sheet of a page: its running heads and page numbers (CSS Paged Media 3, page-margin boxes). `made_by` is the
    page's footer, which on paper stands below the first page: behind the last words it may be alone on a page."""
    return Markup("""@page {
  @top-left { content: %s; }
  @top-right { content: %s; }
  @bottom-right { content: counter(page) " / " counter(pages); }
}
@page :first { @top-left { content: none; } @top-right { content: none; }
  @bottom-left { content: %s; font-size: 6.5pt; white-space: nowrap; } }""") % (_string(left), _string(right), _string(made_by))


def _string(text):
    """A CSS string; what could end it or the style element is written as a number."""
    return Markup('"' + re.sub(r'[^\w .,:;()+–-]', lambda match: f"\\{ord(match.group()):06x}", text) + '"')


def remove(pages):
    """Removes the PDFs of [(page, paper)]: of pages that have changed since, perhaps, and are not printed now."""
    for page, paper in pages:
        _pdf_of(page, paper).unlink(missing_ok=True)


def print_all(pages, words=None, before=None, kept_in=""):
    """Prints of [(page, paper)] what is not there or older than its page. `words` say how far it is, `before` how many there
    are and how long that takes. What was printed is kept in the folder `kept_in`, and copied from there the next time."""
    if not chromium.find():
        remove(pages)
        if pages:
            print(MISSING)
        return
    kept = kept_pdfs.KeptPdfs(kept_in, chromium.find())
    wanted = [(page, paper) for page, paper in pages if not _is_fresh(_pdf_of(page, paper), page)]
    wanted = [each for each in wanted if not _copy(kept, *each)]
    if not wanted:
        return
    at_once = min(len(wanted), os.cpu_count() or 1, MOST_AT_ONCE)
    if before and len(wanted) > 1:
        print(before.format(n=len(wanted), seconds=SECONDS_EACH * len(wanted) // at_once), file=sys.stderr, flush=True)
    line = progress.Line(words, len(wanted))

    def save(tab, number, page, paper):
        pdf = kept_pdfs.beside(tab.finish_pdf(number), page)
        kept.insert(page, paper, pdf)
        _write(_pdf_of(page, paper), pdf)
        line.next(_pdf_of(page, paper).name)

    line.show()
    try:
        with chromium.Chromium(chromium.find()) as browser:
            tabs = [browser.page() for _ in range(at_once)]
            printing = {}  # Of a tab: (number of the answer that it owes, page, paper)
            for i, (page, paper) in enumerate(wanted):
                tab = tabs[i % len(tabs)]
                if tab in printing:
                    save(tab, *printing.pop(tab))
                tab.open(page.resolve().as_uri())
                printing[tab] = (tab.start_pdf(paper), page, paper)
            for tab, owed in printing.items():
                save(tab, *owed)
    except chromium.Fault as fault:
        line.clear()
        sys.exit(f"the pages could not be printed: {fault}\n  --paper none leaves it at HTML")
    line.clear()


def _pdf_of(page, paper):
    return page.with_name(f"{page.stem}-{paper}.pdf")


def _copy(kept, page, paper):
    """Whether it was kept."""
    pdf = kept.find(page, paper)
    if pdf:
        _write(_pdf_of(page, paper), pdf)
    return pdf is not None


def _write(file, pdf):
    part = file.with_name(file.name + ".part")
    part.write_bytes(pdf)
    os.replace(part, file)


def _is_fresh(file, page):
    return file.exists() and file.stat().st_mtime_ns >= page.stat().st_mtime_ns

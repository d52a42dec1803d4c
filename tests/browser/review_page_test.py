# SPDX-License-Identifier: Apache-2.0
"""The pages of `warplings review` in a browser: review_page_test.py PROGRAM [PART-OF-A-TEST...]. Writes TAP, a line for each test.

Grades a class of three, serves it in both languages, and does what an instructor does: comments on a line, marks by a rubric,
answers a request, meets somebody else's comment, marks what is reviewed, and prints a student's page.
"""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from looking import LOOKS, ROOT, WIDE, WIDTHS, chromium, expect, main, need, test, violations

EXERCISE = "01_boundary_checks/tiled_matmul"
ADA, EVE = "students/Ada_Lovelace.html", "students/Eve.html"
PLACES = ("", "?not-reviewed", ADA, EVE)
SOLUTION = ROOT / "solutions" / f"{EXERCISE}.cu"
# Wider than any paper, with blanks and without.
LONG_LINES = ["// " + "a rather long remark " * 20, "// " + "x" * 400]
PAPER = 665  # px: A4 between its margins.


class Reviewed:
    """A graded class, reviewed in English and in Chinese at the same time."""

    def __init__(self, folder, program):
        self.folder, self.program, self.addresses, self._served = folder, program, {}, []
        hand_in(folder / "class" / "Ada Lovelace", SOLUTION)
        hand_in(folder / "class" / "Eve", ROOT / "tests" / "mutants" / f"{EXERCISE}.m_load_unguarded.cu")
        (folder / "class" / "Nobody").mkdir()
        self.grade()
        self.call("override", "out", "Eve", "tiled_matmul", "--request", "Is <line 3> really wrong?")
        for language in ("en", "zh_Hant"):
            self.serve(language)

    def environment(self):
        return {**os.environ, "XDG_STATE_HOME": str(self.folder / "state"), "CUDA_VISIBLE_DEVICES": "", "LC_ALL": "C.UTF-8",
                "USER": "grace"}

    def call(self, *arguments):
        done = subprocess.run([self.program, *arguments], cwd=self.folder, env=self.environment(), capture_output=True, text=True,
                              timeout=300, check=False)
        expect(done.returncode == 0, done.stdout + done.stderr)
        return done.stdout

    def grade(self):
        self.call("grade", "class", "tiled_matmul", "--out", "out", "--seed", "7")

    def serve(self, language):
        # pylint: disable-next=consider-using-with
        served = subprocess.Popen([self.program, "review", "out", "--lang", language], cwd=self.folder, env=self.environment(),
                                  stdout=subprocess.PIPE, text=True)
        self._served.append(served)
        found = re.search(r"http://\S+/", served.stdout.readline())
        expect(found, "the review does not say where it is")
        self.addresses[language] = found[0]

    def page(self, place="", language="en"):
        return self.addresses[language] + place

    def end(self):
        for served in self._served:
            served.send_signal(signal.SIGINT)
        return [served.wait(timeout=60) for served in self._served]


def hand_in(folder, file):
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(file, folder / "tiled_matmul.cu")


def made(folder, program):
    return Reviewed(folder, str(pathlib.Path(program).resolve()))


def wait_until(tab, script, what):
    """Until the script is true."""
    expect(tab.evaluate(f"""new Promise((done) => {{ const end = Date.now() + 15000; (function look() {{
        if ({script}) done(true); else if (Date.now() > end) done(false); else setTimeout(look, 20); }})(); }})"""),
           f"{what}: {tab.evaluate('document.getElementById(`said`)?.textContent')}")


def fill(tab, form, **fields):
    """Writes into a form's fields and sends it, as a click on its first button does."""
    tab.evaluate(f"""(() => {{ const form = document.querySelector({json.dumps(form)}), values = {json.dumps(fields)};
        for (const name in values) form.elements[name].value = values[name];
        document.getElementById("said").textContent = "";
        form.querySelector("button").click(); }})()""")


def is_said(tab, words):
    wait_until(tab, f"document.getElementById('said').textContent.includes({json.dumps(words)})", f"nobody says {words}")


def is_refused(tab, words):
    wait_until(tab, f"[...document.querySelectorAll('.refusal')].some((each) => each.textContent.includes({json.dumps(words)}))",
               f"nothing says {words}")
    expect(tab.evaluate("[...document.querySelectorAll('.refusal')].every((each) => each.closest('form, .item'))"), "far from the field")


def text_of(tab, selector):
    return tab.evaluate(f"[...document.querySelectorAll({json.dumps(selector)})].map((each) => each.textContent.trim()).join('\\n')")


def press(tab, key):
    code, more = {"Enter": (13, {"text": "\r"}), "Tab": (9, {})}[key]
    tab.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **more)
    tab.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)


def tab_to(tab, selector, most):
    """With the Tab key, from where the keyboard is."""
    for _ in range(most):
        press(tab, "Tab")
        if tab.evaluate(f"document.activeElement.matches({json.dumps(selector)})"):
            return
    raise AssertionError(f"{most} times Tab do not lead to {selector}, but to {tab.evaluate('document.activeElement.outerHTML')[:200]}")


def arrive(tab, address):
    """Waits until a link that was followed has led there."""
    end = time.monotonic() + 15
    while time.monotonic() < end:
        try:
            at = tab.evaluate("[location.href, document.readyState]")
            if at == [address, "complete"]:
                return
        except chromium.Fault:  # Asked between two pages.
            at = None
        time.sleep(0.02)
    raise AssertionError(f"the page is {at}, not {address}")


MARK = ".mark.above button"
COMMENT = "form[data-action=comment]:not([data-line]):not(.of-line)"


@test
def a_comment_is_written_beside_its_line(reviewed, browser):
    tab = browser.page()
    tab.open(reviewed.page(ADA))
    tab.evaluate("document.querySelectorAll('.listing .line')[4].click()")
    expect(tab.evaluate("document.activeElement.name") == "text", "the comment's field is not ready to be written into")
    expect(tab.evaluate("document.querySelector('.of-line').elements.line.value") == "5", "it is not about line 5")
    fill(tab, ".of-line", text="Which <b>tile</b>?\nAnd why?")
    is_said(tab, "Saved.")
    for _ in range(2):  # As it is, and loaded again.
        expect(text_of(tab, ".listing .l:nth-child(5) .written") == "Which <b>tile</b>?\nAnd why?", text_of(tab, ".listing .comment"))
        tab.open(reviewed.page(ADA))
    expect("Which <b>tile</b>?" in reviewed.call("override", "out", "--list"), "the gradebook does not have it")
    expect(text_of(tab, ".listing .l.commented:nth-child(5) .comment .at") == "line 5", "its box does not name its line")
    # Changed where it stands, and taken back.
    fill(tab, "form[data-line='5']", text="Which tile?")
    is_said(tab, "Saved.")
    expect(text_of(tab, ".listing .written") == "Which tile?", text_of(tab, ".listing .written"))
    tab.evaluate("document.querySelector('form[data-line=\"5\"] [name=removes]').click()")
    wait_until(tab, "!document.querySelector('.listing .written')", "it is still there")
    fill(tab, ".of-line", line="7", text="Without a mouse.")
    wait_until(tab, "document.querySelector('.listing .l:nth-child(7) .written')", "there is no comment beside line 7")


@test
def a_rubric_gives_and_takes_points(reviewed, browser):
    tab = browser.page()
    tab.open(reviewed.page(ADA))
    expect(text_of(tab, "#total") == "10", text_of(tab, "#total"))
    fill(tab, "form[data-action=item]:not([data-test])", text="No comment at all", points="-2.5")
    is_said(tab, "Saved.")
    tab.evaluate("document.querySelector('[data-action=mark]').click()")
    wait_until(tab, "document.getElementById('total').textContent === '7.5'", "the item takes nothing")
    expect(tab.evaluate("document.activeElement.dataset.action") == "mark", "the keyboard lost its place")
    tab.evaluate("document.querySelector('[data-action=mark]').click()")
    wait_until(tab, "document.getElementById('total').textContent === '10'", "it does not give it back")
    tab.evaluate("document.querySelector('[data-action=mark]').click()")
    wait_until(tab, "document.getElementById('total').textContent === '7.5'", "nor take it again")
    # Other students can have it, too, and its new points are everybody's.
    tab.open(reviewed.page(EVE))
    expect("No comment at all" in text_of(tab, ".item"), "Eve has no such item")
    expect("every student who has this item (now 1)." in text_of(tab, ".item"), text_of(tab, ".item"))
    # A slip for 1.2.
    fill(tab, "form[data-action=item][data-test='1']", points="12")
    is_refused(tab, "12 points is more than the 10 that 01_boundary_checks/tiled_matmul has. Give at most 10")
    fill(tab, "form[data-action=item][data-test='1']", points="-1")
    is_said(tab, "Saved.")
    fill(tab, "form[data-action=item]:not([data-test])", text="x", points="many")
    is_refused(tab, "'many' is not a number of points")
    tab.open(reviewed.page(ADA))
    expect(text_of(tab, "#total") == "9", text_of(tab, "#total"))


@test
def what_is_refused_is_said_in_sentences(reviewed, browser):
    tab = browser.page()
    for language, said in (("en", "that 01_boundary_checks/tiled_matmul has. Give at most 10."), ("zh_Hant", "。最多給 10 分")):
        tab.open(reviewed.page(EVE, language))
        fill(tab, "form[data-action=points]", points="99", text="Too many.")
        wanted = json.dumps(said.replace(" ", ""))
        wait_until(tab, f"document.querySelector('.refusal')?.textContent.replace(/\\s/g, '').includes({wanted})", said)


@test
def what_was_refused_before_is_not_what_is_wrong_now(reviewed, browser):
    tab = browser.page()
    tab.open(reviewed.page(EVE))
    points = "form[data-action=points]"
    fill(tab, points, points="-1", text="x")
    is_refused(tab, "points must be 0 or more, not -1.")
    # The browser itself says that a field is empty.
    fill(tab, points, points="3", text="")
    expect(tab.evaluate(f"document.querySelector({json.dumps(points)}).elements.text.validity.valueMissing"), "it is not empty")
    wait_until(tab, "document.querySelector('.refusal') === null", "the old message is still there")


@test
def a_request_is_answered(reviewed, browser):
    tab = browser.page()
    tab.open(reviewed.page())
    expect("Eve, tiled_matmul: Is <line 3> really wrong?" in text_of(tab, "main"), text_of(tab, "main"))
    tab.evaluate("document.querySelector('input[value=requests]').click()")
    expect(tab.evaluate(SHOWN) == "Eve", f"who asked to look again: {tab.evaluate(SHOWN)}")
    tab.open(reviewed.page(EVE))
    fill(tab, "form[data-action=answer]", text="It is.")
    is_said(tab, "Saved.")
    expect(tab.evaluate("document.querySelector('form[data-action=answer]')") is None, "it can be answered twice")
    tab.open(reviewed.page())
    expect("really wrong" not in text_of(tab, "main"), "it is still open")


@test
def two_who_write_at_once_see_each_other(reviewed, browser):
    one, other = browser.page(), browser.page()
    one.open(reviewed.page(EVE))
    other.open(reviewed.page(EVE, "zh_Hant"))  # Another process, as on another desk.
    one.evaluate("const a = document.getElementById('author'); a.value = 'Grace'; a.dispatchEvent(new Event('change'))")
    fill(one, COMMENT, text="Well begun.")
    is_said(one, "Saved.")
    fill(other, COMMENT, text="Poor.")
    wait_until(other, "document.querySelector('.conflict')", "nobody is told")
    expect("Well begun." in text_of(other, ".conflict") and "Grace" in text_of(other, ".conflict"), text_of(other, ".conflict"))
    expect(other.evaluate(f"document.querySelector({json.dumps(COMMENT)}).elements.text.value") == "Poor.", "his own words are lost")
    expect("Well begun." in reviewed.call("override", "out", "--list"), "it was replaced")
    fill(other, COMMENT)
    is_said(other, "已儲存")
    expect("Poor." in reviewed.call("override", "out", "--list"), "it could not be replaced")


@test
def what_is_written_elsewhere_outlives_a_save(reviewed, browser):
    tab = browser.page()
    tab.open(reviewed.page(EVE))
    tab.evaluate(f"document.querySelector({json.dumps(COMMENT)}).elements.text.value = 'half a sent'")
    fill(tab, "form[data-action=points]", points="3", text="shown in the lab")
    is_said(tab, "Saved.")
    expect(text_of(tab, "#total") == "3", text_of(tab, "#total"))
    expect(tab.evaluate(f"document.querySelector({json.dumps(COMMENT)}).elements.text.value") == "half a sent", "it is gone")
    fill(tab, "form[data-action=points]", points="11", text="too many")
    is_refused(tab, "is more than the 10")
    # It offers what it is then about; and takes it back.
    tab.evaluate("document.querySelector('[name=beyond]').click()")
    fill(tab, "form[data-action=points]", points="11", text="extra")
    wait_until(tab, "document.getElementById('total').textContent === '11'", "extra points are refused")
    expect(tab.evaluate("document.querySelector('[name=beyond]').checked"), "it does not say that they are extra")
    fill(tab, "form[data-action=points]", points="3", text="shown in the lab")
    wait_until(tab, "document.getElementById('total').textContent === '3'", "they cannot be taken back")


def press_in(tab, field, key, **more):
    tab.evaluate(f"""document.querySelector({json.dumps(field)}).dispatchEvent(new KeyboardEvent("keydown",
        {json.dumps({"key": key, "bubbles": True, "cancelable": True, **more})}))""")


@test
def ctrl_enter_saves_and_saved_is_not_said_of_what_is_not(reviewed, browser):
    tab = browser.page()
    tab.open(reviewed.page(EVE))
    field = f"{COMMENT} textarea"
    # Setting a value is no typing.
    tab.evaluate(f"document.querySelector({json.dumps(field)}).value = 'By the keyboard.'")
    press_in(tab, field, "Enter")
    expect(text_of(tab, "#said") == "", "Enter alone saves")
    press_in(tab, field, "Enter", ctrlKey=True)
    is_said(tab, "Saved.")
    expect("By the keyboard." in reviewed.call("override", "out", "--list"), "the gradebook does not have it")
    tab.evaluate(f"document.querySelector({json.dumps(field)}).dispatchEvent(new InputEvent('input', {{bubbles: true}}))")
    expect(text_of(tab, "#said") == "", "it still says so while somebody writes")


@test
def that_it_is_saved_covers_no_button(reviewed, browser):
    tab = browser.page()
    tab.open(reviewed.page(EVE))
    for width in WIDTHS:
        tab.look(width)
        tab.evaluate("document.getElementById('said').textContent = 'Saved.'")
        for place in ("above", "below"):
            # At the lower edge of the window, where it is said.
            covered = tab.evaluate(f"""(() => {{ const button = document.querySelector(".mark.{place} button");
                button.scrollIntoView({{block: "end"}});
                const pressed = button.getBoundingClientRect(), said = document.getElementById("said").getBoundingClientRect();
                return pressed.left < said.right && said.left < pressed.right && pressed.top < said.bottom && said.top < pressed.bottom;
                }})()""")
            expect(not covered, f"it covers the mark {place} at {width} px")


@test
def a_mark_says_who_reviewed_and_is_taken_back(reviewed, browser):
    tab = browser.page()
    tab.open(reviewed.page())
    expect("0 of 2 reviewed" in text_of(tab, "main"), text_of(tab, "main"))
    tab.open(reviewed.page(ADA))
    for place in ("above", "below"):
        tab.evaluate(f"document.querySelector('.mark.{place} button').click()")
        is_said(tab, "Saved.")
        for _ in range(2):  # As it is, and loaded again.
            said = text_of(tab, ".mark.above")
            expect(re.search(r"✓ Reviewed \(grace, 20\d\d-\d\d-\d\d\s\d\d:\d\d\sUTC\)", said), said)
            expect("1 of 2 reviewed" in text_of(tab, "#count"), text_of(tab, "#count"))
            tab.open(reviewed.page(ADA))
        expect("tiled_matmul: reviewed" in reviewed.call("override", "out", "--list"), "the gradebook does not have it")
        tab.evaluate(f"document.querySelector('.mark.{place} button').click()")
        is_said(tab, "Saved.")
        expect("Reviewed" not in text_of(tab, ".mark") and "0 of 2 reviewed" in text_of(tab, "#count"), text_of(tab, ".mark"))
    trail = reviewed.call("override", "out", "--audit")
    expect(trail.count('"reviewed","Ada Lovelace"') == 4, trail)
    # Nothing was handed in, so there is nothing to look at.
    tab.open(reviewed.page("students/Nobody.html"))
    expect(text_of(tab, ".mark") == "", text_of(tab, ".mark"))


SHOWN = "[...document.querySelectorAll('#class tbody tr')].filter((row) => !row.hidden).map((row) => row.cells[0].innerText.trim()).join()"


@test
def the_list_shows_who_passed_and_filters(reviewed, browser):
    tab = browser.page()
    tab.open(reviewed.page())
    colours = tab.evaluate("[...document.querySelectorAll('#class td a[href*=tiled]')].map((each) => each.className).join()")
    expect(colours == "good,bad,soft", colours)
    expect(tab.evaluate(SHOWN) == "Ada Lovelace,Eve,Nobody", tab.evaluate(SHOWN))
    tab.evaluate("document.querySelector('input[value=failing]').click()")
    expect(tab.evaluate(SHOWN) == "Eve,Nobody", tab.evaluate(SHOWN))
    tab.evaluate("document.querySelector('#controls button[type=reset]').click()")
    # The rubric and the comment are not below a long list.
    tab.open(reviewed.page(EVE))
    expect(tab.evaluate("document.querySelector('details.results').open") is False, "the tests are unfolded")


@test
def the_keyboard_goes_from_one_to_the_next(reviewed, browser):
    tab, anchor = browser.page(), f"#{EXERCISE.replace('/', '-')}"
    tab.open(reviewed.page())
    tab_to(tab, "a[href=next]", 12)
    for place in (ADA, EVE):
        press(tab, "Enter")
        arrive(tab, reviewed.page(place) + anchor)
        tab_to(tab, MARK, 4)
        press(tab, "Enter")
        is_said(tab, "Saved.")
        expect(tab.evaluate(f"document.activeElement.matches({json.dumps(MARK)})"), "the keyboard lost its place")
        tab_to(tab, ".mark.above a", 1)
    press(tab, "Enter")
    arrive(tab, reviewed.page())  # There is none.
    expect("2 of 2 reviewed" in text_of(tab, "main"), text_of(tab, "main"))
    expect(tab.evaluate("document.querySelector('a[href=next]')") is None, "there is something next")
    expect(tab.evaluate("document.querySelectorAll('td a[aria-label$=\", reviewed\"]').length") == 2, text_of(tab, "table"))
    tab.open(reviewed.page("?not-reviewed"))
    expect("Everything is reviewed." in text_of(tab, "main"), text_of(tab, "main"))


@test
def only_what_is_not_reviewed_is_shown(reviewed, browser):
    """After the test above; and what comes next is decided when it is asked for, not when the page was made."""
    tab, other = browser.page(), browser.page()
    tab.open(reviewed.page(EVE))
    tab.evaluate(f"document.querySelector({json.dumps(MARK)}).click()")
    is_said(tab, "Saved.")
    tab.open(reviewed.page("?not-reviewed"))
    expect(text_of(tab, "tbody th") == "Eve", text_of(tab, "tbody th"))
    expect(text_of(tab, "[aria-current]") == "Not reviewed yet", text_of(tab, ".filter"))
    tab.evaluate("document.querySelector('.filter a').click()")
    arrive(tab, reviewed.page())
    expect(text_of(tab, "tbody th") == "Ada Lovelace\nEve\nNobody", text_of(tab, "tbody th"))
    tab.open(reviewed.page(ADA))
    other.open(reviewed.page(EVE, "zh_Hant"))  # Somebody else is faster.
    other.evaluate(f"document.querySelector({json.dumps(MARK)}).click()")
    is_said(other, "已儲存")
    expect("已批閱" in text_of(other, ".mark.above") and "2 份中已批閱 2 份" in text_of(other, "#count"), text_of(other, ".mark.above"))
    tab.evaluate("document.querySelector('.mark.above a').click()")
    arrive(tab, reviewed.page())


@test
def another_file_is_not_reviewed_yet(reviewed, browser):
    """After the tests above: Ada's and Eve's are. Ada hands in another one, while a page shows her first."""
    tab, older = browser.page(), browser.page()
    older.open(reviewed.page(ADA))
    older.evaluate(f"document.querySelector({json.dumps(MARK)}).click()")
    is_said(older, "Saved.")
    file = reviewed.folder / "class" / "Ada Lovelace" / "tiled_matmul.cu"
    tab.open(reviewed.page(ADA))
    tab.evaluate(f"document.querySelector({json.dumps(MARK)}).click()")
    is_said(tab, "Saved.")
    first = file.read_text(encoding="utf-8")
    file.write_text(first + "\n".join(LONG_LINES) + "\n", encoding="utf-8")
    reviewed.grade()
    tab.open(reviewed.page(ADA))
    expect("Changed since it was reviewed (grace, 20" in text_of(tab, ".mark.above"), text_of(tab, ".mark.above"))
    expect("1 of 2 reviewed" in text_of(tab, "#count"), text_of(tab, "#count"))
    tab.open(reviewed.page("?not-reviewed"))
    expect(text_of(tab, "tbody th") == "Ada Lovelace" and "↻" in text_of(tab, "tbody td"), text_of(tab, "table"))
    expect(tab.evaluate("document.querySelector('td a').ariaLabel.endsWith(', changed since it was reviewed')"), text_of(tab, "table"))
    older.evaluate(f"document.querySelector({json.dumps(MARK)}).click()")
    is_refused(older, "Something else is graded here since you loaded the page")
    tab.open(reviewed.page(ADA))
    tab.evaluate(f"document.querySelector({json.dumps(MARK)}).click()")
    is_said(tab, "Saved.")
    expect("✓ Reviewed" in text_of(tab, ".mark.above"), text_of(tab, ".mark.above"))
    tab.open(reviewed.page(EVE))  # Whose page below still has something to be marked.
    tab.evaluate("document.querySelector('.mark [name=removes]').click()")
    is_said(tab, "Saved.")


PRESSED = "button, input, textarea, select, a[href]:not([href^='#'])"
# What is cut off at the edge of a paper; on paper nothing scrolls.
CUT = """[...document.querySelectorAll("body *")].filter((e) => e.getClientRects().length > 0 &&
    (e.getBoundingClientRect().right > innerWidth + 1 || e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== "visible"))
    .map((e) => `${e.tagName}.${e.className}: ${e.textContent.trim().slice(0, 60)}`)"""
# Of each comment beside a line: the line's number, and whether it is right below the line's code and above the next line.
BESIDE = """[...document.querySelectorAll(".listing .l")].flatMap((line, i) => [...line.querySelectorAll(".note.comment")].map((note) => {
    const code = line.querySelector("code").getBoundingClientRect(), next = line.nextElementSibling?.getBoundingClientRect();
    const box = note.getBoundingClientRect();
    return [i + 1, box.height > 0 && box.top >= code.bottom - 4 && (!next || box.bottom <= next.top + 1)]; }))"""


def words_on_paper(tab):
    need("pdftotext")
    with tempfile.NamedTemporaryFile(suffix=".pdf") as file:
        pathlib.Path(file.name).write_bytes(tab.pdf("A4"))
        text = subprocess.run(["pdftotext", "-layout", file.name, "-"], capture_output=True, text=True, check=True).stdout
    return re.sub(r"\s+", " ", text)


@test
def paper_has_all_that_a_student_is_told_and_nothing_to_press(reviewed, browser):
    """After the tests above. What is printed from a review, and the page of the report."""
    tab = browser.page()
    tab.open(reviewed.page(ADA))
    fill(tab, COMMENT, text="On the whole exercise. " + "Wolfeschlegelsteinhausen" * 12)
    is_said(tab, "Saved.")
    last = tab.evaluate("document.querySelectorAll('.listing .l').length")
    fill(tab, ".of-line", line=str(last), text="No end in sight. " + "y" * 200)
    is_said(tab, "Saved.")
    # An item that changes no points is told, too.
    fill(tab, "form[data-action=item]:not([data-test])", text="Neatly aligned", points="0")
    is_said(tab, "Saved.")
    tab.evaluate("[...document.querySelectorAll('[data-action=mark]')].at(-1).click()")
    is_said(tab, "Saved.")
    reviewed.call("override", "out", "Ada Lovelace", "--comment", "On all of it.")  # Writes the report, too.
    source = (reviewed.folder / "class" / "Ada Lovelace" / "tiled_matmul.cu").read_text(encoding="utf-8")
    published = (reviewed.folder / "out" / "report" / ADA).as_uri()
    for address in (reviewed.page(ADA), reviewed.page(ADA, "zh_Hant"), published):
        tab.look(PAPER, 940)
        tab.open(address)
        tab.call("Emulation.setEmulatedMedia", media="print")
        expect(tab.evaluate(CUT) == [], f"{address}: {tab.evaluate(CUT)}")
        beside = tab.evaluate(BESIDE)
        expect([line for line, _ in beside] == [7, last] and all(is_there for _, is_there in beside), f"{address}: {beside}")
        shown = tab.evaluate(f"[...document.querySelectorAll({json.dumps(PRESSED)})].filter((e) => e.checkVisibility())"
                             ".map((e) => e.outerHTML.slice(0, 120))")
        expect(shown == [], f"{address}: {shown}")
        tab.call("Emulation.setEmulatedMedia", media="")
        words = words_on_paper(tab)
        for each in ("Without a mouse.", "No end in sight.", "On the whole exercise.", "On all of it.", "No comment at all",
                     "Neatly aligned", "rather long remark", *source.splitlines()[0].split()):
            expect(each in words, f"{address}: {each} is not printed")
        expect(words.replace(" ", "").count("x" * 60) >= 1, f"{address}: the long word is not printed")
        for each in ("Save", "Mark as reviewed", "Reviewed (", "Who decides", "Next student", "Next that", "Served by", "儲存", "標記",
                     "由誰決定", "批閱（"):
            expect(each not in words, f"{address}: {each} is printed")


@test
def paper_says_what_to_mend(reviewed, browser):
    """On the page of a wrong answer the advice is folded on the screen, and the failed tests are not."""
    tab = browser.page()
    tab.open(reviewed.page(EVE))
    advice = tab.evaluate("document.querySelector('.advice p').textContent.trim().split(/\\s+/).slice(0, 6).join(' ')")
    words = words_on_paper(tab)
    for each in (advice, "Is <line 3> really wrong?", "It is.", "failed", "shown in the lab"):
        expect(each in words, f"{each} is not printed")


@test
def the_browser_has_nothing_to_complain_of(reviewed, browser):
    tab = browser.page()
    for place in PLACES:
        for language in reviewed.addresses:
            tab.open(reviewed.page(place, language))
            expect(tab.complaints() == [], f"{place}: {tab.complaints()}")
    expect("評分項目" in text_of(tab, "legend") and "Rubric" not in text_of(tab, "main"), "the Chinese page speaks English")


@test
def nothing_runs_out_of_the_page(reviewed, browser):
    tab = browser.page()
    for width in WIDTHS:
        tab.look(width)
        for place in PLACES:
            for language in reviewed.addresses:
                tab.open(reviewed.page(place, language))
                tab.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
                expect(tab.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0 and tab.evaluate(WIDE) == [],
                       f"{place} at {width} px: {tab.evaluate(WIDE)[:5]}")


@test
def axe_finds_nothing(reviewed, browser):
    found = []
    for width, dark, options in LOOKS:
        tab = browser.page(width=width, dark=dark)
        for place, language in (*((each, "en") for each in PLACES), ("", "zh_Hant"), (ADA, "zh_Hant")):
            tab.open(reviewed.page(place, language))
            tab.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
            found += [f"{place} at {width} px{', dark' if dark else ''}: {each}" for each in violations(tab, options)]
        tab.close()
    expect(not found, "\n".join(found))


@test
def what_cannot_be_saved_stays_in_its_form(reviewed, browser):
    """The last test: it ends the reviews."""
    tab = browser.page()
    tab.open(reviewed.page(ADA))
    expect(reviewed.end() == [0, 0], "Ctrl-C is a fault")
    fill(tab, COMMENT, text="Too late.")
    is_refused(tab, "Not saved")
    expect(tab.evaluate(f"document.querySelector({json.dumps(COMMENT)}).elements.text.value") == "Too late.", "the text is lost")
    published = (reviewed.folder / "out" / "report" / "students" / "Ada_Lovelace.html").read_text(encoding="utf-8")
    expect("Without a mouse." in published and "No comment at all" in published, "the class's pages are not up to date")


if __name__ == "__main__":
    sys.exit(main(made, sys.argv[1:2], sys.argv[2:]))

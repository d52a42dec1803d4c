# SPDX-License-Identifier: Apache-2.0
"""The handouts in a browser: browser_test.py WARPLINGS_CLI BROWSER_CASES HANDOUT_FACTS [PART-OF-A-TEST...]. Writes TAP,
a line for each test.

Builds both versions once, as a user does, and looks at every page: no complaint of the browser's, nothing cut off, no
violation of axe's rules; the interactive pages compute what the grader computes; what is printed is tagged and has no
page with much room left. What is missing on this machine (Chromium, axe, poppler) skips the tests that need it.
"""
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHAPTERS = list(ROOT.glob("chapters/*/chapter.toml"))
sys.path.insert(0, str(ROOT / "handouts"))

import fonts  # noqa: E402
import languages  # noqa: E402
from looking import LOOKS, WIDE, WIDTHS, Skip, expect, find_axe, main, need, test, violations  # noqa: E402

# --- What the tests share ---------------------------------------------------------------------------------------------


class Handouts:
    """Both versions, and a browser to look at them."""

    def __init__(self, program, cases, facts, folder):
        self.program, self.cases, self.facts, self.folder = program, cases, facts, folder
        self.said = {}
        self.faults = None  # What find_faults says of them.

    def build(self):
        environment = {**os.environ, "XDG_STATE_HOME": str(self.folder / "state")}
        for version, options in (("students", []), ("instructor", ["--instructor"])):
            run = subprocess.run([self.program, "handouts", "--out", self.folder / version, *options],
                                 env=environment, capture_output=True, text=True, check=False)
            expect(run.returncode == 0, f"handouts {options}: {run.stdout}{run.stderr}")
            self.said[version] = run.stdout

    def pages(self):
        """Of all languages."""
        return sorted(self.folder.glob("**/*.html"))

    def printed(self):
        return sorted(self.folder.glob("**/*.pdf"))

    def printed_languages(self):
        """How many there are a font for; of the others nothing is printed."""
        without = [each.name for each in languages.all_languages() if not each.has_font()]
        if without:
            print(f"# no font here for {', '.join(without)}: nothing of it was printed, or looked at on paper", flush=True)
        return len(languages.all_languages()) - len(without)

    def language_of(self, page):
        """As HTML calls it."""
        return {"zh_Hant": "zh-Hant-TW"}.get(page.parent.name, "en")

    def interactive(self, name):
        return self.folder / "students" / f"{name}.html"


def name_of(page):
    return "/".join(page.parts[-3:])


# --- Pages -------------------------------------------------------------------------------------------------------------


# Text of drawings that is smaller than 9 px where it is not scrolled to.
SMALL = """[...document.querySelectorAll("svg text")].filter((e) => e.getBoundingClientRect().height > 0).map((e) => {
    const drawing = e.ownerSVGElement, scale = drawing.getBoundingClientRect().width / drawing.viewBox.baseVal.width;
    return [parseFloat(getComputedStyle(e).fontSize) * scale, e.textContent];
  }).filter(([size]) => size < 9)"""
# Words in the middle of a box that are wider than it, with their width beyond it.
TOO_WIDE_FOR_ITS_BOX = """[...document.querySelectorAll("svg rect + text")].filter((e) => e.getBoundingClientRect().height > 0)
    .map((e) => {
      const box = e.previousElementSibling.getBBox(), words = e.getBBox();
      const isWithin = Math.abs(words.x + words.width / 2 - box.x - box.width / 2) < 1 && words.y >= box.y - 1 &&
          words.y + words.height <= box.y + box.height + 1;
      return [isWithin ? words.width - box.width : 0, e.textContent];
    }).filter(([beyond]) => beyond > 0)"""
# Text of drawings that their edges cut off.
CUT_OFF = """[...document.querySelectorAll("svg text")].filter((e) => e.getBoundingClientRect().height > 0).map((e) => {
    const words = e.getBoundingClientRect(), drawing = e.ownerSVGElement.getBoundingClientRect();
    return [Math.max(drawing.left - words.left, words.right - drawing.right), e.textContent];
  }).filter(([beyond]) => beyond > 1)"""
# Code that could be kept on one page, and may part.
PARTS = """[...document.querySelectorAll("main pre:not(.report)")].filter((e) =>
    e.textContent.trim().split("\\n").length <= 20 && getComputedStyle(e).breakInside !== "avoid").map((e) => e.textContent)"""
# What scrolls in a box, but has another colour at its edges than the box.
SMEARS = """[...document.querySelectorAll(".answer .scroll, .box .scroll, .try-it .scroll")].filter((e) => {
    const box = getComputedStyle(e.closest(".answer, .box, .try-it"));
    return getComputedStyle(e).getPropertyValue("--ground") !== box.getPropertyValue("--shade");
  }).map((e) => e.textContent.slice(0, 40))"""


def find_faults(handouts, browser):
    """{kind: [what is wrong where]} of all pages. Most of a test's time is the browser's, to open a page: each is
    opened once, and looked at in every way."""
    faults = {kind: [] for kind in ("complaints", "width", "small", "labels", "cut off", "parts", "smears", *AXE)}
    tab = browser.page()
    for page in handouts.pages():
        def note(kind, found, where="", page=page):
            faults[kind].extend(f"{name_of(page)}{where}: {each}" for each in found[:5])
        tab.look(1280)
        tab.open(page.as_uri())
        for width in WIDTHS:
            tab.look(width)
            scrolls = tab.evaluate("document.documentElement.scrollWidth - innerWidth")
            note("width", ([f"{scrolls} px too wide"] if scrolls > 0 else []) + tab.evaluate(WIDE), f" at {width} px")
            if width == min(WIDTHS):
                note("small", tab.evaluate(SMALL))
            note("labels", tab.evaluate(TOO_WIDE_FOR_ITS_BOX), f" at {width} px")
            note("cut off", tab.evaluate(CUT_OFF), f" at {width} px")
        tab.call("Emulation.setEmulatedMedia", media="print")
        note("parts", tab.evaluate(PARTS))
        tab.call("Emulation.setEmulatedMedia", media="")
        for dark in (False, True):
            tab.look(1280, dark=dark)
            note("smears", tab.evaluate(SMEARS), " in the dark" if dark else "")
        note("complaints", tab.complaints())
        # A drawing is one image with a title. What it is drawn with, four fifths of a page's elements, axe would only
        # walk through.
        tab.evaluate("document.querySelectorAll('svg > :not(title, desc)').forEach((e) => e.remove())")
        for kind, (width, dark, options) in AXE.items() if has_axe() else ():
            tab.look(width, dark=dark)
            note(kind, violations(tab, options))
    tab.close()
    return faults


AXE = dict(zip(("light", "dark", "phone", "phone in the dark"), LOOKS))


def has_axe():
    try:
        return bool(find_axe())
    except Skip:
        return False


def expect_none(handouts, browser, kind):
    if handouts.faults is None:
        handouts.faults = find_faults(handouts, browser)
    expect(not handouts.faults[kind], "\n".join(handouts.faults[kind]))


@test
def the_browser_has_nothing_to_complain_of(handouts, browser):
    """No refusal of the Content-Security-Policy, no exception, no file that is looked for."""
    expect_none(handouts, browser, "complaints")


@test
def nothing_runs_out_of_the_page(handouts, browser):
    """At no width does a page scroll sideways, nor does anything in it but what is meant to scroll."""
    expect_none(handouts, browser, "width")


@test
def figures_on_a_phone_are_readable(handouts, browser):
    expect_none(handouts, browser, "small")


@test
def labels_fit_their_boxes(handouts, browser):
    """At no width does a label of a box run into the next one."""
    expect_none(handouts, browser, "labels")


@test
def drawings_hold_their_words(handouts, browser):
    """No edge of a drawing cuts a word off."""
    expect_none(handouts, browser, "cut off")


@test
def short_code_does_not_part(handouts, browser):
    expect_none(handouts, browser, "parts")


@test
def what_scrolls_has_no_smears(handouts, browser):
    """Where nothing is beyond its edges, it has the colour of the box that it is in."""
    expect_none(handouts, browser, "smears")


@test
def axe_finds_nothing_in_light(handouts, browser):
    find_axe()
    expect_none(handouts, browser, "light")


@test
def axe_finds_nothing_in_dark(handouts, browser):
    find_axe()
    expect_none(handouts, browser, "dark")


@test
def axe_finds_nothing_on_a_phone(handouts, browser):
    find_axe()
    expect_none(handouts, browser, "phone")


@test
def axe_finds_nothing_on_a_phone_in_the_dark(handouts, browser):
    find_axe()
    expect_none(handouts, browser, "phone in the dark")


@test
def a_fault_would_be_found(handouts, browser):
    """In a page with a fault of each kind."""
    text = (handouts.folder / "students" / "06_coarsening.html").read_text(encoding="utf-8")
    faults = """<div style="width: 3000px">wide</div>
      <svg viewBox="0 0 100 20" width="100"><rect x="0" y="0" width="50" height="20"/><text x="25" y="10" text-anchor="middle"
        style="font-size: 2px">small</text></svg>
      <svg viewBox="0 0 800 20" width="800"><rect x="0" y="0" width="50" height="20"/><text x="25" y="14" text-anchor="middle"
        style="font-size: 10px">a label that is much longer than its box</text></svg>
      <svg viewBox="0 0 800 20" width="800"><text x="10" y="14" text-anchor="end">a label that begins outside</text></svg>
      <pre style="break-inside: auto">code</pre>
      <div class="box" style="--shade: red"><div class="scroll" style="--ground: blue">smeared</div></div>
      <img src="not_there.png"><p style="color: #888; background: #777">hardly to be seen</p>"""
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "broken.html"
        page.write_text(text.replace("</main>", faults + "</main>"), encoding="utf-8")
        found = find_faults(Handouts(handouts.program, handouts.cases, handouts.facts, page.parent), browser)
    kinds = ["complaints", "width", "small", "labels", "cut off", "parts", "smears"] + (["light", "dark", "phone"] if has_axe() else [])
    expect(all(found[kind] for kind in kinds), f"not found: {[kind for kind in kinds if not found[kind]]}")


@test
def axe_would_find_something(handouts, browser):
    """The rules run at all: a page that breaks them is told from ours."""
    tab = browser.page()
    tab.open(handouts.pages()[0].as_uri())
    tab.evaluate(find_axe() + "; 0")
    broken = '<img><p style="color:#999">hardly to be seen</p>'
    tab.evaluate(f"""document.querySelector("main").insertAdjacentHTML("beforeend", {json.dumps(broken)}); 0""")
    ids = tab.evaluate("axe.run().then((r) => r.violations.map((v) => v.id))")
    expect({"image-alt", "color-contrast"} <= set(ids), f"found only {ids}")


# --- Interactive pages -------------------------------------------------------------------------------------------------


def questions(handouts):
    seed = str(random.randrange(1 << 31))
    print(f"# seed {seed}")
    return json.loads(subprocess.run([handouts.cases, seed], capture_output=True, text=True, check=True).stdout)


@test
def occupancy_is_that_of_cuda_occupancy_h(handouts, browser):
    cases = questions(handouts)["occupancy"]
    expect(len(cases) == 10000, f"{len(cases)} configurations")
    tab = browser.page()
    tab.open(handouts.interactive("occupancy_calculator").as_uri())
    tab.evaluate(f"globalThis.cases = {json.dumps(cases)}; 0")
    wrong = tab.evaluate("""cases.filter(([device, threads, registers, shared, blocks, limits]) => {
        const found = residency(data.profiles[device], {threads, registers, shared});
        return found.blocks !== blocks || found.limits.join() !== limits.join();
      })""")
    expect(wrong == [], f"{len(wrong)} of {len(cases)} differ, such as {wrong[:3]}")
    # They are configurations of all kinds, and the comparison would see a difference.
    expect({case[4] for case in cases} >= {0, 1, 2, 3, 4, 8, 16}, "too few kinds of configurations")
    expect({name for case in cases for name in case[5]} == {"threads", "registers", "shared", "blocks"}, "too few limits")
    expect(tab.evaluate("""cases.every(([device, threads, registers, shared, blocks]) =>
        residency({...data.profiles[device], register_unit: 512}, {threads, registers, shared}).blocks === blocks)""")
           is False, "another unit of registers makes no difference")


@test
def banks_are_those_of_the_reference(handouts, browser):
    cases = questions(handouts)["banks"]
    tab = browser.page()
    tab.open(handouts.interactive("bank_explorer").as_uri())
    tab.evaluate(f"globalThis.cases = {json.dumps(cases)}; 0")
    wrong = tab.evaluate("""cases.filter(([bytes, addresses, degree, wavefronts, conflicts, busiest]) => {
        const found = useOfBanks(addresses, bytes);
        return found.degree !== degree || found.wavefronts !== wavefronts || found.conflicts !== conflicts ||
          found.busiest.join() !== busiest.join();
      })""")
    expect(wrong == [], f"{len(wrong)} of {len(cases)} differ, such as {wrong[:3]}")
    expect({case[2] for case in cases} >= {1, 2, 4, 8, 16, 32}, "too few degrees of conflict")


def typed(tab, control, value):
    """As a reader types or chooses."""
    tab.evaluate(f"""(() => {{ const e = byId({json.dumps(control)}); e.value = {json.dumps(str(value))};
        e.dispatchEvent(new Event("input", {{bubbles: true}})); e.dispatchEvent(new Event("change", {{bubbles: true}})); }})()""")


def shown(tab, identifier):
    return re.sub(r"\s+", " ", tab.evaluate(f"byId({json.dumps(identifier)}).textContent")).strip()


@test
def occupancy_answers_and_can_be_shared(handouts, browser):
    tab = browser.page()
    tab.open(handouts.interactive("occupancy_calculator").as_uri())
    typed(tab, "threads", 512)
    typed(tab, "registers", 33)
    expect(shown(tab, "result") == "3 blocks · 1,536 of 2,048 thread slots · occupancy 75 % · limited by registers",
           shown(tab, "result"))
    expect("32 registers a thread: 4 blocks, 100 %" in shown(tab, "advice"), shown(tab, "advice"))
    expect("Up to 40 registers a thread cost nothing" in shown(tab, "advice"), shown(tab, "advice"))
    expect("33 (100 % → 75 %)" in shown(tab, "cliffs-registers"), shown(tab, "cliffs-registers"))
    expect(tab.evaluate("getComputedStyle(byId('meter')).width") != "0px", "the bar is empty")
    typed(tab, "device", "t4")
    address = tab.evaluate("location.href")
    other = browser.page()
    other.open(address)
    for identifier in ("result", "advice", "resources", "rounding"):
        expect(shown(other, identifier) == shown(tab, identifier), f"{identifier} differs behind {address}")
    expect(other.evaluate("[byId('device').value, byId('threads').value, byId('registers').value]") == ["t4", "512", "33"],
           "the controls do not show the settings of the address")
    # What no kernel can have is left at what it was.
    other.open(handouts.interactive("occupancy_calculator").as_uri() + "#threads=5000&registers=-1&device=no&shared=1e9&x=1")
    expect(shown(other, "result").startswith("8 blocks · 2,048 of 2,048"), shown(other, "result"))
    expect(tab.complaints() + other.complaints() == [], "complaints")


@test
def banks_answer_and_can_be_shared(handouts, browser):
    tab = browser.page()
    page = handouts.interactive("bank_explorer").as_uri()
    wanted = {"bytes=4&pattern=stride&stride=8": "Bank conflict, 8 ways",
              "bytes=4&pattern=column&columns=32": "Bank conflict, 32 ways",
              "bytes=4&pattern=column&columns=32&padding=1": "No bank conflict",
              "bytes=4&pattern=column&columns=32&arrangement=xor": "No bank conflict",
              "bytes=4&pattern=row&columns=32&arrangement=xor&line=5": "No bank conflict",
              "bytes=8&pattern=stride&stride=1": "No bank conflict. Passes: 2,"}
    for settings, result in wanted.items():
        tab.open(f"{page}#{settings}")
        expect(shown(tab, "result").startswith(result), f"{settings}: {shown(tab, 'result')}")
    tab.open(page)
    cases = tab.evaluate("[...document.querySelectorAll('#cases a')].map((e) => e.getAttribute('href'))")
    expect(len(cases) >= 10, f"{len(cases)} cases")
    for case in cases:
        tab.evaluate(f"document.querySelector(`#cases a[href='{case}']`).click()")
        tab.evaluate("new Promise((done) => setTimeout(done, 20))")
        expect(tab.evaluate("document.querySelector('#cases [aria-current]')?.getAttribute('href')") == case,
               f"{case} is not what is shown")
    typed(tab, "pattern", "stride")
    typed(tab, "stride", 16)
    typed(tab, "offset", 0)
    typed(tab, "bytes", 4)
    expect("stride=16" in tab.evaluate("location.hash"), tab.evaluate("location.hash"))
    expect(shown(tab, "result").startswith("Bank conflict, 16 ways"), shown(tab, "result"))
    expect(tab.complaints() == [], f"{tab.complaints()}")


@test
def loads_are_those_of_the_pictures(handouts, browser):
    """Without guards, each load of each block and phase goes where chapter 1's suite says."""
    file = handouts.folder / "facts.json"
    subprocess.run([handouts.facts, file], check=True)
    loads = json.loads(file.read_text(encoding="utf-8"))["loads"]
    tab = browser.page()
    tab.open(handouts.interactive("tile_phases").as_uri())
    for name in ("3x2", "5x4"):
        width, tile = loads[name]["width"], loads[name]["tile"]
        expect(len(loads[name]["blocks"]) == loads[name]["phases"] ** 3, f"{len(loads[name]['blocks'])} blocks and phases")
        for at, block in loads[name]["blocks"].items():
            bx, by, phase = map(int, at.split("/"))
            for matrix in ("M", "N"):
                found = tab.evaluate(f"accesses('{matrix}', 'none', "
                                     f"{{width: {width}, tile: {tile}, bx: {bx}, by: {by}, phase: {phase}}})")
                wanted = [{**{key: cell[key] for key in ("tx", "ty", "row", "column", "index")}, "kind": cell["load"]}
                          for cell in block[matrix.lower()]]
                expect(found == wanted, f"{name}, block and phase {at}, {matrix}: {found}")


@test
def guards_have_their_outcome(handouts, browser):
    tab = browser.page()
    page = handouts.interactive("tile_phases").as_uri()
    wanted = {"m=both&n=both&p=both": "All elements of P are right, and no access is wrong.",
              "m=none&n=none&p=none&width=4": "All elements of P are right, and no access is wrong.",
              "m=none&n=both&p=both": "of 9 elements of P are wrong",
              "m=both&n=owner&p=both": "of 9 elements of P are wrong",
              "m=row&n=column&p=both": "of 9 elements of P are wrong",
              "m=column&n=both&p=both": "All elements of P are right, but by luck"}
    for settings, outcome in wanted.items():
        tab.open(f"{page}#{settings}")
        expect(outcome in shown(tab, "outcome"), f"{settings}: {shown(tab, 'outcome')}")
    tab.open(f"{page}#m=none")
    typed(tab, "width", 3)
    seen = {tab.evaluate("location.hash")}
    while not tab.evaluate("byId('next').disabled"):
        tab.evaluate("byId('next').click()")
        seen.add(shown(tab, "where"))
    expect(len(seen) == 2 * 2 * 2, f"{len(seen)} phases of a 3 x 3 matrix with tiles of 2 x 2")
    expect(shown(tab, "where").startswith("Block (1, 1), phase 1"), shown(tab, "where"))
    expect("bx=1&by=1&phase=1" in tab.evaluate("location.hash"), tab.evaluate("location.hash"))


# --- Time lines --------------------------------------------------------------------------------------------------------

MOTION = "prefers-reduced-motion"
# In each of the page's time lines: the steps of the picture, the sentences, and how many parts of the picture are hidden.
TIMELINES = """[...document.querySelectorAll("figure.timeline")].map((figure) => ({
    steps: new Set([...figure.querySelectorAll("[data-step]")].map((part) => part.dataset.step)).size,
    sentences: figure.querySelectorAll(".steps-in-words li").length,
    hidden: [...figure.querySelectorAll("[data-step]")].filter((part) => getComputedStyle(part).visibility === "hidden").length,
    words: figure.querySelector(".timeline-words").textContent,
    live: figure.querySelector(".timeline-words").getAttribute("aria-live"),
    buttons: [...figure.querySelectorAll(".timeline-controls button")].map((each) => each.textContent)}))"""


def with_motion(browser, page, motion):
    """The page with its first time line in view, some time later."""
    tab = browser.page(width=1280)
    tab.call("Page.bringToFront")
    tab.call("Emulation.setEmulatedMedia", features=[{"name": MOTION, "value": motion}])
    tab.open(page.as_uri())
    tab.evaluate("""document.querySelector("figure.timeline .drawings").scrollIntoView({block: "center"});
        new Promise((done) => setTimeout(done, 600))""")
    return tab


def press(tab, key):
    for kind in ("keyDown", "keyUp"):
        tab.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=13, text="\r" if kind == "keyDown" else "")


@test
def time_lines_are_whole_without_motion(handouts, browser):
    """Who asked for no motion has the whole picture, and a sentence for each step; so has paper."""
    seen = 0
    for page in handouts.pages():
        if 'class="timeline"' not in page.read_text(encoding="utf-8"):
            continue
        tab = with_motion(browser, page, "reduce")
        lines = tab.evaluate(TIMELINES)
        seen += len(lines)
        for each in lines:
            expect(each["hidden"] == 0, f"{name_of(page)}: {each['hidden']} parts are hidden")
            expect(each["steps"] == each["sentences"] > 10, f"{name_of(page)}: {each}")
        tab.evaluate("document.querySelector('figure.timeline').timeline.step(1); 0")
        expect(tab.evaluate(TIMELINES)[0]["hidden"] > 0, f"{name_of(page)}: a step hides nothing")
        tab.call("Emulation.setEmulatedMedia", media="print")
        expect(tab.evaluate(TIMELINES)[0]["hidden"] == 0, f"{name_of(page)}: on paper something is hidden")
        expect(tab.evaluate("getComputedStyle(document.querySelector('.timeline-controls')).display") == "none",
               f"{name_of(page)}: buttons on paper")
        tab.close()
    expect(seen >= 3 * 2 * len(languages.all_languages()), f"only {seen} time lines")


@test
def time_lines_play_and_step(handouts, browser):
    """One begins when it is seen, pauses, and goes on step by step with the keyboard; each step is said once."""
    for name in ("01_boundary_checks", "02_rectangular_matmul", "04_occupancy"):
        tab = with_motion(browser, handouts.interactive(name), "no-preference")
        playing = tab.evaluate(TIMELINES)[0]
        expect(playing["hidden"] > 0 and playing["live"] == "off" and "Pause" in playing["buttons"], f"{name}: {playing}")
        tab.evaluate("document.querySelectorAll('.timeline-controls button')[1].click(); 0")
        paused = tab.evaluate(TIMELINES)[0]
        expect("Play" in paused["buttons"] and paused["live"] == "polite", f"{name}: {paused}")
        tab.evaluate("new Promise((done) => setTimeout(done, 1100))")
        expect(tab.evaluate(TIMELINES)[0] == paused, f"{name}: goes on after a pause")
        tab.evaluate("document.querySelectorAll('.timeline-controls button')[2].focus(); 0")
        press(tab, "Enter")
        stepped = tab.evaluate(TIMELINES)[0]
        expect(stepped["hidden"] < paused["hidden"] and stepped["words"] != paused["words"], f"{name}: {stepped}")
        sentence = tab.evaluate("""(() => { const line = document.querySelector("figure.timeline").timeline;
            return line.figure.querySelectorAll(".steps-in-words li")[line.at].textContent; })()""")
        expect(stepped["words"].endswith(sentence), f"{name}: {stepped['words']} for {sentence}")
        tab.evaluate("document.querySelectorAll('.timeline-controls button')[3].click(); 0")
        expect(tab.evaluate(TIMELINES)[0]["hidden"] == 0, f"{name}: the whole picture is not whole")
        expect(tab.complaints() == [], f"{name}: {tab.complaints()}")
        tab.close()


CHECK_DRILL = """((drill, text) => {
    byId(`answer-${drill.id}`).value = text;
    byId(`form-${drill.id}`).requestSubmit();
    return byId(`told-${drill.id}`).textContent;
  })"""


@test
def drills_are_checked_in_the_page(handouts, browser):
    """Right answers, typical mistakes and what is no answer, on every chapter's page."""
    tab = browser.page()
    for chapter in CHAPTERS:
        for folder in ("", "zh_Hant"):
            page = handouts.folder / "students" / folder / f"{chapter.parent.name}.html"
            tab.open(page.as_uri())
            wrong = tab.evaluate(f"""data.drills.filter((drill) => {{
                const check = {CHECK_DRILL}, plain = (text) => text.replaceAll("`", "");
                const typed = (answer, text) => drill.choices.length ? String(answer) : text;
                return drill.wrong.length < 2 || !check(drill, "").length ||
                  drill.wrong.some((each) => !check(drill, typed(each.answer, each.text)).includes(plain(each.why))) ||
                  !check(drill, typed(drill.answer, drill.text)).includes(plain(drill.why));
              }}).map((drill) => drill.id)""")
            expect(wrong == [], f"{name_of(page)}: {wrong}")
            solved = shown(tab, "drills-solved")
            expect(re.findall(r"\d+", solved) == ["10", "10"], f"{name_of(page)}: {solved}")
            expect(tab.complaints() == [], f"{tab.complaints()}")
    tab.open((handouts.folder / "students" / "zh_Hant" / "07_where_it_recurs.html").as_uri())
    told = tab.evaluate(f"{CHECK_DRILL}(data.drills.find((each) => each.id === 'price_of_the_copies'), '25,600')")
    expect(told.startswith("答對了：25600 次加法。每個區塊"), told)


@test
def a_number_is_understood_as_the_command_does(handouts, browser):
    """The cases are those of grader/workbook/drills_test.cc."""
    tab = browser.page()
    tab.open((handouts.folder / "students" / "01_boundary_checks.html").as_uri())
    right = ["1024", " 1,024\r", "1_024", "1024 blocks", "1024-way", "1024.0", "01024", "1024 個"]
    none = ["", "blocks", "2^10", "1024/1", "1024 or 7", "10,24", "-1024", "1024.", "0x400", "1e3", "1024 + 0", "1024,"]
    found = tab.evaluate(f"[{json.dumps(right)}.map(numberTyped), {json.dumps(none)}.map(numberTyped)]")
    expect(found == [[1024] * len(right), [None] * len(none)], f"{found}")


@test
def drills_work_without_a_script(handouts, browser):
    """The answers are folded up, and nothing is shown that would do nothing."""
    page = handouts.folder / "students" / "05_bank_conflicts.html"
    text = re.sub(r"<script>.*?</script>", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    copy = handouts.folder / "without_a_script" / page.name
    copy.parent.mkdir(exist_ok=True)
    copy.write_text(text, encoding="utf-8")
    tab = browser.page()
    tab.open(copy.as_uri())
    shown_forms = "[...document.querySelectorAll('.drills form')].filter((e) => e.getBoundingClientRect().height > 0).length"
    folded = "[...document.querySelectorAll('.drills details')].filter((e) => e.getBoundingClientRect().height > 0).length"
    expect(tab.evaluate(f"[{shown_forms}, {folded}]") == [0, 10], tab.evaluate(f"[{shown_forms}, {folded}]"))
    copy.unlink()
    copy.parent.rmdir()
    tab.open(page.as_uri())
    expect(tab.evaluate(f"[{shown_forms}, {folded}]") == [10, 10], tab.evaluate(f"[{shown_forms}, {folded}]"))
    tab.call("Emulation.setEmulatedMedia", media="print")
    expect(tab.evaluate(f"[{shown_forms}, {folded}]") == [0, 0], "on paper there are only questions")


# --- Paper -------------------------------------------------------------------------------------------------------------

SIZES = {"A4": (595, 842), "Letter": (612, 792), "16x9": (960, 540)}


@test
def the_browser_tells_letters_from_boxes(handouts, browser):
    """Where there is no fc-list, whose package a browser does not need, that decides whether a language is printed."""
    expect(fonts.browser_draws("AB"), "two Latin letters look alike")
    expect(not fonts.browser_draws("\U000f0000\U000f0001"), "letters that no font has look different")
    for language in languages.all_languages():
        name = language.words["language_name"][:2]
        expect(fonts.browser_draws(name) == language.has_font(), f"{name}: not as fontconfig says")


@test
def what_is_printed_is_tagged(handouts, browser):
    """Tagged, in a language, with a title and an outline, on the right paper."""
    expect(len(handouts.printed()) >= 2 * 2 * handouts.printed_languages() * 7, f"only {len(handouts.printed())} files")
    for file in handouts.printed():
        pdf = file.read_bytes()
        for mark in (rb"/MarkInfo\s*<<\s*/Type\s*/MarkInfo\s*/Marked\s+true|/Marked\s+true", rb"/StructTreeRoot",
                     rb"/Lang", rb"/Outlines", rb"/Title"):
            expect(re.search(mark, pdf), f"{name_of(file)} has no {mark.decode()}")
        language = handouts.language_of(file).encode()
        expect(re.search(rb"/Lang\s*\(" + language + rb"\)", pdf), f"{name_of(file)} is not in {language.decode()}")
        wanted = SIZES[file.stem.rpartition("-")[2]]
        sizes = {tuple(round(float(side)) for side in box.split()[2:])
                 for box in re.findall(rb"/MediaBox\s*\[([^\]]*)\]", pdf)}
        expect(all(abs(w - wanted[0]) <= 1 and abs(h - wanted[1]) <= 1 for w, h in sizes), f"{name_of(file)}: {sizes}")


@test
def each_slide_fits_its_page(handouts, browser):
    """The head and each slide take one page of 16:9, and a screen of that shape shows a slide whole."""
    need("pdfinfo")
    files = [file for file in handouts.printed() if file.stem.endswith(".slides-16x9")]
    expect(len(files) == handouts.printed_languages() * len(CHAPTERS), f"{len(files)} files of slides")
    tab = browser.page(width=1280)
    for file in files:
        tab.open(file.with_name(file.name.replace("-16x9.pdf", ".html")).as_uri())
        tall = tab.evaluate("[...document.querySelectorAll('.slide')].map((e) => e.getBoundingClientRect().height)")
        expect(max(tall) <= 720, f"{name_of(file)}: slides of {max(tall):.0f} px on a screen of 1280 x 720")
        said = subprocess.run(["pdfinfo", file], capture_output=True, text=True, check=True).stdout
        count = int(re.search(r"Pages:\s*(\d+)", said)[1])
        expect(count == 1 + len(tall), f"{name_of(file)}: {count} pages for {len(tall)} slides")


@test
def pages_are_numbered(handouts, browser):
    need("pdftotext")
    for file in handouts.printed():
        text = subprocess.run(["pdftotext", "-layout", file, "-"], capture_output=True, text=True, check=True).stdout
        sheets = text.rstrip("\f").split("\f")
        for number, sheet in enumerate(sheets, 1):
            expect(re.search(rf"\b{number} ?/ ?{len(sheets)}\b", sheet), f"{name_of(file)}: page {number} has no number")
        expect(all("Warplings" in sheet for sheet in sheets[1:]), f"{name_of(file)}: a page without running head")


def filled(sheet):
    """How far down a page of grey pixels (PGM) is printed, without head and foot: 0 to 1."""
    width, height = map(int, sheet.split(b"\n", 3)[1].split())
    pixels = sheet.split(b"\n", 3)[3]
    rows = [min(pixels[row * width:(row + 1) * width]) < 200 for row in range(int(0.92 * height))]
    return max((row for row, is_printed in enumerate(rows) if is_printed), default=0) / (0.92 * height)


@test
def no_page_is_left_half_empty(handouts, browser):
    need("pdftoppm")
    for file in handouts.printed():
        if ".slides" in file.name:  # A slide a page.
            continue
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["pdftoppm", "-r", "24", "-gray", file, f"{folder}/sheet"], check=True)
            sheets = [each.read_bytes() for each in sorted(pathlib.Path(folder).iterdir())]
        for number, sheet in enumerate(sheets[:-1], 1):
            expect(filled(sheet) > 0.6, f"{name_of(file)}: page {number} is filled to {filled(sheet):.0%}")


def made(folder, program, cases, facts):
    handouts = Handouts(program, cases, facts, folder)
    handouts.build()
    return handouts


if __name__ == "__main__":
    sys.exit(main(made, sys.argv[1:4], sys.argv[4:]))

# SPDX-License-Identifier: Apache-2.0
"""The page of a profile in a browser: profile_page_test.py [PART-OF-A-TEST...]. Writes TAP, a line for each test.

Draws the made-up profiles of made_up_profile.py and looks at them: a chosen line shows its requests, with mouse and
keyboard; the picture shows the banks and sectors that the data says; the map of the output tells of the cell that is
pointed at; a source of 2,000 lines stays quick; what attacks a page stays text; nothing has a violation of axe's rules.
"""
import json
import re
import subprocess
import sys

import made_up_profile
from looking import COLOURS, LOOKS, ROOT, WIDE, WIDTHS, expect, main, need, test, violations

DRAW = ROOT / "grader" / "pages" / "profile" / "profile_page.py"
CHINESE = ("conflicts", "advised", "timed", "waiting", "wrong", "not_compiled")
# Latin words of the Chinese page, and why.
LATIN = {word: why for why, words in {
    "a class says them in English (handouts/text/zh_Hant/terms.toml)": "kernel warp lane sector wavefront roofline",
    "names of parts, units and formats": "GPU DRAM L1 L2 FLOP GFLOP TFLOP fp32 PTX cubin NaN ms ns MiB KiB GiB ncu",
    "names of programs, options and arguments": "warplings profile test seed NAME",
    "names in the made-up code and its card": "transpose_padded transpose_kernel virtual a100 NVIDIA A100 SXM4 40GB chapters "
                                              "05_bank_conflicts cu Small ld st global shared f32 X Y M N P nan",
}.items() for word in words.split()}
SECONDS_FOR_A_CLICK = 2  # Of a source of 2,000 lines, on a machine that does much else.


KNOWN_LATIN = {word.lower() for word in LATIN}
# Texts and labels of a page without code.
ALL_WORDS = """(() => { const said = [document.title], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) { const node = walker.currentNode;
        if (!node.parentElement.closest("script, style, td.code > code")) said.push(node.data.trim()); }
    for (const e of document.querySelectorAll("[aria-label], [title]"))
        said.push(e.getAttribute("aria-label") ?? "", e.getAttribute("title") ?? "");
    return said.filter((each) => each); })()"""


class Profiles:
    def __init__(self, folder):
        self.pages, self.data = {}, {}
        made = {name: make() for name, make in made_up_profile.ALL.items()}
        for name in CHINESE:
            made[f"{name}, Chinese"] = made_up_profile.chinese(made[name])
        for name, data in made.items():
            self.data[name] = data
            (folder / f"{name}.json").write_text(json.dumps(self.data[name]), encoding="utf-8")
            drawn = subprocess.run([sys.executable, "-B", DRAW, folder / f"{name}.json", folder / f"{name}.html"],
                                   capture_output=True, text=True, check=False)
            expect(drawn.returncode == 0, drawn.stderr)
            self.pages[name] = folder / f"{name}.html"

    def __getitem__(self, name):
        return self.pages[name].as_uri()


def made(folder):
    return Profiles(folder)


def press(tab, key):
    code = {"Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}[key]
    more = {"text": "\r"} if key == "Enter" else {}
    tab.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **more)
    tab.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)


def click(tab, selector, across=0.5, down=0.5):
    """With the mouse, on a place of the element."""
    x, y = tab.evaluate(f"""(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: "center"}});
        const r = e.getBoundingClientRect(); return [r.left + {across} * r.width, r.top + {down} * r.height]; }})()""")
    for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
        tab.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left" if kind != "mouseMoved" else "none", clickCount=1)


def text(tab, selector):
    return tab.evaluate(f"document.querySelector({json.dumps(selector)})?.textContent ?? ''")


def number(tab, selector):
    return tab.evaluate(f"document.querySelectorAll({json.dumps(selector)}).length")


def choices(tab, label):
    """What a control of the picture offers."""
    return tab.evaluate(f"""[...document.querySelectorAll("#picture-controls label")].find((e) => e.firstChild.textContent ===
        {json.dumps(label)})?.querySelectorAll("option").length ?? 0""")


def choose(tab, label, part):
    tab.evaluate(f"""(() => {{ const box = [...document.querySelectorAll("#picture-controls label")].find((e) =>
        e.firstChild.textContent === {json.dumps(label)}).querySelector("select");
        box.value = [...box.options].find((o) => o.value.includes({json.dumps(part)})).value;
        box.dispatchEvent(new Event("change", {{bubbles: true}})); }})()""")


# --- Every page. -------------------------------------------------------------------------------------------------------


@test
def the_browser_has_nothing_to_complain_of(profiles, browser):
    """No refusal of the Content-Security-Policy, no exception, no file that is looked for."""
    tab = browser.page()
    for name in profiles.pages:
        tab.open(profiles[name])
        expect(tab.complaints() == [], f"{name}: {tab.complaints()}")


@test
def the_page_is_one_file_without_addresses(profiles, browser):
    for name, page in profiles.pages.items():
        if name == "hostile":
            continue
        written = page.read_text(encoding="utf-8")
        written = written.replace("http://www.w3.org/2000/svg", "")
        found = re.findall(r"""(?:src|href)=["'](?!#)[^"']*|url\([^)]*\)|https?://[^\s"']*""", written)
        expect(not found, f"{name}: {found[:3]}")


@test
def nothing_runs_out_of_the_page(profiles, browser):
    tab = browser.page()
    for width in WIDTHS:
        tab.look(width)
        for name in profiles.pages:
            tab.open(profiles[name])
            tab.evaluate("document.querySelector('button[data-line]')?.click()")
            scrolls = tab.evaluate("document.documentElement.scrollWidth - innerWidth")
            wide = tab.evaluate(WIDE.replace('".scroll, pre, [hidden]"', '".scroll, pre, [hidden], .drawing, svg"'))
            expect(scrolls <= 0 and wide == [], f"{name} at {width} px: {scrolls} px, {wide[:5]}")


@test
def axe_finds_no_violation(profiles, browser):
    """In both colours, on a screen and on a phone, with a picture shown. The 2,000 lines of `long` are alike: 20 are left."""
    tab = browser.page()
    for name in profiles.pages:
        for width, dark, _ in LOOKS:
            tab.look(width, dark=dark)
            tab.open(profiles[name])
            if name == "long":
                tab.evaluate("[...document.querySelectorAll('tr[id^=L]')].slice(20).forEach((row) => row.remove())")
            tab.evaluate("document.querySelector('button[data-line]')?.click()")
            found = violations(tab, {"runOnly": COLOURS} if dark else {})
            expect(not found, f"{name}, {width} px{', dark' if dark else ''}:\n" + "\n".join(found))


@test
def words_that_attack_the_page_stay_words(profiles, browser):
    tab = browser.page()
    tab.open(profiles["hostile"])
    for line in (11, 16):
        tab.evaluate(f"document.querySelector('button[data-line=\"{line}\"]')?.click()")
    for state in ("wrong", "never"):
        tab.evaluate(f"document.querySelector('#maps .cell.{state}').dispatchEvent(new PointerEvent('pointermove', {{bubbles: true}}))")
    expect(tab.evaluate("document.title") == "transpose_padded: profile", "a student's words were run")
    expect(number(tab, "img") == 0, "a student's words became an element")
    expect("{{ 7 * 7 }}" in text(tab, "table.source"), "the source is not as it was written")
    expect(tab.evaluate("document.scripts.length") == 2, "there is a script that is not ours")


@test
def the_chinese_page_is_chinese(profiles, browser):
    """What stands in it, what a reader of the screen is told, and what the scripts write."""
    tab = browser.page()
    for name in CHINESE:
        tab.open(profiles[f"{name}, Chinese"])
        expect(tab.evaluate("document.documentElement.lang") == "zh-Hant-TW", "the page's language")
        said = []
        for line in (0, 10, 15):
            tab.evaluate(f"document.querySelector('button[data-line=\"{line}\"]')?.click()")
            said += tab.evaluate(ALL_WORDS)
        for state in ("wrong", "never", "nan", "right"):
            tab.evaluate(f"""document.querySelector('#maps .cell.{state}')?.dispatchEvent(
                new PointerEvent('pointermove', {{bubbles: true}}))""")
            said += tab.evaluate(ALL_WORDS)
        expect(len(said) > 20 and any("通過" in each for each in said), f"{name}: {said[:5]}")
        left = {each for each in said if any(word.lower() not in KNOWN_LATIN and not word.isdigit()
                                             for word in re.findall(r"[A-Za-z0-9_]{2,}", each) if not re.fullmatch(r"\d+|[a-z]\d", word))}
        expect(not left, f"{name}: English is left: {sorted(left)[:20]}")


# --- Lines and their pictures. -----------------------------------------------------------------------------------------


@test
def a_click_on_a_line_shows_what_its_lanes_touched(profiles, browser):
    tab = browser.page(width=1000)  # Too narrow for a picture that nobody asked for.
    tab.open(profiles["conflicts"])
    expect(tab.evaluate("document.getElementById('picture').hidden"), "a picture is shown before a line was chosen")
    click(tab, "#L15 td.code")
    expect(text(tab, "#picture-title") == "Line 15", text(tab, "#picture-title"))
    expect("31 bank conflicts" in text(tab, "#picture-words"), text(tab, "#picture-words"))
    # All lanes want another word of bank 0: 32 cells in one column, one below the other.
    places = tab.evaluate("""[...document.querySelectorAll("#picture-drawing rect.hit")].map((e) => [e.getAttribute("x"),
        e.getAttribute("y"), e.dataset.lanes])""")
    expect(len(places) == 32, f"{len(places)} words are drawn")
    expect(len({x for x, _, _ in places}) == 1, "not all are in one bank")
    expect(len({y for _, y, _ in places}) == 32, "some share a pass")
    expect(sorted(int(lane) for _, _, lane in places) == list(range(32)), "not every lane is there once")
    expect(tab.evaluate("document.querySelector('button[data-line=\"15\"]').getAttribute('aria-pressed')") == "true", "not pressed")
    click(tab, "#L10 td.code")
    expect(tab.evaluate("document.querySelectorAll('[aria-pressed=true]').length") == 1, "two lines are chosen")


@test
def a_load_shows_its_sectors_and_what_misses_the_array(profiles, browser):
    tab = browser.page()
    tab.open(profiles["conflicts"])
    click(tab, "#L10 td.code")
    choose(tab, "Access", "ld.global")
    expect(choices(tab, "Warp") == 3, f"{choices(tab, 'Warp')} warps")
    choose(tab, "Warp", "warp 0")
    choose(tab, "When", "1: before any barrier")
    expect("4 sectors, 128 bytes, for 128 different bytes: 100 %" in text(tab, "#picture-words"), text(tab, "#picture-words"))
    expect(number(tab, "#picture-drawing rect.sector") == 4, "not four sectors")
    expect(number(tab, "#picture-drawing rect.byte") == 0, "something is unused")
    # The next time: 16 lanes 256 bytes apart, and 16 behind the end.
    click(tab, "#picture-controls button[aria-label='The next request']")
    expect("16 lanes of them miss it" in text(tab, "#picture-words"), text(tab, "#picture-words"))
    expect(number(tab, "#picture-drawing rect.out") == 16, "what misses the array is not marked")
    expect(number(tab, "#picture-drawing rect.sector") == 16, "not a sector for each lane inside")
    expect(number(tab, "#picture-drawing rect.byte") == 16 * 7, "the unused words of the sectors")
    rows = tab.evaluate("[...document.querySelectorAll('#picture-table tbody tr')].map((row) => row.textContent)")
    expect(len(rows) == 32 and "outside" in rows[16], f"{rows[16:17]}")


@test
def a_picture_that_goes_on_out_of_sight_says_so(profiles, browser):
    # 32 passes, in a panel of two thirds of a laptop's height; on a phone the 32 lanes are wider, too.
    for width, words in ((1280, "The picture goes on below: scroll it."),
                         (390, "The picture goes on to the right and below: scroll it.")):
        tab = browser.page(width=width)
        tab.open(profiles["conflicts"])
        click(tab, "#L15 td.code", across=0.05)  # A phone shows only the beginning of a long line.
        expect(not tab.evaluate("document.getElementById('picture-scrolls').hidden"), f"{width}: nothing is said")
        expect(text(tab, "#picture-scrolls") == words, f"{width}: {text(tab, '#picture-scrolls')}")
    tab = browser.page(width=2000, height=3000)
    tab.open(profiles["conflicts"])
    click(tab, "#L15 td.code")
    expect(tab.evaluate("document.getElementById('picture-scrolls').hidden"), "all of it is in sight")


@test
def a_table_that_goes_on_out_of_sight_says_so(profiles, browser):
    for width, is_said in ((1280, False), (320, True)):
        tab = browser.page(width=width)
        tab.open(profiles["conflicts"])
        hidden = tab.evaluate("document.getElementById('compare-scrolls').hidden")
        expect(hidden != is_said, f"{width}: {'nothing is said' if is_said else 'all of it is in sight'}")


@test
def lines_are_chosen_with_the_keyboard(profiles, browser):
    tab = browser.page(width=1000)
    tab.open(profiles["conflicts"])
    tab.evaluate("document.querySelector('button[data-line=\"10\"]').focus()")
    press(tab, "Enter")
    expect(text(tab, "#picture-title") == "Line 10", "Enter does not choose")
    press(tab, "ArrowDown")
    expect(text(tab, "#picture-title") == "Line 15", "the arrow does not go to the next line with a picture")
    press(tab, "ArrowDown")
    expect(text(tab, "#picture-title") == "Line 15", "it goes beyond the last")
    press(tab, "ArrowUp")
    expect(tab.evaluate("document.activeElement.dataset.line") == "10", "the focus stays behind")
    press(tab, "Escape")
    expect(tab.evaluate("document.getElementById('picture').hidden"), "Escape does not close")
    expect(tab.evaluate("document.activeElement.dataset.line") == "10", "the focus is lost")


@test
def a_pointer_on_a_lane_takes_the_others_back(profiles, browser):
    tab = browser.page()
    tab.open(profiles["conflicts"])
    click(tab, "#L15 td.code")
    tab.evaluate("""document.querySelector("#picture-drawing rect.lane[data-lane='5']").dispatchEvent(
        new PointerEvent("pointerover", {bubbles: true}))""")
    lit = tab.evaluate("""[...document.querySelectorAll("#picture-drawing rect.hit:not(.dim)")].map((e) => e.dataset.lanes)""")
    expect(lit == ["5"], f"{lit}")


@test
def wide_accesses_are_served_by_part_of_the_warp(profiles, browser):
    """The script counts passes as the virtual GPU does (CountWavefronts): ANCHORS of the interpreter's tests."""
    tab = browser.page()
    tab.open(profiles["conflicts"])
    for stride, width, passes in ((1, 4, 1), (2, 4, 2), (32, 4, 32), (33, 4, 1), (2, 8, 2), (4, 8, 4), (8, 8, 8), (4, 16, 4),
                                  (8, 16, 8), (20, 16, 4)):
        sample = {"lanes": 0xffffffff, "bytes": width, "object_bytes": 0, "start": 0,
                  "offsets": [4 * stride * lane for lane in range(32)]}
        found = tab.evaluate(f"""(() => {{ const sample = {json.dumps(sample)};
            return AccessPicture.passesOf(sample, AccessPicture.lanesOf(sample)).passes; }})()""")
        expect(found == passes, f"stride {stride}, {width} bytes: {found} passes, not {passes}")


@test
def a_source_of_2000_lines_stays_quick(profiles, browser):
    tab = browser.page()
    tab.open(profiles["long"])
    expect(number(tab, "table.source tbody tr") == 2000, "not all lines are there")
    for line in (1, 1000, 2000):
        milliseconds = tab.evaluate(f"""(() => {{ const start = performance.now();
            document.querySelector('button[data-line="{line}"]').click(); document.body.offsetHeight;
            return performance.now() - start; }})()""")
        expect(text(tab, "#picture-title") == f"Line {line}", text(tab, "#picture-title"))
        expect(milliseconds < 1000 * SECONDS_FOR_A_CLICK, f"line {line} took {milliseconds:.0f} ms")
    height = tab.evaluate("document.documentElement.scrollHeight")
    expect(height < 6000, f"{height} px tall: the source does not scroll in itself")


# --- The map of the output, and the rest. ------------------------------------------------------------------------------


@test
def the_map_tells_of_the_cell_that_is_pointed_at(profiles, browser):
    tab = browser.page()
    tab.open(profiles["wrong"])
    expect(number(tab, "#maps .map") == 1, "values and formulas of the same elements are one map")
    expect(text(tab, ".told h4") == "P[0][2]", "it does not begin with the first wrong element")
    expect([number(tab, f"#maps rect.cell.{kind}[data-cell]") for kind in ("right", "wrong", "never", "nan")] == [9, 1, 1, 1], "states")
    told = text(tab, ".told")
    expect("expected 3" in told and "yours 2" in told, told)
    expect(text(tab, ".told .lacking") == "M[0][2]·N[2][2]", "what the formula lacks is not marked")
    click(tab, "#maps rect[data-cell='4']")
    expect(text(tab, ".told h4") == "P[1][0]" and "never written" in text(tab, ".told"), text(tab, ".told"))
    tab.evaluate("document.querySelector('#maps svg[tabindex]').focus()")
    press(tab, "ArrowRight")
    expect(text(tab, ".told h4") == "P[1][1]" and "nan" in text(tab, ".told"), text(tab, ".told"))
    press(tab, "ArrowUp")
    expect(text(tab, ".told h4") == "P[0][1]", "the arrow up does not go to the row above")


def compared(tab):
    """[[name, yours, the other runs' cells...]] of the table of figures."""
    return tab.evaluate("""[...document.querySelectorAll('table.compare tbody tr')].map((row) =>
        [...row.cells].map((cell) => cell.textContent))""")


@test
def the_page_opens_with_what_decides(profiles, browser):
    tab = browser.page()
    tab.open(profiles["timed"])
    said = re.sub(r"\s+", " ", text(tab, ".headline"))
    expect(said == "Your kernel moves 6.5 times fewer sectors of global memory than the baseline at width 1024. It is estimated to "
                   "be 1.5 times as fast as the baseline. Most of the estimated time goes to shared memory and L1.", said)
    expect("Shown: width 1024, the size at which speed is estimated" in re.sub(r"\s+", " ", text(tab, ".shown")), text(tab, ".shown"))
    tab.open(profiles["conflicts"])
    expect(number(tab, ".headline") == 0, "a test that failed is praised")


@test
def figures_stand_by_their_effect_on_the_time(profiles, browser):
    tab = browser.page()
    tab.open(profiles["timed"])
    rows = compared(tab)
    names = [row[0] for row in rows]
    expect(names[0].startswith("Estimated time") and names[1].startswith("Sectors of global memory"), f"{names[:3]}")
    expect("yours 1.5× faster" in rows[0][2] and "about as fast" in rows[0][3], f"{rows[0]}")
    expect("yours 6.5× fewer" in rows[1][2], f"{rows[1]}")
    # What tiling needs is no fault: the untiled kernel has none of it, and is slower.
    expect(number(tab, "table.compare .bad") == 0, "a price is shown as a fault")
    expect(number(tab, "table.compare .good") == 2, "time and sectors are what is won")
    same = [place for place, row in enumerate(rows) if not any("yours" in cell or "none" in cell for cell in row[2:])]
    expect(same == list(range(len(rows) - len(same), len(rows))), f"what is the same stands before what is not: {names}")


@test
def what_costs_time_is_red(profiles, browser):
    tab = browser.page()
    tab.open(profiles["conflicts"])
    rows = {row[0]: row for row in compared(tab)}
    conflicts = next(row for name, row in rows.items() if name.startswith("Bank conflictsturns"))
    expect("has none" in conflicts[4], f"{conflicts}")
    bad = tab.evaluate("[...document.querySelectorAll('table.compare .bad')].map((e) => e.closest('tr').cells[0].firstChild.data)")
    expect(bad == ["Estimated time", "Wavefronts of shared memory", "Bank conflicts"], f"{bad}")


@test
def a_point_far_below_the_roof_is_not_compute_bound(profiles, browser):
    tab = browser.page()
    tab.open(profiles["waiting"])
    limits = re.sub(r"\s+", " ", text(tab, "section[aria-labelledby=limit]"))
    expect("Latency-bound, at 2 % of what the roofline allows" in limits, limits)
    expect("A warp waits for shared memory (51 % of the waiting), dependent instructions (34 %) and global memory"
           in limits, limits)
    expect("Possible occupancy is 50 %" in limits, limits)
    expect("ompute-bound" not in text(tab, "main"), "compute-bound at 2 % of the roof")
    tab.open(profiles["timed"])
    expect("Bound by shared memory and L1" in text(tab, "section[aria-labelledby=limit]"), "not by the estimate's words")


@test
def code_has_the_width_of_the_page(profiles, browser):
    """Also with a picture: that stands beside it only where there is room for both."""
    tab = browser.page()
    for width, least in ((390, 360), (1280, 1240), (1900, 1100)):
        tab.look(width)
        tab.open(profiles["timed"])
        click(tab, "#L15 td.code")
        wide = tab.evaluate("document.querySelector('.listing').getBoundingClientRect().width")
        expect(wide >= least, f"{wide} px of code at {width} px")
    tab.look(390)
    tab.open(profiles["timed"])
    room = tab.evaluate("""document.querySelector('.listing').getBoundingClientRect().right -
        document.querySelector('#L15 td.code').getBoundingClientRect().left""")
    expect(room > 220, f"{room} px are left for code on a phone")


@test
def a_phone_shows_the_whole_roofline_and_all_figures_on_request(profiles, browser):
    tab = browser.page()
    tab.look(390)
    tab.open(profiles["timed"])
    cut = tab.evaluate("""[...document.querySelectorAll('svg.roofline text')].filter((e) => {
        const r = e.getBoundingClientRect(), all = e.closest('svg').getBoundingClientRect();
        return r.left < all.left || r.right > all.right || r.height < 9; }).map((e) => e.textContent)""")
    expect(cut == [], f"cut or tiny: {cut}")
    box = "document.querySelector('.roof-picture')"
    expect(tab.evaluate(f"{box}.scrollWidth - {box}.clientWidth") <= 0, "the roofline has to be scrolled")
    shown = "[...document.querySelectorAll('table.source thead th')].filter((e) => e.getClientRects().length).length"
    expect(tab.evaluate(shown) == 4, "more columns than a phone has room for")
    click(tab, "#all-figures")
    expect(tab.evaluate(shown) == 6, "executed and lanes are not shown")
    tab.look(1280)
    tab.open(profiles["timed"])
    expect(tab.evaluate(shown) == 6 and tab.evaluate("!document.querySelector('.narrow-only').getClientRects().length"),
           "a wide screen has all columns, and no box")


@test
def a_picture_does_not_hide_its_line(profiles, browser):
    """At the foot of a screen that is too narrow for both side by side; also of a source that scrolls in itself."""
    tab = browser.page()
    for width, height in ((1280, 700), (390, 780)):
        for name, line in (("timed", 15), ("long", 1000), ("long", 30)):
            tab.look(width, height)
            tab.open(profiles[name])
            click(tab, f"#L{line} td.code", across=0.1)
            below = tab.evaluate(f"""document.getElementById("L{line}").getBoundingClientRect().bottom -
                document.getElementById("picture").getBoundingClientRect().top""")
            expect(below <= 0, f"{name} at {width} px: line {line} is {below} px below the picture's edge")


@test
def scroll_bars_are_dark_in_the_dark(profiles, browser):
    tab = browser.page()
    for dark in (False, True):
        tab.look(1280, dark=dark)
        tab.open(profiles["timed"])
        scheme = tab.evaluate("getComputedStyle(document.documentElement).colorScheme")
        expect(("dark" in scheme) == dark, f"dark: {dark}, scheme: {scheme}")


@test
def what_does_not_compile_has_a_page(profiles, browser):
    tab = browser.page()
    tab.open(profiles["not_compiled"])
    expect("The tests did not run" in text(tab, "main"), text(tab, "main")[:200])
    expect('expected a ";"' in text(tab, "#L10 .note"), "the compiler's word is not at its line")


@test
def all_of_it_is_there_without_a_script(profiles, browser):
    tab = browser.page()
    tab.call("Emulation.setScriptExecutionDisabled", value=True)
    tab.open(profiles["conflicts"])
    tab.call("Emulation.setScriptExecutionDisabled", value=False)
    expect(number(tab, "table.source tbody tr") == 22, "the source is missing")
    expect(number(tab, ".slots i") == 64 and number(tab, "svg.roofline") == 1, "occupancy or roofline is missing")


@test
def the_printed_page_is_whole(profiles, browser):
    need("pdftotext")
    tab = browser.page()
    tab.open(profiles["conflicts"])
    printed = subprocess.run(["pdftotext", "-layout", "-", "-"], input=tab.pdf("A4"), capture_output=True, check=True).stdout.decode()
    for words in ("Transpose without bank conflicts", "Limited by registers", "transpose_kernel<<<grid, block>>>", "Roofline"):
        expect(words in printed, f"not printed: {words}")


if __name__ == "__main__":
    sys.exit(main(made, [], sys.argv[1:]))

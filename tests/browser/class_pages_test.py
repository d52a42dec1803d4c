# SPDX-License-Identifier: Apache-2.0
"""The class pages in a browser: class_pages_test.py EXAMPLE_CLASS [PART-OF-A-TEST...]. Writes TAP, a line for each test.

Draws two made-up classes, of 200 and of 24 students, and looks at them: the table is sorted, searched, filtered and
turned over with mouse and keyboard and is whole without JavaScript; names that attack a page stay names; no page is
endless, none has a violation of axe's rules; what is printed is complete.
"""
import html
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import pictures
from looking import LOOKS, ROOT, WIDE, WIDTHS, expect, main, need, test, violations

DRAW = ROOT / "grader" / "pages" / "class" / "class_report.py"
TALLEST = 6000  # Pixels on a desktop; it was 24,000 for a class of 60.
ODD_NAMES = 8  # That many students of the made-up class have names that attack pages.


class Classes:
    """Two classes, their data and their pages."""

    def __init__(self, folder, program):
        self.program, self.data, self.folders = program, {}, {}
        for name, students, language in (("large", 200, "en"), ("small", 24, "en"), ("chinese", 24, "zh_Hant")):
            made = subprocess.run([program, str(students), language, ROOT], capture_output=True, text=True, check=True).stdout
            (folder / f"{name}.json").write_text(made, encoding="utf-8")
            self.data[name], self.folders[name] = json.loads(made), folder / name
            drawn = subprocess.run([sys.executable, "-B", DRAW, folder / f"{name}.json", folder / name],
                                   capture_output=True, text=True, check=False)
            expect(drawn.returncode == 0, drawn.stderr)

    def index(self, name):
        return (self.folders[name] / "index.html").as_uri()

    def page(self, name, number):
        return (self.folders[name] / "students" / f"student-{number}.html").as_uri()

    def redrawn(self, name, **changed):
        """The index of the small class with other data."""
        file = self.folders["small"].parent / f"{name}.json"
        file.write_text(json.dumps(self.data["small"] | changed), encoding="utf-8")
        subprocess.run([sys.executable, "-B", DRAW, file, file.with_suffix("")], check=True)
        return (file.with_suffix("") / "index.html").as_uri()

    def made_index(self, students, exercises):
        """The index of a class of that many students who did these of the workbook's exercises, a slice."""
        file = self.folders["small"].parent / f"{students}-{exercises.start}-{exercises.stop}.json"
        made = json.loads(subprocess.run([self.program, str(students), "en", ROOT], capture_output=True, text=True, check=True).stdout)
        made |= {"exercises": made["exercises"][exercises], "unplaced": [],
                 "students": [each | {"cells": each["cells"][exercises]} for each in made["students"]]}
        file.write_text(json.dumps(made), encoding="utf-8")
        subprocess.run([sys.executable, "-B", DRAW, file, file.with_suffix("")], check=True)
        return (file.with_suffix("") / "index.html").as_uri(), made

    def some(self):
        """Pages of every kind, with the students whose names are odd."""
        return [self.index("large"), self.index("small"), self.index("chinese"), self.page("chinese", 12),
                *(self.page("small", number) for number in range(ODD_NAMES + 6))]


def made(folder, program):
    return Classes(folder, program)


def name_of(address):
    return "/".join(address.split("/")[-3:])


def rows(tab):
    """The names in the rows that are shown, in their order."""
    return tab.evaluate("""[...document.querySelectorAll("#class tbody tr")].filter((row) => row.offsetParent !== null)
        .map((row) => row.cells[0].textContent.trim())""")


def wait_for_paint(tab):
    tab.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")


def press(tab, key, text=""):
    code = {"Enter": 13, "Tab": 9, "ArrowDown": 40, " ": 32}.get(key, 0)
    more = {"text": text} if text else {}
    tab.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **more)
    tab.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)


def column(tab, title):
    """Number of the column with this name, and its button's place in the page."""
    return tab.evaluate(f"""[...document.querySelectorAll("#class th[data-sort]")].findIndex((head) =>
        (head.dataset.name ?? head.textContent.trim()).startsWith({json.dumps(title)}))""")


def click_head(tab, title):
    at = column(tab, title)
    expect(at >= 0, f"no column {title}")
    tab.evaluate(f"""document.querySelectorAll("#class th[data-sort]")[{at}].querySelector("button").click()""")
    return at


def values(tab, at):
    return tab.evaluate(f"""[...document.querySelectorAll("#class tbody tr")].filter((row) => !row.hidden)
        .map((row) => row.cells[{at}].dataset.value)""")


def type_into(tab, identifier, text):
    tab.evaluate(f"""(() => {{ const e = document.getElementById({json.dumps(identifier)}); e.value = {json.dumps(text)};
        e.dispatchEvent(new Event("input", {{bubbles: true}})); }})()""")


def choose(tab, flag):
    tab.evaluate(f"document.querySelector('input[name=flag][value={flag}]').click()")


# --- Every page --------------------------------------------------------------------------------------------------------


@test
def the_browser_has_nothing_to_complain_of(classes, browser):
    """No refusal of the Content-Security-Policy, no exception, no file that is looked for."""
    tab = browser.page()
    for page in classes.some():
        tab.open(page)
        expect(tab.complaints() == [], f"{name_of(page)}: {tab.complaints()}")


@test
def nothing_runs_out_of_the_page(classes, browser):
    tab = browser.page()
    for width in WIDTHS:
        tab.look(width)
        for page in classes.some():
            tab.open(page)
            tab.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
            scrolls = tab.evaluate("document.documentElement.scrollWidth - innerWidth")
            expect(scrolls <= 0, f"{name_of(page)} is {scrolls} px too wide at {width} px: {tab.evaluate(WIDE)[:5]}")
            expect(tab.evaluate(WIDE) == [], f"{name_of(page)} at {width} px: {tab.evaluate(WIDE)[:5]}")


@test
def no_page_is_endless(classes, browser):
    tab = browser.page()
    for page in [classes.index("large"), *(classes.page("large", number) for number in range(0, 200, 10))]:
        tab.open(page)
        height = tab.evaluate("document.documentElement.scrollHeight")
        expect(height <= TALLEST, f"{name_of(page)} is {height} px tall")


@test
def odd_names_stay_names(classes, browser):
    """Nothing of a name is run, is an element, or turns its neighbours round."""
    tab = browser.page()
    names = [student["name"] for student in classes.data["small"]["students"]]
    expect("<script>" in names[0] and "onerror" in names[1] and "{{" in names[5] and len(names[6]) > 90, f"{names[:8]}")
    for page in [classes.index("small"), *(classes.page("small", number) for number in range(ODD_NAMES))]:
        tab.open(page)
        expect("attacked" != tab.evaluate("document.title"), f"{name_of(page)} ran a name")
        expect(tab.evaluate("document.querySelectorAll('main img').length") == 0, f"{name_of(page)}: a name is an element")
        expect("\u202e" not in tab.evaluate("document.documentElement.outerHTML"), f"{name_of(page)}: a name turns text round")
    tab.open(classes.index("small"))
    expect(rows(tab)[:ODD_NAMES] == [name.strip() for name in names[:ODD_NAMES]], f"{rows(tab)[:ODD_NAMES]}")
    for number in range(ODD_NAMES):
        tab.open(classes.page("small", number))
        expect(tab.evaluate("document.querySelector('h1').textContent") == names[number], f"heading of student {number}")
        expect(tab.evaluate("document.title") == re.sub(r"\s+", " ", names[number]), f"title of student {number}")


@test
def axe_finds_nothing(classes, browser):
    found = []
    for width, dark, options in LOOKS:
        tab = browser.page(width=width, dark=dark)
        for page in (classes.index("small"), classes.index("chinese"), classes.page("small", 0), classes.page("small", 12)):
            tab.open(page)
            tab.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
            found += [f"{name_of(page)} at {width} px{', dark' if dark else ''}: {each}" for each in violations(tab, options)]
        tab.close()
    expect(not found, "\n".join(found))


@test
def dark_is_dark(classes, browser):
    """Each page has a dark ground and light letters where that is asked for, its source and its chart too."""
    tab = browser.page(dark=True)
    light = """[...document.querySelectorAll("html, table.grades thead, tbody th, .listing, .note, input, .box")].filter((e) => {
        const [r, g, b, a] = getComputedStyle(e).backgroundColor.match(/[\\d.]+/g).map(Number);
        return a !== 0 && r + g + b > 300; }).map((e) => e.className || e.tagName)"""
    for page in (classes.index("small"), classes.page("small", 12)):
        tab.open(page)
        expect(tab.evaluate(light) == [], f"{name_of(page)}: {tab.evaluate(light)[:5]}")
    tab.look(1280, dark=False)
    expect(len(tab.evaluate(light)) > 2, "the test would see no light ground")


# --- The table of students ---------------------------------------------------------------------------------------------


@test
def columns_are_sorted(classes, browser):
    tab = browser.page()
    tab.open(classes.index("large"))
    at = click_head(tab, "Points")
    numbers = [float(each) for each in values(tab, at) if each]
    expect(numbers == sorted(numbers, reverse=True) and len(set(numbers)) > 50, "points do not fall")
    expect(values(tab, at)[-1] == "", "who is not completely graded is not at the end")
    expect(tab.evaluate("document.querySelectorAll('#class [aria-sort]').length") == 1, "not one sorted column")
    expect(tab.evaluate(f"document.querySelectorAll('#class th[data-sort]')[{at}].ariaSort") == "descending", "not said")
    click_head(tab, "Points")
    numbers = [float(each) for each in values(tab, at) if each]
    expect(numbers == sorted(numbers), "points do not rise")
    expect(values(tab, at)[-1] == "", "who is not completely graded is not at the end")
    for title in ("tiled_matmul", "Late", "Remarks"):
        at = click_head(tab, title)
        filled = [float(each) for each in values(tab, at) if each]
        expect(filled and filled == sorted(filled, reverse=True), f"{title} does not fall")
        expect(values(tab, at)[:len(filled)].count("") == 0, f"{title}: an empty cell stands among the others")
    click_head(tab, "Student")
    type_into(tab, "rows", "0")
    firsts = [name.split()[0] for name in rows(tab) if name.split()[0] in ("Ada", "Dana", "Élodie", "Farid", "Zoë")]
    expect(sorted(set(firsts), key=firsts.index) == ["Ada", "Dana", "Élodie", "Farid", "Zoë"] and
           firsts == sorted(firsts, key=firsts.index), f"names are not as a dictionary has them: {firsts}")


@test
def namesakes_are_sorted_by_their_numbers(classes, browser):
    """The login behind the name of one comes after the "(" of the other."""
    names = {8: "Max Müller (2)", 9: "Max Müller"}
    students = [student | ({"name": names[number], "account": f"mueller{number}"} if number in names else {})
                for number, student in enumerate(classes.data["small"]["students"])]
    tab = browser.page()
    tab.open(classes.redrawn("numbered", students=students))
    click_head(tab, "Student")
    shown = tab.evaluate("[...document.querySelectorAll('#class th.namesake bdi')].map((e) => e.textContent)")
    expect(shown == ["Max Müller", "Max Müller (2)"], f"{shown}")


@test
def students_are_searched_and_filtered(classes, browser):
    tab = browser.page()
    tab.open(classes.index("large"))
    students = classes.data["large"]["students"]
    type_into(tab, "search", "zoe")
    wanted = [student["name"] for student in students if student["name"].startswith("Zoë")]
    expect(wanted and rows(tab) == wanted, f"zoe: {rows(tab)}")
    apostrophes = "'‘’‛′ʹʻʼʽˈ`´＇"
    for typed in ("obrien", "OBRIEN", *(f"O{each}Brien" for each in apostrophes)):
        type_into(tab, "search", typed)
        found = rows(tab)
        expect(found and all("O'Brien" in name for name in found), f"{typed}: {found}")
    for typed, name in (("muller", "Müller"), ("MÜLLER", "Müller"), ("alvarez", "Álvarez"), ("strasse", "Straße"), ("lukasz", "Łukasz")):
        type_into(tab, "search", typed)
        expect(rows(tab) and all(name in found for found in rows(tab)), f"{typed}: {rows(tab)}")
    type_into(tab, "search", "login77@")
    expect(rows(tab) == [students[77]["name"]], f"an address: {rows(tab)}")
    type_into(tab, "search", "nobody at all")
    expect(rows(tab) == [] and tab.evaluate("document.getElementById('shown').textContent") == "No student fits.", "found somebody")
    type_into(tab, "search", "")
    type_into(tab, "rows", "0")
    holds = {
        "open": lambda student: not student["complete"],
        "remarks": lambda student: bool(student["remarks"]),
        "late": lambda student: any(cell["late_seconds"] > 0 for cell in student["cells"]),
        "changed": lambda student: any(change["kind"] == "override" for cell in student["cells"] for change in cell["changes"]),
        "unusable": lambda student: any(cell["state"] == "unusable" for cell in student["cells"]),
        "failing": lambda student: not all(cell["passed"] for cell in student["cells"]),
    }
    for flag, condition in holds.items():
        choose(tab, flag)
        wanted = [student["name"].strip() for student in students if condition(student)]
        # Of the whole workbook nobody in the made-up class has passed all.
        is_some = wanted and (len(wanted) < len(students) or flag == "failing")
        expect(is_some and rows(tab) == wanted, f"{flag}: {len(rows(tab))}, not {len(wanted)}")
        choose(tab, flag)
    choose(tab, "late")
    column = tab.evaluate("""[...document.querySelectorAll("#class thead tr:last-child th")]
        .findIndex((head) => head.textContent === "Late")""")
    times = tab.evaluate(f"""[...document.querySelectorAll("#class tbody tr")].map((row) =>
        [row.offsetParent !== null, row.cells[{column}].textContent.trim() !== ""])""")
    expect(all(shown == has_time for shown, has_time in times), "the filter and the column say who is late, and differ")
    choose(tab, "remarks")
    both = [student["name"].strip() for student in students if holds["late"](student) and holds["remarks"](student)]
    expect(rows(tab) == both, "two filters do not both hold")
    choose(tab, "late")
    choose(tab, "remarks")
    choose(tab, "equal")
    expect(0 < len(rows(tab)) < len(students), "equal files filter nothing")
    tab.evaluate("document.querySelector('#controls [type=reset]').click()")
    tab.evaluate("new Promise((done) => setTimeout(done, 50))")
    expect(len(rows(tab)) == len(students), f"all: {len(rows(tab))}")
    type_into(tab, "section", "Tuesday")
    expect(rows(tab) == [student["name"].strip() for student in students if student["section"] == "Tuesday"], "section")


@test
def the_table_has_pages(classes, browser):
    tab = browser.page()
    tab.open(classes.index("large"))
    said = lambda: tab.evaluate("[document.getElementById('shown').textContent, document.getElementById('at').textContent]")
    click = lambda name: tab.evaluate(f"document.getElementById('{name}').click()")
    expect(said() == ["200 of 200 students", "page 1 of 4"], f"{said()}")
    expect(tab.evaluate("document.getElementById('back').disabled"), "one can go back from the first page")
    seen = rows(tab)
    for _ in range(3):
        click("next")
        seen += rows(tab)
    expect(len(seen) == 200 and len(set(seen)) == 200, f"{len(seen)} rows on 4 pages")
    expect(tab.evaluate("document.getElementById('next').disabled"), "one can go on from the last page")
    choose(tab, "remarks")
    expect(said()[1] == "page 1 of 1", f"{said()}")


@test
def the_head_stays_in_sight(classes, browser):
    tab = browser.page()
    tab.open(classes.index("large"))
    moved = tab.evaluate("""(() => { const region = document.querySelector(".grades-table");
        region.scrollTop = 500; region.scrollLeft = 200;
        const frame = region.getBoundingClientRect();
        const head = region.querySelector("thead").getBoundingClientRect();
        const name = [...region.querySelectorAll("tbody th")].find((e) => e.getBoundingClientRect().top > head.bottom);
        return [region.scrollTop, head.top - frame.top, name.getBoundingClientRect().left - frame.left]; })()""")
    expect(moved[0] == 500 and abs(moved[1]) < 3 and abs(moved[2]) < 3, f"{moved}")


@test
def on_a_phone_the_table_shows_all_students_and_that_there_are_more_columns(classes, browser):
    """A head of upright names was half of a box that showed half of the class, and nothing said that one can scroll."""
    tab = browser.page()
    for width, is_phone in ((390, True), (1280, False)):
        tab.look(width)
        tab.open(classes.index("small"))
        head, room, all_rows, said = tab.evaluate("""(() => { const region = document.querySelector(".grades-table");
            return [region.querySelector("thead").getBoundingClientRect().height, region.clientHeight, region.scrollHeight,
                    document.getElementById("scroll-hint").offsetParent !== null]; })()""")
        expect(said == is_phone, f"at {width} px the hint is {'' if said else 'not '}shown")
        if is_phone:
            expect(head < 90, f"the head is {head} px high")
            expect(room >= all_rows, f"{room} px of {all_rows} are in sight")
    more = "document.querySelector('.grades-table').classList.contains('more')"
    at = "document.querySelector('.grades-table').scrollLeft"
    tab.look(390)
    tab.open(classes.index("small"))
    wait_for_paint(tab)
    expect(tab.evaluate(more), "nothing says that there is more to the right")
    tab.evaluate(f"{at} = 100000; 0")
    wait_for_paint(tab)
    wait_for_paint(tab)
    expect(tab.evaluate(at) > 0 and not tab.evaluate(more), "at the last column, more is said to be to the right")
    few = {name: [each | {"cells": each["cells"][:1]} for each in classes.data["small"][name]] for name in ("students",)}
    tab.look(1280)
    tab.open(classes.redrawn("few", exercises=classes.data["small"]["exercises"][:1], **few))
    wait_for_paint(tab)
    expect(not tab.evaluate(more), "a table that fits is said to have more")
    expect(tab.evaluate("document.getElementById('scroll-hint').hidden"), "a table that fits is to be scrolled")
    tab.call("Emulation.setScriptExecutionDisabled", value=True)
    tab.look(390)
    tab.open(classes.index("small"))
    expect(tab.evaluate("document.getElementById('scroll-hint').offsetParent !== null"), "without JavaScript there is no hint")


@test
def what_tells_namesakes_apart_is_in_sight(classes, browser):
    students = [student | ({"name": "Maximiliane Müller-Lüdenscheidt", "account": f"maximiliane.mueller.{number}@uni.example"}
                           if number in (8, 9) else {}) for number, student in enumerate(classes.data["small"]["students"])]
    tab, index = browser.page(), classes.redrawn("namesakes", students=students)
    for width in WIDTHS:
        tab.look(width)
        tab.open(index)
        cut = tab.evaluate("""[...document.querySelectorAll("#class th.namesake")].map((name) => {
            const cell = name.getBoundingClientRect(), account = name.querySelector(".soft").getBoundingClientRect();
            return [account.right - cell.right, account.bottom - cell.bottom]; })""")
        expect(len(cut) == 2 and all(right <= 0 and bottom <= 0 for right, bottom in cut), f"cut off at {width} px: {cut}")


@test
def everything_is_done_with_keys(classes, browser):
    tab = browser.page()
    tab.open(classes.index("large"))
    focus = "document.activeElement.id || document.activeElement.textContent.trim().slice(0, 12) || document.activeElement.tagName"
    met = []
    for _ in range(60):
        press(tab, "Tab")
        met.append(tab.evaluate(focus))
        if met[-1] == "search":
            for letter in "zoe":
                press(tab, letter, letter)
            expect(len(rows(tab)) > 0 and all(name.startswith("Zoë") for name in rows(tab)), f"typed: {rows(tab)}")
            tab.evaluate("document.getElementById('search').select()")
            press(tab, "Delete")
            type_into(tab, "search", "")
        if tab.evaluate("document.activeElement.value === 'remarks'"):
            press(tab, " ", " ")
            expect(len(rows(tab)) < 50, "the space bar sets no filter")
            press(tab, " ", " ")
        if tab.evaluate("document.activeElement.closest('th')?.textContent.trim().startsWith('Points')"):
            press(tab, "Enter", "\r")
            expect(tab.evaluate("document.activeElement.closest('th').ariaSort") == "descending", "Enter does not sort")
            break
    expect("search" in met and "rows" in met and "next" in met, f"not reached: {met}")
    tab.evaluate("document.querySelector('.grades-table').focus()")
    press(tab, "ArrowDown")
    tab.evaluate("new Promise((done) => setTimeout(done, 400))")
    expect(tab.evaluate("document.querySelector('.grades-table').scrollTop") > 0, "keys do not scroll the table")


@test
def without_javascript_the_table_is_whole(classes, browser):
    tab = browser.page()
    tab.call("Emulation.setScriptExecutionDisabled", value=True)
    tab.open(classes.index("large"))
    expect(tab.evaluate("typeof sortBy") == "undefined", "the script ran")
    expect(len(rows(tab)) == 200, f"{len(rows(tab))} rows")
    hidden = "['controls', 'pager'].every((id) => document.getElementById(id).offsetParent === null)"
    expect(tab.evaluate(hidden), "there are controls that do nothing")
    expect(tab.evaluate("document.documentElement.scrollHeight") <= TALLEST, "it is endless")


@test
def a_link_opens_its_exercise(classes, browser):
    tab = browser.page()
    tab.open(classes.index("small"))
    anchor = tab.evaluate("document.querySelector('table.overview a').getAttribute('href')")
    tab.evaluate("document.querySelector('table.overview a').click()")
    # The page hears of its new fragment when it comes to it.
    tab.evaluate(f"window.linked = document.getElementById({json.dumps(anchor[1:])})")
    expect(tab.evaluate("""new Promise((done) => {
        const end = Date.now() + 10000;
        const look = () => linked.open || Date.now() > end ? done(linked.open) : setTimeout(look, 20);
        look(); })"""), f"{anchor} is closed")
    # Who of the made-up class handed in what depends on the workbook: the link is to an exercise of this student's.
    page = (classes.folders["small"] / "students" / "student-12.html").read_text(encoding="utf-8")
    exercise = re.findall(r'<details[^>]* id="([^"]+)"', page)[1]
    tab.open(classes.page("small", 12) + "#" + exercise)
    expect(tab.evaluate("document.getElementById(decodeURIComponent(location.hash.slice(1))).open"), "closed on a student's page")


# --- What the index says -----------------------------------------------------------------------------------------------


@test
def a_misconception_without_a_text_says_where_it_is(classes, browser):
    exercises = [exercise | {"misconceptions": [each | {"message": ""} for each in exercise["misconceptions"]]}
                 for exercise in classes.data["small"]["exercises"]]
    tab = browser.page()
    tab.open(classes.redrawn("no texts", exercises=exercises))
    said = tab.evaluate("[...document.querySelectorAll('details .box')].map((box) => [...box.children].map((e) => e.textContent))")
    expect(len(said) == sum(len(exercise["misconceptions"]) for exercise in exercises) > 0, "not all are there")
    expect(all(words[1] == "The students’ own pages say what it is in each case." for words in said), f"{said[0]}")


@test
def the_figures_are_those_of_the_class(classes, browser):
    data = classes.data["large"]
    points = sorted(student["points"] for student in data["students"] if student["complete"])
    tab = browser.page()
    tab.open(classes.index("large"))
    said = tab.evaluate("[...document.querySelectorAll('.figures dd')].map((e) => e.textContent)")
    middle = len(points) // 2
    median = points[middle] if len(points) % 2 else (points[middle - 1] + points[middle]) / 2
    expect(abs(float(said[0]) - sum(points) / len(points)) < 0.06 and abs(float(said[1]) - median) < 0.06, f"{said}")
    columns = tab.evaluate("document.querySelector('.histogram desc').textContent").split("; ")
    expect(sum(int(each.split(": ")[1]) for each in columns) == len(points), f"{columns}")
    rates = tab.evaluate("""[...document.querySelectorAll(".rates")].map((table) => [...table.tBodies[0].rows].map((row) => {
        const [passed, all] = row.cells[0].textContent.split(" of ").map(Number); return passed / all; }))""")
    expect(len(rates) == len(data["exercises"]) and all(each == sorted(each) for each in rates), "not the hardest tests first")
    expect(any(each[0] < each[-1] for each in rates), "the test would not see an order")


# --- A student's page --------------------------------------------------------------------------------------------------


def student_with_advice(data):
    """Number of a student with a misconception, a failed exercise with findings, and something that is missing."""
    for number, student in enumerate(data["students"]):
        failed = [data["texts"][cell["text"]] for cell in student["cells"] if cell["state"] == "graded" and not cell["passed"]]
        missing = [cell for cell in student["cells"] if cell["state"] == "missing"]
        if len(failed) > 2 and failed[0]["misconceptions"] and any(n["line"] for n in failed[0]["notes"]) and len(missing) > 2:
            return number, failed, missing
    raise AssertionError("there is no such student")


@test
def advice_comes_first(classes, browser):
    number, failed, missing = student_with_advice(classes.data["small"])
    tab = browser.page()
    tab.open(classes.page("small", number))
    first = tab.evaluate("document.querySelector('main').firstElementChild.textContent")
    advice = failed[0]["misconceptions"][0]
    expect("Do this first" in first and advice["title"] in first, first)
    expect(tab.evaluate("document.querySelector('main').firstElementChild.getBoundingClientRect().top") < 300, "far down")
    text = tab.evaluate("document.body.textContent")
    expect(text.count("Not handed in") == 1 and f"Not handed in ({len(missing)}):" in text, "what is missing is not one line")


@test
def on_a_phone_wrong_elements_and_titles_are_read_without_scrolling(classes, browser):
    """A note below its element, not a word a line in a column off the screen."""
    note = "That is `in[3]`, which another thread stores in the phase before."
    wrong = [[f"out[{row}][1023]", "-12345.25", "0", note if row < 3 else ""] for row in range(6)]
    number, failed, _ = student_with_advice(classes.data["small"])
    text = failed[0] | {"tests": [{"name": "A.B", "title": "3 x 3, tile 2: block (0, 0) in phase 1, the last, partial tile of the grid",
                                   "end": "failed", "reason": "", "wrong": wrong, "wrong_count": 6, "element_count": 8}]}
    texts = [text if each is failed[0] else each for each in classes.data["small"]["texts"]]
    page = classes.redrawn("wrong", texts=texts).replace("index.html", f"students/student-{number}.html")
    tab = browser.page()
    for width in (360, 390, 1280):
        tab.look(width)
        tab.open(page)
        seen = tab.evaluate("""(() => { const table = [...document.querySelectorAll("table.wrong")].find((each) => each.offsetParent);
            const box = table.closest(".scroll"), note = table.querySelector(".note-of");
            return {over: box.scrollWidth - box.clientWidth, tallest: Math.max(...[...table.rows].map((row) => row.offsetHeight)),
                heads: [...table.tHead.rows[0].cells].slice(0, 3).map((each) => each.getBoundingClientRect().left),
                cells: [...table.tBodies[0].rows[5].cells].slice(0, 3).map((each) => each.getBoundingClientRect().left),
                right: note.getBoundingClientRect().right - innerWidth}; })()""")
        expect(seen["over"] <= 0 and seen["right"] <= 0, f"off the screen at {width} px: {seen}")
        expect(seen["tallest"] < 110, f"rows of {seen['tallest']} px at {width} px")
        expect(all(abs(a - b) < 3 for a, b in zip(seen["heads"], seen["cells"])), f"not below their heads at {width} px: {seen}")


@test
def a_namesakes_login_stands_on_the_line_of_the_name(classes, browser):
    students = [student | ({"account": "mmueller2"} if number == 9 else {})
                for number, student in enumerate(classes.data["small"]["students"])]
    page = classes.redrawn("login", students=students).replace("index.html", "students/student-9.html")
    tab = browser.page()
    for width in WIDTHS:
        tab.look(width)
        tab.open(page)
        apart = tab.evaluate("""(() => { const foot = (node) => { const range = document.createRange(); range.selectNodeContents(node);
            return [...range.getClientRects()].at(-1).bottom; };
            return foot(document.querySelector("h1 .soft")) - foot(document.querySelector("h1 bdi")); })()""")
        expect(abs(apart) < 1, f"{apart} px lower at {width} px")


@test
def a_time_stays_in_one_line(classes, browser):
    tab = browser.page()
    tab.open(classes.redrawn("due", due=1791496740, course_title="x" * 30))
    for width in range(320, 1500, 90):
        tab.look(width)
        lines = tab.evaluate("""(() => { const last = document.querySelector("header .together").lastChild, range = document.createRange();
            range.setStart(last, last.textContent.indexOf("2026-10-08"));
            range.setEnd(last, last.textContent.trimEnd().length);
            return [range.toString(), new Set([...range.getClientRects()].map((each) => each.top)).size]; })()""")
        expect(re.fullmatch(r"2026-10-08\s\d\d:\d\d\s\w+", lines[0]) and lines[1] == 1, f"{lines} at {width} px")


@test
def findings_stand_beside_their_lines(classes, browser):
    number, failed, _ = student_with_advice(classes.data["small"])
    tab = browser.page()
    places = """[...document.querySelectorAll("details[open] > .listing > .l")].flatMap((line, i) =>
        [...line.querySelectorAll(".note")].map((note) => { const a = line.getBoundingClientRect(), b = note.getBoundingClientRect();
          return [i + 1, b.top - a.top, b.left - a.left]; }))"""
    wanted = sorted(note["line"] for note in failed[0]["notes"] if note["line"])
    tab.open(classes.page("small", number))
    found = tab.evaluate(places)
    expect(sorted(line for line, _, _ in found) == wanted, f"notes at {found}, not {wanted}")
    named = tab.evaluate("""[...document.querySelectorAll("details[open] > .listing > .l")].flatMap((line, i) =>
        [...line.querySelectorAll(".note")].map((note) => { const at = note.querySelector(".at");
          return [i + 1, at.textContent, at.hash === "#" + line.id]; }))""")
    expect(named and all(words == f"line {line}" and leads_there for line, words, leads_there in named), f"not named: {named}")
    expect(abs(found[0][1]) < 8 and all(left > 500 for _, _, left in found), f"not in the margin: {found}")
    tab.look(390)
    found = tab.evaluate(places)
    expect(all(top > 10 and left < 80 for _, top, left in found), f"on a phone not below their lines: {found}")
    source = tab.evaluate("""[...document.querySelectorAll("details[open] > .listing > .l > code")]
        .map((e) => e.textContent).join("\\n")""")
    expect(source == failed[0]["source"].rstrip("\n"), "the source is not what was graded")
    expect(tab.evaluate("document.querySelectorAll('details[open] > .listing .kw').length") > 3, "no colour")


# --- Paper -------------------------------------------------------------------------------------------------------------


def printed(tab):
    need("pdftotext")
    with tempfile.NamedTemporaryFile(suffix=".pdf") as file:
        pathlib.Path(file.name).write_bytes(tab.pdf("A4"))
        return subprocess.run(["pdftotext", "-layout", file.name, "-"], capture_output=True, text=True, check=True).stdout


def printed_words(tab):
    """For each sheet: [(left, top, right, bottom, word)], in points."""
    need("pdftotext")
    said = subprocess.run(["pdftotext", "-bbox", "-", "-"], input=tab.pdf("A4"), capture_output=True, check=True).stdout.decode()
    word = re.compile(r'<word xMin="([^"]+)" yMin="([^"]+)" xMax="([^"]+)" yMax="([^"]+)">(.*?)</word>')
    return [[(*map(float, each[:4]), html.unescape(each[4])) for each in word.findall(sheet)] for sheet in said.split("<page ")[1:]]


def covered(words):
    """The pairs of words that lie on each other. Boxes of Chinese are as high as the font's highest letter: of them none counts."""
    words, found = sorted(each for each in words if each[4].isascii()), []
    for at, one in enumerate(words):
        for other in words[at + 1:]:
            if other[0] >= one[2]:
                break
            if min(one[2], other[2]) - other[0] > 1 and min(one[3], other[3]) - max(one[1], other[1]) > 2:
                found.append((one[4], other[4]))
    return found


@test
def nothing_is_printed_over_anything_else(classes, browser):
    """The heads of the table, which are upright, ran into its first rows, and which did depended on how many there are. A page
    is printed as it was opened: of a page that was printed before, all heads were right."""
    for students, exercises in ((5, slice(0, 1)), (14, slice(0, 3)), (5, slice(1, 4)), (24, slice(0, 6)), (5, slice(0, 6)),
                                (14, slice(3, 6))):
        index, made = classes.made_index(students, exercises)
        what = f"{students} students, exercises {exercises.start} to {exercises.stop}"
        tab = browser.page()
        tab.open(index)
        sheets = printed_words(tab)
        tab.close()
        named = {each["id"] for each in made["exercises"]}
        expect(len([1 for *_, word in sheets[0] if word in named]) == len(named), f"{what}: the table is not on the first page")
        for number, sheet in enumerate(sheets, 1):
            expect(not covered(sheet), f"{what}, page {number}: {covered(sheet)[:5]}")
    for page in (classes.index("large"), classes.index("chinese"), *(classes.page("small", number) for number in (0, 12, 13))):
        tab = browser.page()
        tab.open(page)
        for number, sheet in enumerate(printed_words(tab), 1):
            expect(not covered(sheet), f"{name_of(page)}, page {number}: {covered(sheet)[:5]}")
        tab.close()


@test
def the_footer_takes_no_page(classes, browser):
    """It could be all that the last page held."""
    tab = browser.page()
    for page in (classes.index("small"), classes.page("small", 12)):
        tab.open(page)
        expect("Made by" in tab.evaluate("document.querySelector('footer').textContent"), "there is no footer")
        expect("Made by" not in printed(tab), f"{name_of(page)}: the footer is printed")


@test
def paper_has_all_students_and_no_buttons(classes, browser):
    tab = browser.page()
    tab.open(classes.index("large"))
    text = printed(tab)
    for student in classes.data["large"]["students"][ODD_NAMES:]:
        expect(student["name"] in text, f"{student['name']} is not printed")
    # "Show all" is of the form that searches; "Search" may begin a sentence of an advice.
    for word in ("Next page", "Show all", "↕"):
        expect(word not in text, f"{word} is printed")
    expect("of 200 students" not in text, "all are printed")
    choose(tab, "late")
    text, fit = printed(tab), tab.evaluate("document.getElementById('shown').textContent")
    expect(re.fullmatch(r"\d+ of 200 students", fit) and fit in text, f"paper does not say that these are {fit}")


@test
def what_is_to_mend_is_printed_although_it_is_folded(classes, browser):
    number, failed, _ = student_with_advice(classes.data["small"])
    tab = browser.page()
    tab.open(classes.page("small", number))
    expect(tab.evaluate("document.querySelectorAll('details.not-passed:not([open])').length") > 0, "nothing is folded")
    text = re.sub(r"\s+", " ", printed(tab))
    for each in failed:
        expect(each["tests"][-1]["title"] in text, f"{each['tests'][-1]['title']} is not printed")


@test
def paper_is_filled_from_the_first_page_on(classes, browser):
    """A list longer than a page is not pushed to the next one, whole, with the rest of this one left empty."""
    need("pdftotext")
    tab = browser.page()
    tab.open(classes.index("large"))
    expect(len(classes.data["large"]["unplaced"]) > 25, "the list fits on a page")
    with tempfile.NamedTemporaryFile(suffix=".pdf") as file:
        pathlib.Path(file.name).write_bytes(tab.pdf("A4"))
        first = subprocess.run(["pdftotext", "-layout", "-l", "1", file.name, "-"], capture_output=True, text=True, check=True).stdout
    expect("tiled_matmul (10)" in first, "the first page ends after the histogram")


@test
def the_table_begins_on_the_first_printed_page(classes, browser):
    """It is printed broad, and so is what stands in front of it: no page ends after the legend."""
    tab = browser.page()
    tab.open(classes.redrawn("nothing unplaced", unplaced=[]))
    first = printed(tab).split("\f")[0]
    expect("dynamic_tiled_matmul (10)" in first, "the first page ends after the legend")


@test
def the_tables_heading_and_legend_are_on_its_page(classes, browser):
    """However much of the first page is taken."""
    tab, entry, where = browser.page(), classes.data["small"]["unplaced"][0], set()
    for count in (1, 5, 9, 13):
        tab.open(classes.redrawn("some unplaced", unplaced=[entry] * count))
        sheets = printed(tab).split("\f")
        legend = next(number for number, sheet in enumerate(sheets) if re.search("^ *Legend", sheet, re.M))
        table = next(number for number, sheet in enumerate(sheets) if "dynamic_tiled_matmul (10)" in sheet)
        expect(legend == table, f"{count} unplaced: the legend is on page {legend + 1}, the table on page {table + 1}")
        expect(re.search("^ *Students$", sheets[table], re.M), f"{count} unplaced: no heading on page {table + 1}")
        where.add(table)
    expect(where == {0, 1}, f"the table is on pages {where}")


@test
def names_of_exercises_are_printed_whole(classes, browser):
    tab, data = browser.page(), classes.data["small"]
    number = max(range(24), key=lambda each: sum(cell["state"] == "graded" for cell in data["students"][each]["cells"]))
    tab.open(classes.page("small", number))
    text = printed(tab)
    for exercise, cell in zip(data["exercises"], data["students"][number]["cells"]):
        if cell["state"] == "graded":  # In the table, and above its tests.
            expect(len(re.findall(rf"\b{exercise['id']}\b", text)) >= 2, f"{exercise['id']} is broken")


@test
def the_guides_pictures_can_be_taken(classes, browser):
    """And the guide shows all of them, with words for whom cannot see them."""
    need("pdftoppm")
    guide = (ROOT / "docs" / "instructor.md").read_text(encoding="utf-8")
    for name, png in pictures.take(classes.program, browser).items():
        expect(png.startswith(b"\x89PNG"), f"{name} is no PNG")
        expect(len(png) < 250_000, f"{name} has {len(png)} bytes")
        expect((ROOT / "docs" / "pictures" / f"{name}.png").exists(), f"docs/pictures has no {name}.png")
        shown = re.search(rf"!\[[^\]]{{20,}}\]\(pictures/{name}\.png\)|pictures/{name}\.png\" alt=\"[^\"]{{20,}}\"", guide)
        expect(shown, f"the guide does not show {name}, or not in words")


@test
def the_frame_is_chinese_where_that_is_asked_for(classes, browser):
    tab = browser.page()
    tab.open(classes.index("chinese"))
    expect(tab.evaluate("document.documentElement.lang") == "zh-Hant-TW", "not said to be Chinese")
    expect(tab.evaluate("document.getElementById('shown').textContent") == "24 位學生中的 24 位", "the script's words")
    expect(tab.evaluate("[...document.querySelectorAll('h2')].map((e) => e.textContent)")[:3] == ["分數", "學生", "習題"], "headings")


if __name__ == "__main__":
    sys.exit(main(made, sys.argv[1:2], sys.argv[2:]))

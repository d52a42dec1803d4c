# SPDX-License-Identifier: Apache-2.0
"""Draws a class report: class_report.py DATA.json FOLDER. The data is what report/class_report.cc wrote."""
import datetime
import functools
import itertools
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import pages  # noqa: E402
from chart import histogram  # noqa: E402
from drawn import Drawn, digest  # noqa: E402
from figures import grouped, one, points, signed, typed, with_minus  # noqa: E402
from listing import elsewhere, listing  # noqa: E402
from summary import lateness_note, rules_of, summary  # noqa: E402
from words import translation  # noqa: E402

INDEX_SCRIPTS = [HERE / "open_details.js", HERE / "class_table.js"]
STUDENT_SCRIPTS = [HERE / "open_details.js"]

# What the filters of the index are called, in their order; the rest of the frame's words stand in the templates.
FLAGS = {"failing": "not all passed", "late": "late", "unreviewed": "not reviewed", "open": "not graded",
         "unusable": "cannot be graded", "outdated": "decided for an earlier file or other points", "unchanged": "unchanged starter",
         "requests": "open requests",
         "forbidden": "forbidden calls", "by_host": "host may have computed",
         "remarks": "with remarks", "changed": "overridden", "equal": "equal files"}
KINDS = {"late": "late", "attempt": "which attempt counts", "excluded": "a test that counts for nobody", "rubric": "rubric",
         "override": "decided"}
# Of the table's script.
SCRIPT_WORDS = {"shown": "{shown} of {all} students", "page": "page {page} of {pages}", "sort": "Sort by {name}",
                "none": "No student fits."}


def parted(name):
    """An exercise's name, which may go on in the next line behind a "_" and nowhere else."""
    return pages.Markup("_<wbr>").join(name.split("_"))


def own_name(student):
    """How the student is called: without the number that the second of two namesakes has here."""
    return re.sub(r" \(\d+\)$", "", student["name"]) if student["account"] else student["name"]


def duration(t):
    """The filter for how late something came: "3 d 2 h", "5 h", "40 min"."""
    def written(seconds):
        minutes = max(round(seconds / 60), 1)
        days, hours = minutes // 1440, minutes // 60 % 24
        if days:
            return t("{days} d {hours} h", days=days, hours=hours)
        return t("{hours} h", hours=hours) if hours else t("{minutes} min", minutes=minutes)

    return written


def clock(zone):
    """The filter for times as clocks in this zone show them. A machine without its rules shows UTC, and says so."""
    rules = rules_of(zone)
    return lambda seconds: datetime.datetime.fromtimestamp(seconds, rules).strftime("%Y-%m-%d\u00a0%H:%M\u00a0%Z")


def moment(shown):
    """The filter for a decision's time, 2026-10-01T12:00:00Z, as the clock `shown` shows it; "" for a rule's, which has none."""
    return lambda when: when and shown(datetime.datetime.strptime(when, "%Y-%m-%dT%H:%M:%S%z").timestamp())


def chapters_of(exercises):
    """[{title, exercises}] in their order."""
    return [{"title": title or chapter, "exercises": list(group)} for (chapter, title), group
            in itertools.groupby(exercises, key=lambda exercise: (exercise["chapter"], exercise["chapter_title"]))]


def anchored(exercises):
    return [exercise | {"anchor": f"{exercise['chapter']}-{exercise['id']}"} for exercise in exercises]


def obstacle(text):
    """In a few words, what to mend."""
    if text["misconceptions"] and not text["next_step"]:
        return text["misconceptions"][0]["title"]
    errors = [note for note in text["notes"] if note["severity"] == "error"]
    if errors:
        return errors[0]["heading"]
    failed = next((test for test in text["tests"] if test["end"] == "failed"), {"reason": "", "title": ""})
    return text["reason"] or failed["reason"] or failed["title"]


def entry(grades, exercise, cell, t):
    """A line of a student's table."""
    if cell.get("starter"):
        words = t("handed in as it was given out: nothing was changed")
        return {"exercise": exercise, "cell": cell, "first_wrong": None, "colour": "good" if cell["passed"] else "bad",
                "words": cell["verdict"], "obstacle": words, "is_open": False, "is_first": False}
    if cell["state"] == "graded":
        text = grades["texts"][cell["text"]]
        first_wrong = next((number for number, test in enumerate(text["tests"]) if test["wrong"]), None)
        return {"exercise": exercise, "cell": cell, "first_wrong": first_wrong,
                "colour": "good" if cell["passed"] else "bad", "words": cell["verdict"],
                "obstacle": "" if cell["passed"] else obstacle(text), "is_open": False, "is_first": False}
    colour, words = {"unusable": ("bad", "cannot be graded"), "not graded": ("warn", "not graded")}[cell["state"]]
    return {"exercise": exercise, "cell": cell, "colour": colour, "words": t(words), "obstacle": cell["problem"], "is_open": False,
            "is_first": False}


def ran(text):
    """Whether any test did: not of a file that does not compile, or that was refused."""
    return any(test["end"] != "skipped" for test in text["tests"])


def advice_of(each, text):
    """What a student should do about an exercise; None if the grader has no words for it."""
    found = {"exercise": each["exercise"], "misconception": None}
    if text["misconceptions"] and not text["next_step"]:
        return found | {"misconception": text["misconceptions"][0]}
    words = [words for words in (text["reason"], text["next_step"]) if words]
    return found | {"title": words[0], "words": words[1:]} if words else None


def first_of(grades, handed_in):
    """What the student should do first. A file that did not run comes before all that did: it earns nothing at all, and what is
    wrong with it is known exactly. Then what has a name. Of equals, the first exercise."""
    failed = [each for each in handed_in if each["cell"]["state"] == "graded" and not each["cell"]["passed"]
              and not each["cell"].get("starter")]
    found = []
    for each in failed:
        text = grades["texts"][each["cell"]["text"]]
        advice = advice_of(each, text)
        if advice:
            found.append((ran(text), advice["misconception"] is None, len(found), each, advice))
    if found:
        return min(found, key=lambda candidate: candidate[:3])[3:]
    return (failed[0], None) if failed else (None, None)


def changes_of(cell):
    """What makes a cell's points others than the grader's, without what has no effect: points that somebody gave replace what
    the rubric adds up to."""
    changes = [change | {"reason": with_minus(change["reason"])} if change["kind"] in ("late", "rubric") else change
               for change in cell["changes"]]
    rubric = [change for change in changes if change["kind"] == "rubric"]
    if cell["rubric_counts"] or not rubric or not changes or changes[-1]["kind"] != "override":
        return changes
    given = changes[-1] | {"delta": changes[-1]["delta"] + sum(change["delta"] for change in rubric)}
    return [change for change in changes[:-1] if change["kind"] != "rubric"] + [given]


def of_student(grades, exercises, student, t):
    """What a student's page shows, in its order."""
    pairs = list(zip(exercises, student["cells"]))
    handed_in = [entry(grades, exercise, cell, t) for exercise, cell in pairs if cell["state"] != "missing"]
    where, first = first_of(grades, handed_in)
    if where:
        where["is_open"] = True
        where["is_first"] = bool(first and first["misconception"])
    return {"handed_in": handed_in, "first": first,
            "missing": [exercise for exercise, cell in pairs if cell["state"] == "missing"],
            # Lateness that cost nothing changed no points; beside the time of handing in the page says what became of it.
            "changes": [(exercise, change) for exercise, cell in pairs for change in changes_of(cell)
                        if change["kind"] != "late" or change["delta"]]}


def environment(data, *folders, styles=()):
    """Also for what shows a class otherwise: its templates lie in `folders`."""
    result = pages.environment(*folders, HERE, styles=[HERE / "class_report.css", *styles])
    t, tag = translation(HERE, data["language"])
    shown = clock(data.get("time_zone", "UTC"))
    result.filters.update(points=points, one=one, signed=signed, grouped=grouped, typed=typed, parted=parted, own_name=own_name,
                          duration=duration(t), coded=pages.coded, time=shown, moment=moment(shown), lateness_note=lateness_note)
    result.globals.update(t=t, language=tag, grades=data, flag_words=FLAGS, kind_words=KINDS, is_handed_out=False)
    listing_page = result.get_template("listing.html.j2")

    @functools.cache
    def lines_of(number):
        return listing(data["texts"][number])

    def draw(number, anchor, comments, buttons, form):
        text, placed = data["texts"][number], {}
        for comment in comments:
            placed.setdefault(comment["shown_at"], []).append(comment)
        placed.pop(0, None)
        return pages.Markup(listing_page.render(text=text, anchor=anchor, lines=lines_of(number), elsewhere=elsewhere(text),
                                                comments=placed, buttons=buttons, form=form))

    # Equal files are drawn once, unless somebody has written to their students.
    draw_plain = functools.cache(lambda number, anchor: draw(number, anchor, (), False, None))

    def listing_of(number, anchor, comments=(), buttons=False, form=None):
        """`anchor` is that of the exercise; `buttons` choose a line; `form` is a macro that changes a comment."""
        return draw(number, anchor, comments, buttons, form) if comments or buttons else draw_plain(number, anchor)

    result.globals["listing_of"] = listing_of
    return result, t


def frame_of_student(data):
    """What of the class a student's page may show: nothing that another student's grade changes."""
    kept = ("chapter", "id", "title", "max_points", "starter_fails", "excluded")
    return {"assignment_title": data["assignment_title"], "max_points": data["max_points"], "device": data["device"],
            "seed": data["seed"], "time_zone": data.get("time_zone", "UTC"),
            "exercises": [{name: each[name] for name in kept} for each in data["exercises"]]}


def neighbour(students, number):
    if not 0 <= number < len(students):
        return None
    return {name: students[number][name] for name in ("name", "account", "page")}


def draw_students(env, data, t, folder, drawn):
    template, files = env.get_template("student.html.j2"), set()
    frame, students = frame_of_student(data), data["students"]
    exercises, texts = anchored(frame["exercises"]), [digest(text) for text in data["texts"]]
    shared = {"script": pages.script({}, *STUDENT_SCRIPTS), "policy": pages.policy(*STUDENT_SCRIPTS),
              "grades": frame | {"texts": data["texts"]}}
    for number, student in enumerate(students):
        file = folder / f"{student['page']}.html"
        around = {"before": neighbour(students, number - 1), "after": neighbour(students, number + 1)}
        inputs = digest(data["language"], frame, student, around,
                        [texts[cell["text"]] for cell in student["cells"] if cell["text"] is not None])
        drawn.page(file, inputs, lambda student=student, around=around: template.render(
            student=student, page=of_student(shared["grades"], exercises, student, t), **around, **shared))
        files.add(file.name)
    for old in folder.glob("*.html"):
        if old.name not in files:
            old.unlink()


def draw_index(env, data, t, folder, drawn):
    everything = summary(data, drawn.similar)
    heading = ": ".join(title for title in (data["course_title"], data["assignment_title"]) if title) or t("Grades")
    words = {name: t(text) for name, text in SCRIPT_WORDS.items()}
    pages.write_if_changed(folder / "index.html", env.get_template("index.html.j2").render(
        all=everything, heading=heading, chapters=chapters_of(everything["exercises"]),
        chart=everything["points"] and histogram(everything["points"], t),
        sections=sorted({student["section"] for student in data["students"] if student["section"]}),
        script=pages.script({"words": words}, *INDEX_SCRIPTS), policy=pages.policy(*INDEX_SCRIPTS)))


def draw(data, folder):
    env, t = environment(data)
    drawn = Drawn(folder)
    draw_students(env, data, t, folder / "students", drawn)
    draw_index(env, data, t, folder, drawn)
    drawn.save()


def main():
    data_file, folder = sys.argv[1:]
    with open(data_file, encoding="utf-8") as stream:
        data = json.load(stream)
    try:
        draw(data, pathlib.Path(folder))
    except OSError as fault:
        sys.exit(f"warplings: {fault}")


if __name__ == "__main__":
    main()

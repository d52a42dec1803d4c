# SPDX-License-Identifier: Apache-2.0
"""What the index says of a whole class, computed from the data of report/class_report.cc."""
import collections
import datetime
import math
import statistics
import zoneinfo

import similarity

BARS = 14
LATE_NOTES = ("closed", "within the grace period", "no deduction")


def of_points(students, most):
    """Mean, median, quartiles and a histogram of the points of those who are completely graded; None without any."""
    points = sorted(student["points"] for student in students if student["complete"])
    if not points:
        return None
    lower, middle, upper = statistics.quantiles(points, n=4, method="inclusive") if len(points) > 1 else points * 3
    return {"count": len(points), "mean": statistics.fmean(points), "median": middle, "lower": lower, "upper": upper,
            "least": points[0], "most": points[-1], "bars": histogram(points, most)}


def is_student(entry):
    """Not an entry that is nobody's of the roster: it is graded, and counts nowhere."""
    return not entry.get("unmatched")


def histogram(points, most):
    """[(from, to, how many)], at most BARS of a round width: the last bar holds its upper end, too. Points below 0 and
    above the maximum, which a course may give, widen the range."""
    low, high = min(0, points[0]), max(most, points[-1])
    width = round_up((high - low) / BARS or 1)
    start = math.floor(low / width)
    bars = max(math.ceil(high / width) - start, 1)
    counts = collections.Counter(min(math.floor(value / width) - start, bars - 1) for value in points)
    return [((start + i) * width, (start + i + 1) * width, counts[i]) for i in range(bars)]


def round_up(width):
    """To 1, 2, 2.5 or 5 times a power of ten."""
    power = 10 ** math.floor(math.log10(width))
    return next(step * power for step in (1, 2, 2.5, 5, 10) if step * power >= width * (1 - 1e-9))


def is_late(student):
    """By the files' times, or because an LMS has marked one as late without saying how late."""
    return uses_free_days(student) or any(cell["late_seconds"] > 0 or costs_points(cell) for cell in student["cells"])


def uses_free_days(student):
    """In this assignment."""
    return bool((student.get("late_days") or {}).get("used"))


def costs_points(cell):
    """Whether points were taken for lateness."""
    return any(change["kind"] == "late" and change["delta"] < 0 for change in cell["changes"])


def lateness_note(cell):
    """What became of a late file, one of LATE_NOTES; "" if it lost points."""
    if costs_points(cell):
        return ""
    closed, within_grace, not_deducted = LATE_NOTES
    return closed if cell["closed"] else within_grace if cell["within_grace"] else not_deducted


def lateness(student):
    """How late the latest of the student's files came, in seconds, and what became of it: what lost points comes first."""
    late = [cell for cell in student["cells"] if cell["late_seconds"] > 0]
    if not late:
        return {"late": 0, "late_note": ""}
    latest = max(late, key=lambda cell: (costs_points(cell), cell["late_seconds"]))
    return {"late": latest["late_seconds"], "late_note": lateness_note(latest)}


def is_reviewed(cell):
    """And nothing else was handed in since."""
    return bool(cell.get("reviewed")) and not cell["reviewed"]["outdated"]


def is_left_to_review(student):
    return any(cell["state"] != "missing" and not is_reviewed(cell) for cell in student["cells"])


def is_overridden(student):
    """By a person; what a rule of the course did is none of these, nor is a rubric's item that changed nothing."""
    return any(change["kind"] in ("override", "excluded") or (change["kind"] == "rubric" and round(change["delta"], 2))
               for cell in student["cells"] for change in cell["changes"])


def holders_of_texts(data, number):
    """{text: [student]} of one exercise: equal files were graded once, and have one number."""
    holders = collections.defaultdict(list)
    for student, each in enumerate(data["students"]):
        if each["cells"][number]["text"] is not None:
            holders[each["cells"][number]["text"]].append(student)
    return holders


def without_blanks(text):
    return text.split()


def same_code(texts, keys):
    """[[key]] of the texts that are equal but for names, comments and blanks, the largest group first."""
    groups = collections.defaultdict(list)
    for key in sorted(keys):
        groups[similarity.shape(texts[key]["source"])].append(key)
    return sorted((group for group in groups.values() if len(group) > 1), key=len, reverse=True)


def likeness(data, exercise, holders, untouched, similar=None):
    """What of an exercise's files is the same, each a list of students: {equal, same, copied, other_comments, renamed, alike, similar,
    too_alike}. Whoever handed in the solution is named by what was changed in it. alike_failed is, for each of alike, who has not
    passed where others have. And like_solution: how many pairs are at least as near to the solution as to each other."""
    texts, solution, starter = data["texts"], exercise["solution"], exercise["starter"]

    def of(keys):
        return sorted(student for key in keys for student in holders[key])

    own = {text: texts[text]["source"] for text in holders if text not in untouched and texts[text]["source"]}
    anchor = f"{exercise['chapter']}-{exercise['id']}"
    alike, pairs, left = similar(anchor, own, starter) if similar else similarity.compare(own, starter)
    copied = {key for key in own if solution and without_blanks(own[key]) == without_blanks(solution)}
    other_comments = {key for key in own if solution and key not in copied and similarity.code(own[key]) == similarity.code(solution)}
    renamed = {key for key in own if solution and key not in copied | other_comments | set(left) and
               tuple(similarity.words(own[key])) == tuple(similarity.words(solution))}
    known = copied | other_comments | renamed
    alike = [rest for rest in ([key for key in group if key not in known] for group in alike) if len(rest) > 1]
    passed = {each["cells"][exercise["number"]]["text"] for each in data["students"] if each["cells"][exercise["number"]]["passed"]}
    # What is wrong in the same way is no chance, though it be short; right answers to a short exercise are often the same.
    same = [group for group in same_code(texts, own.keys() - known - passed) if not any(set(group) <= set(other) for other in alike)]
    too_alike = of(key for key in left if key in passed - known)
    # Two who both wrote nearly what the workbook did are like each other for that.
    shares = similarity.shares_with(solution, {key: own[key] for pair in pairs for key in pair[1:]}, starter) if solution else {}
    of_solution = [pair for pair in pairs if solution and min(shares[pair[1]], shares[pair[2]]) >= pair[0]]
    pairs = [pair for pair in pairs if pair not in of_solution]
    return {"equal": sorted((each for text, each in holders.items() if len(each) > 1 and text not in untouched | copied),
                            key=len, reverse=True),
            "same": [of(group) for group in same], "copied": of(copied), "other_comments": of(other_comments), "renamed": of(renamed),
            "is_short": bool(solution) and similarity.is_short(solution, starter),
            "alike": [of(group) for group in alike],
            "alike_failed": [of(key for key in group if key not in passed) if passed.intersection(group) else [] for group in alike],
            "similar": [(share, holders[a], holders[b]) for share, a, b in pairs],
            "like_solution": len(of_solution), "too_alike": too_alike if len(too_alike) > 1 else []}


def of_exercise(data, number, similar=None):
    """An exercise's tests, hardest first; equal files and similar ones; how many handed in the starter."""
    exercise, texts = data["exercises"][number], data["texts"]
    holders = holders_of_texts(data, number)

    def same_as(given):
        words = without_blanks(given)
        return {text for text in holders if words and without_blanks(texts[text]["source"]) == words}

    cells = [student["cells"][number] for student in data["students"]]
    is_told = any("starter" in cell for cell in cells)
    # Grading knows more of it: answers that belong to a file, and the starters of earlier versions.
    untouched = {cell["text"] for cell in cells if cell["starter"]} if is_told else same_as(exercise["starter"])
    scores = [student["cells"][number]["points"] for student in data["students"]
              if student["cells"][number]["state"] == "graded" and is_student(student)]
    exercise = exercise | {"number": number, "anchor": f"{exercise['chapter']}-{exercise['id']}"}
    return exercise | likeness(data, exercise, holders, untouched, similar) | {
        "mean": statistics.fmean(scores) if scores else None,
        "tests": sorted(exercise["tests"], key=lambda test: test["passed"] / max(test["total"], 1)),
        "untouched": sorted(student for text in untouched for student in holders[text]),
    }


def rules_of(zone):
    """A time zone's; a machine without them has UTC."""
    try:
        return zoneinfo.ZoneInfo(zone)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        return datetime.timezone.utc


def monday(seconds, rules):
    day = datetime.datetime.fromtimestamp(seconds, rules).date()
    return day - datetime.timedelta(days=day.weekday())


def over_time(data):
    """How often each misconception was met in each week in which files were handed in, the most frequent first; None
    where times are not known, or all of one week."""
    weeks, counts, titles = collections.Counter(), collections.Counter(), {}
    rules = rules_of(data.get("time_zone", "UTC"))
    for student in filter(is_student, data["students"]):
        for exercise, cell in zip(data["exercises"], student["cells"]):
            if cell["handed_in_at"] is None or cell["text"] is None:
                continue
            week = monday(cell["handed_in_at"], rules)
            weeks[week] += 1
            if cell.get("starter"):
                continue
            for each in data["texts"][cell["text"]]["misconceptions"]:
                key = (exercise["chapter"], exercise["id"], each["id"])
                titles[key] = each["title"]
                counts[key, week] += 1
    if len(weeks) < 2:
        return None
    shown = sorted(weeks)
    rows = [{"anchor": f"{key[0]}-{key[1]}", "exercise": key[1], "title": title, "counts": [counts[key, week] for week in shown]}
            for key, title in titles.items()]
    rows.sort(key=lambda row: -sum(row["counts"]))
    return {"weeks": [week.isoformat() for week in shown], "files": [weeks[week] for week in shown], "rows": rows}


def perhaps_of(students):
    """{page of an entry that is nobody's of the roster: [student whose it may be]}"""
    found = collections.defaultdict(list)
    for student in students:
        for entry in student.get("maybe_theirs", ()):
            found[entry["page"]].append(student)
    return dict(found)


def is_begun(students):
    """Whether anybody has reviewed anything: before, it would be true of all that they are not reviewed."""
    return any(cell.get("reviewed") for student in students for cell in student["cells"])


def remarks_on(student):
    """How many there are. That nothing was handed in is none: the empty fields say so."""
    return (len(student["remarks"]) if student.get("handed_in_as") else 0) + bool(student.get("maybe_theirs"))


def flags_of(student, has_marks):
    """{flag: whether it holds}, of all flags that one student's data tell; `has_marks` is is_begun() of all students."""
    cells = student["cells"]
    return {"open": not student["complete"], "remarks": remarks_on(student) > 0, "late": is_late(student),
            "changed": is_overridden(student), "failing": not all(cell["passed"] for cell in cells),
            "unreviewed": has_marks and is_left_to_review(student),
            "unusable": any(cell["state"] == "unusable" for cell in cells),
            "unchanged": any(cell.get("starter") for cell in cells),
            "outdated": any(cell.get("decided_before") or cell.get("decided_of") is not None for cell in cells),
            "requests": any((cell.get("regrade") or {}).get("open") for cell in cells),
            "forbidden": any(cell.get("forbidden") for cell in cells),
            "by_host": any(cell.get("by_host") for cell in cells)}


def summary(data, similar=None):
    """`similar` is Drawn.similar, which remembers; else everything is compared anew."""
    exercises = [of_exercise(data, number, similar) for number in range(len(data["exercises"]))]
    sharing = {student for exercise in exercises
               for group in [*exercise["equal"], exercise["copied"],
                             [] if exercise["is_short"] else exercise["other_comments"]]
               for student in group}
    unchanged = {student for exercise in exercises for student in exercise["untouched"]}
    students, has_marks = [], is_begun(data["students"])
    for number, student in enumerate(data["students"]):
        flags = flags_of(student, has_marks) | {"equal": number in sharing, "unchanged": number in unchanged}
        students.append({"flags": [name for name, holds in flags.items() if holds], "remarks": remarks_on(student),
                         **lateness(student),
                         "lost_by_lateness": any(costs_points(cell) for cell in student["cells"])})
    counted = [student for student in data["students"] if is_student(student)]
    return {"points": of_points(counted, data["max_points"]), "exercises": exercises, "students": students,
            "over_time": over_time(data), "count": len(counted), "late_days": any(student.get("late_days") for student in counted),
            "unmatched": [student for student in data["students"] if not is_student(student)],
            "perhaps_of": perhaps_of(data["students"]),
            "differs": any(student["points"] != student["automatic"] for student in counted),
            "flags": collections.Counter(flag for student, entry in zip(students, data["students"]) if is_student(entry)
                                         for flag in student["flags"])}

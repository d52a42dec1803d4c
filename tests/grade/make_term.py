#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a term of a course: make_term.py FOLDER [--students N] [--weeks N] [--own SHARE] [--seed N].

FOLDER/course.toml and roster.csv; FOLDER/week1, …, what was handed in for each chapter, each week as another LMS exports it;
FOLDER/overrides/week1.csv, …, what the instructor decided. Work comes late, again, marked as late or with a time; some
students have extensions, some hand in nothing; their names are those that LMSs stumble over. A share of the files, half
unless told, have a line of the student's own, so that they differ. The same seed makes the same term, and the first students of a larger
one are those of a smaller one.
"""
import argparse
import csv
import datetime
import os
import pathlib
import random
import unicodedata

import make_class

ODD_NAMES = [("Ada", "Lovelace"), ("Łukasz", "Żak"), ("大文", "陳"), ("Conan", "O'Brien"), ("María José", "de la Cruz"),
             ("Jean-Luc", "Picard"), ("Ünal", "Öztürk"), ("Nguyễn", "Văn An"), ("Vincent", "van Gogh"),
             ("Διοφάντης", "Αλεξανδρεύς"), ("Madonna", ""),
             ("Ngozi", "Okonjo-Iweala"), ("Björk", "Guðmundsdóttir"), ("Hans", "Müller"), ("Hans", "Müller-Lüdenscheidt")]
START = datetime.datetime(2026, 10, 8, 23, 59, tzinfo=datetime.timezone.utc)
ATTEMPTS = ("last", "best", "first")
LATE_SHARE, AGAIN_SHARE, ABSENT_SHARE, EXTENSION_SHARE, OVERRIDE_SHARE, OWN_SHARE = 0.15, 0.2, 0.05, 0.04, 0.03, 0.5


class Student:
    def __init__(self, number):
        first, last = ODD_NAMES[number] if number < len(ODD_NAMES) else (f"Student{number:03}", f"Family{number * 7919 % 1000:03}")
        self.name = f"{first} {last}".strip()
        self.id, self.login, self.email = f"S{4000 + number}", f"user{number:03}", f"user{number:03}@uni.example"
        self.section = "ABC"[number % 3]
        self.number = number
        # Canvas: last name first, letters and digits in lower case.
        self.sortable = "".join(c for c in (last + first).lower() if unicodedata.category(c)[0] in "LN")


class HandedIn:
    """What one student hands in in one week: attempts, each {name: bytes}, and how late the last one is."""

    def __init__(self, student, week, chapter, seed, own_share):
        # By student and week: a term of fewer students is the beginning of a larger one.
        random_ = random.Random(f"{seed} {week} {student.number}")
        self.attempts, self.late = [], None
        if random_.random() < ABSENT_SHARE:
            return
        files = {}
        for _, name, texts, answers in chapter:
            text = make_class.choose_text(texts, random_)
            if text is None:
                continue
            own = f"// {random_.getrandbits(40):x}\n" if random_.random() < own_share else ""
            files[f"{name}.cu"] = (text + own).encode(errors="surrogateescape")
            if answers is not None:
                files[f"{name}.toml"] = answers.encode()
        if random_.random() < AGAIN_SHARE:
            first = dict(files)
            for _, name, texts, _ in chapter[:1]:
                first[f"{name}.cu"] = (texts["starter"] + f"// {random_.getrandbits(40):x}\n").encode()
            self.attempts.append(first)
        self.attempts.append(files)
        hours = random_.choice((1, 30, 80, 200)) if random_.random() < LATE_SHARE else -random_.randrange(1, 100)
        self.late = hours > 0
        self.time = START + datetime.timedelta(days=7 * (week - 1), hours=hours)


def write_files(folder, files, time):
    for name, data in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        os.utime(file, (time.timestamp(),) * 2)


def as_folder(folder, student, handed_in):
    """With folders for attempts, where there are several."""
    place = folder / student.email
    for number, files in enumerate(handed_in.attempts, 1):
        write_files(place / f"attempt_{number}" if len(handed_in.attempts) > 1 else place, files, handed_in.time)


def as_archive(folder, student, handed_in):
    (make_class.write_zip if student.number % 2 else make_class.write_tar)(folder / student.login, handed_in.attempts[-1])


def as_canvas(folder, student, handed_in):
    """Attachments are numbered as they come in; of a second one the name has a number, too."""
    late = "_LATE" if handed_in.late else ""
    for again, files in enumerate(handed_in.attempts):
        for place, (name, data) in enumerate(files.items()):
            stem, dot = name.rsplit(".", 1)
            copy = f"-{again}" if again else ""
            order = 100_000 + 1000 * student.number + 100 * again + place
            write_files(folder, {f"{student.sortable}{late}_{9000 + student.number}_{order}_{stem}{copy}.{dot}": data}, handed_in.time)


def as_moodle(folder, student, handed_in):
    write_files(folder / f"{student.name}_{700 + student.number}_assignsubmission_file_", handed_in.attempts[-1], handed_in.time)


def as_gradescope(folder, student, handed_in):
    number = 5000 + student.number
    write_files(folder / f"submission_{number}", handed_in.attempts[-1], handed_in.time)
    with open(folder / "submission_metadata.yml", "a", encoding="utf-8") as metadata:
        name = student.name.replace("'", "''")
        metadata.write(f"submission_{number}:\n  :submitters:\n  - :name: '{name}'\n    :sid: '{student.id}'\n"
                       f"    :email: {student.email}\n  :created_at: {handed_in.time:%Y-%m-%d %H:%M:%S}.000000000 Z\n")


def as_github(folder, student, handed_in):
    place = folder / f"week-{student.login}"
    write_files(place, handed_in.attempts[-1], handed_in.time)
    write_files(place, {"README.md": b"# Week\n", ".gitignore": b"*.o\n"}, handed_in.time)


WEEKS = (as_folder, as_canvas, as_moodle, as_gradescope, as_github, as_archive)


def write_course(folder, students, weeks, seed):
    random_ = random.Random(f"{seed} course")
    text = ('[course]\ntitle = "Programming GPUs"\nterm = "Autumn 2026"\nroster = "roster.csv"\ntimes = "files"\n\n[grading]\n'
            'device = "virtual:a100"\nseed = 7\n\n[late]\ngrace_minutes = 15\npercent_per_day = 10\ncap_percent = 50\n'
            'closed_after_days = 7\n')
    for week in range(1, weeks + 1):
        due = START + datetime.timedelta(days=7 * (week - 1))
        text += (f'\n[[assignment]]\nid = "week{week}"\nwhat = ["{week}"]\npoints = 20\ndue = {due:%Y-%m-%dT%H:%M:%SZ}\n'
                 f'scoring = "{"per_test" if week % 2 else "chapter"}"\nattempts = "{ATTEMPTS[week % 3]}"\nmax_attempts = 3\n')
        for student in students:
            if random_.random() < EXTENSION_SHARE:
                text += f'\n[[assignment.extension]]\nstudent = "{student.email}"\ndays = 2\nreason = "ill"\n'
    (folder / "course.toml").write_text(text, encoding="utf-8")
    with open(folder / "roster.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(("name", "id", "login", "email", "section"))
        writer.writerows((each.name, each.id, each.login, each.email, each.section) for each in students)


def write_overrides(folder, students, week, chapter, seed):
    random_ = random.Random(f"{seed} overrides {week}")
    (folder / "overrides").mkdir(exist_ok=True)
    with open(folder / "overrides" / f"week{week}.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(("Student", "Exercise", "Points", "Reason", "Comment"))
        # At least one, so that the file is one of decisions.
        for student in students[:1] + [each for each in students[1:] if random_.random() < OVERRIDE_SHARE]:
            name = random_.choice(chapter)[1]
            writer.writerow((student.email, name, random_.randrange(6), "shown in the lab", ""))
            writer.writerow((student.email, name, "", "", "Look at the barrier, again."))


def make_term(folder, students, weeks=6, seed=1, own_share=OWN_SHARE):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True)
    everyone = [Student(number) for number in range(students)]
    everything = make_class.exercises()
    write_course(folder, everyone, weeks, seed)
    for week in range(1, weeks + 1):
        chapter = [each for each in everything if each[0].startswith(f"{week:02}_")]
        place = folder / f"week{week}"
        place.mkdir()
        for student in everyone:
            handed_in = HandedIn(student, week, chapter, seed, own_share)
            if handed_in.attempts:
                WEEKS[(week - 1) % len(WEEKS)](place, student, handed_in)
        write_overrides(folder, everyone, week, chapter, seed)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--students", type=int, default=200)
    parser.add_argument("--weeks", type=int, default=len(WEEKS), choices=range(1, len(WEEKS) + 1))
    parser.add_argument("--own", type=float, default=OWN_SHARE, metavar="SHARE")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    make_term(arguments.folder, arguments.students, arguments.weeks, arguments.seed, arguments.own)


if __name__ == "__main__":
    main()

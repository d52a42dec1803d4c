#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the submissions of a class, good, bad and odd ones: make_class.py FOLDER [--students N] [--seed N].

Each student hands in something for most exercises: the solution, the starter, a mutant, a file that does not compile
or is no text, a loop that never ends. They come as folders and archives, in several layouts, under odd names; a few are
hostile. Some lie there as Canvas and Moodle export them, late and in several attempts. The same seed makes the same class.
"""
import argparse
import io
import os
import pathlib
import random
import re
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LAYOUTS = ("mirror", "flat", "wrapped", "chapters")
FORMS = ("folder", "folder", "folder", "zip", "tar.gz")
NAMES = ["Ada Lovelace", "ada lovelace", "陳大文", "=cmd|'calc'!A1", "-1+1", "@work", "O'Neil, \"Tip\"", "  two spaces",
         "x" * 180, "Ünïcödé", "<script>alert(1)</script>", "a;b&c", "100% done", "#1", "semi\tcolon", "Łukasz", "new\nline",
         "latin\udce9", "Διοφάντης", "🦉 owl"]
BROKEN = {
    "syntax": "void broken( {\n",
    "empty": "",
    "blank": "\n\n  \n",
    "not_utf8": "// caf\udce9\nint x;\n",
    "binary": "\x7fELF\x02\x01\x01\0\0\0\0",
    "no_entry": "int nobody_asked_for_this() { return 1; }\n",
    "forbidden": "#include <unistd.h>\nint f() { return fork(); }\n",
}
HANG = "static int Hang() {\n  for (volatile int i = 1; i;) {\n  }\n  return 0;\n}\nstatic int hang = Hang();\n"


def exercises():
    """[(chapter, id, {"solution": text, "starter": text, "mutants": [text]}, answers)]"""
    found = []
    for solution in sorted(ROOT.glob("solutions/*/*.cu")):
        chapter, name = solution.parent.name, solution.stem
        texts = {
            "solution": solution.read_text(),
            "starter": (ROOT / "chapters" / chapter / solution.name).read_text(),
            "mutants": [path.read_text() for path in sorted((ROOT / "tests/mutants" / chapter).glob(f"{name}.*.cu"))],
        }
        answers = solution.with_suffix(".toml")
        found.append((chapter, name, texts, answers.read_text() if answers.exists() else None))
    return found


def endless_kernel(text):
    """The text with a loop that never ends at the start of its first kernel; nothing where it has none."""
    kernel = re.search(r"__global__[^;{]*\)\s*\{", text)
    if kernel is None:
        return None
    return text[:kernel.end()] + "\n  for (volatile int spin = 1; spin;) {\n  }" + text[kernel.end():]


def choose_text(texts, random_):
    """A text, or None for an exercise that is not handed in."""
    draw = random_.random()
    if draw < 0.42:
        return texts["solution"]
    if draw < 0.55:
        return texts["starter"]
    if draw < 0.88:
        return random_.choice(texts["mutants"] or [texts["starter"]])
    if draw < 0.91:
        return texts["solution"] + f"// {random_.random()}\n"  # A text of one's own.
    if draw < 0.935:
        return random_.choice(list(BROKEN.values()))
    if draw < 0.945:
        return HANG + texts["solution"]
    if draw < 0.955:
        return endless_kernel(texts["solution"]) or HANG + texts["solution"]
    return None


def as_windows_writes(text, random_):
    return "\ufeff" + text.replace("\n", "\r\n") if random_.random() < 0.02 else text


def files_of_student(everything, random_):
    """{path: bytes}"""
    layout = random_.choice(LAYOUTS)
    prefix = {"mirror": "", "flat": "", "wrapped": "my work/week 1/", "chapters": "chapters/"}[layout]
    files = {}
    for chapter, name, texts, answers in everything:
        text = choose_text(texts, random_)
        if text is None:
            continue
        folder = prefix if layout == "flat" else f"{prefix}{chapter}/"
        text = as_windows_writes(text, random_)
        files[f"{folder}{name}.cu"] = text.encode(errors="surrogateescape")
        if answers is not None:
            files[f"{folder}{name}.toml"] = answers.encode()
    if random_.random() < 0.2:
        files["__MACOSX/._notes.txt"] = b"\0\5\x16\7"
        files["notes.txt"] = b"my notes"
    return files


def write_folder(path, files):
    for name, data in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(data)
    path.mkdir(exist_ok=True)


def write_zip(path, files):
    with zipfile.ZipFile(f"{path}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), data)


def write_tar(path, files):
    with tarfile.open(f"{path}.tar.gz", "w:gz") as archive:
        for name, data in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))


WRITERS = {"folder": write_folder, "zip": write_zip, "tar.gz": write_tar}


def make_hostile(folder):
    """Students who hand in what is no workbook at all. Returns how many."""
    (folder / "nothing at all").mkdir()
    (folder / "broken archive.zip").write_bytes(b"PK\x03\x04 this is no archive")
    (folder / "empty.tar.gz").write_bytes(b"")
    links = folder / "links"
    links.mkdir()
    (links / "tiled_matmul.cu").symlink_to("/etc/passwd")
    (links / "reverse.cu").symlink_to("/dev/zero")
    os.mkfifo(links / "rect_matmul.cu")
    (folder / "link to etc").symlink_to("/etc")
    with tarfile.open(folder / "escape.tar.gz", "w:gz") as archive:
        entry = tarfile.TarInfo("../../escaped/tiled_matmul.cu")
        archive.addfile(entry, io.BytesIO(b""))
        link = tarfile.TarInfo("reverse.cu")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    with zipfile.ZipFile(folder / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(8):
            archive.writestr(f"{number}/tiled_matmul.cu", bytes(64 << 20))
    return 7


def make_exported(folder, everything, random_):
    """Students whose work lies there as an LMS exports it, some of it late, some again. Returns how many."""
    solutions = [(name, texts["solution"].encode()) for _, name, texts, _ in everything]
    order = 1000
    for number, student in enumerate(("lovelaceada", "hoppergrace", "żakłukasz")):
        late = "_LATE" if number == 1 else ""
        for name, text in solutions:
            for again in range(random_.choice((1, 1, 1, 2))):
                order += 1
                copy = f"-{again}" if again else ""
                data = text if again else text + b"// the first attempt\n"
                (folder / f"{student}{late}_{number + 70}_{order}_{name}{copy}.cu").write_bytes(data)
    write_folder(folder / "Alan Kim_81_assignsubmission_file_", {f"{name}.cu": text for name, text in solutions})
    for dots in ("...", ".hidden"):
        write_folder(folder / dots, {f"{solutions[0][0]}.cu": solutions[0][1]})
    return 6


def make_class(folder, students, seed):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True)
    random_ = random.Random(seed)
    everything = exercises()
    honest = students - make_hostile(folder) - make_exported(folder, everything, random_)
    names = NAMES + [f"student {number:03}" for number in range(len(NAMES), honest)]
    for number, name in enumerate(names[:honest]):
        form = FORMS[number % len(FORMS)]
        WRITERS[form](folder / name, files_of_student(everything, random_))
    (folder / "roster.csv").write_text("name\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--students", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    make_class(arguments.folder, arguments.students, arguments.seed)


if __name__ == "__main__":
    main()

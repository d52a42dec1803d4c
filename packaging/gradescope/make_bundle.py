#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packs an autograder for Gradescope: make_bundle.py TREE FILE.zip WHAT...
                                        make_bundle.py --graded OUT FILE.zip
                                        make_bundle.py --changes OUT FILE.zip

The first grades each submission in Gradescope's container. TREE is this source tree, or the prefix of an installed one: of a git
checkout what git knows is packed, of a prefix Warplings' own folders. The second hands out what `warplings grade` wrote below OUT.
The third prints whose score FILE.zip has otherwise, writes nothing, and ends with status CHANGES if there is anybody.
"""
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
# What a build or a set-up left in a tree.
SKIPPED = (".venv", ".venv-gates", "build", "lib/warplings/setup")
INSTALLED = "lib/warplings/installed"
# Ours below a prefix, which may be /usr/local or a virtual environment. What a wheel's installer notes of it stays behind too:
# without that the launcher installs what is missing in Gradescope's image, as an environment's owner would not have it.
OURS = ("bin/warplings", "lib/warplings", "share/warplings")
# What the installed programs need and the Ubuntu of Gradescope's image (22.04) has no package of, or one that is too old:
# a shared library, and bubblewrap. setup.sh takes of this machine's what is missing there.
CARRIED = ("libtomlplusplus.so.3",)
CHANGES = 10
SECONDS_BETWEEN_LINES = 10
# A bundle is the same whenever it is made of the same files.
DATE = (2026, 1, 1, 0, 0, 0)


def add(bundle, name, data, mode=0o644):
    entry = zipfile.ZipInfo(name, DATE)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = (0o100000 | mode) << 16
    bundle.writestr(entry, data)


def files_of(tree):
    """Paths below the tree: of an installed one what is ours, of a checkout what git knows, else all but builds."""
    if (tree / INSTALLED).exists():
        found = [path for name in OURS for path in (tree / name, *(tree / name).rglob("*"))]
    elif (tree / ".git").exists():
        listed = subprocess.run(["git", "-C", tree, "ls-files", "-z"], capture_output=True, check=True).stdout
        return [pathlib.Path(name) for name in listed.decode().split("\0") if name]
    else:
        found = tree.rglob("*")
    below = sorted(path.relative_to(tree) for path in found if path.is_file())
    return [path for path in below if "__pycache__" not in path.parts
            and not any(path.is_relative_to(skipped) for skipped in SKIPPED)]


def tell_unknown(tree):
    """What somebody wrote and forgot to add to git, and a build in Gradescope's image would miss."""
    if (tree / INSTALLED).exists() or not (tree / ".git").exists():
        return
    listed = subprocess.run(["git", "-C", tree, "ls-files", "-z", "--others", "--exclude-standard"], capture_output=True,
                            check=True).stdout
    names = [name for name in listed.decode(errors="replace").split("\0") if name]
    if names:
        print(f"not in the bundle, since git does not know them: {names[0]!a}"
              + (f" and {len(names) - 1} more" if len(names) > 1 else ""))


def pack_tree(bundle, tree, what):
    add(bundle, "what", "\n".join(what) + "\n")
    files, told, programs = files_of(tree), time.monotonic(), []
    for number, path in enumerate(files):
        if time.monotonic() - told >= SECONDS_BETWEEN_LINES:
            told = time.monotonic()
            print(f"packed {number} of {len(files)} files", file=sys.stderr, flush=True)
        file = tree / path
        # uv may have installed a wheel as links into its cache.
        if not file.is_file() or (file.is_symlink() and not (tree / INSTALLED).exists()):
            continue
        runs = bool(file.stat().st_mode & 0o100)
        add(bundle, f"warplings/{path}", file.read_bytes(), 0o755 if runs else 0o644)
        programs += [f"warplings/{path}"] if runs else []
    add(bundle, "programs", "\n".join(programs) + "\n")


def libraries_of(program):
    """Paths of the libraries in CARRIED that this program loads here, by their names."""
    listed = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    words = [line.split() for line in listed.splitlines()]
    return {line[0]: pathlib.Path(line[2]) for line in words if line[0] in CARRIED and len(line) > 2 and line[2] != "not"}


def pack_carried(bundle, tree):
    """Of an installed tree."""
    bubblewrap = shutil.which("bwrap")
    if bubblewrap:
        add(bundle, "carried/bwrap", pathlib.Path(bubblewrap).read_bytes(), 0o755)
    for name, file in sorted(libraries_of(tree / "lib/warplings/grader/cli/warplings-teach").items()):
        add(bundle, f"carried/{name}", file.read_bytes(), 0o755)
    engine = (tree / "lib/warplings/grader/device/program/warplings-device").read_bytes()
    if b"x86-64-v1" not in engine:
        print("This tree's interpreter is compiled for some processors only, perhaps not for Gradescope's. packaging/release"
              " makes a tree for all: use the `warplings` of that one.")


def graded_in(out):
    """{folder: results} below `out`, and {key: folders} of the keys by which run_autograder looks.

    A key is a folder of Gradescope's export, of which a group's members share one, or an e-mail address.
    """
    results, members = {}, {}
    for folder in sorted((out / "gradescope").iterdir()):
        results[folder.name] = json.loads((folder / "results.json").read_text(encoding="utf-8"))
        extra = results[folder.name]["extra_data"]
        # Who handed in nothing, or has no address, must not share a key with others like them.
        for key in {folder.name, pathlib.Path(extra.get("handed_in_as", "")).name, extra.get("email", "").lower()} - {""}:
            members.setdefault(key, []).append(folder.name)
    return results, members


def pack_graded(bundle, out):
    results, members = graded_in(out)
    for each in results.values():
        for key in ("student", "handed_in_as", "email"):
            each["extra_data"].pop(key, "")
    add(bundle, "graded.json", json.dumps({"results": results, "members": {key: members[key] for key in sorted(members)}}))
    return len(results)


def shown(results, members):
    """{folder: score that Gradescope shows}: of a group that of the member with the most points, as in run_autograder."""
    scores = {name: each["score"] for name, each in results.items()}
    return {name: max(scores[one] for group in members.values() if name in group for one in group) for name in scores}


def scores_in(file):
    """{folder: score} of a bundle of results; nobody's where there is none, or it holds something else."""
    try:
        with zipfile.ZipFile(file) as bundle:
            held = json.loads(bundle.read("graded.json"))
        return shown(held["results"], held["members"])
    except (OSError, KeyError, ValueError, TypeError, AttributeError, zipfile.BadZipFile):
        return {}


def tell_changes(out, file):
    """Prints a line for each student whose score the bundle would change; True if there is one."""
    before, found = scores_in(file), False
    results, members = graded_in(out)
    for name, score in shown(results, members).items():
        if before.get(name) != score:
            found = True
            held = f"{before[name]:g}" if name in before else "no score"
            print(f"  {results[name]['extra_data'].get('student', name)}: {held} -> {score:g}")
    if not pathlib.Path(file).exists():
        print(f"{file} would be new. Dry run: it is not written.")
        return True
    print(f"{file} {'would change' if found else 'would stay as it is'}. Dry run: it is not written.")
    return found


@contextlib.contextmanager
def whole_file(file):
    """What is written to in place of `file`, and takes its name at the end: an interruption leaves what was there."""
    part = pathlib.Path(f"{file}.part")
    try:
        yield part
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    os.replace(part, file)


def main():
    # Who has read enough (`| head`) ends this as it ends other programs.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    if sys.argv[1] == "--changes":
        sys.exit(CHANGES if tell_changes(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])) else 0)
    graded = sys.argv[1] == "--graded"
    source, file, *what = (pathlib.Path(sys.argv[2]), *sys.argv[3:]) if graded else (
        pathlib.Path(sys.argv[1]), *sys.argv[2:])
    with whole_file(file) as part, zipfile.ZipFile(part, "w") as bundle:
        for name in ("setup.sh", "run_autograder"):
            add(bundle, name, (HERE / name).read_bytes(), 0o755)
        if graded:
            done = f"{file}: hands out {pack_graded(bundle, source)} results\n"
        else:
            pack_tree(bundle, source, what)
            tell_unknown(source)
            if (source / INSTALLED).exists():
                pack_carried(bundle, source)
            done = ""  # `gradescope-bundle` names the exercises.
    sys.stdout.write(done)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)  # As a shell says it; `warplings` has the words.

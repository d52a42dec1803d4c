#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds every chapters/*/chapter.LANGUAGE.toml against the chapter.toml beside it, and drills.LANGUAGE.toml against
drills.toml.

  chapters.py              what is missing, what was translated from a text that has changed since, what does not
                           exist in English; all of these fail
  chapters.py --add FILE…     writes "" for each exercise, misconception and drill that these translations lack, and
                           deletes untranslated misconceptions that the chapter no longer has; makes a missing file
  chapters.py --stamp FILE…   writes the tables `english` of these translations anew: call it once you have looked
                           through what the first form listed

A text that is "" is shown in English on purpose, for want of somebody who speaks the language: it is listed and does
not fail.
"""

import argparse
import contextlib
import hashlib
import io
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]

STAMP = "python3 tests/translations/chapters.py --stamp"


def stamp(text):
    """Of an English text; line breaks are the editor's business and not the translator's."""
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:8]


# What is translated of a drill: single texts, and lists with the names of their entries.
OF_DRILL = ["question", "unit", "why"]
LISTS_OF_DRILL = {"choices": "choice", "wrong": "wrong"}


def texts_of_drill(drill):
    """The words about mistakes have tables of their own in English, and are a list in a translation."""
    name = drill.get("id", "?") + " / "
    texts = {name + key: drill.get(key) for key in OF_DRILL}
    for key, entry in LISTS_OF_DRILL.items():
        for number, each in enumerate(drill.get(key, [])):
            texts[f"{name}{entry} {number + 1}"] = each["why"] if isinstance(each, dict) else each
    return texts


def contract_of(header):
    """What a reader sees of a contract: its comments and declarations."""
    lines = [line for line in header.split("\n") if not line.startswith(("// SPDX", "#pragma once"))]
    return "\n".join(lines).strip("\n")


def declarations_of(contract):
    """A contract without its comments, and without blanks."""
    return re.sub(r"//[^\n]*|\s", "", contract)


def texts_of(chapter, contracts=None):
    """{key: text} of what is translated, with the key as a person would look for it. `contracts`: of the English exercises, by id."""
    texts = {"title": chapter.get("title")}
    for drill in chapter.get("drill", []):
        texts |= texts_of_drill(drill)
    for exercise in chapter.get("exercise", []):
        name = exercise.get("id", "?")
        texts[f"{name} / title"] = exercise.get("title")
        texts[f"{name} / contract"] = exercise.get("contract", (contracts or {}).get(name))
        for number, hint in enumerate(exercise.get("hints", [])):
            texts[f"{name} / hint {number + 1}"] = hint
        if "baseline" in exercise.get("speed", {}):
            texts[f"{name} / speed / baseline"] = exercise["speed"]["baseline"]
        for misconception in exercise.get("misconception", []):
            for key in ("title", "message"):
                texts[f"{name} / {misconception.get('id', '?')} / {key}"] = misconception.get(key)
    return {key: text for key, text in texts.items() if text is not None}


def stamps_of(chapter):
    """The stamps that a translation keeps, by the keys of texts_of()."""

    def read(table, prefix, keys):
        english = table.get("english", {})
        stamps = {prefix + key: english[key] for key in keys if key in english}
        for number, each in enumerate(english.get("hints", [])):
            stamps[f"{prefix}hint {number + 1}"] = each
        return stamps

    stamps = read(chapter, "", ["title"])
    for drill in chapter.get("drill", []):
        name = drill.get("id", "?") + " / "
        stamps |= read(drill, name, OF_DRILL)
        for key, entry in LISTS_OF_DRILL.items():
            for number, each in enumerate(drill.get("english", {}).get(key, [])):
                stamps[f"{name}{entry} {number + 1}"] = each
    for exercise in chapter.get("exercise", []):
        name = exercise.get("id", "?") + " / "
        stamps |= read(exercise, name, ["title", "contract"])
        stamps |= read(exercise.get("speed", {}), name + "speed / ", ["baseline"])
        for misconception in exercise.get("misconception", []):
            stamps |= read(misconception, f"{name}{misconception.get('id', '?')} / ", ["title", "message"])
    return stamps


def foreign_keys(chapter):
    """Keys that a translation has no use for: misspelt, or of chapter.toml alone."""

    def unknown(table, known, where):
        return [f"{where}{key}: no such key" for key in table if key not in known]

    found = unknown(chapter, {"title", "english", "exercise", "drill"}, "")
    for drill in chapter.get("drill", []):
        found += unknown(drill, {"id", "english", *OF_DRILL, *LISTS_OF_DRILL}, drill.get("id", "?") + " / ")
    for exercise in chapter.get("exercise", []):
        name = exercise.get("id", "?") + " / "
        found += unknown(exercise, {"id", "title", "contract", "hints", "english", "speed", "misconception"}, name)
        found += unknown(exercise.get("speed", {}), {"baseline", "english"}, name + "speed / ")
        for misconception in exercise.get("misconception", []):
            where = f"{name}{misconception.get('id', '?')} / "
            found += unknown(misconception, {"id", "title", "message", "english"}, where)
    return found


def repeated(translation):
    """Ids that are there twice: the program would read one of them only."""
    ids = [each.get("id", "?") for key in ("exercise", "drill") for each in translation.get(key, [])]
    for exercise in translation.get("exercise", []):
        ids += [f"{exercise.get('id', '?')} / {each.get('id', '?')}" for each in exercise.get("misconception", [])]
    return sorted({each for each in ids if ids.count(each) > 1})


def code_of(text):
    """Names of the code, which are the same in all languages."""
    names = re.findall(r"[A-Za-z_]*(?:_[A-Za-z0-9_]+|\(\))|#pragma[ a-z]*\d*|[A-Za-z]+\[[^]]*\](?:\[[^]]*\])?", text)
    return set(names)


def numbers_of(text):
    return set(re.findall(r"\d+(?:\.\d+)?", text))


def avoided(text, words):
    """Words of another usage: the list is handouts/text/LANGUAGE/terms.toml."""
    return [f"'{word}' is '{better}' here" for word, better in words.items() if word in text]


def compare(english, translation, words, contracts=None):
    """Two lists of lines: faults, and texts left in English on purpose."""
    original, translated, stamps = texts_of(english, contracts), texts_of(translation), stamps_of(translation)
    faults = foreign_keys(translation) + [f"{key}: is there twice" for key in repeated(translation)]
    faults += [f"{key}: does not exist in English" for key in translated if key not in original]
    faults += [f"{key}: is missing" for key in original if key not in translated]
    left = [key for key, text in translated.items() if key in original and not text]
    for key, text in original.items():
        if not translated.get(key):
            continue
        if key not in stamps:
            faults.append(f"{key}: says nothing of the English text it was made from; `{STAMP} FILE` adds that")
        elif stamps[key] != stamp(text):
            faults.append(f"{key}: the English text has changed since; correct the translation, then run `{STAMP} FILE`. "
                          f"It is now: {' '.join(text.split())[:90]}")
        if differing := code_of(text) ^ code_of(translated[key]):
            faults.append(f"{key}: names of the code differ: {', '.join(sorted(differing))}")
        if key.endswith(" / contract") and declarations_of(text) != declarations_of(translated[key]):
            faults.append(f"{key}: the declarations differ")
        faults += [f"{key}: {line}" for line in avoided(translated[key], words)]
        if lost := numbers_of(text) - numbers_of(translated[key]):
            faults.append(f"{key}: numbers are missing: {', '.join(sorted(lost))}")
    return faults, left


def quoted(stamps):
    def value(each):
        return "[" + ", ".join(f'"{one}"' for one in each) + "]" if isinstance(each, list) else f'"{each}"'

    return "english = {" + ", ".join(f"{key} = {value(each)}" for key, each in stamps.items()) + "}"


def english_of(path):
    """chapter.toml of chapter.LANGUAGE.toml, drills.toml of drills.LANGUAGE.toml."""
    return path.with_name(path.name.split(".")[0] + ".toml")


def contracts_beside(path):
    """The contracts of a chapter's exercises, by id."""
    return {header.stem: contract_of(header.read_text(encoding="utf-8")) for header in path.parent.glob("*.h")}


def write_stamps(path):
    """A line `english = {…}` in each table, in front of the next table or at the end of the file's head."""
    read_toml(path)  # Says where it is not TOML; below, its tables are read one by one.
    english = texts_of(read_toml(english_of(path)), contracts_beside(path))
    text = re.sub(r"^english = \{.*\}\n", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    tables = re.split(r"^(?=\[)", text, flags=re.MULTILINE)
    exercise = ""
    for number, table in enumerate(tables):
        data = tomllib.loads(table)
        if "exercise" in data and isinstance(data["exercise"], list):
            exercise = data["exercise"][0]["id"]
            own, prefix = data["exercise"][0], exercise + " / "
        elif "drill" in data:
            own, prefix = data["drill"][0], data["drill"][0]["id"] + " / "
        elif "speed" in data.get("exercise", {}):
            own, prefix = data["exercise"]["speed"], exercise + " / speed / "
        elif "misconception" in data.get("exercise", {}):
            own = data["exercise"]["misconception"][0]
            prefix = f"{exercise} / {own['id']} / "
        else:
            own, prefix = data, ""
        stamps = {key: stamp(english[prefix + key]) for key in own if prefix + key in english}
        if "hints" in own:
            hints = [f"{prefix}hint {each + 1}" for each in range(len(own["hints"]))]
            stamps["hints"] = [stamp(english[each]) for each in hints if each in english]
        for key, entry in LISTS_OF_DRILL.items() if "drill" in data else []:
            entries = [f"{prefix}{entry} {each + 1}" for each in range(len(own.get(key, [])))]
            if entries:
                stamps[key] = [stamp(english[each]) for each in entries if each in english]
        tables[number] = table.rstrip("\n") + "\n" + (quoted(stamps) + "\n" if stamps else "") + "\n"
    path.write_text("".join(tables).rstrip("\n") + "\n", encoding="utf-8")


def table_of_misconception(misconception):
    return f'[[exercise.misconception]]\nid = "{misconception["id"]}"\ntitle = ""\nmessage = ""\n'


def tables_of_exercise(exercise):
    hints = ", ".join('""' for _ in exercise.get("hints", []))
    tables = [f'[[exercise]]\nid = "{exercise["id"]}"\ntitle = ""\ncontract = ""\nhints = [{hints}]\n']
    if "baseline" in exercise.get("speed", {}):
        tables.append('[exercise.speed]\nbaseline = ""\n')
    return tables + [table_of_misconception(each) for each in exercise.get("misconception", [])]


def without_leftovers(tables, english):
    """Without the misconceptions of `new`'s example: English lacks them, and nobody has translated them."""
    known = {exercise["id"]: [each["id"] for each in exercise.get("misconception", [])] for exercise in english.get("exercise", [])}
    kept, exercise = [], ""
    for table in tables:
        data = tomllib.loads(table)
        if table.startswith("[[exercise]]"):
            exercise = data["exercise"][0]["id"]
        if table.startswith("[[exercise.misconception]]") and exercise in known:
            own = data["exercise"]["misconception"][0]
            if own["id"] not in known[exercise] and not own.get("title") and not own.get("message"):
                continue
        kept.append(table)
    return kept


def table_of_drill(drill):
    lines = ["[[drill]]", f'id = "{drill["id"]}"', *(f'{key} = ""' for key in OF_DRILL if key in drill)]
    for key in LISTS_OF_DRILL:
        if key in drill:
            lines.append(f"{key} = [" + ", ".join(['""'] * len(drill[key])) + "]")
    return "\n".join(lines) + "\n"


def begin(path):
    """The first lines of a translation that is missing or empty."""
    head = "# SPDX-License-Identifier: Apache-2.0\n" + ('\ntitle = ""\n' if path.name.startswith("chapter.") else "")
    path.write_text(head, encoding="utf-8")


def add_entries(path):
    """Entries that are shown in English, for exercises, misconceptions and drills that the translation lacks."""
    if not re.fullmatch(r"(chapter|drills)\.[A-Za-z_]+\.toml", path.name):
        sys.exit(f"{path}: name a translation, such as drills.zh_Hant.toml")
    if not english_of(path).exists():
        sys.exit(f"{english_of(path)} is missing: write the English texts first")
    if not path.exists() or not path.read_text(encoding="utf-8").strip():
        begin(path)
    english, translation = read_toml(english_of(path)), read_toml(path)
    there = {each["id"]: each for each in translation.get("exercise", [])}
    tables = [each.rstrip("\n") + "\n" for each in re.split(r"^(?=\[)", path.read_text(encoding="utf-8"), flags=re.MULTILINE)]
    tables = without_leftovers(tables, english)
    last, exercise = {}, ""  # The last table of each exercise.
    for number, table in enumerate(tables):
        if table.startswith("[[exercise]]"):
            exercise = tomllib.loads(table)["exercise"][0]["id"]
        last[exercise] = number
    # From the end, so that the numbers of the tables before stay.
    for number, exercise in sorted(((last[each], each) for each in there), reverse=True):
        known = [each["id"] for each in there[exercise].get("misconception", [])]
        of_english = [each for each in english.get("exercise", []) if each["id"] == exercise]
        tables[number + 1:number + 1] = [table_of_misconception(each) for original in of_english
                                         for each in original.get("misconception", []) if each["id"] not in known]
    for original in english.get("exercise", []):
        if original["id"] not in there:
            tables += tables_of_exercise(original)
    known = [each.get("id") for each in translation.get("drill", [])]
    tables += [table_of_drill(each) for each in english.get("drill", []) if each["id"] not in known]
    path.write_text("\n".join(tables), encoding="utf-8")


def self_test():
    """That each fault is seen: a test that cannot fail is none."""
    changed = f" has changed since; correct the translation, then run `{STAMP} FILE`. It is now: "
    english = tomllib.loads(
        'title = "A"\n[[exercise]]\nid = "e"\ntitle = "B"\nhints = ["look at f_x()", "c"]\n'
        '[[exercise.misconception]]\nid = "m"\ntitle = "t"\nmessage = "see M[0][3]"\n'
    )
    good = (
        f'title = "甲"\nenglish = {{title = "{stamp("A")}"}}\n[[exercise]]\nid = "e"\ntitle = "乙"\n'
        f'hints = ["看 f_x()", ""]\nenglish = {{title = "{stamp("B")}", hints = ["{stamp("look at  f_x()")}", ""]}}\n'
        f'[[exercise.misconception]]\nid = "m"\ntitle = "題"\nmessage = "看 M[0][3]"\n'
        f'english = {{title = "{stamp("t")}", message = "{stamp("see M[0][3]")}"}}\n'
    )
    words = {"線程": "執行緒"}
    first = compare(english, tomllib.loads(good), words)
    assert first == ([], ["e / hint 2"]), first
    for before, after, wanted in [
        ('title = "甲"\n', "", "title: is missing"),
        ('hints = ["看 f_x()", ""]', 'hints = ["看 f_x()"]', "e / hint 2: is missing"),
        ('id = "m"', 'id = "n"', "e / n / title: does not exist in English"),
        ('id = "m"', 'id = "m"\ncolour = "x"', "e / m / colour: no such key"),
        (stamp("A"), "12345678", f"title: the English text{changed}A"),
        (f'{{title = "{stamp("A")}"}}', "{}", "title: says nothing of the English text"),
        ("看 f_x()", "看 g_x()", "e / hint 1: names of the code differ: f_x(), g_x()"),
        ("看 M[0][3]", "看 M[0][3] 和 M[1][0]", "e / m / message: names of the code differ: M[1][0]"),
        ('title = "甲"', 'title = "甲"\nanother = 1', "another: no such key"),
        ("看 M[0][3]", "看線程的 M[0][3]", "e / m / message: '線程' is '執行緒' here"),
        ("看 M[0][3]", "看 M[0][2]", "e / m / message: names of the code differ: M[0][2], M[0][3]"),
    ]:
        assert before in good, before
        faults = compare(english, tomllib.loads(good.replace(before, after, 1)), words)[0]
        assert any(fault.startswith(wanted) for fault in faults), (wanted, faults)
    drills = tomllib.loads(
        '[[drill]]\nid = "d"\nquestion = "How many of 3?"\nunit = "x"\nchoices = ["yes", "no"]\nwhy = "w"\n'
        '[[drill.wrong]]\nanswer = 1\nwhy = "see f_x()"\n'
    )
    good_drills = (
        '[[drill]]\nid = "d"\nquestion = "3 個裡有幾個？"\nunit = "個"\nchoices = ["是", "否"]\nwhy = "因"\nwrong = ["看 f_x()"]\n'
        f'english = {{question = "{stamp("How many of 3?")}", unit = "{stamp("x")}", choices = ["{stamp("yes")}", '
        f'"{stamp("no")}"], why = "{stamp("w")}", wrong = ["{stamp("see f_x()")}"]}}\n'
    )
    assert compare(drills, tomllib.loads(good_drills), words) == ([], [])
    for before, after, wanted in [
        ("3 個", "4 個", "d / question: numbers are missing: 3"),
        ('wrong = ["看 f_x()"]', "wrong = []", "d / wrong 1: is missing"),
        ('"是", "否"', '"是"', "d / choice 2: is missing"),
        (stamp("yes"), "12345678", f"d / choice 1: the English text{changed}yes"),
        (stamp("see f_x()"), "12345678", f"d / wrong 1: the English text{changed}see f_x()"),
        ("why = ", "whi = ", "d / whi: no such key"),
    ]:
        faults = compare(drills, tomllib.loads(good_drills.replace(before, after, 1)), words)[0]
        assert any(fault.startswith(wanted) for fault in faults), (wanted, faults)
    header = "// SPDX-License-Identifier: Apache-2.0\n#pragma once\n\n// P is right, 3 times.\nvoid f_x(int n);  // n > 0\n"
    contracts = {"e": contract_of(header)}
    assert contracts["e"].startswith("// P is right"), contracts
    assert "e / contract: is missing" in compare(english, tomllib.loads(good), words, contracts)[0]
    with_contract = good.replace('title = "乙"\n', 'title = "乙"\ncontract = "// P 對，3 次。\\nvoid f_x(int n);  // n 為正"\n').replace(
        "english = {title = " + f'"{stamp("B")}"', f'english = {{title = "{stamp("B")}", contract = "{stamp(contracts["e"])}"')
    assert compare(english, tomllib.loads(with_contract), words, contracts)[0] == ["e / contract: numbers are missing: 0"]
    with_contract = with_contract.replace("n 為正", "n > 0")
    assert compare(english, tomllib.loads(with_contract), words, contracts)[0] == []
    for before, after, wanted in [("3 次", "4 次", "numbers are missing: 3"), ("int n)", "long n)", "the declarations differ"),
                                  (stamp(contracts["e"]), "12345678", "the English text has changed since")]:
        faults = compare(english, tomllib.loads(with_contract.replace(before, after)), words, contracts)[0]
        assert any(fault.startswith("e / contract: " + wanted) for fault in faults), (wanted, faults)
    twice = good + '[[exercise.misconception]]\nid = "m"\ntitle = "題"\n'
    assert "e / m: is there twice" in compare(english, tomllib.loads(twice), words)[0]


def test_new_exercises():
    """What `new` writes is shown in English on purpose, in a chapter that is there and in one that it begins."""
    with tempfile.TemporaryDirectory(prefix="warplings-new-") as folder:
        chapters = pathlib.Path(folder) / "chapters"
        there = chapters / "01_there"
        there.mkdir(parents=True)
        (there / "chapter.toml").write_text('title = "A"\n', encoding="utf-8")
        (there / "chapter.zh_Hant.toml").write_text(f'title = "甲"\nenglish = {{title = "{stamp("A")}"}}\n', encoding="utf-8")
        for name, titles in [("01_there/one", 0), ("02_begun/two", 1), ("02_begun/three", 1)]:
            subprocess.run([ROOT / "grader/authoring/new_exercise", name, folder], check=True, stdout=subprocess.DEVNULL)
            path = chapters / name.split("/")[0] / "chapter.zh_Hant.toml"
            english, translation = (tomllib.loads(each.read_text(encoding="utf-8")) for each in (english_of(path), path))
            faults, left = compare(english, translation, {}, contracts_beside(path))
            assert faults == [] and len(left) == titles + 11 * len(english["exercise"]), (name, faults, left)


def test_what_is_added():
    """Afterwards nothing is missing, and what was translated stays."""
    with tempfile.TemporaryDirectory(prefix="warplings-add-") as folder:
        path = pathlib.Path(folder) / "chapter.zh_Hant.toml"
        english = 'title = "A"\n'
        for name in ("one", "two", "three"):
            english += f'\n[[exercise]]\nid = "{name}"\ntitle = "T"\nhints = ["a", "b"]\n'
            for misconception in ("left", "right"):
                english += f'\n[[exercise.misconception]]\nid = "{misconception}"\ntitle = "t"\nmessage = "m"\n'
            (path.parent / f"{name}.h").write_text("void f();\n", encoding="utf-8")
        english_of(path).write_text(english, encoding="utf-8")
        path.write_text('title = "甲"\n\n[[exercise]]\nid = "one"\ntitle = "乙"\ncontract = ""\nhints = ["", ""]\n\n'
                        '[[exercise.misconception]]\nid = "right"\ntitle = "題"\nmessage = ""\n\n'
                        '[[exercise]]\nid = "three"\ntitle = ""\ncontract = ""\nhints = ["", ""]\n', encoding="utf-8")
        add_entries(path)
        write_stamps(path)
        translation = read_toml(path)
        faults, left = compare(read_toml(english_of(path)), translation, {}, contracts_beside(path))
        assert faults == [], faults
        assert len(left) == 3 * 8 - 2, left
        assert [each["id"] for each in translation["exercise"]] == ["one", "three", "two"]
        text = path.read_text(encoding="utf-8")
        add_entries(path)
        assert path.read_text(encoding="utf-8") == text, "nothing is missing any more"
        # The example's misconceptions are replaced by the author's own; a translated one is for its translator to delete.
        changed = english.replace('id = "left"', 'id = "below"').replace('id = "right"', 'id = "above"')
        english_of(path).write_text(changed, encoding="utf-8")
        add_entries(path)
        faults, _ = compare(read_toml(english_of(path)), read_toml(path), {}, contracts_beside(path))
        assert faults and all(fault.startswith("one / right / ") for fault in faults), faults


def test_added_drills():
    """A file that is missing or empty is made; what is translated stays."""
    with tempfile.TemporaryDirectory(prefix="warplings-add-") as folder:
        path = pathlib.Path(folder) / "drills.zh_Hant.toml"
        try:
            add_entries(path)
        except SystemExit as end:
            assert str(end) == f"{english_of(path)} is missing: write the English texts first", end
        else:
            raise AssertionError("there is no English file")
        one = '[[drill]]\nid = "one"\nquestion = "Q"\nunit = "u"\nwhy = "w"\n[[drill.wrong]]\nanswer = 1\nwhy = "a"\n'
        two = '[[drill]]\nid = "two"\nquestion = "R"\nchoices = ["yes", "no"]\nwhy = "v"\n'
        english_of(path).write_text(one, encoding="utf-8")
        for begun in (None, "", "\n"):
            path.unlink(missing_ok=True)
            if begun is not None:
                path.write_text(begun, encoding="utf-8")
            add_entries(path)
            faults, left = compare(read_toml(english_of(path)), read_toml(path), {})
            assert faults == [] and len(left) == 4, (begun, faults, left)
        path.write_text(path.read_text(encoding="utf-8").replace('question = ""', 'question = "問"'), encoding="utf-8")
        english_of(path).write_text(one + two, encoding="utf-8")
        add_entries(path)
        write_stamps(path)
        faults, left = compare(read_toml(english_of(path)), read_toml(path), {})
        assert faults == [] and len(left) == 3 + 4, (faults, left)
        text = path.read_text(encoding="utf-8")
        add_entries(path)
        assert path.read_text(encoding="utf-8").split() == text.split(), "nothing is missing any more"
        chapter = path.with_name("chapter.zh_Hant.toml")
        english_of(chapter).write_text('title = "A"\n', encoding="utf-8")
        add_entries(chapter)
        assert compare(read_toml(english_of(chapter)), read_toml(chapter), {}) == ([], ["title"])


PLACE = re.compile(r"(.*) \(at (?:line (\d+), column \d+|end of document)\)\Z", re.DOTALL)


def read_toml(path):
    """The file's table. One that is not TOML ends the program with file, line and reason, as `warplings` says it."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
        place = PLACE.match(str(fault))
        line = f":{place[2]}" if place and place[2] else ""
        sys.exit(f"{name}{line}: not TOML: {place[1] if place else fault}")


def print_lists(faults, left, count):
    """What fails comes last, because Meson shows only the last 100 lines of a test's output."""
    if left:
        print(f"Shown in English on purpose, which fails nothing ({len(left)}):")
    for line in left:
        print(f"      {line}")
    print(f"{count} texts are translated")
    for line in faults:
        print(f"FAIL  {line}")


def test_what_it_prints():
    with tempfile.TemporaryDirectory(prefix="warplings-toml-") as folder:
        file = pathlib.Path(folder) / "chapter.zh_Hant.toml"
        for text, words in [('title = "甲"\ntitle = "乙"\n', ":2: not TOML: "), ('title = "甲', ": not TOML: ")]:
            file.write_text(text, encoding="utf-8")
            try:
                read_toml(file)
            except SystemExit as end:
                assert str(end).startswith(f"{file}{words}"), end
            else:
                raise AssertionError(text)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        print_lists(["a: b / title: is missing"], ["a: c / title"], 7)
    assert printed.getvalue() == ("Shown in English on purpose, which fails nothing (1):\n"
                                  "      a: c / title\n"
                                  "7 texts are translated\n"
                                  "FAIL  a: b / title: is missing\n"), printed.getvalue()


def test_a_reader_that_leaves():
    """As `| head` does."""
    with subprocess.Popen([sys.executable, __file__, "--help"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        run.stdout.close()
        assert run.stderr.read() == b"", "a traceback"
    assert run.returncode == -signal.SIGPIPE, run.returncode


def check():
    count = 0
    all_faults, all_left = [], []
    translations = [path for stem in ("chapter", "drills") for path in sorted(ROOT.glob(f"chapters/*/{stem}.*.toml"))]
    for path in translations:
        translation, english = read_toml(path), read_toml(english_of(path))
        language = path.name.split(".")[1]
        terms = tomllib.loads((ROOT / "handouts/text" / language / "terms.toml").read_text(encoding="utf-8"))
        faults, left = compare(english, translation, terms["avoid"], contracts_beside(path))
        count += sum(1 for text in texts_of(translation).values() if text)
        name = path.relative_to(ROOT)
        all_faults += [f"{name}: {line}" for line in faults]
        all_left += [f"{name}: {line}" for line in left]
    for name in sorted({path.name for path in translations}):
        for chapter in sorted(ROOT.glob(f"chapters/*/{name.split('.')[0]}.toml")):
            if not (chapter.parent / name).exists():
                all_faults.append(f"{(chapter.parent / name).relative_to(ROOT)}: is missing")
    print_lists(all_faults, all_left, count)
    return 1 if all_faults or count == 0 else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stamp", nargs="+", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--add", nargs="+", type=pathlib.Path, metavar="FILE")
    options = parser.parse_args()
    for path in options.add or []:
        add_entries(path)
    if options.add:
        return 0
    if options.stamp:
        for path in options.stamp:
            write_stamps(path)
        return 0
    self_test()
    test_new_exercises()
    test_what_is_added()
    test_added_drills()
    test_what_it_prints()
    test_a_reader_that_leaves()
    return check()


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head` ends it without a word.
    sys.exit(main())

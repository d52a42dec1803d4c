# SPDX-License-Identifier: Apache-2.0
"""Draws the handouts: build.py INPUT.json FACTS.json OUT. `warplings handouts` makes both inputs and calls this.

INPUT has the chapters (titles, points, contracts; for the instructor's version misconceptions and solutions), the
samples (checks that the grader has just made, each with its result and its report) and the papers to print on. FACTS is
what handout-facts wrote.
"""
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "grader" / "pages"))
sys.path.insert(0, str(HERE))

import chromium  # noqa: E402
import figures  # noqa: E402
import interactive  # noqa: E402
import measured  # noqa: E402
import pages  # noqa: E402
import paper  # noqa: E402
import texts  # noqa: E402
from finish import finish  # noqa: E402
from samples import Sample  # noqa: E402


def environment(source, facts):
    folder = HERE / "text" / source["language"]
    env = pages.environment(folder, HERE / "templates", styles=[HERE / "handout.css"])
    env.filters.update(texts.FILTERS)
    env.globals.update(figures.ALL)
    env.globals.update(
        facts=facts, language=source["language"], instructor=source["instructor"], contents=source["contents"],
        words=json.loads((folder / "words.json").read_text(encoding="utf-8")),
        samples={name: Sample(name, each) for name, each in source["samples"].items()},
        papers=source["papers"] if chromium.find() else [], running_head=paper.running_head,
        script=interactive.script, policy_for=interactive.policy,
        measured=measured.measured(),
        example=lambda file, part: texts.example(HERE / "examples" / file, part))
    return env


def write(out, name, page):
    """What has not changed is left as it lies there, so that it is not printed again."""
    file = out / (name + ".html")
    pages.write_if_changed(file, page)
    return file


def main(input_file, facts_file, out):
    source = json.loads(pathlib.Path(input_file).read_text(encoding="utf-8"))
    facts = json.loads(pathlib.Path(facts_file).read_text(encoding="utf-8"))
    out = pathlib.Path(out)
    env = environment(source, facts)
    printed = []
    for chapter in source["chapters"]:
        text = env.get_template(chapter["id"] + ".html.j2")
        figures.start_page()
        page = text.render(chapter=chapter, text_blocks=set(text.blocks))
        printed.append(write(out, chapter["id"], finish(page, env.globals["words"]["figure"], chapter["number"])))
    for name in env.globals["words"]["interactive"]:
        write(out, name, finish(env.get_template(name + ".html.j2").render(), env.globals["words"]["figure"]))
    # The index lists what lies there, so that building one chapter anew leaves the others in it.
    there = [each for each in source["contents"] if (out / (each["id"] + ".html")).exists()]
    write(out, "index", finish(env.get_template("index.html.j2").render(there=there), env.globals["words"]["figure"]))
    paper.print_all(printed, source["papers"])


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: build.py INPUT.json FACTS.json OUT")
    main(*sys.argv[1:])

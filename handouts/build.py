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
import glossary  # noqa: E402
import interactive  # noqa: E402
import measured  # noqa: E402
import pages  # noqa: E402
import paper  # noqa: E402
import slides  # noqa: E402
import texts  # noqa: E402
from finish import finish  # noqa: E402
from samples import Sample  # noqa: E402


def environment(source, facts):
    folder = HERE / "text" / source["language"]
    env = pages.environment(folder, HERE / "templates", styles=[HERE / "handout.css", HERE / "course.css"])
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
    chapters = {chapter["id"]: chapter for chapter in source["chapters"]}
    # Index and pager name what lies there, so that building one chapter anew leaves the others in them.
    env.globals["there"] = {each["id"] for each in source["contents"]
                            if each["id"] in chapters or (out / (each["id"] + ".html")).exists()}
    figure = env.globals["words"]["figure"]
    entries = glossary.read(HERE / "text" / source["language"] / "glossary.toml")
    links = glossary.Links(entries)
    printed = []
    for position, each in enumerate(source["contents"]):
        if each["id"] not in chapters:
            continue
        text = env.get_template(each["id"] + ".html.j2")
        figures.start_page()
        page = text.render(chapter=chapters[each["id"]], position=position, text_blocks=set(text.blocks))
        page = finish(links.page(page), figure, each["number"])
        printed.append(write(out, each["id"], page))
        if source["instructor"]:
            shown = env.get_template("slides.html.j2").render(chapter=each, slides=slides.of_page(page))
            write(out, each["id"] + ".slides", shown)
    for name in env.globals["words"]["interactive"]:
        write(out, name, finish(env.get_template(name + ".html.j2").render(), figure))
    page = env.get_template("glossary.html.j2").render(entries=entries, links=links)
    printed.append(write(out, "glossary", finish(page, figure)))
    write(out, "index", finish(links.page(env.get_template("start.html.j2").render()), figure))
    paper.print_all(printed, source["papers"])


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: build.py INPUT.json FACTS.json OUT")
    main(*sys.argv[1:])

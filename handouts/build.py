# SPDX-License-Identifier: Apache-2.0
"""Draws the handouts: build.py INPUT.json FACTS.json OUT. `warplings handouts` makes both inputs and calls this.

INPUT has for each language the contents and the chapters (titles, points, contracts; for the instructor's version
misconceptions and solutions), and for all of them the samples (checks that the grader has just made, each with its
result and its report in every language) and the papers to print on. What it has as `also`, a folder and a command, is
another edition of the same pages, whose readers type that command. FACTS is what handout-facts wrote.
"""
import concurrent.futures
import json
import multiprocessing
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "grader" / "pages"))
sys.path.insert(0, str(HERE))

import chromium  # noqa: E402
import drills  # noqa: E402
import figures  # noqa: E402
import glossary  # noqa: E402
import interactive  # noqa: E402
import languages  # noqa: E402
import measured  # noqa: E402
import pages  # noqa: E402
import paper  # noqa: E402
import progress  # noqa: E402
import slides  # noqa: E402
import texts  # noqa: E402
from finish import finish  # noqa: E402
from markupsafe import Markup  # noqa: E402
from samples import NoSample, Sample, SampleFault, Samples  # noqa: E402


def environment(source, facts, language, leave_out):
    """`leave_out(name)` hears of each sample whose report a page goes without."""
    env = pages.environment(language.folder, language.main_folder, HERE / "templates",
                            styles=[HERE / "handout.css", HERE / "course.css"])
    env.loader = pages.jinja2.ChoiceLoader([pages.jinja2.FunctionLoader(language.source_of), env.loader])
    env.filters.update(texts.FILTERS, kb=texts.kb(language.words))
    env.globals.update(figures.ALL)
    env.globals.update(
        facts=facts, instructor=source["instructor"], contents=source["contents"][language.name],
        words=language.words,
        samples=Samples({name: Sample(name, each, language.name, language.words["verdicts"], languages.MAIN)
                         for name, each in source["samples"].items()}, source.get("strict", True), leave_out),
        contract_language="" if language.is_main else Markup(f' lang="{languages.MAIN}"'),
        papers=source["papers"] if chromium.find() and language.has_font() else [], running_head=paper.running_head,
        script=interactive.script, policy_for=interactive.policy, drill_data=drills.data,
        measured=measured.measured(),
        example=lambda file, part: texts.example(HERE / "examples" / file, part))
    return env


class Writer:
    """Writes the pages of one language into `out`. What has not changed is left as it lies there, so that it is not
    printed again."""

    def __init__(self, env, language, out, command):
        """`command` is what a reader types where the texts say ./warplings."""
        self.env, self.language, self.out, self.command = env, language, out, command
        self.printed = []

    def write(self, name, text, change=lambda page: page, number=None, papers=(), numbered=False, **values):
        """The page NAME.html from the template `text`; `change` is done to it before it is finished. `numbered`: its
        figures have their numbers."""
        figures.start_page()
        file = name + ".html"
        page = self.env.get_template(text).render(page_file=file, language=self.language.tag_of(text), **values)
        page = finish(change(page), "" if numbered else self.language.words["figure"], number)
        page = page.replace("./warplings", str(Markup.escape(self.command)))
        pages.write_if_changed(self.out / file, page)
        self.printed += [(self.out / file, each) for each in papers]
        return page


class UnwrittenPage(Exception):
    def __init__(self, chapter, sample):
        super().__init__(f"{chapter} needs the sample {sample}")
        self.chapter, self.sample = chapter, sample


def write_language(source, env, language, out):
    """All pages of one language; returns those to be printed, [(page, paper)]."""
    writer = Writer(env, language, out, source.get("command", "./warplings"))
    papers = source["papers"]
    contents = env.globals["contents"]
    chapters = {each["id"]: each for each in source["chapters"][language.name]}
    # Index and pager name what lies there, so that building one chapter anew leaves the others in them.
    env.globals["there"] = {each["id"] for each in contents
                            if each["id"] in chapters or (out / (each["id"] + ".html")).exists()}
    entries = language.entries()
    links = glossary.Links(entries)
    for position, each in enumerate(contents):
        if each["id"] not in chapters:
            continue
        text = each["id"] + ".html.j2"
        env.globals["page_file"] = each["id"] + ".html"
        try:
            page = writer.write(each["id"], text, links.page, each["number"], papers, chapter=chapters[each["id"]],
                                position=position, text_blocks=set(env.get_template(text).blocks))
        except NoSample as fault:
            raise UnwrittenPage(each["id"], fault.name) from fault
        except SampleFault as fault:
            raise SampleFault(f"{text}, language {language.name}: {fault}") from None
        if source["instructor"]:
            writer.write(each["id"] + ".slides", "slides.html.j2", papers=[paper.SLIDES] if papers else [],
                         numbered=True, chapter=each, slides=slides.of_page(page), timelines=slides.TIMELINE in page)
    for name in language.words["interactive"]:
        writer.write(name, name + ".html.j2")
    writer.write("checklist", "checklist.html.j2", links.page, papers=papers)
    writer.write("glossary", "glossary.html.j2", papers=papers, entries=entries, links=links)
    writer.write("index", "start.html.j2", links.page)
    return writer.printed


def write_what_can_be(source, env, language, out, left):
    """write_language without the chapters that need a sample which failed; these keep the page that they had. A line
    for each of them goes to `left`."""
    while True:
        try:
            return write_language(source, env, language, out)
        except UnwrittenPage as fault:
            left.append(source["left_out"]["page"].format(file=fault.chapter + ".html", name=fault.sample))
            kept = [each for each in source["chapters"][language.name] if each["id"] != fault.chapter]
            source = {**source, "chapters": {**source["chapters"], language.name: kept}}


def build_language(source, facts, language, there, out):
    """What there is to print, what is to be said, and what is left out."""
    building = [each for each in there if each.name in source.get("building", source["chapters"])]
    left = []
    env = environment(source, facts, language, lambda name: left.append(
        source["left_out"]["report"].format(file=env.globals["page_file"], name=name)))
    env.globals["other_languages"] = languages.switch(there, language, out, building)
    printed, notes = write_what_can_be(source, env, language, languages.folder_of(out, language), left), []
    if language.missing:
        notes.append(f"{language.name} lacks {len(language.missing)} of the texts, which appear in English: "
                     f"{', '.join(language.missing[:5])}{', ...' if len(language.missing) > 5 else ''}")
    if language.left:
        notes.append(f"{language.name} shows in English: {', '.join(language.left)}")
    if source["papers"] and chromium.find() and not language.has_font():
        paper.remove(printed)
        printed = []
        notes.append(language.words["no_font"])
    return printed, notes, left


def main(input_file, facts_file, out):
    source = json.loads(pathlib.Path(input_file).read_text(encoding="utf-8"))
    facts = json.loads(pathlib.Path(facts_file).read_text(encoding="utf-8"))
    out = pathlib.Path(out)
    there = languages.all_languages()
    editions = [(source, out), *(({**source, "command": each["command"]}, pathlib.Path(each["out"]))
                                 for each in source.get("also", []))]
    wanted = [each for each in there if each.name in source["chapters"]]
    tasks = [(edition, facts, each, there, folder) for edition, folder in editions for each in wanted]
    # A process for each language: what takes time is Python's own work. Forked, so that nothing is imported again.
    words = source.get("progress", {})
    drawing = progress.Line(words.get("drawing"), len(tasks))
    drawing.show()
    built = []
    with concurrent.futures.ProcessPoolExecutor(len(wanted), multiprocessing.get_context("fork")) as processes:
        try:
            for task, each in zip(tasks, processes.map(build_language, *zip(*tasks, strict=True))):
                built.append(each)
                drawing.next(task[2].name)
        except SampleFault as fault:
            drawing.clear()
            sys.exit(f"warplings: {fault}")
    drawing.clear()
    # Once for all languages, and once for all editions.
    for note in dict.fromkeys(each for _, notes, _ in built for each in notes):
        print(note)
    for line in dict.fromkeys(each for _, _, left in built for each in left):
        print("warplings: " + line, file=sys.stderr)
    paper.print_all([each for printed, _, _ in built for each in printed], words.get("printing"), words.get("before_printing"),
                    source.get("kept_pdfs", ""))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: build.py INPUT.json FACTS.json OUT")
    main(*sys.argv[1:])
    try:
        sys.stdout.flush()
    except BrokenPipeError:  # Whoever read the notes has seen enough (`| head`); the handouts are built.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

# SPDX-License-Identifier: Apache-2.0
"""Two editions of the handouts in one run, as `package --wheel` makes them: what is said of how far it is never runs
backwards."""
import json
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "handouts"))
import build


def fake(source, _facts, language, _there, out):
    """A page of each language, as build_language returns it; called in other processes."""
    return [(out / f"{language.name}.{source['command']}", paper) for paper in source["papers"]], ["a note"], ["left out"]


class Editions(unittest.TestCase):
    def build(self, **more):
        """What is printed, and how many times a line of progress was begun for it."""
        source = {"command": "./warplings", "papers": ["A4", "Letter"], "chapters": {"en": [], "zh_Hant": []},
                  "progress": {"drawing": "{n} of {m}", "printing": "{n} of {m}"}, **more}
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch("build.build_language", fake), \
                unittest.mock.patch("build.paper.print_all") as print_all, \
                unittest.mock.patch("build.progress.Line", wraps=build.progress.Line) as line, \
                unittest.mock.patch("builtins.print") as said:
            for name, data in (("input", source), ("facts", {})):
                (pathlib.Path(folder) / name).write_text(json.dumps(data), encoding="utf-8")
            build.main(pathlib.Path(folder) / "input", pathlib.Path(folder) / "facts", "here")
            print_all.assert_called_once()
            line.assert_called_once()
            self.said = [call.args[0] for call in said.call_args_list]
            return [str(page) for page, _ in print_all.call_args.args[0]], line.call_args.args[1]

    def test_one_edition(self):
        pages, sets = self.build()
        self.assertEqual((sorted(set(pages)), len(pages), sets), (["here/en../warplings", "here/zh_Hant../warplings"], 4, 2))

    def test_all_pages_of_both_are_counted_together(self):
        pages, sets = self.build(also=[{"out": "there", "command": "warplings"}])
        self.assertEqual(sets, 4)
        self.assertEqual(len(pages), 8)
        self.assertEqual(sorted(set(pages)), ["here/en../warplings", "here/zh_Hant../warplings",
                                              "there/en.warplings", "there/zh_Hant.warplings"])
        self.assertEqual(self.said, ["a note", "warplings: left out"])


class NewPage(unittest.TestCase):
    def test_it_has_a_slide_for_each_of_three_figures(self):
        """The page that `new` writes for a new chapter: an author replaces its figures, and copies how they are drawn."""
        root = pathlib.Path(__file__).resolve().parents[2]
        text = (root / "grader/authoring/template/handout.html.j2").read_text(encoding="utf-8")
        idea = text.split("{% block idea %}")[1].split("{% endblock %}")[0]
        env = build.pages.jinja2.Environment(loader=build.pages.jinja2.FileSystemLoader(root / "handouts/templates"),
                                             autoescape=True, undefined=build.pages.jinja2.StrictUndefined)
        env.filters.update(build.texts.FILTERS)
        words = json.loads((root / "handouts/text/en/words.json").read_text(encoding="utf-8"))
        env.globals.update(build.figures.ALL, words=words, instructor=True)
        page = env.from_string('{% import "macros.html.j2" as h with context %}' + idea).render()
        drawn = build.slides.of_page(page)
        self.assertEqual(len(drawn), 3)
        self.assertTrue(all(each["say"] and each["ask"] for each in drawn), drawn)


if __name__ == "__main__":
    unittest.main()

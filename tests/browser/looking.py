# SPDX-License-Identifier: Apache-2.0
"""What the tests of pages in a browser share: how a test is written and run, and what every page has to hold.

What is missing on this machine (Chromium, axe, poppler) skips the tests that need it.
"""
import importlib.util
import json
import os
import pathlib
import shutil
import sys
import tempfile
import traceback

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "grader" / "pages"))

import chromium  # noqa: E402

WIDTHS = (390, 768, 1280)
TESTS = []
# What stands out of a page to its right, but for what is meant to scroll.
WIDE = """[...document.querySelectorAll("main *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1 &&
    !e.closest(".scroll, pre, [hidden]")).map((e) => e.tagName + "." + e.getAttribute("class"))"""
# In the dark only colours are others, on a phone everything else: each rule is tried where it can find something new.
COLOURS = ["color-contrast", "link-in-text-block"]
# (width, dark, axe's options): a screen, a screen in the dark, a phone, and a phone in the dark, whose colours lie on
# another layout.
LOOKS = [(1280, False, {}), (1280, True, {"runOnly": COLOURS}),
         (390, False, {"rules": {name: {"enabled": False} for name in COLOURS}}), (390, True, {"runOnly": COLOURS})]


class Skip(Exception):
    """Says what is missing."""


def test(function):
    TESTS.append(function)
    return function


def expect(condition, message):
    if not condition:
        raise AssertionError(message)


def find_axe():
    """axe-core's script: AXE_CORE names it, or the package that the launcher installs has it."""
    places = [os.environ.get("AXE_CORE", "")]
    found = importlib.util.find_spec("axe_playwright_python")
    places += [str(pathlib.Path(place) / "axe.min.js") for place in (found.submodule_search_locations if found else [])]
    places += sorted(map(str, ROOT.glob(".venv/lib/python3*/site-packages/axe_playwright_python/axe.min.js")))
    place = next((each for each in places if each and os.path.exists(each)), None)
    if not place:
        raise Skip("axe-core is missing: pip install --no-deps axe-playwright-python has it, or AXE_CORE=axe.min.js")
    return pathlib.Path(place).read_text(encoding="utf-8")


def need(program):
    if not shutil.which(program):
        raise Skip(f"{program} is missing (poppler-utils)")


def violations(tab, options):
    """Of axe's rules, on the page that is open: a line for each."""
    tab.evaluate(find_axe() + "; 0")
    found = tab.evaluate(f"axe.run({json.dumps(options)})"
                         ".then((r) => r.violations.map((v) => [v.id, v.help, v.nodes.map((n) => n.html)]))")
    return [f"{name}: {words}, {len(nodes)} times, such as {nodes[0][:200]}" for name, words, nodes in found]


def run(subject, browser):
    failed = False
    for number, each in enumerate(TESTS, 1):
        try:
            each(subject, browser)
            print(f"ok {number} - {each.__name__}", flush=True)
        except Skip as why:
            print(f"ok {number} - {each.__name__} # SKIP {why}", flush=True)
        except Exception as fault:  # A fault of the browser's fails its test and not the others.
            failed = True
            said = str(fault) if isinstance(fault, AssertionError) else traceback.format_exc()
            print(f"not ok {number} - {each.__name__}", *said.splitlines(), sep="\n# ", flush=True)
    return failed


def main(make, arguments, only):
    """Runs the tests on what `make(folder, *arguments)` makes there. `only`: parts of the names of the tests to run."""
    TESTS[:] = [each for each in TESTS if not only or any(part in each.__name__ for part in only)]
    print(f"1..{len(TESTS)}", flush=True)
    if not chromium.find():
        for number, each in enumerate(TESTS, 1):
            print(f"ok {number} - {each.__name__} # SKIP there is no Chromium here")
        return 0
    with tempfile.TemporaryDirectory(prefix="warplings-browser-") as folder:
        try:
            subject = make(pathlib.Path(folder).resolve(), *arguments)
            with chromium.Chromium(chromium.find()) as browser:
                return run(subject, browser)
        except (chromium.Fault, AssertionError) as fault:
            print(f"Bail out! {fault}")
            return 1

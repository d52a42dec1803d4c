# SPDX-License-Identifier: Apache-2.0
"""Whether a font here has the letters of a language: without one, a browser prints boxes.

As a program, fonts.py FOLDER-OF-TEXTS, for `doctor`: its exit status is 0 if handouts can be printed in every language,
NO_FONT if a font is missing, NO_BROWSER if there is nothing to print with. It needs nothing but Python.
"""
import json
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "grader" / "pages"))
import chromium  # noqa: E402

NO_FONT, NO_BROWSER = 4, 5  # As grader/cli/doctor_command.cc reads them; Python itself ends with 1 or 2.

# Draws two letters. Both are the same box, or nothing, if no font has them.
_DIFFER = """(([first, second]) => {
  const pixels = (letter) => {
    const canvas = document.createElement("canvas"), pen = canvas.getContext("2d");
    canvas.width = canvas.height = 64;
    pen.font = "48px sans-serif";
    pen.fillText(letter, 4, 52);
    return pen.getImageData(0, 0, 64, 64).data.join();
  };
  return pixels(first) !== pixels(second);
})(%s)"""


def there_is_one(language, letters):
    """`language` as fontconfig names it ("zh-tw"; "": any font will do), `letters` two of its letters. True if nobody here
    can tell."""
    if not language:
        return True
    if shutil.which("fc-list"):
        found = subprocess.run(["fc-list", ":lang=" + language, "family"], capture_output=True, text=True, check=False)
        if found.returncode == 0:
            return bool(found.stdout.strip())
    return browser_draws(letters)


def browser_draws(letters):
    """Asks the browser that prints. A machine may well have one and no fc-list, which is in a package of its own."""
    if not chromium.find():
        return True
    try:
        with chromium.Chromium(chromium.find()) as browser:
            return browser.page().evaluate(_DIFFER % json.dumps(list(letters)))
    except chromium.Fault:
        return True  # Printing will say what is wrong with it.


def of_language(words):
    """`words`: a language's words.json."""
    return there_is_one(words.get("font_language", ""), words["language_name"][:2])


def main(texts):
    if not chromium.find():
        return NO_BROWSER
    files = sorted(pathlib.Path(texts).glob("*/words.json"))
    return 0 if all(of_language(json.loads(file.read_text(encoding="utf-8"))) for file in files) else NO_FONT


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

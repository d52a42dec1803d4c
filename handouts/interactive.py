# SPDX-License-Identifier: Apache-2.0
"""Scripts of the interactive pages: plain JavaScript in interactive/, put into the page, which loads nothing."""
import pathlib

import pages

HERE = pathlib.Path(__file__).resolve().parent / "interactive"


def script(data, *files):
    return pages.script(data, *(HERE / file for file in files))


def policy(*files):
    return pages.policy(*(HERE / file for file in files))

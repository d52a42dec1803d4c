# SPDX-License-Identifier: Apache-2.0
"""How numbers are written on the class pages: with a comma between thousands, as the reports do, and a minus sign."""
import re

MINUS = "−"


def grouped(number, digits=0):
    """4,096; at most so many digits behind the point, without zeros at their end."""
    text = f"{number:,.{digits}f}"
    if digits:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text.replace("-", MINUS)


def points(number):
    return grouped(number, 2)


def one(number):
    """With one digit behind the point, where it is not 0."""
    return grouped(number, 1)


def typed(number):
    """As in a field, where it is changed with a keyboard."""
    return f"{round(number, 2):g}"


def signed(number):
    """With its sign; 0 has none."""
    text = points(number)
    return text if text == "0" or text.startswith(MINUS) else "+" + text


def with_minus(text):
    """What the program wrote about points: a hyphen in front of a number, and behind no word, is a minus sign."""
    return re.sub(r"(?<![\w.)\-])-(?=\d)", MINUS, text)

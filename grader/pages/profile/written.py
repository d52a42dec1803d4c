# SPDX-License-Identifier: Apache-2.0
"""How numbers are written on the page of a profile."""


def count(number):
    """1,234,567; 0.5; 3.25: no more digits than a reader needs."""
    if number is None:
        return "–"
    if isinstance(number, int) or float(number).is_integer():
        return f"{int(number):,}"
    return f"{number:,.0f}" if number >= 1000 else f"{number:.3g}" if number < 1 else f"{number:.2f}".rstrip("0").rstrip(".")


def scaled(number, unit, steps):
    for factor, prefix in steps:
        if number >= factor:
            return f"{number / factor:.3g} {prefix}{unit}"
    return f"{number:.3g} {unit}"


def seconds(number):
    """An estimate is not good for more than two digits, which is what the report writes."""
    if number is None:
        return "–"
    number = float(f"{number:.2g}")
    return scaled(number, "s", [(1, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n")])


def measured(number):
    return "–" if number is None else scaled(number, "s", [(1, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n")])


def size(number):
    if number is None:
        return "–"
    return scaled(number, "B", [(2**30, "Gi"), (2**20, "Mi"), (2**10, "Ki")]) if number >= 1024 else f"{number:,} B"


def percent(share):
    if share is None:
        return "–"
    return "< 1 %" if 0 < share < 0.005 else f"{100 * share:.0f} %"


def times(ratio):
    """6.5; 21; 1.03."""
    return f"{ratio:,.0f}" if ratio >= 20 else f"{ratio:.1f}" if ratio >= 1.095 else f"{ratio:.2f}"


def extent(dim):
    """"16 x 16", without ones behind."""
    sides = [dim["x"], dim["y"], dim["z"]]
    while len(sides) > 1 and sides[-1] == 1:
        sides.pop()
    return " × ".join(f"{side:,}" for side in sides)

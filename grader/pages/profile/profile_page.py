# SPDX-License-Identifier: Apache-2.0
"""Draws the page of a profile: profile_page.py DATA.json PAGE.html. The data is what report/profile_data.cc wrote
(docs/profile_page.schema.json).

What stands in the page without a click is drawn here; profile_page.js draws the access pictures and the maps of the
output from the same data.
"""
import collections
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import pages  # noqa: E402
import roofline  # noqa: E402
from listing import coloured_lines  # noqa: E402

SCRIPTS = [HERE / "access_picture.js", HERE / "output_map.js", HERE / "profile_page.js"]
# Figures that runs are compared by: key, name, unit, whether less is better, and a word on what it is.
FIGURES = [
    ("seconds", "Estimated time", "s", True, "by the model of grader/timing; never measured"),
    ("dram_bytes", "Bytes from and to DRAM", "B", True, "what blocks touch, each block's own summed up"),
    ("sectors", "Sectors of global memory", "", True, "pieces of 32 bytes that requests touch"),
    ("sectors_per_request", "Sectors per request", "", True, "4 where 32 lanes touch neighbouring 4-byte words"),
    ("global_requests", "Requests to global memory", "", True, "one warp's execution of one load, store or atomic"),
    ("wavefronts", "Passes of shared memory", "", True, "wavefronts of the 32 banks"),
    ("conflicts", "Bank conflicts", "", True, "passes beyond what the width needs"),
    ("conflicts_per_request", "Bank conflicts per request", "", True, "0 where each bank serves one word"),
    ("shared_requests", "Requests to shared memory", "", True, ""),
    ("warp_instructions", "Warp instructions", "", True, "executed, of PTX"),
    ("active_lanes", "Active lanes", "of 32", False, "of a warp, on average over its instructions"),
    ("occupancy", "Occupancy", "%", False, "resident warps over the most there can be"),
    ("registers", "Registers per thread", "", True, ""),
    ("divergent_branches", "Divergent branches", "", True, "branches that split a warp"),
    ("barriers", "Barriers", "", True, "arrivals of warps"),
    ("atomic_passes", "Passes of atomics", "", True, "lanes at one address take turns"),
]
RUNS = {"previous": "Your previous version", "baseline": "Baseline", "solution": "Solution"}
LIMITS = {"threads": "the threads that a multiprocessor holds", "registers": "registers", "shared": "shared memory",
          "blocks": "the number of blocks that a multiprocessor holds"}


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
    if number is None:
        return "–"
    return scaled(number, "s", [(1, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n")])


def size(number):
    if number is None:
        return "–"
    return scaled(number, "B", [(2**30, "Gi"), (2**20, "Mi"), (2**10, "Ki")]) if number >= 1024 else f"{number:,} B"


def percent(share):
    if share is None:
        return "–"
    return "less than 1 %" if 0 < share < 0.005 else f"{100 * share:.0f} %"


def figure(key, number):
    if number is None:
        return "–"
    if key == "seconds":
        return seconds(number)
    if key == "dram_bytes":
        return size(number)
    return percent(number) if key == "occupancy" else count(number)


def extent(dim):
    """"16 x 16", without ones behind."""
    sides = [dim["x"], dim["y"], dim["z"]]
    while len(sides) > 1 and sides[-1] == 1:
        sides.pop()
    return " × ".join(f"{side:,}" for side in sides)


def gain(yours, other, less_is_better):
    """How many times better yours is: 2.0, or 0.5 where it is twice as bad. None where that says nothing."""
    if yours is None or other is None or yours == other:
        return None
    if yours == 0 or other == 0:
        return float("inf") if (yours == 0) == less_is_better else 0.0
    return other / yours if less_is_better else yours / other


def weight(ratio):
    """How much a gain or a loss is, whichever it is."""
    if ratio is None:
        return 0
    return float("inf") if ratio in (0, float("inf")) else max(ratio, 1 / ratio)


def gain_words(ratio):
    if ratio is None:
        return ""
    if ratio == float("inf"):
        return "yours has none"
    if ratio == 0:
        return "has none"
    if weight(ratio) < 1.005:
        return "nearly the same"
    return f"yours {ratio:.3g}× better" if ratio > 1 else f"yours {1 / ratio:.3g}× worse"


def comparison(data):
    """A row for each figure that any run has; the greatest win first: what changed most since the previous version, and
    where there is none, where the best other run is furthest ahead."""
    yours = data["test"]["figures"]
    runs = data["beside"]
    rows = []
    for key, name, unit, less, note in FIGURES:
        values = [run["figures"].get(key) for run in runs]
        mine = yours.get(key)
        if mine is None and not any(value is not None for value in values):
            continue
        if not mine and not any(values):
            continue
        cells = []
        for run, value in zip(runs, values, strict=True):
            ratio = gain(mine, value, less)
            cells.append({"text": figure(key, value), "ratio": ratio, "words": gain_words(ratio), "run": run["name"],
                          "kind": "" if ratio is None or weight(ratio) < 1.005 else "good" if ratio > 1 else "bad"})
        since = next((cell["ratio"] for cell in cells if cell["run"] == "previous"), None)
        rows.append({"name": name, "note": note, "yours": figure(key, mine), "unit": unit, "cells": cells,
                     "wins": since if since is not None and since > 1 else 0,
                     "behind": max((weight(cell["ratio"]) for cell in cells if cell["ratio"] is not None and cell["ratio"] < 1),
                                   default=0)})
    rows.sort(key=lambda row: (-row["wins"], -row["behind"]))
    return rows


def heat(part, whole):
    """0 to 10, by which a bar is drawn."""
    return 0 if not part or not whole else max(1, min(10, round(10 * part / whole)))


def line_figures(data):
    """{line: what stands beside it}."""
    test = data["test"]
    if not test:
        return {}
    lines = {line["line"]: line for line in test["lines"]}
    most = max((line["executed"] for line in test["lines"]), default=0)
    with_picture = {access["line"] for access in test["accesses"]}
    shown = {}
    for number, line in lines.items():
        if number == 0:
            continue
        sectors, conflicts = line["sectors_per_request"], line["conflicts_per_request"]
        shown[number] = {
            "executed": count(line["executed"]), "heat": heat(line["executed"], most),
            "lanes": count(round(line["active_lanes"], 1)), "few_lanes": line["active_lanes"] < 24,
            "sectors": "" if sectors is None else count(round(sectors, 2)),
            "conflicts": "" if conflicts is None else count(round(conflicts, 2)),
            "has_conflicts": bool(line["conflicts"]), "scattered": sectors is not None and sectors > 8,
            "picture": number in with_picture}
    return shown


def notes_of(data):
    """{line: findings and the compiler's words that belong there}; 0 for those without a line."""
    notes = collections.defaultdict(list)
    for finding in data["test"]["findings"] if data["test"] else []:
        own, *others = finding["lines"] or [0]
        notes[own].append({"severity": finding["severity"], "heading": finding["heading"], "details": finding["details"]})
        for line in others:
            notes[line].append({"severity": finding["severity"], "heading": f"{finding['heading']}: see line {own}",
                                "details": []})
    for diagnostic in data["diagnostics"]:
        notes[diagnostic["line"]].append({"severity": diagnostic["severity"], "heading": diagnostic["message"], "details": []})
    return notes


def change_words(change, warps):
    """What would let more warps be resident."""
    words = {"registers": "at most {to} registers per thread, now {from}",
             "shared": "at most {to} of shared memory per block, now {from}",
             "threads": "blocks of {to} threads, now {from}"}[change["what"]]
    write = size if change["what"] == "shared" else count
    return words.format(**{"to": write(change["to"]), "from": write(change["from"])})


def occupancies(data):
    """What is drawn of each launch's occupancy."""
    card = data["card"]
    all_warps = card["max_threads"] // 32
    shown = []
    for launch in data["test"]["launches"]:
        found = launch["occupancy"]
        if not found:
            shown.append({"launch": launch, "known": False})
            continue
        resident = found["blocks"] * launch["warps"]
        threads, registers = launch["warps"] * 32, launch["registers"] * launch["warps"] * 32
        used = [("Warps", resident, all_warps), ("Blocks", found["blocks"], card["max_blocks"]),
                ("Registers", found["blocks"] * registers, card["registers"]),
                ("Shared memory", found["blocks"] * launch["shared_bytes"], card["shared_bytes"])]
        shown.append({
            "launch": launch, "known": True, "share": found["share"], "blocks": found["blocks"], "resident": resident,
            "all_warps": all_warps, "threads": threads,
            "slots": [min(slot // launch["warps"], found["blocks"]) if slot < resident else None for slot in range(all_warps)],
            "bars": [{"name": name, "text": f"{size(part) if name == 'Shared memory' else count(part)} of "
                                            f"{size(whole) if name == 'Shared memory' else count(whole)}",
                      "share": min(1, part / whole) if whole else 0} for name, part, whole in used],
            "limits": [LIMITS[limit] for limit in found["limits"]],
            "changes": [change_words(change, launch["warps"]) + f": {percent(change['occupancy'])}"
                        for change in found["changes"]],
            "waves": found["waves"]})
    return shown


def script_data(data):
    """What the script draws from; the rest of the data stands in the page."""
    test = data["test"]
    return {"accesses": test["accesses"] if test else [], "map": test["output_map"] if test else None,
            "title": test["title"] if test else "", "explanation": data["explanation"]}


def draw(data):
    environment = pages.environment(HERE, styles=[HERE / "profile_page.css"])
    environment.filters.update(count=count, seconds=seconds, size=size, percent=percent, extent=extent)
    test = data["test"]
    lines = coloured_lines(data["source"].rstrip("\n"))
    template = environment.get_template("profile_page.html.j2")
    return template.render(
        data=data, test=test, card=data["card"], lines=list(enumerate(lines, 1)), figures=line_figures(data),
        notes=notes_of(data), rows=comparison(data) if test else [], runs=[RUNS[run["name"]] for run in data["beside"]],
        occupancies=occupancies(data) if test else [], roof=roofline.draw(data, RUNS) if test else None,
        elsewhere=next((line for line in test["lines"] if line["line"] == 0), None) if test else None,
        has_map=bool(test and test["output_map"]), has_formulas=bool((data["explanation"] or {}).get("every")),
        measured=data["measured_counts"], policy=pages.policy(*SCRIPTS),
        script=pages.script(script_data(data), *SCRIPTS))


def main():
    source, page = map(pathlib.Path, sys.argv[1:])
    pages.write(page, draw(json.loads(source.read_text(encoding="utf-8"))))


if __name__ == "__main__":
    main()

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
import comparison  # noqa: E402
import pages  # noqa: E402
import roofline  # noqa: E402
from listing import coloured_lines  # noqa: E402
from written import count, extent, measured, percent, seconds, size  # noqa: E402

SCRIPTS = [HERE / "access_picture.js", HERE / "output_map.js", HERE / "profile_page.js"]


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
        sectors, conflicts, lanes = line["sectors_per_request"], line["conflicts_per_request"], line["active_lanes"]
        shown[number] = {
            "executed": count(line["executed"]), "heat": heat(line["executed"], most),
            "lanes": "" if lanes is None else count(round(lanes, 1)), "few_lanes": lanes is not None and lanes < 24,
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
            "limits": [roofline.LIMITS[limit] for limit in found["limits"]],
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
    environment.filters.update(count=count, seconds=seconds, measured=measured, size=size, percent=percent, extent=extent)
    test = data["test"]
    lines = coloured_lines(data["source"].rstrip("\n"))
    template = environment.get_template("profile_page.html.j2")
    return template.render(
        data=data, test=test, card=data["card"], lines=list(enumerate(lines, 1)), figures=line_figures(data),
        notes=notes_of(data), rows=comparison.rows(data) if test else [],
        headline=comparison.headline(data) if test and test["verdict"] == "passed" else [],
        runs=[comparison.RUNS[run["name"]] for run in data["beside"]],
        occupancies=occupancies(data) if test else [], limits=roofline.limits(data) if test else None,
        roof=roofline.draw(data, comparison.RUNS) if test else None,
        elsewhere=next((line for line in test["lines"] if line["line"] == 0), None) if test else None,
        has_map=bool(test and test["output_map"]), has_formulas=bool((data["explanation"] or {}).get("every")),
        measured_counts=data["measured_counts"], policy=pages.policy(*SCRIPTS),
        script=pages.script(script_data(data), *SCRIPTS))


def main():
    source, page = map(pathlib.Path, sys.argv[1:])
    pages.write(page, draw(json.loads(source.read_text(encoding="utf-8"))))


if __name__ == "__main__":
    main()

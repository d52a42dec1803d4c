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
import kernels  # noqa: E402
import pages  # noqa: E402
import roofline  # noqa: E402
from listing import coloured_lines  # noqa: E402
from words import translation  # noqa: E402
from written import count, extent, measured, percent, seconds, size  # noqa: E402

SCRIPTS = [HERE / "words.js", HERE / "access_picture.js", HERE / "output_map.js", HERE / "profile_page.js"]


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


def worst_conflicts(test):
    """The line whose requests conflict most, as the report has it: an average over all lines hides it. None if none does."""
    lines = [line for line in test["lines"] if line["line"] > 0 and (line["conflicts_per_request"] or 0) > 0.05]
    return max(lines, key=lambda line: line["conflicts_per_request"], default=None)


def notes_of(data, t):
    """{line: findings and the compiler's words that belong there}; 0 for those without a line."""
    notes = collections.defaultdict(list)
    for finding in data["test"]["findings"] if data["test"] else []:
        own, *others = finding["lines"] or [0]
        notes[own].append({"severity": finding["severity"], "heading": finding["heading"], "details": finding["details"]})
        for line in others:
            notes[line].append({"severity": finding["severity"], "details": [],
                                "heading": t("{finding}: see line {line}", finding=finding["heading"], line=own)})
    for diagnostic in data["diagnostics"]:
        notes[diagnostic["line"]].append({"severity": diagnostic["severity"], "heading": diagnostic["message"], "details": []})
    return notes


def change_words(change, t):
    """What would let more warps be resident."""
    words = {"registers": "at most {to} registers per thread, now {now}: {share}",
             "shared": "at most {to} of shared memory per block, now {now}: {share}",
             "threads": "blocks of {to} threads, now {now}: {share}"}[change["what"]]
    write = size if change["what"] == "shared" else count
    return t(words, to=write(change["to"]), now=write(change["from"]), share=percent(change["occupancy"]))


def occupancies(data, t):
    """What is drawn of each launch's occupancy."""
    card = data["card"]
    all_warps = card["max_threads"] // 32
    shown = []
    for launch in data["test"]["launches"]:
        found = launch["occupancy"]
        if not found:
            shown.append({"launch": launch, "known": False})
            continue
        blocks = kernels.resident_blocks(launch, card)
        is_small = blocks < found["blocks"]  # The grid has not even that many for each multiprocessor.
        resident = blocks * launch["warps"]
        threads, registers = launch["warps"] * 32, launch["registers"] * launch["warps"] * 32
        used = [("Warps", resident, all_warps, count), ("Blocks", blocks, card["max_blocks"], count),
                ("Registers", blocks * registers, card["registers"], count),
                ("Shared memory", blocks * found["shared_bytes"], card["shared_bytes"], size)]
        shown.append({
            "launch": launch, "known": True, "share": resident / all_warps if is_small else found["share"], "blocks": blocks,
            "possible": found["share"], "shared_bytes": found["shared_bytes"],
            "resident": resident, "is_small": is_small, "fit": found["blocks"], "grid_blocks": kernels.blocks_of(launch),
            "all_warps": all_warps, "threads": threads,
            "slots": [min(slot // launch["warps"], blocks) if slot < resident else None for slot in range(all_warps)],
            "bars": [{"name": t(name), "text": t("{part} of {whole}", part=write(part), whole=write(whole)),
                      "share": min(1, part / whole) if whole else 0} for name, part, whole, write in used],
            "limits": "" if is_small else roofline.limits_in_words(found["limits"], t),
            "changes": [] if is_small else [change_words(change, t) for change in found["changes"]],
            "waves": found["waves"]})
    return shown


def reached(data, shown):
    """The occupancy that the launch of the figures reaches, where that is less than what is possible; else None."""
    figures = data["test"]["figures"]
    return next((each["share"] for each in shown if each["known"] and each["is_small"] and each["launch"]["kernel"] == figures.get("kernel")
                 and each["possible"] == figures.get("occupancy")), None)


def script_data(data, t):
    """What the script draws from; the rest of the data stands in the page. In a drawing's words nothing is code."""
    test, explanation = data["test"], data["explanation"]
    if explanation:
        explanation = explanation | {name: explanation[name].replace("`", "") for name in ("call", "test")}
    accesses = [access | {"object": access["object"].replace("`", "")} for access in test["accesses"]] if test else []
    return {"accesses": accesses, "map": test["output_map"] if test else None,
            "title": test["title"].replace("`", "") if test else "", "explanation": explanation, "words": t.texts}


def draw(data):
    t, tag = translation(HERE, data["language"])
    environment = pages.environment(HERE, styles=[HERE / "profile_page.css"])
    environment.filters.update(count=count, seconds=seconds, measured=measured, size=size, percent=percent, extent=extent,
                               coded=pages.coded)
    environment.globals.update(t=t, language=tag, counted=lambda n, what: t(f"{{n}} {what}" if n == 1 else f"{{n}} {what}s", n=count(n)))
    test = data["test"]
    shown = occupancies(data, t) if test else []
    lines = coloured_lines(data["source"].rstrip("\n"))
    template = environment.get_template("profile_page.html.j2")
    return template.render(
        data=data, test=test, card=data["card"], lines=list(enumerate(lines, 1)), figures=line_figures(data),
        worst_conflicts=worst_conflicts(test) if test else None,
        notes=notes_of(data, t), rows=comparison.rows(data, t) if test else [],
        headline=comparison.headline(data, t) if test and test["verdict"] == "passed" else [],
        runs=[t(comparison.RUNS[run["name"]]) for run in data["beside"]],
        has_previous=any(run["name"] == "previous" for run in data["beside"]),
        occupancies=shown, reached=reached(data, shown) if test else None, limits=roofline.limits(data, t) if test else None,
        roof=roofline.draw(data, comparison.RUNS, t) if test else None,
        elsewhere=next((line for line in test["lines"] if line["line"] == 0), None) if test else None,
        several_kernels=bool(test) and kernels.are_several(test), shape=lambda launch: kernels.shape(launch, t),
        has_map=bool(test and test["output_map"]), has_formulas=bool((data["explanation"] or {}).get("every")),
        measured_counts=data["measured_counts"], policy=pages.policy(*SCRIPTS),
        script=pages.script(script_data(data, t), *SCRIPTS))


def main():
    source, page = map(pathlib.Path, sys.argv[1:])
    pages.write(page, draw(json.loads(source.read_text(encoding="utf-8"))))


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""A run of several kernels: which of them costs the time, where it is in the source, and how many blocks of it are there."""
import re

from words import ENGLISH
from written import count, extent, seconds

WAITS = {"arithmetic": "dependent instructions", "shared": "shared memory", "global": "global memory", "barriers": "barriers"}


def are_several(test):
    return len({launch["kernel"] for launch in test["launches"]}) > 1


def longest(test):
    """The kind of launch that takes most of the estimated time; None where a time is unknown."""
    launches = test["launches"]
    if not launches or any(launch["seconds"] is None for launch in launches):
        return None
    return max(launches, key=lambda launch: launch["seconds"])


def line_of(kernel, source):
    """The line that defines it: "scan<4>(int*)" is looked for as scan. None if it is not in this file."""
    name = re.match(r"[A-Za-z_]\w*", kernel.rpartition("::")[2] if "<" not in kernel else kernel)
    if not name:
        return None
    found = re.search(rf"__global__[^;{{}}]*?\b({name[0]})\s*\([^;{{}}]*\)\s*\{{", source)
    return source.count("\n", 0, found.start(1)) + 1 if found else None


def blocks_of(launch):
    return launch["grid"]["x"] * launch["grid"]["y"] * launch["grid"]["z"]


def threads_of(launch):
    return launch["block"]["x"] * launch["block"]["y"] * launch["block"]["z"]


def shape(launch, t=ENGLISH):
    """"1 block of 1 thread"."""
    one_block, one_thread = blocks_of(launch) == 1, threads_of(launch) == 1
    text = {(False, False): "{grid} blocks of {block} threads", (False, True): "{grid} blocks of {block} thread",
            (True, False): "{grid} block of {block} threads", (True, True): "{grid} block of {block} thread"}[one_block, one_thread]
    return t(text, grid=extent(launch["grid"]), block=extent(launch["block"]))


def resident_blocks(launch, card):
    """On a multiprocessor: as many as fit, or as the grid has for each."""
    return min(launch["occupancy"]["blocks"], -(-blocks_of(launch) // card["multiprocessors"]))


def headline(data, t=ENGLISH):
    """Which kernel costs most of the time and why; "" for a run of one kernel."""
    test, card = data["test"], data["card"]
    launch = longest(test) if are_several(test) else None
    if not launch:
        return ""
    line = line_of(launch["kernel"], data["source"])
    where = t("line {line}, {shape}", line=line, shape=shape(launch, t)) if line else shape(launch, t)
    if launch["times"] > 1:
        where += t(", {n} times", n=count(launch["times"]))
    waits = {key: part for key, part in (launch["waits"] or {}).items() if part}
    what = {"kernel": launch["kernel"], "where": where, "time": seconds(launch["seconds"]),
            "all": seconds(sum(each["seconds"] for each in test["launches"]))}
    if launch["bound"] == "latency" and waits:
        said = t("{kernel} ({where}) takes {time} of the estimated {all}, most of it waiting for {what}.",
                 what=t(WAITS[max(waits, key=waits.get)]), **what)
    else:
        said = t("{kernel} ({where}) takes {time} of the estimated {all}, most of it for {part}.", part=t(launch["bound"]), **what)
    used = blocks_of(launch)
    if used >= card["multiprocessors"]:
        return said
    return said + t(" ") + t("It keeps only {used} of the card’s {n} multiprocessors busy.", used=count(used),
                             n=count(card["multiprocessors"]))

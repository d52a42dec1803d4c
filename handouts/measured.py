# SPDX-License-Identifier: Apache-2.0
"""What was measured on a real card, read from tests/benchmarks/results: there the commands that measured it wrote it,
with their date, device and command. Nothing here is written by hand, and what a text asks for and no file has is an
error."""
import pathlib
import re

RESULTS = pathlib.Path(__file__).resolve().parent.parent / "tests" / "benchmarks" / "results"


def _lines(name):
    return (RESULTS / name).read_text(encoding="utf-8").splitlines()


def _value(text):
    return int(text) if re.fullmatch(r"-?\d+", text) else float(text)


def _table(lines, start):
    """A table with one row of names, whose first column names the row; it ends where a row has another length."""
    names = lines[start].split()
    rows = {}
    for line in lines[start + 1:]:
        cells = line.split()
        if len(cells) != len(names):
            break
        rows[cells[0]] = {name: _value(cell) for name, cell in zip(names[1:], cells[1:]) if cell != "-"}
    return rows


class Step(dict):
    """One step of the matrix product: its resources, its times by width, and what ncu counted at `counted` width."""

    def __init__(self, values, counted):
        super().__init__(values)
        self.operations = 2.0 * counted**3

    def ms(self, width):
        return self[str(width)]

    def tflops(self, width):
        return 2e-9 * width**3 / self[str(width)]

    def per_byte_of_l2(self):
        """Operations for each byte that came from the L2 cache to a multiprocessor."""
        return self.operations / (1e9 * self["from_L2_GB"])

    def per_byte_of_memory(self):
        """Operations for each byte that came from DRAM."""
        return self.operations / (1e9 * self["dram_GB"])

    def per_byte_of_shared(self):
        """Operations for each byte that shared memory could have moved in the wavefronts that it took."""
        return self.operations / (128.0 * self["shared_waves"])

    def instructions_a_multiply_add(self):
        """Instructions of warps for each multiply-add of a warp."""
        return 32.0 * self["instructions"] / self["multiply_adds"]


def _steps():
    lines = _lines("matmul_steps.h200.txt")
    counted = next(int(line.rstrip(":").split()[-1]) for line in lines if line.startswith("Counted by ncu"))
    starts = [i for i, line in enumerate(lines) if line.startswith("step ")]
    times, counters = (_table(lines, start) for start in starts)
    return {name: Step({**times[name], **counters[name]}, counted) for name in times}


def _speedups():
    """Of the timed exercises, cold, as a check measures them: {"exercise": [{shape, baseline, reference, speedup}]},
    times in microseconds."""
    units = {"us": 1.0, "ms": 1e3}
    row = re.compile(r"(\w+) +(.+?) {2,}([\d.]+) (us|ms) +([\d.]+) (us|ms) +[\d.]+ (?:TFLOP|GB)/s +\d+ % +([\d.]+) \[")
    found = {}
    for line in _lines("speedup.h200.txt"):
        match = row.match(line)
        if match:
            name, shape, baseline, unit, reference, other, speedup = match.groups()
            shape = re.sub(r"\d{5,}", lambda digits: f"{int(digits.group()):,}", shape)
            found.setdefault(name, []).append({"shape": shape, "baseline": float(baseline) * units[unit],
                                               "reference": float(reference) * units[other],
                                               "speedup": float(speedup)})
    return found


def _solutions():
    """Solutions beside what they improve on, warm: {"exercise": {size: {side: ms}}}."""
    found = {}
    for line in _lines("solutions_speed.h200.txt"):
        match = re.match(r"(\w+) +(\d+) +[\d.]+ x +(.*)", line)
        if match:
            sides = re.findall(r"(\S[a-z0-9 ]*?) ([\d.]+) ms", match.group(3))
            found.setdefault(match.group(1), {})[match.group(2)] = {side.strip(): float(ms) for side, ms in sides}
    return found


def _times():
    """Small kernels, cold, in microseconds: {"looped_copy/132x128": 191.488}."""
    return {line.split()[1]: float(line.split()[2])
            for line in _lines("estimate_times.h200.txt") if line.startswith("time ")}


def _card():
    return next(line for line in _lines("matmul_steps.h200.txt") if line.startswith("NVIDIA")).split(",")[0]


def _runs():
    """Of how many runs the steps' times are medians."""
    return next(int(re.search(r"Median of (\d+)", line).group(1))
                for line in _lines("matmul_steps.h200.txt") if "Median of" in line)


def measured():
    steps = _steps()
    return {"card": _card(), "runs": _runs(), "steps": steps,
            "widths": [int(name) for name in steps["cublas"] if name.isdigit()],
            "speedups": _speedups(), "solutions": _solutions(), "us": _times()}

# SPDX-License-Identifier: Apache-2.0
"""What the benchmarks share."""
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import threading
import time


def find_nvcc(build):
    """The compiler that the build was configured with."""
    options = subprocess.run(["meson", "introspect", "--buildoptions", build], capture_output=True, text=True, check=True)
    chosen = re.search(r'"name": "nvcc", "value": "([^"]+)"', options.stdout)
    return chosen.group(1) if chosen else "nvcc"


def run_limited(command, limit, **options):
    """(status or None if the limit was reached, output, seconds). Everything the command started ends with it."""
    start = time.monotonic()
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", start_new_session=True, **options) as process:
        try:
            output, _ = process.communicate(timeout=limit)
            status = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            status = None
    return status, output, time.monotonic() - start


def wall_and_processor(command, environment, statuses=None, folder=None):
    """Seconds by the clock and of processor time of the command and all it waited for. Another status than these ends the
    benchmark with what the command said; without them no status is looked at."""
    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime
    start, before = time.monotonic(), used()
    done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace")
    if statuses is not None and done.returncode not in statuses:
        sys.exit(f"{' '.join(map(str, command))} exited with {done.returncode}:\n{done.stdout[-3000:]}")
    return time.monotonic() - start, used() - before


class PeakMemory:
    """While it is entered, looks every tenth of a second at the processes below this one: `together` is the most that all
    had at a time, where what several share counts once (PSS); `alone` the most that one had, by its name. In bytes."""

    def __init__(self):
        self.together, self.alone = 0, {}
        self._end, self._thread = threading.Event(), threading.Thread(target=self._watch)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._end.set()
        self._thread.join()

    def _watch(self):
        while not self._end.wait(0.1):
            self.together = max(self.together, sum(self._of(process) for process in descendants(os.getpid())))

    def _of(self, process):
        try:
            status = pathlib.Path(f"/proc/{process}/status").read_text()
            shares = pathlib.Path(f"/proc/{process}/smaps_rollup").read_text()
        except OSError:
            return 0
        name, most = re.search(r"Name:\t(.*)", status)[1], re.search(r"VmHWM:\s*(\d+)", status)
        if most:
            self.alone[name] = max(self.alone.get(name, 0), 1024 * int(most[1]))
        share = re.search(r"(?m)^Pss:\s*(\d+)", shares)
        return 1024 * int(share[1]) if share else 0


def descendants(process):
    """All processes below this one."""
    children = {}
    for entry in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(entry.parent.name))
    found, rest = [], [process]
    while rest:
        below = children.get(rest.pop(), [])
        found += below
        rest += below
    return found

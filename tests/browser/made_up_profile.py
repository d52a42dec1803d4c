# SPDX-License-Identifier: Apache-2.0
"""Profiles for the page's tests, as report/profile_data.cc writes them (docs/profile_page.schema.json)."""
import copy

SOURCE = """// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

constexpr int kTile = 32;

__global__ void transpose_kernel(const float* X, float* Y, int width, int height) {
  __shared__ float tile[kTile][kTile];
  const int column = blockIdx.x * kTile + threadIdx.x, row = blockIdx.y * kTile + threadIdx.y;
  if (row < height && column < width) {
    tile[threadIdx.y][threadIdx.x] = X[row * width + column];
  }
  __syncthreads();
  const int new_row = blockIdx.x * kTile + threadIdx.y, new_column = blockIdx.y * kTile + threadIdx.x;
  if (new_row < width && new_column < height) {
    Y[new_row * height + new_column] = tile[threadIdx.x][threadIdx.y];
  }
}

void transpose(const float* X, float* Y, int width, int height) {
  const dim3 block(kTile, kTile), grid((width + kTile - 1) / kTile, (height + kTile - 1) / kTile);
  transpose_kernel<<<grid, block>>>(X, Y, width, height);
}
"""


def parts(**more):
    """Seconds of each part of the card; by the norm of 2.54 and with the launch they make a run's seconds."""
    return {"launch": 3.2e-6, "dram": 1e-7, "l2": 2e-7, "lines": 1e-7, "shared": 2e-6, "issue": 3e-7, "units": 2e-7, "atomics": 0.0,
            "blocks": 1e-7, "latency": 1.8e-6} | more


def figures(**more):
    return {"verdict": "passed", "launches": 1, "seconds": 6.1e-6, "bound": "load_store", "bound_words": "shared memory and L1",
            "parts": parts(), "waits": {"arithmetic": 3e-7, "shared": 9e-7, "global": 5e-7, "barriers": 1e-7},
            "dram_bytes": 131072, "warp_instructions": 24576,
            "active_lanes": 31.4, "global_requests": 1024, "sectors": 4096, "sectors_per_request": 4.0, "shared_requests": 1024,
            "wavefronts": 16896, "conflicts": 15872, "conflicts_per_request": 15.5, "global_atomic_passes": 0,
            "shared_atomic_passes": 0, "barriers": 512,
            "divergent_branches": 0, "flops": 32768, "registers": 24, "occupancy": 1.0} | more


def line(number, executed, **more):
    return {"line": number, "executed": executed, "active_lanes": 32.0, "global_requests": 0, "sectors": 0,
            "sectors_per_request": None, "shared_requests": 0, "wavefronts": 0, "conflicts": 0, "conflicts_per_request": None,
            "global_atomic_passes": 0, "shared_atomic_passes": 0, "barriers": 0, "divergent_branches": 0, "flops": 0} | more


def access(number, space, offsets, **more):
    """`offsets`: of lanes 0 and up."""
    return {"line": number, "launch": 0, "kernel": "transpose_kernel", "opcode": f"ld.{space}.f32", "space": space,
            "access": "read", "block": {"x": 0, "y": 0, "z": 0}, "warp": 0, "phase": 0, "visit": 0,
            "lanes": (1 << len(offsets)) - 1, "bytes": 4, "object": "X", "object_bytes": 4096, "start": 0,
            "offsets": offsets, "sectors": 0, "wavefronts": 0, "conflicts": 0, "passes": 0} | more


def accesses():
    rows = []
    for warp in (0, 1, 31):
        rows.append(access(10, "global", [128 * warp + 4 * lane for lane in range(32)], warp=warp, sectors=4))
        rows.append(access(10, "shared", [128 * warp + 4 * lane for lane in range(32)], warp=warp, opcode="st.shared.f32",
                           access="write", object="shared array tile", wavefronts=1))
        rows.append(access(15, "shared", [128 * lane + 4 * warp for lane in range(32)], warp=warp, phase=1,
                           object="shared array tile", wavefronts=32, conflicts=31))
        rows.append(access(15, "global", [128 * warp + 4 * lane for lane in range(32)], warp=warp, phase=1, opcode="st.global.f32",
                           access="write", object="Y", sectors=4))
    for visit in range(1, 3):
        rows.append(access(10, "global", [256 * lane for lane in range(16)] + [4096 + 4 * lane for lane in range(16)],
                           warp=0, visit=visit, sectors=16))
    return rows


def launch():
    return {"kernel": "transpose_kernel", "times": 1, "grid": {"x": 4, "y": 4, "z": 1}, "block": {"x": 32, "y": 32, "z": 1},
            "registers": 40, "local_bytes": 0, "shared_bytes": 4096, "warps": 32, "completed": True,
            "occupancy": {"blocks": 1, "share": 0.5, "shared_bytes": 5120, "limits": ["registers"], "waves": 0.074,
                          "changes": [{"what": "registers", "from": 40, "to": 32, "blocks": 2, "occupancy": 1.0},
                                      {"what": "threads", "from": 1024, "to": 256, "blocks": 6, "occupancy": 0.75}]},
            "totals": {}, "seconds": 6.1e-6, "bound": "starting blocks", "dram_bytes": 131072,
            "waits": {"arithmetic": 3e-7, "shared": 9e-7, "global": 5e-7, "barriers": 1e-7}}


def profile():
    """A transposition that passes, with bank conflicts."""
    return {"schema_version": 1, "language": "en", "chapter": "05_bank_conflicts", "exercise": "transpose_padded",
            "title": "Transpose without bank conflicts", "file": "chapters/05_bank_conflicts/transpose_padded.cu",
            "device": "virtual:a100", "seed": "7", "verdict": "wrong_result",
            "verdict_words": "all values are right, but another requirement is not met",
            "luck": "",
            "reason": "", "next_step": "Find out in which bank each lane of a warp reads.", "points": 6.0, "max_points": 10.0,
            "source": SOURCE,
            "card": {"id": "a100", "name": "NVIDIA A100-SXM4-40GB", "multiprocessors": 108, "max_threads": 2048, "max_blocks": 32,
                     "registers": 65536, "shared_bytes": 167936, "reserved_shared_bytes": 1024,
                     "peak_flops": 1.95e13, "peak_bytes": 1.555e12},
            "tests": [{"name": "T.Small", "title": "3 x 5", "verdict": "passed", "launches": 1},
                      {"name": "T.Banks", "title": "128 x 128: no bank conflicts", "verdict": "wrong_result", "launches": 1}],
            "test": {"name": "T.Banks", "is_timed_call": False, "is_sample": False,
                     "title": "128 x 128: no bank conflicts", "verdict": "wrong_result",
                     "reason": "15,872 bank conflicts", "next_step": "Find out in which bank each lane of a warp reads.",
                     "wrong_count": 0, "element_count": 16384, "figures": figures(), "launches": [launch()],
                     "lines": [line(0, 64), line(6, 512), line(8, 4096), line(9, 2048), line(12, 512, barriers=512),
                               line(10, 3072, global_requests=512, sectors=2048, sectors_per_request=4.0, shared_requests=512,
                                    wavefronts=512, conflicts_per_request=0.0),
                               line(13, 4096), line(14, 2048),
                               line(15, 3072, active_lanes=20.0, global_requests=512, sectors=2048, sectors_per_request=9.5,
                                    shared_requests=512, wavefronts=16384, conflicts=15872, conflicts_per_request=31.0)],
                     "accesses": accesses(), "findings": [], "output_map": None},
            "explanation": None, "misconceptions": [], "diagnostics": [], "advised": None, "error_elsewhere": None,
            "beside": [{"name": "previous", "figures": figures(seconds=9.4e-6, sectors=18432, sectors_per_request=18.0,
                                                               parts=parts(l2=4e-6, lines=3e-6, shared=2e-7),
                                                               global_requests=1024, conflicts=0, conflicts_per_request=0.0)},
                       {"name": "baseline", "figures": figures(sectors=18432, sectors_per_request=18.0, conflicts=0, seconds=None,
                                                               bound=None, bound_words="", parts=None, waits=None)},
                       {"name": "solution", "figures": figures(conflicts=0, conflicts_per_request=0.0, wavefronts=1024, seconds=3.6e-6,
                                                               parts=parts(shared=2e-7))}],
            "previous_left_out": False, "speed": None, "estimate_error": 0.203, "estimate_overlap": 2.54, "measured_counts": []}


def timed_call():
    """A tiled product that passes, at the size that speed is estimated at: as it is on an A100."""
    data = profile()
    test = data["test"]
    yours = {"launch": 3.2e-6, "dram": 8e-6, "l2": 7e-5, "lines": 6e-5, "shared": 1.6e-4, "issue": 1.5e-4, "units": 1e-4, "atomics": 0.0,
             "blocks": 3e-6, "latency": 9e-5}
    test |= {"name": "Speed.Call", "is_timed_call": True, "is_sample": True, "title": "width 1024", "verdict": "passed", "reason": "",
             "next_step": ""}
    tiled = {"dram_bytes": 12582912, "sectors": 8519680, "sectors_per_request": 4.0, "global_requests": 2129920, "wavefronts": 20971520,
             "conflicts": 0, "conflicts_per_request": 0.0, "warp_instructions": 30000000, "flops": 2147483648, "barriers": 1048576}
    test["figures"] = figures(seconds=2.8e-4, parts=yours, **tiled)
    untiled = {"dram_bytes": 12582912, "sectors": 55574528, "sectors_per_request": 2.5, "global_requests": 67141632, "wavefronts": 0,
               "conflicts": 0, "conflicts_per_request": None, "shared_requests": 0, "barriers": 0, "warp_instructions": 33554432,
               "flops": 2147483648}
    data["beside"] = [{"name": "baseline", "figures": figures(seconds=4.2e-4, parts=yours | {"l2": 9e-5, "lines": 3.6e-4, "shared": 0.0},
                                                              **untiled)},
                      {"name": "solution", "figures": figures(seconds=2.79e-4, parts=yours, **tiled)}]
    data |= {"verdict": "passed", "verdict_words": "", "points": 10.0}
    data["tests"] = [{"name": "T.Small", "title": "3 x 5", "verdict": "passed", "launches": 1}]
    return data


SCAN = """__global__ void scan_sums(int* sums, int tiles);

__global__ void scan_tiles(const int* input, int* output, int* sums, int n) {
  __shared__ int tile[256];
  tile[threadIdx.x] = input[blockIdx.x * 256 + threadIdx.x];
}

__global__
void scan_sums(int* sums, int tiles) {
  for (int i = 1; i < tiles; ++i) {
    sums[i] += sums[i - 1];
  }
}

__global__ void add_sums(int* output, const int* sums, int n) {
  output[blockIdx.x * 256 + threadIdx.x] += sums[blockIdx.x];
}
"""


def scan():
    """Three kernels, the second one with a single thread."""
    data = timed_call()
    many = launch() | {"kernel": "scan_tiles", "grid": {"x": 1024, "y": 1, "z": 1}, "block": {"x": 256, "y": 1, "z": 1}, "warps": 8,
                       "registers": 20, "seconds": 3.5e-5, "bound": "shared memory and L1",
                       "occupancy": {"blocks": 8, "share": 1.0, "shared_bytes": 2048, "limits": ["threads"], "waves": 1.2, "changes": []}}
    one = launch() | {"kernel": "scan_sums", "grid": {"x": 1, "y": 1, "z": 1}, "block": {"x": 1, "y": 1, "z": 1}, "warps": 1,
                      "registers": 20, "shared_bytes": 0, "seconds": 4.5e-5, "bound": "latency",
                      "waits": {"arithmetic": 4e-6, "shared": 0.0, "global": 4e-5, "barriers": 0.0},
                      "occupancy": {"blocks": 32, "share": 0.5, "shared_bytes": 1024, "limits": ["blocks"], "waves": 0.0003,
                                    "changes": [{"what": "threads", "from": 1, "to": 64, "blocks": 32, "occupancy": 1.0}]}}
    data["source"] = SCAN
    data["test"]["launches"] = [many, one, many | {"kernel": "add_sums", "seconds": 3e-5, "bound": "DRAM bandwidth"}]
    data["test"]["figures"] |= {"seconds": 1.1e-4, "bound": "latency", "bound_words": "latency", "kernel": "scan_sums",
                                "occupancy": 0.5}
    return data


def waiting():
    """One block for each multiprocessor at most: it waits, far below the roof."""
    data = timed_call()
    data["test"]["figures"] |= {"seconds": 6e-3, "bound": "latency", "bound_words": "latency",
                                "waits": {"arithmetic": 2e-3, "shared": 3e-3, "global": 9e-4, "barriers": 0.0},
                                "parts": data["test"]["figures"]["parts"] | {"latency": 5.9e-3}}
    data["beside"] = []
    return data


def wrong_values():
    """A product of 3 x 4 elements of which some are wrong: a map, formulas, findings."""
    data = profile()
    test = data["test"]
    test["findings"] = [{"severity": "error", "heading": "error: out of bounds read, 12 accesses",
                         "details": ["reads past the end of X", "kernel k, block (0, 0), thread (3, 1)"], "lines": [10, 15]},
                        {"severity": "warning", "heading": "warning: 1 allocation was never freed", "details": [], "lines": []}]
    test["output_map"] = {"array": "P", "elements": 12, "columns": 4, "states": "..w.-n......", "expected": ["3", "4", "5"],
                          "actual": ["2", "nothing", "nan"]}

    def term(i, j, k, times=1):
        return {"times": times, "factors": [f"M[{i}][{k}]", f"N[{k}][{j}]"]}

    every = []
    for element in range(12):
        i, j = divmod(element, 4)
        right = [term(i, j, k) for k in range(3)]
        yours = right[:2] + [term(i, j, 1)] if element == 2 else [] if element == 4 else right
        every.append({"element": f"P[{i}][{j}]", "stored": element != 4, "yours": copy.deepcopy(yours), "right": right})
    data["explanation"] = {"test": "3 x 3 times 3 x 4", "call": "3 x 3 times 3 x 4", "elements": every[2:3],
                           "facts": ["Each sum lacks the products with i = 2, the last one."], "every": every}
    data["beside"] = []
    # As it is where a test failed: nothing was measured, and nothing estimated.
    data["speed"] = {"status": "not_measured", "reason": "it is estimated once all tests pass", "baseline": "an untiled kernel",
                     "live_reason": "", "shapes": [], "graded": False, "share": 0.0, "max_points": 5.0, "seconds": 0.0}
    return data


def advised():
    """A misconception, whose finding is in another test than the one that is shown."""
    return profile() | {
        "misconceptions": [{"title": "Lanes read one bank of `tile`", "evidence": "",
                            "message": "Which words does the first warp use in the line named below?",
                            "seen": "Seen in 1 of 2 tests: 15,872 bank conflicts in line 15"}],
        "advised": {"severity": "error", "heading": "error: race on `tile`, 4 times", "details": [], "lines": [10, 15]},
        "error_elsewhere": {"name": "T.Small", "title": "3 x 5", "finding": "race on `tile`, 4 times"}}


def long(lines=2000):
    """A source of so many lines, most of them with counts and a picture."""
    data = profile()
    data["source"] = "\n".join(f"  float x{i} = tile[{i} % 32] * 2.0f;  // line {i}" for i in range(1, lines + 1)) + "\n"
    data["test"]["lines"] = [line(i, i, shared_requests=1, wavefronts=1, conflicts_per_request=0.0) for i in range(1, lines + 1)]
    data["test"]["accesses"] = [access(i, "shared", [4 * lane for lane in range(32)], wavefronts=1, object="shared array tile")
                                for i in range(1, lines + 1)]
    return data


ATTACKS = "</script><script>document.title='run'</script><img src=x onerror=\"document.title='run'\">{{ 7 * 7 }}"


def hostile():
    """A student's words that attack the page, in each field that holds such."""
    data = wrong_values()
    data["source"] = f"// {ATTACKS}\n" + data["source"]
    data["file"] = data["reason"] = ATTACKS
    test = data["test"]
    test["launches"][0]["kernel"] = ATTACKS
    for each in test["accesses"]:
        each["object"] = each["opcode"] = each["kernel"] = ATTACKS
    test["findings"][0]["heading"] = ATTACKS
    test["findings"][0]["details"] = [ATTACKS]
    test["output_map"]["actual"] = [ATTACKS] * 3
    test["output_map"]["array"] = ATTACKS
    data["explanation"]["every"][2]["yours"][0]["factors"] = [ATTACKS]
    data["diagnostics"] = [{"line": 1, "severity": "warning", "message": ATTACKS}]
    return data


def not_compiled():
    data = profile()
    data |= {"test": None, "tests": [], "beside": [], "points": 0.0, "verdict": "compile_error", "verdict_words": "does not compile",
             "diagnostics": [{"line": 10, "severity": "error", "message": "expected a \";\""}]}
    return data


ALL = {"conflicts": profile, "advised": advised, "timed": timed_call, "waiting": waiting, "wrong": wrong_values, "long": long,
       "hostile": hostile, "not_compiled": not_compiled}


def chinese(data):
    """As the program writes it with --lang zh_Hant: what comes from messages and chapters is Chinese."""
    def words(value, key=""):
        if isinstance(value, dict):
            return {name: words(each, name) for name, each in value.items()}
        if isinstance(value, list):
            return [words(each, key) for each in value]
        return "中文" if isinstance(value, str) and value and key in CHINESE else value

    return words(data) | {"language": "zh_Hant"}


CHINESE = {"title", "verdict_words", "reason", "next_step", "heading", "details", "message", "evidence", "seen", "finding",
           "call", "facts", "object", "test"}

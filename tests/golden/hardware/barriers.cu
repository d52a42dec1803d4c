// SPDX-License-Identifier: Apache-2.0
// What hardware does at barrier.sync/arrive/red with a thread count, when warps come in parts.
//
//   nvcc -arch=sm_90 -O1 -o barriers barriers.cu && ./barriers
//
// Each case runs in a process of its own that is killed after 5 s (CASE_SECONDS=2 for less), so a deadlock is
// the result "HANGS". Some 25 cases, of which about 8 may hang: a minute or so. `./barriers CASE` runs one.
// Each thread leaves a number in out[]: -1 is "never came so far". "seen" values: what a consumer read of
// what the other warp's halves stored before the barrier (1 = stored before, 0 = passed too early).
// --- Runs each case of a program in a child process, so that a kernel that hangs is a recorded result.
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

struct Case {
  const char* name;
  void (*kernel)(int* out, volatile int* flag, int count);
  int threads;
  int count;         // handed to the kernel, so that ptxas does not know it
  const char* says;  // what the PTX manual lets one expect
};

// Consecutive equal values are folded: "0..15=1 16..31=2".
inline std::string Folded(const std::vector<int>& values) {
  std::string text;
  for (size_t i = 0; i < values.size();) {
    size_t end = i;
    while (end < values.size() && values[end] == values[i]) ++end;
    text += (text.empty() ? "" : " ") + std::to_string(i) + ".." + std::to_string(end - 1) + "=" +
            std::to_string(values[i]);
    i = end;
  }
  return text;
}

inline int RunCase(const Case& c) {
  int *out = nullptr, *flag = nullptr;
  cudaMalloc(&out, c.threads * sizeof(int));
  cudaMalloc(&flag, 64 * sizeof(int));
  cudaMemset(out, 0xff, c.threads * sizeof(int));
  cudaMemset(flag, 0, 64 * sizeof(int));
  c.kernel<<<1, c.threads>>>(out, flag, c.count);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    std::printf("error %s\n", cudaGetErrorName(error));
    return 0;
  }
  std::vector<int> values(c.threads);
  cudaMemcpy(values.data(), out, c.threads * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("ends: %s\n", Folded(values).c_str());
  return 0;
}

inline int RunAll(int argc, char** argv, const std::vector<Case>& cases) {
  if (argc > 1) {
    for (const Case& c : cases) {
      if (std::strcmp(c.name, argv[1]) == 0) return RunCase(c);
    }
    std::printf("no such case\n");
    return 1;
  }
  for (const Case& c : cases) {
    int ends[2];
    if (pipe(ends) != 0) return 1;
    const pid_t child = fork();
    if (child == 0) {
      dup2(ends[1], 1);
      execl("/proc/self/exe", argv[0], c.name, nullptr);
      _exit(127);
    }
    close(ends[1]);
    int status = 0;
    bool ended = false;
    const int kTenths = getenv("CASE_SECONDS") ? 10 * atoi(getenv("CASE_SECONDS")) : 50;
    for (int i = 0; i < kTenths && !ended; ++i) {
      timespec tenth = {0, 100000000};
      nanosleep(&tenth, nullptr);
      ended = waitpid(child, &status, WNOHANG) == child;
    }
    std::string said;
    if (!ended) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      said = "HANGS (killed)\n";
    } else {
      char buffer[4096];
      ssize_t got;
      while ((got = read(ends[0], buffer, sizeof buffer)) > 0) said.append(buffer, got);
      if (said.empty()) said = "no output, status " + std::to_string(status) + "\n";
    }
    close(ends[0]);
    std::printf("%-28s %s%-28s   manual: %s\n", c.name, said.c_str(), "", c.says);
    std::fflush(stdout);
  }
  return 0;
}

// --- The cases.

#define LANE (threadIdx.x % 32)
#define WARP (threadIdx.x / 32)

__device__ void Delay() {
  const long long start = clock64();
  while (clock64() - start < 20000000) {
  }
}
#define SYNC(tag, id, count) asm volatile("barrier.sync " #id ", %0; // " tag ::"r"(count) : "memory")
#define ARRIVE(tag, id, count) asm volatile("barrier.arrive " #id ", %0; // " tag ::"r"(count) : "memory")
#define POPC(tag, id, count, bit, result)                                                                 \
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; barrier.red.popc.u32 %0, " #id ", %1, p; } // " tag \
               : "=r"(result)                                                                             \
               : "r"(count), "r"(bit)                                                                     \
               : "memory")
#define ALL(tag, id, count, bit, result)                                               \
  asm volatile("{ .reg .pred p, q; setp.ne.u32 p, %2, 0; barrier.red.and.pred q, " #id \
               ", %1, p; selp.u32 %0, 1, 0, q; } // " tag                              \
               : "=r"(result)                                                          \
               : "r"(count), "r"(bit)                                                  \
               : "memory")

__shared__ volatile int stored[64];

// Warp 0 in halves, each at an instruction of its own; warp 1 whole and at once.
__global__ void sync_halves(int* out, volatile int*, int count) {
  if (LANE == 0)
    for (int i = 0; i < 32; ++i) stored[i + 32 * WARP] = 0;
  __syncthreads();
  if (WARP == 0) {
    if (LANE < 16) {
      stored[LANE] = 1;
      SYNC("low", 1, count);
    } else {
      Delay();
      stored[LANE] = 1;
      SYNC("high", 1, count);
    }
    out[threadIdx.x] = 1;
  } else {
    SYNC("whole", 1, count);
    out[threadIdx.x] = stored[LANE];
  }
}
// The same, with the early half last.
__global__ void sync_halves_other_order(int* out, volatile int*, int count) {
  if (LANE == 0)
    for (int i = 0; i < 32; ++i) stored[i + 32 * WARP] = 0;
  __syncthreads();
  if (WARP == 0) {
    if (LANE < 16) {
      Delay();
      stored[LANE] = 1;
      SYNC("low", 1, count);
    } else {
      stored[LANE] = 1;
      SYNC("high", 1, count);
    }
    out[threadIdx.x] = 1;
  } else {
    SYNC("whole", 1, count);
    out[threadIdx.x] = stored[LANE];
  }
}
// One instruction, reached by each quarter of both warps at another time.
__global__ void sync_quarters(int* out, volatile int*, int count) {
  stored[threadIdx.x] = 0;
  __syncthreads();
  for (int i = 0; i < (int)(LANE / 8) + (int)WARP; ++i) Delay();
  stored[threadIdx.x] = 1;
  SYNC("quarters", 1, count);
  out[threadIdx.x] = stored[63 - threadIdx.x];
}
__global__ void sync_halves_no_count(int* out, volatile int*, int) {
  stored[threadIdx.x] = 0;
  __syncthreads();
  if (LANE < 16) {
    stored[threadIdx.x] = 1;
    asm volatile("barrier.sync 1; // low" ::: "memory");
  } else {
    Delay();
    stored[threadIdx.x] = 1;
    asm volatile("barrier.sync 1; // high" ::: "memory");
  }
  out[threadIdx.x] = stored[63 - threadIdx.x];
}
// bar.sync is barrier.sync.aligned: by the manual a diverged warp must not.
__global__ void aligned_halves(int* out, volatile int*, int count) {
  stored[threadIdx.x] = 0;
  __syncthreads();
  if (WARP == 0 && LANE >= 16) {
    Delay();
    stored[threadIdx.x] = 1;
    asm volatile("bar.sync 1, %0; // high" ::"r"(count) : "memory");
  } else {
    stored[threadIdx.x] = 1;
    asm volatile("bar.sync 1, %0; // low" ::"r"(count) : "memory");
  }
  out[threadIdx.x] = stored[63 - threadIdx.x];
}
// Half of warp 0 comes; the other half waits for what warp 1 does after the barrier.
__global__ void half_only(int* out, volatile int* flag, int count) {
  if (WARP == 0 && LANE >= 16) {
    while (flag[0] == 0) {
    }
    out[threadIdx.x] = 2;
  } else {
    SYNC("half and warp", 1, count);
    flag[0] = 1;
    out[threadIdx.x] = 1;
  }
}
// Two arrivals by one half: do they count as a warp each, or as 32 threads?
__global__ void half_twice(int* out, volatile int* flag, int count) {
  if (WARP == 0 && LANE >= 16) {
    while (flag[0] == 0) {
    }
    out[threadIdx.x] = 2;
  } else if (WARP == 0) {
    ARRIVE("first", 1, count);
    ARRIVE("second", 1, count);
    flag[0] = 1;
    out[threadIdx.x] = 1;
  }
}
// One warp, count 32: half of it comes, the other waits for a flag that the first sets behind the barrier.
__global__ void half_of_32(int* out, volatile int* flag, int count) {
  if (LANE >= 16) {
    while (flag[0] == 0) {
    }
    out[threadIdx.x] = 2;
  } else {
    SYNC("half", 1, count);
    flag[0] = 1;
    out[threadIdx.x] = 1;
  }
}
// The same, but the other half returns.
__global__ void half_of_32_rest_returns(int* out, volatile int*, int count) {
  if (LANE >= 16) {
    Delay();
    return;
  }
  SYNC("half", 1, count);
  out[threadIdx.x] = 1;
}
__global__ void rest_returned_before(int* out, volatile int*, int count) {
  if (WARP == 0 && LANE >= 16) return;
  if (WARP == 1) Delay();
  SYNC("who is left", 1, count);
  out[threadIdx.x] = 1;
}
__global__ void rest_returns_later(int* out, volatile int*, int count) {
  if (WARP == 0 && LANE >= 16) {
    Delay();
    return;
  }
  SYNC("who is left", 1, count);
  out[threadIdx.x] = 1;
}
__global__ void whole_warp_returned(int* out, volatile int*, int count) {
  if (WARP == 0) return;
  SYNC("warp 1", 1, count);
  out[threadIdx.x] = 1;
}
// Half at barrier 1, half at barrier 2; warp 1 comes to both, one after the other.
__global__ void two_barriers(int* out, volatile int*, int count) {
  if (WARP == 0) {
    if (LANE < 16) {
      SYNC("low", 1, count);
    } else {
      SYNC("high", 2, count);
    }
  } else {
    SYNC("whole", 1, count);
    SYNC("whole", 2, count);
  }
  out[threadIdx.x] = 1;
}
__global__ void arrive_halves(int* out, volatile int*, int count) {
  stored[threadIdx.x] = 0;
  __syncthreads();
  if (WARP == 0) {
    if (LANE < 16) {
      stored[LANE] = 1;
      ARRIVE("low", 1, count);
    } else {
      Delay();
      stored[LANE] = 1;
      ARRIVE("high", 1, count);
    }
    out[threadIdx.x] = 1;
  } else {
    SYNC("whole", 1, count);
    out[threadIdx.x] = stored[LANE];
  }
}
// Does arrive wait for the other lanes of the warp? "causes executing thread to wait for all non-exited
// threads from its warp" says yes: then this hangs.
__global__ void arrive_then_flag(int* out, volatile int* flag, int count) {
  if (WARP == 0) {
    if (LANE < 16) {
      ARRIVE("low", 1, count);
      flag[0] = 1;
    } else {
      while (flag[0] == 0) {
      }
      ARRIVE("high", 1, count);
    }
  } else {
    SYNC("whole", 1, count);
  }
  out[threadIdx.x] = 1;
}
// The same with the producer's halves the other way round.
__global__ void arrive_then_flag_high(int* out, volatile int* flag, int count) {
  if (WARP == 0) {
    if (LANE >= 16) {
      ARRIVE("high", 1, count);
      flag[0] = 1;
    } else {
      while (flag[0] == 0) {
      }
      ARRIVE("low", 1, count);
    }
  } else {
    SYNC("whole", 1, count);
  }
  out[threadIdx.x] = 1;
}
// Half of warp 0 arrives, the other half waits.
__global__ void half_arrives_half_syncs(int* out, volatile int*, int count) {
  stored[threadIdx.x] = 0;
  __syncthreads();
  if (WARP == 0) {
    stored[LANE] = 1;
    if (LANE < 16) {
      ARRIVE("low", 1, count);
    } else {
      SYNC("high", 1, count);
    }
    out[threadIdx.x] = 1;
  } else {
    Delay();
    SYNC("whole", 1, count);
    out[threadIdx.x] = stored[LANE];
  }
}
__global__ void popc_halves(int* out, volatile int*, int count) {
  int result = -1;
  if (WARP == 0 && LANE >= 16) {
    Delay();
    POPC("high", 1, count, LANE % 2, result);
  } else {
    POPC("low", 1, count, LANE % 2, result);
  }
  out[threadIdx.x] = result;
}
__global__ void popc_without_returned(int* out, volatile int*, int count) {
  int result = -1;
  if (WARP == 0 && LANE >= 16) return;
  POPC("left", 1, count, 1, result);
  out[threadIdx.x] = result;
}
__global__ void and_without_returned(int* out, volatile int*, int count) {
  int result = -1;
  if (WARP == 0 && LANE >= 16) return;
  ALL("left", 1, count, 1, result);
  out[threadIdx.x] = result;
}
__global__ void popc_last_partial_warp(int* out, volatile int*, int count) {
  int result = -1;
  POPC("all", 1, count, 1, result);
  out[threadIdx.x] = result;
}
__global__ void popc_with_an_arrived_warp(int* out, volatile int*, int count) {
  int result = -1;
  if (WARP == 0) {
    ARRIVE("warp 0", 1, count);
  } else {
    POPC("warp 1", 1, count, 1, result);
  }
  out[threadIdx.x] = result;
}
__global__ void and_with_an_arrived_warp(int* out, volatile int*, int count) {
  int result = -1;
  if (WARP == 0) {
    ARRIVE("warp 0", 1, count);
  } else {
    ALL("warp 1", 1, count, 1, result);
  }
  out[threadIdx.x] = result;
}
// Half of warp 2 comes to barrier 1 before warps 0 and 1 complete it (64); then its other half, and warp 3.
__global__ void half_of_the_next_pair(int* out, volatile int*, int count) {
  int result = -1;
  if (WARP == 2 && LANE < 16) {
    POPC("early half", 1, count, 1, result);
  } else if (WARP == 2) {
    for (int i = 0; i < 6; ++i) Delay();
    POPC("late half", 1, count, 1, result);
  } else {
    for (int i = 0; i < (WARP == 3 ? 4 : 2); ++i) Delay();
    POPC("others", 1, count, 1, result);
  }
  out[threadIdx.x] = result;
}
__global__ void just_sync(int* out, volatile int*, int count) {
  SYNC("all", 1, count);
  out[threadIdx.x] = 1;
}

int main(int argc, char** argv) {
  return RunAll(
      argc, argv,
      {{"sync_halves", sync_halves, 64, 64, "ends, all 1 (0: passed without the late half)"},
       {"sync_halves_other_order", sync_halves_other_order, 64, 64, "ends, all 1"},
       {"sync_quarters", sync_quarters, 64, 64, "ends, all 1"},
       {"sync_halves_no_count", sync_halves_no_count, 64, 0, "ends, all 1"},
       {"aligned_halves", aligned_halves, 64, 64, "undefined (aligned, diverged)"},
       {"half_only", half_only, 64, 64, "hangs: half a warp is no arrival"},
       {"half_twice", half_twice, 64, 64, "hangs: arrive waits for the warp's other half"},
       {"half_of_32", half_of_32, 32, 32, "hangs: half a warp is no arrival"},
       {"half_of_32_rest_returns", half_of_32_rest_returns, 32, 32, "ends, 0..15=1"},
       {"rest_returned_before", rest_returned_before, 64, 64, "ends: a warp counts 32 without those"},
       {"rest_returns_later", rest_returns_later, 64, 64, "ends: their return completes the warp"},
       {"whole_warp_returned", whole_warp_returned, 64, 64, "hangs: 64 threads are asked for, 32 come"},
       {"two_barriers", two_barriers, 64, 64, "hangs: neither barrier sees a whole warp 0"},
       {"arrive_halves", arrive_halves, 64, 64, "ends, all 1"},
       {"arrive_then_flag", arrive_then_flag, 64, 64, "hangs, if arrive waits for its warp"},
       {"arrive_then_flag_high", arrive_then_flag_high, 64, 64, "hangs, if arrive waits for its warp"},
       {"half_arrives_half_syncs", half_arrives_half_syncs, 64, 64, "ends, all 1?"},
       {"popc_halves", popc_halves, 64, 64, "ends, all 32"},
       {"popc_without_returned", popc_without_returned, 64, 64, "ends, 48"},
       {"and_without_returned", and_without_returned, 64, 64, "ends, 1"},
       {"popc_last_partial_warp", popc_last_partial_warp, 48, 64, "ends, 48"},
       {"popc_with_an_arrived_warp", popc_with_an_arrived_warp, 64, 64, "ends, 32"},
       {"and_with_an_arrived_warp", and_with_an_arrived_warp, 64, 64, "ends, 1?"},
       {"half_of_the_next_pair", half_of_the_next_pair, 128, 64,
        "ends, all 64 (80: the early half was counted)"},
       {"block_of_48_count_64", just_sync, 48, 64, "ends"},
       {"block_of_48_count_48", just_sync, 48, 48, "undefined (no multiple of 32)"},
       {"block_of_64_count_48", just_sync, 64, 48, "undefined (no multiple of 32)"}});
}

// SPDX-License-Identifier: Apache-2.0
// What hardware does where a lane calls ..._sync() with a mask that it is not in, and what __syncwarp() of
// half a warp leaves unordered.
//
//   nvcc -arch=sm_90 -O1 -o masks masks.cu && ./masks
//
// Each case runs in a process of its own that is killed after 5 s (CASE_SECONDS=2 for less), so a deadlock is
// the result "HANGS". `./masks CASE` runs one. Each thread leaves its result in out[].
// --- Runs each case in a child process.
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

__device__ void Delay() {
  const long long start = clock64();
  while (clock64() - start < 20000000) {
  }
}
__shared__ volatile int stored[64];

// All 32 lanes execute the instruction; the mask names lanes 0 to 15 (once as a constant, once by the
// argument `mask`), so lanes 16 to 31 call with a mask that they are not in.
__global__ void shfl_down_constant(int* out, volatile int*, int) {
  out[threadIdx.x] = __shfl_down_sync(0xffff, 100 + (int)LANE, 8);
}
__global__ void shfl_down(int* out, volatile int*, int mask) {
  out[threadIdx.x] = __shfl_down_sync(mask, 100 + (int)LANE, 8);
}
__global__ void shfl_down_width_16(int* out, volatile int*, int mask) {
  out[threadIdx.x] = __shfl_down_sync(mask, 100 + (int)LANE, 8, 16);
}
__global__ void shfl_xor(int* out, volatile int*, int mask) {
  out[threadIdx.x] = __shfl_xor_sync(mask, 100 + (int)LANE, 16);
}
__global__ void ballot_constant(int* out, volatile int*, int) {
  out[threadIdx.x] = __ballot_sync(0xffff, 1);
}
__global__ void ballot(int* out, volatile int*, int mask) {
  out[threadIdx.x] = __ballot_sync(mask, 1);
}
__global__ void all(int* out, volatile int*, int mask) {
  out[threadIdx.x] = __all_sync(mask, LANE < 16);
}
__global__ void any(int* out, volatile int*, int mask) {
  out[threadIdx.x] = __any_sync(mask, LANE >= 16);
}
__global__ void match_any(int* out, volatile int*, int mask) {
  out[threadIdx.x] = __match_any_sync(mask, 7);
}
__global__ void match_all(int* out, volatile int*, int mask) {
  int same = 0;
  out[threadIdx.x] = __match_all_sync(mask, LANE < 16 ? 7 : 8, &same);
}
__global__ void reduce_add(int* out, volatile int*, int mask) {
  out[threadIdx.x] = __reduce_add_sync(mask, 1);
}
__global__ void reduce_add_constant(int* out, volatile int*, int) {
  out[threadIdx.x] = __reduce_add_sync(0xffff, 1);
}
__global__ void syncwarp_constant(int* out, volatile int*, int) {
  __syncwarp(0xffff);
  out[threadIdx.x] = 1;
}
__global__ void syncwarp(int* out, volatile int*, int mask) {
  __syncwarp(mask);
  out[threadIdx.x] = 1;
}
// Lanes 16 to 31 name lanes 0 to 15, which never come: they wait for what the others do behind it.
__global__ void only_lanes_outside(int* out, volatile int* flag, int mask) {
  if (LANE >= 16) {
    __syncwarp(mask);
    flag[0] = 1;
  } else {
    while (flag[0] == 0) {
    }
  }
  out[threadIdx.x] = 1;
}
// Lanes 0 to 15 store late; does __syncwarp(0xffff) make lanes 16 to 31 wait for that? 1: yes, 0: no.
__global__ void do_outsiders_wait(int* out, volatile int*, int mask) {
  stored[LANE] = 0;
  __syncwarp();
  if (LANE < 16) {
    Delay();
    stored[LANE] = 1;
    __syncwarp(mask);
    out[threadIdx.x] = 1;
  } else {
    __syncwarp(mask);
    out[threadIdx.x] = stored[LANE - 16];
  }
}
// A legal mask for each half: nothing orders the halves. 0: the upper half read before the lower stored.
__global__ void each_half_its_own(int* out, volatile int*, int mask) {
  stored[LANE] = 0;
  __syncwarp();
  if (LANE < 16) {
    Delay();
    stored[LANE] = 1;
    __syncwarp(mask);
    out[threadIdx.x] = 1;
  } else {
    __syncwarp(~mask);
    out[threadIdx.x] = stored[LANE - 16];
  }
}
// The lower half votes late, the upper not at all with it: the result of the lower half's ballot.
__global__ void ballot_of_two_branches(int* out, volatile int*, int mask) {
  if (LANE < 16) {
    Delay();
    out[threadIdx.x] = __ballot_sync(mask, 1);
  } else {
    out[threadIdx.x] = __ballot_sync(~mask, 1);
  }
}
// Two ifs, one after the other, through volatile shared memory: 1 where the second sees the first's store.
__global__ void volatile_between_two_ifs(int* out, volatile int* flag, int) {
  stored[LANE] = 0;
  __syncwarp();
  if (LANE < 16) {
    if (flag[1] == 0) Delay();
    stored[LANE] = 1;
  }
  out[threadIdx.x] = 1;
  if (LANE >= 16) out[threadIdx.x] = stored[LANE - 16];
}

int main(int argc, char** argv) {
  return RunAll(argc, argv,
                {{"shfl_down_constant", shfl_down_constant, 32, 0, "undefined for 16..31"},
                 {"shfl_down", shfl_down, 32, 0xffff, "undefined for 16..31"},
                 {"shfl_down_mask_1", shfl_down, 32, 1, "undefined for 1..31"},
                 {"shfl_down_width_16", shfl_down_width_16, 32, 0xffff, "undefined for 16..31"},
                 {"shfl_xor", shfl_xor, 32, 0xffff, "undefined"},
                 {"ballot_constant", ballot_constant, 32, 0, "undefined for 16..31; 65535 below"},
                 {"ballot", ballot, 32, 0xffff, "undefined for 16..31; 65535 below"},
                 {"all", all, 32, 0xffff, "undefined for 16..31; 1 below"},
                 {"any", any, 32, 0xffff, "undefined for 16..31; 0 below"},
                 {"match_any", match_any, 32, 0xffff, "undefined for 16..31; 65535 below"},
                 {"match_all", match_all, 32, 0xffff, "undefined for 16..31; 65535 below"},
                 {"reduce_add", reduce_add, 32, 0xffff, "undefined for 16..31; 16 below"},
                 {"reduce_add_constant", reduce_add_constant, 32, 0, "undefined for 16..31; 16 below"},
                 {"syncwarp_constant", syncwarp_constant, 32, 0, "undefined for 16..31"},
                 {"syncwarp", syncwarp, 32, 0xffff, "undefined for 16..31"},
                 {"syncwarp_mask_1", syncwarp, 32, 1, "undefined for 1..31"},
                 {"only_lanes_outside", only_lanes_outside, 32, 0xffff, "undefined"},
                 {"do_outsiders_wait", do_outsiders_wait, 32, 0xffff, "undefined for 16..31"},
                 {"each_half_its_own", each_half_its_own, 32, 0xffff, "a race: 16..31 may be 0"},
                 {"ballot_of_two_branches", ballot_of_two_branches, 32, 0xffff, "65535 and -65536"},
                 {"volatile_between_two_ifs", volatile_between_two_ifs, 32, 0, "a race: 16..31 may be 0"}});
}

// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/isa/engine.h"

#include <cstdio>
#include <cstdlib>

namespace warplings::vgpu {

const Engine& BestEngine() {
  // What the compiler may use at each level (x86-64 psABI, "Micro-Architecture Levels").
  __builtin_cpu_init();
  [[maybe_unused]] const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                                   __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("bmi");
  [[maybe_unused]] const bool v4 = v3 && __builtin_cpu_supports("avx512f") &&
                                   __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
                                   __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#ifdef WARPLINGS_HAS_kEngineV4
  if (v4) return kEngineV4;
#endif
#ifdef WARPLINGS_HAS_kEngineV3
  if (v3) return kEngineV3;
#endif
#ifdef WARPLINGS_HAS_kEngineV1
  return kEngineV1;
#else
  std::fprintf(stderr,
               "warplings: this build has no engine for this processor (Meson option engine_levels)\n");
  std::abort();
#endif
}

}  // namespace warplings::vgpu

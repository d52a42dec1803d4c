// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/exec/context.h"

namespace warplings::vgpu {

const Engine& BestEngine() {
  // What the compiler may use at each level (x86-64 psABI, "Micro-Architecture Levels").
  __builtin_cpu_init();
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                  __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("bmi");
  const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
  return v4 ? kEngineV4 : v3 ? kEngineV3 : kEngineV1;
}

}  // namespace warplings::vgpu

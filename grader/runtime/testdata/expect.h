// SPDX-License-Identifier: Apache-2.0
// What the programs here expect of calls. Each expectation that does not hold is printed, and counted in
// `failed`.
#pragma once

#include <cstdio>

namespace {

int failed = 0;
void Expect(bool holds, const char* what, int line) {
  if (holds) return;
  ++failed;
  std::printf("line %d: %s\n", line, what);
}

}  // namespace

#define EXPECT(condition) Expect((condition), #condition, __LINE__)
#define OK(call) Expect((call) == cudaSuccess, #call, __LINE__)
#define FAILS(call, error) Expect((call) == (error) && cudaGetLastError() == (error), #call, __LINE__)

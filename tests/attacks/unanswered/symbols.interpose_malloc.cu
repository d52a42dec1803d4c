// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: pass; grader_fault; hang
// Own malloc and operator new that return null after a while.

#include "tiled_matmul.h"
#include <cstddef>
extern "C" void* malloc(size_t) { return nullptr; }
void* operator new(size_t) { return nullptr; }
void operator delete(void*) noexcept {}

void tiled_matmul(const float* M, const float* N, float* P, int width) {

}

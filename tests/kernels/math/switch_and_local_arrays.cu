// SPDX-License-Identifier: Apache-2.0
// A switch large enough for a jump table, goto, and local arrays that are indexed by what is not known
// to the compiler: a small stack machine.
#include "tests/kernels/expect.h"

enum Code { kPush, kAdd, kSub, kMul, kDup, kSwap, kNeg, kOver, kDrop, kSquare, kIncrement, kEnd };

__host__ __device__ inline int execute(const int* program, int argument) {
  int stack[12], top = 0;
  stack[top++] = argument;
  for (int pc = 0;; ++pc) {
    switch (program[pc] & 15) {
      case kPush: stack[top++] = program[pc] >> 4; break;
      case kAdd:
        --top;
        stack[top - 1] += stack[top];
        break;
      case kSub:
        --top;
        stack[top - 1] -= stack[top];
        break;
      case kMul:
        --top;
        stack[top - 1] *= stack[top];
        break;
      case kDup:
        stack[top] = stack[top - 1];
        ++top;
        break;
      case kSwap: {
        int kept = stack[top - 1];
        stack[top - 1] = stack[top - 2];
        stack[top - 2] = kept;
        break;
      }
      case kNeg: stack[top - 1] = -stack[top - 1]; break;
      case kOver:
        stack[top] = stack[top - 2];
        ++top;
        break;
      case kDrop: --top; break;
      case kSquare: stack[top - 1] *= stack[top - 1]; break;
      case kIncrement: ++stack[top - 1]; break;
      default: return stack[top - 1];
    }
  }
}

__global__ void run_programs(const int* programs, int* results) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  results[i] = execute(programs + i % 4 * 16, i);
}

int main() {
  const int count = 256;
  const std::vector<int> programs = {kDup,
                                     kMul,
                                     kPush | 7 << 4,
                                     kAdd,
                                     kEnd,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     kPush | 3 << 4,
                                     kSwap,
                                     kSub,
                                     kNeg,
                                     kSquare,
                                     kIncrement,
                                     kEnd,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     kPush | 5 << 4,
                                     kOver,
                                     kAdd,
                                     kMul,
                                     kPush | 1 << 4,
                                     kDrop,
                                     kEnd,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     kDup,
                                     kDup,
                                     kDup,
                                     kDup,
                                     kAdd,
                                     kAdd,
                                     kAdd,
                                     kAdd,
                                     kNeg,
                                     kIncrement,
                                     kEnd,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0};
  int *code = OnDevice(programs), *out = OnDevice<int>(count);
  run_programs<<<4, 64>>>(code, out);
  FINISH();
  auto results = FromDevice(out, count);
  for (int i = 0; i < count; ++i)
    ExpectEqual("result", i, results[i], execute(programs.data() + i % 4 * 16, i));
  return Result();
}

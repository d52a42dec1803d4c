// SPDX-License-Identifier: Apache-2.0
// printf of every kind of argument, and an assert that holds. What the kernel prints is the program's
// standard output: the program reads it back through a pipe.
#undef NDEBUG
#include <unistd.h>

#include <cassert>

#include "tests/kernels/expect.h"

__global__ void print(const char* unused, float value) {
  assert(value > 0);
  if (threadIdx.x == 1) {
    printf("%d %u %x %c %5d|%-5d|%05d\n", -7, 4000000000u, 255, 'k', 42, 42, 42);
    printf("%lld %llu %f %.3f %g %e\n", -5000000000ll, 1ull << 63, value, 2.0 / 3, 1e-5, 12345.678);
    printf("%s %% %p\n", "text", unused);
  }
  if (threadIdx.x < 3) printf("thread %d\n", threadIdx.x);
}

int main() {
  int ends[2];
  if (pipe(ends) != 0) return 1;
  const int standard_output = dup(1);
  dup2(ends[1], 1);
  print<<<1, 32>>>(nullptr, 1.5f);
  const cudaError_t status = cudaDeviceSynchronize();
  std::fflush(stdout);
  dup2(standard_output, 1);
  close(ends[1]);
  CUDA(status);
  char text[4096];
  std::size_t length = 0;
  for (ssize_t got; (got = read(ends[0], text + length, sizeof text - 1 - length)) > 0;) length += got;
  text[length] = 0;
  for (const char* wanted : {"-7 4000000000 ff k    42|42   |00042\n",
                             "-5000000000 9223372036854775808 1.500000 0.667 1e-05 1.234568e+04\n", "text % ",
                             "thread 0\nthread 1\nthread 2\n"}) {
    if (!std::strstr(text, wanted) && Wrong()) std::printf("missing \"%s\" in \"%s\"\n", wanted, text);
  }
  return Result();
}

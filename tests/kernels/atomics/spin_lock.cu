// SPDX-License-Identifier: Apache-2.0
// A lock taken by one thread of each block, and one that lanes of a warp take from each other.
#include "tests/kernels/expect.h"

struct Lock {
  int taken;
  __device__ void acquire() {
    while (atomicCAS(&taken, 0, 1) != 0) {
    }
    __threadfence();
  }
  __device__ void release() {
    __threadfence();
    atomicExch(&taken, 0);
  }
};

__global__ void one_thread_of_each_block(Lock* lock, volatile int* counter) {
  if (threadIdx.x == 0) {
    lock->acquire();
    *counter = *counter + 1;
    lock->release();
  }
}

__global__ void every_thread(Lock* lock, volatile int* counter) {
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock->taken, 0, 1) == 0) {
      __threadfence();
      *counter = *counter + 3;
      lock->release();
      done = true;
    }
  }
}

__global__ void every_thread_naively(Lock* lock, volatile int* counter) {
  // Hangs before cc 7.0; since then the lane that holds the lock goes on.
  lock->acquire();
  *counter = *counter + 5;
  lock->release();
}

int main() {
  Lock* lock = OnDevice(std::vector<Lock>{{0}});
  int* counter = OnDevice(std::vector<int>{0});
  one_thread_of_each_block<<<40, 32>>>(lock, counter);
  FINISH();
  ExpectEqual("blocks", 0, FromDevice(counter, 1)[0], 40);
  every_thread<<<3, 64>>>(lock, counter);
  FINISH();
  ExpectEqual("threads", 0, FromDevice(counter, 1)[0], 40 + 3 * 192);
  every_thread_naively<<<2, 48>>>(lock, counter);
  FINISH();
  ExpectEqual("naive", 0, FromDevice(counter, 1)[0], 40 + 3 * 192 + 5 * 96);
  return Result();
}

// SPDX-License-Identifier: Apache-2.0
// Every atomic operation of int, unsigned, long long in global and in shared memory, and what they return.
#include "tests/kernels/expect.h"

constexpr int kThreads = 96;

template <class T>
__device__ void apply_all(T* to, int t) {
  atomicAdd(&to[0], T(t));
  atomicMin(&to[1], T(1000 - t));
  atomicMax(&to[2], T(t * 3));
  atomicAnd(&to[3], ~(T(1) << (t % 16)));
  atomicOr(&to[4], T(1) << (t % 20));
  atomicXor(&to[5], T(t));
  atomicCAS(&to[6], T(t), T(t + 1));
  atomicExch(&to[7], T(42));
}

template <class T>
__global__ void global_operations(T* values) {
  apply_all(values, threadIdx.x);
}

template <class T>
__global__ void shared_operations(T* values) {
  __shared__ T shared[8];
  if (threadIdx.x < 8) shared[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  apply_all(shared, threadIdx.x);
  __syncthreads();
  if (threadIdx.x < 8) values[threadIdx.x] = shared[threadIdx.x];
}

__global__ void returned(int* counter, unsigned* wrapped, int* tickets, unsigned* incremented,
                         int* differences) {
  tickets[threadIdx.x] = atomicAdd(counter, 1);
  incremented[threadIdx.x] = atomicInc(&wrapped[0], 9);
  atomicDec(&wrapped[1], 50);
  differences[threadIdx.x] = atomicSub(&counter[1], 2);
}

template <class T>
void Test(const char* name) {
  const std::vector<T> start = {5, 2000, 1, T(0xffff), 0, 0x55, 0, 7};
  // to[6]: thread t replaces t by t + 1, in whichever order: at least thread 0 does.
  T x = 0x55;
  for (int t = 0; t < kThreads; ++t) x ^= T(t);
  const T wanted[] = {T(5 + kThreads * (kThreads - 1) / 2),
                      T(1000 - kThreads + 1),
                      T((kThreads - 1) * 3),
                      0,
                      0xfffff,
                      x,
                      0,
                      42};
  for (auto kernel : {global_operations<T>, shared_operations<T>}) {
    T* values = OnDevice(start);
    kernel<<<1, kThreads>>>(values);
    FINISH();
    const auto got = FromDevice(values, 8);
    for (int i = 0; i < 8; ++i) {
      if (i == 6) {
        ExpectEqual("at least thread 0's", i, got[i] >= 1 && got[i] <= T(kThreads), true);
      } else {
        ExpectEqual(name, i, got[i], wanted[i]);
      }
    }
  }
}

int main() {
  Test<int>("int");
  Test<unsigned>("unsigned");
  Test<unsigned long long>("unsigned long long");
  int* counters = OnDevice(std::vector<int>{0, 500});
  unsigned* wrapped = OnDevice(std::vector<unsigned>{0, 20});
  int *tickets = OnDevice<int>(kThreads), *differences = OnDevice<int>(kThreads);
  unsigned* incremented = OnDevice<unsigned>(kThreads);
  returned<<<1, kThreads>>>(counters, wrapped, tickets, incremented, differences);
  FINISH();
  std::vector<int> seen(kThreads), below(10);
  for (int ticket : FromDevice(tickets, kThreads))
    if (ticket >= 0 && ticket < kThreads) ++seen[ticket];
  for (int i = 0; i < kThreads; ++i) ExpectEqual("ticket", i, seen[i], 1);
  for (unsigned value : FromDevice(incremented, kThreads))
    if (value < 10) ++below[value];
  for (int i = 0; i < 10; ++i) ExpectEqual("incremented", i, below[i], kThreads / 10 + (i < kThreads % 10));
  ExpectEqual("counter", 1, FromDevice(counters, 2)[1], 500 - 2 * kThreads);
  ExpectEqual("wrapped", 0, FromDevice(wrapped, 2)[0], kThreads % 10);
  ExpectEqual("wrapped", 1, FromDevice(wrapped, 2)[1], ((20 - kThreads) % 51 + 102) % 51);
  return Result();
}

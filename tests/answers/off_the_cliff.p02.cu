// SPDX-License-Identifier: Apache-2.0
// mistake: four threads share a sample (which is fine); the sum of the squares is added up with shuffles down, so that
//   only the first of the four has all of it, and unlike the mean it is not handed back to the others. Part 0 (features
//   0 to 7) is right; with the parts' own sums s0 to s3, part 1 has s1 + 2 s2 + s3, part 2 has 2 s2 + 2 s3, part 3 has
//   4 s3. n = 1, feature 0 is 1 and all others 0: y[8] to y[31] are wrong.
// want: After the last shuffle down, which of the four threads holds the sum of all 32 squares? What did you do about
//   that for the mean?
#include "off_the_cliff.h"

constexpr int kParts = 4;                      // threads that share a sample
constexpr int kOwn = kFeatures / kParts;       // features of each
constexpr unsigned kAll = 0xffffffffu;

// Adds up over the four threads of a sample.
__device__ float add_parts(float value) {
  value += __shfl_down_sync(kAll, value, 2, kParts);
  value += __shfl_down_sync(kAll, value, 1, kParts);
  return value;
}

// With 8 features a thread the values fit into registers easily.
__global__ void normalise_parts(const float* x, float* y, int n) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int sample = thread / kParts;
  const int part = thread % kParts;
  const bool exists = sample < n;  // everybody stays for the shuffles

  float v[kOwn];
  float sum = 0.0f;
#pragma unroll
  for (int j = 0; j < kOwn; ++j) {
    v[j] = exists ? x[(part * kOwn + j) * n + sample] : 0.0f;
    sum += v[j];
  }
  const float mean = __shfl_sync(kAll, add_parts(sum), 0, kParts) / kFeatures;

  float squares = 0.0f;
#pragma unroll
  for (int j = 0; j < kOwn; ++j) {
    v[j] -= mean;
    squares += v[j] * v[j];
  }
  const float scale = rsqrtf(add_parts(squares) / kFeatures + 1e-6f);

  if (exists) {
#pragma unroll
    for (int j = 0; j < kOwn; ++j) y[(part * kOwn + j) * n + sample] = v[j] * scale;
  }
}

void normalise(const float* x, float* y, int n) {
  const int samples_per_block = 256 / kParts;
  normalise_parts<<<(n + samples_per_block - 1) / samples_per_block, 256>>>(x, y, n);
}

// SPDX-License-Identifier: Apache-2.0
// A block's sum in two stages of warps; votes, ballots, matches and __reduce_*_sync.
#include "tests/kernels/expect.h"

__global__ void block_sum(const int* in, int* out, int count) {
  __shared__ int of_warp[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  int value = i < count ? in[i] : 0;
  for (int offset = 16; offset; offset >>= 1) value += __shfl_down_sync(~0u, value, offset);
  if (lane == 0) of_warp[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = lane < blockDim.x / 32 ? of_warp[lane] : 0;
    for (int offset = 16; offset; offset >>= 1) value += __shfl_down_sync(~0u, value, offset);
    if (lane == 0) atomicAdd(out, value);
  }
}

__global__ void votes(const int* in, unsigned* out) {
  const int i = threadIdx.x;
  unsigned* to = out + i * 12;
  to[0] = __ballot_sync(~0u, in[i] > 0);
  to[1] = __any_sync(~0u, in[i] == in[37]);
  to[2] = __all_sync(~0u, in[i] > -(1 << 24));
  to[3] = __match_any_sync(~0u, in[i] & 3);
  int same;
  to[4] = __match_all_sync(~0u, i / 32, &same) + same;
  to[5] = __reduce_add_sync(~0u, static_cast<unsigned>(in[i]));
  to[6] = static_cast<unsigned>(__reduce_min_sync(~0u, in[i]));
  to[7] = static_cast<unsigned>(__reduce_max_sync(~0u, in[i]));
  to[8] = __reduce_and_sync(~0u, static_cast<unsigned>(in[i]) | 0xf0u);
  to[9] = __reduce_or_sync(~0u, 1u << (i & 7));
  to[10] = __reduce_xor_sync(~0u, static_cast<unsigned>(in[i]));
  if (i % 2) {
    to[11] = __ballot_sync(0xaaaaaaaau, i % 3 == 0);
  } else {
    to[11] = __activemask();
  }
}

int main() {
  const int count = 3000;
  const std::vector<int> in = Integers(count);
  int *din = OnDevice(in), *dout = OnDevice(std::vector<int>{0});
  block_sum<<<12, 256>>>(din, dout, count);
  FINISH();
  unsigned sum = 0;
  for (int value : in) sum += value;
  ExpectEqual("sum", 0, FromDevice(dout, 1)[0], static_cast<int>(sum));

  unsigned* dvotes = OnDevice<unsigned>(64 * 12);
  votes<<<1, 64>>>(din, dvotes);
  FINISH();
  const auto got = FromDevice(dvotes, 64 * 12);
  for (int i = 0; i < 64; ++i) {
    const int warp = i / 32 * 32;
    unsigned wanted[12] = {
        0,   0, 1, 0, ~0u + 1, 0, static_cast<unsigned>(INT32_MAX), static_cast<unsigned>(INT32_MIN),
        ~0u, 0, 0, 0};
    for (int k = 0; k < 32; ++k) {
      const int value = in[warp + k];
      wanted[0] |= (value > 0 ? 1u : 0u) << k;
      wanted[1] |= value == in[37];
      wanted[3] |= ((value & 3) == (in[i] & 3) ? 1u : 0u) << k;
      wanted[5] += value;
      if (value < static_cast<int>(wanted[6])) wanted[6] = value;
      if (value > static_cast<int>(wanted[7])) wanted[7] = value;
      wanted[8] &= static_cast<unsigned>(value) | 0xf0u;
      wanted[9] |= 1u << ((warp + k) & 7);
      wanted[10] ^= static_cast<unsigned>(value);
      if (i % 2 && k % 2 && (warp + k) % 3 == 0) wanted[11] |= 1u << k;
    }
    // Which lanes are active together is the machine's choice; the thread itself always is.
    if (i % 2 == 0) wanted[11] = got[i * 12 + 11] | 1u << (i % 32);
    for (int k = 0; k < 12; ++k) ExpectBits("vote", i * 12 + k, got[i * 12 + k], wanted[k]);
  }
  return Result();
}

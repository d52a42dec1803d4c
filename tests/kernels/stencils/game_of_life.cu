// SPDX-License-Identifier: Apache-2.0
// Life on a torus, one byte a cell, and the same with a warp holding 32 cells of a row in one word.
#include "tests/kernels/expect.h"

__global__ void step_bytes(const unsigned char* in, unsigned char* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int neighbours = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx || dy) neighbours += in[(y + dy + height) % height * width + (x + dx + width) % width];
  out[y * width + x] = neighbours == 3 || (neighbours == 2 && in[y * width + x]);
}

__global__ void step_words(const unsigned* in, unsigned* out, int height) {
  const int y = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (y >= height) return;
  int neighbours = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    const unsigned row = in[(y + dy + height) % height];
    neighbours +=
        (row >> ((lane + 31) % 32) & 1) + (row >> ((lane + 1) % 32) & 1) + (dy ? row >> lane & 1 : 0);
  }
  const unsigned next = __ballot_sync(~0u, neighbours == 3 || (neighbours == 2 && (in[y] >> lane & 1)));
  if (lane == 0) out[y] = next;
}

int main() {
  const int width = 32, height = 20, steps = 6;
  const std::vector<int> numbers = Integers(width * height);
  std::vector<unsigned char> cells(width * height);
  std::vector<unsigned> words(height);
  for (int i = 0; i < width * height; ++i) {
    cells[i] = (numbers[i] >> 5) & 1;
    words[i / 32] |= static_cast<unsigned>(cells[i]) << i % 32;
  }
  unsigned char *a = OnDevice(cells), *b = OnDevice<unsigned char>(width * height);
  unsigned *wa = OnDevice(words), *wb = OnDevice<unsigned>(height);
  for (int s = 0; s < steps; ++s) {
    step_bytes<<<dim3(2, 3), dim3(16, 8)>>>(a, b, width, height);
    step_words<<<5, 128>>>(wa, wb, height);
    std::swap(a, b);
    std::swap(wa, wb);
    std::vector<unsigned char> next(width * height);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        int neighbours = 0;
        for (int k = 0; k < 9; ++k)
          if (k != 4)
            neighbours += cells[(y + k / 3 - 1 + height) % height * width + (x + k % 3 - 1 + width) % width];
        next[y * width + x] = neighbours == 3 || (neighbours == 2 && cells[y * width + x]);
      }
    cells = next;
  }
  FINISH();
  const auto got = FromDevice(a, width * height);
  const auto packed = FromDevice(wa, height);
  for (int i = 0; i < width * height; ++i) {
    ExpectEqual("cell", i, got[i], cells[i]);
    ExpectEqual("bit", i, packed[i / 32] >> i % 32 & 1, cells[i]);
  }
  return Result();
}

// SPDX-License-Identifier: Apache-2.0
//
// The other kernel exercises' solutions, each beside what its exercise improves on: a starter that is right
// but slow, a wrong answer that is only slow, or the naive kernel. tests/benchmarks/results/README.md says
// how this is built and run.

#include <cmath>
#include <cstddef>
#include <utility>

#include "chapters/04_occupancy/off_the_cliff.h"  // here, so that both files below see kFeatures
#include "tests/benchmarks/measure.cuh"

// Each file in a namespace of its own, since they name their kernels alike. Their macros end with them.
namespace naive {
#include "solutions/02_rectangular_matmul/rect_matmul.cu"
}
namespace rect_tiled {
#include "solutions/02_rectangular_matmul/rect_tiled_matmul.cu"
}
#undef TILE_WIDTH
namespace rect_transposed {
#include "solutions/02_rectangular_matmul/rect_tiled_transposed.cu"
}
#undef TILE_WIDTH
namespace dynamic_tiled {
#include "solutions/03_dynamic_shared_memory/dynamic_tiled_matmul.cu"
}
namespace cliff_starter {
#include "chapters/04_occupancy/off_the_cliff.cu"
}
#undef BLOCK
namespace cliff {
#include "solutions/04_occupancy/off_the_cliff.cu"
}
#undef BLOCK
namespace padded_starter {
#include "chapters/05_bank_conflicts/transpose_padded.cu"
}
#undef TILE
namespace padded_conflicts {
#include "tests/mutants/05_bank_conflicts/transpose_padded.tile_not_padded.cu"
}
#undef TILE
namespace padded {
#include "solutions/05_bank_conflicts/transpose_padded.cu"
}
#undef TILE
#undef THREADS_Y
#undef ROWS
namespace swizzled_starter {
#include "chapters/05_bank_conflicts/transpose_swizzled.cu"
}
#undef TILE
namespace swizzled {
#include "solutions/05_bank_conflicts/transpose_swizzled.cu"
}
#undef TILE
#undef THREADS_Y
#undef ROWS
namespace reduce_starter {
#include "chapters/05_bank_conflicts/reduce_sequential.cu"
}
namespace reduce {
#include "solutions/05_bank_conflicts/reduce_sequential.cu"
}
namespace not_coarsened {
#include "tests/mutants/06_coarsening/coarsened_matmul.not_coarsened.cu"
}
#undef TILE_WIDTH
#undef COARSE_FACTOR
namespace coarsened {
#include "solutions/06_coarsening/coarsened_matmul.cu"
}
#undef TILE_WIDTH
#undef COARSE_FACTOR
namespace reduction_starter {
#include "tests/mutants/06_coarsening/coarsened_reduction.uncoarsened.cu"
}
#undef BLOCK_SIZE
#undef COARSE_FACTOR
namespace reduction {
#include "solutions/06_coarsening/coarsened_reduction.cu"
}

namespace warplings::benchmarks {
namespace {

/// P = M x N where Mt is M transposed, a thread for each element.
__global__ void NaiveTransposed(const float* Mt, const float* N, float* P, int width) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= width || col >= width) return;
  float sum = 0;
  for (int k = 0; k < width; ++k) sum += Mt[k * width + row] * N[k * width + col];
  P[row * width + col] = sum;
}

/// An exercise at one size. The first contender is the baseline, the last one the solution.
struct Comparison {
  std::string exercise;
  int size;
  std::size_t outputs;
  double tolerance;
  std::vector<std::pair<std::string, std::function<void(float* out)>>> sides;
};

std::vector<Comparison> OfWidth(const float* M, const float* N, int w) {
  const std::size_t n = static_cast<std::size_t>(w) * w;
  const double sum = 1e-3 * std::sqrt(w);  // fp32 sums of w products below 1, in two orders
  const auto naive16 = [=](float* P) { naive::rect_matmul(M, N, P, w, w, w); };
  return {
      {"rect_tiled_matmul",
       w,
       n,
       sum,
       {{"naive", naive16},
        {"solution", [=](float* P) { rect_tiled::rect_tiled_matmul(M, N, P, w, w, w); }}}},
      {"rect_tiled_transposed",
       w,
       n,
       sum,
       {{"naive",
         [=](float* P) {
           NaiveTransposed<<<dim3((w + 15) / 16, (w + 15) / 16), dim3(16, 16)>>>(M, N, P, w);
         }},
        {"solution", [=](float* P) { rect_transposed::rect_tiled_transposed(M, N, P, w, w, w); }}}},
      {"dynamic_tiled_matmul",
       w,
       n,
       sum,
       {{"naive", naive16},
        {"tile 16", [=](float* P) { dynamic_tiled::dynamic_tiled_matmul(M, N, P, w, 16); }},
        {"tile 32", [=](float* P) { dynamic_tiled::dynamic_tiled_matmul(M, N, P, w, 32); }}}},
      {"transpose_padded",
       w,
       n,
       0,
       {{"starter", [=](float* P) { padded_starter::transpose_padded(M, P, w, w); }},
        {"not padded", [=](float* P) { padded_conflicts::transpose_padded(M, P, w, w); }},
        {"solution", [=](float* P) { padded::transpose_padded(M, P, w, w); }}}},
      {"transpose_swizzled",
       w,
       n,
       0,
       {{"starter", [=](float* P) { swizzled_starter::transpose_swizzled(M, P, w, w); }},
        {"solution", [=](float* P) { swizzled::transpose_swizzled(M, P, w, w); }}}},
      {"coarsened_matmul",
       w,
       n,
       sum,
       {{"not coarsened", [=](float* P) { not_coarsened::coarsened_matmul(M, N, P, w); }},
        {"solution", [=](float* P) { coarsened::coarsened_matmul(M, N, P, w); }}}},
  };
}

Comparison OfSamples(const float* X, int n) {
  return {"off_the_cliff",
          n,
          static_cast<std::size_t>(n) * kFeatures,
          1e-4,
          {{"starter", [=](float* Y) { cliff_starter::normalise(X, Y, n); }},
           {"solution", [=](float* Y) { cliff::normalise(X, Y, n); }}}};
}

std::vector<Comparison> OfLength(const float* X, int n) {
  return {
      {"reduce_sequential",
       n,
       static_cast<std::size_t>(n / SEGMENT),
       1e-3,
       {{"starter", [=](float* out) { reduce_starter::reduce_sequential(X, out, n); }},
        {"solution", [=](float* out) { reduce::reduce_sequential(X, out, n); }}}},
      {"coarsened_reduction",
       n,
       1,
       1e-2 * std::sqrt(n),
       {{"not coarsened", [=](float* out) { reduction_starter::coarsened_reduction(X, out, n); }},
        {"solution", [=](float* out) { reduction::coarsened_reduction(X, out, n); }}}},
  };
}

std::vector<float> Result(const Comparison& comparison, std::size_t side, float* out) {
  CHECK(cudaMemset(out, 0xff, comparison.outputs * sizeof(float)));
  comparison.sides[side].second(out);
  CHECK(cudaGetLastError());
  std::vector<float> result(comparison.outputs);
  CHECK(cudaMemcpy(result.data(), out, result.size() * sizeof(float), cudaMemcpyDeviceToHost));
  return result;
}

void Run(const Comparison& comparison, float* out) {
  const std::vector<float> expected = Result(comparison, 0, out);
  for (std::size_t side = 1; side < comparison.sides.size(); ++side) {
    const std::vector<float> result = Result(comparison, side, out);
    for (std::size_t i = 0; i < result.size(); ++i) {
      if (!(std::fabs(result[i] - expected[i]) <= comparison.tolerance)) {
        std::printf("%s, %s, size %d: element %zu is wrong\n", comparison.exercise.c_str(),
                    comparison.sides[side].first.c_str(), comparison.size, i);
        std::exit(1);
      }
    }
  }
  std::vector<Contender> contenders;
  for (const auto& [name, run] : comparison.sides) contenders.push_back({name, [&run, out] { run(out); }});
  const std::vector<double> milliseconds = MedianMilliseconds(contenders, 21);
  std::printf("%-22s %9d  %6.2f x  ", comparison.exercise.c_str(), comparison.size,
              milliseconds.front() / milliseconds.back());
  for (std::size_t side = 0; side < contenders.size(); ++side) {
    std::printf("  %s %.4f ms", contenders[side].name.c_str(), milliseconds[side]);
  }
  std::printf("\n");
}

int Main() {
  constexpr std::size_t kMost = std::size_t{1} << 26;
  PrintDevice();
  const float* M = DeviceArray(kMost, 1);
  const float* N = DeviceArray(kMost, 2);
  float* out = DeviceArray(kMost, 3);
  for (int i = 0; i < 20; ++i) naive::rect_matmul(M, N, out, 4096, 4096, 4096);  // clocks rise
  std::printf("Median of 21, all results compared with the first one's. Last over first:\n");
  for (const int width : {1024, 2048, 4096}) {
    for (const Comparison& comparison : OfWidth(M, N, width)) Run(comparison, out);
  }
  for (const int bits : {15, 18, 21}) Run(OfSamples(M, 1 << bits), out);
  for (const int bits : {20, 22, 24, 26}) {
    for (const Comparison& comparison : OfLength(M, 1 << bits)) Run(comparison, out);
  }
  return 0;
}

}  // namespace
}  // namespace warplings::benchmarks

int main() {
  return warplings::benchmarks::Main();
}

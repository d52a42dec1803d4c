// SPDX-License-Identifier: Apache-2.0
//
// How near the solutions that are limited by memory come to that limit. Checks every result first, also for
// odd lengths and for arrays that begin one element after an aligned address. Then times each solution beside
// a copy from device to device that moves the same number of bytes, in turns.
//
//   limits [--check | --brief] [EXERCISE...]
//
// --check stops after the small checks; --brief times only the largest input of each exercise, and checks
// only small ones. Without names, all exercises.
//
// tests/benchmarks/results/README.md says how this is built and run.

#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>

// The contracts with constants that both sides need, outside of the namespaces below.
#include "chapters/07_where_it_recurs/convolution.h"
#include "chapters/07_where_it_recurs/stencil.h"
#include "tests/benchmarks/measure.cuh"

// Each file in a namespace of its own, since they name their macros and kernels alike.
#include <cuda_pipeline.h>
#include <limits.h>
#include <stddef.h>
namespace padded {
#include "solutions/05_bank_conflicts/transpose_padded.cu"
}
#undef TILE
#undef THREADS_Y
#undef ROWS
namespace swizzled {
#include "solutions/05_bank_conflicts/transpose_swizzled.cu"
}
#undef TILE
#undef THREADS_Y
#undef ROWS
namespace reduction {
#include "solutions/06_coarsening/coarsened_reduction.cu"
}
#undef BLOCK_SIZE
#undef COARSE_FACTOR
#undef BLOCKS_PER_MULTIPROCESSOR
namespace histogram_solution {
#include "solutions/07_where_it_recurs/histogram.cu"
}
#undef THREADS
#undef BLOCKS_PER_MULTIPROCESSOR
#undef COARSE_FACTOR
#undef ELEMENTS_PER_BIN
#undef COUNTERS
#undef TILE
namespace scan_solution {
#include "solutions/07_where_it_recurs/scan.cu"
}
#undef THREADS
#undef WARPS
#undef COARSE_FACTOR
#undef BLOCKS_PER_MULTIPROCESSOR
#undef WARP_TILE
#undef TILE
#undef FIRST_WAIT
#undef WAIT
#undef LOOKS
#undef NOTHING
#undef TILE_SUM
#undef PREFIX
namespace merge_solution {
#include "solutions/07_where_it_recurs/merge_tiles.cu"
}
#undef THREADS
#undef COARSE_FACTOR
#undef TILE
namespace stencil_solution {
#include "solutions/07_where_it_recurs/stencil.cu"
}
#undef TILE_X
#undef THREADS_Y
#undef ROWS
#undef TILE_Y
#undef THREADS
#undef PLANES
#undef BLOCKS_PER_MULTIPROCESSOR
#undef FRAME
namespace convolution_solution {
#include "solutions/07_where_it_recurs/convolution.cu"
}
#undef WIDTH
#undef TILE_X
#undef THREADS_Y
#undef ROWS
#undef TILE_Y
#undef THREADS
#undef MARGIN
#undef LOADED_X
#undef LOADED_Y

namespace warplings::benchmarks {
namespace {

/// The card's published memory bandwidth in GB/s; 0 if we do not know the card.
double PublishedBandwidth() {
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  if (std::strstr(properties.name, "H200")) return 4800;
  if (std::strstr(properties.name, "H100 80GB HBM3")) return 3350;
  return 0;
}

/// An array on the device that begins `offset` elements after an aligned address.
template <typename T>
class Array {
 public:
  explicit Array(std::size_t n, std::size_t offset = 0) : n_(n) {
    CHECK(cudaMalloc(&allocation_, (n + offset + 1) * sizeof(T)));
    CHECK(cudaMemset(allocation_, 0xee, (n + offset + 1) * sizeof(T)));
    begin_ = allocation_ + offset;
  }
  explicit Array(const std::vector<T>& values, std::size_t offset = 0) : Array(values.size(), offset) {
    CHECK(cudaMemcpy(begin_, values.data(), n_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  Array(const Array&) = delete;
  ~Array() { cudaFree(allocation_); }

  T* get() const { return begin_; }
  std::vector<T> Values() const {
    std::vector<T> values(n_);
    CHECK(cudaMemcpy(values.data(), begin_, n_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  std::size_t n_;
  T* allocation_ = nullptr;
  T* begin_ = nullptr;
};

enum class Mode { kCheck, kBrief, kAll };

__host__ __device__ inline std::uint32_t Hash(std::uint32_t x) {
  x = (x * 2654435761u ^ 0x9e3779b9u) * 0x85ebca6bu;
  x = (x ^ (x >> 13)) * 0xc2b2ae35u;
  return x ^ (x >> 16);
}

__host__ __device__ inline int RandomInt(std::size_t i, int below, std::uint32_t seed) {
  return static_cast<int>(Hash(static_cast<std::uint32_t>(i) + seed * 77777777u) % below);
}

/// Values from 0 to below `below`; all are 0 if that is 1.
std::vector<int> RandomInts(std::size_t n, int below, std::uint32_t seed) {
  std::vector<int> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = RandomInt(i, below, seed);
  return values;
}

/// The same, in device memory. `common` of 100 values are 0.
__global__ void FillInts(int* to, std::size_t n, int below, std::uint32_t seed, int common) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n;
       i += std::size_t{gridDim.x} * blockDim.x) {
    to[i] = RandomInt(i, 100, seed + 1) < common ? 0 : RandomInt(i, below, seed);
  }
}
void FillInts(const Array<int>& array, std::size_t n, int below, std::uint32_t seed, int common = 0) {
  FillInts<<<1024, 256>>>(array.get(), n, below, seed, common);
  CHECK(cudaDeviceSynchronize());
}

/// Values from -1 to 1.
std::vector<float> RandomFloats(std::size_t n, std::uint32_t seed) {
  std::vector<float> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    values[i] = static_cast<float>(RandomInt(i, 1 << 24, seed)) * 0x1p-23f - 1;
  }
  return values;
}
void FillFloats(const Array<float>& array, std::size_t n, std::uint32_t seed) {
  Fill<<<1024, 256>>>(array.get(), n, seed);
  CHECK(cudaDeviceSynchronize());
}

template <typename T>
void Compare(const std::string& what, const std::vector<T>& result, const std::vector<T>& expected,
             double tolerance = 0) {
  CHECK(cudaGetLastError());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!(std::fabs(static_cast<double>(result[i]) - static_cast<double>(expected[i])) <= tolerance)) {
      std::printf("%s: element %zu of %zu is %g instead of %g\n", what.c_str(), i, expected.size(),
                  static_cast<double>(result[i]), static_cast<double>(expected[i]));
      std::exit(1);
    }
  }
}

/// One row of the table: `run` moves `bytes` to or from memory if it reads and writes each element once.
struct Row {
  std::string name;
  std::size_t bytes;
  std::function<void()> run;
};

/// Medians over cold runs in turns: first the copy, then the rows.
void Print(const std::vector<Row>& rows) {
  static ColdTimer timer;
  static const double published = PublishedBandwidth();
  constexpr int kRounds = 21;
  for (const Row& row : rows) {
    const std::size_t half = row.bytes / 2;
    Array<char> from(half), to(half);
    std::vector<double> copies, runs;
    for (int round = -2; round < kRounds; ++round) {  // the first two warm up
      const double copy = timer.Microseconds(
          [&] { CHECK(cudaMemcpyAsync(to.get(), from.get(), half, cudaMemcpyDeviceToDevice)); });
      const double run = timer.Microseconds(row.run);
      if (round >= 0) copies.push_back(copy), runs.push_back(run);
    }
    CHECK(cudaGetLastError());
    std::sort(copies.begin(), copies.end());
    std::sort(runs.begin(), runs.end());
    const double copy = copies[kRounds / 2], run = runs[kRounds / 2];
    std::printf("%-52s %7.1f MB %9.1f us %7.0f GB/s   copy %9.1f us %7.0f GB/s  %6.1f %%", row.name.c_str(),
                row.bytes / 1e6, run, row.bytes / run / 1e3, copy, row.bytes / copy / 1e3, 100 * copy / run);
    if (published > 0) std::printf("  %5.1f %%", 100 * row.bytes / run / 1e3 / published);
    std::printf("\n");
    std::fflush(stdout);
  }
}

const std::vector<int> kLengths = {0,    1,    2,    3,     31,    32,    33,    255,   257,   1000,
                                   1023, 1025, 3839, 3840,  3841,  4095,  4096,  4097,  7680,  8191,
                                   8192, 8193, 9999, 16385, 30001, 65535, 65536, 65537, 99991, 250007};

// ------------------------------------------------------------------------------------------------------ scan

void CheckScan(const Array<int>& input, std::size_t length, std::size_t offset = 0) {
  const Array<int> output(length, offset);
  scan_solution::scan(input.get(), output.get(), static_cast<int>(length));
  std::vector<int> expected = input.Values();
  expected.resize(length);
  unsigned sum = 0;
  for (int& value : expected) value = static_cast<int>(sum += value);
  Compare("scan, length " + std::to_string(length), output.Values(), expected);
}

void Scan(Mode mode) {
  for (const int length : kLengths) {
    for (const std::size_t offset : {0, 1}) {
      CheckScan(Array<int>(RandomInts(length, 2001, length), offset), length, offset);
    }
  }
  if (mode == Mode::kCheck) return;
  const std::size_t most = std::size_t{1} << 28;
  const Array<int> input(most), output(most);
  FillInts(input, most, 8, 1);
  for (int again = 0; again < 3; ++again) CheckScan(input, (std::size_t{1} << 24) + again * 12345);
  if (mode == Mode::kAll) CheckScan(input, most);
  std::vector<Row> rows;
  for (const int bits : {24, 26, 28}) {
    if (mode == Mode::kBrief && bits < 28) continue;
    const int length = 1 << bits;
    rows.push_back({"scan, 2^" + std::to_string(bits), std::size_t{8} * length,
                    [=, &input, &output] { scan_solution::scan(input.get(), output.get(), length); }});
  }
  Print(rows);
}

// ------------------------------------------------------------------------------------------------- histogram

void CheckHistogram(const Array<int>& input, int bins, std::size_t offset = 0) {
  const std::vector<int> values = input.Values();
  const Array<int> counts(bins, offset);
  histogram_solution::histogram(input.get(), counts.get(), static_cast<int>(values.size()), bins);
  std::vector<int> expected(bins);
  for (const int value : values) ++expected[value];
  Compare("histogram, length " + std::to_string(values.size()) + ", bins " + std::to_string(bins),
          counts.Values(), expected);
}

void Histogram(Mode mode) {
  for (const int length : kLengths) {
    for (const int bins : {1, 2, 31, 255, 256, 257, 1000, 4096}) {
      if (length > 20000 && bins != 1000) continue;
      CheckHistogram(Array<int>(RandomInts(length, bins, length), 1), bins, 1);
      CheckHistogram(Array<int>(std::vector<int>(length, bins - 1)), bins);
    }
  }
  if (mode == Mode::kCheck) return;
  const std::size_t most = std::size_t{1} << 28;
  const Array<int> input(most), counts(4096);
  for (const int bins : {256, 4096}) {
    for (const int common : {0, 90, 100}) {
      FillInts(input, most, bins, 1, common);
      if (mode == Mode::kAll) CheckHistogram(input, bins);
      std::vector<Row> rows;
      for (const int bits : {25, 28}) {
        if (mode == Mode::kBrief && bits < 28) continue;
        rows.push_back({"histogram, " + std::to_string(bins) + " bins, " + std::to_string(common) +
                            " % equal, 2^" + std::to_string(bits),
                        std::size_t{4} << bits, [&, bits, bins] {
                          histogram_solution::histogram(input.get(), counts.get(), 1 << bits, bins);
                        }});
      }
      Print(rows);
    }
  }
}

// --------------------------------------------------------------------------------------------------- stencil

__global__ void SimpleStencil(const float* input, float* output, int width, int height, int depth) {
  const std::size_t n = static_cast<std::size_t>(width) * height * depth;
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n;
       i += std::size_t{gridDim.x} * blockDim.x) {
    const int x = i % width, y = i / width % height, z = i / width / height;
    const std::size_t row = width, plane = row * height;
    output[i] =
        x == 0 || y == 0 || z == 0 || x == width - 1 || y == height - 1 || z == depth - 1
            ? input[i]
            : kCentre * input[i] + kNeighbour * (input[i - 1] + input[i + 1] + input[i - row] +
                                                 input[i + row] + input[i - plane] + input[i + plane]);
  }
}

void CheckStencil(const Array<float>& input, int width, int height, int depth, std::size_t offset = 0) {
  const std::size_t n = static_cast<std::size_t>(width) * height * depth;
  const Array<float> output(n, offset), expected(n);
  stencil_solution::stencil(input.get(), output.get(), width, height, depth);
  if (n > 0) SimpleStencil<<<1024, 128>>>(input.get(), expected.get(), width, height, depth);
  Compare(
      "stencil, " + std::to_string(width) + " x " + std::to_string(height) + " x " + std::to_string(depth),
      output.Values(), expected.Values(), 1e-5);
}

void Stencil(Mode mode) {
  for (const auto& [width, height, depth] : std::vector<std::array<int, 3>>{{1, 1, 1},
                                                                            {0, 0, 0},
                                                                            {2, 2, 2},
                                                                            {3, 3, 3},
                                                                            {64, 16, 3},
                                                                            {65, 17, 5},
                                                                            {63, 15, 66},
                                                                            {1, 50, 3},
                                                                            {130, 1, 5},
                                                                            {5, 3, 133},
                                                                            {127, 33, 4},
                                                                            {129, 31, 7},
                                                                            {66, 35, 65},
                                                                            {200, 40, 9}}) {
    const std::size_t n = static_cast<std::size_t>(width) * height * depth;
    for (const std::size_t offset : {0, 1}) {
      CheckStencil(Array<float>(RandomFloats(n, width), offset), width, height, depth, offset);
    }
  }
  if (mode == Mode::kCheck) return;
  for (const auto& [width, height, depth] : std::vector<std::array<int, 3>>{
           {512, 512, 512}, {1024, 1024, 256}, {509, 511, 513}, {1000, 1000, 200}}) {
    if (mode == Mode::kBrief && width == 1024) continue;
    const std::size_t n = static_cast<std::size_t>(width) * height * depth;
    const Array<float> input(n), output(n);
    FillFloats(input, n, 1);
    if (mode == Mode::kAll) CheckStencil(input, width, height, depth);
    Print({{"stencil, " + std::to_string(width) + " x " + std::to_string(height) + " x " +
                std::to_string(depth),
            8 * n, [&, width = width, height = height, depth = depth] {
              stencil_solution::stencil(input.get(), output.get(), width, height, depth);
            }}});
  }
}

// ----------------------------------------------------------------------------------------------- convolution

__global__ void SimpleConvolution(const float* input, const float* filter, float* output, int rows,
                                  int columns) {
  const std::size_t n = static_cast<std::size_t>(rows) * columns;
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n;
       i += std::size_t{gridDim.x} * blockDim.x) {
    const int row = i / columns, column = i % columns;
    float sum = 0;
    for (int r = -kRadius; r <= kRadius; ++r) {
      for (int c = -kRadius; c <= kRadius; ++c) {
        if (row + r < 0 || row + r >= rows || column + c < 0 || column + c >= columns) continue;
        sum += filter[(r + kRadius) * (2 * kRadius + 1) + c + kRadius] *
               input[static_cast<std::size_t>(row + r) * columns + column + c];
      }
    }
    output[i] = sum;
  }
}

void CheckConvolution(const Array<float>& input, int rows, int columns, std::size_t offset = 0) {
  const std::size_t n = static_cast<std::size_t>(rows) * columns;
  const Array<float> output(n, offset), expected(n), filter(RandomFloats(25, rows), offset);
  convolution_solution::convolution(input.get(), filter.get(), output.get(), rows, columns);
  if (n > 0) SimpleConvolution<<<1024, 128>>>(input.get(), filter.get(), expected.get(), rows, columns);
  Compare("convolution, " + std::to_string(rows) + " x " + std::to_string(columns), output.Values(),
          expected.Values(), 2e-5);
}

const std::vector<std::array<int, 2>> kShapes = {
    {1, 1},   {1, 2},   {2, 1},   {3, 3},     {5, 200}, {200, 5}, {31, 33},   {32, 32},
    {33, 31}, {64, 64}, {65, 63}, {127, 129}, {1, 999}, {999, 1}, {100, 300}, {257, 130}};

void Convolution(Mode mode) {
  for (const auto& [rows, columns] : kShapes) {
    const std::size_t n = static_cast<std::size_t>(rows) * columns;
    for (const std::size_t offset : {0, 1}) {
      CheckConvolution(Array<float>(RandomFloats(n, rows), offset), rows, columns, offset);
    }
  }
  if (mode == Mode::kCheck) return;
  const Array<float> filter(RandomFloats(25, 2));
  for (const auto& [rows, columns] :
       std::vector<std::array<int, 2>>{{8192, 8192}, {16384, 16384}, {8191, 8193}, {10000, 10001}}) {
    if (mode == Mode::kBrief && rows != 16384 && rows != 10000) continue;
    const std::size_t n = static_cast<std::size_t>(rows) * columns;
    const Array<float> input(n), output(n);
    FillFloats(input, n, 1);
    if (mode == Mode::kAll) CheckConvolution(input, rows, columns);
    Print({{"convolution, " + std::to_string(rows) + " x " + std::to_string(columns), 8 * n,
            [&, rows = rows, columns = columns] {
              convolution_solution::convolution(input.get(), filter.get(), output.get(), rows, columns);
            }}});
  }
}

// ------------------------------------------------------------------------------------------------
// merge_tiles

void CheckMerge(const std::vector<int>& a, const std::vector<int>& b, std::size_t offset) {
  const Array<int> on_a(a, offset), on_b(b, offset), output(a.size() + b.size(), offset);
  merge_solution::merge_tiles(on_a.get(), static_cast<int>(a.size()), on_b.get(), static_cast<int>(b.size()),
                              output.get());
  std::vector<int> expected(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), expected.begin());
  Compare("merge_tiles, lengths " + std::to_string(a.size()) + " and " + std::to_string(b.size()),
          output.Values(), expected);
}

/// Sorted values whose steps average half of `step`.
std::vector<int> SortedInts(std::size_t n, int step, std::uint32_t seed) {
  std::vector<int> values = RandomInts(n, step, seed);
  for (std::size_t i = 1; i < n; ++i) values[i] += values[i - 1];
  return values;
}

void Merge(Mode mode) {
  for (const int a : {0, 1, 2, 33, 1000, 3840, 5001, 30001}) {
    for (const int b : {0, 1, 3, 31, 999, 3841, 7680, 40007}) {
      CheckMerge(SortedInts(a, 5, 1), SortedInts(b, 5, 2), a % 2);
      CheckMerge(std::vector<int>(a, 4), std::vector<int>(b, 4), 1);  // all equal
      std::vector<int> later(b, 100000000);                           // all of b after all of a
      CheckMerge(SortedInts(a, 2, 3), later, 0);
    }
  }
  if (mode == Mode::kCheck) return;
  for (const int bits : {24, 27}) {
    if (mode == Mode::kBrief && bits < 27) continue;
    const std::size_t n = std::size_t{1} << bits;
    const Array<int> a(n), b(n), output(2 * n);
    for (const Array<int>* array : {&a, &b}) {  // sorted: prefix sums of 0 to 14
      FillInts(*array, n, 15, array == &a);
      scan_solution::scan(array->get(), array->get(), static_cast<int>(n));
    }
    if (mode == Mode::kAll) CheckMerge(a.Values(), b.Values(), 0);
    Print({{"merge_tiles, 2 x 2^" + std::to_string(bits), 16 * n, [&, n] {
              merge_solution::merge_tiles(a.get(), static_cast<int>(n), b.get(), static_cast<int>(n),
                                          output.get());
            }}});
  }
}

// ------------------------------------------------------------------------------------------------- transpose

using Transpose = void (*)(const float* X, float* Y, int rows, int columns);

void CheckTranspose(Transpose transpose, const Array<float>& X, int rows, int columns,
                    std::size_t offset = 0) {
  const std::vector<float> values = X.Values();
  const Array<float> Y(values.size(), offset);
  transpose(X.get(), Y.get(), rows, columns);
  std::vector<float> expected(values.size());
  for (std::size_t r = 0; r < static_cast<std::size_t>(rows); ++r) {
    for (std::size_t c = 0; c < static_cast<std::size_t>(columns); ++c) {
      expected[c * rows + r] = values[r * columns + c];
    }
  }
  Compare("transposition, " + std::to_string(rows) + " x " + std::to_string(columns), Y.Values(), expected);
}

void Transpositions(Mode mode, const std::string& name, Transpose transpose) {
  for (const auto& [rows, columns] : kShapes) {
    const std::size_t n = static_cast<std::size_t>(rows) * columns;
    for (const std::size_t offset : {0, 1}) {
      CheckTranspose(transpose, Array<float>(RandomFloats(n, rows), offset), rows, columns, offset);
    }
  }
  if (mode == Mode::kCheck) return;
  for (const auto& [rows, columns] : std::vector<std::array<int, 2>>{{2048, 4096},
                                                                     {2000, 3000},
                                                                     {4096, 4096},
                                                                     {8192, 8192},
                                                                     {16384, 16384},
                                                                     {8191, 8193},
                                                                     {10000, 20000}}) {
    if (mode == Mode::kBrief && rows != 2048 && rows != 16384 && rows != 8191) continue;
    const std::size_t n = static_cast<std::size_t>(rows) * columns;
    const Array<float> X(n), Y(n);
    FillFloats(X, n, 1);
    if (mode == Mode::kAll && n < 100000000) CheckTranspose(transpose, X, rows, columns);
    Print({{name + ", " + std::to_string(rows) + " x " + std::to_string(columns), 8 * n,
            [&, rows = rows, columns = columns] { transpose(X.get(), Y.get(), rows, columns); }}});
  }
}

// ----------------------------------------------------------------------------------------------- reduction

void CheckReduction(const Array<float>& input, std::size_t offset = 0) {
  const std::vector<float> values = input.Values();
  const Array<float> output(1, offset);
  reduction::coarsened_reduction(input.get(), output.get(), static_cast<int>(values.size()));
  double sum = 0;
  for (const float value : values) sum += value;
  Compare("coarsened_reduction, length " + std::to_string(values.size()), output.Values(),
          {static_cast<float>(sum)}, 1e-4 * std::sqrt(values.size()));
}

void Reduction(Mode mode) {
  for (const int length : kLengths) {
    for (const std::size_t offset : {0, 1}) {
      CheckReduction(Array<float>(RandomFloats(length, length), offset), offset);
    }
  }
  if (mode == Mode::kCheck) return;
  const std::size_t most = std::size_t{1} << 28;
  const Array<float> input(most), output(1);
  FillFloats(input, most, 1);
  if (mode == Mode::kAll) CheckReduction(input);
  std::vector<Row> rows;
  for (const int bits : {22, 23, 24, 26, 28}) {
    if (mode == Mode::kBrief && bits != 23 && bits != 28) continue;
    rows.push_back({"coarsened_reduction, 2^" + std::to_string(bits), std::size_t{4} << bits,
                    [&, bits] { reduction::coarsened_reduction(input.get(), output.get(), 1 << bits); }});
  }
  Print(rows);
}

int Main(int argc, char** argv) {
  std::vector<std::string> wanted(argv + 1, argv + argc);
  Mode mode = Mode::kAll;
  if (!wanted.empty() && wanted[0] == "--check") mode = Mode::kCheck;
  if (!wanted.empty() && wanted[0] == "--brief") mode = Mode::kBrief;
  if (mode != Mode::kAll) wanted.erase(wanted.begin());

  const std::vector<std::pair<std::string, std::function<void()>>> exercises = {
      {"scan", [&] { Scan(mode); }},
      {"histogram", [&] { Histogram(mode); }},
      {"stencil", [&] { Stencil(mode); }},
      {"convolution", [&] { Convolution(mode); }},
      {"merge_tiles", [&] { Merge(mode); }},
      {"transpose_padded", [&] { Transpositions(mode, "transpose_padded", padded::transpose_padded); }},
      {"transpose_swizzled",
       [&] { Transpositions(mode, "transpose_swizzled", swizzled::transpose_swizzled); }},
      {"coarsened_reduction", [&] { Reduction(mode); }},
  };
  PrintDevice();
  if (mode != Mode::kCheck) {
    std::printf(
        "Median of 21 cold runs, all results checked. MB: read once and written once. copy: a copy from "
        "device "
        "to\ndevice that reads and writes as many bytes in all. Then: %% of the copy, %% of the published "
        "bandwidth.\n");
  }
  for (const auto& [name, run] : exercises) {
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end()) run();
  }
  std::printf("All results are right.\n");
  return 0;
}

}  // namespace
}  // namespace warplings::benchmarks

int main(int argc, char** argv) {
  return warplings::benchmarks::Main(argc, argv);
}

// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/05_bank_conflicts/timed_shapes.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "chapters/05_bank_conflicts/reduce_sequential.h"
#include "tests/suites/common/messages.h"

namespace warplings::bank_conflicts {
namespace {

/// Square by square. Each line of the cache is read as a whole and then not needed again: rows that lie a
/// power of two apart have to share few lines.
std::string CheckTransposed(std::span<const float> x, std::span<const float> y, std::size_t rows,
                            std::size_t columns) {
  constexpr std::size_t kSquare = 32;
  std::array<std::array<float, kSquare + 1>, kSquare> turned;
  for (std::size_t top = 0; top < rows; top += kSquare) {
    const std::size_t height = std::min(kSquare, rows - top);
    for (std::size_t left = 0; left < columns; left += kSquare) {
      const std::size_t width = std::min(kSquare, columns - left);
      for (std::size_t r = 0; r < height; ++r) {
        const float* row = &x[(top + r) * columns + left];
        for (std::size_t c = 0; c < width; ++c) turned[c][r] = row[c];
      }
      bool equal = true;
      for (std::size_t c = 0; c < width; ++c)
        equal &= std::memcmp(turned[c].data(), &y[(left + c) * rows + top], height * sizeof(float)) == 0;
      if (!equal) return "Y is wrong near Y[" + std::to_string(left) + "][" + std::to_string(top) + "]";
    }
  }
  return "";
}

TimedShape Transposition(int rows, int columns) {
  const auto r = static_cast<std::size_t>(rows), c = static_cast<std::size_t>(columns);
  const double bytes = 4.0 * rows * columns;
  TimedShape shape;
  shape.title = say::timed_matrix(rows, columns);
  shape.work = {.flops = 0, .bytes_read = bytes, .bytes_written = bytes};
  shape.outputs = {r * c};
  shape.names = {"X", "Y"};
  shape.make_inputs = [=](RandomValues& random, TimedInputs& inputs) {
    inputs.arrays.resize(1);
    SetTimedValues(random, r * c, inputs.arrays[0]);
    const std::span<const float> x = inputs.arrays[0];  // Its elements stay where they are.
    inputs.check = [=](std::span<const std::vector<float>> outputs) {
      return CheckTransposed(x, outputs[0], r, c);
    };
  };
  shape.call = [=](Worker& worker, std::span<const DevicePointer> pointers) {
    return worker.Call(pointers[0], pointers[1], rows, columns);
  };
  return shape;
}

std::vector<float> SumsOfSegments(std::span<const float> x) {
  std::vector<float> sums((x.size() + SEGMENT - 1) / SEGMENT);
  for (std::size_t segment = 0; segment < sums.size(); ++segment) {
    const auto own =
        x.subspan(segment * SEGMENT, std::min<std::size_t>(SEGMENT, x.size() - segment * SEGMENT));
    for (const float value : own) sums[segment] += value;
  }
  return sums;
}

TimedShape SegmentSums(int n) {
  const auto count = static_cast<std::size_t>(n);
  const std::size_t segments = (count + SEGMENT - 1) / SEGMENT;
  TimedShape shape;
  shape.title = say::timed_elements(n);
  shape.work = {.flops = static_cast<double>(count - segments),
                .bytes_read = 4.0 * static_cast<double>(count),
                .bytes_written = 4.0 * static_cast<double>(segments)};
  shape.outputs = {segments};
  shape.names = {"X", "sums"};
  shape.make_inputs = [=](RandomValues& random, TimedInputs& inputs) {
    inputs.arrays.resize(1);
    SetExactSummands(random, count, inputs.arrays[0]);
    inputs.check = [expected =
                        SumsOfSegments(inputs.arrays[0])](std::span<const std::vector<float>> outputs) {
      const auto wrong = std::ranges::mismatch(outputs[0], expected).in2;
      if (wrong == expected.end()) return std::string();
      return "sums[" + std::to_string(wrong - expected.begin()) + "] is wrong";
    };
  };
  shape.call = [=](Worker& worker, std::span<const DevicePointer> pointers) {
    return worker.Call(pointers[0], pointers[1], n);
  };
  return shape;
}

}  // namespace

std::vector<TimedShape> TimedTranspositions(bool rehearsal) {
  if (rehearsal) return {Transposition(40, 70)};
  return {Transposition(2048, 4096), Transposition(2000, 3000)};
}

std::vector<TimedShape> TimedSegmentSums(bool rehearsal) {
  if (rehearsal) return {SegmentSums(1000)};
  return {SegmentSums(1 << 22), SegmentSums(1 << 23)};
}

}  // namespace warplings::bank_conflicts

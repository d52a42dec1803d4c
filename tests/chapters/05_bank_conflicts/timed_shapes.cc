// SPDX-License-Identifier: Apache-2.0
#include "tests/chapters/05_bank_conflicts/timed_shapes.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "chapters/05_bank_conflicts/reduce_sequential.h"

namespace warplings::bank_conflicts {
namespace {

/// In squares that fit the cache, since one of the two matrices is always walked across its rows.
std::string CheckTransposed(std::span<const float> x, std::span<const float> y, std::size_t rows,
                            std::size_t columns) {
  constexpr std::size_t kSquare = 32;
  for (std::size_t top = 0; top < rows; top += kSquare) {
    for (std::size_t left = 0; left < columns; left += kSquare) {
      std::uint32_t differing = 0;
      for (std::size_t r = top; r < std::min(rows, top + kSquare); ++r) {
        for (std::size_t c = left; c < std::min(columns, left + kSquare); ++c) {
          differing |= std::bit_cast<std::uint32_t>(x[r * columns + c]) ^
                       std::bit_cast<std::uint32_t>(y[c * rows + r]);
        }
      }
      if (differing != 0)
        return "Y is wrong near Y[" + std::to_string(left) + "][" + std::to_string(top) + "]";
    }
  }
  return "";
}

TimedShape Transposition(int rows, int columns) {
  const auto r = static_cast<std::size_t>(rows), c = static_cast<std::size_t>(columns);
  const double bytes = 4.0 * rows * columns;
  TimedShape shape;
  shape.title = std::to_string(rows) + " x " + std::to_string(columns);
  shape.work = {.flops = 0, .bytes_read = bytes, .bytes_written = bytes};
  shape.outputs = {r * c};
  shape.make_inputs = [=](RandomValues& random) {
    TimedInputs inputs;
    inputs.arrays = {TimedValues(random, r * c)};
    const std::span<const float> x = inputs.arrays[0];  // Its elements stay where they are.
    inputs.check = [=](std::span<const std::vector<float>> outputs) {
      return CheckTransposed(x, outputs[0], r, c);
    };
    return inputs;
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
  shape.title = std::to_string(n) + " elements";
  shape.work = {.flops = static_cast<double>(count - segments),
                .bytes_read = 4.0 * static_cast<double>(count),
                .bytes_written = 4.0 * static_cast<double>(segments)};
  shape.outputs = {segments};
  shape.make_inputs = [=](RandomValues& random) {
    TimedInputs inputs;
    inputs.arrays = {ExactSummands(random, count)};
    inputs.check = [expected =
                        SumsOfSegments(inputs.arrays[0])](std::span<const std::vector<float>> outputs) {
      const auto wrong = std::ranges::mismatch(outputs[0], expected).in2;
      if (wrong == expected.end()) return std::string();
      return "sums[" + std::to_string(wrong - expected.begin()) + "] is wrong";
    };
    return inputs;
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

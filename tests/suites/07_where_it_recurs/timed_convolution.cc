// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/07_where_it_recurs/timed_convolution.h"

#include <algorithm>
#include <span>
#include <string>

#include "chapters/07_where_it_recurs/convolution.h"
#include "reference/convolution.h"
#include "tests/suites/07_where_it_recurs/messages.h"

namespace warplings::convolution {
namespace {

constexpr std::size_t kFilterWidth = 2 * kRadius + 1;

/// Elements and coefficients are multiples of 1/256 up to 1, so that every result is exact, in any order.
std::string Check(std::span<const float> input, std::span<const float> filter,
                  const reference::MatrixShape& shape, std::span<const float> output) {
  // A row with a margin of zeros on both sides.
  const std::size_t columns = shape.columns;
  std::vector<float> row(columns + 2 * kRadius), expected(columns);
  for (std::size_t r = 0; r < shape.rows; ++r) {
    std::ranges::fill(expected, 0.0f);
    for (std::size_t i = 0; i < kFilterWidth; ++i) {
      if (r + i < kRadius || r + i >= shape.rows + kRadius) continue;
      std::ranges::copy(input.subspan((r + i - kRadius) * columns, columns), row.begin() + kRadius);
      for (std::size_t j = 0; j < kFilterWidth; ++j) {
        const float coefficient = filter[i * kFilterWidth + j];
        for (std::size_t c = 0; c < columns; ++c) expected[c] += coefficient * row[c + j];
      }
    }
    if (!std::ranges::equal(expected, output.subspan(r * columns, columns))) return "an element is wrong";
  }
  return "";
}

TimedShape Filtered(int rows, int columns) {
  const reference::MatrixShape shape{static_cast<std::size_t>(rows), static_cast<std::size_t>(columns)};
  const auto elements = static_cast<double>(shape.Elements());
  TimedShape timed;
  timed.title = say::conv_timed(rows, columns);
  timed.work = {.flops = 50 * elements, .bytes_read = 4 * elements, .bytes_written = 4 * elements};
  timed.outputs = {shape.Elements()};
  timed.names = {"input", "filter", "output"};
  timed.make_inputs = [=](RandomValues& random, TimedInputs& inputs) {
    inputs.arrays.resize(2);
    SetExactSummands(random, shape.Elements(), inputs.arrays[0]);
    SetExactSummands(random, kFilterWidth * kFilterWidth, inputs.arrays[1]);
    inputs.check = [input = inputs.arrays[0], filter = inputs.arrays[1],
                    shape](std::span<const std::vector<float>> outputs) {
      return Check(input, filter, shape, outputs[0]);
    };
  };
  timed.call = [=](Worker& worker, std::span<const DevicePointer> pointers) {
    return worker.Call(pointers[0], pointers[1], pointers[2], rows, columns);
  };
  return timed;
}

}  // namespace

std::vector<TimedShape> TimedConvolutions(bool rehearsal) {
  if (rehearsal) return {Filtered(40, 70)};
  return {Filtered(4096, 4096), Filtered(3001, 4003)};
}

}  // namespace warplings::convolution

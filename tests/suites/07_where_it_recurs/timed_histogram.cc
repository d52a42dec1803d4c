// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/07_where_it_recurs/timed_histogram.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <string>

#include "reference/histogram.h"
#include "tests/suites/07_where_it_recurs/messages.h"

namespace warplings::histogram {
namespace {

/// Timed arrays are floats; an int travels as the float with the same bits.
TimedShape Count(int length, int bins, bool half_in_one) {
  const auto count = static_cast<std::size_t>(length);
  TimedShape shape;
  shape.title = half_in_one ? say::hist_timed_skewed(length, bins) : say::hist_timed(length, bins);
  shape.work = {.flops = 0, .bytes_read = 4.0 * length, .bytes_written = 4.0 * bins};
  shape.outputs = {static_cast<std::size_t>(bins)};
  shape.names = {"input", "counts"};
  shape.make_inputs = [=](RandomValues& random, TimedInputs& inputs) {
    inputs.arrays.resize(1);
    inputs.arrays[0].resize(count);
    std::vector<int> values(count);
    const std::uint64_t favourite = random.Below(static_cast<std::uint64_t>(bins));
    for (int& value : values) {
      // One step of the generator for both questions: there are millions of elements.
      const std::uint64_t drawn = random.Next();
      const std::uint64_t bin = (drawn >> 32) * static_cast<std::uint64_t>(bins) >> 32;
      value = static_cast<int>(half_in_one && drawn % 2 == 0 ? favourite : bin);
    }
    std::ranges::transform(values, inputs.arrays[0].begin(),
                           [](int value) { return std::bit_cast<float>(value); });
    inputs.check = [expected = reference::Histogram(values, bins)](
                       std::span<const std::vector<float>> outputs) -> std::string {
      const bool right =
          std::ranges::equal(outputs[0], expected, {}, [](float value) { return std::bit_cast<int>(value); });
      return right ? "" : "the counts are wrong";
    };
  };
  shape.call = [=](Worker& worker, std::span<const DevicePointer> pointers) {
    return worker.Call(pointers[0], pointers[1], length, bins);
  };
  return shape;
}

}  // namespace

std::vector<TimedShape> TimedHistograms(bool rehearsal) {
  if (rehearsal) return {Count(1000, 30, false)};
  return {Count(1 << 22, 256, false), Count(1 << 22, 2048, false), Count(1 << 22, 256, true)};
}

}  // namespace warplings::histogram

// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/07_where_it_recurs/timed_merge.h"

#include <algorithm>
#include <bit>
#include <span>
#include <string>

#include "reference/merge.h"
#include "tests/suites/07_where_it_recurs/messages.h"

namespace warplings::merge {
namespace {

/// Timed arrays are floats; an int travels as the float with the same bits.
std::vector<float> AsFloats(const std::vector<int>& values) {
  std::vector<float> floats(values.size());
  std::ranges::transform(values, floats.begin(), [](int value) { return std::bit_cast<float>(value); });
  return floats;
}

/// In ascending order, in steps of 0 to 7 and so that the last ones of any length are alike.
std::vector<int> Ascending(RandomValues& random, int length, int longest) {
  std::vector<int> values(static_cast<std::size_t>(length));
  const int step = 8 * (longest / length);
  int last = 0;
  for (int& value : values) value = last += static_cast<int>(random.Below(static_cast<std::uint64_t>(step)));
  return values;
}

TimedShape Merge(int a_length, int b_length) {
  const auto count = static_cast<std::size_t>(a_length) + static_cast<std::size_t>(b_length);
  TimedShape shape;
  shape.title = say::merge_timed(a_length, b_length);
  const double bytes = 4.0 * static_cast<double>(count);
  shape.work = {.flops = 0, .bytes_read = bytes, .bytes_written = bytes};
  shape.outputs = {count};
  shape.names = {"a", "b", "output"};
  shape.make_inputs = [=](RandomValues& random, TimedInputs& inputs) {
    const int longest = std::max(a_length, b_length);
    const std::vector<int> a = Ascending(random, a_length, longest), b = Ascending(random, b_length, longest);
    inputs.arrays = {AsFloats(a), AsFloats(b)};
    inputs.check = [expected =
                        reference::Merge(a, b)](std::span<const std::vector<float>> outputs) -> std::string {
      const bool right =
          std::ranges::equal(outputs[0], expected, {}, [](float value) { return std::bit_cast<int>(value); });
      return right ? "" : "the merged elements are wrong";
    };
  };
  shape.call = [=](Worker& worker, std::span<const DevicePointer> pointers) {
    return worker.Call(pointers[0], a_length, pointers[1], b_length, pointers[2]);
  };
  return shape;
}

}  // namespace

std::vector<TimedShape> TimedMerges(bool rehearsal) {
  if (rehearsal) return {Merge(5000, 4001)};
  return {Merge(1 << 22, 1 << 22), Merge((1 << 22) + 1, (1 << 19) - 1)};
}

}  // namespace warplings::merge

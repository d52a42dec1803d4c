// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/07_where_it_recurs/timed_scan.h"

#include <algorithm>
#include <bit>
#include <span>
#include <string>

#include "reference/scan.h"
#include "tests/suites/07_where_it_recurs/messages.h"

namespace warplings::scan {
namespace {

/// Timed arrays are floats; an int travels as the float with the same bits.
TimedShape Scan(int length) {
  const auto count = static_cast<std::size_t>(length);
  TimedShape shape;
  shape.title = say::scan_timed(length);
  shape.work = {.flops = 0, .bytes_read = 4.0 * length, .bytes_written = 4.0 * length};
  shape.outputs = {count};
  shape.names = {"input", "output"};
  shape.make_inputs = [=](RandomValues& random, TimedInputs& inputs) {
    std::vector<int> values(count);
    for (int& value : values) value = static_cast<int>(random.Next() >> 57) - 64;
    inputs.arrays.resize(1);
    inputs.arrays[0].resize(count);
    std::ranges::transform(values, inputs.arrays[0].begin(),
                           [](int value) { return std::bit_cast<float>(value); });
    inputs.check = [expected =
                        reference::Scan(values)](std::span<const std::vector<float>> outputs) -> std::string {
      const bool right =
          std::ranges::equal(outputs[0], expected, {}, [](float value) { return std::bit_cast<int>(value); });
      return right ? "" : "the sums are wrong";
    };
  };
  shape.call = [=](Worker& worker, std::span<const DevicePointer> pointers) {
    return worker.Call(pointers[0], pointers[1], length);
  };
  return shape;
}

}  // namespace

std::vector<TimedShape> TimedScans(bool rehearsal) {
  if (rehearsal) return {Scan(10'000)};
  return {Scan(1 << 22), Scan((1 << 23) + 1)};
}

}  // namespace warplings::scan

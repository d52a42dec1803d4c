// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/06_coarsening/timed_reduction.h"

#include <numeric>

#include "tests/suites/common/messages.h"

namespace warplings::coarsening {
namespace {

TimedShape Reduction(int length) {
  const auto count = static_cast<std::size_t>(length);
  TimedShape shape;
  shape.title = say::timed_elements(length);
  shape.work = {.flops = static_cast<double>(count),
                .bytes_read = 4.0 * static_cast<double>(count),
                .bytes_written = 4};
  shape.outputs = {1};
  shape.names = {"input", "output"};
  shape.make_inputs = [=](RandomValues& random, TimedInputs& inputs) {
    inputs.arrays.resize(1);
    SetExactSummands(random, count, inputs.arrays[0]);
    // The sum of 2^23 such values is below 2^16 by far: a multiple of 2^-8 with less than 24 bits.
    const double sum = std::accumulate(inputs.arrays[0].begin(), inputs.arrays[0].end(), 0.0);
    inputs.check = [sum](std::span<const std::vector<float>> outputs) {
      return double{outputs[0][0]} == sum ? std::string() : "the sum is wrong";
    };
  };
  shape.call = [=](Worker& worker, std::span<const DevicePointer> pointers) {
    return worker.Call(pointers[0], pointers[1], length);
  };
  return shape;
}

}  // namespace

std::vector<TimedShape> TimedReductions(bool rehearsal) {
  if (rehearsal) return {Reduction(1000)};
  return {Reduction(1 << 22), Reduction(1 << 23)};
}

}  // namespace warplings::coarsening

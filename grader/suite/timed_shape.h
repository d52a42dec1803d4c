// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "grader/base/message.h"
#include "grader/suite/random_values.h"
#include "grader/timing/roofline.h"
#include "grader/worker/worker.h"

namespace warplings {

/// The inputs of one round of timed runs, and a check of the outputs.
struct TimedInputs {
  std::vector<std::vector<float>> arrays;
  /// Returns "" if the outputs are right, otherwise what is wrong. Must be thread-safe.
  std::function<std::string(std::span<const std::vector<float>> outputs)> check;
};

/// One shape that submissions are timed on.
struct TimedShape {
  Message title;  ///< "width 2048".
  timing::Work work;
  std::vector<std::size_t> outputs;  ///< Number of elements of each output array.
  /// What the contract calls the arrays, in the order of `pointers`; "input 1", "output" and so on if empty.
  std::vector<std::string> names;
  /// Writes new values into inputs, which may hold those of an earlier round. The memory is reused because
  /// getting fresh pages from the system takes longer than generating random values.
  std::function<void(RandomValues& random, TimedInputs& inputs)> make_inputs;
  /// Makes the call; `pointers` are the inputs' addresses, then the outputs'.
  std::function<CallOutcome(Worker& worker, std::span<const DevicePointer> pointers)> call;
};

/// Returns the shapes of a suite; small ones for a rehearsal on the virtual GPU.
using TimedShapes = std::function<std::vector<TimedShape>(bool rehearsal)>;

/// Sets `values` to `count` values of 0.5 to 1 in magnitude, with random signs and all 24 bits of the
/// significand random. One step of the generator gives two values, because timed arrays have millions of
/// them.
void SetTimedValues(RandomValues& random, std::size_t count, std::vector<float>& values);

/// Sets `values` to multiples of 1/256 up to 1 in magnitude, never 0, with random signs: sums of millions of
/// them are exact in fp32, in any order.
void SetExactSummands(RandomValues& random, std::size_t count, std::vector<float>& values);

}  // namespace warplings

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "grader/suite/random_values.h"
#include "grader/timing/roofline.h"
#include "grader/worker/worker.h"

namespace warplings {

/// Inputs of one round of timed runs, and how to tell whether outputs are right for them.
struct TimedInputs {
  std::vector<std::vector<float>> arrays;
  /// Empty when the outputs are right, otherwise what is wrong. Called by several threads at a time.
  std::function<std::string(std::span<const std::vector<float>> outputs)> check;
};

/// One shape that a suite has timed.
struct TimedShape {
  std::string title;  ///< "width 2048".
  timing::Work work;
  std::vector<std::size_t> outputs;  ///< Elements of each output array.
  /// Puts new values into inputs that may hold those of an earlier round: their memory is used again, because
  /// the system takes longer to hand out fresh pages than random values take to make.
  std::function<void(RandomValues& random, TimedInputs& inputs)> make_inputs;
  /// Makes the call; `pointers` are the inputs and then the outputs.
  std::function<CallOutcome(Worker& worker, std::span<const DevicePointer> pointers)> call;
};

/// The shapes of a suite. For a rehearsal on the virtual GPU they are small.
using TimedShapes = std::function<std::vector<TimedShape>(bool rehearsal)>;

/// `count` values of 0.5 to 1 in magnitude, random signs, all 24 bits of the significand random; one step of
/// the generator for two values, because timed arrays have millions of them.
void SetTimedValues(RandomValues& random, std::size_t count, std::vector<float>& values);

/// Multiples of 1/256 up to 1 in magnitude, never 0, random signs: sums of millions of them are exact in fp32
/// in any order.
void SetExactSummands(RandomValues& random, std::size_t count, std::vector<float>& values);

}  // namespace warplings

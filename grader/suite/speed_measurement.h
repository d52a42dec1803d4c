// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/core/speed_result.h"
#include "grader/core/test_result.h"
#include "grader/suite/timed_shape.h"

namespace warplings {

/// The programs to compare, and where.
struct SpeedOrder {
  std::string device_program;
  std::string device;                           ///< As the device program takes it.
  std::string baseline, submission, reference;  ///< Worker programs; the reference may be "".
  bool rehearsal = false;                       ///< On a device without a time of its own: few rounds.
  std::uint64_t seed = 0;
  std::uint64_t memory_bytes = 0;  ///< As in SuiteOrder, for each program.
};

/// Name of the test that timed runs are.
inline constexpr const char* kTimedRuns = "Speed.TimedRuns";

struct SpeedOutcome {
  SpeedResult speed;
  /// Whether the submission computed in the timed runs what it computes in the tests; a fault of the
  /// measurement is a grader fault.
  TestResult test;
};

/// Measures the submission's speedup over the baseline, and the reference's, by the rules of
/// grader/timing/README.md. Takes about 5 s at most, apart from calls that are themselves slow.
SpeedOutcome MeasureSpeed(const SpeedOrder& order, const std::vector<TimedShape>& shapes);

}  // namespace warplings

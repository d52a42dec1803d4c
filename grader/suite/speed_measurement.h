// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/core/speed_result.h"
#include "grader/core/test_result.h"
#include "grader/core/worker_program.h"
#include "grader/suite/run_memory.h"
#include "grader/suite/timed_shape.h"

namespace warplings {

/// The programs to compare, and the device to run them on.
struct SpeedOrder {
  std::string device_program;
  std::string device;                             ///< In the notation of the device program: "gpu:0".
  WorkerProgram baseline, submission, reference;  ///< The reference may be empty.
  bool rehearsal = false;  ///< True for a device whose times are meaningless: only a few rounds run.
  std::uint64_t seed = 0;
  MemoryOptions memory;   ///< Applies to each program.
  bool detailed = false;  ///< An estimate also keeps what it counted, for a profile's page.
};

/// Name of the test that reports on the timed runs.
inline constexpr const char* kTimedRuns = "Speed.TimedRuns";

struct SpeedOutcome {
  SpeedResult speed;
  /// Passes if the submission's outputs in the timed runs are right. If the measurement itself fails, the
  /// verdict is kGraderFault.
  TestResult test;
};

/// Measures the speedups of the submission and of the reference over the baseline by the rules of
/// grader/timing/README.md. Takes at most about 5 s, unless the calls themselves are slow.
SpeedOutcome MeasureSpeed(const SpeedOrder& order, const std::vector<TimedShape>& shapes);

}  // namespace warplings

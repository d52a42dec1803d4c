// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "grader/base/result.h"

namespace warplings::timing {

/// One timed run.
struct Sample {
  double seconds = 0;
  double clock_share = 1;  ///< SM clock after the run divided by the default clock; 1 if unknown.
};

struct ScheduleOptions {
  /// Samples that each program needs before the measurement may end as precise.
  std::size_t least_samples = 10;
  /// Relative standard error at which the measurement stops. Two measurements of the ratio of two programs
  /// then differ by less than 2 x 1.96 x 0.2 % = 0.8 % in 19 of 20 cases.
  double standard_error = 0.002;
  double clock_floor = 0.75;  ///< Runs with a lower clock_share are discarded.
  double time_limit = 2;      ///< Seconds after which the measurement ends, however noisy, …
  /// … but not before this many rounds: fewer runs say nothing about the noise.
  std::size_t least_rounds = 3;
  std::size_t most_rounds = 500;
};

struct Samples {
  std::vector<double> seconds;
  std::size_t discarded = 0;
};

/// Why a measurement ended.
enum class ScheduleEnd {
  kPrecise,  ///< Every program's time is precise enough.
  kTime,     ///< The time limit or most_rounds was reached.
};

struct ScheduleOutcome {
  std::vector<Samples> programs;
  ScheduleEnd end = ScheduleEnd::kTime;
};

/// Times each program once, in the given order, on inputs that no run had before. Returns the samples indexed
/// by program, not by order.
using RoundFunction = std::function<Result<std::vector<Sample>>(const std::vector<std::size_t>& order)>;

/// Calls `take_round` repeatedly. In a round every program runs once, so that changes of the machine affect
/// all programs alike. Successive rounds begin with different programs and alternate between ascending and
/// descending order. `now` returns seconds.
Result<ScheduleOutcome> RunSchedule(std::size_t programs, const ScheduleOptions& options,
                                    const RoundFunction& take_round, const std::function<double()>& now);

std::vector<std::size_t> OrderOfRound(std::size_t round, std::size_t programs);

}  // namespace warplings::timing

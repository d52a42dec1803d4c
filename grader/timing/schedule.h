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
  double clock_share =
      1;  ///< The multiprocessors' clock behind the run over the default one; 1 where unknown.
};

struct ScheduleOptions {
  std::size_t least_samples = 10;  ///< Of each program, before precision may end the measurement.
  /// Relative; low enough to stop. Two measurements of a ratio of two programs then differ by less than
  /// 2 x 1.96 x 0.2 % = 0.8 % in 19 of 20 cases.
  double standard_error = 0.002;
  double clock_floor = 0.75;     ///< A run at a lower share of the default clock does not count.
  double time_limit = 2;         ///< Seconds; ends the measurement whatever the noise is, …
  std::size_t least_rounds = 3;  ///< … after this many rounds: fewer runs tell nothing of it.
  std::size_t most_rounds = 500;
};

struct Samples {
  std::vector<double> seconds;
  std::size_t discarded = 0;
};

/// Why a measurement ended.
enum class ScheduleEnd {
  kPrecise,  ///< Every program's time is known well enough.
  kTime,     ///< The time limit, or the most rounds.
};

struct ScheduleOutcome {
  std::vector<Samples> programs;
  ScheduleEnd end = ScheduleEnd::kTime;
};

/// Times each program once, in the order given, on inputs that no run had before. Samples by program.
using RoundFunction = std::function<Result<std::vector<Sample>>(const std::vector<std::size_t>& order)>;

/// Takes rounds in which every program runs once, so that whatever changes on the machine meets all alike. In
/// successive rounds the programs take turns in being first, and go forwards and backwards. `now` is in
/// seconds.
Result<ScheduleOutcome> RunSchedule(std::size_t programs, const ScheduleOptions& options,
                                    const RoundFunction& take_round, const std::function<double()>& now);

std::vector<std::size_t> OrderOfRound(std::size_t round, std::size_t programs);

}  // namespace warplings::timing

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warplings {

/// An estimate and the 95 % interval around it.
struct Interval {
  double value = 0, low = 0, high = 0;
};

/// What was measured of one program on one shape.
struct ProgramTime {
  double seconds = 0;           ///< Mean of the timed runs without a tenth at either end.
  double standard_error = 0;    ///< Of their mean, relative to it.
  std::uint64_t samples = 0;    ///< Timed runs …
  std::uint64_t discarded = 0;  ///< … and those that do not count, because the card's clock was low.
  double clock_mhz = 0;         ///< Median clock of the multiprocessors behind the runs; 0: unknown.
};

/// The programs that exercise and submission are compared by, on inputs of one shape.
struct ShapeSpeed {
  std::string title;         ///< "width 2048".
  double flops = 0;          ///< Operations that the task needs …
  double bytes = 0;          ///< … and bytes: each input read once, each output written once.
  double limit_seconds = 0;  ///< What the card needs for these at its peak rates; 0: unknown.
  ProgramTime baseline, submission;
  std::optional<ProgramTime> reference;
  Interval speedup;  ///< Of the submission over the baseline: a ratio of trimmed means.
  std::optional<Interval> reference_speedup;
  std::optional<Interval> over_reference;  ///< The submission's speedup over the reference solution.
};

enum class SpeedStatus {
  kNotMeasured,  ///< There is no time to be had here; `reason` says why. No points depend on it.
  kMeasured,     ///< On a card, by the rules of grader/timing.
  kRehearsed,    ///< All steps were taken on the virtual GPU, and outputs checked; times mean nothing.
  kRefused,  ///< The submission's times are not accepted; `reason` says why. It earns no points for speed.
};

/// The speed of one submission.
struct SpeedResult {
  SpeedStatus status = SpeedStatus::kNotMeasured;
  std::string reason;
  std::string baseline;  ///< What the exercise improves on, in words; chapter.toml has it.
  std::string
      live_reason;  ///< Why the submission's host code had to run in the timed runs; empty: it did not.
  std::vector<ShapeSpeed> shapes;
  Interval speedup;  ///< Geometric mean over the shapes.
  std::optional<Interval> reference_speedup;
  std::optional<Interval> over_reference;
  bool graded = false;    ///< `share` counts. Without a reference solution there is nothing to grade by.
  double share = 0;       ///< Of the points for speed, 0 to 1.
  double max_points = 0;  ///< How many of the exercise's points are for speed on a card.
  double seconds = 0;     ///< Wall time of the whole measurement.
};

}  // namespace warplings

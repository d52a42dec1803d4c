// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/base/message.h"
#include "grader/core/launch_record.h"

namespace warplings {

/// An estimate and its 95 % confidence interval.
struct Interval {
  double value = 0, low = 0, high = 0;
};

/// The measured time of one program on one shape.
struct ProgramTime {
  double seconds = 0;         ///< Trimmed mean of the timed runs: without the fastest and the slowest tenth.
  double standard_error = 0;  ///< Standard error of that mean, relative to it.
  std::uint64_t samples = 0;  ///< Timed runs that count …
  std::uint64_t discarded = 0;  ///< … and those discarded because the card's clock was low.
  double clock_mhz = 0;         ///< Median SM clock after the runs; 0: unknown.
};

/// Times of baseline, submission and reference solution on inputs of one shape.
struct ShapeSpeed {
  Message title;             ///< "width 2048".
  double flops = 0;          ///< Floating-point operations that the task needs …
  double bytes = 0;          ///< … and bytes: each input read once, each output written once.
  double limit_seconds = 0;  ///< The time that the card needs for these at its peak rates; 0: unknown.
  ProgramTime baseline, submission;
  std::optional<ProgramTime> reference;
  Interval speedup;  ///< Baseline's time divided by the submission's: a ratio of trimmed means.
  std::optional<Interval> reference_speedup;
  std::optional<Interval> over_reference;  ///< The submission's speedup over the reference solution.
};

enum class SpeedStatus {
  kNotMeasured,  ///< Time cannot be measured here; `reason` says why. No points depend on it.
  kMeasured,     ///< Measured on a card, by the rules of grader/timing.
  kRehearsed,    ///< All steps ran on the virtual GPU, and outputs were checked; the times are meaningless.
  kRefused,  ///< The submission's times are not accepted; `reason` says why. It earns no points for speed.
};

/// The time that the model of grader/timing/estimate.h predicts for one program on one shape from the virtual
/// GPU's counts. Nothing here is measured on hardware. The counts come from a sample of the blocks and are
/// scaled up to all blocks.
struct EstimatedTime {
  double seconds = 0;
  Message bound;                   ///< The limiting resource: "DRAM bandwidth".
  std::uint64_t dram_bytes = 0;    ///< As LaunchWork::read_bytes and written_bytes.
  std::uint64_t sectors = 0;       ///< Touched by requests to global memory, atomics included.
  std::uint64_t wavefronts = 0;    ///< Of shared memory.
  std::uint64_t instructions = 0;  ///< Warp instructions.
  /// What was counted; present if SpeedOrder::detailed was set.
  std::optional<std::vector<LaunchRecord>> launches{};
};

/// An estimate that stands in for a measurement where there is no GPU. No points depend on it.
struct SpeedEstimate {
  Message title;     ///< The shape: "width 1024".
  std::string card;  ///< "NVIDIA A100-SXM4-40GB": the card that the virtual GPU stands in for.
  EstimatedTime baseline, submission;
  double speedup = 0;  ///< Of the submission over the baseline.
  /// How well the model predicted measured times: on which card (`held_here`: that card is `card`), with
  /// which mean absolute error, over how many kernels that were not used to fit the model.
  std::string checked_on;
  bool held_here = false;
  double mean_error = 0;
  std::uint64_t checked_kernels = 0;
};

/// The speed of one submission.
struct SpeedResult {
  SpeedStatus status = SpeedStatus::kNotMeasured;
  Message reason;
  std::string baseline;  ///< What the exercise improves on, in words; from chapter.toml.
  /// Why the timed runs had to include the submission's host code; empty if they did not.
  Message live_reason;
  std::vector<ShapeSpeed> shapes;
  Interval speedup;  ///< Geometric mean over the shapes.
  std::optional<Interval> reference_speedup;
  std::optional<Interval> over_reference;
  /// True if `share` counts for points. Without a reference solution speed cannot be graded.
  bool graded = false;
  double share = 0;                       ///< Share of the points for speed that was earned, 0 to 1.
  double max_points = 0;                  ///< How many of the exercise's points are for speed on a card.
  double seconds = 0;                     ///< Wall time of the whole measurement.
  std::optional<SpeedEstimate> estimate;  ///< Present if nothing was measured and an estimate was requested.
};

}  // namespace warplings

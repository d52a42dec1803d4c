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

/// What the model of grader/timing/estimate.h says of one program on one shape, from the virtual GPU's
/// counts; nothing of it is measured. The counts are of a sample of the blocks, scaled to all.
struct EstimatedTime {
  double seconds = 0;
  std::string bound;               ///< What most of the time goes to: "DRAM bandwidth".
  std::uint64_t dram_bytes = 0;    ///< Each piece that a block touches, but no more than there are.
  std::uint64_t sectors = 0;       ///< Of requests to global memory, atomics among them.
  std::uint64_t wavefronts = 0;    ///< Of shared memory.
  std::uint64_t instructions = 0;  ///< Of warps.
};

/// An estimate in the place of a measurement, where there is no GPU. No points depend on it.
struct SpeedEstimate {
  std::string title;  ///< The shape: "width 1024".
  std::string card;   ///< "NVIDIA A100-SXM4-40GB": the one that the virtual GPU stood in for.
  EstimatedTime baseline, submission;
  double speedup = 0;  ///< Of the submission over the baseline.
  /// How well the model held where times were measured: on which card (`held_here`: it is `card`), its mean
  /// absolute error, over how many kernels on which nothing of it was fitted.
  std::string checked_on;
  bool held_here = false;
  double mean_error = 0;
  std::uint64_t checked_kernels = 0;
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
  std::optional<SpeedEstimate> estimate;  ///< Where nothing was measured, and it was asked for.
};

}  // namespace warplings

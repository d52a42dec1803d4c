// SPDX-License-Identifier: Apache-2.0
#include "grader/report/speed_text.h"

#include <cmath>
#include <cstdio>

#include "grader/base/text.h"
#include "grader/timing/statistics.h"

namespace warplings {
namespace {

template <class... Values>
std::string Format(const char* format, Values... values) {
  char text[160];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

std::string TimeText(double seconds) {
  if (seconds >= 1) return Format("%.3g s", seconds);
  return seconds >= 1e-3 ? Format("%.4g ms", seconds * 1e3) : Format("%.4g us", seconds * 1e6);
}

/// An estimate is not good for more than two digits.
std::string RoughTimeText(double seconds) {
  if (!(seconds > 0)) return TimeText(0);
  const double unit = std::pow(10.0, std::floor(std::log10(seconds)) - 1);
  return TimeText(std::round(seconds / unit) * unit);
}

/// In the unit in which the task is usually told: operations where there are many for each byte.
std::string RateText(const ShapeSpeed& shape) {
  constexpr double kManyOperations = 4;  // For each byte.
  const double seconds = shape.submission.seconds;
  if (shape.flops > kManyOperations * shape.bytes)
    return Format("%.3g TFLOP/s", shape.flops / seconds * 1e-12);
  return Format("%.4g GB/s", shape.bytes / seconds * 1e-9);
}

std::string Percent(double share) {
  return Format("%.0f %%", share * 100);
}

std::vector<std::vector<std::string>> Table(const SpeedResult& speed) {
  std::vector<std::vector<std::string>> rows = {
      {"", "time", "", "of the card", "baseline", "speedup", "reference's", "runs", "clock"}};
  for (const ShapeSpeed& shape : speed.shapes) {
    const ProgramTime& own = shape.submission;
    rows.push_back({shape.title, TimeText(own.seconds), RateText(shape),
                    shape.limit_seconds > 0 ? Percent(shape.limit_seconds / own.seconds) : "",
                    TimeText(shape.baseline.seconds), SpeedupText(shape.speedup),
                    shape.reference_speedup ? Format("%.2f", shape.reference_speedup->value) : "",
                    std::to_string(own.samples), own.clock_mhz > 0 ? Format("%.0f MHz", own.clock_mhz) : ""});
  }
  return rows;
}

std::string Summary(const SpeedResult& speed) {
  std::string text = "Speedup over the baseline (" + speed.baseline + "): " + SpeedupText(speed.speedup);
  if (speed.reference_speedup) {
    text += "; the reference solution's is " + Format("%.2f", speed.reference_speedup->value);
  }
  if (speed.over_reference) {
    const Interval& share = *speed.over_reference;
    text += timing::CanTell(share) ? ", of which this is " + Percent(share.value)
                                   : ", and nobody can tell the two apart";
  }
  return text + ".";
}

/// Empty where neither has any.
std::vector<std::string> CountRow(const std::string& name, std::uint64_t baseline, std::uint64_t submission) {
  if (baseline == 0 && submission == 0) return {};
  const bool both = baseline != 0 && submission != 0;
  const double ratio = both ? static_cast<double>(baseline) / static_cast<double>(submission) : 0;
  return {name, WithThousands(baseline), WithThousands(submission), both ? Format("%.2f", ratio) : ""};
}

std::vector<std::vector<std::string>> Table(const SpeedEstimate& estimate) {
  const EstimatedTime &old = estimate.baseline, &own = estimate.submission;
  std::vector<std::vector<std::string>> rows = {
      {estimate.title, "baseline", "yours", "ratio"},
      {"time, estimated", RoughTimeText(old.seconds), RoughTimeText(own.seconds),
       Format("%.1f", estimate.speedup)},
      {"bound by", old.bound, own.bound, ""}};
  for (const auto& row : {CountRow("bytes of DRAM", old.dram_bytes, own.dram_bytes),
                          CountRow("sectors asked for", old.sectors, own.sectors),
                          CountRow("shared wavefronts", old.wavefronts, own.wavefronts),
                          CountRow("warp instructions", old.instructions, own.instructions)}) {
    if (!row.empty()) rows.push_back(row);
  }
  return rows;
}

void AddEstimate(const SpeedResult& speed, SpeedText& text) {
  const SpeedEstimate& estimate = *speed.estimate;
  text.table = Table(estimate);
  text.lines.push_back("Estimated for " + estimate.card +
                       ", not measured: " + Format("%.1f", estimate.speedup) +
                       " times as fast as the baseline (" + speed.baseline +
                       "). Counts are of a sample of the blocks. No points depend on any of this.");
  text.lines.push_back("The model's mean error on " + estimate.checked_on + " was " +
                       Percent(estimate.mean_error) + ", over " + std::to_string(estimate.checked_kernels) +
                       " kernels that it was not fitted on" +
                       (estimate.held_here ? "." : "; on this card it is not checked on hardware."));
}

void AddMeasured(const SpeedResult& speed, SpeedText& text) {
  text.table = Table(speed);
  text.lines.push_back(Summary(speed));
  if (!speed.live_reason.empty()) {
    text.lines.push_back("The host code took part in the timed runs, because the call cannot be replayed: " +
                         speed.live_reason + ".");
  }
}

}  // namespace

std::string SpeedupText(const Interval& speedup) {
  const std::string text = Format("%.2f [%.2f, %.2f]", speedup.value, speedup.low, speedup.high);
  return timing::CanTell(speedup) ? text : text + ", cannot tell";
}

SpeedText DescribeSpeed(const SpeedResult& speed) {
  SpeedText text;
  switch (speed.status) {
    case SpeedStatus::kNotMeasured:
      if (speed.estimate) {
        AddEstimate(speed, text);
        break;
      }
      text.lines.push_back("Not measured: " + speed.reason + ". The baseline is " + speed.baseline + ".");
      break;
    case SpeedStatus::kRefused: text.lines.push_back("Not accepted: " + speed.reason + "."); break;
    case SpeedStatus::kRehearsed:
      text.lines.push_back(
          "Rehearsed on the virtual GPU: all runs computed the right results; their times "
          "mean nothing.");
      if (!speed.live_reason.empty()) text.lines.push_back("Timed live: " + speed.live_reason + ".");
      break;
    case SpeedStatus::kMeasured: AddMeasured(speed, text); break;
  }
  if (speed.graded) {
    text.lines.push_back(
        Format("Points for speed: %.3g of %.3g.", speed.share * speed.max_points, speed.max_points));
  }
  return text;
}

}  // namespace warplings

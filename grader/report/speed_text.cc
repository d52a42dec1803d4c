// SPDX-License-Identifier: Apache-2.0
#include "grader/report/speed_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <initializer_list>
#include <string_view>

#include "grader/base/catalogue.h"
#include "grader/base/text.h"
#include "grader/messages/joining.h"
#include "grader/messages/report.h"
#include "grader/report/result_words.h"
#include "grader/timing/estimate.h"
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

std::vector<std::string> Headers(std::initializer_list<std::string_view> english) {
  std::vector<std::string> headers;
  for (const std::string_view each : english) headers.push_back(Translated(each));
  return headers;
}

std::vector<std::vector<std::string>> Table(const SpeedResult& speed) {
  std::vector<std::vector<std::string>> rows = {
      Headers({"", "time", "", "of the card", "baseline", "speedup", "reference's", "runs", "clock"})};
  for (const ShapeSpeed& shape : speed.shapes) {
    const ProgramTime& own = shape.submission;
    rows.push_back({PrintableWords(shape.title), TimeText(own.seconds), RateText(shape),
                    shape.limit_seconds > 0 ? Percent(shape.limit_seconds / own.seconds) : "",
                    TimeText(shape.baseline.seconds), PrintableWords(SpeedupText(shape.speedup)),
                    shape.reference_speedup ? Format("%.2f", shape.reference_speedup->value) : "",
                    std::to_string(own.samples), own.clock_mhz > 0 ? Format("%.0f MHz", own.clock_mhz) : ""});
  }
  return rows;
}

Message Summary(const SpeedResult& speed) {
  const Message speedup = SpeedupText(speed.speedup);
  if (!speed.reference_speedup) return say::speedup_over_baseline(speed.baseline, speedup);
  const say::Decimal reference(speed.reference_speedup->value, 2);
  if (!speed.over_reference) return say::speedup_and_reference(speed.baseline, speedup, reference);
  if (!timing::CanTell(*speed.over_reference))
    return say::speedup_like_reference(speed.baseline, speedup, reference);
  return say::speedup_and_share(speed.baseline, speedup, reference, Percent(speed.over_reference->value));
}

/// Empty where neither has any.
std::vector<std::string> CountRow(const std::string& name, std::uint64_t baseline, std::uint64_t submission) {
  if (baseline == 0 && submission == 0) return {};
  const bool both = baseline != 0 && submission != 0;
  const double ratio = both ? static_cast<double>(baseline) / static_cast<double>(submission) : 0;
  return {Translated(name), WithThousands(baseline), WithThousands(submission),
          both ? Format("%.2f", ratio) : ""};
}

/// Which of the two is faster, nobody knows then.
bool IsWithinError(const SpeedEstimate& estimate) {
  return timing::IsWithinError(estimate.speedup, estimate.mean_error);
}

std::vector<std::vector<std::string>> Table(const SpeedEstimate& estimate) {
  const EstimatedTime &old = estimate.baseline, &own = estimate.submission;
  std::vector<std::vector<std::string>> rows = {
      {PrintableWords(estimate.title), Translated("baseline"), Translated("yours"), Translated("ratio")},
      {Translated("time, estimated"), RoughTimeText(old.seconds), RoughTimeText(own.seconds),
       IsWithinError(estimate) ? Translated("about 1") : Format("%.1f", estimate.speedup)},
      {Translated("bound by"), PrintableWords(old.bound), PrintableWords(own.bound), ""}};
  for (const auto& row : {CountRow("bytes of DRAM", old.dram_bytes, own.dram_bytes),
                          CountRow("sectors asked for", old.sectors, own.sectors),
                          CountRow("shared wavefronts", old.wavefronts, own.wavefronts),
                          CountRow("warp instructions", old.instructions, own.instructions)}) {
    if (!row.empty()) rows.push_back(row);
  }
  return rows;
}

/// The count of which a slower submission has many times as much as the baseline; empty if there is none.
Message WhatThereIsMoreOf(const EstimatedTime& own, const EstimatedTime& old) {
  const auto times = [](std::uint64_t more, std::uint64_t less) {
    return less == 0 ? 0 : static_cast<double>(more) / static_cast<double>(less);
  };
  const double instructions = times(own.instructions, old.instructions),
               sectors = times(own.sectors, old.sectors), wavefronts = times(own.wavefronts, old.wavefronts);
  const double most = std::max({instructions, sectors, wavefronts});
  constexpr double kClear = 1.5;
  if (most < kClear) return {};
  const auto& row = most == instructions ? say::more_instructions_than_baseline
                    : most == sectors    ? say::more_sectors_than_baseline
                                         : say::more_wavefronts_than_baseline;
  return row(say::Decimal(most, 1));
}

void AddEstimate(const SpeedResult& speed, SpeedText& text) {
  const SpeedEstimate& estimate = *speed.estimate;
  text.table = Table(estimate);
  text.lines.push_back(
      IsWithinError(estimate)
          ? say::estimated_alike(estimate.card, speed.baseline)
          : say::estimated_for(estimate.card, say::Decimal(estimate.speedup, 1), speed.baseline));
  if (!IsWithinError(estimate) && estimate.speedup < 1) {
    if (Message more = WhatThereIsMoreOf(estimate.submission, estimate.baseline); !more.empty())
      text.lines.back() = say::both(text.lines.back(), more);
  }
  const auto& error = estimate.held_here ? say::error_of_model : say::error_of_model_elsewhere;
  text.lines.push_back(error(estimate.checked_on, Percent(estimate.mean_error), estimate.checked_kernels));
}

void AddMeasured(const SpeedResult& speed, SpeedText& text) {
  text.table = Table(speed);
  text.lines.push_back(Summary(speed));
  if (!speed.live_reason.empty()) text.lines.push_back(say::host_code_was_timed(speed.live_reason));
}

}  // namespace

Message SpeedupText(const Interval& speedup) {
  const Message interval = say::interval_of_speedup(
      say::Decimal(speedup.value, 2), say::Decimal(speedup.low, 2), say::Decimal(speedup.high, 2));
  return timing::CanTell(speedup) ? interval : say::cannot_tell(interval);
}

SpeedText DescribeSpeed(const SpeedResult& speed) {
  SpeedText text;
  switch (speed.status) {
    case SpeedStatus::kNotMeasured:
      if (speed.estimate) {
        AddEstimate(speed, text);
        break;
      }
      text.lines.push_back(say::speed_not_measured(speed.reason, speed.baseline));
      break;
    case SpeedStatus::kRefused: text.lines.push_back(say::speed_not_accepted(speed.reason)); break;
    case SpeedStatus::kRehearsed:
      text.lines.push_back(say::speed_rehearsed());
      if (!speed.live_reason.empty()) text.lines.push_back(say::timed_live(speed.live_reason));
      break;
    case SpeedStatus::kMeasured: AddMeasured(speed, text); break;
  }
  if (speed.graded) {
    text.lines.push_back(say::points_for_speed(Format("%.3g", speed.share * speed.max_points),
                                               Format("%.3g", speed.max_points)));
  }
  return text;
}

}  // namespace warplings

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "grader/suite/probe.h"
#include "grader/suite/random_values.h"

// What the searches of probe.h share: the calls they make, and the numbers they put in and read out.

namespace warplings::probing {

/// Elements of one call are told apart by digits of its answer; half of the largest digit times the sum of
/// all powers has to be below 2^24.
struct DigitScale {
  std::int64_t bits = 4, count = 6;
  std::int64_t base() const { return std::int64_t{1} << bits; }
  float Power(std::size_t digit) const {
    return static_cast<float>(std::int64_t{1} << (bits * static_cast<std::int64_t>(digit)));
  }
};
/// An element that takes part once or twice, as nearly all do; up to 8 times, in twice as many calls; up to
/// 32 times, in three times as many; or up to 2048 times, as where each step of a sum doubles what is added
/// in vain.
inline constexpr DigitScale kOnce{2, 12}, kFewTimes{4, 6}, kManyTimes{6, 4}, kVeryManyTimes{12, 2};
inline constexpr double kLargestExact = 1 << 24;
inline constexpr std::uint64_t kSeed = 20240607;

using Answer = std::vector<double>;
/// How often an element takes part.
using TermShare = std::map<ElementIndex, std::int64_t>;

/// What is left of the limits. Several searches of one function share it.
class Budget {
 public:
  explicit Budget(const ProbeLimits& limits)
      : left_(limits), calls_allowed_(limits.calls), start_(std::chrono::steady_clock::now()) {}

  /// False: no further call may be made.
  bool TakeCall() {
    const bool waited = std::chrono::steady_clock::now() - start_ > left_.waiting;
    if (waited || left_.calls <= 0 || left_.warp_instructions == 0) return false;
    --left_.calls;
    return true;
  }
  void Spend(std::uint64_t warp_instructions) {
    left_.warp_instructions -= std::min(left_.warp_instructions, warp_instructions);
  }
  int calls_made() const { return calls_allowed_ - left_.calls; }
  int calls_left() const { return left_.calls; }

 private:
  ProbeLimits left_;
  const int calls_allowed_;
  const std::chrono::steady_clock::time_point start_;
};

/// The function with its limits; once a call fails no further one is made.
class Caller {
 public:
  Caller(const ProbedFunction& function, std::size_t a_count, std::size_t b_count, std::size_t output_count,
         Budget& budget)
      : function_(function),
        budget_(budget),
        a_count_(a_count),
        b_count_(b_count),
        output_count_(output_count) {}

  ProbeMemory A(float value = 0) const { return ProbeMemory(a_count_, value); }
  ProbeMemory B(float value = 0) const { return ProbeMemory(b_count_, value); }

  std::optional<Answer> Call(const ProbeMemory& a, const ProbeMemory& b) {
    return Call(a, b, std::vector<float>(output_count_));
  }

  std::optional<Answer> Call(const ProbeMemory& a, const ProbeMemory& b, const std::vector<float>& before) {
    if (failed_ || !budget_.TakeCall()) return Fail();
    const auto answer = function_(a, b, before);
    if (!answer || answer->values.size() != output_count_) return Fail();
    budget_.Spend(answer->warp_instructions);
    return Answer(answer->values.begin(), answer->values.end());
  }

 private:
  std::nullopt_t Fail() {
    failed_ = true;
    return std::nullopt;
  }

  const ProbedFunction& function_;
  Budget& budget_;
  const std::size_t a_count_, b_count_, output_count_;
  bool failed_ = false;
};

/// Whether floats hold it exactly, and it is no fraction.
bool IsWhole(double value);

/// The digits of `value`, the lowest first; of base 16, say, from -7 to 8.
std::vector<std::int64_t> DigitsOf(double value, const DigitScale& scale);

/// Whole numbers from -60 to 60 but 0, whose products add up exactly.
void FillRandomly(RandomValues& random, std::span<float> values);
ProbeMemory RandomArray(RandomValues& random, ProbeMemory memory);
/// Also what is looked at around the array.
ProbeMemory RandomSurroundings(RandomValues& random, ProbeMemory memory);

}  // namespace warplings::probing

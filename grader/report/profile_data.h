// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "grader/core/exercise_result.h"
#include "grader/device/device_profile.h"

namespace warplings {

/// Another run with which the student's run is compared.
struct ProfiledRun {
  std::string name;     ///< "previous", "baseline", "solution".
  std::string figures;  ///< What ProfileFigures returned for its tests.
};

/// The input of a profile's page.
struct ProfileSource {
  const ExerciseResult* result = nullptr;
  /// The card that the virtual GPU simulates or watches.
  const DeviceProfile* card = nullptr;
  /// Index in ExerciseResult::tests of the test that is shown in full.
  std::size_t test = 0;
  /// Shown instead of a test: TimedCallOf() the submission.
  std::optional<TestResult> timed_call{};
  std::vector<ProfiledRun> beside;
  /// The student profiled another version before; the page says so if it is not in `beside`.
  bool has_previous = false;
};

/// The index of the test that is shown where no timed call is, of those that launched a kernel: the first
/// that failed, unless its values are right; else, of those that exceed a limit, the one that executed the
/// most instructions, because a small launch shows little of what that costs; if all passed, the largest of
/// them.
std::optional<std::size_t> TestToProfile(const std::vector<TestResult>& tests);

/// Name of the call at the size that speed is measured at, beside those of tests.
inline constexpr const char* kTimedCall = "Speed.Call";

/// That call of one of the estimate's programs, as a test that passed. Nothing where it was not counted
/// (EstimatedTime::launches).
std::optional<TestResult> TimedCallOf(const std::optional<SpeedResult>& speed,
                                      EstimatedTime SpeedEstimate::*program);

/// The figures of each test by which runs are compared, as JSON.
std::string ProfileFigures(const std::vector<TestResult>& tests, const DeviceProfile& card);

/// Everything that the page shows, as JSON (docs/profile_page.schema.json).
std::string ProfileData(const ProfileSource& source);

}  // namespace warplings

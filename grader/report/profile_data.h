// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "grader/core/exercise_result.h"
#include "grader/device/device_profile.h"

namespace warplings {

/// Another run that the student's is put beside.
struct ProfiledRun {
  std::string name;     ///< "previous", "baseline", "solution".
  std::string figures;  ///< What ProfileFigures wrote of its tests.
};

/// What a profile's page is drawn from.
struct ProfileSource {
  const ExerciseResult* result = nullptr;
  /// The card that the virtual GPU stands in for, or watches.
  const DeviceProfile* card = nullptr;
  /// The test that is shown in full; its place in ExerciseResult::tests.
  std::size_t test = 0;
  std::vector<ProfiledRun> beside;
};

/// The test to show where none was asked for: the first that failed and launched a kernel; where all passed,
/// the one that executed most. Nothing where no test launched a kernel.
std::optional<std::size_t> TestToProfile(const std::vector<TestResult>& tests);

/// The figures of each test that runs are compared by, as JSON: to be kept, and to be put beside others.
std::string ProfileFigures(const std::vector<TestResult>& tests, const DeviceProfile& card);

/// All that the page shows, as JSON (docs/profile_page.schema.json).
std::string ProfileData(const ProfileSource& source);

}  // namespace warplings

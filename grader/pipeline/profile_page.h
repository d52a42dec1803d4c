// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "grader/pipeline/check_exercise.h"

namespace warplings {

/// What is wanted of a profile's page.
struct ProfilePage {
  std::filesystem::path file;  ///< The page.
  std::string test;            ///< Name of a test, or a part of its title; "" for the one that says most.
  /// Runs of the student's own that are compared with; "" where none are kept.
  std::filesystem::path history;
};

/// The file that keeps the figures of a workbook's last profiles, beside its progress. Empty where there is
/// no home folder.
std::filesystem::path ProfileHistoryFile(const std::filesystem::path& workbook_root);

/// Draws the page of a check that was made with CheckSettings::detailed, and remembers its figures. Runs the
/// exercise's baseline and, where the submission has passed, its solution on the same inputs, to put their
/// figures beside; where either is missing or fails, the page goes without.
Status WriteProfilePage(const Submission& submission, const ExerciseResult& result,
                        const CheckSettings& settings, const ProfilePage& page, const Layout& layout);

}  // namespace warplings

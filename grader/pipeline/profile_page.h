// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "grader/pipeline/check_exercise.h"

namespace warplings {

/// The request for a profile's page.
struct ProfilePage {
  std::filesystem::path file;  ///< Path of the page.
  std::string test;            ///< Name of a test, or part of its title; "" for TestToProfile()'s choice.
  /// File with the texts that the student profiled last, for comparison; "" if none are kept.
  std::filesystem::path history;
};

/// The file with the texts of a workbook's last profiles, in the folder of the progress file. Empty if
/// there is no home folder.
std::filesystem::path ProfileHistoryFile(const std::filesystem::path& workbook_root);

/// Writes the page for a check that was made with CheckSettings::detailed, and stores its text. For
/// comparison, also runs the student's previous version, the exercise's baseline and, if the submission has
/// passed, its solution on the same inputs; if one is missing or fails, the page is made without it.
Status WriteProfilePage(const Submission& submission, const ExerciseResult& result,
                        const CheckSettings& settings, const ProfilePage& page, const Layout& layout);

}  // namespace warplings

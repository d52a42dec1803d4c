// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/pipeline/choose_submissions.h"

namespace warplings {

/// The place in a starter where a student begins.
struct FirstTodo {
  std::size_t number = 0;  ///< Of "TODO 1: ..."; 0 if the starter has a single "TODO: ...".
  int line = 0;
  std::vector<std::string> text;  ///< The comment, a line of the source each, without indentation.
};

/// The TODO with the smallest number. Nothing if there is none, or if it comes before the first line of code:
/// such a starter asks for a fault that its report tells of, so that it has to be checked as it is.
std::optional<FirstTodo> FindFirstTodo(std::string_view source);

/// Whether it is known of this workbook how its files were handed out.
bool KnowsStarters(const std::filesystem::path& workbook_root);

/// True if the workbook's file and its answers are as they were handed out: by what `init` recorded in a
/// student's workbook, by kStarterList in the program's own tree. False if that is not known.
bool IsUntouched(const Submission& submission, const std::filesystem::path& workbook_root);

}  // namespace warplings

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "grader/base/result.h"
#include "grader/exercise/exercise.h"

namespace warplings {

/// A student edition keeps some texts out of readable files: chapter.toml, for its hints and misconceptions,
/// and the baselines, which answer other exercises. They lie in one file that the program reads and a student
/// does not read by chance, in an editor or with grep. That is a cover and no secret: the program that
/// uncovers them is in the same package.
using TextsByName =
    std::map<std::string, std::string>;  ///< "chapters/01_boundary_checks/chapter.toml": text.

/// Where they lie below the root of a tree.
inline constexpr const char* kCoveredTextsFile = "texts.covered";

std::string CoverTexts(const TextsByName& texts);
Result<TextsByName> UncoverTexts(std::string_view covered);

/// The texts of a tree, each from its own file or, where there is none, from what is covered.
class TreeTexts {
 public:
  explicit TreeTexts(std::filesystem::path root) : root_(std::move(root)) {}

  bool Has(const std::string& name);
  /// An error, which names `name`, where it is nowhere or cannot be read.
  Result<std::string> Read(const std::string& name);

 private:
  const Result<TextsByName>& Covered();

  std::filesystem::path root_;
  std::optional<Result<TextsByName>> covered_;  ///< Read when it is first asked for.
};

/// A readable file with the exercise's baseline: its own, or one that is written into the folder of temporary
/// files. That folder is the caller's, and goes with it.
Result<std::filesystem::path> BaselineFile(const Exercise& exercise);

}  // namespace warplings

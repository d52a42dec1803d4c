// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "grader/base/result.h"
#include "grader/workbook/exercise.h"

namespace warplings {

/// A student edition does not contain some texts as readable files: chapter.toml, because of its hints and
/// misconceptions, and the baselines, which answer other exercises. They are packed into one file, so that a
/// student does not come across them by chance in an editor or with grep. This hides them but does not
/// protect them: the program that unpacks them is in the same package.
using TextsByName =
    std::map<std::string,
             std::string>;  ///< File name, such as "chapters/01_boundary_checks/chapter.toml", to text.

/// Path of the packed file below the root of a tree.
inline constexpr const char* kCoveredTextsFile = "texts.covered";

std::string CoverTexts(const TextsByName& texts);
Result<TextsByName> UncoverTexts(std::string_view covered);

/// Reads the texts of a tree, each from its own file or, if that does not exist, from the packed file.
class TreeTexts {
 public:
  explicit TreeTexts(std::filesystem::path root) : root_(std::move(root)) {}

  bool Has(const std::string& name);
  /// Returns an error with `name` in it if the text does not exist or cannot be read.
  Result<std::string> Read(const std::string& name);

 private:
  const Result<TextsByName>& Covered();

  std::filesystem::path root_;
  std::optional<Result<TextsByName>> covered_;  ///< Read at the first use.
};

/// Path of a readable file with the exercise's baseline: the tree's own, or one that is written into the
/// folder for temporary files. The caller owns that folder and removes it.
Result<std::filesystem::path> BaselineFile(const Exercise& exercise);

}  // namespace warplings

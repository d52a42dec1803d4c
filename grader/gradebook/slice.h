// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/gradebook/gradebook.h"

namespace warplings {

/// A text that has to be graded, and what its result depends on.
struct SliceText {
  ResultKey key;
  std::string source, answers;
};

/// A part of a class as one file, graded anywhere: the texts that are to be graded and the gradebook that
/// their results go to. A killed grading of it goes on where it was; one process at a time has it open, also
/// where the file lies on a network folder.
class Slice {
 public:
  /// Makes the file; it is there completely or not at all.
  static Status Write(const std::filesystem::path& file, const ClassSettings& settings,
                      std::span<const SliceText> texts);
  /// A file that is no slice is a usage error, and so is one that another process works on.
  static Result<Slice> Open(const std::filesystem::path& file);

  Result<ClassSettings> ReadSettings() const;
  /// Texts without a result that stands, in the order of Write.
  Result<std::vector<SliceText>> ReadMissing() const;
  Result<std::size_t> CountTexts() const;
  Result<std::size_t> CountMissing() const;

  Gradebook& gradebook() { return gradebook_; }

 private:
  explicit Slice(Gradebook gradebook) : gradebook_(std::move(gradebook)) {}
  Status WriteTexts(std::span<const SliceText> texts);
  Result<std::size_t> Count(const char* sql) const;

  Gradebook gradebook_;
};

}  // namespace warplings

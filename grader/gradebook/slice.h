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

/// A part of a class in one file that can be graded on any machine: the texts to be graded, and a gradebook
/// for their results. If grading is killed, the next run continues where it stopped. Only one process at a
/// time can have it open, on a network folder as well.
class Slice {
 public:
  /// Writes the file atomically.
  static Status Write(const std::filesystem::path& file, const ClassSettings& settings,
                      std::span<const SliceText> texts);
  /// A file that is not a slice, or that another process has open, is a usage error.
  static Result<Slice> Open(const std::filesystem::path& file);

  Result<ClassSettings> ReadSettings() const;
  /// Texts without a final result, in the order given to Write.
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

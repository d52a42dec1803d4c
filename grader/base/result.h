// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <utility>

#include "grader/base/message.h"

namespace warplings {

/// Who has to act before the same request can succeed. This decides the exit status and whether the failure
/// may cost a student points in a gradebook: only kSubmission may.
enum class Blame {
  kUsage,       ///< The command line, a path, a broken chapter.toml: exit status 2.
  kSubmission,  ///< The student's file: exit status 1.
  kGrader,      ///< This machine or our own code: exit status 3; never gives a student zero points.
};

/// An expected failure: what went wrong, in one line, and what to do next (may be empty).
struct Error {
  Blame blame = Blame::kGrader;
  Message message;
  Message next_step;
};

inline Error UsageError(Message message, Message next_step = {}) {
  return {Blame::kUsage, std::move(message), std::move(next_step)};
}
inline Error SubmissionError(Message message, Message next_step = {}) {
  return {Blame::kSubmission, std::move(message), std::move(next_step)};
}
inline Error GraderError(Message message, Message next_step = {}) {
  return {Blame::kGrader, std::move(message), std::move(next_step)};
}

/// A value, or the error that prevented it. Stages report failures to each other with this and not with
/// exceptions. It holds two optionals instead of a std::variant because that halves the time to compile an
/// instantiation, and nearly every source has one of its own. value() and error() throw
/// std::bad_optional_access if there is none.
template <class T, class E = Error>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(E error) : error_(std::move(error)) {}

  bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }

  T& value() & { return value_.value(); }
  const T& value() const& { return value_.value(); }
  T&& value() && { return std::move(value_).value(); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const E& error() const { return error_.value(); }

 private:
  std::optional<T> value_;
  std::optional<E> error_;  // Has a value exactly if value_ has none.
};

/// For operations that return nothing but success or an error.
struct Unit {};
using Status = Result<Unit>;

}  // namespace warplings

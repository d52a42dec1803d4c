// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "grader/base/result.h"
#include "grader/base/unique_fd.h"

namespace warplings {

/// A running suite program. It is killed when this object is destroyed or the thread that started it ends.
class SuiteProcess {
 public:
  using Clock = std::chrono::steady_clock;

  /// Starts `program --order-fd N --result-fd M` and sends it `order`. Runs only the test `test`, or all if
  /// that is empty.
  static Result<SuiteProcess> Start(const std::filesystem::path& program, const std::string& order,
                                    const std::string& test = "");
  SuiteProcess(SuiteProcess&& other) noexcept;
  SuiteProcess& operator=(SuiteProcess&&) = delete;
  ~SuiteProcess();

  /// Passes each result line to `on_line` until the program closes the pipe, then waits for its end. Returns
  /// an error if the exit status is not 0, if `deadline` passes, or if a line or all lines together are too
  /// long; the error includes the end of what the program printed. `on_line` can stop early by returning an
  /// error.
  /// `on_second` is called about every second.
  Status ReadLines(Clock::time_point deadline, const std::function<Status(std::string_view)>& on_line,
                   const std::function<void()>& on_second = {});

  /// Whether the program computes itself at this moment; false while it waits for another process.
  bool Computes() const;

 private:
  SuiteProcess(pid_t pid, UniqueFd results, UniqueFd messages);
  /// Polls once, for `longest` at most, and reads what is available; false when both pipes have ended.
  Result<bool> PollOnce(Clock::time_point deadline, std::chrono::milliseconds longest);
  Status PassLines(const std::function<Status(std::string_view)>& on_line);
  Status Reap();
  Error Fault(const Message& what) const;
  void Kill();

  pid_t pid_;
  UniqueFd results_, messages_;
  std::string buffered_;       ///< Received results that are not a complete line yet.
  std::size_t searched_ = 0;   ///< Bytes of `buffered_` in which there is no end of a line.
  std::string last_messages_;  ///< The end of what the program printed.
  std::size_t received_ = 0;
};

}  // namespace warplings

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

/// A running suite program. It dies with this object, and with the thread that started it.
class SuiteProcess {
 public:
  using Clock = std::chrono::steady_clock;

  /// Starts `program --order-fd N --result-fd M` and hands it `order`. Of its tests only `test` runs, unless
  /// that is empty.
  static Result<SuiteProcess> Start(const std::filesystem::path& program, const std::string& order,
                                    const std::string& test = "");
  SuiteProcess(SuiteProcess&& other) noexcept;
  SuiteProcess& operator=(SuiteProcess&&) = delete;
  ~SuiteProcess();

  /// Hands each line to `on_line` until the program closes its results, then waits for its end. An error
  /// when it ends otherwise than with status 0, at `deadline`, or when a line or all of them are too long;
  /// the last words it printed go with the error. `on_line` may end it early with an error of its own.
  Status ReadLines(Clock::time_point deadline, const std::function<Status(std::string_view)>& on_line);

 private:
  SuiteProcess(pid_t pid, UniqueFd results, UniqueFd messages);
  /// One poll and what it brings; false when both pipes have ended.
  Result<bool> Pump(Clock::time_point deadline);
  Status HandOver(const std::function<Status(std::string_view)>& on_line);
  Status Reap();
  Error Fault(const std::string& what) const;
  void Kill();

  pid_t pid_;
  UniqueFd results_, messages_;
  std::string buffered_;       ///< Of results, not yet a whole line.
  std::string last_messages_;  ///< End of what the program printed.
  std::size_t received_ = 0;
};

}  // namespace warplings

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"
#include "grader/base/unique_fd.h"
#include "grader/sandbox/policy.h"

namespace warplings::sandbox {

/// A descriptor of ours that the program finds under `number`.
struct PassedFd {
  int fd = -1;
  int number = -1;
};

/// A file that exists in the sandbox only, read-only, with this text.
struct DataFile {
  std::string target;
  std::string text;
};

struct ProcessRequest {
  Policy policy;
  std::vector<std::string> program;  ///< Path inside the sandbox, and arguments.
  std::vector<PassedFd> passed;
  std::vector<DataFile> files;
};

/// How the program ended. The sandbox' own failure is not in this list: it is an Error.
struct ProgramEnd {
  enum class Kind {
    kExited,       ///< code: its exit status.
    kSignalled,    ///< code: the signal. An exit status from 129 to 192 reads the same, as in a shell.
    kTimeLimit,    ///< Wall or processor time.
    kOutputLimit,  ///< Printed more than the limit and was stopped.
    kStopped,      ///< By Kill().
  };
  Kind kind = Kind::kExited;
  int code = 0;

  bool succeeded() const { return kind == Kind::kExited && code == 0; }
};

/// "a segmentation fault (SIGSEGV)"; "signal 40" for one without a name.
std::string DescribeSignal(int signal);

/// One program in its sandbox, from start to end. Its standard output and error are one pipe, of which
/// the first `output_bytes` are kept; DrainOutput and Wait empty it, so that it never fills while
/// somebody waits. Not thread-safe. The thread that starts a process must outlive it: Linux ties "die
/// with your parent" to the parent's thread.
class Process {
 public:
  using Clock = std::chrono::steady_clock;

  static Result<std::unique_ptr<Process>> Start(const ProcessRequest& request);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// To poll() for POLLIN beside other descriptors; -1 when the pipe has ended.
  int output_fd() const { return output_.get(); }
  /// Reads what is there without waiting; call it when output_fd() is readable.
  void DrainOutput();
  /// What was printed since the last TakeOutput(), at most `output_bytes` over the process' life.
  std::string TakeOutput();
  bool output_limit_reached() const { return flooded_; }

  /// Waits for the end, stopping the program at `deadline`, at the policy's wall limit, or when it has
  /// printed too much. An Error means that the sandbox failed, before or after the program started.
  Result<ProgramEnd> Wait(Clock::time_point deadline = Clock::time_point::max());
  /// Ends the program and everything it started, at once.
  void Kill();

 private:
  Process(const Limits& limits, pid_t pid, UniqueFd output, UniqueFd status);

  /// True when bwrap's monitor has ended; otherwise after `until` has passed.
  bool PollUntil(Clock::time_point until);
  void ReadStatus();
  /// Waits, not for long, until the status channel has named pid 1 of the namespace, or has ended.
  void AwaitInit();
  void DrainToEnd();
  void Reap();
  Result<ProgramEnd> Judge();

  const Limits limits_;
  const Clock::time_point started_;
  pid_t pid_;      ///< bwrap's monitor; -1 once it has been reaped.
  UniqueFd init_;  ///< A pidfd of the namespace's pid 1, once the status channel has named it.
  UniqueFd output_, status_;
  std::string printed_, status_text_;
  std::uint64_t output_seen_ = 0;
  bool flooded_ = false;
  int wait_status_ = 0;
  std::optional<ProgramEnd::Kind> stopped_for_;
};

/// Starts the program, waits for its end, and gives what it printed.
struct Finished {
  ProgramEnd end;
  std::string output;
  double seconds = 0;
};
Result<Finished> RunToEnd(const ProcessRequest& request);

}  // namespace warplings::sandbox

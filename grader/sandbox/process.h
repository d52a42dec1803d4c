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

/// A descriptor of ours that the program inherits as `number`.
struct PassedFd {
  int fd = -1;
  int number = -1;
};

/// A read-only file that exists only in the sandbox.
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

/// How the program ended. Failures of the sandbox itself are not listed here: they are Errors.
struct ProgramEnd {
  enum class Kind {
    kExited,       ///< code: its exit status.
    kSignalled,    ///< code: the signal. An exit status from 129 to 192 is reported like this, too, as in a
                   ///< shell.
    kTimeLimit,    ///< Wall time, or processor time of one process.
    kTotalTime,    ///< Processor time of all its processes together.
    kOutputLimit,  ///< Printed more than the limit and was stopped.
    kStopped,      ///< Stopped by Kill().
  };
  Kind kind = Kind::kExited;
  int code = 0;

  bool succeeded() const { return kind == Kind::kExited && code == 0; }
};

/// "a segmentation fault (SIGSEGV)"; "signal 40" for a signal without a name.
Message DescribeSignal(int signal);

/// Whether all threads of a process wait for something that is not a processor. A thread that would run if
/// the machine had a processor left does not.
bool IsAsleep(pid_t process);
/// Whether a thread of a process runs, or would if the machine had a processor left.
bool IsRunnable(pid_t process);
/// Processor time that all threads of a process have used.
std::optional<std::chrono::nanoseconds> ProcessorTimeOf(pid_t process);

/// One program in its sandbox, from start to end. Its standard output and error go to one pipe, of which the
/// first `output_bytes` are kept. DrainOutput and Wait empty the pipe, so that it never fills while somebody
/// waits. Not thread-safe. The thread that starts a process must outlive it, because Linux kills a process
/// with its parent's thread (PR_SET_PDEATHSIG).
class Process {
 public:
  using Clock = std::chrono::steady_clock;

  static Result<std::unique_ptr<Process>> Start(const ProcessRequest& request);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// For poll() with POLLIN, together with other descriptors; -1 after the pipe's end.
  int output_fd() const { return output_.get(); }
  /// Reads what is available without blocking; call it when output_fd() is readable.
  void DrainOutput();
  /// What was printed since the last TakeOutput(); at most `output_bytes` over the process's life.
  std::string TakeOutput();
  bool output_limit_reached() const { return flooded_; }

  /// Processor time used so far by all threads of the program. Nothing before the program runs, after its
  /// end, and on kernels that do not list children in /proc. A limit on processor time therefore needs a
  /// wall-clock limit as well.
  std::optional<std::chrono::nanoseconds> ProcessorTime();
  /// Whether the program, of one thread, waits for something that is not a processor: a timer, a message. Not
  /// on kernels that do not tell.
  bool IsAsleep() const { return program_pid_ > 0 && sandbox::IsAsleep(program_pid_); }
  bool IsRunnable() const { return program_pid_ > 0 && sandbox::IsRunnable(program_pid_); }

  /// Waits for the end. Stops the program at `deadline`, at the policy's wall-clock limit, or when it has
  /// printed too much. An Error means that the sandbox failed, before or after the program started.
  Result<ProgramEnd> Wait(Clock::time_point deadline = Clock::time_point::max());
  /// Kills the program and everything that it started.
  void Kill();

 private:
  Process(const Limits& limits, pid_t pid, UniqueFd output, UniqueFd status);

  /// Returns true when bwrap's monitor has ended, or false once `until` has passed or a limit is reached.
  bool PollUntil(Clock::time_point until);
  /// Whether all processes together have used up their processor time. Stays false on kernels that do not
  /// list children in /proc: there the limits of each process and of wall time remain.
  bool HasUsedUpTotal() const;
  void ReadStatus();
  /// Waits for a short time until the status channel has named pid 1 of the namespace or has ended.
  void AwaitInit();
  void DrainToEnd();
  void Reap();
  Result<ProgramEnd> DecideEnd();

  const Limits limits_;
  const Clock::time_point started_;
  pid_t pid_;  ///< bwrap's monitor; -1 once it has been reaped.
  pid_t program_pid_ = -1;
  UniqueFd init_;  ///< A pidfd of the namespace's pid 1, once the status channel has named it.
  UniqueFd output_, status_;
  std::string printed_, status_text_;
  std::uint64_t output_seen_ = 0;
  bool flooded_ = false;
  int wait_status_ = 0;
  std::optional<ProgramEnd::Kind> stopped_for_;
};

/// The result of RunToEnd, which starts a program, waits for its end and returns what it printed.
struct Finished {
  ProgramEnd end;
  std::string output;
  double seconds = 0;
};
Result<Finished> RunToEnd(const ProcessRequest& request);

}  // namespace warplings::sandbox

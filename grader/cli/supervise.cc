// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/supervise.h"

#include <dirent.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "grader/base/messages.h"
#include "grader/cli/command.h"
#include "grader/cli/standard_streams.h"
#include "grader/cli/temporary_folder.h"
#include "grader/messages/command_line.h"

namespace warplings {
namespace {

sigset_t WatchedSignals() {
  sigset_t set;
  sigemptyset(&set);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) sigaddset(&set, signal);
  return set;
}

/// Blocks signals for its lifetime.
class BlockedSignals {
 public:
  explicit BlockedSignals(const sigset_t& signals) { ::sigprocmask(SIG_BLOCK, &signals, &former_); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;
  ~BlockedSignals() { ::sigprocmask(SIG_SETMASK, &former_, nullptr); }
  const sigset_t& former() const { return former_; }

 private:
  sigset_t former_{};
};

/// The parent's id is the fourth field of /proc/PID/stat; the second one, a name in brackets, may itself
/// hold spaces and brackets (proc(5)).
bool IsOurChild(const std::string& pid) {
  std::ifstream stream("/proc/" + pid + "/stat");
  std::string line;
  std::getline(stream, line);
  const std::size_t bracket = line.rfind(')');
  if (bracket == std::string::npos || bracket + 4 > line.size()) return false;
  return std::strtol(line.c_str() + bracket + 4, nullptr, 10) == ::getpid();
}

std::vector<pid_t> Children() {
  std::vector<pid_t> children;
  DIR* folder = ::opendir("/proc");
  if (folder == nullptr) return children;
  while (const dirent* entry = ::readdir(folder)) {
    const pid_t pid = std::atoi(entry->d_name);
    if (pid > 0 && IsOurChild(entry->d_name)) children.push_back(pid);
  }
  ::closedir(folder);
  return children;
}

/// We are the subreaper of all that `work` started: whatever loses its parent becomes our child, so that
/// killing our children until there are none reaches every descendant.
void KillDescendants() {
  constexpr auto kPatience = std::chrono::seconds(5);
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < end) {
    const pid_t reaped = ::waitpid(-1, nullptr, WNOHANG);
    if (reaped < 0 && errno == ECHILD) return;
    if (reaped > 0) continue;
    for (const pid_t child : Children()) ::kill(child, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

[[noreturn]] void RunChild(const std::function<int()>& work, const TemporaryFolder& folder, pid_t parent,
                           const sigset_t& former) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) std::_Exit(kExitGraderFault);
  ::sigprocmask(SIG_SETMASK, &former, nullptr);
  ::setenv("TMPDIR", folder.path().c_str(), 1);
  const int status = FinishOutput(RunGuarded(work));
  std::fflush(nullptr);
  std::_Exit(status);
}

/// Waits for the child's end (its wait status in `status`, returns 0) or for an interruption (returns its
/// signal).
int WaitFor(pid_t child, const sigset_t& signals, int& status) {
  while (true) {
    const int signal = ::sigwaitinfo(&signals, nullptr);
    if (signal < 0) continue;
    if (signal != SIGCHLD) return signal;
    if (::waitpid(child, &status, WNOHANG) == child) return 0;
  }
}

void ReportInterruption() {
  if (::isatty(STDERR_FILENO) != 0) std::fputs("\r\x1b[K", stderr);
  Warn(say::was_interrupted());
}

/// The signal by which the child was interrupted; 0 if it ended otherwise. Ctrl-C reaches the child as well,
/// and its end may be seen before our own signal.
int InterruptionOf(int wait_status) {
  const int signal = WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0;
  return signal == SIGINT || signal == SIGTERM || signal == SIGHUP ? signal : 0;
}

int StatusOf(int wait_status) {
  if (WIFEXITED(wait_status)) return WEXITSTATUS(wait_status);
  const int signal = WTERMSIG(wait_status);
  // Whoever read our output has seen enough of it (`warplings verify | head`).
  if (signal == SIGPIPE) return 128 + SIGPIPE;
  return ReportError(GraderError(say::grader_crashed(::strsignal(signal)), say::report_with_file()));
}

}  // namespace

int Supervise(const std::function<int()>& work, const std::function<void()>& when_interrupted) {
  // From before anything is made that an interruption would leave behind until it is gone.
  const sigset_t signals = WatchedSignals();
  const BlockedSignals blocked(signals);
  const TemporaryFolder folder;
  if (folder.path().empty()) {
    return ReportError(GraderError(say::no_temporary_folder(std::strerror(errno)), say::check_tmpdir()));
  }
  std::fflush(nullptr);  // Or the child would print what is buffered a second time.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);

  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) RunChild(work, folder, parent, blocked.former());
  int status = 0, interruption = 0;
  if (child > 0) interruption = WaitFor(child, signals, status);
  const int fork_error = errno;
  KillDescendants();

  if (child < 0)
    return ReportError(GraderError(say::cannot_start_process(std::strerror(fork_error)),
                                   say::close_programs_for_processes()));
  if (interruption == 0) interruption = InterruptionOf(status);
  if (interruption == 0) return StatusOf(status);
  ReportInterruption();
  if (when_interrupted) when_interrupted();
  return 128 + interruption;
}

}  // namespace warplings

// SPDX-License-Identifier: Apache-2.0
#include "grader/sandbox/launch.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <span>

#include "grader/base/messages.h"
#include "grader/base/pipe.h"
#include "grader/messages/sandbox.h"

namespace warplings::sandbox {

namespace {

/// Higher than every descriptor number that a program is given.
constexpr int kScratchNumber = 200;

struct ResourceLimit {
  int resource;
  rlim_t value;
};

std::vector<ResourceLimit> ResourceLimits(const Limits& limits) {
  std::vector<ResourceLimit> list = {
      {RLIMIT_CORE, 0},
      {RLIMIT_CPU, static_cast<rlim_t>(limits.cpu.count())},
      {RLIMIT_FSIZE, limits.file_bytes},
      {RLIMIT_STACK, limits.stack_bytes},
      {RLIMIT_NOFILE, limits.open_files},
      {RLIMIT_MEMLOCK, 0},
      {RLIMIT_MSGQUEUE, 0},
  };
  if (limits.address_space_bytes != 0) list.push_back({RLIMIT_AS, limits.address_space_bytes});
  return list;
}

// What follows runs between fork and exec, possibly in the child of a threaded program: only calls
// that are safe in a signal handler, no allocation.

[[noreturn]] void ReportAndExit(int error_pipe) {
  int code = errno;
  [[maybe_unused]] ssize_t written = write(error_pipe, &code, sizeof code);
  _exit(127);
}

/// Signals that ask a program to end are for the grader to answer, which then ends its sandboxes. A terminal
/// and a cluster's scheduler send them to every process at once: a compiler or worker that died of one would
/// look to the grader like a submission that failed.
void ResetSignals() {
  for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
  for (int number : {SIGTERM, SIGINT, SIGHUP, SIGQUIT}) signal(number, SIG_IGN);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// First everything out of the way, then to its place: a source may stand where a target will be.
bool PlaceDescriptors(std::span<FdMove> moves) {
  for (FdMove& move : moves) {
    move.from = fcntl(move.from, F_DUPFD_CLOEXEC, kScratchNumber);
    if (move.from < 0) return false;
  }
  if (close_range(0, kScratchNumber - 1, 0) != 0) return false;
  for (const FdMove& move : moves) {
    if (dup2(move.from, move.to) < 0) return false;
  }
  return close_range(kScratchNumber, UINT_MAX, CLOSE_RANGE_CLOEXEC) == 0;
}

/// The hard limit is the soft one, except for processor time, where it comes a second later, so that
/// the program ends by SIGXCPU and not by the SIGKILL of an unknown sender.
bool SetLimits(std::span<const ResourceLimit> limits) {
  for (const ResourceLimit& limit : limits) {
    rlimit old{};
    if (getrlimit(static_cast<__rlimit_resource_t>(limit.resource), &old) != 0) return false;
    rlim_t hard = limit.resource == RLIMIT_CPU ? limit.value + 1 : limit.value;
    // A stricter limit that stands already is kept: an ordinary user cannot raise it.
    rlimit both{std::min(limit.value, old.rlim_max), std::min(hard, old.rlim_max)};
    if (setrlimit(static_cast<__rlimit_resource_t>(limit.resource), &both) != 0) return false;
  }
  return true;
}

Error LaunchError(const std::string& program, int code) {
  return GraderError(say::cannot_start_program(program, std::strerror(code)), say::doctor_checks_sandbox());
}

}  // namespace

Result<pid_t> Launch(const std::vector<std::string>& arguments, const std::vector<FdMove>& moves,
                     const Limits& limits) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  char* environment[] = {nullptr};
  std::vector<ResourceLimit> resource_limits = ResourceLimits(limits);
  std::vector<FdMove> plan = moves;

  auto errors = MakePipe();
  if (!errors) return errors.error();
  // The error pipe takes part in the moves, so that it survives them; it closes at exec.
  plan.push_back({errors->write.get(), kScratchNumber - 1});

  const pid_t parent = getpid();
  pid_t pid = fork();
  if (pid < 0) return LaunchError(arguments[0], errno);
  if (pid == 0) {
    // bubblewrap asks for the same (--die-with-parent), but only once it runs: a grader that is killed before
    // would leave it behind for ever.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    ResetSignals();
    if (!PlaceDescriptors(plan)) ReportAndExit(errors->write.get());
    fcntl(kScratchNumber - 1, F_SETFD, FD_CLOEXEC);
    if (!SetLimits(resource_limits)) ReportAndExit(kScratchNumber - 1);
    execve(argv[0], argv.data(), environment);
    ReportAndExit(kScratchNumber - 1);
  }

  errors->write.reset();
  int code = 0;
  ssize_t got = 0;
  do got = read(errors->read.get(), &code, sizeof code);
  while (got < 0 && errno == EINTR);
  if (got == 0) return pid;
  while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  return LaunchError(arguments[0], got == sizeof code ? code : EIO);
}

}  // namespace warplings::sandbox

// SPDX-License-Identifier: Apache-2.0
#include "grader/sandbox/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>
#include <span>
#include <sstream>
#include <string_view>
#include <vector>

#include "grader/base/pipe.h"
#include "grader/messages/sandbox.h"
#include "grader/sandbox/bubblewrap.h"
#include "grader/sandbox/launch.h"
#include "grader/sandbox/seccomp_filter.h"

namespace warplings::sandbox {

namespace {

using Kind = ProgramEnd::Kind;

/// How long killed processes may take to close their pipe before we stop waiting for them. A process in an
/// uninterruptible state must not make the grader hang.
constexpr std::chrono::seconds kPatienceAfterEnd{5};
/// How long bwrap may take to set up the namespaces before it is stopped anyway.
constexpr std::chrono::seconds kPatienceForInit{5};

Error SystemError(const char* what) {
  return GraderError(say::no_sandbox_because(what, std::strerror(errno)), say::close_programs_for_sandbox());
}

Result<UniqueFd> MakeDataFile(const std::string& text) {
  UniqueFd file(memfd_create("data", MFD_CLOEXEC));
  if (!file) return SystemError("memfd_create");
  for (std::size_t done = 0; done < text.size();) {
    ssize_t written = write(file.get(), text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return SystemError("writing a memory file");
    done += static_cast<std::size_t>(written);
  }
  lseek(file.get(), 0, SEEK_SET);
  return file;
}

/// Reads once; the number of bytes, 0 at the end, -1 when there is nothing now.
ssize_t ReadSome(int fd, std::span<char> buffer) {
  ssize_t got = 0;
  do got = read(fd, buffer.data(), buffer.size());
  while (got < 0 && errno == EINTR);
  return got < 0 && errno != EAGAIN ? 0 : got;
}

/// The number of a key in bwrap's status, which is one JSON object a line (bwrap(1), --json-status-fd):
/// `"child-pid":` comes first; `"exit-code":` last, and only if the program was really executed.
std::optional<int> ReadStatusNumber(const std::string& status, std::string_view key) {
  std::size_t at = status.find(key);
  if (at == std::string::npos) return std::nullopt;
  return std::atoi(status.c_str() + at + key.size());
}
constexpr std::string_view kChildPid = "\"child-pid\":", kExitCode = "\"exit-code\":";

/// How often the processor time of all processes is added up.
constexpr std::chrono::milliseconds kLook{250};
/// More processes than any compilation has: the sum is not to become work of its own.
constexpr int kMostProcesses = 1000;

/// Processor time of a process and of its children that it has waited for: fields 14 to 17 of
/// /proc/PID/stat (proc(5)). The name before them may hold anything, but no ')' follows it.
std::chrono::nanoseconds TimeOf(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(file, text, '\0');
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return {};
  std::istringstream fields(text.substr(name_end + 1));
  std::string skipped;
  for (int field = 3; field < 14; ++field) fields >> skipped;
  long long ticks = 0, each = 0;
  for (int field = 14; field < 18 && fields >> each; ++field) ticks += each;
  return std::chrono::nanoseconds(ticks * (1'000'000'000LL / sysconf(_SC_CLK_TCK)));
}

/// The same of all that `root` started. What a process that has ended used is in its parent's sum.
std::chrono::nanoseconds TimeOfTree(pid_t root) {
  std::chrono::nanoseconds sum{0};
  std::vector<pid_t> processes = {root};
  for (std::size_t i = 0; i < processes.size() && i < kMostProcesses; ++i) {
    const std::string pid = std::to_string(processes[i]);
    sum += TimeOf(processes[i]);
    std::ifstream children("/proc/" + pid + "/task/" + pid + "/children");
    for (pid_t child = 0; children >> child;) processes.push_back(child);
  }
  return sum;
}

ProgramEnd EndOf(int exit_code) {
  if (exit_code <= 128 || exit_code > 128 + 64) return {Kind::kExited, exit_code};
  int number = exit_code - 128;
  return {number == SIGXCPU ? Kind::kTimeLimit : Kind::kSignalled, number};
}

/// A letter for each thread of a process, as in /proc: 'R' for one that runs or could. Empty where one of
/// them cannot be read.
std::string StatesOfThreads(pid_t process) {
  std::error_code error;
  const std::filesystem::path tasks = "/proc/" + std::to_string(process) + "/task";
  std::string states;
  for (std::filesystem::directory_iterator each(tasks, error), end; !error && each != end;
       each.increment(error)) {
    std::ifstream file(each->path() / "stat");
    std::string text;
    std::getline(file, text, '\0');
    // "1234 (name) S …"; the name may hold anything.
    const std::size_t name_end = text.rfind(") ");
    if (name_end == std::string::npos || name_end + 2 >= text.size()) return {};
    states += text[name_end + 2];
  }
  return error ? std::string() : states;
}

}  // namespace

Message DescribeSignal(int signal) {
  switch (signal) {
    case SIGSEGV: return say::segmentation_fault();
    case SIGBUS: return say::bus_error();
    case SIGFPE: return say::arithmetic_fault();
    case SIGILL: return say::illegal_instruction();
    case SIGABRT: return say::aborted();
    case SIGTRAP: return say::breakpoint();
    case SIGKILL: return say::killed_by_system();
    case SIGSYS: return say::forbidden_system_call();
    case SIGPIPE: return say::closed_pipe();
    case SIGXFSZ: return say::file_too_long();
    default: break;
  }
  const char* name = sigabbrev_np(signal);
  return name ? std::string("SIG") + name : "signal " + std::to_string(signal);
}

bool IsAsleep(pid_t process) {
  const std::string states = StatesOfThreads(process);
  return !states.empty() && states.find_first_not_of('S') == std::string::npos;
}

bool IsRunnable(pid_t process) {
  return StatesOfThreads(process).find('R') != std::string::npos;
}

std::optional<std::chrono::nanoseconds> ProcessorTimeOf(pid_t process) {
  clockid_t clock = 0;
  timespec time{};
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return std::nullopt;
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

Process::Process(const Limits& limits, pid_t pid, UniqueFd output, UniqueFd status)
    : limits_(limits),
      started_(Clock::now()),
      pid_(pid),
      output_(std::move(output)),
      status_(std::move(status)) {}

Process::~Process() {
  Kill();
}

Result<std::unique_ptr<Process>> Process::Start(const ProcessRequest& request) {
  auto bwrap = FindBubblewrap();
  if (!bwrap) return bwrap.error();
  auto filter = MakeSeccompFilter(request.policy.seccomp);
  if (!filter) return filter.error();
  auto output = MakePipe(), status = MakePipe();
  if (!output) return output.error();
  if (!status) return status.error();
  for (const Pipe* pipe : {&*output, &*status}) fcntl(pipe->read.get(), F_SETFL, O_NONBLOCK);
  UniqueFd nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!nothing) return SystemError("opening /dev/null");

  std::vector<FdMove> moves = {{nothing.get(), 0},
                               {output->write.get(), 1},
                               {output->write.get(), 2},
                               {status->write.get(), kStatusNumber},
                               {filter->get(), kSeccompNumber}};
  for (const PassedFd& passed : request.passed) moves.push_back({passed.fd, passed.number});
  std::vector<UniqueFd> files;
  std::vector<std::string> targets;
  for (const DataFile& file : request.files) {
    auto data = MakeDataFile(file.text);
    if (!data) return data.error();
    moves.push_back({data->get(), kFirstDataNumber + static_cast<int>(files.size())});
    files.push_back(std::move(*data));
    targets.push_back(file.target);
  }
  auto pid = Launch(BubblewrapArguments(*bwrap, request.policy, targets, request.program), moves,
                    request.policy.limits);
  if (!pid) return pid.error();
  return std::unique_ptr<Process>(
      new Process(request.policy.limits, *pid, std::move(output->read), std::move(status->read)));
}

void Process::DrainOutput() {
  std::array<char, 16384> buffer;
  // Not for ever: a flood must not keep the caller from its deadline.
  for (int round = 0; round < 16 && output_; ++round) {
    ssize_t got = ReadSome(output_.get(), buffer);
    if (got < 0) return;
    if (got == 0) {
      output_.reset();
      return;
    }
    std::uint64_t room = limits_.output_bytes - std::min(output_seen_, limits_.output_bytes);
    printed_.append(buffer.data(), std::min<std::uint64_t>(room, got));
    output_seen_ += static_cast<std::uint64_t>(got);
    flooded_ = output_seen_ > limits_.output_bytes;
  }
}

std::string Process::TakeOutput() {
  return std::exchange(printed_, {});
}

void Process::ReadStatus() {
  std::array<char, 4096> buffer;
  for (;;) {
    ssize_t got = ReadSome(status_.get(), buffer);
    if (got < 0) return;
    if (got == 0) {
      status_.reset();
      return;
    }
    status_text_.append(buffer.data(), static_cast<std::size_t>(got));
    auto pid = ReadStatusNumber(status_text_, kChildPid);
    // The monitor has not let it go on yet, or has not reaped it: the number is its own.
    if (pid && !init_) init_.reset(static_cast<int>(syscall(SYS_pidfd_open, *pid, 0)));
  }
}

std::optional<std::chrono::nanoseconds> Process::ProcessorTime() {
  if (status_) ReadStatus();
  if (!init_ || pid_ < 0) return std::nullopt;
  // The namespace's pid 1 is bwrap's; its one child is the program, which can start no process.
  if (program_pid_ <= 0) {
    const std::string pid = std::to_string(ReadStatusNumber(status_text_, kChildPid).value_or(0));
    std::ifstream("/proc/" + pid + "/task/" + pid + "/children") >> program_pid_;
  }
  return program_pid_ > 0 ? ProcessorTimeOf(program_pid_) : std::nullopt;
}

void Process::AwaitInit() {
  Clock::time_point until = Clock::now() + kPatienceForInit;
  while (status_ && !init_ && Clock::now() < until) {
    pollfd fd{status_.get(), POLLIN, 0};
    poll(&fd, 1, 50);
    ReadStatus();
  }
}

bool Process::HasUsedUpTotal() const {
  const auto root = ReadStatusNumber(status_text_, kChildPid);
  return limits_.cpu_in_all.count() != 0 && root && init_ && TimeOfTree(*root) > limits_.cpu_in_all;
}

bool Process::PollUntil(Clock::time_point until) {
  const long longest = limits_.cpu_in_all.count() != 0 ? long{kLook.count()} : 60'000;
  auto next_look = Clock::now() + kLook;
  while (status_ && !flooded_) {
    auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
    if (left <= 0) return false;
    std::array<pollfd, 2> fds = {pollfd{status_.get(), POLLIN, 0}, pollfd{output_.get(), POLLIN, 0}};
    poll(fds.data(), fds.size(), static_cast<int>(std::min<long>(left, longest)));
    if (Clock::now() >= next_look) {
      next_look = Clock::now() + kLook;
      if (HasUsedUpTotal()) {
        stopped_for_ = Kind::kTotalTime;
        return false;
      }
    }
    if (fds[1].revents != 0) DrainOutput();
    if (fds[0].revents != 0) ReadStatus();
  }
  return !status_;
}

void Process::DrainToEnd() {
  Clock::time_point until = Clock::now() + kPatienceAfterEnd;
  while (output_ && Clock::now() < until) {
    pollfd fd{output_.get(), POLLIN, 0};
    poll(&fd, 1, 100);
    DrainOutput();
  }
}

void Process::Reap() {
  while (pid_ > 0 && waitpid(pid_, &wait_status_, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
}

void Process::Kill() {
  if (pid_ < 0) return;
  if (!stopped_for_) stopped_for_ = Kind::kStopped;
  // Pid 1's death ends everything in the namespace. The monitor's death would do the same, but only after
  // pid 1 has asked for that signal (bwrap does so after it has forked the program): a program that is
  // stopped at its very start would live on.
  AwaitInit();
  if (init_) syscall(SYS_pidfd_send_signal, init_.get(), SIGKILL, nullptr, 0);
  kill(pid_, SIGKILL);
  Reap();
  if (status_) ReadStatus();
}

Result<ProgramEnd> Process::Wait(Clock::time_point deadline) {
  if (pid_ > 0 && !PollUntil(std::min(deadline, started_ + limits_.wall))) {
    if (!stopped_for_) stopped_for_ = flooded_ ? Kind::kOutputLimit : Kind::kTimeLimit;
    Kill();
  }
  Reap();
  DrainToEnd();
  return DecideEnd();
}

Result<ProgramEnd> Process::DecideEnd() {
  // First, because bwrap reports the SIGKILL that we sent as the program's end.
  if (stopped_for_) return ProgramEnd{*stopped_for_, 0};
  if (std::optional<int> code = ReadStatusNumber(status_text_, kExitCode)) {
    return flooded_ ? ProgramEnd{Kind::kOutputLimit, 0} : EndOf(*code);
  }
  // The monitor's own death, by a signal that we did not send, is the machine's doing.
  if (WIFSIGNALED(wait_status_)) {
    return GraderError(say::sandbox_ended_by(DescribeSignal(WTERMSIG(wait_status_))),
                       say::run_again_and_look_at_memory());
  }
  return ExplainSetupFailure(printed_);
}

Result<Finished> RunToEnd(const ProcessRequest& request) {
  auto started = Process::Clock::now();
  auto process = Process::Start(request);
  if (!process) return process.error();
  auto end = (*process)->Wait();
  if (!end) return end.error();
  std::chrono::duration<double> seconds = Process::Clock::now() - started;
  return Finished{*end, (*process)->TakeOutput(), seconds.count()};
}

}  // namespace warplings::sandbox

// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/suite_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>
#include <vector>

#include "grader/base/messages.h"
#include "grader/base/pipe.h"
#include "grader/base/read_file.h"
#include "grader/messages/suite_runs.h"

namespace warplings {
namespace {

constexpr std::size_t kMaxResultBytes = 256u << 20;
constexpr std::size_t kMaxLineBytes = 64u << 20;
constexpr std::size_t kKeptMessageBytes = 2048;

/// A file in memory that reads as `text`: unlike a pipe it is written without a reader.
Result<UniqueFd> MakeTextFile(const std::string& text) {
  UniqueFd fd(::memfd_create("warplings-order", MFD_CLOEXEC));
  std::size_t written = 0;
  while (fd && written < text.size()) {
    const ssize_t n = ::write(fd.get(), text.data() + written, text.size() - written);
    if (n <= 0) break;
    written += static_cast<std::size_t>(n);
  }
  if (!fd || written < text.size() || ::lseek(fd.get(), 0, SEEK_SET) != 0) {
    return GraderError(say::no_memory_for_order(strerror(errno)));
  }
  return fd;
}

/// The environment without what GoogleTest would take orders from.
std::vector<char*> QuietEnvironment() {
  std::vector<char*> environment;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view variable(*each);
    if (!variable.starts_with("GTEST_") && !variable.starts_with("TEST_")) environment.push_back(*each);
  }
  environment.push_back(nullptr);
  return environment;
}

/// In the child, between fork and exec: only calls that are safe there.
[[noreturn]] void BecomeSuite(const char* program, char* const* argv, char* const* environment, pid_t parent,
                              int order, int results, int messages) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  const int null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(null, STDIN_FILENO);
  ::dup2(messages, STDOUT_FILENO);
  ::dup2(messages, STDERR_FILENO);
  ::fcntl(order, F_SETFD, 0);
  ::fcntl(results, F_SETFD, 0);
  ::execve(program, argv, environment);
  static constexpr char kFailed[] = "exec failed\n";
  static_cast<void>(!::write(STDERR_FILENO, kFailed, sizeof kFailed - 1));
  ::_exit(127);
}

/// Appends what is there to `text`; closes `fd` at its end.
bool ReadSome(UniqueFd& fd, std::string& text) {
  std::array<char, 65536> bytes;
  const ssize_t n = ::read(fd.get(), bytes.data(), bytes.size());
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return true;
  if (n <= 0) {
    fd.reset();
    return false;
  }
  text.append(bytes.data(), static_cast<std::size_t>(n));
  return true;
}

}  // namespace

Result<SuiteProcess> SuiteProcess::Start(const std::filesystem::path& program, const std::string& order,
                                         const std::string& test) {
  if (::access(program.c_str(), X_OK) != 0) {
    return GraderError(say::suite_missing(program.string(), strerror(errno)), say::build_project_again());
  }
  auto order_fd = MakeTextFile(order);
  if (!order_fd) return order_fd.error();
  auto results = MakePipe();
  if (!results) return results.error();
  auto messages = MakePipe();
  if (!messages) return messages.error();

  std::vector<std::string> words = {program.string(), "--order-fd", std::to_string(order_fd->get()),
                                    "--result-fd", std::to_string(results->write.get())};
  if (!test.empty()) words.push_back("--gtest_filter=" + test);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const std::vector<char*> environment = QuietEnvironment();
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0)
    return GraderError(say::suite_not_started(strerror(errno)), say::close_programs_for_processes());
  if (pid == 0) {
    BecomeSuite(words[0].c_str(), argv.data(), environment.data(), parent, order_fd->get(),
                results->write.get(), messages->write.get());
  }
  return SuiteProcess(pid, std::move(results->read), std::move(messages->read));
}

SuiteProcess::SuiteProcess(pid_t pid, UniqueFd results, UniqueFd messages)
    : pid_(pid), results_(std::move(results)), messages_(std::move(messages)) {}

SuiteProcess::SuiteProcess(SuiteProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      results_(std::move(other.results_)),
      messages_(std::move(other.messages_)),
      buffered_(std::move(other.buffered_)),
      searched_(other.searched_),
      last_messages_(std::move(other.last_messages_)),
      received_(other.received_) {}

SuiteProcess::~SuiteProcess() {
  Kill();
}

void SuiteProcess::Kill() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
}

Error SuiteProcess::Fault(const Message& what) const {
  return GraderError(last_messages_.empty() ? what : say::suite_with_last_words(what, last_messages_),
                     say::suite_fault_of_grader());
}

bool SuiteProcess::Computes() const {
  // "PID (NAME) STATE …", and the name may be anything.
  const std::string status = ReadFile("/proc/" + std::to_string(pid_) + "/stat").value_or("");
  const std::size_t name = status.rfind(')');
  return name != std::string::npos && status.substr(name, 3) == ") R";
}

Result<bool> SuiteProcess::PollOnce(Clock::time_point deadline, std::chrono::milliseconds longest) {
  std::array<pollfd, 2> waits = {pollfd{results_.get(), POLLIN, 0}, pollfd{messages_.get(), POLLIN, 0}};
  if (!results_ && !messages_) return false;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  if (left <= 0) return Fault(say::suite_not_in_time());
  const int ready =
      ::poll(waits.data(), waits.size(), static_cast<int>(std::min<long long>(left, longest.count())));
  if (ready < 0 && errno != EINTR) return Fault(say::waiting_for_suite_failed(strerror(errno)));
  if (ready <= 0) return true;
  if (waits[0].revents != 0) {
    const std::size_t before = buffered_.size();
    ReadSome(results_, buffered_);
    received_ += buffered_.size() - before;
  }
  if (waits[1].revents != 0) {
    ReadSome(messages_, last_messages_);
    if (last_messages_.size() > kKeptMessageBytes) {
      last_messages_.erase(0, last_messages_.size() - kKeptMessageBytes);
    }
  }
  if (received_ > kMaxResultBytes) return Fault(say::suite_results_too_long());
  return true;
}

Status SuiteProcess::PassLines(const std::function<Status(std::string_view)>& on_line) {
  std::size_t start = 0;
  for (std::size_t end; (end = buffered_.find('\n', std::max(start, searched_))) != std::string::npos;
       start = end + 1) {
    const Status status = on_line(std::string_view(buffered_).substr(start, end - start));
    if (!status) return Fault(status.error().message);
  }
  buffered_.erase(0, start);
  searched_ = buffered_.size();
  if (buffered_.size() > kMaxLineBytes) return Fault(say::suite_line_too_long());
  return Unit{};
}

Status SuiteProcess::Reap() {
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0) {
    if (errno != EINTR) return Fault(say::suite_end_unknown(strerror(errno)));
  }
  pid_ = -1;
  if (WIFSIGNALED(status)) {
    return Fault(say::suite_ended_by_signal(WTERMSIG(status), strsignal(WTERMSIG(status))));
  }
  if (WEXITSTATUS(status) != 0) return Fault(say::suite_ended_with_status(WEXITSTATUS(status)));
  return Unit{};
}

Status SuiteProcess::ReadLines(Clock::time_point deadline,
                               const std::function<Status(std::string_view)>& on_line,
                               const std::function<void()>& on_second) {
  constexpr std::chrono::seconds kSecond{1}, kMinute{60};
  auto next = Clock::now() + kSecond;
  while (true) {
    const auto more = PollOnce(deadline, on_second ? kSecond : kMinute);
    if (!more) return more.error();
    if (auto status = PassLines(on_line); !status) return status;
    if (on_second && Clock::now() >= next) {
      on_second();
      next = Clock::now() + kSecond;
    }
    if (!*more) break;
  }
  return Reap();
}

}  // namespace warplings

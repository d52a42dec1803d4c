// SPDX-License-Identifier: Apache-2.0
#include "grader/base/program_output.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "grader/base/messages.h"
#include "grader/base/pipe.h"

namespace warplings {
namespace {

using Clock = std::chrono::steady_clock;

/// The end of a pipe that is read, and where to; closed once the other end is.
struct Stream {
  UniqueFd fd;
  std::string* text;
};

/// A part of what stands in the pipe.
void ReadSome(Stream& stream, std::size_t most) {
  std::array<char, 4096> bytes;
  const ssize_t n = ::read(stream.fd.get(), bytes.data(), bytes.size());
  if (n > 0)
    stream.text->append(bytes.data(), std::min(static_cast<std::size_t>(n), most - stream.text->size()));
  if (n == 0 || (n < 0 && errno != EINTR)) stream.fd.reset();
}

/// False: the deadline passed before the other ends were closed.
bool ReadUntil(std::array<Stream, 2> streams, Clock::time_point deadline, std::size_t most) {
  for (;;) {
    std::array<pollfd, 2> waits;
    for (std::size_t i = 0; i < waits.size(); ++i) waits[i] = {streams[i].fd.get(), POLLIN, 0};
    if (waits[0].fd < 0 && waits[1].fd < 0) return true;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) return false;
    const int ready =
        ::poll(waits.data(), waits.size(), static_cast<int>(std::min<std::int64_t>(left.count(), 60'000)));
    if (ready < 0 && errno != EINTR) return false;
    for (std::size_t i = 0; ready > 0 && i < waits.size(); ++i) {
      if (waits[i].revents != 0) ReadSome(streams[i], most);
    }
  }
}

/// A program may close its output and go on: waits for its end, too.
bool WaitUntil(pid_t child, Clock::time_point deadline, int& status) {
  for (std::chrono::milliseconds pause{1};; pause = std::min(2 * pause, std::chrono::milliseconds{50})) {
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child) return true;
    if (ended < 0 && errno != EINTR) return true;
    if (Clock::now() >= deadline) return false;
    const timespec time{0, static_cast<long>(pause.count()) * 1'000'000};
    ::nanosleep(&time, nullptr);
  }
}

void Kill(pid_t child, int& status) {
  ::kill(child, SIGKILL);
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

Result<ProgramOutput> CaptureOutput(const std::vector<std::string>& words, ErrorText errors,
                                    CaptureLimits limits) {
  auto out = MakePipe(), err = errors == ErrorText::kKept ? MakePipe() : Result<Pipe>(Pipe{});
  for (const auto* pipe : {&out, &err}) {
    if (!*pipe) return pipe->error();
  }
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out->write.get(), STDOUT_FILENO);
  if (errors == ErrorText::kKept) {
    posix_spawn_file_actions_adddup2(&actions, err->write.get(), STDERR_FILENO);
  } else if (errors == ErrorText::kDropped) {
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  }
  pid_t child = 0;
  const int failed = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  out->write.reset();
  err->write.reset();
  if (failed != 0) return GraderError(say::cannot_start_program(words[0], std::strerror(failed)));

  const Clock::time_point deadline = Clock::now() + limits.time;
  ProgramOutput output;
  int status = 0;
  output.timed_out =
      !ReadUntil({{{std::move(out->read), &output.text}, {std::move(err->read), &output.errors}}}, deadline,
                 limits.bytes) ||
      !WaitUntil(child, deadline, status);
  if (output.timed_out) Kill(child, status);
  output.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return output;
}

}  // namespace warplings

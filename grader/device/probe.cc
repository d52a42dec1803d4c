// SPDX-License-Identifier: Apache-2.0
#include "grader/device/probe.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "grader/base/unique_fd.h"

namespace warplings {
namespace {

/// A driver that has to wake its card takes seconds.
constexpr std::chrono::seconds kPatience{20};

/// What comes through `fd` until its end or the deadline.
std::string ReadUntil(int fd, std::chrono::steady_clock::time_point deadline) {
  std::string text;
  std::array<char, 4096> bytes;
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd wait{fd, POLLIN, 0};
    if (left.count() <= 0 || ::poll(&wait, 1, static_cast<int>(left.count())) <= 0) return text;
    const ssize_t n = ::read(fd, bytes.data(), bytes.size());
    if (n <= 0 || text.size() > bytes.size()) return text;
    text.append(bytes.data(), static_cast<std::size_t>(n));
  }
}

/// First line and the rest.
std::pair<std::string, std::string> SplitLine(const std::string& text) {
  const std::size_t end = text.find('\n');
  if (end == std::string::npos) return {text, ""};
  std::string rest = text.substr(end + 1);
  while (rest.ends_with('\n')) rest.pop_back();
  return {text.substr(0, end), rest};
}

}  // namespace

bool MayHaveCard() {
  // Whoever hides the cards from CUDA hides them from us.
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  if (visible != nullptr && (*visible == '\0' || std::strcmp(visible, "-1") == 0)) return false;
  return ::access("/dev/nvidiactl", F_OK) == 0 || ::access("/dev/dxg", F_OK) == 0;
}

Result<FoundCard> ParseFoundCard(const std::string& line) {
  FoundCard card;
  const char* end = line.data() + line.size();
  const auto [stop, fault] = std::from_chars(line.data(), end, card.capability);
  if (fault != std::errc() || stop == end || *stop != ' ' || card.capability <= 0) {
    return GraderError("the device program describes no card: " + line);
  }
  card.name.assign(stop + 1, end);
  return card;
}

Result<FoundCard> ProbeCard(const std::filesystem::path& device_program, int ordinal) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return GraderError(std::string("no pipe: ") + std::strerror(errno));
  UniqueFd out(ends[0]), in(ends[1]);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.get(), STDOUT_FILENO);
  const std::string path = device_program.string(), spec = "gpu:" + std::to_string(ordinal);
  std::array<std::string, 3> words = {path, "--describe", spec};
  std::array<char*, 4> argv = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  pid_t child = 0;
  const int failed = ::posix_spawn(&child, path.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  in.reset();
  if (failed != 0)
    return GraderError("cannot run " + path + ": " + std::strerror(failed), "Build Warplings again.");

  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  const auto [first, rest] = SplitLine(ReadUntil(out.get(), deadline));
  if (std::chrono::steady_clock::now() >= deadline) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return ParseFoundCard(first);
  if (WIFEXITED(status) && !first.empty()) return GraderError(first, rest);
  return GraderError("the NVIDIA driver hangs or crashes",
                     "See what nvidia-smi says; use --device virtual meanwhile.");
}

}  // namespace warplings

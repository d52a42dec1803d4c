// SPDX-License-Identifier: Apache-2.0
#include "grader/gradebook/class_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <thread>

namespace warplings {
namespace {

Error CannotLock(const std::filesystem::path& file, int fault) {
  return UsageError("cannot write " + file.string() + ": " + std::strerror(fault),
                    "Name a folder with --out that you may write to.");
}

Error IsHeld(const std::filesystem::path& folder, int fd) {
  char text[32] = {};
  const ssize_t size = ::pread(fd, text, sizeof text - 1, 0);
  const std::string holder = size > 0 ? " (process " + std::string(text) + ")" : "";
  return UsageError("another `warplings grade` is writing to " + folder.string() + holder,
                    "Wait for its end, or name another folder with --out.");
}

}  // namespace

Result<ClassLock> ClassLock::Take(const std::filesystem::path& folder, std::chrono::milliseconds patience) {
  const std::filesystem::path file = folder / ".lock";
  UniqueFd fd(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (!fd) return CannotLock(file, errno);
  const auto end = std::chrono::steady_clock::now() + patience;
  while (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return CannotLock(file, errno);
    if (std::chrono::steady_clock::now() >= end) return IsHeld(folder, fd.get());
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  // Only for the message above; a full disk is not noticed here.
  const std::string holder = std::to_string(::getpid());
  [[maybe_unused]] const bool told =
      ::ftruncate(fd.get(), 0) == 0 && ::pwrite(fd.get(), holder.data(), holder.size(), 0) > 0;
  return ClassLock(std::move(fd));
}

}  // namespace warplings

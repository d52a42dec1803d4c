// SPDX-License-Identifier: Apache-2.0
#include "grader/gradebook/class_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <thread>

#include "grader/base/messages.h"
#include "grader/messages/class.h"

namespace warplings {
namespace {

Error CannotLock(const std::filesystem::path& file, int fault) {
  return UsageError(say::cannot_write(file.string(), std::strerror(fault)), say::name_writable_out());
}

Error IsHeld(const std::filesystem::path& folder, int fd) {
  char text[32] = {};
  const ssize_t size = ::pread(fd, text, sizeof text - 1, 0);
  return UsageError(size > 0 ? say::process_grades_into(folder.string(), std::string(text))
                             : say::another_grades_into(folder.string()),
                    say::wait_until_it_ends());
}

/// Waits for the lock, as long as patience lasts.
Status Lock(int fd, int how, const std::filesystem::path& folder, const std::filesystem::path& file,
            std::chrono::milliseconds patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (::flock(fd, how | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return CannotLock(file, errno);
    if (std::chrono::steady_clock::now() >= end) return IsHeld(folder, fd);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return Unit{};
}

}  // namespace

Result<ClassLock> ClassLock::Take(const std::filesystem::path& folder, std::chrono::milliseconds patience) {
  const std::filesystem::path file = folder / ".lock";
  UniqueFd fd(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (!fd) return CannotLock(file, errno);
  if (const Status locked = Lock(fd.get(), LOCK_EX, folder, file, patience); !locked) return locked.error();
  // Only for the message above; a full disk is not noticed here.
  const std::string holder = std::to_string(::getpid());
  [[maybe_unused]] const bool told =
      ::ftruncate(fd.get(), 0) == 0 && ::pwrite(fd.get(), holder.data(), holder.size(), 0) > 0;
  return ClassLock(std::move(fd));
}

Result<ClassLock> ClassLock::TakeToRead(const std::filesystem::path& folder,
                                        std::chrono::milliseconds patience) {
  const std::filesystem::path file = folder / ".lock";
  UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!fd && errno == ENOENT) return ClassLock(std::move(fd));
  if (!fd) return UsageError(say::cannot_read_file(file.string(), std::strerror(errno)));
  if (const Status locked = Lock(fd.get(), LOCK_SH, folder, file, patience); !locked) return locked.error();
  return ClassLock(std::move(fd));
}

}  // namespace warplings

// SPDX-License-Identifier: Apache-2.0
#include "grader/sandbox/confine.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <thread>

namespace warplings::sandbox {
namespace {

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

/// Exit status of a child that confines itself and then does `what`: 0 where it says true; 100 where it could
/// not be confined.
int InConfinedChild(SeccompProfile profile, std::uint64_t more, const std::function<bool()>& what) {
  const pid_t child = fork();
  if (child == 0) _exit(ConfineThisProcess(profile, more).ok() ? (what() ? 0 : 1) : 100);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool IsRefused(long result) {
  return result < 0 && errno == EPERM;
}

TEST(Confine, ADeviceComputesWithThreadsAndSharesMemory) {
  EXPECT_EQ(InConfinedChild(SeccompProfile::kDevice, kGiB,
                            [] {
                              int sum = 0;
                              std::thread other([&] { sum = 3; });
                              other.join();
                              const int fd = memfd_create("shared", MFD_CLOEXEC | MFD_ALLOW_SEALING);
                              if (fd < 0 || ftruncate(fd, 4096) != 0) return false;
                              void* shared = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
                              return sum == 3 && shared != MAP_FAILED;
                            }),
            0);
}

TEST(Confine, ADeviceReachesNothingElse) {
  EXPECT_EQ(InConfinedChild(SeccompProfile::kDevice, 0,
                            [] {
                              char* const nothing[] = {nullptr};
                              return IsRefused(open("/etc/passwd", O_RDONLY)) &&
                                     IsRefused(socket(AF_UNIX, SOCK_STREAM, 0)) &&
                                     IsRefused(execve("/bin/true", nothing, nothing)) && IsRefused(fork()) &&
                                     IsRefused(kill(getppid(), SIGTERM)) && IsRefused(unlink("/nonexistent"));
                            }),
            0);
}

TEST(Confine, ADevicesMemoryIsNeverCode) {
  EXPECT_EQ(InConfinedChild(SeccompProfile::kDevice, 0,
                            [] {
                              constexpr int kAnonymous = MAP_PRIVATE | MAP_ANONYMOUS;
                              void* code = mmap(nullptr, 4096, PROT_READ | PROT_EXEC, kAnonymous, -1, 0);
                              if (code != MAP_FAILED || errno != EPERM) return false;
                              void* data = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, kAnonymous, -1, 0);
                              return data != MAP_FAILED &&
                                     IsRefused(mprotect(data, 4096, PROT_READ | PROT_EXEC));
                            }),
            0);
}

TEST(Confine, AddressesBeyondThoseThatStandHaveALimit) {
  EXPECT_EQ(InConfinedChild(SeccompProfile::kDevice, kGiB,
                            [] {
                              const auto map = [](std::size_t bytes) {
                                return mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
                              };
                              return map(kGiB / 2) != MAP_FAILED && map(kGiB) == MAP_FAILED &&
                                     errno == ENOMEM;
                            }),
            0);
}

TEST(Confine, ACardsDriverOpensFilesButStartsNoProgram) {
  EXPECT_EQ(InConfinedChild(SeccompProfile::kCard, 0,
                            [] {
                              char* const nothing[] = {nullptr};
                              return open("/dev/null", O_RDWR) >= 0 && socket(AF_UNIX, SOCK_STREAM, 0) >= 0 &&
                                     IsRefused(execve("/bin/true", nothing, nothing));
                            }),
            0);
}

}  // namespace
}  // namespace warplings::sandbox

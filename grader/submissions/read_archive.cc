// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <clocale>
#include <csignal>
#include <cstring>
#include <optional>

#include "grader/base/unique_fd.h"
#include "grader/base/wire.h"
#include "grader/sandbox/process.h"
#include "grader/sandbox/seccomp_filter.h"
#include "grader/submissions/archive_entries.h"
#include "grader/submissions/read_handed_in.h"

namespace warplings {
namespace {

using Bytes = std::vector<std::byte>;
using Clock = std::chrono::steady_clock;

constexpr rlim_t kCpuSeconds = 10;
constexpr rlim_t kAddressSpace = rlim_t{1} << 30;
constexpr std::chrono::seconds kPatience{30};

// --- The child -------------------------------------------------------------------------------------

void Limit(__rlimit_resource_t what, rlim_t value) {
  rlimit old{};
  if (::getrlimit(what, &old) != 0) ::_exit(3);
  const rlim_t allowed = std::min(value, old.rlim_max);
  const rlimit both{allowed, allowed};
  if (::setrlimit(what, &both) != 0) ::_exit(3);
}

/// From here on this process can read the archive, compute and answer; it cannot open anything.
void Confine(int archive, int answer, int filter) {
  Limit(RLIMIT_CPU, kCpuSeconds);
  Limit(RLIMIT_AS, kAddressSpace);
  Limit(RLIMIT_CORE, 0);
  Limit(RLIMIT_FSIZE, 0);
  sock_filter instructions[4096];
  const ssize_t got = ::pread(filter, instructions, sizeof instructions, 0);
  const auto size = static_cast<std::size_t>(got);
  if (got <= 0 || size == sizeof instructions || size % sizeof(sock_filter) != 0) ::_exit(3);
  const sock_fprog program{static_cast<unsigned short>(size / sizeof(sock_filter)), instructions};
  if (::dup2(archive, 0) < 0 || ::dup2(answer, 1) < 0 || ::close_range(2, UINT_MAX, 0) != 0) ::_exit(3);
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) ::_exit(3);
  if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) ::_exit(3);
}

[[noreturn]] void RunChild(int archive, int answer, int filter, const ReadLimits& limits) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::setlocale(LC_CTYPE, "C.UTF-8");  // Or libarchive could not give a name that the archive says is UTF-8.
  Confine(archive, answer, filter);
  const Bytes bytes = wire::Encode(ReadArchiveEntries(0, limits));
  for (std::size_t written = 0; written < bytes.size();) {
    const ssize_t n = ::write(1, bytes.data() + written, bytes.size() - written);
    if (n <= 0) ::_exit(3);
    written += static_cast<std::size_t>(n);
  }
  ::_exit(0);
}

// --- The parent ------------------------------------------------------------------------------------

/// All that comes before the end of the pipe; nothing when it is too much or takes too long.
std::optional<Bytes> ReadAnswer(int pipe, std::uintmax_t most) {
  Bytes bytes;
  const auto end = Clock::now() + kPatience;
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    pollfd ready{pipe, POLLIN, 0};
    const int polled = ::poll(&ready, 1, static_cast<int>(std::max<long>(left, 0)));
    if (polled < 0 && errno == EINTR) continue;
    if (polled <= 0) return std::nullopt;
    std::byte piece[64 << 10];
    const ssize_t got = ::read(pipe, piece, sizeof piece);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) return bytes;
    bytes.insert(bytes.end(), piece, piece + got);
    if (bytes.size() > most) return std::nullopt;
  }
}

std::string DescribeEnd(int status) {
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) return "it takes too long to read";
  if (WIFSIGNALED(status)) return "reading it ended in " + sandbox::DescribeSignal(WTERMSIG(status));
  return "it cannot be read";
}

HandedIn Broken(const std::string& why) {
  return {{}, "the archive is not usable: " + why};
}

}  // namespace

HandedIn ReadArchive(const std::filesystem::path& file, const ReadLimits& limits) {
  const UniqueFd archive(::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!archive) return Broken(std::strerror(errno));
  struct stat status {};
  if (::fstat(archive.get(), &status) != 0 || !S_ISREG(status.st_mode))
    return Broken("it is no ordinary file");
  if (status.st_size == 0) return Broken("it is empty");
  const auto filter = sandbox::MakeSeccompFilter(sandbox::SeccompProfile::kWorker);
  if (!filter) return Broken(filter.error().message);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return Broken(std::strerror(errno));
  UniqueFd in(ends[0]), out(ends[1]);

  const pid_t child = ::fork();
  if (child < 0) return Broken(std::strerror(errno));
  if (child == 0) RunChild(archive.get(), out.get(), filter->get(), limits);
  out.reset();
  constexpr std::uintmax_t kRoomForPaths = 64u << 20;
  const auto answer = ReadAnswer(in.get(), limits.kept_bytes + kRoomForPaths);
  if (!answer) ::kill(child, SIGKILL);
  int wait_status = 0;
  while (::waitpid(child, &wait_status, 0) < 0 && errno == EINTR) {
  }
  if (!answer || !WIFEXITED(wait_status) || WEXITSTATUS(wait_status) != 0)
    return Broken(DescribeEnd(wait_status));
  auto handed_in = wire::Decode<HandedIn>(*answer);
  return handed_in ? std::move(*handed_in) : Broken("it cannot be read");
}

}  // namespace warplings

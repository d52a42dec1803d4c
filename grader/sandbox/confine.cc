// SPDX-License-Identifier: Apache-2.0
#include "grader/sandbox/confine.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "grader/messages/sandbox.h"
#include "grader/sandbox/seccomp_filter.h"

namespace warplings::sandbox {
namespace {

Error ConfineError(const std::string& step) {
  return GraderError(say::cannot_be_confined(step, std::strerror(errno)), say::kernel_needs_seccomp());
}

/// Bytes of all mappings, touched or not: the first field of statm (proc_pid_statm(5)), which counts pages.
std::optional<std::uint64_t> MappedBytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t pages = 0;
  if (!(file >> pages)) return std::nullopt;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

bool Limit(__rlimit_resource_t resource, rlim_t value) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0) return false;
  // A stricter limit that stands already is kept: an ordinary user cannot raise it.
  limit.rlim_max = std::min(limit.rlim_max, value);
  limit.rlim_cur = std::min(limit.rlim_cur, limit.rlim_max);
  return setrlimit(resource, &limit) == 0;
}

Status InstallFilter(int file) {
  struct stat status {};
  if (fstat(file, &status) != 0) return ConfineError("the system call filter");
  std::vector<sock_filter> instructions(static_cast<std::size_t>(status.st_size) / sizeof(sock_filter));
  const std::size_t bytes = instructions.size() * sizeof(sock_filter);
  if (pread(file, instructions.data(), bytes, 0) != static_cast<ssize_t>(bytes)) {
    return ConfineError("the system call filter");
  }
  const sock_fprog program{static_cast<unsigned short>(instructions.size()), instructions.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return ConfineError("PR_SET_NO_NEW_PRIVS");
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) return ConfineError("PR_SET_SECCOMP");
  return Unit{};
}

}  // namespace

Status ConfineThisProcess(SeccompProfile profile, std::uint64_t more_address_space) {
  auto filter = MakeSeccompFilter(profile);
  if (!filter) return filter.error();
  if (!Limit(RLIMIT_CORE, 0)) return ConfineError("RLIMIT_CORE");
  if (more_address_space != 0) {
    const auto mapped = MappedBytes();
    if (!mapped) return ConfineError("/proc/self/statm");
    if (!Limit(RLIMIT_AS, *mapped + more_address_space)) return ConfineError("RLIMIT_AS");
  }
  return InstallFilter(filter->get());
}

}  // namespace warplings::sandbox

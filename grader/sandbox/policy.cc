// SPDX-License-Identifier: Apache-2.0
#include "grader/sandbox/policy.h"

#include <algorithm>
#include <array>
#include <span>
#include <system_error>

namespace warplings::sandbox {

namespace fs = std::filesystem;

namespace {

/// The folders that a compiler of the distribution needs. /usr/local, /usr/src and /usr/share are left out
/// because a workbook could be in one of them.
constexpr std::array kSystemFolders = {
    "/usr/bin",     "/usr/include",         "/usr/lib", "/usr/lib32", "/usr/lib64",
    "/usr/libexec", "/usr/x86_64-linux-gnu"};

/// Links that distributions with a merged /usr have in the root.
constexpr std::array kRootFolders = {"bin", "lib", "lib32", "lib64"};

/// The same, as far as a program needs them to be loaded.
constexpr std::array kLibraryFolders = {"/usr/lib", "/usr/lib64"};
constexpr std::array kRootLibraryFolders = {"lib", "lib64"};

bool IsWithin(const fs::path& path, const fs::path& folder) {
  auto [end, rest] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

void AddFolders(Policy& policy, std::span<const char* const> folders,
                std::span<const char* const> root_folders) {
  std::error_code ignored;
  for (const char* folder : folders) {
    if (fs::is_directory(folder, ignored)) policy.binds.push_back({folder, folder});
  }
  for (const char* name : root_folders) {
    fs::path path = fs::path("/") / name;
    if (fs::is_symlink(path, ignored)) {
      policy.links.emplace_back(fs::read_symlink(path, ignored).string(), path.string());
    } else if (fs::is_directory(path, ignored)) {
      policy.binds.push_back({path, path});
    }
  }
}

}  // namespace

Policy CompilePolicy(const std::vector<fs::path>& toolchain_folders) {
  Policy policy;
  AddFolders(policy, kSystemFolders, kRootFolders);
  // Debian's g++ may be chosen by a link that leads through here.
  std::error_code ignored;
  if (fs::is_directory("/etc/alternatives", ignored)) {
    policy.binds.push_back({"/etc/alternatives", "/etc/alternatives"});
  }
  for (const fs::path& folder : toolchain_folders) {
    bool seen = std::any_of(policy.binds.begin(), policy.binds.end(),
                            [&](const ReadOnlyBind& bind) { return IsWithin(folder, bind.target); });
    if (!seen) policy.binds.push_back({folder, folder});
  }
  policy.null_device = true;
  policy.working_directory = "/tmp";
  policy.environment = {{"LC_ALL", "C.UTF-8"}, {"TMPDIR", "/tmp"}, {"HOME", "/tmp"}};
  policy.limits = {
      // Processor time is what ends a bomb, the same on a busy machine; one with all of Thrust needs 10 s. No
      // compiler waits for anything, so the clock on the wall measures how busy the machine is: where twenty
      // others compile, an honest file takes minutes.
      .wall = std::chrono::minutes(15),
      .cpu = std::chrono::seconds(20),
      // A bomb can go off in each of six programs that run one after the other. The file with all of Thrust
      // needs 15 s in all of them.
      .cpu_in_all = kCompilationTime,
      // cicc and cc1plus of a file with all of Thrust in it stay below 2 GiB.
      .address_space_bytes = std::uint64_t{4} << 30,
      .file_bytes = std::uint64_t{256} << 20,
      .stack_bytes = std::uint64_t{64} << 20,
      .scratch_bytes = std::uint64_t{512} << 20,
      .output_bytes = std::uint64_t{256} << 10,
      .open_files = 256,
  };
  policy.seccomp = SeccompProfile::kCompiler;
  return policy;
}

Policy WorkerPolicy(const fs::path& program) {
  Policy policy;
  policy.binds.push_back({program, kWorkerProgram});
  policy.limits = {
      .wall = std::chrono::minutes(30),  // The judge has a limit of its own for each call.
      .cpu = std::chrono::minutes(10),
      .address_space_bytes = std::uint64_t{4} << 30,
      .file_bytes = 0,
      .stack_bytes = std::uint64_t{8} << 20,
      .scratch_bytes = 0,
      .output_bytes = std::uint64_t{64} << 10,
      .open_files = 64,
  };
  policy.seccomp = SeccompProfile::kWorker;
  return policy;
}

Policy ReaderPolicy(const fs::path& program) {
  Policy policy;
  AddFolders(policy, kLibraryFolders, kRootLibraryFolders);
  policy.binds.push_back({program, kReaderProgram});
  policy.limits = {
      // Processor time is what ends a bomb, as with a compiler.
      .wall = std::chrono::minutes(5),
      .cpu = std::chrono::seconds(10),
      .address_space_bytes = std::uint64_t{1} << 30,
      // Of the memory file in which ConfineThisProcess makes a filter: there is no other to be written.
      .file_bytes = std::uint64_t{64} << 10,
      .stack_bytes = std::uint64_t{8} << 20,
      .scratch_bytes = 0,
      .output_bytes = std::uint64_t{64} << 10,
      .open_files = 64,
  };
  policy.seccomp = SeccompProfile::kReader;
  return policy;
}

}  // namespace warplings::sandbox

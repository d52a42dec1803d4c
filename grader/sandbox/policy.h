// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

/// Theory of operation.
///
/// Two kinds of programs are not trusted: the compiler while it reads a student's file (which may
/// #include or .incbin whatever it can see, and may be written to never end), and the worker, which
/// holds the student's code. Each runs in a sandbox that is described here, as data; bubblewrap.cc
/// turns the description into bwrap's command line, seccomp_filter.cc into a filter, and process.cc
/// starts it, bounds it and waits for it.
///
///     us ── fork ─▶ rlimits, descriptors ─ exec ─▶ bwrap (monitor) ─▶ bwrap (pid 1) ─▶ the program
///      ▲                                             │ json status                        │ 1, 2
///      └─────────────── did the program run, and how did it end? ──┴──── one bounded pipe ┘
///
/// The monitor dies with us, pid 1 with the monitor, everything else with pid 1. That the sandbox
/// failed (an Error that blames the grader) and that the program failed (a ProgramEnd) are different
/// things: bwrap's status channel, which the program does not have, says which it was.
namespace warplings::sandbox {

enum class SeccompProfile {
  kCompiler,  ///< All but what leaves the sandbox or inspects it: sockets, ptrace, mounts, keys, …
  kWorker,    ///< Nothing but what one thread needs to compute, print and talk over its sockets.
  kDevice,    ///< What threads need to compute and to share memory over sockets that stand; no file, no
              ///< program.
  kCard,      ///< As much as a card's driver asks for; no other process, no mount, no program.
};

/// A file or folder of the host that is visible, read-only, at `target`.
struct ReadOnlyBind {
  std::filesystem::path source;
  std::filesystem::path target;
};

struct Limits {
  std::chrono::milliseconds wall{10'000};
  std::chrono::seconds cpu{10};           ///< Per process.
  std::uint64_t address_space_bytes = 0;  ///< Per process; 0: no limit.
  std::uint64_t file_bytes = 0;           ///< Of one written file; 0: not one byte.
  std::uint64_t stack_bytes = 8u << 20;
  std::uint64_t scratch_bytes = 0;         ///< Of the tmpfs at /tmp; 0: there is none.
  std::uint64_t output_bytes = 64u << 10;  ///< Of standard output and error together.
  unsigned open_files = 64;
};

/// What a sandboxed program sees and may do. Anything not listed is not there: no network, no /proc,
/// no /sys, no home, and of /dev at most `null`.
struct Policy {
  std::vector<ReadOnlyBind> binds;
  std::vector<std::pair<std::string, std::string>> links;  ///< {what it says, where it stands}.
  std::vector<std::pair<std::string, std::string>> environment;
  bool null_device = false;
  std::string working_directory = "/";
  Limits limits;
  SeccompProfile seccomp = SeccompProfile::kWorker;
};

/// For nvcc, nm and the linker. Sees the system's compilers and headers and `toolchain_folders` (the
/// CUDA toolkit, a host compiler of its own prefix); /tmp is scratch and the working directory.
/// Nothing of /home, /etc, /var or the workbook, wherever that is, unless a caller lists it.
Policy CompilePolicy(const std::vector<std::filesystem::path>& toolchain_folders);

/// For a worker: an empty, unwritable root with the program in it.
Policy WorkerPolicy(const std::filesystem::path& program);
inline constexpr const char* kWorkerProgram = "/worker";

}  // namespace warplings::sandbox

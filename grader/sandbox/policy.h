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
/// Three kinds of programs are not trusted: the compiler while it reads a student's file (which may #include
/// or .incbin whatever it can see, and may be written to never end), the worker, which holds the student's
/// code, and our reader of archives, which gives a student's file to a large library. Each runs in a sandbox
/// that is described here as data. bubblewrap.cc turns the description into bwrap's command line,
/// seccomp_filter.cc turns it into a filter, and process.cc starts the program, enforces the limits and waits
/// for the end.
///
///     us ── fork ─▶ rlimits, descriptors ─ exec ─▶ bwrap (monitor) ─▶ bwrap (pid 1) ─▶ the program
///      ▲                                             │ json status                        │ 1, 2
///      └─────────────── did the program run, and how did it end? ──┴──── one bounded pipe ┘
///
/// The monitor dies with us, pid 1 with the monitor, everything else with pid 1. A failure of the sandbox (an
/// Error that blames the grader) is not a failure of the program (a ProgramEnd). bwrap's status channel, to
/// which the program has no access, says which of the two happened.
namespace warplings::sandbox {

enum class SeccompProfile {
  kCompiler,  ///< Everything except what leaves or inspects the sandbox: sockets, ptrace, mounts, keys, …
  kWorker,    ///< Only what one thread needs to compute, print and use its open sockets.
  kReader,    ///< As kWorker, and what loading shared libraries and confining itself to kWorker needs.
  kDevice,    ///< What threads need to compute and to share memory over open sockets; no files, no programs.
  kCard,      ///< What a GPU's driver needs; no other processes, no mounts, no programs.
};

/// A file or folder of the host that is visible, read-only, at `target` in the sandbox.
struct ReadOnlyBind {
  std::filesystem::path source;
  std::filesystem::path target;
};

struct Limits {
  std::chrono::milliseconds wall{10'000};
  std::chrono::seconds cpu{10};           ///< Per process.
  std::chrono::seconds cpu_in_all{0};     ///< Of all processes together, ended ones included; 0: no limit.
  std::uint64_t address_space_bytes = 0;  ///< Per process; 0: no limit.
  std::uint64_t file_bytes = 0;           ///< Maximum size of a written file; 0: nothing can be written.
  std::uint64_t stack_bytes = 8u << 20;
  std::uint64_t scratch_bytes = 0;         ///< Size of the tmpfs at /tmp; 0: no tmpfs.
  std::uint64_t output_bytes = 64u << 10;  ///< Standard output and error together.
  unsigned open_files = 64;
};

/// What a sandboxed program can see and do. Anything not listed is absent: no network, no /proc, no /sys, no
/// home, and at most `null` in /dev.
struct Policy {
  std::vector<ReadOnlyBind> binds;
  std::vector<std::pair<std::string, std::string>> links;  ///< Symbolic links: {target, path of the link}.
  std::vector<std::pair<std::string, std::string>> environment;
  bool null_device = false;
  std::string working_directory = "/";
  Limits limits;
  SeccompProfile seccomp = SeccompProfile::kWorker;
};

/// For nvcc, nm and the linker. They see the system's compilers and headers and `toolchain_folders` (the CUDA
/// toolkit, a host compiler in a prefix of its own). /tmp is scratch space and the working directory. Nothing
/// of /home, /etc, /var or the workbook, wherever it is, is visible unless the caller lists it.
inline constexpr std::chrono::seconds kCompilationTime{45};  ///< Processor time, all programs together.
Policy CompilePolicy(const std::vector<std::filesystem::path>& toolchain_folders);

/// For a worker: a read-only root that contains only the program.
Policy WorkerPolicy(const std::filesystem::path& program);
inline constexpr const char* kWorkerProgram = "/worker";

/// For a program of ours that reads a student's file with a library: a read-only root that contains the
/// program and the system's libraries. Before it looks at the file, it must call
/// ConfineThisProcess(SeccompProfile::kWorker, 0), after which it opens nothing more.
Policy ReaderPolicy(const std::filesystem::path& program);
inline constexpr const char* kReaderProgram = "/reader";

}  // namespace warplings::sandbox

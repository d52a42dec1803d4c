// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"

namespace warplings {

/// The compilers that the build directory was configured with, or that the launcher of an installed tree
/// found on this machine. Submissions are compiled with these, whatever is on PATH now.
struct ConfiguredToolchain {
  std::filesystem::path nvcc;           ///< Empty: not configured; it is searched for.
  std::filesystem::path host_compiler;  ///< A g++ that this nvcc accepts. Empty: g++ from PATH.
  std::filesystem::path linker;         ///< The C++ compiler of the project. Empty: g++ from PATH.
  /// The only acceptable major version of CUDA, 12 or 13, because a build directory has the runtime for that
  /// version only. 0: any.
  int cuda_major = 0;
};
/// The configured toolchain of the tree that the running program belongs to.
ConfiguredToolchain ThisTreesToolchain();

/// The compilers that turn a submission into a worker.
struct Toolchain {
  /// Path with symbolic links resolved, because nvcc's headers are found relative to it.
  std::filesystem::path nvcc;
  /// Folder with bin/, include/ and nvvm/; "/usr" for a distribution's package.
  std::filesystem::path toolkit;
  std::filesystem::path host_compiler;  ///< The g++ that nvcc uses for host code.
  /// The g++ that links workers; not older than the compiler that built our archives.
  std::filesystem::path linker;
  int cuda_major = 0;  ///< nvcc's major version by the configuration; 0: unknown, ask nvcc.

  /// Folders, other than the system's own, that a compilation must see.
  std::vector<std::filesystem::path> Folders() const;
  /// The value of PATH inside the sandbox.
  std::string ProgramFolders() const;
  /// A string that changes when a compiler, or one of nvcc's parts, is replaced. Made of paths, sizes and
  /// modification times, which are cheap to read.
  std::string Identity() const;
};

/// Finds the configured compilers. If the configured nvcc no longer exists, as in a tree that was copied to
/// another machine, takes nvcc from PATH, CUDA_HOME, /usr/local/cuda or the virtual environment in
/// `root`/.venv, in this order, and g++ from PATH. A grader error says which one is missing or has the wrong
/// version, and what to do.
Result<Toolchain> FindToolchain(const std::filesystem::path& root,
                                const ConfiguredToolchain& configured = ThisTreesToolchain(),
                                const std::filesystem::path& default_toolkit = "/usr/local/cuda");

/// A version that `nvcc --version` prints, such as 13.0 from "… release 13.0, V13.0.88". ParseNvccVersion
/// returns nothing if the text does not contain one.
struct CompilerVersion {
  int major = 0, minor = 0;
  friend auto operator<=>(const CompilerVersion&, const CompilerVersion&) = default;
};
std::optional<CompilerVersion> ParseNvccVersion(std::string_view text);

/// Runs `nvcc --version`, in the compile sandbox.
Result<CompilerVersion> AskNvccVersion(const Toolchain& toolchain);
inline constexpr CompilerVersion kOldestNvcc{12, 0};

/// An error, of one line, if this nvcc is too old or its major version is not the one the tree was built for
/// (0: any).
Status CheckNvccVersion(const Toolchain& toolchain, CompilerVersion version, int cuda_major);

/// The major version, 12 or 13, of the runtime that submissions are linked with. Runs nvcc only if the
/// configuration does not say.
Result<int> CudaMajor(const Toolchain& toolchain);

/// The compute capabilities that nvcc can compile for (80 is 8.0), in ascending order. Runs `nvcc
/// --list-gpu-code` in the compile sandbox.
Result<std::vector<int>> AskCapabilities(const Toolchain& toolchain);
/// Parses its output, one "sm_80" per line.
std::vector<int> ParseCapabilities(std::string_view text);

/// Searches a PATH-like list of folders for a program; relative folders are ignored.
std::optional<std::filesystem::path> FindOnPath(const std::string& name, const std::string& path_list);

}  // namespace warplings

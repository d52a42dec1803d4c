// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"

namespace warplings {

/// What a build directory was configured with, or what the launcher of an installed tree found on this
/// machine. This compiler is used for submissions, whatever PATH names today.
struct ConfiguredToolchain {
  std::filesystem::path nvcc;           ///< Empty: none; it is searched for.
  std::filesystem::path host_compiler;  ///< A g++ that this nvcc accepts. Empty: g++ from PATH.
  std::filesystem::path linker;         ///< The C++ compiler of the project. Empty: g++ from PATH.
  /// 12 or 13, and no other will do: a build directory has the runtime of this one for submissions. 0: any.
  int cuda_major = 0;
};
/// Of the tree that this program was built in or installed to.
ConfiguredToolchain ThisTreesToolchain();

/// The compilers that turn a submission into a worker.
struct Toolchain {
  std::filesystem::path nvcc;     ///< The real program, links followed: its headers stand beside it.
  std::filesystem::path toolkit;  ///< Folder with bin/, include/ and nvvm/; "/usr" for a distribution's.
  std::filesystem::path host_compiler;  ///< The g++ that nvcc hands host code to.
  std::filesystem::path
      linker;          ///< The g++ that links workers: it is not older than what built our archives.
  int cuda_major = 0;  ///< Of nvcc, as the configuration says; 0: not known without asking it.

  /// Folders outside the system's own that a compilation must see.
  std::vector<std::filesystem::path> Folders() const;
  /// For PATH inside the sandbox.
  std::string ProgramFolders() const;
  /// Changes when a compiler is replaced: paths, sizes and times, which costs nothing to read.
  std::string Identity() const;
};

/// The configured compilers. Where that nvcc is gone, as in a tree that was carried to another machine: nvcc
/// from PATH, CUDA_HOME, /usr/local/cuda or the virtual environment in `root`/.venv, in this order, and g++
/// from PATH. A grader error says which is missing or of the wrong version, and what to do.
Result<Toolchain> FindToolchain(const std::filesystem::path& root,
                                const ConfiguredToolchain& configured = ThisTreesToolchain(),
                                const std::filesystem::path& default_toolkit = "/usr/local/cuda");

/// "13.0" from what `nvcc --version` prints ("… release 13.0, V13.0.88"); nothing if it is not there.
struct CompilerVersion {
  int major = 0, minor = 0;
  friend auto operator<=>(const CompilerVersion&, const CompilerVersion&) = default;
};
std::optional<CompilerVersion> ParseNvccVersion(std::string_view text);

/// Runs `nvcc --version`, in the compile sandbox.
Result<CompilerVersion> AskNvccVersion(const Toolchain& toolchain);
inline constexpr CompilerVersion kOldestNvcc{12, 0};

/// An error in one line if this nvcc is too old, or of another major version than the tree was built for (0:
/// any).
Status CheckNvccVersion(const Toolchain& toolchain, CompilerVersion version, int cuda_major);

/// 12 or 13: whose runtime a submission is linked with. Runs nvcc only where the configuration does not say.
Result<int> CudaMajor(const Toolchain& toolchain);

/// The compute capabilities that nvcc compiles for, 80 for 8.0, in rising order; by `nvcc --list-gpu-code`,
/// in the compile sandbox.
Result<std::vector<int>> AskCapabilities(const Toolchain& toolchain);
/// From what that prints, a "sm_80" a line.
std::vector<int> ParseCapabilities(std::string_view text);

/// A program of this name in a PATH-like list of folders; only absolute folders count.
std::optional<std::filesystem::path> FindOnPath(const std::string& name, const std::string& path_list);

}  // namespace warplings

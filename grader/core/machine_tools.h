// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

namespace warplings {

/// The tools that the launcher of an installed tree found on this machine, read from a file of lines like
/// "nvcc=/usr/local/cuda/bin/nvcc". A build directory has no such file, because its configuration knows the
/// tools already.
struct MachineTools {
  std::filesystem::path nvcc;           ///< Empty if the file is missing or does not name it.
  std::filesystem::path host_compiler;  ///< The g++ that this nvcc accepts.
  std::filesystem::path linker;         ///< The g++ that links workers.
  std::filesystem::path python;  ///< Python 3 with Jinja2 and Pygments; searched only when it is needed.
  int cuda_major = 0;            ///< nvcc's major version; 0: unknown.
};

/// Paths where that file may be, in search order: in the installed tree, for all users of the machine, then
/// in the user's data folder, which is used if the tree is read-only.
std::vector<std::filesystem::path> MachineToolFiles(const std::filesystem::path& programs);

/// Reads the first of those files whose nvcc still exists; all members are empty if there is none. `programs`
/// is PREFIX/lib/warplings.
MachineTools ReadMachineTools(const std::filesystem::path& programs);

}  // namespace warplings

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

namespace warplings {

/// What the launcher of an installed tree found on this machine, in lines like
/// "nvcc=/usr/local/cuda/bin/nvcc". A build directory needs no such file: its programs were compiled for that
/// machine.
struct MachineTools {
  std::filesystem::path nvcc;           ///< Empty: the file is missing or says nothing of it.
  std::filesystem::path host_compiler;  ///< The g++ that this nvcc accepts.
  std::filesystem::path linker;         ///< The g++ that links workers.
  std::filesystem::path python;  ///< Python 3 with Jinja2 and Pygments; the launcher looks when it is needed.
  int cuda_major = 0;            ///< Of nvcc; 0: unknown.
};

/// Where that file may be, in the order in which they are looked at: in the installed tree, for all users of
/// the machine, and in the user's data folder, where the tree may not be written to.
std::vector<std::filesystem::path> MachineToolFiles(const std::filesystem::path& programs);

/// Of the first of those files whose nvcc is still there; all empty where there is none. `programs` is
/// PREFIX/lib/warplings.
MachineTools ReadMachineTools(const std::filesystem::path& programs);

}  // namespace warplings

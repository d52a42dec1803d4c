// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "grader/build/nvcc_dry_run.h"
#include "grader/build/toolchain.h"

/// Theory of operation.
///
/// Every submission begins with the same megabyte of text, the headers that "cuda_runtime.h" includes: the
/// prologue. For each combination of nvcc, g++ and compute capability, a folder caches
///
///   host.ii, device.ii          its preprocessed text for host and device;
///   host.macros, device.macros  the macros that are defined after it;
///   host.h, host.h.gch          what cudafe++ makes of it, and that as a precompiled header of g++'s.
///
/// A submission is preprocessed with the cached macros in place of the prologue, and the cached text is put
/// in front. The result is identical to the preprocessor's own output, which is verified once, when the cache
/// entry is made. cudafe++ and cicc still read the whole text, because their precompiled headers do not work
/// (cudafe++ 13.0 writes one and then fails an assertion when it reads it). Their output begins with the
/// prologue's part; if that equals the cached text byte for byte, g++ uses the precompiled header.
///
/// If one of these fast steps fails or prints anything at all, nvcc's own command is run instead, so that the
/// messages are nvcc's. A message about a redefined macro, for example, would otherwise give another place
/// for its first definition.
namespace warplings {

struct Prologue {
  std::filesystem::path folder;
  NvccSteps steps;  ///< Made for the file names in nvcc_steps.h.
};

/// Path of the folder inside the sandbox.
inline constexpr const char* kPrologueFolder = "/grader/prologue";

/// Finds the prologue for this toolchain and capability below `cache`, or makes it in the compile sandbox,
/// which takes about two seconds. Nothing if that is impossible: no cache folder, no space in it, or an nvcc
/// with other steps; only the last is cached. An entry that is damaged, or whose headers
/// have changed, is made anew.
std::optional<Prologue> FindPrologue(const Toolchain& toolchain, int sm, const std::filesystem::path& cache);

/// The user's cache folder for prologues; empty if the environment does not define one.
std::filesystem::path DefaultPrologueFolder();

}  // namespace warplings

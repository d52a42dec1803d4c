// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "grader/build/nvcc_steps.h"
#include "grader/build/toolchain.h"

/// Theory of operation.
///
/// Every submission begins with the same megabyte: what "cuda_runtime.h" includes. Kept are, for one nvcc,
/// one g++ and one compute capability,
///
///   host.ii, device.ii          its text after the preprocessor, on either side;
///   host.macros, device.macros  the macros that are defined after it;
///   host.h, host.h.gch          what cudafe++ makes of it, and that as a precompiled header of g++'s.
///
/// A submission is then preprocessed with the macros in the prologue's place, and the kept text goes in
/// front: the result is the text that the preprocessor itself writes, which is tried once, when the prologue
/// is made. cudafe++ and cicc read that whole text as ever: their precompiled headers do not work
/// (cudafe++ 13.0 writes one and then fails an assertion of its own when it reads it). Their own output has
/// the prologue's part at its head; where that is the kept text to the byte, g++ takes the precompiled one.
///
/// Wherever a quick step fails or says anything at all, nvcc's own command takes its place, so that the
/// messages are nvcc's: a macro that is defined again, for example, was defined elsewhere for it.
namespace warplings {

struct Prologue {
  std::filesystem::path folder;
  NvccSteps steps;  ///< For the names of nvcc_steps.h.
};

/// Where a sandbox sees the folder.
inline constexpr const char* kPrologueFolder = "/grader/prologue";

/// The one for this toolchain and capability below `cache`; made, in the compile sandbox, where it is
/// missing, which takes some two seconds. Nothing where it cannot be had: no cache, no room in it, an nvcc of
/// other ways. That is found out once and kept, too.
std::optional<Prologue> FindPrologue(const Toolchain& toolchain, int sm, const std::filesystem::path& cache);

/// The user's cache folder for prologues; empty where the environment names none.
std::filesystem::path DefaultPrologueFolder();

}  // namespace warplings

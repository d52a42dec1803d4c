// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/build/toolchain.h"

/// Theory of operation.
///
/// nvcc is a driver: it runs seven programs one after the other, and waits for each.
///
///     host    preprocess ─▶ cudafe++ ────────────────────────────────┬─▶ g++ -c ─▶ student.o
///     device  preprocess ─▶ cicc ─▶ PTX, stub ─▶ ptxas ─▶ fatbinary ─┘
///
/// The two rows need nothing of each other before the last step, so on two cores they take the time of the
/// longer one. `nvcc --dryrun` prints the seven commands; we run these very commands, in another order, and
/// print what they say in nvcc's order, up to the first that failed. A step that ends by a signal, and an
/// nvcc whose commands do not look as expected here, go to nvcc itself.
///
/// Each of the three compilers reads a megabyte of the toolkit's headers before the student's first line, the
/// same each time. See prologue.h for which of that work is kept.
namespace warplings {

/// The command that a submission is compiled with. PTX for the virtual GPU and a cubin of the same, so that
/// ptxas' opinion (registers, shared memory, code that does not assemble) is known. -include: a definition
/// that contradicts the contract's declaration is an error even where the file does not include the contract.
std::vector<std::string> NvccCommand(const Toolchain& toolchain, int sm, const std::string& source_path,
                                     const std::string& contract_path);

/// The steps of that command for one submission, as lines for a shell.
struct NvccSteps {
  std::vector<std::pair<std::string, std::string>> environment;
  std::string preprocess_host, cudafe, preprocess_device, cicc, ptxas, fatbinary, compile_host;
};

/// The names that the dry run is made with. `ForFile` puts a submission's in their place.
inline constexpr const char* kStepsSource = "/submission/warplings_steps.cu";
inline constexpr const char* kStepsContract = "/contract/warplings_steps_contract.h";
/// Of the files between the steps, which are named after the source.
inline constexpr const char* kStepsStem = "warplings_steps";

/// From what `nvcc --dryrun --keep` prints for the names above; nothing for steps of any other shape.
std::optional<NvccSteps> ParseDryRun(std::string_view text);

/// The same steps for another source and contract. The paths must read the same between double quotes in a
/// shell, as SubmissionPath() sees to.
NvccSteps StepsFor(const NvccSteps& steps, const std::string& source_path, const std::string& contract_path);

/// A script that sets the variables that nvcc gives to its programs.
std::string ExportLines(const NvccSteps& steps);

}  // namespace warplings

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
/// The two rows do not depend on each other before the last step, so on two cores they take only as long as
/// the longer one. `nvcc --dryrun` prints the seven commands. We run exactly these commands in another order,
/// and print their messages in nvcc's order, up to the first command that failed. If a step is killed by a
/// signal, or if nvcc's commands do not look as expected here, nvcc itself is run instead.
///
/// Each of the three compilers reads the same megabyte of the toolkit's headers before the student's first
/// line. prologue.h describes which part of that work is cached.
namespace warplings {

/// The C++ that submissions are written in, for messages and for nvcc. Every CUDA from 12 on has it.
inline constexpr const char* kStandardsName = "C++17";
inline constexpr const char* kStandardsFlag = "-std=c++17";

/// A function that ends without its value does not compile: what its caller gets is undefined, and tests
/// would pass by luck. Both passes of nvcc find it before g++ does (-Wreturn-type).
inline constexpr const char* kNoMissingReturn = "-diag-error=940";

/// The command that compiles a submission. It produces PTX for the virtual GPU, and also a cubin, for what
/// only ptxas knows (registers, shared memory, code that does not assemble). -include of the contract makes a
/// definition that contradicts the contract's declaration an error even if the file does not include the
/// contract.
std::vector<std::string> NvccCommand(const Toolchain& toolchain, int sm, const std::string& source_path,
                                     const std::string& contract_path);

/// The steps of that command for one submission, as shell command lines.
struct NvccSteps {
  std::vector<std::pair<std::string, std::string>> environment;
  std::string preprocess_host, cudafe, preprocess_device, cicc, ptxas, fatbinary, compile_host;
};

/// The file names used for the dry run. StepsFor() replaces them by a submission's.
inline constexpr const char* kStepsSource = "/submission/warplings_steps.cu";
inline constexpr const char* kStepsContract = "/contract/warplings_steps_contract.h";
/// Stem of the intermediate files, which nvcc names after the source.
inline constexpr const char* kStepsStem = "warplings_steps";

/// Parses what `nvcc --dryrun --keep` prints for the names above; nothing if the steps are not those expected
/// here.
std::optional<NvccSteps> ParseDryRun(std::string_view text);

/// The same steps for another source and contract. The paths must not contain characters that a shell expands
/// between double quotes; SubmissionPath() guarantees that.
NvccSteps StepsFor(const NvccSteps& steps, const std::string& source_path, const std::string& contract_path);

/// Shell lines that export the environment variables that nvcc sets for its programs.
std::string ExportLines(const NvccSteps& steps);

}  // namespace warplings

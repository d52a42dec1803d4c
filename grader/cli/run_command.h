// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/cli/option.h"
#include "grader/device/device.h"

namespace warplings {

/// What is checked of a program besides its accesses' bounds and alignment, which always are.
enum class RunChecks {
  kNone,
  kFast,  ///< All but what follows each access to memory: no uninitialised reads, no races within a launch.
  kAll
};

/// What `run` and `cc` are told about a program that they run on the virtual GPU.
struct RunOptions {
  std::string device = "auto";
  std::string profile;   ///< File for the counts; empty: none.
  bool summary = false;  ///< Print what kernels, copies and memory came to.
  RunChecks checks = RunChecks::kAll;
  std::uint64_t sample_blocks = 0;  ///< Of each launch; 0: all blocks run.
  std::uint64_t max_instructions = ObservationOptions{}.max_warp_instructions;
  std::vector<std::string> command;  ///< Program and arguments.
  std::string source{};              ///< The file that `cc` made the program from; of others none is known.
  bool source_is_whole = true;       ///< No other file has code of the program.
};

/// The options that set them, except `command`.
std::vector<Option> DescribeRunOptions(RunOptions& options);

/// Runs the program, which was linked with -cudart shared, and prints what was found. `device_spec` is what
/// ChooseDevice made of `options.device`. Returns the exit status: the program's, or 1 if that is 0 but an
/// error was found.
int RunOnVirtualGpu(const RunOptions& options, const std::string& device_spec);

}  // namespace warplings

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "grader/base/result.h"
#include "grader/base/unique_fd.h"
#include "grader/build/prologue.h"
#include "grader/build/toolchain.h"
#include "grader/sandbox/process.h"

namespace warplings {

/// Everything that determines one worker, and therefore what its cache key is made of.
struct CompileInput {
  std::string source_path, source;      ///< Path inside the sandbox; text.
  std::string contract_path, contract;  ///< The same.
  int sm = 80;
  Toolchain toolchain;
  /// If there is one, the host and device steps of nvcc run in parallel. Not part of the cache key, because
  /// the result is the same.
  std::optional<Prologue> prologue;
  std::filesystem::path entry_archive, worker_archive, runtime_archive;

  std::string CacheKey() const;
};

/// The results of one run of the compile sandbox.
struct CompileOutput {
  enum class Stage { kCompile, kSymbols, kLink, kDone };
  /// kDone on success; otherwise the step that failed or was running when a limit was reached.
  Stage failed_in = Stage::kDone;
  sandbox::ProgramEnd end;
  std::string compiler_output;  ///< Messages of nvcc and the programs it runs.
  std::string linker_output;
  std::string symbols_of_entry, symbols_of_source;  ///< Output of `nm -P`.
  bool symbols_are_cut = false;                     ///< There were more than the limit; the rest is missing.
  UniqueFd worker;                                  ///< A memory file.
  std::uint64_t worker_bytes = 0;
  std::string
      image;  ///< SHA-256 of the fat binary that nvcc made (WorkerProgram::image); "" if it made none.
  /// The headers that were read (header_list.h); nothing if there were more than can be listed.
  std::optional<std::string> headers;
};

/// Runs nvcc, nm and the static link in one sandbox. An Error blames the grader.
Result<CompileOutput> RunCompile(const CompileInput& input);

}  // namespace warplings

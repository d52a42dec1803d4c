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

/// All that goes into one worker; a cache key is made of these and nothing else.
struct CompileInput {
  std::string source_path, source;      ///< Inside the sandbox; text.
  std::string contract_path, contract;  ///< Likewise.
  int sm = 80;
  Toolchain toolchain;
  /// Where there is one, the steps of nvcc run side by side. Not in the cache's key: the result is the same.
  std::optional<Prologue> prologue;
  std::filesystem::path entry_archive, worker_archive, runtime_archive;

  std::string CacheKey() const;
};

/// What one run of the compile sandbox left.
struct CompileOutput {
  enum class Stage { kCompile, kSymbols, kLink, kDone };
  /// Where it ended: kDone is success; otherwise the step that failed or was going on when a limit struck.
  Stage failed_in = Stage::kDone;
  sandbox::ProgramEnd end;
  std::string compiler_output;  ///< nvcc's and its programs' messages.
  std::string linker_output;
  std::string symbols_of_entry, symbols_of_source;  ///< `nm -P`.
  bool symbols_are_cut = false;                     ///< There are more than anybody reads.
  UniqueFd worker;                                  ///< A memory file.
  std::uint64_t worker_bytes = 0;
};

/// One sandbox, three steps: nvcc, nm, the static link. An Error is the grader's fault.
Result<CompileOutput> RunCompile(const CompileInput& input);

}  // namespace warplings

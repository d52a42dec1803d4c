// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "grader/core/layout.h"

namespace warplings::kernels_test {

/// A program's source, with a unique name that is a valid C++ identifier.
struct KernelSource {
  std::filesystem::path file;
  std::string name;
};

/// A compiled program, or nvcc's messages if compilation failed.
struct CompiledProgram {
  std::filesystem::path program;  ///< Empty if nvcc failed.
  std::string complaint;
};

/// Compiles programs in batches, several in parallel, and caches them in the build directory. The name of a
/// cached program is a hash of the sources, of the headers in tests/kernels, of the command and of the
/// compiler's version.
///
/// nvcc spends nine tenths of its time for such a program on the toolkit's headers. Therefore about sixteen
/// sources are compiled as one, each in a namespace of its own, to one executable. The executable has one
/// name for each program, and runs the `main` of the program by whose name it is started. (What `warplings
/// run` does with programs that were compiled one by one is tested in tests/cli/run_test.cc.)
class ProgramCache {
 public:
  ProgramCache(const std::filesystem::path& nvcc, const std::filesystem::path& host_compiler,
               const Layout& layout);

  /// The programs for those of `all` that are `wanted`, by source file. Warnings count as errors, because
  /// these programs have none.
  std::map<std::filesystem::path, CompiledProgram> Compile(
      const std::vector<KernelSource>& all, const std::set<std::filesystem::path>& wanted) const;

 private:
  using Batch = std::vector<KernelSource>;

  std::map<std::filesystem::path, CompiledProgram> CompileBatch(const Batch& batch) const;

  std::filesystem::path root_, cache_;
  std::vector<std::string> command_;
  std::string common_;  ///< The part of the hash that all programs share.
};

/// The one source that includes those of a batch.
std::string BatchText(const std::vector<KernelSource>& batch);

}  // namespace warplings::kernels_test

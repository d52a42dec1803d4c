// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "grader/core/layout.h"

namespace warplings::kernels_test {

/// A program's source, under a name that no other has and that C++ takes for one.
struct KernelSource {
  std::filesystem::path file;
  std::string name;
};

/// A source that was compiled, or what nvcc said instead.
struct CompiledProgram {
  std::filesystem::path program;  ///< Empty where nvcc failed.
  std::string complaint;
};

/// Compiles programs in batches, several at a time, and keeps them in the build directory under a name made
/// of the content of the sources, of the headers in tests/kernels, of the command and of the compiler's
/// version: nothing is compiled twice.
///
/// Nine tenths of the time that nvcc takes for one of these programs go into the toolkit's headers. So some
/// sixteen sources are compiled as one, each in a namespace of its own, and become one executable. That has
/// as many names as programs, and runs the `main` of the one whose name it is started by. (What `warplings
/// run` does with programs that were compiled one by one is tested in tests/cli/run_test.cc.)
class ProgramCache {
 public:
  ProgramCache(const std::filesystem::path& nvcc, const std::filesystem::path& host_compiler,
               const Layout& layout);

  /// What is `wanted` of `all`, by source file. Also warnings are complaints: these programs have none.
  std::map<std::filesystem::path, CompiledProgram> Compile(
      const std::vector<KernelSource>& all, const std::set<std::filesystem::path>& wanted) const;

 private:
  using Batch = std::vector<KernelSource>;

  std::map<std::filesystem::path, CompiledProgram> CompileBatch(const Batch& batch) const;

  std::filesystem::path root_, cache_;
  std::vector<std::string> command_;
  std::string common_;  ///< What the name of every program depends on.
};

/// The one source that includes those of a batch.
std::string BatchText(const std::vector<KernelSource>& batch);

}  // namespace warplings::kernels_test

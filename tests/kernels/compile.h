// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "grader/core/layout.h"

namespace warplings::kernels_test {

/// A source that was compiled, or what nvcc said instead.
struct CompiledProgram {
  std::filesystem::path program;  ///< Empty where nvcc failed.
  std::string complaint;
};

/// Compiles programs as a course would, several at a time, and keeps them in the build directory under a name
/// made of the content of the source, of the headers in tests/kernels, of the command and of the compiler's
/// version: nothing is compiled twice.
class ProgramCache {
 public:
  ProgramCache(const std::filesystem::path& nvcc, const std::filesystem::path& host_compiler,
               const Layout& layout);

  /// By source file. Also warnings are complaints: these programs have none.
  std::map<std::filesystem::path, CompiledProgram> Compile(
      const std::vector<std::filesystem::path>& sources) const;

 private:
  CompiledProgram CompileOne(const std::filesystem::path& source) const;

  std::filesystem::path root_, cache_;
  std::vector<std::string> command_;
  std::string common_;  ///< What the name of every program depends on.
};

}  // namespace warplings::kernels_test

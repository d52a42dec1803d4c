// SPDX-License-Identifier: Apache-2.0
#include "grader/cuda_gpu/tool_program.h"

#include <fstream>

namespace warplings::cuda_gpu {
namespace {

namespace fs = std::filesystem;

/// As one word of the shell's.
std::string Quoted(const std::string& word) {
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

Status WriteToolProgram(const fs::path& file, const std::vector<std::string>& command,
                        const fs::path& program) {
  std::ofstream script(file);
  script << "#!/bin/sh\nexec";
  for (const std::string& word : command) script << ' ' << Quoted(word);
  script << ' ' << Quoted(program.string()) << " \"$@\"\n";
  script.close();
  std::error_code fault;
  fs::permissions(file, fs::perms::owner_all, fault);
  if (!script || fault) return GraderError("cannot write " + file.string(), "Is the disk full?");
  return Unit{};
}

}  // namespace warplings::cuda_gpu

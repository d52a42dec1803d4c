// SPDX-License-Identifier: Apache-2.0
#include "grader/cuda_gpu/tool_program.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace warplings::cuda_gpu {
namespace {

namespace fs = std::filesystem;

/// As one word of the shell's.
std::string Quoted(const std::string& word) {
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::vector<fs::path> Folders() {
  std::vector<fs::path> folders;
  const char* path = std::getenv("PATH");
  std::istringstream list(path != nullptr ? path : "");
  for (std::string folder; std::getline(list, folder, ':');) {
    if (!folder.empty()) folders.emplace_back(folder);
  }
  if (const char* home = std::getenv("CUDA_HOME"); home != nullptr) folders.push_back(fs::path(home) / "bin");
  folders.emplace_back("/usr/local/cuda/bin");
  return folders;
}

}  // namespace

Result<fs::path> FindTool(const std::string& name) {
  for (const fs::path& folder : Folders()) {
    const fs::path file = folder / name;
    std::error_code ignored;
    if (fs::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0) return file;
  }
  return GraderError(name + " is not installed",
                     "It comes with NVIDIA's CUDA toolkit, not with the compiler of PyPI; put it on PATH.");
}

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

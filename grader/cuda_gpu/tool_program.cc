// SPDX-License-Identifier: Apache-2.0
#include "grader/cuda_gpu/tool_program.h"

#include <fstream>

#include "grader/base/shell.h"
#include "grader/messages/device.h"

namespace warplings::cuda_gpu {

namespace fs = std::filesystem;

Status WriteToolProgram(const fs::path& file, const std::vector<std::string>& command,
                        const fs::path& program) {
  std::ofstream script(file);
  script << "#!/bin/sh\nexec " << ShellLine(command) << ' ' << ShellWord(program.string()) << " \"$@\"\n";
  script.close();
  std::error_code fault;
  fs::permissions(file, fs::perms::owner_all, fault);
  if (!script || fault) return GraderError(say::tool_program_unwritten(file.string()), say::is_disk_full());
  return Unit{};
}

}  // namespace warplings::cuda_gpu

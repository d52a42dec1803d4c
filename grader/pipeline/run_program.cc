// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/run_program.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace warplings {

Result<int> RunProgram(const std::vector<std::string>& command, const std::string& next_step) {
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  std::fflush(stdout);
  pid_t pid = 0;
  const int error = ::posix_spawnp(&pid, arguments[0], nullptr, nullptr, arguments.data(), environ);
  if (error != 0) return GraderError("cannot run " + command[0] + ": " + std::strerror(error), next_step);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) return GraderError(command[0] + " was ended by a signal");
  return WEXITSTATUS(status);
}

Status RunPageScript(const Layout& layout, const std::filesystem::path& script,
                     const std::vector<std::string>& arguments) {
  // -B: no __pycache__ in the source tree, which may be read-only.
  std::vector<std::string> command = {layout.PythonProgram().string(), "-B", script.string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const Result<int> status = RunProgram(
      command,
      "Install python3, python3-jinja2 and python3-pygments; the launcher ./warplings does so on first use.");
  if (!status) return status.error();
  if (*status != 0) return GraderError("the pages could not be drawn", "The reason stands above.");
  return Unit{};
}

}  // namespace warplings

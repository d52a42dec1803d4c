// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/run_program.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "grader/messages/check_faults.h"

namespace warplings {

Result<int> RunProgram(const std::vector<std::string>& command, const Message& next_step) {
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  std::fflush(stdout);
  pid_t pid = 0;
  const int error = ::posix_spawnp(&pid, arguments[0], nullptr, nullptr, arguments.data(), environ);
  if (error != 0) return GraderError(say::cannot_run(command[0], std::strerror(error)), next_step);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  // Whoever read our output has seen enough of it (`warplings export … | head`): we end as other programs do.
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE) std::raise(SIGPIPE);
  if (WIFSIGNALED(status)) return GraderError(say::ended_by_a_signal(command[0]));
  return WEXITSTATUS(status);
}

Status RunPageScript(const Layout& layout, const std::filesystem::path& script,
                     const std::vector<std::string>& arguments) {
  // -B: no __pycache__ in the source tree, which may be read-only.
  std::vector<std::string> command = {layout.PythonProgram().string(), "-B", script.string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const Result<int> status = RunProgram(command, say::install_python());
  if (!status) return status.error();
  if (*status != 0) return GraderError(say::pages_not_drawn(), say::reason_stands_above());
  return Unit{};
}

}  // namespace warplings

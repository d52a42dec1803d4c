// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/run_program.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

namespace warplings::cli_test {
namespace {

[[noreturn]] void Exec(const std::vector<std::string>& command, const ProgramOptions& options,
                       const std::filesystem::path& output) {
  ::setpgid(0, 0);
  const int in = ::open(options.input.c_str(), O_RDONLY);
  const int out = ::open((output / "out").c_str(), O_WRONLY | O_CREAT, 0600);
  const int err = ::open((output / "err").c_str(), O_WRONLY | O_CREAT, 0600);
  ::dup2(in, 0);
  ::dup2(out, 1);
  ::dup2(err, 2);
  if (options.address_space != 0) {
    const rlimit limit{options.address_space, options.address_space};
    ::setrlimit(RLIMIT_AS, &limit);
  }
  ::setenv("LC_ALL", "C.UTF-8", 1);  // Tests read what is printed, in English.
  for (const auto& [name, value] : options.environment) ::setenv(name.c_str(), value.c_str(), 1);
  std::error_code failed;
  if (!options.folder.empty()) std::filesystem::current_path(options.folder, failed);
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  if (!failed) ::execvp(arguments[0], arguments.data());
  ::_exit(127);
}

/// Polls, because a limit has to be kept and a file waited for at the same time.
int WaitFor(pid_t pid, const ProgramOptions& options) {
  const auto start = std::chrono::steady_clock::now(), end = start + options.time_limit;
  bool interrupted = options.interrupt_when.empty();
  int status = 0;
  while (::waitpid(pid, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > end) {
      ::kill(-pid, SIGKILL);
      ::waitpid(pid, &status, 0);
      return -1;
    }
    if (options.kill_after.count() > 0 && std::chrono::steady_clock::now() > start + options.kill_after) {
      ::kill(pid, SIGKILL);
    }
    if (!interrupted && std::filesystem::exists(options.interrupt_when)) {
      ::kill(-pid, SIGINT);
      interrupted = true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

ProgramRun RunProgram(const std::vector<std::string>& command, const ProgramOptions& options) {
  const ScratchFolder output;
  const pid_t pid = ::fork();
  if (pid < 0) throw std::runtime_error("fork failed");
  if (pid == 0) Exec(command, options, output.path());
  ::setpgid(pid, pid);  // Here too, so that it is done before anybody signals the group.
  ProgramRun run;
  run.status = WaitFor(pid, options);
  run.out = ReadText(output.path() / "out");
  run.err = ReadText(output.path() / "err");
  return run;
}

ScratchFolder::ScratchFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "warplings-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string ReadText(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

void WriteText(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

}  // namespace warplings::cli_test

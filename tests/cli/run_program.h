// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace warplings::cli_test {

/// How a program ended, and what it printed.
struct ProgramRun {
  int status = -1;  ///< Exit status; 128 + signal if a signal ended it; -1 if it reached the time limit.
  std::string out, err;
};

struct ProgramOptions {
  std::map<std::string, std::string> environment = {};  ///< Set in addition to ours.
  std::filesystem::path folder = {};                    ///< Working directory; empty: ours.
  std::filesystem::path input = "/dev/null";            ///< Standard input.
  std::chrono::seconds time_limit{300};
  std::uint64_t address_space = 0;  ///< Bytes that each process may map; 0: our own limit.
  /// Sends SIGINT to the program's process group, as Ctrl-C does, once this file exists.
  std::filesystem::path interrupt_when = {};
  /// Sends SIGKILL to the program alone, not to what it started, after this time; 0: never.
  std::chrono::milliseconds kill_after{0};
};

/// Runs `command` to its end. At the time limit its whole process group is
/// killed.
ProgramRun RunProgram(const std::vector<std::string>& command, const ProgramOptions& options = {});

/// A temporary folder, which the destructor removes.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::string ReadText(const std::filesystem::path& file);
void WriteText(const std::filesystem::path& file, const std::string& text);

}  // namespace warplings::cli_test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/cluster/array_run.h"

namespace warplings::cluster {

/// What a job asks Slurm for; empty: Slurm's own default.
struct SlurmRequest {
  std::string partition, account, time, gres;
  std::uint64_t cpus = 1;         ///< Cores of each task.
  std::vector<std::string> more;  ///< Further options of sbatch, as they are: "--qos=low".
};

/// How a program that we started ended, and what it said.
struct ProgramAnswer {
  int status = -1;  ///< Exit status; 127 where it could not be started.
  std::string out, err;
};

/// Runs a program found on PATH, with nothing on its standard input. Bounded: it is killed after `patience`.
ProgramAnswer AskProgram(const std::vector<std::string>& command,
                         std::chrono::milliseconds patience = std::chrono::minutes(2));

/// Name of the jobs of the class that is graded into `out`: the same after a crash, so that those that it
/// left are found.
std::string JobName(const std::filesystem::path& out);

/// Slurm, through sbatch, squeue and scancel: one job array with a name of its own. The accounting database
/// is not needed.
class SlurmQueue : public TaskQueue {
 public:
  /// `script` is run as `script TASK`, with what it says in `log_pattern` (sbatch's %a is the task).
  SlurmQueue(std::string name, SlurmRequest request, std::filesystem::path script, std::string log_pattern);

  /// An error where Slurm's commands are not there, or do not answer.
  static Status IsThere();

  Status Submit(const std::vector<std::size_t>& tasks) override;
  Result<QueueView> Look() override;
  void Cancel() override;

  /// Runs a command on a node that Slurm gives for the same request, and waits for it.
  Result<std::string> AskNode(const std::vector<std::string>& command) const;

 private:
  std::vector<std::string> Options() const;

  std::string name_;
  SlurmRequest request_;
  std::filesystem::path script_;
  std::string log_pattern_;
};

/// "1-3,7" for 1, 2, 3, 7.
std::string ArrayText(const std::vector<std::size_t>& tasks);

/// Lines of `squeue --array --format "%K %t %r"`.
QueueView ParseQueue(const std::string& text);

}  // namespace warplings::cluster

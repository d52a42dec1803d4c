// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/pipeline/array_run.h"

namespace warplings::cluster {

/// The resources to request from Slurm; empty: Slurm's default.
struct SlurmRequest {
  std::string partition, account, time, gres;
  std::uint64_t cpus = 1;         ///< Cores per task.
  std::vector<std::string> more;  ///< Further options for sbatch, passed unchanged: "--qos=low".
};

/// Exit status and output of a program.
struct ProgramAnswer {
  int status = -1;  ///< Exit status; 127 if it could not be started.
  std::string out, err;
};

/// Runs a program found on PATH with an empty standard input, and kills it after `patience`.
ProgramAnswer RunWithTimeout(const std::vector<std::string>& command,
                             std::chrono::milliseconds patience = std::chrono::minutes(2));

/// The name of the jobs for the class that is graded into `out`. Depends only on `out`, so that jobs left
/// over from a crash can be found.
std::string JobName(const std::filesystem::path& out);

/// Slurm by way of sbatch, squeue and scancel: one job array with a unique name. Does not need the accounting
/// database.
class SlurmQueue : public TaskQueue {
 public:
  /// Each task runs `script TASK`; its output goes to `log_pattern`, in which sbatch replaces %a by the
  /// task's number.
  SlurmQueue(std::string name, SlurmRequest request, std::filesystem::path script, std::string log_pattern);

  /// An error if Slurm's commands are not installed or do not answer.
  static Status CheckAvailable();

  Status Submit(const std::vector<std::size_t>& tasks) override;
  Result<QueueView> Poll() override;
  void Cancel() override;

  /// Runs a command on a node that Slurm allocates for the same request, waits for it, and returns its
  /// output.
  Result<std::string> RunOnNode(const std::vector<std::string>& command) const;

 private:
  std::vector<std::string> Options() const;

  std::string name_;
  SlurmRequest request_;
  std::filesystem::path script_;
  std::string log_pattern_;
};

/// The tasks as an sbatch array specification: "1-3,7" for 1, 2, 3, 7.
std::string ArrayText(const std::vector<std::size_t>& tasks);

/// Parses the output of `squeue --array --format "%K %t %r"`.
QueueView ParseQueue(const std::string& text);

}  // namespace warplings::cluster

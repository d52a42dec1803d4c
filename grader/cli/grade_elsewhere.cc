// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/grade_elsewhere.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <system_error>
#include <thread>

#include "grader/base/atomic_file.h"
#include "grader/base/catalogue.h"
#include "grader/base/shell.h"
#include "grader/base/text.h"
#include "grader/cli/command.h"
#include "grader/cli/progress_line.h"
#include "grader/messages/teaching_commands.h"
#include "grader/pipeline/slices.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

constexpr const char* kScriptName = "task.sh";

/// Run by Slurm on a node, with the number of its slice. Our own TMPDIR is a folder of this machine alone.
std::string TaskScript(const fs::path& folder, const Layout& layout) {
  const char* temporary = std::getenv("TMPDIR");
  std::string text = "#!/bin/sh\n# Written by `warplings grade --on slurm`: grades one slice.\n";
  if (temporary != nullptr) {
    text += "[ \"${TMPDIR-}\" != " + ShellWord(temporary) + " ] || unset TMPDIR\n";
  }
  text +=
      "slice=" + ShellWord(folder.string() + "/slice-") + "$(printf %04d \"$SLURM_ARRAY_TASK_ID\").sqlite\n";
  text += "exec " + ShellWord(ThisLayout().TeachingProgram().string()) +
          " grade-slice \"$slice\" --jobs \"${SLURM_CPUS_PER_TASK:-1}\" --workbook " +
          ShellWord(layout.root.string()) + "\n";
  return text;
}

/// The last line that says something; at most some hundred bytes of it.
std::string LastLine(const fs::path& file) {
  std::ifstream stream(file);
  std::string line, last;
  while (std::getline(stream, line)) {
    if (line.find_first_not_of(" \t\r") != std::string::npos) last = line;
  }
  return Printable(last.substr(0, 300));
}

cluster::SlurmQueue QueueOf(const GradeOutputs& outputs, const ElsewhereOptions& options) {
  std::error_code error;
  const fs::path folder = fs::weakly_canonical(outputs.Slices(), error);
  return {cluster::JobName(outputs.folder), options.request, folder / kScriptName,
          (folder / "slice-%4a.log").string()};
}

/// Waits for the slices that Slurm grades, and brings their results in as they end.
class SlurmGrading {
 public:
  SlurmGrading(std::vector<fs::path> slices, Gradebook& gradebook)
      : slices_(std::move(slices)), gradebook_(gradebook), on_terminal_(::isatty(STDERR_FILENO) != 0) {
    for (std::size_t task = 1; task <= slices_.size(); ++task) {
      if (const auto slice = Slice::Open(FileOf(task)))
        total_ += slice->CountTexts().ok() ? *slice->CountTexts() : 0;
    }
  }

  Status Run(cluster::TaskQueue& queue) {
    const Status status = cluster::RunArray(
        queue, slices_.size(),
        {.peek = [this](std::size_t task) { return Peek(task); },
         .collect = [this](std::size_t task) { return Collect(task); },
         .on_progress = [this](const cluster::QueueView& view, std::size_t done) { Show(view, done); },
         .on_failure = [this](std::size_t task, bool again) { TellFailure(task, again); },
         .sleep = [](std::chrono::milliseconds time) { std::this_thread::sleep_for(time); }});
    line_.Clear();
    return status;
  }

 private:
  const fs::path& FileOf(std::size_t task) const { return slices_[task - 1]; }

  cluster::TaskWork Peek(std::size_t task) const {
    cluster::TaskWork work;
    std::ifstream(SliceProgressFile(FileOf(task))) >> work.done >> work.total;
    return work;
  }

  /// A file that is still locked is that of a task on a node that Slurm has lost, or has just closed: no
  /// reason to end all others. It counts as not done, and is looked at again after the next sending.
  Result<cluster::TaskWork> Collect(std::size_t task) {
    auto slice = Slice::Open(FileOf(task));
    if (!slice) {
      const cluster::TaskWork seen = Peek(task);
      const std::size_t total = std::max<std::size_t>(seen.total, 1);
      return cluster::TaskWork{std::min(seen.done, total - 1), total};
    }
    const auto texts = slice->CountTexts(), missing = slice->CountMissing();
    if (!texts || !missing) return texts ? missing.error() : texts.error();
    { const Slice closed = std::move(*slice); }
    const auto merged = MergeSlice(gradebook_, FileOf(task));
    if (!merged) return merged.error();
    return cluster::TaskWork{*texts - *missing, *texts};
  }

  void Show(const cluster::QueueView& view, std::size_t done) {
    std::string text = std::to_string(done) + " of " + std::to_string(total_) + " graded; " +
                       Counted(view.running.size(), "task") + " running, " +
                       std::to_string(view.waiting.size()) + " waiting";
    if (!view.waiting.empty() && !view.reason.empty()) text += " " + view.reason;
    if (on_terminal_) return line_.Show(text);
    if (text == last_) return;
    last_ = text;
    std::fprintf(stderr, "%s\n", Printable(text).c_str());
  }

  void TellFailure(std::size_t task, bool again) {
    line_.Clear();
    const fs::path log = SliceLogFile(FileOf(task));
    std::error_code error;
    Warn(again ? say::task_is_sent_again(task) : say::task_is_given_up(task));
    WarnFurther(fs::exists(log, error) ? say::log_ends_with(log.string(), LastLine(log))
                                       : say::task_left_no_log(log.string()));
  }

  std::vector<fs::path> slices_;
  Gradebook& gradebook_;
  std::size_t total_ = 0;
  bool on_terminal_;
  std::string last_;
  ProgressLine line_;
};

/// Of slices that nothing is missing of; the folder goes with the last one.
void RemoveFinished(const std::vector<fs::path>& slices, const fs::path& folder) {
  for (const fs::path& slice : slices) {
    std::size_t missing = 1;
    if (const auto opened = Slice::Open(slice))
      missing = opened->CountMissing().ok() ? *opened->CountMissing() : 1;
    if (missing == 0) RemoveSlice(slice);
  }
  if (!FindSlices(folder).empty()) return;
  std::error_code ignored;
  fs::remove(folder / kScriptName, ignored);
  fs::remove(folder, ignored);  // Stays where somebody put something else into it.
}

Status LeaveSlices(const std::vector<fs::path>& slices) {
  for (const fs::path& slice : slices) std::printf("  %s\n", slice.c_str());
  PrintLine(say::grade_each_slice());
  PrintLine(say::then_merge());
  return Unit{};
}

}  // namespace

std::vector<Option> DescribeElsewhere(ElsewhereOptions& options) {
  return {
      {.name = "--on",
       .target = OneOf{{"here", "slurm"}, [&options](std::size_t number) { options.on_slurm = number == 1; }},
       .help = "Where: on this machine, or as a job array of Slurm (docs/cluster.md)"},
      {.name = "--tasks",
       .target = &options.tasks,
       .help = "Tasks of the job array",
       .value_name = "N",
       .show_default = true,
       .range = {{1, 100000}}},
      {"--partition", &options.request.partition, "Partition of the job; default: Slurm's", "NAME"},
      {"--account", &options.request.account, "Account of the job; default: Slurm's", "NAME"},
      {"--time", &options.request.time, "Time limit of a task; default: Slurm's", "TIME"},
      {"--gres", &options.request.gres, "What each task needs; default: gpu:1 with --device gpu", "LIST"},
      {.name = "--cpus",
       .target = &options.request.cpus,
       .help = "Cores of each task",
       .value_name = "N",
       .show_default = true,
       .range = {{1, 1024}}},
      {"--sbatch", &options.request.more, "Another option for sbatch, such as --sbatch=--qos=low", "OPTION"},
      {.name = "--slices",
       .target = &options.slices,
       .help = "Grade nothing; write N files to OUT/slices, which `grade-slice` grades anywhere",
       .value_name = "N",
       .excludes = "--merge",
       .range = {{1, 100000}}},
      {"--merge", &options.merge, "Grade nothing; merge the results in OUT/slices"},
  };
}

Result<DeviceChoice> ChooseDeviceElsewhere(const std::string& device, const GradeOutputs& outputs,
                                           ElsewhereOptions& options) {
  if (!options.on_slurm) {
    auto choice = ChooseDevice(device);
    // A slice is graded on another machine, which may have fewer cards than this one.
    if (choice && device == "gpu" && options.slices == 0) SpreadOverCards(*choice);
    return choice;
  }
  if (const Status there = cluster::SlurmQueue::CheckAvailable(); !there) return there.error();
  const bool wants_card = device.starts_with("gpu") ||
                          (device == "auto" && options.request.gres.find("gpu") != std::string::npos);
  if (!wants_card) return ChooseDevice(device == "auto" ? "virtual" : device);
  if (options.request.gres.empty()) options.request.gres = "gpu:1";
  std::fprintf(stderr, "%s\n", Words(say::asking_a_node()).c_str());
  const auto said =
      QueueOf(outputs, options).RunOnNode({ThisLayout().DeviceProgram().string(), "--describe", "gpu:0"});
  if (!said) return said.error();
  const auto card = ParseFoundCard(said->substr(0, said->find('\n')));
  if (!card) return card.error();
  return ChoiceOfCard("gpu:0", *card);
}

Status TakeInSlices(Gradebook& gradebook, const GradeOutputs& outputs, const ElsewhereOptions& options) {
  const std::vector<fs::path> slices = FindSlices(outputs.Slices());
  if (slices.empty()) return Unit{};
  std::error_code error;
  if (options.on_slurm && fs::exists(outputs.Slices() / kScriptName, error))
    QueueOf(outputs, options).Cancel();
  std::size_t taken = 0, missing = 0;
  for (const fs::path& slice : slices) {
    const auto merged = MergeSlice(gradebook, slice);
    if (!merged) return merged.error();
    taken += merged->taken;
    missing += merged->missing;
  }
  RemoveFinished(slices, outputs.Slices());
  PrintLine(say::results_taken_in(say::Count(slices.size(), "slice"), say::Count(taken, "result"), missing));
  return Unit{};
}

Status GradeElsewhere(const GradePlan& plan, const ClassSettings& settings, const GradeOutputs& outputs,
                      const ElsewhereOptions& options, const Layout& layout, Gradebook& gradebook) {
  if (options.merge || plan.jobs.empty()) return Unit{};
  // What these hold was taken in. One fewer slice must leave no file of before.
  for (const fs::path& slice : FindSlices(outputs.Slices())) RemoveSlice(slice);
  const std::size_t count = options.on_slurm ? options.tasks : options.slices;
  std::error_code error;
  const fs::path folder = fs::weakly_canonical(outputs.Slices(), error);
  const auto slices = WriteSlices(plan, settings, count, folder);
  if (!slices) return slices.error();
  if (!options.on_slurm) return LeaveSlices(*slices);

  const fs::path script = folder / kScriptName;
  if (const Status written = WriteFileAtomically(script, TaskScript(folder, layout)); !written)
    return written;
  cluster::SlurmQueue queue = QueueOf(outputs, options);
  const Status status = SlurmGrading(*slices, gradebook).Run(queue);
  if (status) RemoveFinished(*slices, folder);
  return status;
}

void CancelElsewhere(const GradeOutputs& outputs, const ElsewhereOptions& options) {
  if (options.on_slurm) QueueOf(outputs, options).Cancel();
}

}  // namespace warplings

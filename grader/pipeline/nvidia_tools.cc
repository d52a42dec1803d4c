// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/nvidia_tools.h"

#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "grader/base/discard_folder.h"
#include "grader/base/read_file.h"
#include "grader/base/reflect.h"
#include "grader/build/toolchain.h"
#include "grader/cuda_gpu/ncu_log.h"
#include "grader/cuda_gpu/sanitizer_log.h"
#include "grader/cuda_gpu/tool_program.h"
#include "grader/messages/check_faults.h"
#include "grader/messages/checking.h"
#include "grader/report/source_quotes.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSanitizerTools[] = {"memcheck", "racecheck", "initcheck", "synccheck"};
/// A tool slows a kernel down ten to a hundred times, and each new device process under one takes a second.
constexpr std::chrono::minutes kToolLimit{20};
/// Faults that a log may hold; more of them are more of the same.
constexpr const char* kPrintLimit = "2000";

/// A folder for one tool's script and logs, gone with this object.
class ToolFolder {
 public:
  ToolFolder() {
    std::string pattern = (fs::temp_directory_path() / "warplings-tool-XXXXXX").string();
    if (mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~ToolFolder() {
    if (!path_.empty()) DiscardFolder(path_);
  }
  ToolFolder(const ToolFolder&) = delete;
  ToolFolder& operator=(const ToolFolder&) = delete;

  bool valid() const { return !path_.empty(); }
  fs::path script() const { return path_ / "device"; }
  /// Both tools put the process's number in for %p: a suite may start several device processes.
  std::string log_pattern() const { return (path_ / "log.%p").string(); }

  std::vector<std::string> ReadLogs() const {
    std::vector<std::string> logs;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(path_, ignored)) {
      if (!entry.path().filename().string().starts_with("log.")) continue;
      logs.push_back(ReadFile(entry.path()).value_or(""));
    }
    return logs;
  }

 private:
  fs::path path_;
};

/// One of NVIDIA's tools ("compute-sanitizer", "ncu").
Result<fs::path> FindTool(const std::string& name) {
  const char* path = std::getenv("PATH");
  const char* home = std::getenv("CUDA_HOME");
  std::string folders = path != nullptr ? path : "";
  if (home != nullptr) folders += std::string(":") + home + "/bin";
  if (const auto found = FindOnPath(name, folders + ":/usr/local/cuda/bin")) return *found;
  return GraderError(say::tool_not_installed(name), say::comes_with_toolkit());
}

/// The suite with its device process under `command`; the error says why that could not be.
Result<SuiteOutcome> RunUnder(const ToolFolder& folder, const std::string& tool,
                              std::vector<std::string> options, SuiteRequest& request, const Layout& layout) {
  if (!folder.valid()) return GraderError(say::no_room_for_temporary_files());
  const auto found = FindTool(tool);
  if (!found) return found.error();
  options.insert(options.begin(), found->string());
  const Status written = cuda_gpu::WriteToolProgram(folder.script(), options, layout.DeviceProgram());
  if (!written) return written.error();
  request.card_program = folder.script();
  request.speed = SpeedMode::kOff;
  request.time_limit = kToolLimit;
  return RunSuite(request, layout, {});
}

Message ProblemOf(const Error& error) {
  const Message what = error.message;
  return error.next_step.empty() ? what : say::tool_failed(what, error.next_step);
}

/// The tools leave the folder of a source file out.
void RestoreFolder(SourceLine& where) {
  if (where.line > 0 && where.file.ends_with(".cu")) where.file = std::string(kSubmissionFolder) + where.file;
}

ToolReport RunSanitizerTool(const std::string& tool, SuiteRequest request, const Layout& layout) {
  const ToolFolder folder;
  ToolReport report{tool, {}, {}};
  const auto run = RunUnder(folder, "compute-sanitizer",
                            {"--tool", tool, "--log-file", folder.log_pattern(), "--print-limit", kPrintLimit,
                             "--show-backtrace", "no"},
                            request, layout);
  if (!run) report.problem = ProblemOf(run.error());
  const std::vector<std::string> logs = folder.ReadLogs();
  if (run && logs.empty()) report.problem = say::tool_wrote_no_log();
  std::string all;
  for (const std::string& log : logs) all += log + "\n";
  report.findings = cuda_gpu::ReadSanitizerLog(all);
  for (Finding& finding : report.findings) {
    RestoreFolder(finding.where);
    if (finding.other) RestoreFolder(*finding.other);
  }
  return report;
}

std::uint64_t CountCalled(const Counts& counts, std::string_view name) {
  std::uint64_t value = 0;
  reflect::ForEachMember(counts, [&](std::string_view each, std::uint64_t count) {
    if (each == name) value = count;
  });
  return value;
}

double SumOf(const std::map<std::string, double>& measured, std::string_view metrics) {
  double sum = 0;
  while (!metrics.empty()) {
    const std::size_t comma = std::min(metrics.find(','), metrics.size());
    const auto entry = measured.find(std::string(metrics.substr(0, comma)));
    if (entry != measured.end()) sum += entry->second;
    metrics.remove_prefix(std::min(comma + 1, metrics.size()));
  }
  return sum;
}

/// Counts that neither side has are left out: most kernels use a few of them.
std::vector<MeasuredCount> Beside(const std::vector<CardKernel>& kernels, const cuda_gpu::NcuSums& sums) {
  std::vector<MeasuredCount> table;
  for (const CardKernel& kernel : kernels) {
    const auto measured = sums.find(kernel.kernel);
    if (measured == sums.end()) continue;
    for (const cuda_gpu::NcuCount& each : cuda_gpu::NcuCounts()) {
      const MeasuredCount row{
          kernel.kernel, std::string(each.count), CountCalled(kernel.totals, each.count),
          static_cast<std::uint64_t>(std::llround(SumOf(measured->second, each.metrics)))};
      if (row.ours != 0 || row.measured != 0) table.push_back(row);
    }
  }
  return table;
}

}  // namespace

std::vector<ToolReport> RunSanitizer(SuiteRequest request, const Layout& layout,
                                     const std::function<void(const Message&)>& on_stage) {
  request.watcher.clear();
  request.card_decides = true;
  std::vector<ToolReport> reports;
  for (const char* tool : kSanitizerTools) {
    on_stage(say::stage_running_under_tool(tool));
    reports.push_back(RunSanitizerTool(tool, request, layout));
  }
  return reports;
}

NcuRun RunNcu(SuiteRequest request, const Layout& layout,
              const std::function<void(const Message&)>& on_stage) {
  on_stage(say::stage_running_under_tool("ncu"));
  const ToolFolder folder;
  NcuRun result{{"ncu", {}, {}}, {}};
  const auto run =
      RunUnder(folder, "ncu",
               {"--csv", "--page", "raw", "--print-units", "base", "--print-kernel-base", "function",
                "--metrics", cuda_gpu::NcuMetrics(), "--log-file", folder.log_pattern()},
               request, layout);
  cuda_gpu::NcuSums sums;
  for (const std::string& log : folder.ReadLogs()) {
    const Status read = cuda_gpu::AddNcuLog(log, sums);
    if (!read && result.report.problem.empty()) result.report.problem = ProblemOf(read.error());
  }
  if (!run && result.report.problem.empty()) result.report.problem = ProblemOf(run.error());
  if (run) result.counts = Beside(run->card_kernels, sums);
  if (run && result.counts.empty() && result.report.problem.empty()) {
    result.report.problem = say::no_kernel_was_measured();
  }
  return result;
}

}  // namespace warplings

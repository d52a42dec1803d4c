// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>

#include "grader/base/catalogue.h"
#include "grader/base/text.h"
#include "grader/base/usable_memory.h"
#include "grader/build/health_check.h"
#include "grader/cli/command.h"
#include "grader/core/layout.h"
#include "grader/device/device_profile.h"
#include "grader/device/probe.h"
#include "grader/messages/command_line.h"
#include "grader/pipeline/run_program.h"
#include "grader/workbook/student_workbook.h"

namespace warplings {
namespace {

using State = HealthRow::State;

constexpr const char* kDoctorFooter =
    "Tries each part: it runs programs in the sandbox and compiles a kernel.\n\n"
    "Example:\n"
    "  warplings doctor";

/// What can run kernels here. A machine without a GPU is as it should be: the virtual one needs none.
std::vector<HealthRow> CheckDevices() {
  std::string profiles;
  for (const DeviceProfile& profile : DeviceProfiles())
    profiles += (profiles.empty() ? "" : " ") + profile.id;
  std::vector<HealthRow> rows = {{"virtual GPU", State::kOk, profiles, ""}};
  if (!MayHaveCard()) {
    rows.push_back({"GPU", State::kOk, say::no_card_needed(), ""});
    return rows;
  }
  const auto card = ProbeCard(ThisLayout().DeviceProgram(), 0);
  rows.push_back(card ? HealthRow{"GPU", State::kOk, say::card_for_device_gpu(card->name), ""}
                      : HealthRow{"GPU", State::kWarn, card.error().message, card.error().next_step});
  return rows;
}

/// What the shares of device processes are taken of (check_many.h).
HealthRow CheckMemory() {
  const UsableMemory usable = FindUsableMemory();
  char size[32];
  std::snprintf(size, sizeof size, "%.1f GiB", static_cast<double>(usable.bytes) / (1u << 30));
  const Message whose =
      usable.limit.empty() ? say::all_of_machine() : say::limit_of_group(usable.limit.string());
  constexpr std::uint64_t kEnough = std::uint64_t{2} << 30;
  return {"memory", usable.bytes < kEnough ? State::kWarn : State::kOk, say::memory_found(size, whose),
          say::too_little_memory()};
}

std::vector<HealthRow> CheckWorkbook(const Layout& layout) {
  Result<Workbook> workbook = LoadWorkbook(CurrentWorkbook(), ChosenLanguage());
  if (!workbook) return {{"workbook", State::kFail, workbook.error().message, workbook.error().next_step}};
  std::size_t exercises = 0;
  for (const Chapter& chapter : workbook->chapters) exercises += chapter.exercises.size();
  return {{"workbook",
           State::kOk,
           say::chapters_and_exercises(say::Count(workbook->chapters.size(), "chapter"),
                                       say::Count(exercises, "exercise")),
           {}},
          CheckBuiltTree(layout, *workbook)};
}

/// Handouts as PDF: a browser prints them, a language only if some font has its letters. Nothing where the
/// tree has no handouts' sources, or Python is missing, which other commands say.
std::vector<HealthRow> CheckPrinting(const Layout& layout) {
  const std::filesystem::path script = layout.HandoutFolder() / "fonts.py";
  std::error_code fault;
  if (!std::filesystem::exists(script, fault)) return {};
  const auto status = RunProgram(
      {layout.PythonProgram().string(), "-B", script.string(), (layout.HandoutFolder() / "text").string()});
  constexpr int kNoFont = 4, kNoBrowser = 5;  // As in fonts.py.
  const char* name = "handouts as PDF";
  if (status && *status == 0) return {{name, State::kOk, say::handouts_can_be_printed(), ""}};
  if (status && *status == kNoFont)
    return {{name, State::kWarn, say::handouts_without_font(), say::install_chinese_font()}};
  if (status && *status == kNoBrowser) return {{name, State::kOk, say::handouts_without_browser(), ""}};
  return {};
}

void Print(const HealthRow& row) {
  const char* word = row.state == State::kOk ? "ok  " : row.state == State::kWarn ? "warn" : "FAIL";
  constexpr std::size_t kLongestName = 18;
  const std::string name = Translated(row.name);
  const std::string blanks(kLongestName - std::min(kLongestName, DisplayWidth(name)), ' ');
  std::printf("%s  %s%s  %s\n", word, name.c_str(), blanks.c_str(), Words(row.detail).c_str());
  if (row.state != State::kOk && !row.next_step.empty())
    std::printf("      %s\n", Words(say::doctors_next_step(row.next_step)).c_str());
  std::fflush(stdout);
}

int Doctor() {
  const Layout layout = ThisLayout();
  State worst = State::kOk;
  auto report = [&](const std::vector<HealthRow>& rows) {
    for (const HealthRow& row : rows) {
      Print(row);
      worst = std::max(worst, row.state);
    }
  };
  report(CheckSandbox());
  // Compilers run in the sandbox: without one, every row would only repeat its failure.
  if (worst != State::kFail) report(CheckCompilers(layout.root));
  report({CheckMemory()});
  report({CheckCache()});
  report(CheckWorkbook(layout));
  report(CheckDevices());
  report(CheckPrinting(layout));
  if (worst == State::kFail) std::printf("\n%s\n", Words(say::check_cannot_work_here()).c_str());
  return worst == State::kFail ? kExitGraderFault : kExitPassed;
}

}  // namespace

Command MakeDoctorCommand() {
  return {"doctor", "Show whether each part of the grader works on this machine", {}, kDoctorFooter, Doctor};
}

}  // namespace warplings

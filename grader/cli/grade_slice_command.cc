// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>

#include "grader/base/atomic_file.h"
#include "grader/base/discard_folder.h"
#include "grader/base/text.h"
#include "grader/cli/command.h"
#include "grader/cli/grade_progress.h"
#include "grader/cli/supervise.h"
#include "grader/messages/teaching_commands.h"
#include "grader/pipeline/slices.h"
#include "grader/pipeline/workbook_view.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSliceFooter =
    "For a class on several machines (docs/cluster.md). `warplings grade DIR --out OUT --slices N` makes\n"
    "slices in OUT/slices, each a file that can be graded where it is or be copied to another machine and\n"
    "back. Started again it goes on where it was. `warplings grade DIR --out OUT --merge` takes the "
    "results.\n"
    "\n"
    "Exit status: 0 graded, whatever the grades; 2 wrong usage, or a machine with another build or device;\n"
    "3 the grader itself failed, for one text or for all.";

struct SliceOptions {
  fs::path slice;
  std::size_t parallel = DefaultJobs();
  Layout layout = ThisLayout();
};

/// Tells whoever waits for the slice how far it is; at most once in two seconds.
class SliceProgress {
 public:
  SliceProgress(const fs::path& slice, std::size_t texts, std::size_t missing)
      : file_(SliceProgressFile(slice)), texts_(texts), graded_(texts - missing) {
    Write();
  }

  void Done() {
    ++graded_;
    if (std::chrono::steady_clock::now() - written_ > std::chrono::seconds(2)) Write();
  }

  void Write() {
    // A full disk is told by the gradebook.
    [[maybe_unused]] const Status ignored =
        WriteFileAtomically(file_, std::to_string(graded_) + " " + std::to_string(texts_) + "\n");
    written_ = std::chrono::steady_clock::now();
  }

 private:
  fs::path file_;
  std::size_t texts_, graded_;
  std::chrono::steady_clock::time_point written_;
};

/// The device that the slice names; the error where it is not to be had here.
Result<DeviceChoice> DeviceOf(const Slice& slice) {
  const auto settings = slice.ReadSettings();
  if (!settings) return settings.error();
  return ChooseDevice(settings->device);
}

Status GradeTexts(Slice& slice, const std::vector<SliceText>& texts, const std::vector<CheckJob>& jobs,
                  const SliceOptions& options, std::size_t& not_graded) {
  const auto total = slice.CountTexts();
  if (!total) return total.error();
  SliceProgress told(options.slice, *total, texts.size());
  GradeProgress progress(jobs.size());
  Status status = Unit{};
  const auto show = [&](std::size_t job, const Message& what) {
    progress.Show(texts[job].key.exercise + ": " + English(what));
  };
  const auto keep = [&](std::size_t job, const Result<ExerciseResult>& result) {
    if (status) {
      status = result ? slice.gradebook().WriteResult(texts[job].key, *result, texts[job].answers)
                      : Status(result.error());
      if (result && result->verdict == Verdict::kGraderFault) {
        ++not_graded;
        Warn(say::text_not_graded(texts[job].key.exercise, Printable(English(result->reason))));
      }
    }
    DiscardFolder(jobs[job].submission.file.parent_path());
    progress.Done();
    told.Done();
    return status.ok();
  };
  CheckMany(jobs, options.parallel, options.layout,
            {.on_progress = show, .on_result = {}, .on_finished = keep});
  progress.End();
  told.Write();
  return status;
}

int GradeSlice(const SliceOptions& options) {
  std::signal(SIGXFSZ, SIG_IGN);  // A file that may not grow is a full disk.
  const Result<Workbook> workbook = LoadWorkbook(options.layout.root, ChosenLanguage());
  if (!workbook) return ReportError(workbook.error());
  auto slice = Slice::Open(options.slice);
  if (!slice) return ReportError(slice.error());
  const auto texts = slice->ReadMissing();
  if (!texts) return ReportError(texts.error());
  const auto device = DeviceOf(*slice);
  if (!device) return ReportError(device.error());
  if (const Status fits = CheckSliceFits(*texts, *workbook, options.layout, *device); !fits) {
    return ReportError(fits.error());
  }
  std::vector<CheckJob> jobs;
  for (const SliceText& text : *texts) {
    auto job = MakeSliceJob(text, *ExerciseOf(text.key, *workbook), *device,
                            fs::temp_directory_path() / "texts" / std::to_string(jobs.size()));
    if (!job) return ReportError(job.error());
    jobs.push_back(std::move(*job));
  }
  PrintLine(say::slice_to_grade(options.slice.filename().string(), jobs.size()));
  std::fflush(stdout);
  std::size_t not_graded = 0;
  if (const Status status = GradeTexts(*slice, *texts, jobs, options, not_graded); !status) {
    return ReportError(status.error());
  }
  PrintLine(say::slice_graded(jobs.size() - not_graded, not_graded));
  return not_graded == 0 ? kExitPassed : kExitGraderFault;
}

std::vector<Option> DescribeSliceOptions(SliceOptions& options) {
  return {
      {.name = "SLICE",
       .target = &options.slice,
       .help = "File that `grade --slices` made",
       .required = true},
      {.name = "--jobs",
       .target = &options.parallel,
       .help = "Texts graded at the same time; default: one per core",
       .value_name = "N",
       .range = {{1, 1024}}},
      {"--workbook", &options.layout.root, "Folder that holds chapters/; default: this workbook", "WORKBOOK"},
  };
}

}  // namespace

Command MakeGradeSliceCommand() {
  auto options = std::make_shared<SliceOptions>();
  return {"grade-slice", TeachingHelp("grade-slice"), DescribeSliceOptions(*options), kSliceFooter,
          [options] { return Supervise([options] { return GradeSlice(*options); }); }};
}

}  // namespace warplings

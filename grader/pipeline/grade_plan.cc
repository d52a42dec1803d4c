// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/grade_plan.h"

#include <set>

#include "grader/base/atomic_file.h"
#include "grader/base/sha256.h"
#include "grader/pipeline/result_versions.h"
#include "grader/submissions/find_exercises.h"
#include "grader/submissions/read_handed_in.h"

namespace warplings {
namespace {

std::string HashSubmissionText(const ExerciseFile& file) {
  Sha256 hash;
  hash.AddField(file.text);
  hash.AddField(file.answers);
  return hash.Finish();
}

class Planner {
 public:
  Planner(const GradePlanRequest& request, const Workbook& workbook, const Layout& layout,
          const Gradebook& gradebook)
      : request_(request), workbook_(workbook), layout_(layout), gradebook_(gradebook) {}

  Result<GradePlan> Make() {
    auto folder = ListClass(request_.folder, workbook_);
    if (!folder) return folder.error();
    if (const Status read = ReadVersions(); !read) return read.error();
    plan_.ignored = std::move(folder->ignored);
    for (const StudentEntry& student : folder->students) {
      if (const Status added = AddStudent(student); !added) return added.error();
    }
    plan_.distinct = seen_.size();
    return std::move(plan_);
  }

 private:
  Status ReadVersions() {
    auto grader = GraderVersion(layout_);
    if (!grader) return grader.error();
    grader_version_ = *grader;
    for (const Chapter& chapter : workbook_.chapters) {
      for (const Exercise& exercise : chapter.exercises) {
        auto suite = SuiteVersion(exercise, layout_);
        if (!suite) return suite.error();
        suite_versions_[&exercise] = *suite;
      }
    }
    return Unit{};
  }

  Status AddStudent(const StudentEntry& student) {
    FoundExercises found = FindExercises(ReadHandedIn(student), workbook_);
    StudentRow row{student.name, student.path.filename().string(), std::move(found.remarks)};
    for (const ExerciseFile& file : found.exercises) {
      if (const Status added = AddSubmission(student.name, file); !added) return added;
    }
    plan_.students.push_back(std::move(row));
    return Unit{};
  }

  Status AddSubmission(const std::string& student, const ExerciseFile& file) {
    SubmissionRow row{.student = student,
                      .chapter = file.exercise->chapter,
                      .exercise = file.exercise->id,
                      .state = SubmissionRow::State::kMissing,
                      .file = file.path,
                      .problem = file.problem,
                      .result = ""};
    Status status = Unit{};
    switch (file.state) {
      case ExerciseFile::State::kMissing: ++plan_.missing; break;
      case ExerciseFile::State::kUnusable:
        row.state = SubmissionRow::State::kUnusable;
        ++plan_.unusable;
        break;
      case ExerciseFile::State::kFound:
        row.state = SubmissionRow::State::kFound;
        ++plan_.found;
        status = AddText(file, row.result);
        break;
    }
    plan_.submissions.push_back(std::move(row));
    return status;
  }

  /// A job for a text that is met for the first time and has no result yet.
  Status AddText(const ExerciseFile& file, std::string& key_name) {
    ResultKey key{.chapter = file.exercise->chapter,
                  .exercise = file.exercise->id,
                  .submission_hash = HashSubmissionText(file),
                  .suite_version = suite_versions_.at(file.exercise),
                  .grader_version = grader_version_,
                  .device = request_.device.name,
                  .seed = request_.settings.seed,
                  .round = request_.settings.round};
    key_name = key.Name();
    if (!seen_.insert(key_name).second) return Unit{};
    const auto graded = gradebook_.IsGraded(key_name);
    if (!graded) return graded.error();
    return *graded ? Status(Unit{}) : AddJob(file, std::move(key));
  }

  /// The file gets the exercise's name, whatever the student's was: equal texts have equal results.
  Status AddJob(const ExerciseFile& file, ResultKey key) {
    const std::string name = file.exercise->id + ".cu";
    const std::filesystem::path folder = request_.scratch / std::to_string(plan_.jobs.size());
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (const Status written = WriteFileAtomically(folder / name, file.text); !written) {
      return GraderError(written.error().message,
                         "Free some space there, or set TMPDIR to a folder with room.");
    }
    Submission submission;
    submission.exercise = file.exercise;
    submission.file = folder / name;
    submission.display_name = name;
    submission.source = file.text;
    submission.answers = file.answers;
    plan_.jobs.push_back(
        {std::move(submission),
         {.device = request_.device, .seed = request_.settings.seed, .speed = SpeedMode::kMeasure}});
    plan_.keys.push_back(std::move(key));
    return Unit{};
  }

  const GradePlanRequest& request_;
  const Workbook& workbook_;
  const Layout& layout_;
  const Gradebook& gradebook_;
  std::string grader_version_;
  std::map<const Exercise*, std::string> suite_versions_;
  std::set<std::string> seen_;
  GradePlan plan_;
};

}  // namespace

Result<GradePlan> MakeGradePlan(const GradePlanRequest& request, const Workbook& workbook,
                                const Layout& layout, const Gradebook& gradebook) {
  return Planner(request, workbook, layout, gradebook).Make();
}

}  // namespace warplings

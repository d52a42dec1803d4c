// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/grade_outputs.h"

#include <algorithm>
#include <set>
#include <vector>

#include "grader/base/atomic_file.h"
#include "grader/base/read_file.h"
#include "grader/pipeline/run_program.h"
#include "grader/report/class_report.h"
#include "grader/report/grades_csv.h"
#include "grader/report/gradescope.h"
#include "grader/report/junit.h"

namespace warplings {

namespace fs = std::filesystem;

namespace {

/// A kind of file that a student has one of. A new kind is a row below and its writer.
struct StudentFile {
  const char* folder;  ///< Below --out.
  /// Behind StudentGrades::page: "/results.json" lies in a folder of the student's own.
  const char* ending;
  std::string (*write)(const ClassGrades&, const StudentGrades&);
  bool complete_only;  ///< None for who has an exercise that is not graded yet.
};
constexpr StudentFile kStudentFiles[] = {
    {GradeOutputs::kGradescope, "/results.json", GradescopeResults, true},
    {"junit", ".xml", JUnitReport, false},
};

/// Likewise, one for the class.
struct ClassFile {
  const char* name;
  std::string (*write)(const ClassGrades&);
};
constexpr ClassFile kClassFiles[] = {{GradeOutputs::kCsv, GradesCsv}};

/// A file of this name that a killed run had begun: WriteFileAtomically's, or that of grader/pages/pages.py.
bool IsBegun(const std::string& name) {
  if (name.ends_with(".html.part") || name == ".drawn.json.part") return true;
  const std::size_t end = name.rfind(".part-");
  return end != std::string::npos && name.size() == end + std::string_view(".part-XXXXXX").size();
}

void RemoveBegunFiles(const GradeOutputs& outputs) {
  std::vector<fs::path> begun;
  std::error_code error;
  const auto look = [&](auto entry) {
    for (const decltype(entry) end; !error && entry != end; entry.increment(error)) {
      if (IsBegun(entry->path().filename().string())) begun.push_back(entry->path());
    }
    error.clear();
  };
  look(fs::directory_iterator(outputs.folder, error));
  for (const StudentFile& kind : kStudentFiles)
    look(fs::recursive_directory_iterator(outputs.folder / kind.folder, error));
  look(fs::recursive_directory_iterator(outputs.Report(), error));
  for (const fs::path& file : begun) fs::remove(file, error);
}

/// A file for each student, most of which are as they were: each that is written waits for the disk.
Status WriteIfChanged(const fs::path& file, const std::string& text) {
  if (ReadFile(file) == text) return Unit{};
  return WriteFileAtomically(file, text);
}

/// Removes the files of students who are gone, or are not completely graded any more. Only what we made
/// ourselves: a folder in which somebody put something else stays.
void RemoveOldFiles(const StudentFile& kind, const fs::path& folder, const std::set<fs::path>& current) {
  std::error_code error;
  const bool has_folder = kind.ending[0] == '/';
  std::vector<fs::path> old;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string file = entry->path().string() + (has_folder ? kind.ending : "");
    if (file.ends_with(kind.ending) && !current.contains(file)) old.push_back(file);
  }
  for (const fs::path& file : old) {
    fs::remove(file, error);
    if (has_folder) fs::remove(file.parent_path(), error);
  }
}

Status WriteStudentFiles(const StudentFile& kind, const ClassGrades& grades, const fs::path& folder) {
  std::set<fs::path> current;
  Status status = Unit{};
  for (const StudentGrades& student : grades.students) {
    if (kind.complete_only && !student.complete) continue;
    const fs::path file = folder / (student.page + kind.ending);
    current.insert(file);
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    const Status written = WriteIfChanged(file, kind.write(grades, student));
    if (!written && status) status = written;
  }
  RemoveOldFiles(kind, folder, current);
  return status;
}

/// Draws with a script that takes the class's data and what to write.
Status Draw(const ClassGrades& grades, const fs::path& script, const fs::path& target, const Layout& layout) {
  // Supervise gave us a temporary folder of our own.
  const fs::path data = fs::temp_directory_path() / "class_report.json";
  if (const Status written = WriteFileAtomically(data, ClassReportData(grades)); !written) return written;
  return RunPageScript(layout, script, {data.string(), target.string()});
}

}  // namespace

Status WriteFeedback(const ClassGrades& grades, const fs::path& zip, const Layout& layout) {
  return Draw(grades, layout.ClassReportScript().parent_path() / "feedback.py", zip, layout);
}

Status WriteGradeOutputs(const ClassGrades& grades, const GradeOutputs& outputs, const Layout& layout) {
  RemoveBegunFiles(outputs);
  std::vector<Status> all;
  for (const ClassFile& kind : kClassFiles)
    all.push_back(WriteFileAtomically(outputs.folder / kind.name, kind.write(grades)));
  for (const StudentFile& kind : kStudentFiles)
    all.push_back(WriteStudentFiles(kind, grades, outputs.folder / kind.folder));
  all.push_back(Draw(grades, layout.ClassReportScript(), outputs.Report(), layout));
  const auto failed = std::ranges::find_if(all, [](const Status& each) { return !each; });
  return failed == all.end() ? Status(Unit{}) : *failed;
}

}  // namespace warplings

// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/grade_outputs.h"

#include <set>

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

constexpr const char* kResults = "results.json";

/// Only what we made ourselves: a folder in which somebody put something else stays.
void RemoveOldResults(const fs::path& folder, const std::set<std::string>& current) {
  std::error_code error;
  std::vector<fs::path> old;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (!current.contains(entry->path().filename().string())) old.push_back(entry->path());
  }
  for (const fs::path& path : old) {
    fs::remove(path / kResults, error);
    fs::remove(path, error);
  }
}

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
  look(fs::recursive_directory_iterator(outputs.Gradescope(), error));
  look(fs::recursive_directory_iterator(outputs.Report(), error));
  for (const fs::path& file : begun) fs::remove(file, error);
}

/// A file for each student, most of which are as they were: each that is written waits for the disk.
Status WriteIfChanged(const fs::path& file, const std::string& text) {
  if (ReadFile(file) == text) return Unit{};
  return WriteFileAtomically(file, text);
}

Status WriteGradescope(const ClassGrades& grades, const fs::path& folder) {
  std::set<std::string> current;
  Status status = Unit{};
  for (const StudentGrades& student : grades.students) {
    if (!student.complete) continue;
    current.insert(student.page);
    std::error_code error;
    fs::create_directories(folder / student.page, error);
    const Status written =
        WriteIfChanged(folder / student.page / kResults, GradescopeResults(grades, student));
    if (!written && status) status = written;
  }
  RemoveOldResults(folder, current);
  return status;
}

Status WriteJUnit(const ClassGrades& grades, const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  std::set<std::string> current;
  Status status = Unit{};
  for (const StudentGrades& student : grades.students) {
    const std::string name = student.page + ".xml";
    current.insert(name);
    const Status written = WriteIfChanged(folder / name, JUnitReport(grades, student));
    if (!written && status) status = written;
  }
  std::vector<fs::path> old;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const fs::path& path = entry->path();
    if (path.extension() == ".xml" && !current.contains(path.filename().string())) old.push_back(path);
  }
  for (const fs::path& path : old) fs::remove(path, error);
  return status;
}

Status WriteReport(const ClassGrades& grades, const fs::path& folder, const Layout& layout) {
  // Supervise gave us a temporary folder of our own.
  const fs::path data = fs::temp_directory_path() / "class_report.json";
  if (const Status written = WriteFileAtomically(data, ClassReportData(grades)); !written) return written;
  return RunPageScript(layout, layout.ClassReportScript(), {data.string(), folder.string()});
}

}  // namespace

Status WriteGradeOutputs(const ClassGrades& grades, const GradeOutputs& outputs, const Layout& layout) {
  RemoveBegunFiles(outputs);
  const Status csv = WriteFileAtomically(outputs.Csv(), GradesCsv(grades));
  const Status gradescope = WriteGradescope(grades, outputs.Gradescope());
  const Status junit = WriteJUnit(grades, outputs.JUnit());
  const Status report = WriteReport(grades, outputs.Report(), layout);
  for (const Status* status : {&csv, &gradescope, &junit, &report}) {
    if (!*status) return *status;
  }
  return Unit{};
}

}  // namespace warplings

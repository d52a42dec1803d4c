// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace warplings {

/// Where the parts of a built tree are. The one place that knows; nothing else spells these paths.
///
/// `meson install` keeps the relative paths: PREFIX/share/warplings is laid out like the source tree, with
/// what is read at run time, and PREFIX/lib/warplings like the build directory, with what runs.
struct Layout {
  std::filesystem::path root;  ///< The source tree, or PREFIX/share/warplings: chapters/, solutions/, tests/.
  std::filesystem::path build;  ///< Meson's build directory of this program, or PREFIX/lib/warplings.
  bool is_installed = false;    ///< It can be moved, perhaps not be written to, and holds nothing to compile.

  /// The GoogleTest program that judges an exercise's submissions.
  std::filesystem::path SuiteProgram(const std::string& chapter, const std::string& exercise) const {
    return build / "tests" / "chapters" / (chapter + "_" + exercise + "_suite");
  }
  /// Object with the call stub of one exercise's contract, linked into its worker.
  std::filesystem::path EntryObject(const std::string& chapter, const std::string& exercise) const {
    return build / "grader" / "worker" / ("entry_" + chapter + "_" + exercise + ".a");
  }
  /// As old as the start of the launcher's last build of what this name stands for (`warplings` has the
  /// list).
  std::filesystem::path LauncherStamp(const std::string& what) const {
    return build / ("setup.stamp." + what);
  }
  std::filesystem::path SuiteStamp(const std::string& chapter, const std::string& exercise) const {
    return LauncherStamp("suite." + chapter + "_" + exercise);
  }
  std::filesystem::path WorkerArchive() const { return build / "grader" / "worker" / "libworker_main.a"; }
  std::filesystem::path DeviceProgram() const {
    return build / "grader" / "device" / "program" / "warplings-device";
  }
  /// The program with the verbs of those who grade and write exercises.
  std::filesystem::path TeachingProgram() const { return build / "grader" / "cli" / "warplings-teach"; }
  /// The CUDA runtime that forwards to a device process: static for workers, shared for `run`.
  std::filesystem::path RuntimeArchive(int cuda_major) const {
    return RuntimeFolder(cuda_major) / "libcudart_client.a";
  }
  std::filesystem::path RuntimeLibrary(int cuda_major) const {
    return RuntimeFolder(cuda_major) / ("libcudart.so." + std::to_string(cuda_major));
  }
  std::filesystem::path RuntimeFolder(int cuda_major) const {
    return build / "grader" / "runtime" / ("cuda" + std::to_string(cuda_major));
  }
  /// Templates, texts and figures of the handouts.
  std::filesystem::path HandoutFolder() const { return root / "handouts"; }
  /// Computes what the handouts' figures show, with the code that grades.
  std::filesystem::path HandoutFactsProgram() const { return build / "handouts" / "handout-facts"; }
  /// Python 3 with Jinja2, which draws handouts and class reports.
  std::filesystem::path PythonProgram() const;
  /// Draws the class report; of this program's own tree, not of another workbook.
  std::filesystem::path ClassReportScript() const;
  /// Draws the page of a profile; of this program's own tree, too.
  std::filesystem::path ProfilePageScript() const;
  /// What `warplings new` fills in; of this program's own tree, not of another workbook.
  std::filesystem::path TemplateFolder() const;
  /// What the program says, in another language; of this program's own tree.
  std::filesystem::path MessageFile(const std::string& language) const;
  /// Wrong answers that teach: EXERCISE.MISCONCEPTION.cu, or EXERCISE.MISCONCEPTION.VARIANT.cu.
  std::filesystem::path MutantFolder(const std::string& chapter) const {
    return root / "tests" / "mutants" / chapter;
  }
};

/// The layout that this program was built in or installed to.
Layout ThisLayout();

}  // namespace warplings

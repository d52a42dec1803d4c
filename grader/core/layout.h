// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace warplings {

/// Where the files of a built or installed tree are. No other code spells these paths.
///
/// `meson install` keeps the relative paths: PREFIX/share/warplings has the layout of the source tree and
/// holds what is read at run time; PREFIX/lib/warplings has the layout of the build directory and holds the
/// programs.
struct Layout {
  std::filesystem::path root;  ///< The source tree, or PREFIX/share/warplings: chapters/, solutions/, tests/.
  std::filesystem::path build;  ///< Meson's build directory of this program, or PREFIX/lib/warplings.
  bool is_installed = false;  ///< An installed tree may have been moved, may be read-only, and has no sources
                              ///< of its programs.

  /// The GoogleTest program that judges an exercise's submissions.
  std::filesystem::path SuiteProgram(const std::string& chapter, const std::string& exercise) const {
    return build / "tests" / "suites" / (chapter + "_" + exercise + "_suite");
  }
  /// Archive with the call stub for one exercise's contract, which is linked into its worker.
  std::filesystem::path EntryObject(const std::string& chapter, const std::string& exercise) const {
    return build / "grader" / "worker" / ("entry_" + chapter + "_" + exercise + ".a");
  }
  /// A file whose modification time is the start of the launcher's last build of `what` (the script
  /// `warplings` lists the names).
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
  /// The program with the verbs for instructors: grading classes and writing exercises.
  std::filesystem::path TeachingProgram() const { return build / "grader" / "cli" / "warplings-teach"; }
  /// The program that reads students' archives, inside a sandbox.
  std::filesystem::path ArchiveReader() const {
    return build / "grader" / "submissions" / "program" / "warplings-read-archive";
  }
  /// The CUDA runtime that forwards to a device process: static for workers, shared for `run`.
  std::filesystem::path RuntimeArchive(int cuda_major) const {
    return RuntimeFolder(cuda_major) / "libcudart_client.a";
  }
  std::filesystem::path RuntimeLibrary(int cuda_major) const {
    return RuntimeFolder(cuda_major) / ("libcudart.so." + std::to_string(cuda_major));
  }
  /// The driver API's library; the functions are in RuntimeLibrary.
  std::filesystem::path DriverLibrary(int cuda_major) const {
    return RuntimeFolder(cuda_major) / "libcuda.so.1";
  }
  /// What notes the blocks of the host's heap in the programs of `run`.
  std::filesystem::path HeapLibrary() const {
    return build / "grader" / "runtime" / "heap" / "libwarplings_heap.so";
  }
  std::filesystem::path RuntimeFolder(int cuda_major) const {
    return build / "grader" / "runtime" / ("cuda" + std::to_string(cuda_major));
  }
  /// What describes a course file.
  std::filesystem::path CourseDocumentation() const { return root / "docs" / "course.md"; }
  /// A guide as texts name it: "docs/course.md" is at hand in a clone; in an installed tree nobody knows
  /// where that is.
  std::string GuideNamed(const std::string& file) const {
    return is_installed ? (root / "docs" / file).string() : "docs/" + file;
  }
  /// Templates, texts and figures of the handouts.
  std::filesystem::path HandoutFolder() const { return root / "handouts"; }
  /// Built handouts that came with an installed tree (packaging/wheel); not every tree has some.
  std::filesystem::path PackedHandoutFolder() const { return root / "built_handouts"; }
  /// The program that computes the data of the handouts' figures with the grader's own code.
  std::filesystem::path HandoutFactsProgram() const { return build / "handouts" / "handout-facts"; }
  /// Python 3 with Jinja2, which renders handouts and class reports.
  std::filesystem::path PythonProgram() const;
  /// Script that renders the class report. Always from this program's own tree, whatever `root` is.
  std::filesystem::path ClassReportScript() const;
  /// Script that renders the page of a profile; from this program's own tree, too.
  std::filesystem::path ProfilePageScript() const;
  /// Script that writes the files of `warplings new`; from this program's own tree, too.
  std::filesystem::path NewExerciseScript() const;
  /// The PO file with the program's messages in `language`; from this program's own tree, too.
  std::filesystem::path MessageFile(const std::string& language) const;
  /// Wrong answers with one misconception each: EXERCISE.MISCONCEPTION.cu or
  /// EXERCISE.MISCONCEPTION.VARIANT.cu.
  std::filesystem::path MutantFolder(const std::string& chapter) const {
    return root / "tests" / "mutants" / chapter;
  }
};

/// The layout of the tree to which the running program belongs.
Layout ThisLayout();

}  // namespace warplings

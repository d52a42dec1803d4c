// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/clangd_files.h"

#include <nlohmann/json.hpp>

#include "grader/build/toolchain.h"
#include "grader/core/json.h"
#include "grader/core/layout.h"

namespace warplings {
namespace {

constexpr const char* kHeaderFolder = ".warplings/clangd";

constexpr const char* kHeader =
    "// For clangd alone: versions of clang up to 17 include a header of this name, which CUDA 12 no longer "
    "has.\n";

nlohmann::json CommandFor(const std::filesystem::path& workbook, const Toolchain& toolchain,
                          const Exercise& exercise) {
  const std::string folder = "chapters/" + exercise.chapter;
  const std::string file = folder + "/" + exercise.id + ".cu";
  return {{"directory", workbook.string()},
          {"file", file},
          {"arguments",
           {"clang++", "-x", "cuda", "--cuda-path=" + toolchain.toolkit.string(), "--cuda-host-only",
            "-nocudalib", "-Wno-unknown-cuda-version", "-std=c++17", "-I" + folder,
            std::string("-I") + kHeaderFolder,
            // Its own texture functions need a template that CUDA 12 no longer has.
            "-D__CLANG_CUDA_TEXTURE_INTRINSICS_H__", "-include",
            folder + "/" + exercise.contract.filename().string(), "-fsyntax-only", file}}};
}

}  // namespace

std::vector<WorkbookFile> FilesForClangd(const std::filesystem::path& workbook, const Workbook& chapters) {
  const auto toolchain = FindToolchain(ThisLayout().root);
  if (!toolchain) return {};
  nlohmann::json commands = nlohmann::json::array();
  for (const Chapter& chapter : chapters.chapters) {
    for (const Exercise& exercise : chapter.exercises)
      commands.push_back(CommandFor(workbook, *toolchain, exercise));
  }
  return {{"compile_commands.json", DumpJson(commands, 2) + "\n"},
          {std::string(kHeaderFolder) + "/texture_fetch_functions.h", kHeader}};
}

}  // namespace warplings

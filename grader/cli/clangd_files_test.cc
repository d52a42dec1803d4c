// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/clangd_files.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "grader/build/toolchain.h"
#include "grader/core/layout.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

TEST(FilesForClangd, ClangReadsEveryStarterWithThem) {
  std::string name = testing::TempDir() + "warplings-clangd-XXXXXX";
  ASSERT_NE(mkdtemp(name.data()), nullptr);
  const fs::path folder = fs::path(name) / "my work";
  const fs::path tree = ThisLayout().root;
  const auto chapters = LoadWorkbook(tree);
  ASSERT_TRUE(chapters);
  auto files = FilesOfWorkbook(tree, *chapters, "./warplings");
  ASSERT_TRUE(files);
  for (WorkbookFile& file : FilesForClangd(folder, *chapters)) files->push_back(std::move(file));
  ASSERT_TRUE(MakeWorkbook(folder, *files, "1"));

  std::ifstream text(folder / "compile_commands.json");
  const auto commands = nlohmann::json::parse(text);
  std::size_t exercises = 0;
  for (const Chapter& chapter : chapters->chapters) exercises += chapter.exercises.size();
  EXPECT_EQ(commands.size(), exercises);
  const char* path = std::getenv("PATH");
  const auto clang = FindOnPath("clang++", path == nullptr ? "" : path);
  for (const auto& command : commands) {
    EXPECT_EQ(command.at("directory"), folder.string());
    const auto file = command.at("file").get<std::string>();
    EXPECT_TRUE(fs::exists(folder / file)) << file;
    if (!clang) continue;
    std::string line = "cd '" + folder.string() + "' &&";
    for (const auto& word : command.at("arguments")) line += " '" + word.get<std::string>() + "'";
    EXPECT_EQ(std::system(line.c_str()), 0) << line;
  }
  fs::remove_all(name);
  if (!clang) GTEST_SKIP() << "there is no clang++ here: only the files' form was looked at";
}

}  // namespace
}  // namespace warplings

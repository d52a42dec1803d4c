// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/open_page.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace warplings {
namespace {

/// What is printed where `xdg-open` is this shell script.
std::string Printed(const std::string& script) {
  std::string folder = testing::TempDir() + "warplings-open-XXXXXX";
  EXPECT_NE(::mkdtemp(folder.data()), nullptr);
  const std::filesystem::path program = std::filesystem::path(folder) / "xdg-open";
  std::ofstream(program) << "#!/bin/sh\n" << script << "\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const std::string before = std::getenv("PATH");
  ::setenv("PATH", (folder + ":" + before).c_str(), 1);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  OpenPage("a page.html");
  std::string printed = testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr();
  ::setenv("PATH", before.c_str(), 1);
  std::filesystem::remove_all(folder);
  return printed;
}

TEST(OpenPage, SaysWhereThePageIsWithoutABrowser) {
  EXPECT_EQ(Printed("echo \"firefox: not found\" >&2; exit 3"),
            "No browser could be started here. Open this page in one: a page.html\n");
  EXPECT_EQ(Printed("echo \"opened $1\""), "opened a page.html\n");
}

}  // namespace
}  // namespace warplings

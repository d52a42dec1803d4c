// SPDX-License-Identifier: Apache-2.0
#include "grader/base/discard_folder.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <string>

namespace warplings {
namespace {

namespace fs = std::filesystem;

TEST(DiscardFolder, RemovesAllThatItHoldsAndAnAbsentOneIsNoFault) {
  std::string folder = testing::TempDir() + "warplings-discard-XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  fs::create_directories(fs::path(folder) / "a" / "b");
  std::ofstream(fs::path(folder) / "a" / "f") << "text";
  DiscardFolder(folder);
  EXPECT_FALSE(fs::exists(folder));
  DiscardFolder(folder);
  DiscardFolder("");
}

}  // namespace
}  // namespace warplings

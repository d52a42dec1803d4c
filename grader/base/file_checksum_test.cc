// SPDX-License-Identifier: Apache-2.0
#include "grader/base/file_checksum.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>

namespace warplings {
namespace {

class FileChecksumTest : public testing::Test {
 protected:
  std::string Of(const std::string& text) {
    const std::string path = testing::TempDir() + "warplings-checksum-" + std::to_string(getpid());
    std::ofstream(path, std::ios::binary) << text;
    const auto sum = FileChecksum(path);
    std::filesystem::remove(path);
    EXPECT_TRUE(sum.has_value());
    return sum.value_or("");
  }
};

TEST_F(FileChecksumTest, EachDamageOfACacheEntryIsSeen) {
  std::string text;
  for (unsigned i = 0; i < 300'000; ++i) text += static_cast<char>(i * 7919 >> 5);
  std::set<std::string> sums{Of(text)};
  std::size_t made = 1;
  const auto expect_new = [&](const std::string& damaged) {
    sums.insert(Of(damaged));
    EXPECT_EQ(sums.size(), ++made);
  };
  for (const std::size_t length : {0ul, 1ul, 31ul, 32ul, 4096ul, 262'144ul, 299'999ul}) {
    expect_new(text.substr(0, length));
  }
  for (const std::size_t at : {0ul, 8ul, 4095ul, 262'143ul, 262'144ul, 299'999ul}) {
    std::string bit = text;
    bit[at] = static_cast<char>(bit[at] ^ 1);
    expect_new(bit);
  }
  std::string hole = text;
  hole.replace(8192, 4096, 4096, '\0');
  expect_new(hole);
  std::string swapped = text;
  std::swap_ranges(swapped.begin(), swapped.begin() + 32, swapped.begin() + 64);
  expect_new(swapped);
  expect_new(text + '\0');
}

TEST_F(FileChecksumTest, TheSameBytesHaveTheSameOne) {
  EXPECT_EQ(Of("worker"), Of("worker"));
  EXPECT_EQ(Of(""), Of(""));
}

TEST_F(FileChecksumTest, AFileThatCannotBeReadHasNone) {
  EXPECT_FALSE(FileChecksum("/nonexistent/file"));
  EXPECT_FALSE(FileChecksum("/"));
}

}  // namespace
}  // namespace warplings

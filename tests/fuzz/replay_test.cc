// SPDX-License-Identifier: Apache-2.0
// Every input that a fuzzer found worth keeping, and every one that broke something once, through the same
// entry functions, without a fuzzer. What breaks a rule ends this program, as in the fuzzer.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "tests/fuzz/entries.h"
#include "tests/fuzz/require.h"

namespace warplings::fuzz {
namespace {

namespace stdfs = std::filesystem;

/// Files of corpus/TARGET and findings/TARGET.
std::vector<stdfs::path> Inputs(const char* target) {
  std::vector<stdfs::path> files;
  for (const char* folder : {"corpus", "findings"}) {
    std::error_code none;  // A target that never broke has no findings.
    for (const auto& file :
         stdfs::directory_iterator(stdfs::path(WARPLINGS_FUZZ_FOLDER) / folder / target, none)) {
      files.push_back(file.path());
    }
  }
  std::ranges::sort(files);
  return files;
}

/// One test a file, so that the one that ends the program is the one named last.
class FuzzInput : public testing::TestWithParam<stdfs::path> {
 protected:
  std::string Read() const {
    std::ifstream file(GetParam(), std::ios::binary);
    EXPECT_TRUE(file.is_open());
    return std::string(std::istreambuf_iterator<char>(file), {});
  }
};

class FatbinInput : public FuzzInput {};
TEST_P(FatbinInput, IsReadOrRefused) {
  const std::string input = Read();
  ReadDeviceCode(std::as_bytes(std::span(input)));
}

class PtxInput : public FuzzInput {};
TEST_P(PtxInput, IsLoadedOrRefused) {
  const std::string input = Read();
  LoadPtx(std::as_bytes(std::span(input)));
}

class RequestsInput : public FuzzInput {};
TEST_P(RequestsInput, AreHandledOrRefused) {
  const std::string input = Read();
  HandleRequests(std::as_bytes(std::span(input)));
}

class StreamOrderInput : public FuzzInput {};
TEST_P(StreamOrderInput, GivesWhatCudaPromises) {
  const std::string input = Read();
  FollowStreamOrder(std::as_bytes(std::span(input)));
}

std::string NameOf(const testing::TestParamInfo<stdfs::path>& info) {
  std::string name = info.param.filename().string();
  std::ranges::replace_if(
      name, [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Corpus, FatbinInput, testing::ValuesIn(Inputs("fatbin")), NameOf);
INSTANTIATE_TEST_SUITE_P(Corpus, PtxInput, testing::ValuesIn(Inputs("ptx")), NameOf);
INSTANTIATE_TEST_SUITE_P(Corpus, RequestsInput, testing::ValuesIn(Inputs("requests")), NameOf);
INSTANTIATE_TEST_SUITE_P(Corpus, StreamOrderInput, testing::ValuesIn(Inputs("stream_order")), NameOf);

TEST(FuzzCorpus, IsThere) {
  for (const char* target : {"fatbin", "ptx", "requests", "stream_order"}) {
    EXPECT_FALSE(Inputs(target).empty()) << target;
  }
}

TEST(FuzzRuleDeathTest, AFailureNeedsAMessageOfReadableLength) {
  EXPECT_DEATH(RequireMessage(""), "without a message");
  EXPECT_DEATH(RequireMessage(std::string(kLongestMessage + 1, 'x')), "more than 16 KiB");
  RequireMessage("it is cut off");
}

}  // namespace
}  // namespace warplings::fuzz

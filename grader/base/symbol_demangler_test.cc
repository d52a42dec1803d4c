// SPDX-License-Identifier: Apache-2.0
#include "grader/base/symbol_demangler.h"

#include <gtest/gtest.h>

#include <chrono>
#include <ctime>

namespace warplings {
namespace {

/// The mangled name of a function g of a pair, a pair of pairs, and so on: each level takes three
/// back-references and doubles the text, so that it demangles to about 2^`depth` times `name`.
std::string Doubling(int depth, const std::string& name = "A") {
  const std::string digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::string mangled = "_Z1g" + std::to_string(name.size()) + name + "IiiE";
  for (int i = 0; i < depth; ++i) mangled += "S_IS" + digits.substr(i, 1) + "_S" + digits.substr(i, 1) + "_E";
  return mangled;
}

TEST(Demangler, WritesNamesWithTheirParameters) {
  Demangler demangle;
  EXPECT_EQ(demangle("_Z12tiled_matmulPKfS0_Pfi"), "tiled_matmul(float const*, float const*, float*, int)");
  EXPECT_EQ(demangle("_ZNSt6vectorIfSaIfEE9push_backERKf"),
            "std::vector<float, std::allocator<float> >::push_back(float const&)");
  EXPECT_EQ(demangle("main"), "");
  EXPECT_EQ(demangle("_Zgarbage"), "");
}

TEST(Demangler, RefusesWhatWouldTakeGigabytes) {
  Demangler demangle;
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(demangle(Doubling(3)).substr(0, 7), "g(A<int");
  EXPECT_EQ(demangle(Doubling(7, std::string(900, 'A'))), "");  // Few references, but 460,000 characters.
  EXPECT_EQ(demangle(Doubling(28)), "");
  EXPECT_EQ(demangle("_Z1f" + std::string(100'000, 'i')), "");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
}

TEST(Demangler, EndsWhenThousandsOfNamesAddUp) {
  Demangler demangle;
  const std::string name = Doubling(7);
  // Processor time: on a busy machine the clock on the wall says nothing.
  const std::clock_t start = std::clock();
  for (int i = 0; i < 100'000; ++i) demangle(name);
  EXPECT_LT(std::clock() - start, 5 * CLOCKS_PER_SEC);
  EXPECT_EQ(demangle("_Z1fi"), "");
  EXPECT_EQ(Demangler()("_Z1fi"), "f(int)");
}

}  // namespace
}  // namespace warplings

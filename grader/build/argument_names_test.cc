// SPDX-License-Identifier: Apache-2.0
#include "grader/build/argument_names.h"

#include <gtest/gtest.h>

#include "grader/messages/findings.h"

namespace warplings {
namespace {

constexpr const char* kSource = R"(
// __global__ void add(int* wrong, int* comment)
void add(int host_function);
template <class T>
__global__ void add(const float* __restrict__ a, std::array<vec<T>, 3> b, float c[4], int n = 1,
                    unsigned) {
  a[0] = scale(b, c);
}
__global__ void __launch_bounds__(256) scale(float *x) {}
)";

TEST(ArgumentNames, AreFoundInTheKernelsParameterList) {
  const char* const names[] = {"a", "b", "c", "n"};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(ParameterName(kSource, "add", i + 1), names[i]);
  EXPECT_EQ(ParameterName(kSource, "void n::add<float>(const float *)", 1), "a");
  EXPECT_EQ(ParameterName(kSource, "scale", 1), "x");
  EXPECT_EQ(ParameterName(kSource, "scale", 2), "");
  EXPECT_EQ(ParameterName(kSource, "host_function", 1), "");
  EXPECT_EQ(ParameterName("__global__ void add(int", "add", 1), "") << "it does not end";
}

TEST(ArgumentNames, StandInTheFinding) {
  Finding finding;
  finding.kernel = "add";
  finding.object = say::argument(1);
  finding.message = say::read_unwritten(say::Count(4, "byte"), say::argument(1));
  NameArguments(finding, kSource);
  EXPECT_EQ(English(finding.message), "reads 4 bytes of `a` before anything is written there");
  EXPECT_EQ(English(finding.object), "`a`");
  finding.object = say::argument(9);
  NameArguments(finding, kSource);
  EXPECT_EQ(English(finding.object), "argument 9");
}

/// One allocation for two parameters: a store goes by the one in its line.
TEST(ArgumentNames, AStoreHasTheNameInItsLine) {
  const std::string source =
      "__global__ void scan(const int* in, int* out, int* sums, int n) {\n"
      "  out[blockIdx.x + in[0]] = in[n];  // sums[0] = 1\n"
      "  int* p = out;\n"
      "  p[0] = in[1];\n"
      "  if (out[0] == in[0]) return;\n"
      "}\n";
  const auto name_in_line = [&](int line, Access access) {
    Finding finding;
    finding.kernel = "scan";
    finding.access = access;
    finding.where.line = line;
    finding.object = say::argument(1);
    NameArguments(finding, source);
    return English(finding.object);
  };
  EXPECT_EQ(name_in_line(2, Access::kWrite), "`out`");
  EXPECT_EQ(name_in_line(2, Access::kRead), "`in`");
  EXPECT_EQ(name_in_line(4, Access::kWrite), "`in`") << "p is no parameter";
  EXPECT_EQ(name_in_line(5, Access::kWrite), "`in`") << "no store";
  EXPECT_EQ(name_in_line(9, Access::kWrite), "`in`") << "no such line";
}

TEST(ArgumentNames, APointerToNoDeviceMemoryHasItsParametersName) {
  Finding finding;
  finding.kernel = "add";
  finding.message = say::argument_outside_memory(say::reads(), say::Count(4, "byte"), 1);
  NameArguments(finding, kSource);
  EXPECT_EQ(English(finding.message),
            "reads 4 bytes through the kernel's parameter `a`, which does not point to device memory (a host "
            "pointer?)");
  finding.message = say::argument_outside_memory(say::reads(), say::Count(4, "byte"), 9);
  NameArguments(finding, kSource);
  EXPECT_TRUE(say::argument_outside_memory.Made(finding.message)) << "the source has no such parameter";
}

}  // namespace
}  // namespace warplings

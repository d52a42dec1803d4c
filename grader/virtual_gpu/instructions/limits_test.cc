// SPDX-License-Identifier: Apache-2.0
// PTX that asks for sizes or places which no compiler would: the loader must say so, because what runs behind
// it relies on bounds that were checked there.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "tests/support/virtual_gpu_testing.h"

namespace warplings::vgpu {
namespace {

constexpr const char* kHead = ".version 8.0\n.target sm_80\n.address_size 64\n";

/// What loading the kernel "k" of this module says; empty where nothing is wrong.
std::string Loading(const std::string& text) {
  auto device = MakeVirtualGpu(*FindDeviceProfile("a100"), {});
  EXPECT_TRUE(device.ok());
  const auto module = (*device)->LoadModule(0, WrapPtx(kHead + text));
  if (!module) return English(module.error().message);
  const auto kernel = (*device)->FindKernel(*module, "k");
  return kernel ? "" : English(kernel.error().message);
}

std::string Kernel(const std::string& body) {
  return ".visible .entry k() {\n.reg .b16 %rs<4>; .reg .b32 %r<4>; .reg .b64 %rd<4>;\n" + body +
         "\nret;\n}\n";
}

void ExpectIn(const std::string& message, const std::string& part) {
  EXPECT_PRED_FORMAT2(testing::IsSubstring, part, message);
}

TEST(LoaderLimits, LocalMemoryIsAsLargeAsACardGives) {
  EXPECT_EQ(Loading(Kernel(".local .b8 x[524288];")), "");
  ExpectIn(Loading(Kernel(".local .b8 x[524289];")),
           "k: it needs 524289 bytes of local memory per thread; the limit is 524288");
  // 2^32 + 16 bytes are not 16.
  ExpectIn(Loading(Kernel(".local .b8 x[4294967312];")), "4294967312 bytes of local memory");
}

TEST(LoaderLimits, LocalMemoryOfAllThatMayBeCalledIsCounted) {
  const std::string functions =
      ".func f() { .local .b8 x[524288]; ret; }\n.func g() { .local .b8 x[524288]; ret; }\n";
  ExpectIn(Loading(functions + Kernel("call f, ();\ncall g, ();")),
           "local memory per thread, including the functions that it may call");
}

TEST(LoaderLimits, SharedMemoryDoesNotWrapAround) {
  EXPECT_EQ(Loading(Kernel(".shared .b8 x[49152];")), "");
  ExpectIn(Loading(Kernel(".shared .b8 x[4294967312];")), "bytes of shared memory; the limit is");
}

TEST(LoaderLimits, ParametersAreAsLargeAsPtxAllows) {
  EXPECT_EQ(Loading(".visible .entry k(.param .b8 p[32764]) { ret; }"), "");
  ExpectIn(Loading(".visible .entry k(.param .b8 p[32765]) { ret; }"),
           "32765 bytes of parameters; the limit is 32764");
  ExpectIn(Loading(".visible .entry k(.param .b8 p[4294967304], .param .u64 q) { ret; }"),
           "bytes of parameters");
}

/// 32 lanes of 2^27 bytes are 2^32, which is 0 in the frame's 32 bits: a store would leave the frame.
TEST(LoaderLimits, ArgumentsOfCallsDoNotWrapAround) {
  ExpectIn(Loading(Kernel(".param .b8 p[134217728];\nst.param.b32 [p+64], %r1;")),
           "bytes of registers and parameters per warp; the limit is");
}

TEST(LoaderLimits, OnlyNamedSlotsAreWrittenAsParameters) {
  EXPECT_EQ(Loading(Kernel(".param .b32 p;\nst.param.b32 [p], %r1;")), "");
  ExpectIn(Loading(Kernel("st.param.b32 [%rd1], %r1;")), "only a parameter or result of a call");
  ExpectIn(Loading(".visible .entry k(.param .u32 p) { .reg .b32 %r<4>; st.param.b32 [p], %r1; ret; }"),
           "only a parameter or result of a call");
  ExpectIn(Loading(Kernel(".param .b32 p;\nst.param.v4.b64 [p], {%rd1, %rd1, %rd1, %rd1};")),
           "the access goes past the end of its parameter");
}

TEST(LoaderLimits, ElementsOfAVectorAreOfOneWidth) {
  EXPECT_EQ(Loading(Kernel("ld.global.v2.b16 {%rs1, %rs2}, [%rd1];\nst.global.v2.b16 [%rd1], {%rs1, 0};")),
            "");
  ExpectIn(Loading(Kernel("ld.global.v2.b32 {%r1, %rd2}, [%rd1];")), "differ in width");
  ExpectIn(Loading(Kernel("st.global.v2.b32 [%rd1], {0, %rd2};")), "differ in width");
}

/// Each instruction was looked at for each variable: 4,000 times 60,000.
TEST(LoaderLimits, VariablesAndInstructionsAddUpAndDoNotMultiply) {
  std::string text;
  for (int i = 0; i < 8'000; ++i) text += ".global .u32 v" + std::to_string(i) + ";\n";
  std::string body;
  for (int i = 0; i < 60'000; ++i) body += "mov.u32 %r1, 1;\n";
  const std::clock_t start = std::clock();
  EXPECT_EQ(Loading(text + Kernel(body)), "");
#ifdef __SANITIZE_ADDRESS__
  constexpr double kMostSeconds = 50;
#else
  constexpr double kMostSeconds = 5;
#endif
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, kMostSeconds);
}

/// What "k" prints and which findings it gives, run by one warp.
std::pair<std::string, std::vector<Finding>> Running(const std::string& text) {
  auto device = MakeVirtualGpu(*FindDeviceProfile("a100"), {});
  EXPECT_TRUE(device.ok());
  const auto module = (*device)->LoadModule(0, WrapPtx(kHead + text));
  EXPECT_TRUE(module.ok()) << module.error().message;
  const auto kernel = (*device)->FindKernel(*module, "k");
  EXPECT_TRUE(kernel.ok()) << kernel.error().message;
  LaunchRequest request;
  request.kernel = kernel->id;
  request.grid = {1, 1, 1};
  request.block = {32, 1, 1};
  EXPECT_TRUE((*device)->Launch(request).ok());
  return {(*device)->TakePrinted(), (*device)->TakeFindings()};
}

/// printf(format, 500, 7) by each lane.
std::string Printing(const std::string& format) {
  std::string bytes;
  for (const char c : format) bytes += std::to_string(static_cast<int>(c)) + ", ";
  return Running(
             ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n.global .align 1 .b8 "
             "f[" +
             std::to_string(format.size() + 1) + "] = {" + bytes + "0};\n" +
             Kernel(
                 ".local .align 8 .b8 depot[8];\n"
                 "mov.u64 %rd1, depot; cvta.local.u64 %rd1, %rd1; mov.u64 %rd2, f; cvta.global.u64 %rd2, "
                 "%rd2;\n"
                 "st.b32 [%rd1], 500; st.b32 [%rd1+4], 7;\n"
                 "{ .param .b64 p0; st.param.b64 [p0+0], %rd2; .param .b64 p1; st.param.b64 [p1+0], %rd1;\n"
                 ".param .b32 q; call.uni (q), vprintf, (p0, p1); ld.param.b32 %r1, [q+0]; }"))
      .first;
}

TEST(RunningLimits, AWidthFromAnArgumentIsBoundedAsOneInTheFormat) {
  EXPECT_EQ(Printing("%*d|").size(), 32u * 501);
  EXPECT_EQ(Printing("<%*9999999d|"), std::string(32, '<'));
  EXPECT_EQ(Printing("<9%99*d|").substr(0, 2), "<9");
  EXPECT_LT(Printing("<9%99*d|").size(), 100u);
}

TEST(RunningLimits, CopiesThatNobodyWaitsForAreSoMany) {
  const auto [printed, findings] =
      Running(".global .align 16 .b8 g[16] = {1, 2, 3, 4};\n" +
              Kernel(".shared .align 16 .b8 s[16]; .reg .pred %p<2>;\n"
                     "mov.u32 %r1, 0; mov.u32 %r2, s; mov.u64 %rd1, g;\n"
                     "again: cp.async.ca.shared.global [%r2], [%rd1], 4;\n"
                     "add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 3000; @%p1 bra again;"));
  const auto limit = std::ranges::find(findings, FindingKind::kTrap, &Finding::kind);
  ASSERT_NE(limit, findings.end());
  ExpectIn(English(limit->message), "65536 asynchronous copies");
}

/// A program may ask for ten thousand kernels that do not exist; each refusal is a finding of its own.
TEST(LoaderLimits, FindingsAreSoMany) {
  auto device = MakeVirtualGpu(*FindDeviceProfile("a100"), {});
  ASSERT_TRUE(device.ok());
  for (int i = 0; i < 1100; ++i) {
    Finding finding;
    finding.message = "refused " + std::to_string(i);
    (*device)->AddFinding(finding);
  }
  EXPECT_EQ((*device)->TakeFindings().size(), 1000u);
  (*device)->AddFinding(Finding());
  EXPECT_EQ((*device)->TakeFindings().size(), 1u);
}

}  // namespace
}  // namespace warplings::vgpu

// SPDX-License-Identifier: Apache-2.0
// PTX that asks for sizes or places which no compiler would: the loader must say so, because what runs behind
// it relies on bounds that were checked there.
#include <gtest/gtest.h>

#include "grader/virtual_gpu/testing.h"

namespace warplings::vgpu {
namespace {

constexpr const char* kHead = ".version 8.0\n.target sm_80\n.address_size 64\n";

/// What loading the kernel "k" of this module says; empty where nothing is wrong.
std::string Loading(const std::string& text) {
  auto device = MakeVirtualGpu(*FindDeviceProfile("a100"), {});
  EXPECT_TRUE(device.ok());
  const auto module = (*device)->LoadModule(0, WrapPtx(kHead + text));
  if (!module) return module.error().message;
  const auto kernel = (*device)->FindKernel(*module, "k");
  return kernel ? "" : kernel.error().message;
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
           "local memory per thread, with all that it may call");
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
           "the access leaves its parameter");
}

TEST(LoaderLimits, ElementsOfAVectorAreOfOneWidth) {
  EXPECT_EQ(Loading(Kernel("ld.global.v2.b16 {%rs1, %rs2}, [%rd1];\nst.global.v2.b16 [%rd1], {%rs1, 0};")),
            "");
  ExpectIn(Loading(Kernel("ld.global.v2.b32 {%r1, %rd2}, [%rd1];")), "differ in width");
  ExpectIn(Loading(Kernel("st.global.v2.b32 [%rd1], {0, %rd2};")), "differ in width");
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

// SPDX-License-Identifier: Apache-2.0
// Tests that unsupported features are refused when a kernel is loaded, with one finding that names the
// feature and the student's line; and launches that are refused because of their parameters.
#include <gtest/gtest.h>

#include "tests/support/virtual_gpu_testing.h"

namespace warplings::vgpu {
namespace {

/// A module with two kernels: `k` has `body`, from line 7 of student.cu; `fine` can run.
std::string ModuleWith(const std::string& body, const std::string& head = "",
                       const std::string& before = "") {
  return ".version 8.0\n.target sm_90\n.address_size 64\n.file 1 \"student.cu\"\n" + before +
         ".visible .entry k(.param .u64 p)" + head +
         "\n{\n  .reg .b32 %r<8>;\n  .reg .b64 %rd<8>;\n  .reg .f32 %f<8>;\n  .reg .pred %p<4>;\n"
         "  .shared .align 16 .b8 tile[256];\n  .loc 1 7 3\n" +
         body + "\n  ret;\n}\n.visible .entry fine()\n{\n  ret;\n}\n";
}

class RefusedKernels : public ::testing::Test {
 protected:
  void SetUp() override { device_ = MakeVirtualGpu(*FindDeviceProfile("h200"), {}).value(); }

  void ExpectRefusal(const std::string& text, const std::string& name) {
    auto module = device_->LoadModule(0, WrapPtx(text));
    ASSERT_TRUE(module.ok()) << name << ": " << module.error().message;
    EXPECT_TRUE(device_->FindKernel(*module, "fine").ok()) << name;
    auto kernel = device_->FindKernel(*module, "k");
    ASSERT_FALSE(kernel.ok()) << name;
    EXPECT_EQ(kernel.error().code, CudaError::kInvalidPtx) << name;
    const std::vector<Finding> findings = device_->TakeFindings();
    ASSERT_EQ(findings.size(), 1u) << name;
    EXPECT_EQ(findings[0].kind, FindingKind::kUnsupported) << name;
    EXPECT_EQ(findings[0].kernel, "k");
    EXPECT_NE(English(findings[0].message).find(name), std::string::npos) << findings[0].message;
    EXPECT_EQ(findings[0].where, (SourceLine{"student.cu", 7})) << findings[0].message;
  }

  std::unique_ptr<LocalDevice> device_;
};

TEST_F(RefusedKernels, Textures) {
  ExpectRefusal(ModuleWith("tex.2dms.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1, %r1, %r1, %r1}];"),
                "'tex.2dms.v4.f32.s32' is not supported (textures)");
}
TEST_F(RefusedKernels, Surfaces) {
  ExpectRefusal(ModuleWith("sust.p.2d.b32.trap [%rd1, {%r2, %r4}], {%r3};"),
                "'sust.p.2d.b32.trap' is not supported (surfaces)");
}
TEST_F(RefusedKernels, Clusters) {
  ExpectRefusal(ModuleWith("mov.u32 %r1, 0;", " .explicitcluster .reqnctapercluster 2, 1, 1"),
                "thread block clusters are not supported");
  ExpectRefusal(ModuleWith("mapa.u64 %rd1, %rd2, 1;"), "'mapa.u64' is not supported (thread block clusters)");
}
TEST_F(RefusedKernels, BulkAndTensorCopies) {
  ExpectRefusal(ModuleWith("cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], 256;"),
                "(bulk and tensor copies)");
  ExpectRefusal(
      ModuleWith("cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%rd1, {%r1}], [%r2];"),
      "(bulk and tensor copies)");
}
TEST_F(RefusedKernels, LaunchesByKernels) {
  ExpectRefusal(
      ModuleWith("{ .param .b64 a; .param .b64 b; .param .b32 c; st.param.b64 [a], %rd1; "
                 "st.param.b64 [b], 0; call.uni (c), __cudaCDP2LaunchDeviceV2, (a, b); }",
                 "",
                 ".extern .func (.param .b32 c) __cudaCDP2LaunchDeviceV2(.param .b64 a, .param .b64 b);\n"),
      "dynamic parallelism");
}
TEST_F(RefusedKernels, AddressesOfKernels) {
  ExpectRefusal(ModuleWith("mov.u64 %rd1, _Z5childv;", "", ".visible .entry _Z5childv() { ret; }\n"),
                "cannot run k: it uses the address of child: kernels cannot launch kernels here");
}
TEST_F(RefusedKernels, WhatNoFileDefines) {
  ExpectRefusal(ModuleWith("ld.global.u32 %r1, [_ZN1n1xE];", "", ".extern .global .u32 _ZN1n1xE;\n"),
                "cannot run k: it uses n::x, which is not defined in the program");
  ExpectRefusal(ModuleWith("mov.u64 %rd1, x;", "", ".extern .const .u32 x;\n"),
                "cannot run k: it uses x, which is not defined in the program");
  ExpectRefusal(ModuleWith("call.uni _Z1fv;", "", ".extern .func _Z1fv;\n"),
                "cannot run k: it calls f, which is not defined in the program");
}
TEST_F(RefusedKernels, SpecialRegistersThatItDoesNotHave) {
  ExpectRefusal(ModuleWith("mov.u32 %r1, %envreg7;"), "special register '%envreg7' is not supported");
}

TEST_F(RefusedKernels, ACooperativeGridThatDoesNotFit) {
  auto module = device_->LoadModule(0, WrapPtx(ModuleWith("mov.u32 %r1, 0;")));
  LaunchRequest launch;
  launch.kernel = device_->FindKernel(*module, "fine")->id;
  launch.block = {1024, 1, 1};
  launch.cooperative = true;
  launch.grid = {132 * 2, 1, 1};  // an H200 has 132 multiprocessors with room for 2048 threads each
  EXPECT_TRUE(device_->Launch(launch).ok());
  launch.grid = {132 * 2 + 1, 1, 1};
  const CudaStatus refused = device_->Launch(launch);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, CudaError::kCooperativeLaunchTooLarge);
  EXPECT_EQ(English(refused.error().message),
            "the cooperative launch has 265 blocks, but the GPU can hold only 264 at a time; all must be "
            "resident at once");
  launch.cooperative = false;
  EXPECT_TRUE(device_->Launch(launch).ok());
}

TEST_F(RefusedKernels, ABranchBeyondItsTable) {
  auto module = device_->LoadModule(
      0, WrapPtx(ModuleWith("mov.u32 %r1, 2;\n  brx.idx %r1, table;\ntable: .branchtargets a, b;\na:\nb:")));
  LaunchRequest launch;
  launch.kernel = device_->FindKernel(*module, "k")->id;
  launch.arguments = Arguments().Add(std::uint64_t{0}).bytes();
  EXPECT_TRUE(device_->Launch(launch).ok());
  const std::vector<Finding> findings = device_->TakeFindings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, FindingKind::kTrap);
  EXPECT_EQ(findings[0].where.line, 7);
  EXPECT_EQ(device_->SynchronizeAll().error().code, CudaError::kLaunchFailure);
}

}  // namespace
}  // namespace warplings::vgpu

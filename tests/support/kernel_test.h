// SPDX-License-Identifier: Apache-2.0
// For tests of what the virtual GPU does with a kernel that is written as PTX.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/virtual_gpu/virtual_gpu.h"
#include "tests/support/virtual_gpu_testing.h"

namespace warplings::vgpu {

/// A kernel k(u64 a, u64 b, u32 n) with %rd1 = a, %rd2 = b, %r1 = n, %r2 = %tid.x already loaded.
inline std::string KernelText(const std::string& declarations, const std::string& body) {
  return R"(.version 8.0
.target sm_80
.address_size 64
.const .align 4 .u32 fixed = 7;
.visible .entry k(.param .u64 k_param_0, .param .u64 k_param_1, .param .u32 k_param_2)
{
  .reg .pred %p<8>;
  .reg .b16 %rs<8>;
  .reg .b32 %r<32>;
  .reg .f32 %f<8>;
  .reg .b64 %rd<16>;
)" + declarations +
         R"(
  ld.param.u64 %rd1, [k_param_0];
  ld.param.u64 %rd2, [k_param_1];
  ld.param.u32 %r1, [k_param_2];
  mov.u32 %r2, %tid.x;
)" + body +
         "\n  ret;\n}\n";
}

/// b[global thread] as %rd4, element 4 bytes.
inline constexpr const char* kOwnElement = R"(
  mov.u32 %r28, %ctaid.x;
  mov.u32 %r29, %ntid.x;
  mad.lo.s32 %r30, %r28, %r29, %r2;
  mul.wide.u32 %rd3, %r30, 4;
  add.s64 %rd4, %rd2, %rd3;
)";

class VirtualGpuTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto device = MakeVirtualGpu(*FindDeviceProfile("a100"), {});
    ASSERT_TRUE(device.ok()) << device.error().message;
    device_ = std::move(device).value();
    a_ = Array(64, "A");
    b_ = Array(64, "B");
  }

  DevicePointer Array(std::size_t words, const char* label) {
    auto allocation = device_->Allocate(words * 4, AllocationKind::kDevice);
    EXPECT_TRUE(allocation.ok());
    EXPECT_TRUE(device_->SetLabel(allocation->address, label).ok());
    return allocation->address;
  }

  void Load(const std::string& text) {
    auto module = device_->LoadModule(0, WrapPtx(text));
    ASSERT_TRUE(module.ok()) << module.error().message;
    auto kernel = device_->FindKernel(*module, "k");
    ASSERT_TRUE(kernel.ok()) << kernel.error().message;
    kernel_ = kernel->id;
    module_ = *module;
  }

  LaunchRequest Request(std::uint32_t blocks, std::uint32_t threads, std::uint32_t dynamic_shared = 0,
                        StreamId stream = 0) const {
    LaunchRequest request;
    request.kernel = kernel_;
    request.grid = {blocks, 1, 1};
    request.block = {threads, 1, 1};
    request.dynamic_shared_bytes = dynamic_shared;
    request.stream = stream;
    request.arguments = Arguments().Add(a_).Add(b_).Add(std::uint32_t{64}).bytes();
    return request;
  }

  /// Runs the body; the findings it makes.
  std::vector<Finding> Run(const std::string& declarations, const std::string& body, std::uint32_t blocks = 1,
                           std::uint32_t threads = 32, std::uint32_t dynamic_shared = 0) {
    Load(KernelText(declarations, body));
    EXPECT_TRUE(device_->Launch(Request(blocks, threads, dynamic_shared)).ok());
    return device_->TakeFindings();
  }

  /// The only finding, which must be of this kind.
  static std::optional<Finding> Only(const std::vector<Finding>& findings, FindingKind kind) {
    EXPECT_EQ(findings.size(), 1u);
    for (const Finding& finding : findings)
      EXPECT_EQ(FindingKindName(finding.kind), FindingKindName(kind)) << finding.message;
    return findings.empty() ? std::nullopt : std::optional(findings.front());
  }

  std::vector<std::uint32_t> Read(DevicePointer from, std::size_t words) {
    std::vector<std::uint32_t> values(words);
    EXPECT_TRUE(device_->CopyOut(std::as_writable_bytes(std::span(values)), from, 0).ok());
    return values;
  }
  void Write(DevicePointer to, const std::vector<std::uint32_t>& values) {
    EXPECT_TRUE(device_->CopyIn(to, AsBytes(values), 0).ok());
  }

  std::unique_ptr<LocalDevice> device_;
  DevicePointer a_ = 0, b_ = 0;
  KernelId kernel_ = 0;
  ModuleId module_ = 0;
};

}  // namespace warplings::vgpu

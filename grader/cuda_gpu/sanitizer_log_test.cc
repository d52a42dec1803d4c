// SPDX-License-Identifier: Apache-2.0
// The logs in testdata/ are those of compute-sanitizer 2025.3.1 on an H200.
#include "grader/cuda_gpu/sanitizer_log.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "grader/core/layout.h"

namespace warplings::cuda_gpu {
namespace {

std::vector<Finding> Read(const std::string& name) {
  std::ifstream stream(ThisLayout().root / "grader" / "cuda_gpu" / "testdata" / name);
  return ReadSanitizerLog(
      std::string{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()});
}

TEST(SanitizerLog, AccessesOfManyThreadsAreOneFinding) {
  const auto findings = Read("h200_memcheck.txt");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, FindingKind::kOutOfBounds);
  EXPECT_EQ(findings[0].kernel, "oob");
  EXPECT_EQ(findings[0].where, (SourceLine{"bad.cu", 3}));
  EXPECT_EQ(findings[0].thread, (Dim3{56, 0, 0}));
  EXPECT_EQ(findings[0].space, MemorySpace::kGlobal);
  EXPECT_EQ(findings[0].access, Access::kWrite);
  EXPECT_EQ(findings[0].access_bytes, 4u);
  EXPECT_EQ(findings[0].count, 5u) << "the log was limited to five";
  EXPECT_EQ(
      findings[0].message,
      "Invalid __global__ write of size 4 bytes; Access is out of bounds and is 1 bytes after the nearest "
      "allocation of size 256 bytes");
}

TEST(SanitizerLog, ARaceHasBothLines) {
  const auto findings = Read("h200_racecheck.txt");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, FindingKind::kRace);
  EXPECT_EQ(findings[0].severity, Severity::kError);
  EXPECT_EQ(findings[0].kernel, "race");
  EXPECT_EQ(findings[0].where, (SourceLine{"bad.cu", 4}));
  EXPECT_EQ(findings[0].other, (SourceLine{"bad.cu", 5}));
  EXPECT_EQ(findings[0].count, 256u);
  EXPECT_TRUE(English(findings[0].message).starts_with("Race reported between Write access"))
      << findings[0].message;
}

TEST(SanitizerLog, WhatNobodyWroteIsNamed) {
  const auto findings = Read("h200_initcheck.txt");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, FindingKind::kUninitialised);
  EXPECT_EQ(findings[0].where.line, 6);
  EXPECT_EQ(findings[0].access, Access::kRead);
}

TEST(SanitizerLog, UnknownRecordsKeepTheToolsWords) {
  const auto findings = ReadSanitizerLog(
      "========= COMPUTE-SANITIZER\n"
      "========= Barrier error detected. Divergent thread(s) in warp.\n"
      "=========     at fold(float *)+0x70 in sum.cu:12\n"
      "=========     by thread (3,0,0) in block (2,1,0)\n"
      "========= \n"
      "========= Cosmic ray\n"
      "=========     at void fold<float>(T1 *)+0x90\n"
      "========= Program hit cudaErrorLaunchFailure (error 719) due to \"unspecified launch failure\"\n"
      "========= ERROR SUMMARY: 2 errors\n"
      "the program's own line\n");
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].kind, FindingKind::kDivergentBarrier);
  EXPECT_EQ(findings[0].block, (Dim3{2, 1, 0}));
  EXPECT_EQ(findings[1].kind, FindingKind::kTrap);
  EXPECT_EQ(findings[1].message, "Cosmic ray");
  EXPECT_EQ(findings[1].kernel, "void fold<float>");
  EXPECT_EQ(findings[1].where.line, 0);
}

TEST(SanitizerLog, TheParametersAreLeftOutAndTheRestOfTheNameStays) {
  const auto findings = ReadSanitizerLog(
      "========= Warning: Race reported between Write access at void fold<(int)2>(float *, void "
      "(*)(int))+0xb0 in "
      "my sums/fold.cu:4\n"
      "=========     and Read access at void fold<(int)2>(float *, void (*)(int))+0xc0 in my sums/fold.cu:5\n"
      "========= Misaligned __shared__ atomic_add of size 8 bytes\n"
      "=========     at fold+0x10\n"
      "=========     Access to 0x7f31000001 is misaligned\n");
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].severity, Severity::kWarning);
  EXPECT_EQ(findings[0].kernel, "void fold<(int)2>");
  EXPECT_EQ(findings[0].where, (SourceLine{"my sums/fold.cu", 4}));
  EXPECT_EQ(findings[0].other, (SourceLine{"my sums/fold.cu", 5}));
  EXPECT_EQ(findings[0].count, 1u);
  EXPECT_EQ(findings[1].kind, FindingKind::kMisaligned);
  EXPECT_EQ(findings[1].kernel, "fold");
  EXPECT_EQ(findings[1].access, Access::kAtomic);
  EXPECT_EQ(findings[1].message, "Misaligned __shared__ atomic_add of size 8 bytes; Access is misaligned");
}

TEST(SanitizerLog, ALongNameIsReadAndALineThatIsCutOffLosesNothing) {
  const std::string name(1'000'000, 'k');
  const auto findings = ReadSanitizerLog("========= Error: Race reported between Write access at " + name +
                                         "(int)+0xb0 in f.cu:4\n=========     and Read\n"
                                         "========= Invalid __global__ read of\n");
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].kernel, name);
  EXPECT_EQ(findings[0].where, (SourceLine{"f.cu", 4}));
  EXPECT_EQ(findings[1].kind, FindingKind::kTrap);
  EXPECT_EQ(findings[1].message, "Invalid __global__ read of");
}

TEST(SanitizerLog, NothingIsNoFinding) {
  EXPECT_TRUE(ReadSanitizerLog("").empty());
  EXPECT_TRUE(ReadSanitizerLog("========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n").empty());
}

}  // namespace
}  // namespace warplings::cuda_gpu

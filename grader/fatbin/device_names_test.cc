// SPDX-License-Identifier: Apache-2.0
#include "grader/fatbin/device_names.h"

#include <gtest/gtest.h>

#include <chrono>

namespace warplings::fatbin {
namespace {

TEST(Demangle, FunctionsAndKernels) {
  EXPECT_EQ(DemangledName("_Z12tiled_kernelPKfS0_Pfi"), "tiled_kernel");
  EXPECT_EQ(DemangledName("_ZN2ns1kEPi"), "ns::k");
  EXPECT_EQ(DemangledName("_Z4scanILi16EfEvPT0_"), "scan<16, float>");
  EXPECT_EQ(DemangledName("_Z5applyIZ4mainEUliE_EvT_Pi"), "apply<main::{lambda(int)#1}>");
  EXPECT_EQ(DemangledName("_ZNK2ns1SclEi"), "ns::S::operator()");
  EXPECT_EQ(DemangledName("_ZN1AcviEv"), "A::operator int");
  EXPECT_EQ(DemangledName("_ZN1AltIiEEbT_"), "A::operator<<int>");
  EXPECT_EQ(DemangledName("_ZlsR1Ai"), "operator<<");
  EXPECT_EQ(DemangledName("_Znwm"), "operator new");
}

TEST(Demangle, WhatHasInternalLinkage) {
  EXPECT_EQ(DemangledName("_ZN40_GLOBAL__N__1051f5d3_8_names_cu_2192607a6hiddenEPf"), "hidden");
  EXPECT_EQ(DemangledName("_ZN34_INTERNAL_76822efc_7_misc_cu_table9atomicAddEPii"), "atomicAdd");
}

TEST(Demangle, WhatOneOfSeveralFilesKnows) {
  EXPECT_EQ(DemangledName("__nv_static_24__d5f64d76_4_p_cu__Z2kkPi__Z6kernelPi"), "kernel");
  EXPECT_EQ(DemangledName("__nv_static_24__d5f64d76_4_p_cu__Z2kkPi_table"), "table");
  EXPECT_EQ(DemangledName("__nv_static_24__d5f64d76_4_p_cu__Z2kkPi__ZN33_INTERNAL_d5f64d76_4_p_cu__Z2kkPi"
                          "35_GLOBAL__N__d5f64d76_4_p_cu__Z2kkPi6hiddenE"),
            "hidden");
  EXPECT_EQ(DemangledName("$str@2"), "$str");
  EXPECT_EQ(DemangledName("_Z6helperi@3"), "helper");
  for (const char* broken : {"__nv_static_", "__nv_static_x_y", "__nv_static_5__abc", "__nv_static_4__abc_",
                             "__nv_static_99999999999999999999_a_b", "@"})
    EXPECT_EQ(DemangledName(broken), broken);
}

TEST(Demangle, VariablesInsideFunctions) {
  EXPECT_EQ(DemangledName("_ZZ12tiled_kernelPKfS0_PfiE3Mds"), "Mds");
  EXPECT_EQ(DemangledName("_ZZ4scanILi16EfEvPT0_E4tile"), "tile");
  EXPECT_EQ(DemangledName("_ZZN2ns1kEPiE1a"), "a");
  EXPECT_EQ(DemangledName("_ZZNK2ns1SclEiE7counter"), "counter");
}

TEST(Demangle, WhatIsNotMangledStays) {
  EXPECT_EQ(DemangledName("cname"), "cname");
  EXPECT_EQ(DemangledName(""), "");
  EXPECT_EQ(DemangledName("_Z"), "_Z");
  EXPECT_EQ(DemangledName("_Z12short"), "_Z12short");
  EXPECT_EQ(DemangledName("$str$1"), "$str$1");
}

TEST(Demangle, NumberedDuplicates) {
  EXPECT_EQ(DemangledName("_Z6helperi$162"), "helper");
}

TEST(Demangle, ManyParametersAreNoReasonToFail) {
  std::string mangled = "_Z6kernelPf";
  for (int i = 0; i < 60; ++i) mangled += "S_";
  EXPECT_EQ(DemangledName(mangled), "kernel");
  EXPECT_EQ(DemangledName("_Z6kernel" + std::string(2000, 'i')), "kernel");
}

TEST(Demangle, LongNamesAreCutAndStayApart) {
  const std::string same(60'000, 'a');
  const std::string one = DemangledName(same + "1"), two = DemangledName(same + "2");
  EXPECT_LT(one.size(), 540u);
  EXPECT_TRUE(one.starts_with("aaaa"));
  EXPECT_NE(one, two);
  EXPECT_EQ(one, DemangledName(same + "1"));
  EXPECT_LT(DemangledName("_Z60001" + same + "bv").size(), 540u);
  EXPECT_EQ(DemangledName(std::string(512, 'b')), std::string(512, 'b'));
}

TEST(Demangle, NamesThatExplodeAreNotUnfolded) {
  // Every pair repeats the one before it twice: 2^100 characters if it were written out.
  std::string mangled = "_Z1fI1PIiiE";
  for (char c = '0'; c <= '9'; ++c) mangled += std::string("1PIS") + c + "_S" + c + "_E";
  for (char c = 'A'; c <= 'Z'; ++c) mangled += std::string("1PIS") + c + "_S" + c + "_E";
  mangled += "Evv";
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(DemangledName(mangled), mangled);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
}

}  // namespace
}  // namespace warplings::fatbin

// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/decode/load_uses.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <string>

#include "grader/virtual_gpu/decode/decoder.h"
#include "grader/virtual_gpu/isa/engine.h"
#include "grader/virtual_gpu/ptx/parser.h"

namespace warplings::vgpu {
namespace {

/// A kernel that loads %f1 from a shared array; %p1 is "thread 0", %p2 "a thread below n".
std::unique_ptr<Program> DecodeKernel(const std::string& before_the_load, const std::string& behind_it,
                                      const std::string& load = "ld.shared.f32 %f1, [partial];") {
  const auto module = ptx::ParseModule(
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out, .param .u32 n)\n{\n"
      "  .reg .pred %p<8>;\n  .reg .b32 %r<16>;\n  .reg .b64 %rd<8>;\n  .reg .f32 %f<16>;\n"
      "  .shared .align 4 .b8 partial[64];\n"
      "  ld.param.u64 %rd1, [out];\n  ld.param.u32 %r2, [n];\n  mov.u32 %r1, %tid.x;\n" +
      before_the_load + "\n  " + load + "\n" + behind_it + "\nDONE:\n  ret;\n}\n");
  EXPECT_TRUE(module.ok()) << (module.ok() ? "" : English(module.error().message));
  SourceLine refused_at;
  auto program = Decode(BestEngine(), *module, module->functions.at(0), {}, refused_at);
  EXPECT_TRUE(program.ok()) << (program.ok() ? "" : English(program.error().message));
  return program ? std::move(program).value() : std::make_unique<Program>();
}

/// How many comparisons each way to use the first load's value asks for: "1" or "1 2"; "all" where all lanes
/// may use it. `index`: Inst::used_when or Inst::unset_when.
std::string Asked(const Program& program, std::int16_t Inst::*index = &Inst::used_when) {
  const auto load = std::ranges::find_if(program.code, [&](const Inst& inst) { return inst.*index >= 0; });
  if (load == program.code.end()) return "all";
  std::string text;
  for (const auto& all : program.used_when.at(static_cast<std::size_t>((*load).*index)))
    text += (text.empty() ? "" : " ") + std::to_string(all.size());
  return text;
}
std::string AskedIfUnset(const Program& program) {
  return Asked(program, &Inst::unset_when);
}

constexpr const char* kIsFirst = "setp.ne.s32 %p1, %r1, 0;";
constexpr const char* kStore = "st.global.f32 [%rd1], %f1;";

TEST(LoadUses, AStoreBehindABranch) {
  EXPECT_EQ(Asked(*DecodeKernel(kIsFirst, std::string("@%p1 bra DONE;") + kStore)), "1");
  EXPECT_EQ(Asked(*DecodeKernel(kIsFirst, std::string("@!%p1 ") + kStore)), "1");
  // The comparison is made anew, of what was there before the load.
  EXPECT_EQ(Asked(*DecodeKernel("", std::string(kIsFirst) + "@%p1 bra DONE;" + kStore)), "1");
  EXPECT_EQ(Asked(*DecodeKernel(kIsFirst, kStore)), "all");
  EXPECT_EQ(Asked(*DecodeKernel(kIsFirst, "")), "all");
}

TEST(LoadUses, ABranchThatTheLoadIsBehindItself) {
  const std::string branch = std::string(kIsFirst) + "@%p1 bra DONE;";
  EXPECT_EQ(Asked(*DecodeKernel(branch, kStore)), "all");
}

TEST(LoadUses, ThroughRegistersAndLoops) {
  EXPECT_EQ(Asked(*DecodeKernel("mov.f32 %f2, 0f00000000; mov.u32 %r3, 0;\nLOOP:",
                                "add.f32 %f2, %f2, %f1; add.s32 %r3, %r3, 1; setp.lt.s32 %p3, %r3, 4;"
                                "@%p3 bra LOOP; setp.ne.s32 %p1, %r1, 0; @%p1 bra DONE;"
                                "st.global.f32 [%rd1], %f2;")),
            "1");
}

TEST(LoadUses, ASelectionByAComparison) {
  const std::string select = "selp.f32 %f2, %f1, 0f00000000, %p1; st.global.f32 [%rd1], %f2;";
  EXPECT_EQ(Asked(*DecodeKernel(kIsFirst, select)), "1");
  EXPECT_EQ(Asked(*DecodeKernel(kIsFirst, "selp.f32 %f2, %f1, %f1, %p1; st.global.f32 [%rd1], %f2;")), "all");
}

TEST(LoadUses, SeveralComparisonsAndSeveralUses) {
  const std::string both = "setp.ne.s32 %p1, %r1, 0; setp.ge.s32 %p2, %r1, %r2; or.pred %p3, %p1, %p2;";
  EXPECT_EQ(Asked(*DecodeKernel(both, std::string("@%p3 bra DONE;") + kStore)), "2");
  // Of "one of the two" neither is known.
  EXPECT_EQ(Asked(*DecodeKernel(both, std::string("@!%p3 bra DONE;") + kStore)), "all");
  EXPECT_EQ(Asked(*DecodeKernel(both, std::string("@!%p1 ") + kStore + "@!%p2 " + kStore)), "1 1");
  // Whoever uses it under two comparisons does so under one of them as well.
  EXPECT_EQ(Asked(*DecodeKernel(
                both, std::string("@!%p1 ") + kStore + "@%p3 bra DONE; st.global.f32 [%rd1], %f1;")),
            "1");
}

TEST(LoadUses, AGuardThatMayChange) {
  // Counted in a loop, set behind the load, set in a loop that the load is in.
  EXPECT_EQ(Asked(*DecodeKernel("mov.u32 %r3, 0;\nLOOP:",
                                "add.s32 %r3, %r3, 1; setp.lt.s32 %p1, %r3, 4;"
                                "@%p1 st.global.f32 [%rd1], %f1; @%p1 bra LOOP;")),
            "all");
  EXPECT_EQ(Asked(*DecodeKernel(
                "", std::string("mov.u32 %r4, %ctaid.x; setp.ne.s32 %p1, %r4, 0; @!%p1 ") + kStore)),
            "all");
  EXPECT_EQ(Asked(*DecodeKernel("LOOP:\n  ld.global.u32 %r3, [%rd1];",
                                "setp.ne.s32 %p1, %r3, 0; @%p1 st.global.f32 [%rd1], %f1; @%p1 bra LOOP;")),
            "all");
}

TEST(LoadUses, AGuardOfWhatIsSetOnce) {
  const std::string store = std::string("@!%p1 ") + kStore;
  EXPECT_EQ(Asked(*DecodeKernel("ld.global.u32 %r3, [%rd1]; setp.ne.s32 %p1, %r3, 0;", store)), "1");
  EXPECT_EQ(Asked(*DecodeKernel("mov.u32 %r4, %clock; setp.ne.s32 %p1, %r4, 0;", store)), "1");
  // The row is set before the loop, from a register that the loop goes on counting.
  EXPECT_EQ(Asked(*DecodeKernel("mov.u32 %r3, %tid.y; add.s32 %r4, %r3, 16; mov.f32 %f2, 0f00000000;\nLOOP:",
                                "add.f32 %f2, %f2, %f1; add.s32 %r3, %r3, 16; setp.lt.s32 %p3, %r3, 64;"
                                "@%p3 bra LOOP; setp.ge.s32 %p1, %r4, %r2; @%p1 bra DONE;"
                                "st.global.f32 [%rd1], %f2;")),
            "1");
}

TEST(LoadUses, WhatOthersMaySee) {
  for (const char* seen : {"setp.gt.f32 %p3, %f1, 0f00000000; @%p3 bra DONE; bar.sync 0;",
                           "shfl.sync.idx.b32 %f2, %f1, 0, 31, -1; @!%p1 st.global.f32 [%rd1], %f2;",
                           "cvt.rzi.u64.f32 %rd2, %f1; @!%p1 bra DONE; ld.global.f32 %f3, [%rd2];",
                           "cvt.rzi.u32.f32 %r5, %f1; red.global.add.u32 [%rd1], %r5;"})
    EXPECT_EQ(Asked(*DecodeKernel(kIsFirst, seen)),
              std::string(seen).starts_with("cvt.rzi.u64") ? "1" : "all")
        << seen;
}

TEST(LoadUses, OnlyOfVariables) {
  const std::string store = std::string("@!%p1 ") + kStore;
  EXPECT_EQ(Asked(*DecodeKernel(kIsFirst, store, "mov.u32 %r6, partial; ld.shared.f32 %f1, [%r6+8];")), "1");
  EXPECT_EQ(Asked(*DecodeKernel(kIsFirst, store, "shl.b32 %r6, %r1, 2; ld.shared.f32 %f1, [%r6];")), "all");
  EXPECT_EQ(Asked(*DecodeKernel(kIsFirst, store, "ld.volatile.shared.f32 %f1, [partial];")), "all");
}

TEST(LoadUses, OfAnyPlaceInSharedMemoryWhereNobodyHasSetIt) {
  const std::string store = std::string("@!%p1 ") + kStore, index = "shl.b32 %r6, %r1, 2; ";
  EXPECT_EQ(AskedIfUnset(*DecodeKernel(kIsFirst, store, index + "ld.shared.f32 %f1, [%r6];")), "1");
  EXPECT_EQ(AskedIfUnset(*DecodeKernel(kIsFirst, kStore, index + "ld.shared.f32 %f1, [%r6];")), "all");
  EXPECT_EQ(AskedIfUnset(*DecodeKernel(kIsFirst, store, "ld.volatile.shared.f32 %f1, [%r6];")), "all");
  // In global memory it is a fault of the card's own tools, too.
  EXPECT_EQ(AskedIfUnset(*DecodeKernel(kIsFirst, store, "ld.global.f32 %f1, [%rd1];")), "all");
  // Where both ask the same it is known for both.
  const auto two = DecodeKernel(kIsFirst, "add.f32 %f2, %f2, %f1; @!%p1 st.global.f32 [%rd1], %f2;",
                                index + "ld.shared.f32 %f1, [%r6]; ld.shared.f32 %f2, [%r6+4];");
  EXPECT_EQ(two->used_when.size(), 1u);
  EXPECT_EQ(std::ranges::count(two->code, 0, &Inst::unset_when), 2);
}

TEST(LoadUses, AHostileKernelTakesNoTime) {
  // Branches and loads by the thousand: every load would have to look at every branch.
  std::string branches;
  for (int i = 0; i < 1000; ++i) {
    const std::string number = std::to_string(i);
    branches += "setp.ne.s32 %p1, %r1, " + number + "; @%p1 bra L" + number +
                "; ld.shared.f32 %f2, [partial]; add.f32 %f3, %f3, %f2;\nL" + number + ":\n";
  }
  // Processor time, of which a search without a budget takes minutes; the machine may be busy.
  const std::clock_t start = std::clock();
  DecodeKernel(branches, kStore);
  EXPECT_LT((std::clock() - start) / CLOCKS_PER_SEC, 30);
}

}  // namespace
}  // namespace warplings::vgpu

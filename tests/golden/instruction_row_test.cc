// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/isa/instruction_row.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "grader/virtual_gpu/decode/decoder.h"
#include "grader/virtual_gpu/isa/engine.h"
#include "grader/virtual_gpu/isa/form.h"
#include "grader/virtual_gpu/ptx/parser.h"
#include "tests/golden/case_forms.h"

namespace warplings::vgpu {
namespace {

void Nothing(WarpContext&, const Inst&, Mask) {}

TEST(Operands, AreReadFromTheRowsText) {
  constexpr Operands operands = "dst|pred.b32 src_parts2.b16 ?policy.b64 members";
  ASSERT_EQ(operands.size(), 4u);
  EXPECT_EQ(operands[0].role, Role::kDestinationAndPredicate);
  EXPECT_EQ(operands[0].type, ptx::Type::kB32);
  EXPECT_EQ(operands[0].count, 1);
  EXPECT_EQ(operands[1].role, Role::kSourceParts);
  EXPECT_EQ(operands[1].count, 2);
  EXPECT_FALSE(operands[1].optional);
  EXPECT_TRUE(operands[2].optional);
  EXPECT_EQ(operands[3].role, Role::kMembers);
  EXPECT_EQ(operands[3].type, ptx::Type::kNone);
  EXPECT_TRUE(operands.Has(Role::kCachePolicy));
  EXPECT_FALSE(operands.Has(Role::kSource));
}

TEST(InstructionRow, ColumnsComeInAnyOrder) {
  constexpr InstructionRow row = {
      "leap", "address.b32", Nothing, Flops(3), Updates(StateSpace::kShared), Control::kTryWait};
  EXPECT_EQ(row.flops.value, 3);
  EXPECT_EQ(row.memory.access, Access::kAtomic);
  EXPECT_EQ(row.control, Control::kTryWait);
  EXPECT_EQ(row.ordering, Ordering::kNone);
}

bool Starts(std::string_view form, std::initializer_list<std::string_view> mnemonics) {
  return std::ranges::any_of(mnemonics, [&](std::string_view word) { return form.starts_with(word); });
}

/// What the mnemonic promises: a row whose column was forgotten would be an access that no check sees.
Access PromisedAccess(std::string_view form) {
  if (Starts(form, {"prefetch", "discard", "applypriority", "createpolicy", "txq", "suq"}))
    return Access::kNone;
  if (Starts(form, {"ld", "wmma.load", "tex", "tld4", "suld"})) return Access::kRead;
  if (Starts(form, {"st", "sust", "wmma.store", "cp.async{"})) return Access::kWrite;
  return Access::kAtomic;
}

TEST(InstructionTable, EachAccessHasItsColumns) {
  int accesses = 0;
  for (const InstructionRow& row : BestEngine().rows) {
    const bool has_address = row.operands.Has(Role::kAddress) || row.operands.Has(Role::kTexture);
    EXPECT_EQ(row.memory.access, has_address ? PromisedAccess(row.form) : Access::kNone) << row.form;
    if (row.memory.access == Access::kNone) continue;
    ++accesses;
    for (const OperandRole& operand : row.operands) {
      // The size of a copy stands among its operands.
      const bool needs_no_type = operand.role != Role::kAddress || row.operands.Has(Role::kCopySize);
      EXPECT_TRUE(needs_no_type || operand.type != ptx::Type::kNone) << row.form;
    }
  }
  EXPECT_GT(accesses, 100);
}

TEST(InstructionTable, TheSpaceOfARowIsTheOneThatItSpells) {
  struct {
    std::string_view word;
    StateSpace space;
  } constexpr kSpaces[] = {{".shared", StateSpace::kShared}, {".shared::cta", StateSpace::kShared},
                           {".global", StateSpace::kGlobal}, {".local", StateSpace::kLocal},
                           {".const", StateSpace::kConst},   {".param", StateSpace::kParam}};
  for (const InstructionRow& row : BestEngine().rows) {
    if (row.memory.access == Access::kNone) continue;
    for (const std::string& opcode : ExpandForm(row.form)) {
      StateSpace spelled = row.operands.Has(Role::kTexture) ? StateSpace::kGlobal : StateSpace::kGeneric;
      for (const auto& [word, space] : kSpaces) {
        // A copy's first space is the target's.
        if (spelled == StateSpace::kGeneric && HasWord(opcode, word)) spelled = space;
      }
      const auto bits = MatchForm(row.form, opcode);
      ASSERT_TRUE(bits.has_value()) << opcode;
      EXPECT_EQ(row.SpaceWith(*bits), spelled) << opcode;
    }
  }
}

/// What is decoded of a kernel that consists of one instruction.
std::unique_ptr<Program> DecodeOne(const std::string& instruction) {
  const auto module = ptx::ParseModule(
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n  .reg .b64 %rd<4>;\n"
      "  .reg .b32 %r<4>;\n  " +
      instruction + "\n  ret;\n}\n");
  EXPECT_TRUE(module.ok()) << instruction;
  SourceLine refused_at;
  auto program = Decode(BestEngine(), *module, module->functions.at(0), {}, refused_at);
  EXPECT_TRUE(program.ok()) << instruction;
  return program ? std::move(program).value() : std::make_unique<Program>();
}

TEST(Ordering, AFenceOrdersWhateverItSpells) {
  // Without a word of its own a fence is .acq_rel ("membar / fence").
  for (const char* fence :
       {"fence.cta;", "fence.gpu;", "fence.sc.sys;", "fence.acq_rel.cluster;", "membar.gl;"})
    EXPECT_TRUE(DecodeOne(fence)->has_fences) << fence;
  EXPECT_FALSE(DecodeOne("fence.proxy.async;")->has_fences);
  EXPECT_TRUE(DecodeOne("ld.acquire.gpu.global.u32 %r1, [%rd1];")->has_fences);
  EXPECT_FALSE(DecodeOne("ld.relaxed.gpu.global.u32 %r1, [%rd1];")->has_fences);
  EXPECT_TRUE(DecodeOne("atom.acq_rel.gpu.global.add.u32 %r1, [%rd1], 1;")->has_fences);
}

TEST(Ordering, OtherBlocksMayRelyOnWhatReachesThem) {
  for (const char* seen : {"fence.gpu;", "fence.sc.cluster;", "membar.gl;", "membar.sys;",
                           "fence.proxy.async;", "atom.global.add.u32 %r1, [%rd1], 1;",
                           "ld.volatile.global.u32 %r1, [%rd1];", "red.add.u32 [%rd1], 1;"})
    EXPECT_TRUE(DecodeOne(seen)->blocks_communicate) << seen;
  for (const char* unseen : {"fence.acq_rel.cta;", "membar.cta;", "atom.shared.add.u32 %r1, [%r2], 1;",
                             "ld.volatile.shared.u32 %r1, [%r2];", "ld.global.u32 %r1, [%rd1];"})
    EXPECT_FALSE(DecodeOne(unseen)->blocks_communicate) << unseen;
}

}  // namespace
}  // namespace warplings::vgpu

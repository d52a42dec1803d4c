// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/ptx/parser.h"

#include "grader/virtual_gpu/ptx/test_module.h"

namespace warplings::ptx {
namespace {

TEST(Module, HeadAndFiles) {
  const Module module = MustParse(ParseModule(
      ".version 9.0\n.target sm_90a, debug\n.address_size 64\n"
      ".file 3 \"/submission/a.cu\"\n.file 1 \"b \\\"x\\\".h\", 1234, 56\n.file 7 \"/submission/a.cu\"\n"
      ".section .debug_str\n{\n$L__info_string0:\n.b8 95,90,0 // } in a comment\n}\n.pragma \"x\";\n"));
  EXPECT_EQ(module.version_major, 9);
  EXPECT_EQ(module.version_minor, 0);
  EXPECT_EQ(module.target, "sm_90a");
  EXPECT_EQ(module.address_bits, 64);
  EXPECT_EQ(module.files, (std::vector<std::string>{"/submission/a.cu", "b \"x\".h"}));
}

TEST(Module, PaddingAndComments) {
  const std::string text = std::string(kHead) + "/* a\nb */ // c\n" + std::string(5, '\0');
  EXPECT_TRUE(ParseModule(text).ok());
}

TEST(Types, NamesAndSizesAgree) {
  EXPECT_EQ(TypeFromName("u32"), Type::kU32);
  EXPECT_EQ(TypeFromName("bf16x2"), Type::kBf16x2);
  EXPECT_EQ(TypeFromName("pred"), Type::kPred);
  EXPECT_EQ(TypeFromName("x32"), Type::kNone);
  EXPECT_EQ(TypeFromName(""), Type::kNone);
  EXPECT_EQ(TypeBytes(Type::kNone), 0u);
  EXPECT_EQ(TypeBytes(Type::kPred), 1u);
  EXPECT_EQ(TypeBytes(Type::kF16x2), 4u);
  EXPECT_EQ(TypeBytes(Type::kB128), 16u);
}

TEST(Functions, ParametersAndDirectives) {
  const Module module = MustParse(ParseText(
      ".visible .entry k(.param .u64 .ptr .global .align 4 a, .param .align 8 .b8 s[24], .param .u32 n)\n"
      ".maxntid 64, 2, 1 .minnctapersm 3 .maxnreg 32 { ret; }\n"
      ".entry q() .reqntid 8, 4 { ret; }\n"));
  ASSERT_EQ(module.functions.size(), 2u);
  const Function& k = module.functions[0];
  EXPECT_TRUE(k.is_entry);
  EXPECT_FALSE(k.is_extern);
  EXPECT_EQ(k.max_threads, 128u);
  EXPECT_EQ(k.min_blocks, 3u);
  EXPECT_EQ(k.required_threads, (Dim3{0, 0, 0}));
  ASSERT_EQ(k.parameters.size(), 3u);
  EXPECT_EQ(k.parameters[0].alignment, 8u);  // Its own, not that of what it points to.
  EXPECT_EQ(k.parameters[1].alignment, 8u);
  EXPECT_EQ(k.parameters[1].Bytes(), 24u);
  EXPECT_TRUE(k.parameters[1].is_array);
  EXPECT_EQ(k.parameters[2].type, Type::kU32);
  EXPECT_EQ(module.functions[1].required_threads, (Dim3{8, 4, 1}));
}

TEST(Functions, DeclaredThenDefinedOnce) {
  const Module module =
      MustParse(ParseText(".func (.param .b32 r) f(.param .b32 a);\n.extern .func (.param .b32 r) "
                          "vprintf(.param .b64 a, .param .b64 b);\n"
                          ".func gone() .noreturn;\n.func (.param .b32 r) f(.param .b32 a) { ret; }\n.func "
                          "(.param .b32 r) f(.param .b32 a);"));
  ASSERT_EQ(module.functions.size(), 3u);
  EXPECT_EQ(module.functions[0].name, "f");
  EXPECT_FALSE(module.functions[0].is_extern);
  EXPECT_EQ(module.functions[0].returns.size(), 1u);
  EXPECT_EQ(module.functions[1].name, "vprintf");
  EXPECT_TRUE(module.functions[1].is_extern);
  EXPECT_TRUE(module.functions[2].is_extern);
}

TEST(Functions, RegisterParametersAreRegisters) {
  const Module module = MustParse(ParseText(".func (.reg .b32 r) f(.reg .b32 a) { add.s32 r, a, 1; ret; }"));
  const Function& f = module.functions[0];
  EXPECT_EQ(f.parameters[0].space, Space::kReg);
  ASSERT_EQ(f.registers.size(), 2u);
  EXPECT_EQ(f.RegisterName(0), "r");
  EXPECT_EQ(f.instructions[0].operands[1].index, 1);
}

TEST(Body, RegistersAreExpanded) {
  const Function k = MustParseBody(".reg .pred %p<3>; .reg .b32 %r<2>, x; .reg .f64 %fd<0>; mov.b32 %r1, x;");
  ASSERT_EQ(k.registers.size(), 6u);
  EXPECT_EQ(k.RegisterName(2), "%p2");
  EXPECT_EQ(k.registers[2].type, Type::kPred);
  EXPECT_EQ(k.RegisterName(4), "%r1");
  EXPECT_EQ(k.instructions[0].operands[0].index, 4);
  EXPECT_EQ(k.instructions[0].operands[1].index, 5);
}

/// As the fuzzer found: a name of some kilobytes, in hundreds of thousands of registers.
TEST(Body, ALongNameIsKeptOnce) {
  const std::string name(8000, 'r');
  const Function k = MustParseBody(".reg .b32 %" + name + "<1000000>; mov.b32 %" + name + "7, 0;");
  ASSERT_EQ(k.registers.size(), 1'000'000u);
  std::size_t bytes = 0;
  for (const RegisterNames& names : k.register_names) bytes += names.name.size();
  EXPECT_LT(bytes, 2 * name.size());
  EXPECT_EQ(k.RegisterName(999'999), "%" + name + "999999");
  EXPECT_EQ(k.instructions[0].operands[0].index, 7);
}

TEST(Body, GuardsLabelsAndBranches) {
  const Function k =
      MustParseBody(".reg .pred %p<2>;\nL0:\n@%p1 bra L1;\n@!%p0 bra.uni L0;\nL1: bar.sync 0;\nret;");
  ASSERT_EQ(k.instructions.size(), 4u);
  EXPECT_EQ(k.instructions[0].guard, 1);
  EXPECT_FALSE(k.instructions[0].guard_negated);
  EXPECT_EQ(k.instructions[0].operands[0].kind, OperandKind::kLabel);
  EXPECT_EQ(k.instructions[0].operands[0].index, 2);
  EXPECT_EQ(k.instructions[0].ptx_line, 8);
  EXPECT_EQ(k.instructions[1].opcode, "bra.uni");
  EXPECT_TRUE(k.instructions[1].guard_negated);
  EXPECT_EQ(k.instructions[1].operands[0].index, 0);
  EXPECT_EQ(k.instructions[2].guard, -1);
}

TEST(Body, AFenceIsSpelledAsInTheManual) {
  const Function k =
      MustParseBody("fence.gpu.sc; fence.cta.acq_rel; fence.sc.cta; fence.sc; fence.proxy.async;");
  ASSERT_EQ(k.instructions.size(), 6u);
  EXPECT_EQ(k.instructions[0].opcode, "fence.sc.gpu");
  EXPECT_EQ(k.instructions[1].opcode, "fence.acq_rel.cta");
  EXPECT_EQ(k.instructions[2].opcode, "fence.sc.cta");
  EXPECT_EQ(k.instructions[3].opcode, "fence.sc");
  EXPECT_EQ(k.instructions[4].opcode, "fence.proxy.async");
}

TEST(Body, ALabelAtTheEndHasAnInstruction) {
  const Function k = MustParseBody(".reg .pred %p; @%p bra END; trap; END:");
  ASSERT_EQ(k.instructions.size(), 3u);
  EXPECT_EQ(k.instructions[2].opcode, "ret");
  EXPECT_EQ(k.instructions[0].operands[0].index, 2);
  EXPECT_EQ(MustParseBody("").instructions.size(), 1u);
  EXPECT_EQ(MustParseBody("exit;").instructions.size(), 1u);
  EXPECT_EQ(MustParseBody(".reg .pred %p; @%p exit;").instructions.size(), 2u);
}

TEST(Body, ScopesMayRepeatNames) {
  const Function k = MustParseBody(
      ".reg .b32 %r<4>;\n"
      "{ .param .b32 param0; st.param.b32 [param0+0], %r1; }\n"
      "{ .param .b32 param0; st.param.b32 [param0], %r2; }\n"
      "{ .reg .pred p; AGAIN: setp.eq.s32 p, %r1, 0; @p bra AGAIN; }\n"
      "{ .reg .pred p; AGAIN: setp.eq.s32 p, %r2, 0; @p bra AGAIN; }\n"
      "{ .reg .b32 %r1; mov.b32 %r1, 3; }\n");
  ASSERT_EQ(k.variables.size(), 2u);
  EXPECT_EQ(k.variables[0].name, "param0");
  EXPECT_EQ(k.variables[1].name, "param0#2");
  EXPECT_EQ(k.instructions[0].operands[0].name, "param0");
  EXPECT_EQ(k.instructions[1].operands[0].name, "param0#2");
  EXPECT_EQ(k.instructions[3].operands[0].index, 2);
  EXPECT_EQ(k.instructions[5].operands[0].index, 4);
  EXPECT_NE(k.instructions[3].guard, k.instructions[5].guard);
  EXPECT_EQ(k.instructions[6].operands[0].index, 6);
}

TEST(Body, VariablesAndIgnoredDirectives) {
  const Function k = MustParseBody(
      ".shared .align 16 .b8 tile[1024]; .local .align 8 .b8 __local_depot0[64]; .pragma \"nounroll\";\n"
      ".reg .b64 %SP; mov.u64 %SP, __local_depot0;;");
  ASSERT_EQ(k.variables.size(), 2u);
  EXPECT_EQ(k.variables[0].space, Space::kShared);
  EXPECT_EQ(k.variables[0].alignment, 16u);
  EXPECT_EQ(k.variables[1].Bytes(), 64u);
  EXPECT_EQ(k.instructions[0].operands[1].kind, OperandKind::kSymbol);
  EXPECT_EQ(k.instructions[0].operands[1].name, "__local_depot0");
}

TEST(Operands, Addresses) {
  const Function k = MustParseBody(
      ".reg .b32 %r; .reg .b64 %rd<2>; .shared .b32 s[4];\n"
      "ld.param.u32 %r, [n]; ld.u32 %r, [%rd1+16]; ld.u32 %r, [%rd1+-8]; ld.u32 %r, [%rd1-4];\n"
      "ld.shared.u32 %r, [s+4]; ld.u32 %r, [0x10]; ld.u32 %r, [%rd0];");
  const auto address = [&](std::size_t i) { return k.instructions[i].operands[1]; };
  EXPECT_EQ(address(0).kind, OperandKind::kAddress);
  EXPECT_EQ(address(0).name, "n");
  EXPECT_EQ(address(0).index, -1);
  EXPECT_EQ(address(1).index, 2);
  EXPECT_EQ(address(1).offset, 16);
  EXPECT_EQ(address(2).offset, -8);
  EXPECT_EQ(address(3).offset, -4);
  EXPECT_EQ(address(4).name, "s");
  EXPECT_EQ(address(4).offset, 4);
  EXPECT_EQ(address(5).offset, 16);
  EXPECT_TRUE(address(5).name.empty());
  EXPECT_EQ(address(6).offset, 0);
}

TEST(Operands, Immediates) {
  const Function k = MustParseBody(
      ".reg .b64 %x; mov.b64 %x, 12; mov.b64 %x, -1; mov.b64 %x, 0x1FU; mov.b64 %x, 017; mov.b64 %x, 0b101;\n"
      "mov.b64 %x, 0f3F800000; mov.b64 %x, 0dBFF0000000000000; mov.b64 %x, 1.5; mov.b64 %x, -0f3F800000;\n"
      "mov.b64 %x, ~0; mov.b64 %x, WARP_SZ; mov.b64 %x, 18446744073709551615; mov.b64 %x, 2e3; mov.b64 %x, "
      "0;");
  const auto value = [&](std::size_t i) { return k.instructions[i].operands[1]; };
  for (std::size_t i = 0; i < 14; ++i) EXPECT_EQ(value(i).kind, OperandKind::kImmediate) << i;
  EXPECT_EQ(value(0).bits, 12u);
  EXPECT_EQ(value(1).bits, ~std::uint64_t{0});
  EXPECT_EQ(value(2).bits, 31u);
  EXPECT_EQ(value(3).bits, 15u);
  EXPECT_EQ(value(4).bits, 5u);
  EXPECT_EQ(value(5).bits, 0x3F800000u);
  EXPECT_TRUE(value(5).is_float && !value(5).is_double);
  EXPECT_EQ(value(6).bits, 0xBFF0000000000000u);
  EXPECT_TRUE(value(6).is_float && value(6).is_double);
  EXPECT_EQ(value(7).bits, 0x3FF8000000000000u);
  EXPECT_TRUE(value(7).is_double);
  EXPECT_EQ(value(8).bits, 0xBF800000u);
  EXPECT_EQ(value(9).bits, ~std::uint64_t{0});
  EXPECT_EQ(value(10).bits, 32u);
  EXPECT_EQ(value(11).bits, ~std::uint64_t{0});
  EXPECT_EQ(value(12).bits, 0x409F400000000000u);
  EXPECT_FALSE(value(13).is_float);
}

TEST(Operands, VectorsPairsSinksAndSpecials) {
  const Function k = MustParseBody(
      ".reg .b32 %r<4>; .reg .f32 %f<5>; .reg .pred %p<3>; .reg .b64 %rd;\n"
      "ld.global.v4.f32 {%f1, _, %f3, %f4}, [%rd];\nshfl.sync.down.b32 %r1|%p1, %r2, 1, 31, -1;\n"
      "setp.lt.and.s32 _|%p2, %r1, %r2, !%p1;\nmov.u32 %r1, %tid.x; mov.u32 %r1, %envreg31; mov.u64 %rd, "
      "%clock64;\n"
      "ld.global.L2::128B.f32 %f1, [%rd];");
  EXPECT_EQ(k.instructions[0].operands[0].kind, OperandKind::kVector);
  ASSERT_EQ(k.instructions[0].operands[0].elements.size(), 4u);
  EXPECT_EQ(k.instructions[0].operands[0].elements[1].kind, OperandKind::kSink);
  EXPECT_EQ(k.instructions[1].operands[0].kind, OperandKind::kPair);
  EXPECT_EQ(k.instructions[1].operands[0].elements[1].index, 10);
  EXPECT_EQ(k.instructions[1].operands.size(), 5u);
  EXPECT_EQ(k.instructions[2].operands[0].elements[0].kind, OperandKind::kSink);
  EXPECT_TRUE(k.instructions[2].operands[3].negated);
  EXPECT_EQ(k.instructions[3].operands[1].kind, OperandKind::kSpecial);
  EXPECT_EQ(k.instructions[3].operands[1].name, "%tid.x");
  EXPECT_EQ(k.instructions[4].operands[1].name, "%envreg31");
  EXPECT_EQ(k.instructions[5].operands[1].name, "%clock64");
  EXPECT_EQ(k.instructions[6].opcode, "ld.global.L2::128B.f32");
}

TEST(Calls, HaveOneForm) {
  const Module module = MustParse(ParseText(
      ".func f; .func (.param .b32 r) g(.param .b32 a);\n.visible .entry k() {\n.reg .b64 %rd;\n"
      "call f; call.uni f, (); call.uni f, ();\n"
      "{ .param .b32 r0; .param .b32 p0; call.uni (r0), g, (p0);\n"
      "  proto: .callprototype (.param .b32 _) _ (.param .b32 _); call (r0), %rd, (p0), proto; }\n"
      "{ .param .b32 p0; proto: .callprototype ()_ (.param .b32 _) .noreturn; call %rd, (p0), proto;\n"
      "  none: .callprototype _; call %rd, none; }\nret; }"));
  const Function& k = module.functions[2];
  ASSERT_EQ(k.instructions.size(), 8u);
  for (std::size_t i = 0; i < 7; ++i) {
    const auto& operands = k.instructions[i].operands;
    ASSERT_GE(operands.size(), 3u) << i;
    EXPECT_EQ(operands[0].kind, OperandKind::kCallArguments) << i;
    EXPECT_EQ(operands[2].kind, OperandKind::kCallArguments) << i;
  }
  EXPECT_EQ(k.instructions[0].operands[1].name, "f");
  EXPECT_EQ(k.instructions[3].operands[0].elements[0].name, "r0");
  EXPECT_EQ(k.instructions[3].operands[2].elements[0].name, "p0");
  EXPECT_EQ(k.instructions[4].operands[1].kind, OperandKind::kRegister);
  EXPECT_EQ(k.instructions[4].operands[3].name, "proto");
  EXPECT_EQ(k.instructions[5].operands[3].name, "proto#2");
  EXPECT_EQ(k.instructions[5].operands[2].elements[0].name, "p0#2");
  EXPECT_EQ(k.instructions[6].operands[3].name, "none");
  ASSERT_EQ(k.prototypes.size(), 3u);
  EXPECT_EQ(k.prototypes.at("proto").returns.size(), 1u);
  EXPECT_TRUE(k.prototypes.at("proto#2").returns.empty());
  EXPECT_EQ(k.prototypes.at("proto#2").parameters.size(), 1u);
}

TEST(Calls, BranchTables) {
  const Function k = MustParseBody(
      ".reg .b32 %r;\nbrx.idx %r, late;\ntable: .branchtargets A, B,\n A;\nbrx.idx %r, table;\nA: exit;\nB: "
      "ret;\n"
      "late: .branchtargets B;");
  EXPECT_EQ(k.instructions[0].operands[1].kind, OperandKind::kSymbol);
  EXPECT_EQ(k.instructions[0].operands[1].name, "late");
  EXPECT_EQ(k.branch_targets.at("table"), (std::vector<std::int32_t>{2, 3, 2}));
  EXPECT_EQ(k.branch_targets.at("late"), (std::vector<std::int32_t>{3}));
}

TEST(Variables, ShapesAndAttributes) {
  const Module module = MustParse(ParseText(
      ".extern .shared .align 16 .b8 dynamic[];\n.global .attribute(.managed) .align 4 .u32 m;\n"
      ".visible .const .align 4 .b8 c[32];\n.weak .global .f32 a, b[2][3];\n.global .v4 .f32 v;\n"
      ".common .global .attribute(.unified(1, 0x2)) .b32 u;\n.extern .global .b32 e;\n.global .b32 e;\n"));
  const Variable* dynamic = FindVariable(module.variables, "dynamic");
  ASSERT_NE(dynamic, nullptr);
  EXPECT_TRUE(dynamic->is_extern && dynamic->is_array);
  EXPECT_EQ(dynamic->count, 0u);
  EXPECT_EQ(dynamic->alignment, 16u);
  EXPECT_TRUE(FindVariable(module.variables, "m")->is_managed);
  EXPECT_EQ(FindVariable(module.variables, "c")->space, Space::kConst);
  EXPECT_EQ(FindVariable(module.variables, "a")->alignment, 4u);
  EXPECT_FALSE(FindVariable(module.variables, "a")->is_array);
  EXPECT_EQ(FindVariable(module.variables, "b")->count, 6u);
  EXPECT_EQ(FindVariable(module.variables, "v")->count, 4u);
  EXPECT_EQ(FindVariable(module.variables, "v")->alignment, 16u);
  EXPECT_FALSE(FindVariable(module.variables, "e")->is_extern);
  EXPECT_EQ(module.variables.size(), 8u);
}

TEST(Symbols, MayBeDeclaredLater) {
  const Module module = MustParse(ParseText(
      ".visible .entry k() { .reg .b64 %rd; mov.u64 %rd, late; ld.global.u64 %rd, [late+8]; call f; ret; }\n"
      ".global .b64 late[4];\n.func f() { ret; }"));
  EXPECT_EQ(module.functions[0].instructions[0].operands[1].kind, OperandKind::kSymbol);
  EXPECT_EQ(module.functions[0].instructions[1].operands[1].offset, 8);
}

}  // namespace
}  // namespace warplings::ptx

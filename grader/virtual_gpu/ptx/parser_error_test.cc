// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/ptx/scanner.h"
#include "grader/virtual_gpu/ptx/test_module.h"
#include "tests/support/drawn.h"

namespace warplings::ptx {
namespace {

struct Case {
  const char* text;
  const char* message;  ///< Behind "PTX line N: ".
};

std::string Message(const Result<Module>& module, int line, const char* text) {
  const std::string message = ErrorOf(module);
  const std::string prefix = "PTX line " + std::to_string(line) + ": ";
  EXPECT_TRUE(message.starts_with(prefix)) << text << "\n" << message;
  return message.size() >= prefix.size() ? message.substr(prefix.size()) : message;
}

TEST(ModuleErrors, Head) {
  EXPECT_EQ(ErrorOf(ParseModule("")), "PTX line 1: .version at the start of PTX expected, but the text ends");
  EXPECT_EQ(ErrorOf(ParseModule("ELF")),
            "PTX line 1: .version at the start of PTX expected, but found 'ELF'");
  EXPECT_EQ(ErrorOf(ParseModule(".version 8.0\n")), "PTX line 2: the text has no .target");
  EXPECT_EQ(ErrorOf(ParseModule(".version 8\n")), "PTX line 2: '.' in a version expected, but the text ends");
  EXPECT_EQ(ErrorOf(ParseModule(".version 8.0 .target map_f64")),
            "PTX line 1: target 'map_f64' is not supported");
  EXPECT_EQ(ErrorOf(ParseModule(".version 8.0 .target sm_80, fast")),
            "PTX line 1: unknown option 'fast' of .target");
  EXPECT_EQ(ErrorOf(ParseModule(".version 8.0 .target sm_80 .address_size 32")),
            "PTX line 1: addresses of 32 bits are not supported");
}

TEST(ModuleErrors, Statements) {
  const Case cases[] = {
      {".bogus x;", "unknown directive '.bogus'"},
      {"mov.u32 a, b;", "a directive of the module expected, but found 'mov.u32'"},
      {".visible .file 1 \"a\"", ".file cannot follow a linking directive"},
      {".file 1 \"a", "a string is not closed on its line"},
      {".alias a, b;", ".alias is not supported by the virtual GPU"},
      {".tex .u32 t;", ".tex: texture and surface references are not supported by the virtual GPU"},
      {".global .texref t;", ".texref: texture and surface references are not supported by the virtual GPU"},
      {".global .surfref t;",
       ".surfref: texture and surface references are not supported by the virtual GPU"},
      {".entry k(.param .samplerref s) {}",
       ".samplerref: texture and surface references are not supported by the virtual GPU"},
      {".extern .func (.param .b32 r) cudaCDP2LaunchDeviceV2(.param .b64 a);",
       "'cudaCDP2LaunchDeviceV2': kernels that launch kernels are not supported by the virtual GPU"},
      {".extern .func f() { ret; }", "external function 'f' has a body"},
      {".func f() { ret; } .func f() { ret; }", "'f' is declared twice"},
      {".global .b32 f; .func f();", "'f' is declared twice"},
      {".func f(); .global .b32 f;", "'f' is declared twice"},
      {".global .b32 x; .global .b32 x;", "'x' is declared twice"},
      {".global .b32 x; .extern .shared .b32 x;", "'x' is declared twice"},
      {".section .debug_info {", "'{' is not closed"},
      {"/* no end", "a comment that begins with /* is not closed"},
  };
  for (const Case& c : cases) EXPECT_EQ(Message(ParseText(c.text), 4, c.text), c.message) << c.text;
}

TEST(ModuleErrors, Variables) {
  const Case cases[] = {
      {".global .b32;", "a variable's name expected, but found ';'"},
      {".global x;", "a variable's type expected, but found 'x'"},
      {".global .u32 .u32 x;", "a variable's name expected, but found '.u32'"},
      {".global .u33 x;", "unknown type '.u33'"},
      {".global .pred x;", "a variable in memory cannot be a predicate"},
      {".global .align 3 .b32 x;", "an alignment must be a power of two"},
      {".global .align 99999999 .b32 x;", "an alignment is 99999999, more than 65536"},
      {".global .b32 x[];", "array 'x' has no extent"},
      {".global .b32 x[2][];", "an array's extent expected, but found ']'"},
      {".global .b32 x[2][0];", "an inner extent of an array is 0"},
      {".global .b64 x[1000000000000];", "variable 'x' is too large"},
      {".global .b8 x[1000000000][1000000000];", "variable 'x' is too large"},
      {".global .b8 x[1][1][1][1][1][1][1][1][1];", "an array has more than 8 dimensions"},
      {".global .b8 x[1.5];", "an array's extent expected, but found a floating-point constant"},
      {".global .attribute(.odd) .b8 x;", "unknown attribute 'odd'"},
      {".global .b8 x", "';' after a variable expected, but the text ends"},
  };
  for (const Case& c : cases) EXPECT_EQ(Message(ParseText(c.text), 4, c.text), c.message) << c.text;
}

TEST(FunctionErrors, Heads) {
  const Case cases[] = {
      {".entry (.param .b32 r) k() {}", "a kernel has no results"},
      {".entry k(.reg .b32 a) {}", ".reg cannot declare a parameter here"},
      {".func f(.shared .b32 a) {}", ".shared cannot declare a parameter here"},
      {".func f(.reg .b32 a[2]) {}", "a register parameter cannot be an array"},
      {".func f(.param .b32 a, .param .b32 a) {}", "parameter 'a' is declared twice"},
      {".func f(.param .b32 a {}", "')' after parameters expected, but found '{'"},
      {".func 7() {}", "a function's name expected, but found '7'"},
      {".entry k() .maxntid 0 {}", "a number of threads is 0"},
      {".entry k() .maxntid 65536 {}", "a number of threads is 65536, more than 65535"},
      {".entry k() .strange {}", "unknown directive '.strange' in the head of a function"},
      {".entry k() ret;", "'{' or ';' after the head of a function expected, but found 'ret'"},
      {".entry k() { ret;", "the body of function 'k' is not closed"},
      {".entry k() { { ret; }", "the body of function 'k' is not closed"},
  };
  for (const Case& c : cases) EXPECT_EQ(Message(ParseText(c.text), 4, c.text), c.message) << c.text;
}

TEST(FunctionErrors, Bodies) {
  const Case cases[] = {
      {".bogus 3;", "unknown directive '.bogus' in a function"},
      {".reg .b32 %r, %r;", "register '%r' is declared twice in one scope"},
      {".reg .b32 %r<2>; .reg .b64 %r<3>;", "register '%r' is declared twice in one scope"},
      {".reg .v2 .b32 x;", "registers that are vectors are not supported"},
      {".reg .b32 %r<4000000000>;", "a number of registers is 4000000000, more than 1048576"},
      {".reg .b32 %r<99999999999999999999>;", "an integer constant does not fit 64 bits"},
      {".reg .b32 %r<-1>;", "a number of registers expected, but found '-'"},
      {".shared .b32 s; .shared .b32 s;", "'s' is declared twice in one scope"},
      {"L: L: ret;", "label 'L' is defined twice in one scope"},
      {"bra NOWHERE;", "'NOWHERE' is neither declared nor a label"},
      {"{ INNER: ret; } bra INNER;", "'INNER' is neither declared nor a label"},
      {"t: .branchtargets NOWHERE;", "label 'NOWHERE' is not defined"},
      {"t: .calltargets f;", ".calltargets is not supported"},
      {"L: mov.u64 %tid.x, L+4;", "an offset to label 'L' is not allowed"},
      {"mov.u32 %r1, 0;", "register '%r1' is not declared"},
      {".reg .b32 %r<2>; mov.u32 %r2, 0;", "register '%r2' is not declared"},
      {".reg .b32 %r<2>; mov.u32 %r01, 0;", "register '%r01' is not declared"},
      {"ld.u32 _, [%rd];", "register '%rd' is not declared"},
      {".reg .b32 x; @x ret;", "a guard must be a predicate register"},
      {"@%p ret;", "register '%p' is not declared"},
      {".reg .b32 x; mov.b32 x.y, 0;", "a part of a register, 'x.y', is not supported as an operand"},
      {"mov.u32 _, %tid.q;", "a part of a register, '%tid.q', is not supported as an operand"},
      {"tex.2d.v4.f32.f32 {_, _, _, _}, [%p, {0, 0}];", "register '%p' is not declared"},
      {"bar.sync 0 1;", "',' or ';' after an operand of 'bar.sync' expected, but found '1'"},
      {"ld.u32 _, [p;", "']' after an address expected, but found ';'"},
      {"ld.u32 _, [p+];", "an offset expected, but found ']'"},
      {"ld.u32 _, [1.5];", "an address expected, but found a floating-point constant"},
      {"mov.b32 {_, _, 0;", "'}' after a list of operands expected, but found ';'"},
      {"mov.b32 _|0, 0;", "'|' must join two registers"},
      {"mov.b32 _, (1 + 2);", "a constant expression in parentheses is not supported"},
      {"mov.b32 _, ;", "an operand expected, but found ';'"},
      {"mov.b32 _, 0f12;", "0f… needs 8 hexadecimal digits"},
      {"mov.b32 _, 0d12;", "0d… needs 16 hexadecimal digits"},
      {"mov.b32 _, 0x;", "a digit expected in a constant"},
      {"mov.b32 _, 12ab;", "the end of a constant expected, but found 'ab'"},
      {"mov.b32 _, 1e999;", "a floating-point constant is malformed or out of range"},
      {"mov.b32 _, -9223372036854775809;", "a negative constant does not fit 64 bits"},
      {"mov.b32 _, ~1.5;", "'~' cannot precede a floating-point constant"},
      {"call 7;", "call needs a function or a register that holds one"},
      {"call k+4;", "call needs a function or a register that holds one"},
      {"call k, (p), 7;", "call needs the name of a prototype after its arguments"},
      {"call (p) k;", "',' after the results of a call expected, but found 'k'"},
      {"\x01;", "a label, an instruction or '}' expected, but found '\\x01'"},
      {"%r: ret;;; ?", "a label, an instruction or '}' expected, but found '?'"},
  };
  for (const Case& c : cases) EXPECT_EQ(Message(ParseBody(c.text), 6, c.text), c.message) << c.text;
}

TEST(FunctionErrors, AnInstructionMayHoldColons) {
  // Whether there is such an opcode is not the parser's business.
  EXPECT_EQ(MustParseBody("a::b; ret;").instructions[0].opcode, "a::b");
}

TEST(Limits, DeepBraces) {
  std::string body;
  for (int i = 0; i < kMaxScopeDepth + 5; ++i) body += "{";
  EXPECT_EQ(ErrorOf(ParseBody(body)), "PTX line 6: braces nest too deep");
  EXPECT_NE(ErrorOf(ParseText(".global .b8 x = " + std::string(100000, '{'))).find("deeper"),
            std::string::npos);
}

TEST(Limits, RegistersOfAllFunctionsTogether) {
  std::string text;
  for (int i = 0; i < 9; ++i) {
    text += ".func f" + std::to_string(i) + "() { .reg .b32 %r<131072>; ret; }\n";
  }
  EXPECT_EQ(ErrorOf(ParseText(text)), "PTX line 12: a number of registers is 131072, more than 0");
}

TEST(Limits, OperandsOfOneInstruction) {
  std::string body = "foo _";
  for (int i = 0; i < 100; ++i) body += ", _";
  EXPECT_EQ(ErrorOf(ParseBody(body + ";")), "PTX line 6: 'foo' has too many operands");
}

std::string Repeated(const std::string& piece, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += piece;
  return text;
}

TEST(Limits, WhatCostsMoreMemoryThanText) {
  RUN_ONE_IN(3);
  EXPECT_EQ(ErrorOf(ParseBody(Repeated("{}", kMaxNames + 1))), "PTX line 6: the module has too many names");
  EXPECT_EQ(ErrorOf(ParseBody(Repeated("{.param .b8 a;}", kMaxNames / 2 + 1))),
            "PTX line 6: the module has too many names");
  EXPECT_EQ(ErrorOf(ParseText(Repeated(".func f;", kMaxFunctions + 1))),
            "PTX line 4: the module has too many functions");
  EXPECT_EQ(ErrorOf(ParseBody(Repeated(".loc 1 1 1\n", kMaxLocations + 1))),
            "PTX line " + std::to_string(kMaxLocations + 6) + ": the module has too many source lines");
  EXPECT_EQ(ErrorOf(ParseBody("foo {_" + Repeated(",_", kMaxOperands) + "};")),
            "PTX line 6: the module has too many operands");
  EXPECT_EQ(ErrorOf(ParseText(".global .u64 x[] = {x" + Repeated(",x", kMaxOperands) + "};")),
            "PTX line 4: the module has too many operands");
}

TEST(Limits, InstructionsAndText) {
  std::string body;
  for (std::size_t i = 0; i <= kMaxInstructions; ++i) body += "a;";
  EXPECT_EQ(ErrorOf(ParseBody(body)), "PTX line 6: the module has too many instructions");
  EXPECT_NE(ErrorOf(ParseModule(std::string(kMaxTextBytes + 1, ' '))).find("larger than the limit"),
            std::string::npos);
}

TEST(Messages, QuoteHostileTextShortAndPrintable) {
  const std::string message = ErrorOf(ParseBody("bra " + std::string(5000, 'x') + ";"));
  EXPECT_LT(message.size(), 200u);
  EXPECT_EQ(Quoted("a\x1b[31m\n"), "'a\\x1b[31m\\x0a'");
}

TEST(Messages, SayWhatToDoNext) {
  const auto module = ParseText(".global .texref t;");
  ASSERT_FALSE(module.ok());
  EXPECT_EQ(English(module.error().next_step), "read the data through an ordinary pointer");
}

}  // namespace
}  // namespace warplings::ptx

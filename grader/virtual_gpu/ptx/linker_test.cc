// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/ptx/linker.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "grader/virtual_gpu/ptx/test_module.h"

namespace warplings::ptx {
namespace {

Result<Module> Link(const std::vector<std::string>& texts) {
  std::vector<std::string> whole;
  for (const std::string& text : texts) whole.push_back(std::string(kHead) + text);
  return LinkModules(whole);
}

const Function* FunctionNamed(const Module& module, std::string_view name) {
  const auto found = std::ranges::find(module.functions, name, &Function::name);
  return found == module.functions.end() ? nullptr : &*found;
}

/// The names that a function's operands mention, one after the other.
std::string NamesIn(const Module& module, std::string_view function) {
  const Function* found = FunctionNamed(module, function);
  EXPECT_NE(found, nullptr) << function;
  std::string names;
  if (found == nullptr) return names;
  for (const Instruction& instruction : found->instructions) {
    for (const Operand& operand : instruction.operands) {
      if (!operand.name.empty()) names += operand.name + " ";
    }
  }
  return names;
}

constexpr const char* kUser =
    ".extern .func f;\n.extern .global .b32 x;\n"
    ".visible .entry k() { .reg .b32 %r; ld.global.b32 %r, [x]; call f; ret; }\n";
constexpr const char* kDefiner = ".visible .func f { exit; }\n.visible .global .align 8 .b32 x = 5;\n";

TEST(Linker, WhatOneFileDeclaresAnotherDefines) {
  for (const bool user_first : {true, false}) {
    const Module module = MustParse(user_first ? Link({kUser, kDefiner}) : Link({kDefiner, kUser}));
    ASSERT_EQ(module.functions.size(), 2u);
    ASSERT_EQ(module.variables.size(), 1u);
    EXPECT_FALSE(FunctionNamed(module, "f")->is_extern);
    EXPECT_FALSE(module.variables[0].is_extern);
    EXPECT_EQ(module.variables[0].initial.size(), 4u);
    EXPECT_EQ(module.variables[0].alignment, 8u);
  }
}

TEST(Linker, WhatNoFileDefinesStaysDeclared) {
  const Module module = MustParse(Link({kUser, ".extern .func f;"}));
  EXPECT_TRUE(FunctionNamed(module, "f")->is_extern);
  EXPECT_TRUE(FindVariable(module.variables, "x")->is_extern);
}

TEST(Linker, OfWeakDefinitionsTheFirstStaysAndAVisibleOneCountsMore) {
  const std::string weak_1 = ".weak .func f { exit; }\n", weak_2 = ".weak .func f { trap; exit; }\n";
  const auto length = [](const Result<Module>& module) {
    const Module parsed = MustParse(module);
    EXPECT_EQ(parsed.functions.size(), 1u);
    return FunctionNamed(parsed, "f")->instructions.size();
  };
  EXPECT_EQ(length(Link({weak_1, weak_2})), 1u);
  EXPECT_EQ(length(Link({weak_2, weak_1})), 2u);
  EXPECT_EQ(length(Link({weak_1, ".visible .func f { trap; trap; exit; }"})), 3u);
  EXPECT_EQ(length(Link({".visible .func f { trap; trap; exit; }", weak_1})), 3u);
  EXPECT_EQ(length(Link({".extern .func f;", weak_2, weak_1})), 2u);
}

TEST(Linker, NamesOfOneFileAreKeptApart) {
  const std::string object =
      ".global .b32 x;\n.global .u64 pointer = x;\n.func f { exit; }\n.visible .func KERNEL {\n"
      " .reg .b32 %r; .shared .b32 own; ld.global.b32 %r, [x]; ld.shared.b32 %r, [own]; call f; exit; }\n";
  const auto named = [&](const char* name) {
    std::string text = object;
    return text.replace(text.find("KERNEL"), 6, name);
  };
  const Module module = MustParse(Link({named("one"), named("two"), ".visible .global .b32 own;"}));
  EXPECT_EQ(NamesIn(module, "one"), "x own f ");
  EXPECT_EQ(NamesIn(module, "two"), "x@2 own f@2 ");
  for (const char* name : {"x", "x@2", "pointer", "pointer@2", "own"})
    EXPECT_NE(FindVariable(module.variables, name), nullptr) << name;
  EXPECT_EQ(FindVariable(module.variables, "pointer@2")->relocations[0].symbol, "x@2");
}

TEST(Linker, ANameOfOneFileGivesWayToASharedOne) {
  const Module module =
      MustParse(Link({".global .b32 x;\n.visible .func one { .reg .b32 %r; ld.global.b32 %r, [x]; exit; }\n",
                      kUser, kDefiner}));
  EXPECT_EQ(NamesIn(module, "one"), "x@1 ");
  EXPECT_EQ(NamesIn(module, "k"), "x f ");
}

TEST(Linker, AVariableOfTheFunctionHidesOneOfTheFile) {
  const Module module =
      MustParse(Link({".visible .global .b32 x;",
                      ".global .b32 x;\n.visible .func two {\n .reg .b32 %r; .shared .b32 x;\n"
                      " ld.shared.b32 %r, [x]; exit; }\n"}));
  EXPECT_EQ(NamesIn(module, "two"), "x ");
}

TEST(Linker, TheDynamicArrayIsOne) {
  const Module module =
      MustParse(Link({".extern .shared .align 4 .b8 all[];", ".extern .shared .align 16 .b8 all[];"}));
  ASSERT_EQ(module.variables.size(), 1u);
  EXPECT_EQ(module.variables[0].alignment, 16u);
}

TEST(Linker, LinesKeepTheirFiles) {
  const auto object = [](const std::string& name) {
    return ".visible .func " + name + " { .loc 1 7 0\n exit; }\n.file 1 \"" + name + ".cu\"\n";
  };
  const Module module = MustParse(Link({object("a"), object("b")}));
  for (const char* name : {"a", "b"}) {
    const Function& function = *FunctionNamed(module, name);
    const SourceLine where = module.Where(function.locations.at(0));
    EXPECT_EQ(where.file, std::string(name) + ".cu");
    EXPECT_EQ(where.line, 7);
  }
}

TEST(Linker, WhatDoesNotFitIsNamed) {
  struct {
    std::vector<std::string> texts;
    const char* message;
  } const cases[] = {
      {{kDefiner, kDefiner}, "x is defined in two files of the program"},
      {{".visible .func _Z1fv { exit; }", ".visible .func _Z1fv { exit; }"},
       "f is defined in two files of the program"},
      {{".entry k() { ret; }", ".entry k() { ret; }"}, "k is defined in two files of the program"},
      {{".visible .global .b32 x;", ".extern .const .b32 x;"},
       "two files of the program declare x differently"},
      {{".visible .global .b32 x[4];", ".extern .global .b32 x[5];"},
       "two files of the program declare x differently"},
      {{".weak .global .b32 x[4];", ".weak .global .b32 x[5];"},
       "two files of the program declare x differently"},
      {{".visible .global .b32 x;", ".extern .func x;"}, "two files of the program declare x differently"},
      {{".visible .func f(.param .b32 a) { exit; }", ".extern .func f(.param .b64 a);"},
       "two files of the program declare f differently"},
      {{".visible .func f(.param .b32 a) { exit; }", ".extern .func (.param .b32 r) f(.param .b32 a);"},
       "two files of the program declare f differently"},
  };
  for (const auto& c : cases) EXPECT_EQ(ErrorOf(Link(c.texts)), c.message);
  MustParse(Link({".visible .global .b32 x[4];", ".extern .global .b32 x[];"}));
  EXPECT_EQ(ErrorOf(Link({kDefiner, "bogus"})).substr(0, 10), "PTX line 4");
}

TEST(Linker, TheLimitsAreOfAllFilesTogether) {
  const auto object = [](int number) {
    return ".visible .func f" + std::to_string(number) + " { .reg .b32 %r<400000>; exit; }\n";
  };
  MustParse(Link({object(1), object(2)}));
  EXPECT_FALSE(Link({object(1), object(2), object(3)}).ok());
}

}  // namespace
}  // namespace warplings::ptx

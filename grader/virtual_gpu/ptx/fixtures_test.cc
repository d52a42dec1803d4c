// SPDX-License-Identifier: Apache-2.0
// Tests with real output of nvcc: every file of testdata/ parses and satisfies ParseModule's guarantees;
// damaged copies either do, too, or are refused.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <sstream>

#include "grader/core/layout.h"
#include "grader/virtual_gpu/ptx/test_module.h"

namespace warplings::ptx {
namespace {

std::string ReadFixture(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::filesystem::path FixtureFolder() {
  return ThisLayout().root / "grader" / "virtual_gpu" / "ptx" / "testdata";
}

std::vector<std::filesystem::path> Fixtures() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(FixtureFolder())) {
    if (entry.path().extension() == ".ptx") paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  return paths;
}

Module ParseFixture(const std::string& name) {
  return MustParse(ParseModule(ReadFixture(FixtureFolder() / (name + ".ptx"))));
}

const Function& FindFunction(const Module& module, std::string_view name) {
  static const Function kNone;
  for (const Function& function : module.functions) {
    if (function.name == name) return function;
  }
  ADD_FAILURE() << "no function " << name;
  return kNone;
}

class PromiseChecker {
 public:
  explicit PromiseChecker(const Module& module) : module_(module) {
    for (const Variable& variable : module.variables) global_names_.insert(variable.name);
    for (const Function& function : module.functions) global_names_.insert(function.name);
  }

  void Check() {
    for (const Variable& variable : module_.variables) CheckVariable(variable);
    for (const Function& function : module_.functions) CheckFunction(function);
  }

 private:
  void CheckVariable(const Variable& variable) {
    ASSERT_TRUE(variable.initial.empty() || variable.initial.size() == variable.Bytes());
    for (const auto& relocation : variable.relocations) {
      ASSERT_LE(relocation.offset + 8, variable.initial.size());
      ASSERT_TRUE(global_names_.contains(relocation.symbol));
    }
  }

  void CheckFunction(const Function& function) {
    std::set<std::string> names;
    for (const auto* list : {&function.returns, &function.parameters, &function.variables}) {
      for (const Variable& variable : *list) ASSERT_TRUE(names.insert(variable.name).second) << variable.name;
    }
    for (const auto& [name, prototype] : function.prototypes) ASSERT_TRUE(names.insert(name).second);
    for (const auto& [name, targets] : function.branch_targets) {
      ASSERT_TRUE(names.insert(name).second);
      for (std::int32_t target : targets) CheckIndex(target, function.instructions.size());
    }
    for (const Instruction& instruction : function.instructions) {
      ASSERT_FALSE(instruction.opcode.empty());
      if (instruction.guard >= 0) CheckIndex(instruction.guard, function.registers.size());
      if (instruction.location >= 0) CheckIndex(instruction.location, function.locations.size());
      for (const Operand& operand : instruction.operands) CheckOperand(function, names, operand);
    }
    for (const Location& location : function.locations) {
      CheckIndex(location.where_file, module_.files.size());
      CheckIndex(location.innermost_file, module_.files.size());
      ASSERT_GT(location.where_line, 0);
    }
    ASSERT_NE(function.is_extern, !function.instructions.empty());
  }

  void CheckOperand(const Function& function, const std::set<std::string>& names, const Operand& operand) {
    if (operand.kind == OperandKind::kRegister) CheckIndex(operand.index, function.registers.size());
    if (operand.kind == OperandKind::kLabel) CheckIndex(operand.index, function.instructions.size());
    if (operand.kind == OperandKind::kAddress && operand.index >= 0) {
      CheckIndex(operand.index, function.registers.size());
    }
    const bool named = operand.kind == OperandKind::kSymbol ||
                       (operand.kind == OperandKind::kAddress && !operand.name.empty());
    if (named) {
      ASSERT_TRUE(names.contains(operand.name) || global_names_.contains(operand.name)) << operand.name;
    }
    for (const Operand& element : operand.elements) CheckOperand(function, names, element);
  }

  void CheckIndex(std::int32_t index, std::size_t size) {
    ASSERT_GE(index, 0);
    ASSERT_LT(static_cast<std::size_t>(index), size);
  }

  const Module& module_;
  std::set<std::string> global_names_;
};

TEST(Fixtures, AllParseAndKeepThePromises) {
  ASSERT_GE(Fixtures().size(), 20u);
  for (const auto& path : Fixtures()) {
    SCOPED_TRACE(path.filename().string());
    const Result<Module> module = ParseModule(ReadFixture(path));
    ASSERT_TRUE(module.ok()) << module.error().message;
    PromiseChecker(*module).Check();
  }
}

TEST(Fixtures, TiledMatmul) {
  const Module module = ParseFixture("tiled_matmul.sm_80.lineinfo");
  EXPECT_EQ(module.target, "sm_80");
  ASSERT_EQ(module.functions.size(), 1u);
  const Function& kernel = module.functions[0];
  EXPECT_EQ(kernel.parameters.size(), 4u);
  ASSERT_EQ(kernel.variables.size(), 2u);
  EXPECT_EQ(kernel.variables[0].name, "_ZZ12tiled_kernelPKfS0_PfiE3Mds");
  EXPECT_EQ(kernel.variables[0].Bytes(), 1024u);
  const auto barriers = std::ranges::count(kernel.instructions, "bar.sync", &Instruction::opcode);
  EXPECT_EQ(barriers, 2);
  const auto multiplies = std::ranges::count(kernel.instructions, "fma.rn.f32", &Instruction::opcode);
  EXPECT_EQ(multiplies, 16);
  EXPECT_EQ(module.files, (std::vector<std::string>{"/submission/tiled_matmul.cu"}));
}

TEST(Fixtures, InlinedFunctionsKeepTheirOwnLines) {
  const Module module = ParseFixture("inlined_functions.sm_80.lineinfo");
  const Function& kernel = FindFunction(module, "_Z1kPKfPfi");
  std::set<int> load_lines;
  for (const Instruction& instruction : kernel.instructions) {
    if (instruction.opcode != "ld.global.f32") continue;
    ASSERT_GE(instruction.location, 0);
    load_lines.insert(kernel.locations[static_cast<std::size_t>(instruction.location)].where_line);
  }
  EXPECT_EQ(load_lines, (std::set<int>{3}));  // The body of load(), wherever it was inlined.
}

TEST(Fixtures, CooperativeGroupsStandForTheStudentsLines) {
  const Module module = ParseFixture("cooperative_groups.sm_80.lineinfo");
  const Function& kernel = FindFunction(module, "_Z1kPi");
  ASSERT_GT(kernel.locations.size(), 10u);
  for (const Location& location : kernel.locations) {
    EXPECT_TRUE(module.Where(location).file.starts_with("/submission/")) << module.Where(location).file;
  }
}

TEST(Fixtures, IndirectCallsHavePrototypes) {
  const Module module = ParseFixture("function_pointers.sm_90.lineinfo");
  EXPECT_GE(FindFunction(module, "_Z1kPfi").prototypes.size(), 3u);
  const Variable* table = FindVariable(module.variables, "ops");
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table->relocations.size(), 2u);
}

TEST(Fixtures, GlobalsHoldTheirValues) {
  const Module module = ParseFixture("globals.sm_80.lineinfo");
  const Variable* mixed = FindVariable(module.variables, "mixed");
  ASSERT_NE(mixed, nullptr);
  EXPECT_EQ(mixed->relocations.size(), 4u);  // Two strings, two pointers, among plain members.
  EXPECT_TRUE(FindVariable(module.variables, "m")->is_managed);
}

/// Cut off or damaged text gives a module that keeps the promises or a named error; never a crash.
void ExpectHandled(const std::string& text) {
  const Result<Module> module = ParseModule(text);
  if (module.ok()) {
    PromiseChecker(*module).Check();
  } else {
    EXPECT_FALSE(module.error().message.empty());
  }
}

TEST(Damage, Truncation) {
  std::mt19937 random(1);
  for (const auto& path : Fixtures()) {
    const std::string text = ReadFixture(path);
    for (int i = 0; i < 40; ++i) ExpectHandled(text.substr(0, random() % text.size()));
  }
}

TEST(Damage, FlippedBytes) {
  std::mt19937 random(2);
  for (const auto& path : Fixtures()) {
    const std::string text = ReadFixture(path);
    for (int i = 0; i < 60; ++i) {
      std::string damaged = text;
      for (std::size_t flips = 1 + random() % 4; flips > 0; --flips) {
        damaged[random() % damaged.size()] = static_cast<char>(random());
      }
      ExpectHandled(damaged);
    }
  }
}

TEST(Damage, MovedPieces) {
  std::mt19937 random(3);
  for (const auto& path : Fixtures()) {
    const std::string text = ReadFixture(path);
    for (int i = 0; i < 60; ++i) {
      std::string damaged = text;
      const std::size_t from = random() % text.size();
      const std::string piece = text.substr(from, random() % 40);
      damaged.insert(random() % damaged.size(), piece);
      if (random() % 2 == 0) damaged.erase(random() % damaged.size(), random() % 20);
      ExpectHandled(damaged);
    }
  }
}

}  // namespace
}  // namespace warplings::ptx

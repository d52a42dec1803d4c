// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/virtual_gpu/ptx/locations.h"
#include "grader/virtual_gpu/ptx/module.h"
#include "grader/virtual_gpu/ptx/operand_parser.h"
#include "grader/virtual_gpu/ptx/scanner.h"
#include "grader/virtual_gpu/ptx/scope.h"
#include "grader/virtual_gpu/ptx/variable_parser.h"

namespace warplings::ptx {

/// A parsed function, with what can be resolved only at the end of the module.
struct ParsedFunction {
  Function function;
  bool has_body = false;
  int ptx_line = 0;
  LocationTable locations;
  /// Names that must be variables or functions of the module, each with the line of its first use.
  std::map<std::string, int, std::less<>> module_names;
};

/// Parses one .entry or .func, from after that directive to its '}' or ';'.
class FunctionParser {
 public:
  FunctionParser(Scanner& scanner, Budget& budget)
      : scanner_(scanner), budget_(budget), operands_(scanner, scopes_, budget, pending_) {}

  ParsedFunction Parse(bool is_entry);

 private:
  void TakeHeader();
  void TakePerformanceDirectives();
  bool TakePerformanceDirective(std::string_view name);
  Dim3 TakeThreads();
  void DeclareParameters();

  void TakeBody();
  void TakeStatement();
  void TakeDirective();
  void TakeRegisters();
  void TakeRegister(Type type);
  void TakeVariables(Space space);
  void TakeLabelOrInstruction();
  void TakeGuardedInstruction();
  void TakeInstruction(std::int32_t guard, bool negated, int line);
  bool TryTakeTable(std::string_view label);
  void TakeBranchTargets(std::string_view label);
  void TakePrototype(std::string_view label);
  std::string Declare(std::string_view name, int line);
  /// Registers of one declaration; gives the first one's index.
  std::int32_t AddRegisters(std::string_view name, Type type, std::uint32_t count, bool is_numbered);

  void AppendReturn();
  void ResolveNames();
  void ResolveOperand(const PendingName& pending);
  void ResolveBranchTargets();
  Operand& OperandAt(const PendingName& pending);

  Scanner& scanner_;
  Budget& budget_;
  ParsedFunction parsed_;
  Scopes scopes_;
  std::vector<PendingName> pending_;
  OperandParser operands_;
  std::int32_t last_label_ = -1;  ///< Index of the instruction to which the last label refers.
  struct PendingTarget {
    std::string table;  ///< Key in branch_targets.
    std::string_view label;
    Scopes::ScopeId scope;
    int ptx_line;
  };
  std::vector<PendingTarget> pending_targets_;
};

}  // namespace warplings::ptx

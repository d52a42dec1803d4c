// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "grader/virtual_gpu/ptx/module.h"
#include "grader/virtual_gpu/ptx/scanner.h"
#include "grader/virtual_gpu/ptx/scope.h"
#include "grader/virtual_gpu/ptx/variable_parser.h"

namespace warplings::ptx {

/// A name that can be resolved only at the end of the function (because labels may follow) or of the module
/// (because functions may follow), with the position of its operand.
struct PendingName {
  std::uint32_t instruction = 0;
  std::uint32_t operand = 0;
  std::int32_t element = -1;  ///< Index in the operand's elements; -1: the operand itself.
  Scopes::ScopeId scope = 0;
  int ptx_line = 0;
};

/// Parses the operands of instructions; appends names that are not known yet to `pending`.
class OperandParser {
 public:
  OperandParser(Scanner& scanner, const Scopes& scopes, Budget& budget, std::vector<PendingName>& pending)
      : scanner_(scanner), scopes_(scopes), budget_(budget), pending_(pending) {}

  /// Parses everything from the opcode to the ';', which is consumed. `instruction` is the instruction's
  /// index.
  std::vector<Operand> TakeOperands(std::string_view opcode, std::uint32_t instruction);
  /// Parses the name of a register; fails for anything else.
  std::int32_t TakeRegister();

 private:
  std::vector<Operand> TakeCall();
  Operand TakeOperand();
  Operand TakeScalar(std::int32_t element);
  Operand TakeNamed(std::int32_t element);
  Operand TakeNegated();
  Operand TakeAddress();
  Operand TakeImmediate();
  Operand TakeList(char close, OperandKind kind);
  Operand TakePair(Operand first);
  std::int64_t TakeOffset();
  void AddPending(std::int32_t element);
  void ExpectEnd();
  void Count();

  Scanner& scanner_;
  const Scopes& scopes_;
  Budget& budget_;
  std::vector<PendingName>& pending_;
  std::string_view opcode_;
  std::uint32_t instruction_ = 0;
  std::uint32_t operand_ = 0;
};

}  // namespace warplings::ptx

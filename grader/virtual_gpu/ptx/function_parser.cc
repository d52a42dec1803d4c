// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/ptx/function_parser.h"

#include <algorithm>

#include "grader/messages/ptx.h"
#include "grader/virtual_gpu/ptx/parser.h"

namespace warplings::ptx {
namespace {

constexpr std::uint64_t kMaxThreads = 0xFFFF'FFFF;

/// Instructions after which, unguarded, nothing runs on to the next one.
bool EndsControlFlow(const Instruction& instruction) {
  if (instruction.guard >= 0) return false;
  const std::string_view mnemonic =
      std::string_view(instruction.opcode).substr(0, instruction.opcode.find('.'));
  return mnemonic == "ret" || mnemonic == "exit" || mnemonic == "bra" || mnemonic == "brx" ||
         mnemonic == "trap";
}

/// The manual writes "fence.sc.gpu". ptxas takes "fence.gpu.sc", too, which CUDA 12.9's <cuda/atomic> writes.
std::string ManualSpelling(std::string_view opcode) {
  constexpr std::string_view kFence = "fence";
  const std::size_t last_word = opcode.rfind('.');
  const bool order_is_last = opcode.ends_with(".sc") || opcode.ends_with(".acq_rel");
  if (!opcode.starts_with("fence.") || !order_is_last || last_word == kFence.size())
    return std::string(opcode);
  const std::string_view scope = opcode.substr(kFence.size(), last_word - kFence.size());
  return std::string(kFence).append(opcode.substr(last_word)).append(scope);
}

}  // namespace

ParsedFunction FunctionParser::Parse(bool is_entry) {
  budget_.TakeFunction(scanner_);
  parsed_.function.is_entry = is_entry;
  parsed_.ptx_line = scanner_.line();
  TakeHeader();
  TakePerformanceDirectives();
  if (scanner_.TryTake(';')) {
    parsed_.function.is_extern = true;
    return std::move(parsed_);
  }
  if (scanner_.Peek() != '{') scanner_.FailExpected("'{' or ';' after the head of a function");
  parsed_.has_body = true;
  DeclareParameters();
  TakeBody();
  AppendReturn();
  ResolveNames();
  return std::move(parsed_);
}

void FunctionParser::TakeHeader() {
  Function& function = parsed_.function;
  if (scanner_.Peek() == '(') {
    if (function.is_entry) scanner_.Fail(say::kernel_with_results());
    function.returns = ParseParameters(scanner_, true, budget_);
  }
  function.name = scanner_.TakeIdentifier("a function's name");
  if (scanner_.Peek() == '(') function.parameters = ParseParameters(scanner_, !function.is_entry, budget_);
}

void FunctionParser::TakePerformanceDirectives() {
  while (scanner_.Peek() == '.') {
    const std::string_view name = scanner_.TakeDirective("a directive");
    if (!TakePerformanceDirective(name)) {
      scanner_.Fail(say::unknown_directive_in_head(Quoted("." + std::string(name))));
    }
  }
}

bool FunctionParser::TakePerformanceDirective(std::string_view name) {
  Function& function = parsed_.function;
  if (name == "maxntid") {
    const std::uint64_t threads = TakeThreads().Volume();
    function.max_threads = static_cast<std::uint32_t>(std::min(threads, kMaxThreads));
  } else if (name == "reqntid") {
    function.required_threads = TakeThreads();
  } else if (name == "minnctapersm") {
    function.min_blocks =
        static_cast<std::uint32_t>(scanner_.TakeUnsigned("a number of blocks", kMaxThreads));
  } else if (name == "maxnreg" || name == "maxnctapersm" || name == "abi_preserve" ||
             name == "abi_preserve_control") {
    scanner_.TakeUnsigned("a number", kMaxThreads);  // For ptxas alone: no meaning to a program.
  } else if (name == "pragma") {
    scanner_.TakeString("the text of .pragma");
    scanner_.Expect(';', "after .pragma");
  } else if (name == "reqnctapercluster" || name == "explicitcluster" || name == "maxclusterrank" ||
             name == "blocksareclusters") {
    // Only who runs this kernel needs to know.
    function.unsupported = say::clusters_not_supported("." + std::string(name));
    if (name == "reqnctapercluster") TakeThreads();
    if (name == "maxclusterrank") scanner_.TakeUnsigned("a number of blocks", kMaxThreads);
  } else {
    return name == "noreturn" || name == "unified";
  }
  return true;
}

/// One to three extents below 2^16, so that their product does not overflow.
Dim3 FunctionParser::TakeThreads() {
  constexpr std::uint64_t kMaxExtent = 0xFFFF;
  Dim3 threads;
  std::uint32_t* const extents[] = {&threads.x, &threads.y, &threads.z};
  for (std::size_t i = 0; i < 3; ++i) {
    *extents[i] = static_cast<std::uint32_t>(scanner_.TakeUnsigned("a number of threads", kMaxExtent));
    if (*extents[i] == 0) scanner_.Fail(say::threads_are_0());
    if (!scanner_.TryTake(',')) break;
  }
  return threads;
}

void FunctionParser::DeclareParameters() {
  for (std::vector<Variable>* list : {&parsed_.function.returns, &parsed_.function.parameters}) {
    for (const Variable& variable : *list) {
      // The names lie in the head's own vectors, which no longer change while the body is read.
      const bool is_new =
          variable.space == Space::kReg
              ? scopes_.DeclareRegister(variable.name, AddRegisters(variable.name, variable.type, 1, false))
              : scopes_.DeclareName(variable.name).has_value();
      if (!is_new) scanner_.Fail(say::parameter_declared_twice(Quoted(variable.name)));
    }
  }
}

void FunctionParser::TakeBody() {
  const int opened = scanner_.line();
  scanner_.Expect('{', "before the body of a function");
  scopes_.Open();
  while (scopes_.depth() > 0) {
    if (scanner_.AtEnd()) {
      throw ParseFailure{opened, say::body_not_closed(Quoted(parsed_.function.name)), {}};
    }
    TakeStatement();
  }
}

void FunctionParser::TakeStatement() {
  switch (scanner_.Peek()) {
    case '{':
      if (scopes_.depth() == kMaxScopeDepth) scanner_.Fail(say::braces_too_deep());
      scanner_.TryTake('{');
      budget_.TakeName(scanner_);  // An empty scope costs as much as a name.
      scopes_.Open();
      return;
    case '}':
      scanner_.TryTake('}');
      scopes_.Close();
      return;
    case ';': scanner_.TryTake(';'); return;  // Inline assembly often ends in one too many.
    case '.': TakeDirective(); return;
    case '@': TakeGuardedInstruction(); return;
    default: TakeLabelOrInstruction(); return;
  }
}

void FunctionParser::TakeDirective() {
  const std::string_view name = scanner_.TakeDirective("a directive");
  if (name == "reg") {
    TakeRegisters();
  } else if (name == "loc") {
    budget_.TakeLocation(scanner_);
    parsed_.locations.TakeLoc(scanner_);
  } else if (name == "param") {
    TakeVariables(Space::kParam);
  } else if (name == "local") {
    TakeVariables(Space::kLocal);
  } else if (name == "shared") {
    TakeVariables(Space::kShared);
  } else if (name == "global") {
    TakeVariables(Space::kGlobal);
  } else if (name == "const") {
    TakeVariables(Space::kConst);
  } else if (name == "pragma") {
    scanner_.TakeString("the text of .pragma");
    scanner_.Expect(';', "after .pragma");
  } else {
    scanner_.Fail(say::unknown_directive_in_function(Quoted("." + std::string(name))));
  }
}

void FunctionParser::TakeRegisters() {
  if (scanner_.PeekDirective() == "v2" || scanner_.PeekDirective() == "v4") {
    scanner_.Fail(say::vector_registers(), say::one_register_each());
  }
  const Type type = TakeType(scanner_);
  do {
    TakeRegister(type);
  } while (scanner_.TryTake(','));
  scanner_.Expect(';', "after registers");
}

void FunctionParser::TakeRegister(Type type) {
  const std::string_view name = scanner_.TakeIdentifier("a register's name");
  bool is_new = false;
  if (scanner_.TryTake('<')) {
    const auto count = static_cast<std::uint32_t>(
        scanner_.TakeUnsigned("a number of registers", kMaxRegisters - budget_.registers));
    scanner_.Expect('>', "after a number of registers");
    is_new = scopes_.DeclareRegisters(name, AddRegisters(name, type, count, true), count);
  } else {
    is_new = scopes_.DeclareRegister(name, AddRegisters(name, type, 1, false));
  }
  if (!is_new) scanner_.Fail(say::register_declared_twice(Quoted(name)));
}

std::int32_t FunctionParser::AddRegisters(std::string_view name, Type type, std::uint32_t count,
                                          bool is_numbered) {
  Function& function = parsed_.function;
  const std::size_t first = function.registers.size();
  const auto names = static_cast<std::uint32_t>(function.register_names.size());
  function.register_names.push_back({std::string(name), first, is_numbered});
  for (std::uint32_t i = 0; i < count; ++i) {
    budget_.TakeRegister(scanner_);
    function.registers.push_back({type, names});
  }
  return static_cast<std::int32_t>(first);
}

std::string FunctionParser::Declare(std::string_view name, int line) {
  const auto unique = scopes_.DeclareName(name);
  if (!unique) throw ParseFailure{line, say::declared_twice_in_scope(Quoted(name)), {}};
  return *unique;
}

void FunctionParser::TakeVariables(Space space) {
  const int line = scanner_.line();
  for (Variable& variable : ParseVariables(scanner_, space, false, budget_)) {
    variable.name = Declare(variable.name, line);
    parsed_.function.variables.push_back(std::move(variable));
  }
}

void FunctionParser::TakeLabelOrInstruction() {
  if (!scanner_.AtIdentifier()) scanner_.FailExpected("a label, an instruction or '}'");
  const int line = scanner_.line();
  const Scanner before = scanner_;
  const std::string_view label = scanner_.TakeIdentifier("a label or an instruction");
  if (scanner_.Peek() != ':' || !scanner_.TryTake(':') || scanner_.PeekHere() == ':') {
    scanner_ = before;
    TakeInstruction(-1, false, line);
    return;
  }
  budget_.TakeName(scanner_);
  if (TryTakeTable(label)) return;
  const auto here = static_cast<std::int32_t>(parsed_.function.instructions.size());
  if (!scopes_.DeclareLabel(label, here)) {
    throw ParseFailure{line, say::label_defined_twice(Quoted(label)), {}};
  }
  last_label_ = here;
}

void FunctionParser::TakeGuardedInstruction() {
  const int line = scanner_.line();
  scanner_.Expect('@', "before a guard");
  const bool negated = scanner_.TryTake('!');
  const std::int32_t guard = operands_.TakeRegister();
  if (parsed_.function.registers[static_cast<std::size_t>(guard)].type != Type::kPred) {
    scanner_.Fail(say::guard_is_no_predicate());
  }
  TakeInstruction(guard, negated, line);
}

void FunctionParser::TakeInstruction(std::int32_t guard, bool negated, int line) {
  budget_.TakeInstruction(scanner_);
  auto& instructions = parsed_.function.instructions;
  Instruction instruction;
  instruction.guard = guard;
  instruction.guard_negated = negated;
  instruction.location = parsed_.locations.current();
  instruction.ptx_line = line;
  const std::string_view opcode = scanner_.TakeOpcode();
  instruction.opcode = ManualSpelling(opcode);
  instruction.operands = operands_.TakeOperands(opcode, static_cast<std::uint32_t>(instructions.size()));
  instructions.push_back(std::move(instruction));
}

bool FunctionParser::TryTakeTable(std::string_view label) {
  if (scanner_.TryTakeDirective("branchtargets")) {
    TakeBranchTargets(label);
  } else if (scanner_.TryTakeDirective("callprototype")) {
    TakePrototype(label);
  } else if (scanner_.PeekDirective() == "calltargets") {
    scanner_.Fail(say::calltargets_not_supported(), say::call_through_prototype());
  } else {
    return false;
  }
  return true;
}

void FunctionParser::TakeBranchTargets(std::string_view label) {
  const std::string name = Declare(label, scanner_.line());
  do {
    budget_.TakeOperand(scanner_);
    const int line = scanner_.line();
    pending_targets_.push_back({name, scanner_.TakeIdentifier("a label"), scopes_.current(), line});
  } while (scanner_.TryTake(','));
  scanner_.Expect(';', "after .branchtargets");
}

void FunctionParser::TakePrototype(std::string_view label) {
  const int line = scanner_.line();
  Function::Prototype prototype;
  if (scanner_.Peek() == '(') prototype.returns = ParseParameters(scanner_, true, budget_);
  scanner_.TakeIdentifier("a prototype's name or '_'");
  if (scanner_.Peek() == '(') prototype.parameters = ParseParameters(scanner_, true, budget_);
  TakePerformanceDirectives();
  scanner_.Expect(';', "after .callprototype");
  parsed_.function.prototypes[Declare(label, line)] = std::move(prototype);
}

void FunctionParser::AppendReturn() {
  Function& function = parsed_.function;
  if (!function.instructions.empty() && EndsControlFlow(function.instructions.back()) &&
      last_label_ < static_cast<std::int32_t>(function.instructions.size())) {
    return;
  }
  Instruction& end = function.instructions.emplace_back();
  end.opcode = "ret";
  end.location = parsed_.locations.current();
  end.ptx_line = scanner_.line();
}

Operand& FunctionParser::OperandAt(const PendingName& pending) {
  Operand& operand = parsed_.function.instructions[pending.instruction].operands[pending.operand];
  return pending.element < 0 ? operand : operand.elements[static_cast<std::size_t>(pending.element)];
}

void FunctionParser::ResolveNames() {
  for (const PendingName& pending : pending_) ResolveOperand(pending);
  ResolveBranchTargets();
}

void FunctionParser::ResolveOperand(const PendingName& pending) {
  Operand& operand = OperandAt(pending);
  const std::int32_t label =
      operand.kind == OperandKind::kSymbol ? scopes_.FindLabel(operand.name, pending.scope) : -1;
  if (label >= 0) {
    if (operand.offset != 0) {
      throw ParseFailure{pending.ptx_line, say::offset_to_label(Quoted(operand.name)), {}};
    }
    operand.kind = OperandKind::kLabel;
    operand.index = label;
  } else if (const std::string* unique = scopes_.FindName(operand.name, pending.scope)) {
    operand.name = *unique;  // A table that stands behind its use.
  } else {
    parsed_.module_names.emplace(operand.name, pending.ptx_line);
  }
}

void FunctionParser::ResolveBranchTargets() {
  for (const PendingTarget& target : pending_targets_) {
    const std::int32_t label = scopes_.FindLabel(target.label, target.scope);
    if (label < 0) {
      throw ParseFailure{target.ptx_line, say::label_not_defined(Quoted(target.label)), {}};
    }
    parsed_.function.branch_targets[target.table].push_back(label);
  }
}

}  // namespace warplings::ptx

// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/ptx/operand_parser.h"

#include "grader/messages/ptx.h"
#include "grader/virtual_gpu/ptx/parser.h"

namespace warplings::ptx {
namespace {

/// PTX ISA, "Predefined identifiers": the only one.
constexpr std::string_view kWarpSizeName = "WARP_SZ";
constexpr std::uint64_t kWarpSize = 32;
constexpr std::uint32_t kMaxOperandsOfOne = 64;

bool IsCall(std::string_view opcode) {
  return opcode == "call" || opcode.starts_with("call.");
}

Operand Make(OperandKind kind) {
  Operand operand;
  operand.kind = kind;
  return operand;
}

bool IsPlainName(const Operand& operand) {
  return operand.kind == OperandKind::kSymbol && operand.offset == 0;
}

}  // namespace

std::vector<Operand> OperandParser::TakeOperands(std::string_view opcode, std::uint32_t instruction) {
  opcode_ = opcode;
  instruction_ = instruction;
  operand_ = 0;
  if (IsCall(opcode)) return TakeCall();
  std::vector<Operand> operands;
  if (scanner_.TryTake(';')) return operands;
  do {
    if (operands.size() == kMaxOperandsOfOne) scanner_.Fail(say::too_many_operands_of(Quoted(opcode)));
    operands.push_back(TakeOperand());
    ++operand_;
  } while (scanner_.TryTake(','));
  ExpectEnd();
  return operands;
}

/// Brings `call f;`, `call (r), f, (a);` and the like into the one form that ParseModule promises.
std::vector<Operand> OperandParser::TakeCall() {
  std::vector<Operand> operands(3, Make(OperandKind::kCallArguments));
  if (scanner_.Peek() == '(') {
    operands[0] = TakeList(')', OperandKind::kCallArguments);
    scanner_.Expect(',', "after the results of a call");
  }
  operand_ = 1;
  operands[1] = TakeScalar(-1);
  const bool callable = operands[1].kind == OperandKind::kRegister || IsPlainName(operands[1]);
  if (!callable) scanner_.Fail(say::call_needs_function());
  bool more = scanner_.TryTake(',');
  if (more && scanner_.Peek() == '(') {
    operand_ = 2;
    operands[2] = TakeList(')', OperandKind::kCallArguments);
    more = scanner_.TryTake(',');
  }
  if (more) {
    operand_ = 3;
    operands.push_back(TakeScalar(-1));
    if (!IsPlainName(operands[3])) scanner_.Fail(say::call_needs_prototype());
  }
  ExpectEnd();
  return operands;
}

void OperandParser::ExpectEnd() {
  if (!scanner_.TryTake(';')) scanner_.FailExpected("',' or ';' after an operand of " + Quoted(opcode_));
}

void OperandParser::Count() {
  budget_.TakeOperand(scanner_);
}

void OperandParser::AddPending(std::int32_t element) {
  pending_.push_back({instruction_, operand_, element, scopes_.current(), scanner_.line()});
}

Operand OperandParser::TakeOperand() {
  switch (scanner_.Peek()) {
    case '[': return TakeAddress();
    case '{': {
      Operand list = TakeList('}', OperandKind::kVector);
      return scanner_.TryTake('|') ? TakePair(std::move(list)) : list;
    }
    case '(': scanner_.Fail(say::constant_expression(), say::write_its_value());
    default: break;
  }
  Operand operand = TakeScalar(-1);
  return scanner_.TryTake('|') ? TakePair(std::move(operand)) : operand;
}

Operand OperandParser::TakePair(Operand first) {
  const auto fits = [](const Operand& o) {
    return o.kind == OperandKind::kRegister || o.kind == OperandKind::kSink;
  };
  Operand pair = Make(OperandKind::kPair);
  pair.elements.push_back(std::move(first));
  pair.elements.push_back(TakeScalar(1));
  const bool is_list = pair.elements[0].kind == OperandKind::kVector;
  if ((!is_list && !fits(pair.elements[0])) || !fits(pair.elements[1]))
    scanner_.Fail(say::bar_joins_registers());
  return pair;
}

Operand OperandParser::TakeList(char close, OperandKind kind) {
  Count();
  Operand list = Make(kind);
  scanner_.TryTake(close == '}' ? '{' : '(');
  if (scanner_.TryTake(close)) return list;
  do {
    list.elements.push_back(TakeScalar(static_cast<std::int32_t>(list.elements.size())));
  } while (scanner_.TryTake(','));
  scanner_.Expect(close, "after a list of operands");
  return list;
}

Operand OperandParser::TakeScalar(std::int32_t element) {
  Count();
  if (scanner_.AtNumber()) return TakeImmediate();
  if (scanner_.TryTake('!')) return TakeNegated();
  return TakeNamed(element);
}

Operand OperandParser::TakeNegated() {
  Operand operand = Make(OperandKind::kRegister);
  operand.negated = true;
  operand.index = TakeRegister();
  return operand;
}

Operand OperandParser::TakeImmediate() {
  const Number number = scanner_.TakeNumber();
  Operand operand = Make(OperandKind::kImmediate);
  operand.is_float = number.is_float;
  operand.is_double = number.is_double;
  operand.bits = number.bits;
  return operand;
}

std::int32_t OperandParser::TakeRegister() {
  const std::string_view name = scanner_.TakeDottedIdentifier("a register");
  const std::int32_t index = scopes_.FindRegister(name);
  if (index < 0) scanner_.Fail(say::register_not_declared(Quoted(name)));
  return index;
}

Operand OperandParser::TakeNamed(std::int32_t element) {
  const std::string_view name = scanner_.TakeDottedIdentifier("an operand");
  if (name == "_") return Make(OperandKind::kSink);
  Operand operand;
  if (name == kWarpSizeName) {
    operand.kind = OperandKind::kImmediate;
    operand.bits = kWarpSize;
    return operand;
  }
  if (const std::int32_t index = scopes_.FindRegister(name); index >= 0) {
    operand.kind = OperandKind::kRegister;
    operand.index = index;
    return operand;
  }
  operand.name = name;
  if (IsSpecialRegister(name)) {
    operand.kind = OperandKind::kSpecial;
    return operand;
  }
  const std::size_t dot = name.find('.');
  if (dot != name.npos) {
    scanner_.Fail(say::part_of_register(Quoted(name)));
  }
  if (name[0] == '%' && scopes_.FindName(name, scopes_.current()) == nullptr) {
    scanner_.Fail(say::register_not_declared(Quoted(name)));
  }
  operand.kind = OperandKind::kSymbol;
  operand.offset = TakeOffset();
  if (const std::string* unique = scopes_.FindName(name, scopes_.current())) {
    operand.name = *unique;
  } else {
    AddPending(element);
  }
  return operand;
}

Operand OperandParser::TakeAddress() {
  Count();
  scanner_.TryTake('[');
  Operand address = Make(OperandKind::kAddress);
  if (scanner_.AtNumber()) {
    address.offset = scanner_.TakeSigned("an address");
  } else {
    const std::string_view name = scanner_.TakeIdentifier("an address");
    address.index = scopes_.FindRegister(name);
    if (address.index < 0) {
      if (name[0] == '%' && scopes_.FindName(name, scopes_.current()) == nullptr) {
        scanner_.Fail(say::register_not_declared(Quoted(name)));
      }
      address.name = name;
      if (const std::string* unique = scopes_.FindName(name, scopes_.current())) {
        address.name = *unique;
      } else {
        AddPending(-1);
      }
    }
    address.offset = TakeOffset();
  }
  while (scanner_.TryTake(',')) {
    Operand coordinates = scanner_.Peek() == '{' ? TakeList('}', OperandKind::kVector) : TakeScalar(-1);
    address.elements.push_back(std::move(coordinates));
  }
  scanner_.Expect(']', "after an address");
  return address;
}

/// "+16", "-16", "+-16" or nothing.
std::int64_t OperandParser::TakeOffset() {
  const char c = scanner_.Peek();
  if (c != '+' && c != '-') return 0;
  if (scanner_.TryTake('+') && !scanner_.AtNumber()) scanner_.FailExpected("an offset");
  return scanner_.TakeSigned("an offset");
}

}  // namespace warplings::ptx

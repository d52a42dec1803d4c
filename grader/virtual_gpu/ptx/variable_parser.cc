// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/ptx/variable_parser.h"

#include <bit>

#include "grader/messages/ptx.h"
#include "grader/virtual_gpu/ptx/initialiser.h"
#include "grader/virtual_gpu/ptx/parser.h"

namespace warplings::ptx {
namespace {

/// What comes between the state space and the names of a declaration; applies to all of its names.
struct Attributes {
  Type type = Type::kNone;
  std::uint32_t alignment = 0;  ///< 0: none given.
  std::uint32_t lanes = 1;      ///< 2 or 4 for .v2 and .v4.
  bool is_managed = false;
};

std::uint32_t TakeAlignment(Scanner& scanner) {
  const std::uint64_t alignment = scanner.TakeUnsigned("an alignment", 1u << 16);
  if (!std::has_single_bit(alignment)) scanner.Fail(say::alignment_no_power());
  return static_cast<std::uint32_t>(alignment);
}

void TakeAttribute(Scanner& scanner, Attributes& attributes) {
  scanner.Expect('(', "after .attribute");
  do {
    const std::string_view name = scanner.TakeDirective("an attribute");
    if (name == "managed") {
      attributes.is_managed = true;
    } else if (name == "unified") {  // Two halves of an identifier that links objects; no meaning here.
      scanner.Expect('(', "after .unified");
      scanner.TakeUnsigned("an identifier", ~std::uint64_t{0});
      scanner.Expect(',', "between the halves of .unified");
      scanner.TakeUnsigned("an identifier", ~std::uint64_t{0});
      scanner.Expect(')', "after .unified");
    } else {
      scanner.Fail(say::unknown_attribute(Quoted(name)));
    }
  } while (scanner.TryTake(','));
  scanner.Expect(')', "after .attribute");
}

/// `.ptr .global .align 4` behind a kernel parameter's type says what it points to; nothing about it.
void SkipPointerAttribute(Scanner& scanner) {
  for (;;) {
    if (scanner.TryTakeDirective("align")) {
      TakeAlignment(scanner);
    } else if (!scanner.TryTakeDirective("global") && !scanner.TryTakeDirective("shared") &&
               !scanner.TryTakeDirective("const") && !scanner.TryTakeDirective("local")) {
      return;
    }
  }
}

Attributes TakeAttributes(Scanner& scanner) {
  Attributes attributes;
  for (;;) {
    const std::string_view name = scanner.PeekDirective();
    if (name.empty()) break;
    if (scanner.TryTakeDirective("align")) {
      attributes.alignment = TakeAlignment(scanner);
    } else if (scanner.TryTakeDirective("attribute")) {
      TakeAttribute(scanner, attributes);
    } else if (scanner.TryTakeDirective("v2")) {
      attributes.lanes = 2;
    } else if (scanner.TryTakeDirective("v4")) {
      attributes.lanes = 4;
    } else if (attributes.type != Type::kNone && scanner.TryTakeDirective("ptr")) {
      SkipPointerAttribute(scanner);
    } else if (attributes.type == Type::kNone) {
      attributes.type = TakeType(scanner);
    } else {
      scanner.FailExpected("a variable's name");
    }
  }
  if (attributes.type == Type::kNone) scanner.FailExpected("a variable's type");
  if (attributes.alignment == 0) attributes.alignment = TypeBytes(attributes.type) * attributes.lanes;
  return attributes;
}

/// The extents behind a name: "[2][3]" is {2, 3}; one that is left open is 0 and must come first.
std::vector<std::uint64_t> TakeExtents(Scanner& scanner) {
  std::vector<std::uint64_t> extents;
  while (scanner.TryTake('[')) {
    if (extents.size() == 8) scanner.Fail(say::too_many_dimensions());
    if (extents.empty() && scanner.TryTake(']')) {
      extents.push_back(0);
      continue;
    }
    extents.push_back(scanner.TakeUnsigned("an array's extent", kMaxVariableBytes));
    if (extents.back() == 0 && extents.size() > 1) scanner.Fail(say::inner_extent_0());
    scanner.Expect(']', "after an array's extent");
  }
  return extents;
}

std::uint64_t CountElements(Scanner& scanner, const Attributes& attributes,
                            const std::vector<std::uint64_t>& extents, std::string_view name) {
  std::uint64_t count = attributes.lanes;
  for (std::uint64_t extent : extents) {
    if (extent != 0 && count > kMaxVariableBytes / extent) {
      scanner.Fail(say::variable_too_large(Quoted(name)));
    }
    count *= extent;
  }
  if (count * TypeBytes(attributes.type) > kMaxVariableBytes) {
    scanner.Fail(say::variable_too_large(Quoted(name)));
  }
  return count;
}

Variable TakeVariable(Scanner& scanner, Space space, const Attributes& attributes,
                      std::vector<std::uint64_t>& extents) {
  Variable variable;
  variable.name = scanner.TakeIdentifier("a variable's name");
  variable.space = space;
  variable.type = attributes.type;
  variable.alignment = attributes.alignment;
  variable.is_managed = attributes.is_managed;
  extents = TakeExtents(scanner);
  variable.is_array = !extents.empty();
  variable.count = CountElements(scanner, attributes, extents, variable.name);
  if (attributes.lanes > 1) extents.push_back(attributes.lanes);
  return variable;
}

Variable TakeParameter(Scanner& scanner, bool allow_registers) {
  const std::string_view space = scanner.TakeDirective(".param or .reg");
  const bool is_register = space == "reg";
  if (is_register ? !allow_registers : space != "param") {
    scanner.Fail(say::cannot_declare_parameter("." + std::string(space)));
  }
  const Attributes attributes = TakeAttributes(scanner);
  std::vector<std::uint64_t> extents;
  Variable variable = TakeVariable(scanner, is_register ? Space::kReg : Space::kParam, attributes, extents);
  if (is_register && variable.count != 1) scanner.Fail(say::register_parameter_array());
  return variable;
}

}  // namespace

Type TakeType(Scanner& scanner) {
  const std::string_view name = scanner.PeekDirective();
  if (name == "texref" || name == "samplerref" || name == "surfref") {
    scanner.Fail(say::textures_not_supported("." + std::string(name)), say::read_through_pointer());
  }
  const Type type = TypeFromName(name);
  if (type == Type::kNone) {
    if (name.empty()) scanner.FailExpected("a type");
    scanner.Fail(say::unknown_type(Quoted("." + std::string(name))));
  }
  scanner.TakeDirective("a type");
  return type;
}

std::vector<Variable> ParseVariables(Scanner& scanner, Space space, bool is_extern, Budget& budget) {
  std::vector<Variable> variables;
  const Attributes attributes = TakeAttributes(scanner);
  if (attributes.type == Type::kPred) scanner.Fail(say::predicate_in_memory());
  do {
    budget.TakeName(scanner);
    std::vector<std::uint64_t> extents;
    Variable variable = TakeVariable(scanner, space, attributes, extents);
    variable.is_extern = is_extern;
    if (scanner.TryTake('=')) {
      if (is_extern) scanner.Fail(say::external_with_value());
      if (space != Space::kGlobal && space != Space::kConst) {
        scanner.Fail(say::value_outside_global());
      }
      ParseInitialiser(scanner, variable, extents, budget);
    }
    const bool unsized = variable.is_array && variable.count == 0;
    if (unsized && space != Space::kShared && space != Space::kParam && !is_extern) {
      scanner.Fail(say::array_without_extent(Quoted(variable.name)));
    }
    variables.push_back(std::move(variable));
  } while (scanner.TryTake(','));
  scanner.Expect(';', "after a variable");
  return variables;
}

std::vector<Variable> ParseParameters(Scanner& scanner, bool allow_registers, Budget& budget) {
  std::vector<Variable> parameters;
  scanner.Expect('(', "before parameters");
  if (scanner.TryTake(')')) return parameters;
  do {
    budget.TakeName(scanner);
    parameters.push_back(TakeParameter(scanner, allow_registers));
  } while (scanner.TryTake(','));
  scanner.Expect(')', "after parameters");
  return parameters;
}

}  // namespace warplings::ptx

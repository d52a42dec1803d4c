// SPDX-License-Identifier: Apache-2.0
// The table of binders by role, and the binders for one or several registers.
#include "grader/virtual_gpu/decode/operand_binder.h"

#include <iterator>

#include "grader/messages/ptx.h"

namespace warplings::vgpu {

const OperandBinder::Binder OperandBinder::kBinders[] = {
    &OperandBinder::BindPlainDestination,  // kDestination
    &OperandBinder::BindDestinationAndPredicate,
    &OperandBinder::BindWideDestination,
    &OperandBinder::BindDestinationVector,
    &OperandBinder::BindDestinationParts,
    &OperandBinder::BindDestinationList,
    &OperandBinder::BindDestinationPredicate,
    &OperandBinder::BindDestinationPredicates,
    &OperandBinder::BindPlainSource,  // kSource
    &OperandBinder::BindWideSource,
    &OperandBinder::BindWholeSource,
    &OperandBinder::BindSourceVector,
    &OperandBinder::BindSourceParts,
    &OperandBinder::BindSourceList,
    &OperandBinder::BindSourcePredicate,
    &OperandBinder::BindMembers,
    &OperandBinder::BindVote,
    &OperandBinder::BindAddress,
    &OperandBinder::BindSourceAddress,
    &OperandBinder::BindTexture,
    &OperandBinder::BindIgnored,
    &OperandBinder::BindCopySize,
    &OperandBinder::BindCachePolicy,
    &OperandBinder::BindConstant,
    &OperandBinder::BindClock,
    &OperandBinder::BindLabel,
    &OperandBinder::BindLabels,
};

MaybeRefusal OperandBinder::Bind(const InstructionRow& row, const ptx::Instruction& source, Inst& inst) {
  // The operands of a call are bound together, and the carry flag is not written in PTX.
  static_assert(std::size(kBinders) == static_cast<std::size_t>(Role::kCall));
  if (row.control == Control::kCall) return BindCall(source, inst);
  Binding binding{row, inst};
  std::size_t next_operand = 0;
  for (const OperandRole& role : row.operands) {
    if (role.role == Role::kCarry) {
      inst.carry = frame_.carry;
      continue;
    }
    if (next_operand == source.operands.size()) {
      if (role.optional) continue;
      return Refusal{say::too_few_operands()};
    }
    const ptx::Operand& operand = source.operands[next_operand++];
    if (auto refusal = (this->*kBinders[static_cast<std::size_t>(role.role)])(role, operand, binding))
      return refusal;
  }
  if (next_operand != source.operands.size()) return Refusal{say::too_many_operands()};
  return std::nullopt;
}

MaybeRefusal OperandBinder::BindPlainDestination(const OperandRole& role, const ptx::Operand& operand,
                                                 Binding& to) {
  return BindDestination(operand, role.type, to.NextDestination());
}

MaybeRefusal OperandBinder::BindDestinationAndPredicate(const OperandRole& role, const ptx::Operand& operand,
                                                        Binding& to) {
  if (operand.kind != ptx::OperandKind::kPair) return BindPlainDestination(role, operand, to);
  if (auto refusal = BindPlainDestination(role, operand.elements[0], to)) return refusal;
  return BindPredicate(operand.elements[1], to.inst.predicate, true);
}

MaybeRefusal OperandBinder::BindWideDestination(const OperandRole& role, const ptx::Operand& operand,
                                                Binding& to) {
  to.inst.register_bytes = WidthOf(operand, role.type);
  return BindAnyWidth(operand, role.type, to.NextDestination());
}

MaybeRefusal OperandBinder::BindDestinationParts(const OperandRole& role, const ptx::Operand& operand,
                                                 Binding& to) {
  return BindElements(operand, role, &to.inst.op[0], true);
}

MaybeRefusal OperandBinder::BindDestinationList(const OperandRole& role, const ptx::Operand& operand,
                                                Binding& to) {
  return BindList(operand, role, true, to.NextDestination());
}

MaybeRefusal OperandBinder::BindDestinationPredicate(const OperandRole&, const ptx::Operand& operand,
                                                     Binding& to) {
  return BindPredicate(operand, to.NextDestination(), true);
}

MaybeRefusal OperandBinder::BindDestinationPredicates(const OperandRole& role, const ptx::Operand& operand,
                                                      Binding& to) {
  if (operand.kind != ptx::OperandKind::kPair) return BindDestinationPredicate(role, operand, to);
  if (auto refusal = BindDestinationPredicate(role, operand.elements[0], to)) return refusal;
  return BindPredicate(operand.elements[1], to.inst.predicate, true);
}

MaybeRefusal OperandBinder::BindPlainSource(const OperandRole& role, const ptx::Operand& operand,
                                            Binding& to) {
  return BindSource(operand, role.type, to.NextSource());
}

MaybeRefusal OperandBinder::BindWideSource(const OperandRole& role, const ptx::Operand& operand,
                                           Binding& to) {
  to.inst.source_bytes = WidthOf(operand, role.type);
  return BindAnyWidth(operand, role.type, to.NextSource());
}

MaybeRefusal OperandBinder::BindWholeSource(const OperandRole& role, const ptx::Operand& operand,
                                            Binding& to) {
  return BindSource(operand, role.type, to.inst.op[4]);
}

MaybeRefusal OperandBinder::BindSourceParts(const OperandRole& role, const ptx::Operand& operand,
                                            Binding& to) {
  return BindElements(operand, role, &to.inst.op[1], false);
}

MaybeRefusal OperandBinder::BindSourceList(const OperandRole& role, const ptx::Operand& operand,
                                           Binding& to) {
  return BindList(operand, role, false, to.NextSource());
}

MaybeRefusal OperandBinder::BindSourcePredicate(const OperandRole&, const ptx::Operand& operand,
                                                Binding& to) {
  if (operand.negated) to.inst.mods |= mods::kNegate;
  return BindPredicate(operand, to.NextSource(), false);
}

MaybeRefusal OperandBinder::BindMembers(const OperandRole&, const ptx::Operand& operand, Binding& to) {
  return BindSource(operand, ptx::Type::kB32, to.inst.members);
}

MaybeRefusal OperandBinder::BindVote(const OperandRole&, const ptx::Operand& operand, Binding& to) {
  if (operand.negated) to.inst.mods |= mods::kNegate;
  return BindPredicate(operand, to.inst.op[3], false);
}

MaybeRefusal OperandBinder::BindConstant(const OperandRole&, const ptx::Operand& operand, Binding& to) {
  if (operand.kind != ptx::OperandKind::kImmediate) return Refusal{say::constant_expected()};
  to.inst.imm = static_cast<std::int64_t>(operand.bits);
  return std::nullopt;
}

MaybeRefusal OperandBinder::BindElements(const ptx::Operand& operand, const OperandRole& role,
                                         OperandRef* refs, bool destination) {
  if (operand.kind != ptx::OperandKind::kVector ||
      operand.elements.size() != static_cast<std::size_t>(role.count)) {
    return Refusal{say::vector_expected(role.count)};
  }
  for (const ptx::Operand& element : operand.elements) {
    if (destination && element.kind == ptx::OperandKind::kSink) {
      ++refs;
      continue;
    }
    if (auto refusal = destination ? BindDestination(element, role.type, *refs++)
                                   : BindSource(element, role.type, *refs++)) {
      return refusal;
    }
  }
  return std::nullopt;
}

MaybeRefusal OperandBinder::BindList(const ptx::Operand& operand, const OperandRole& role, bool destination,
                                     OperandRef& list) {
  const bool is_vector = operand.kind == ptx::OperandKind::kVector;
  if ((is_vector ? operand.elements.size() : 1) != static_cast<std::size_t>(role.count)) {
    return Refusal{say::vector_expected(role.count)};
  }
  list = static_cast<OperandRef>(program_.operand_lists.size());
  for (int i = 0; i < role.count; ++i) {
    const ptx::Operand& element = is_vector ? operand.elements[static_cast<std::size_t>(i)] : operand;
    OperandRef ref = kNoOperand;
    if (auto refusal =
            destination ? BindDestination(element, role.type, ref) : BindSource(element, role.type, ref)) {
      return refusal;
    }
    program_.operand_lists.push_back(ref);
  }
  return std::nullopt;
}

}  // namespace warplings::vgpu

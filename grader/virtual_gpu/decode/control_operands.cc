// SPDX-License-Identifier: Apache-2.0
// Targets of branches, and calls.
#include <algorithm>

#include "grader/fatbin/device_names.h"
#include "grader/messages/ptx.h"
#include "grader/virtual_gpu/decode/operand_binder.h"

namespace warplings::vgpu {

MaybeRefusal OperandBinder::BindLabel(const OperandRole&, const ptx::Operand& operand, Binding& to) {
  if (operand.kind != ptx::OperandKind::kLabel) return Refusal{say::label_expected()};
  to.inst.target = operand.index;
  return std::nullopt;
}

MaybeRefusal OperandBinder::BindLabels(const OperandRole&, const ptx::Operand& operand, Binding& to) {
  const auto table = function_.branch_targets.find(operand.name);
  if (table == function_.branch_targets.end()) return Refusal{say::branchtargets_expected()};
  to.inst.imm = static_cast<std::int64_t>(tables_.size());
  tables_.push_back(table->second);
  return std::nullopt;
}

MaybeRefusal OperandBinder::BindSlots(const ptx::Operand& list, std::vector<FrameSlot>& slots) const {
  for (const ptx::Operand& element : list.elements) {
    const auto slot = frame_.slots.find(element.name);
    if (slot == frame_.slots.end()) return Refusal{say::arguments_must_be_param()};
    slots.push_back(slot->second);
  }
  return std::nullopt;
}

MaybeRefusal OperandBinder::BindCall(const ptx::Instruction& source, Inst& inst) {
  if (source.operands.size() < 3) return Refusal{say::call_parts_expected()};
  CallSite call;
  if (auto refusal = BindSlots(source.operands[0], call.results)) return refusal;
  if (auto refusal = BindSlots(source.operands[2], call.arguments)) return refusal;
  const ptx::Operand& target = source.operands[1];
  if (target.kind == ptx::OperandKind::kRegister) {
    builder_.calls_indirectly = true;
    if (auto refusal = BindRegister(target, 8, false, inst.op[1])) return refusal;
  } else {
    const auto function = std::find_if(builder_.module.functions.begin(), builder_.module.functions.end(),
                                       [&](const ptx::Function& f) { return f.name == target.name; });
    if (function == builder_.module.functions.end()) return Refusal{say::module_has_no_function(target.name)};
    if (function->is_extern && builder_.BuiltinOf(*function) == Builtin::kNone) {
      constexpr std::string_view kPrefix = "__cudaCDP2";
      const bool is_of_runtime = function->name.starts_with(kPrefix);
      const bool launches = is_of_runtime || function->name.starts_with("cuda");
      const std::string name = fatbin::DemangledName(function->name);
      if (is_of_runtime && builder_.may_launch)
        return Refusal{say::calls_of_host("cuda" + function->name.substr(kPrefix.size())), true};
      return Refusal{launches ? say::calls_launch(name) : say::calls_undefined(name), true};
    }
    if (call.arguments.size() != function->parameters.size() ||
        call.results.size() > function->returns.size()) {
      return Refusal{say::call_does_not_fit(target.name)};
    }
    call.function = static_cast<std::int32_t>(function - builder_.module.functions.begin());
    builder_.wanted.push_back(static_cast<std::size_t>(call.function));
  }
  inst.imm = static_cast<std::int64_t>(program_.calls.size());
  program_.calls.push_back(std::move(call));
  return std::nullopt;
}

}  // namespace warplings::vgpu

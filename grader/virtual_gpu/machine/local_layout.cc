// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/machine/local_layout.h"

#include <algorithm>
#include <set>

#include "grader/virtual_gpu/machine/layout.h"

namespace warplings::vgpu {
namespace {

/// Between two objects. A multiple of 16 keeps their alignment.
constexpr std::uint32_t kLocalGap = 64;

bool IsRegister(const ptx::Operand& operand, const std::set<std::int32_t>& registers) {
  return operand.kind == ptx::OperandKind::kRegister && registers.contains(operand.index);
}

bool Uses(const ptx::Operand& operand, const std::set<std::int32_t>& registers) {
  const bool itself =
      (operand.kind == ptx::OperandKind::kRegister || operand.kind == ptx::OperandKind::kAddress) &&
      registers.contains(operand.index);
  return itself || std::any_of(operand.elements.begin(), operand.elements.end(),
                               [&](const ptx::Operand& e) { return Uses(e, registers); });
}

/// How one function uses the address of one local variable.
class DepotUse {
 public:
  DepotUse(const ptx::Function& function, const ptx::Variable& variable)
      : function_(function), variable_(variable) {
    FindRegisters();
    is_plain_ = is_plain_ && !registers_.empty() && AreWrittenOnce();
    for (std::size_t i = 0; is_plain_ && i < function.instructions.size(); ++i) Visit(i);
  }

  /// Where objects begin; 0 alone unless each use of the address is one that is understood.
  std::set<std::int64_t> Starts() const { return is_plain_ ? starts_ : std::set<std::int64_t>{0}; }
  /// Constant offsets from the variable's start, by instruction.
  std::map<std::size_t, std::int64_t> Offsets() const {
    return is_plain_ ? offsets_ : std::map<std::size_t, std::int64_t>{};
  }

 private:
  /// %SPL by "mov", %SP by "cvta.local" of that.
  void FindRegisters() {
    for (const ptx::Instruction& instruction : function_.instructions) {
      const auto& operands = instruction.operands;
      const bool names = std::any_of(operands.begin(), operands.end(),
                                     [&](const ptx::Operand& o) { return o.name == variable_.name; });
      const bool moves = names && instruction.opcode.starts_with("mov.") && operands.size() == 2 &&
                         operands[1].kind == ptx::OperandKind::kSymbol && operands[1].offset == 0;
      const bool converts = instruction.opcode.starts_with("cvta.local") && operands.size() == 2 &&
                            IsRegister(operands[1], registers_);
      if (moves || converts) registers_.insert(operands[0].index);
      if (names && !moves) is_plain_ = false;
    }
  }

  bool AreWrittenOnce() const {
    std::size_t writes = 0;
    for (const ptx::Instruction& instruction : function_.instructions) {
      if (instruction.opcode.starts_with("st.") || instruction.operands.empty()) continue;
      writes += IsRegister(instruction.operands[0], registers_);
    }
    return writes == registers_.size();
  }

  void Visit(std::size_t i) {
    const ptx::Instruction& instruction = function_.instructions[i];
    const auto& operands = instruction.operands;
    if (operands.size() == 2 && IsRegister(operands[0], registers_)) return;  // a definition, above
    for (std::size_t k = 0; k < operands.size(); ++k) {
      if (!Uses(operands[k], registers_)) continue;
      if (operands[k].kind == ptx::OperandKind::kAddress) {
        offsets_[i] = operands[k].offset;
      } else if (instruction.opcode == "add.u64" && k == 1 && operands.size() == 3 &&
                 operands[2].kind == ptx::OperandKind::kImmediate) {
        offsets_[i] = static_cast<std::int64_t>(operands[2].bits);
        starts_.insert(offsets_[i]);
      } else {
        is_plain_ = false;
      }
      const auto offset = offsets_.find(i);
      if (offset != offsets_.end() && (offset->second < 0 || offset->second >= Bytes())) is_plain_ = false;
    }
  }
  std::int64_t Bytes() const { return static_cast<std::int64_t>(variable_.Bytes()); }

  const ptx::Function& function_;
  const ptx::Variable& variable_;
  bool is_plain_ = true;
  std::set<std::int32_t> registers_;
  std::set<std::int64_t> starts_{0};
  std::map<std::size_t, std::int64_t> offsets_;
};

}  // namespace

LocalLayout LayOutLocals(const ptx::Function& function) {
  LocalLayout layout;
  std::uint32_t next = 0;
  for (const ptx::Variable& variable : function.variables) {
    if (variable.space != ptx::Space::kLocal) continue;
    if (!layout.objects.empty()) next += kLocalGap;
    next = RoundUp(next, variable.alignment);
    layout.variables[variable.name] = next;
    const DepotUse use(function, variable);
    const std::set<std::int64_t> starts = use.Starts();
    const auto bytes = static_cast<std::uint32_t>(variable.Bytes());
    const std::uint32_t base = next;
    std::uint32_t gaps = 0;
    for (auto start = starts.begin(); start != starts.end(); ++start) {
      const auto from = static_cast<std::uint32_t>(*start);
      const std::uint32_t to =
          std::next(start) == starts.end() ? bytes : static_cast<std::uint32_t>(*std::next(start));
      layout.objects.push_back({base + from + gaps, to - from});
      next = base + to + gaps;
      for (const auto& [instruction, offset] : use.Offsets()) {
        if (offset >= from && offset < to && gaps) layout.moved[instruction] = offset + gaps;
      }
      gaps += kLocalGap;
    }
  }
  layout.bytes = RoundUp(next, 16);
  return layout;
}

ptx::Instruction WithOffset(ptx::Instruction instruction, std::int64_t offset) {
  for (ptx::Operand& operand : instruction.operands) {
    if (operand.kind == ptx::OperandKind::kAddress) operand.offset = offset;
    if (operand.kind == ptx::OperandKind::kImmediate && instruction.opcode == "add.u64")
      operand.bits = static_cast<std::uint64_t>(offset);
  }
  return instruction;
}

}  // namespace warplings::vgpu

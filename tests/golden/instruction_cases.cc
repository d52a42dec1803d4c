// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/instruction_cases.h"

#include "tests/golden/case_writer.h"

namespace warplings::vgpu {

std::vector<InstructionCase> MakeInstructionCases(std::span<const InstructionRow> rows) {
  std::vector<InstructionCase> cases;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const Control control = rows[row].control;
    const bool moves_on = control == Control::kNone || control == Control::kWarpSync ||
                          control == Control::kTryWait || control == Control::kBarrier;
    if (!moves_on) continue;  // branches, calls, clocks: tests of their own
    for (const std::string& opcode : ExpandForm(rows[row].form)) {
      // What a window's address is, is each device's own.
      const bool is_window =
          opcode.starts_with("cvta") && !HasWord(opcode, ".global") && !HasWord(opcode, ".const");
      // Nor what a cache policy holds.
      const bool is_opaque = is_window || opcode.starts_with("createpolicy");
      if (!IsLegal(opcode) || opcode == "brkpt" || opcode.starts_with("pmevent") || is_opaque) continue;
      auto text = CaseWriter(opcode, rows[row]).Write();
      if (!text) continue;
      InstructionCase one;
      // A policy is no part of the name: it changes no value.
      const std::string_view operands = rows[row].operands.text();
      one.name = opcode + " " + std::string(operands.substr(0, operands.find(" ?policy")));
      one.opcode = opcode;
      one.row = row;
      one.kernel_text = *std::move(text);
      one.minimum_sm = MinimumSm(opcode);
      // Of tf32 products only what is far below the least place of the sum differs.
      const bool is_tf32_product =
          HasWord(opcode, ".tf32") && HasWord(opcode, ".sync") && HasWord(opcode, ".f32");
      if (HasWord(opcode, ".approx") || HasWord(opcode, ".full") || is_tf32_product)
        one.exactness = Exactness::kApproximate;
      cases.push_back(std::move(one));
    }
  }
  return cases;
}

std::vector<std::size_t> RowsWithoutCases(std::span<const InstructionRow> rows) {
  std::vector<bool> has(rows.size(), false);
  for (const InstructionCase& one : MakeInstructionCases(rows)) has[one.row] = true;
  std::vector<std::size_t> without;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (!has[row]) without.push_back(row);
  }
  return without;
}

}  // namespace warplings::vgpu

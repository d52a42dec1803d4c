// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/virtual_gpu/isa/engine.h"
#include "tests/golden/case_forms.h"

/// For tests: kernels that execute every form of the instruction table with chosen operands. The same kernels
/// run on a real GPU, whose results are recorded (testdata/golden.bin), and on the virtual GPU.
namespace warplings::vgpu {

/// How exact the result of a form must be.
enum class Exactness : std::uint8_t {
  kBits,         ///< Bit for bit.
  kApproximate,  ///< Within the error bound of the PTX manual (….approx, .full).
};

/// One opcode with all its words, in one kernel: each thread reads four 64-bit operands of its own from
/// the first argument, executes the instruction, and writes two 64-bit results to the second.
struct InstructionCase {
  std::string name;  ///< Opcode and operands: "mov.b32 dst.b32 src_parts2.b16". Unique.
  std::string opcode;
  std::size_t row = 0;      ///< Of the instruction table.
  std::string kernel_text;  ///< A PTX module with the entry "k".
  Exactness exactness = Exactness::kBits;
  int minimum_sm = 75;
};

inline constexpr std::uint32_t kCaseThreads = 256;
inline constexpr std::uint32_t kCaseOperands = 4, kCaseResults = 2;

/// All cases for the rows of a table, in order. Rows that no such kernel can test (branches, barriers, calls,
/// …) have none; RowsWithoutCases lists them.
std::vector<InstructionCase> MakeInstructionCases(std::span<const InstructionRow> rows);
std::vector<std::size_t> RowsWithoutCases(std::span<const InstructionRow> rows);

/// The operands of a case: kCaseThreads x kCaseOperands values, the same on every machine. Edge values
/// of the opcode's types against each other first, then random ones.
std::vector<std::uint64_t> CaseOperands(std::string_view opcode);

}  // namespace warplings::vgpu

// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/machine/layout.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "grader/fatbin/device_names.h"
#include "grader/messages/ptx.h"

namespace warplings::vgpu {
namespace {

/// Space between two shared arrays. A multiple of 128 bytes keeps every array in the banks it has on
/// hardware, where they follow each other.
constexpr std::uint32_t kSharedGap = 1024;

/// From sm_80 on the system keeps memory in each block that cooperative groups of several warps meet in
/// (cooperative_groups/details/memory.h). A special register holds where it lies.
constexpr const char* kReservedName = "%reserved_smem_offset_1";
constexpr std::uint32_t kReservedBytes = 1024;

/// With these a kernel finds its dynamic bytes without an array that is declared there.
constexpr const char* kSharedSizes[] = {"%dynamic_smem_size", "%total_smem_size", "%aggr_smem_size"};

using Names = std::unordered_set<std::string_view>;
using Functions = std::vector<const ptx::Function*>;

/// Calls `visit(name)` for each name that the operand mentions.
template <class Visit>
void ForEachName(const ptx::Operand& operand, Visit&& visit) {
  if (!operand.name.empty()) visit(std::string_view(operand.name));
  for (const ptx::Operand& element : operand.elements) ForEachName(element, visit);
}

bool CallsIndirectly(const ptx::Instruction& instruction) {
  return instruction.opcode.starts_with("call") && instruction.operands.size() > 1 &&
         instruction.operands[1].kind == ptx::OperandKind::kRegister;
}

/// The kernel, and behind it, in the module's order, the functions that it may call: those that are named on
/// the way or, where a call goes through a register, all.
Functions ReachedFrom(const ptx::Module& module, const ptx::Function& kernel) {
  std::unordered_map<std::string_view, const ptx::Function*> left;
  for (const ptx::Function& function : module.functions) {
    if (!function.is_entry) left.emplace(function.name, &function);
  }
  Functions found = {&kernel};
  bool is_any_called = false;
  for (std::size_t i = 0; i < found.size() && !is_any_called; ++i) {
    for (const ptx::Instruction& instruction : found[i]->instructions) {
      is_any_called = is_any_called || CallsIndirectly(instruction);
      for (const ptx::Operand& operand : instruction.operands) {
        ForEachName(operand, [&](std::string_view name) {
          if (const auto callee = left.extract(name)) found.push_back(callee.mapped());
        });
      }
    }
  }
  if (is_any_called) {
    found = {&kernel};
    for (const ptx::Function& function : module.functions) {
      if (!function.is_entry) found.push_back(&function);
    }
  }
  // All lie in one vector.
  std::sort(found.begin() + 1, found.end());
  return found;
}

/// Which of these names the functions mention. One look at each operand: a module may have thousands of
/// variables and hundreds of thousands of instructions.
Names MentionedIn(const Functions& functions, const Names& asked) {
  Names mentioned;
  for (const ptx::Function* function : functions) {
    for (const ptx::Instruction& instruction : function->instructions) {
      for (const ptx::Operand& operand : instruction.operands) {
        ForEachName(operand, [&](std::string_view name) {
          if (const auto found = asked.find(name); found != asked.end()) mentioned.insert(*found);
        });
      }
    }
  }
  return mentioned;
}

}  // namespace

Status CheckSize(const std::string& function, const MessageRow<>& what, std::uint64_t bytes,
                 std::uint64_t limit) {
  if (bytes <= limit) return Unit{};
  return SubmissionError(say::cannot_run_as_it_needs(fatbin::DemangledName(function), bytes, what(), limit));
}

namespace {

/// The arrays in shared memory that a kernel may use.
struct SharedVariables {
  std::vector<const ptx::Variable*> fixed, dynamic;
  bool uses_reserved = false;
  bool uses_sizes = false;
};

SharedVariables FindShared(const ptx::Module& module, const ptx::Function& kernel) {
  SharedVariables found;
  auto consider = [&](const ptx::Variable& variable) {
    if (variable.space != ptx::Space::kShared) return;
    (variable.is_extern || variable.count == 0 ? found.dynamic : found.fixed).push_back(&variable);
  };
  Names asked = {kReservedName};
  asked.insert(std::begin(kSharedSizes), std::end(kSharedSizes));
  for (const ptx::Variable& variable : module.variables) {
    if (variable.space == ptx::Space::kShared) asked.insert(variable.name);
  }
  const Functions functions = ReachedFrom(module, kernel);
  const Names mentioned = MentionedIn(functions, asked);
  for (const ptx::Variable& variable : kernel.variables) consider(variable);
  for (const ptx::Variable& variable : module.variables) {
    if (mentioned.contains(variable.name)) consider(variable);
  }
  for (const ptx::Function* function : std::span(functions).subspan(1)) {
    for (const ptx::Variable& variable : function->variables) consider(variable);
  }
  found.uses_reserved = mentioned.contains(kReservedName);
  found.uses_sizes =
      std::ranges::any_of(kSharedSizes, [&](const char* name) { return mentioned.contains(name); });
  return found;
}

/// nvcc splits an array whose indices are all constants, and a struct, into variables: `total_$_0`.
constexpr std::string_view kPart = "_$_";

bool IsPartOfArray(std::string_view name) {
  return name.find(kPart) != std::string_view::npos;
}

/// As the student wrote it.
std::string SourceName(const std::string& name) {
  return fatbin::DemangledName(name.substr(0, name.find(kPart)));
}

/// Before any of them is placed, because the sum of hostile sizes may not fit an offset.
Status CheckFixed(const std::string& kernel, const std::vector<const ptx::Variable*>& fixed) {
  std::uint64_t wanted = 0;
  for (const ptx::Variable* variable : fixed) {
    wanted = RoundUp64(wanted, variable->alignment) + variable->Bytes() + kSharedGap;
    if (auto fits = CheckSize(kernel, say::of_shared_memory, wanted, kMaxSharedBytes); !fits)
      return fits.error();
  }
  return Unit{};
}

}  // namespace

Result<Offsets> LayOutShared(const ptx::Module& module, const ptx::Function& kernel, Program& program) {
  const SharedVariables variables = FindShared(module, kernel);
  if (auto fits = CheckFixed(kernel.name, variables.fixed); !fits) return fits.error();
  Offsets offsets;
  // Where the next array begins: where it does on a card, and how much is added here for gaps.
  std::uint32_t natural = 0, gaps = 0;
  for (const ptx::Variable* variable : variables.fixed) {
    natural = RoundUp(natural, variable->alignment);
    const auto bytes = static_cast<std::uint32_t>(variable->Bytes());
    offsets[variable->name] = natural + gaps;
    const bool is_part = IsPartOfArray(variable->name);
    program.shared.push_back({.name = SourceName(variable->name),
                              .offset = natural + gaps,
                              .bytes = bytes,
                              .is_variable = !variable->is_array && !is_part});
    natural += bytes;
    gaps += kSharedGap;
  }
  program.static_shared_bytes = natural;
  if (variables.uses_reserved) {
    offsets[kReservedName] = RoundUp(natural, 16) + gaps;
    program.shared.push_back(
        {"what the system reserves", RoundUp(natural, 16) + gaps, kReservedBytes, false});
    gaps += kReservedBytes + kSharedGap;
  }
  // A kernel without any array can only mean the bytes that it is launched with.
  program.uses_dynamic_shared = !variables.dynamic.empty() || variables.uses_sizes || program.shared.empty();
  if (variables.dynamic.empty()) {
    // Nothing is addressable behind the last array.
    program.shared_bytes =
        program.shared.empty() ? 0 : program.shared.back().offset + program.shared.back().bytes;
    return offsets;
  }
  std::uint32_t alignment = 16;
  for (const ptx::Variable* variable : variables.dynamic)
    alignment = std::max(alignment, variable->alignment);
  program.shared_bytes = RoundUp(natural, alignment) + gaps;
  // All names of the dynamic array are one array.
  for (const ptx::Variable* variable : variables.dynamic) offsets[variable->name] = program.shared_bytes;
  program.shared.push_back(
      {fatbin::DemangledName(variables.dynamic.front()->name), program.shared_bytes, 0, true});
  return offsets;
}

Result<Offsets> LayOutParameters(const ptx::Function& kernel, Program& program) {
  Offsets offsets;
  std::uint32_t next = 0;
  for (const ptx::Variable& parameter : kernel.parameters) {
    const std::uint64_t end = RoundUp64(next, parameter.alignment) + parameter.Bytes();
    if (auto fits = CheckSize(kernel.name, say::of_parameters, end, kMaxParameterBytes); !fits)
      return fits.error();
    next = RoundUp(next, parameter.alignment);
    const auto bytes = static_cast<std::uint32_t>(parameter.Bytes());
    program.parameters.push_back({next, bytes});
    offsets[parameter.name] = next;
    next += bytes;
  }
  program.argument_bytes = next;
  return offsets;
}

}  // namespace warplings::vgpu

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/base/message.h"
#include "grader/virtual_gpu/decode/decoder.h"
#include "grader/virtual_gpu/machine/layout.h"

namespace warplings::vgpu {

/// Bytes per lane of a register of this type in the register file; a predicate is one mask for all lanes.
std::uint32_t LaneBytes(ptx::Type type);

/// Why an operand or instruction was refused. Decode adds the place to the message.
struct Refusal {
  Message message;
  bool is_of_program = false;  ///< The instruction is right, but the program lacks what it names.
};
using MaybeRefusal = std::optional<Refusal>;

/// State shared by the functions of one program while it is decoded.
class ProgramBuilder {
 public:
  ProgramBuilder(const Engine& the_engine, const ptx::Module& the_module, const SymbolTable& the_symbols,
                 bool kernels_may_launch)
      : engine(the_engine), module(the_module), symbols(the_symbols), may_launch(kernels_may_launch) {}

  const Engine& engine;
  const ptx::Module& module;
  const SymbolTable& symbols;
  const bool may_launch;  ///< Kernels may launch kernels.
  std::unique_ptr<Program> program = std::make_unique<Program>();
  Offsets shared, parameters;
  bool calls_indirectly = false;
  SourceLine refused_at;            ///< Source line of the instruction that was refused.
  std::vector<std::size_t> wanted;  ///< Indices, in the module, of functions that are called.

  /// A constant, broadcast to all 32 lanes; a 4-byte predicate is one mask.
  OperandRef Constant(std::uint64_t bits, std::uint32_t bytes);

  /// An operand with the address of each lane's copy of a frame slot.
  OperandRef SlotAddresses(const FrameSlot& slot);

  /// The builtin that implements a function that the program only declares.
  Builtin BuiltinOf(const ptx::Function& function) const;

  /// Why a name of the module has no address.
  Refusal NoAddress(const std::string& name);

  /// The operand for a special register, which is added to those that the program reads.
  OperandRef SpecialLanes(Special special);

 private:
  OperandRef AddLanes(std::uint32_t bytes);
  void SetLane(OperandRef ref, int lane, std::uint32_t bytes, std::uint64_t bits);

  std::map<std::pair<std::uint64_t, std::uint32_t>, OperandRef> constants_;
  /// Once asked for: kernels, and variables that no file of the program defines.
  std::optional<std::set<std::string_view>> kernels_, undefined_;
};

}  // namespace warplings::vgpu

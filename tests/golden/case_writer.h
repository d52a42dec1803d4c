// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/virtual_gpu/isa/form.h"

namespace warplings::vgpu {

/// For tests: writes the PTX module of one instruction case (instruction_cases.h). Returns nothing if an
/// operand's role is not possible in such a kernel.
class CaseWriter {
 public:
  CaseWriter(std::string_view opcode, const InstructionRow& row) : opcode_(opcode), row_(row) {}

  std::optional<std::string> Write();

 private:
  // Memory: each thread has a slot of 32 bytes in the tested state space.
  std::string SpaceWord() const;
  /// Declares the slots and gives the operand that addresses this thread's.
  std::string Slot(const std::string& space);
  void FillSlot(const std::string& space, const std::string& at);
  std::optional<std::string> WriteCopy();
  /// Combines up to four values into two results.
  void KeepAll(const std::vector<std::string>& values, int width);
  void KeepLoaded(const std::string& space, const std::string& at, int index);
  std::optional<std::string> WriteAtomic();

  // Barriers and copies.
  /// All threads meet at the barrier; if some only arrive, the others wait for them.
  std::optional<std::string> WriteBarrier();
  /// Copies the thread's operands into its slot, some of their bytes where that can be said.
  std::optional<std::string> WriteAsyncCopy();
  /// Tokens are opaque: tested are the pending count in them and when their phase is complete.
  std::optional<std::string> WriteMemoryBarrier();

  // Matrices: the operands of a warp, 1 KiB, are one.
  /// Registers of a list, and the list as an operand.
  struct RegisterList {
    std::vector<std::string> registers;
    int width = 32;
    std::string text;
  };
  RegisterList MakeList(const OperandRole& role, bool source);
  /// A number that depends on every register and its position.
  void KeepFolded(const std::vector<std::string>& registers, int width);
  /// The address of this warp's kibibyte in the state space that the opcode names.
  std::string MatrixAddress();
  std::optional<std::string> WriteMatrixLoad();
  std::optional<std::string> WriteMatrixStore();
  /// The first result is the first two registers; the second one depends on all of them.
  std::optional<std::string> WriteMatrixProduct();

  // Carry: set before, and read back afterwards.
  static bool ReadsOrLeavesCarry(const InstructionRow& row);
  std::optional<std::string> WriteWithCarry();

  // Everything else: operands by their roles.
  bool WantsOptional() const;
  /// Conversions between bytes and bf16 accept only 8-bit registers.
  bool WantsByteRegister(const OperandRole& role) const;
  static int Width(ptx::Type type);
  std::string Fresh(int width);
  /// The next 64-bit operand, cut to the width.
  std::string Source(int width);
  /// A 32-bit operand that is loaded and not truncated from 64 bits: for an atomic of a pair in shared
  /// memory, CUDA 13.0's driver uses the wrong half of a truncated register.
  std::string LoadedSource();
  std::string SourcePredicate();
  void Keep(const std::string& reg, int width);
  std::string Destination(int width);
  std::string DestinationPredicate();
  bool AddPack(const OperandRole& role);
  bool AddDestinationParts(const OperandRole& role);
  bool AddRole(const OperandRole& role);
  std::string Module() const;

  std::string_view opcode_;
  const InstructionRow& row_;
  std::string declarations_, locals_, body_, after_;
  std::vector<std::string> operands_;
  int next_ = 2, used_ = 0, kept_ = 0;
};

}  // namespace warplings::vgpu

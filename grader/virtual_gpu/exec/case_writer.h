// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/virtual_gpu/exec/form.h"

namespace warplings::vgpu {

/// For tests: writes the PTX module of one instruction case (instruction_cases.h); gives up where a role has
/// no place in such a kernel.
class CaseWriter {
 public:
  CaseWriter(std::string_view opcode, const InstructionRow& row) : opcode_(opcode), row_(row) {}

  std::optional<std::string> Write();

 private:
  // Memory: each thread has a slot of 32 bytes of its own in the space at hand.
  std::string SpaceWord() const;
  /// Declares the slots and gives the operand that addresses this thread's.
  std::string Slot(const std::string& space);
  void FillSlot(const std::string& space, const std::string& at);
  std::optional<std::string> WriteCopy();
  /// Up to four values as two results.
  void KeepAll(const std::vector<std::string>& values, int width);
  void KeepLoaded(const std::string& space, const std::string& at, int index);
  std::optional<std::string> WriteAtomic();

  // Barriers and copies.
  /// All threads meet; where some only arrive, the others wait for them.
  std::optional<std::string> WriteBarrier();
  /// Copies the thread's operands into its slot, some of their bytes where that can be said.
  std::optional<std::string> WriteAsyncCopy();
  /// Tokens are opaque: what counts is the pending count in them and when their phase is complete.
  std::optional<std::string> WriteMemoryBarrier();

  // Matrices: the operands of a warp, 1 KiB, are one.
  /// Registers of a list, and the list as an operand.
  struct RegisterList {
    std::vector<std::string> registers;
    int width = 32;
    std::string text;
  };
  RegisterList MakeList(const OperandRole& role, bool source);
  /// One number that depends on every register and its place.
  void KeepFolded(const std::vector<std::string>& registers, int width);
  /// Where this thread's warp has its kibibyte, in the space that the opcode names.
  std::string MatrixAddress();
  std::optional<std::string> WriteMatrixLoad();
  std::optional<std::string> WriteMatrixStore();
  /// The first two registers of the result stand for themselves, all of them for the second number.
  std::optional<std::string> WriteMatrixProduct();

  // Carry: set before, and read back afterwards.
  static bool ReadsOrLeavesCarry(const InstructionRow& row);
  std::optional<std::string> WriteWithCarry();

  // Everything else: operands by their roles.
  bool WantsOptional() const;
  /// Between bytes and bf16 only registers of eight bits are taken.
  bool WantsByteRegister(const OperandRole& role) const;
  static int Width(ptx::Type type);
  std::string Fresh(int width);
  /// The next 64-bit operand, cut to the width.
  std::string Source(int width);
  /// Of 32 bits, and not cut from more: the driver of CUDA 13.0 gives a pair's atomic in shared memory the
  /// wrong half of such a register.
  std::string LoadedSource();
  std::string SourcePredicate();
  void Keep(const std::string& reg, int width);
  std::string Destination(int width);
  std::string DestinationPredicate();
  bool AddPack(const OperandRole& role);
  bool AddRole(const OperandRole& role);
  std::string Module() const;

  std::string_view opcode_;
  const InstructionRow& row_;
  std::string declarations_, locals_, body_, after_;
  std::vector<std::string> operands_;
  int next_ = 2, used_ = 0, kept_ = 0;
};

}  // namespace warplings::vgpu

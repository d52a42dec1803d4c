// SPDX-License-Identifier: Apache-2.0
#include "grader/worker/describe_fault.h"

#include <signal.h>

#include <cstdio>

#include "grader/device/device.h"

namespace warplings {

namespace {

/// Where the system maps nothing (vm.mmap_min_addr is 64 KiB): an access here went through a null pointer.
constexpr std::uint64_t kEndOfNull = 64u << 10;
/// How far below the stack pointer an instruction may push: a call, a red zone of 128 bytes, a page that
/// -fstack-clash-protection probes.
constexpr std::uint64_t kBelowStackPointer = 64u << 10;

std::string InHexadecimal(std::uint64_t address) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

/// A part of the stack that is in use faults only if the stack may not grow down to there.
bool IsOnStack(const worker::Fault& fault) {
  const bool reaches =
      fault.stack_pointer < kBelowStackPointer || fault.address >= fault.stack_pointer - kBelowStackPointer;
  return fault.stack_pointer != 0 && reaches && fault.address < fault.stack_top;
}

bool IsOnDevice(std::uint64_t address) {
  return address >= kFirstDeviceAddress && address < kEndOfDeviceAddresses;
}

}  // namespace

FaultWords DescribeFault(const std::optional<worker::Fault>& fault) {
  // Raised, not met: there is no address.
  if (!fault || fault->code <= 0) {
    return {"",
            "Look for a pointer that is null or was never set, and for an index past the end of an array."};
  }
  // An address that no memory can have (not canonical); the processor does not name it.
  if (fault->code == SI_KERNEL) {
    return {": it uses a pointer that holds no address at all",
            "Find a pointer that was never set, was overwritten, or belongs to memory that was freed."};
  }
  if (fault->address == 0)
    return {": it uses a null pointer", "Find the pointer that is null: which line should have set it?"};
  if (fault->address < kEndOfNull) {
    return {": it uses address " + InHexadecimal(fault->address) +
                ", which a null pointer with an index or a member leads to",
            "Find the pointer that is null: which line should have set it?"};
  }
  if (IsOnDevice(fault->address)) {
    return {": it uses an address of device memory",
            "Device memory cannot be read or written on the host: only by kernels and cudaMemcpy."};
  }
  if (IsOnStack(*fault)) {
    return {": its stack is full",
            "Look for a recursion that never ends, and for large local arrays: use std::vector for those."};
  }
  if (fault->code == SEGV_ACCERR) {
    return {": it writes to memory that is read-only, or calls what is no function",
            "String literals and constants cannot be written, and a function pointer must be set before its "
            "call."};
  }
  return {": it uses address " + InHexadecimal(fault->address) + ", where it has no memory",
          "Look for an index past the end of an array, and for a pointer that was never set."};
}

}  // namespace warplings

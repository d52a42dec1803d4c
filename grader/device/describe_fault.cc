// SPDX-License-Identifier: Apache-2.0
#include "grader/device/describe_fault.h"

#include <signal.h>

#include <cstdio>

#include "grader/device/device.h"
#include "grader/messages/host_code.h"

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
bool IsOnStack(const HostFault& fault) {
  const bool reaches =
      fault.stack_pointer < kBelowStackPointer || fault.address >= fault.stack_pointer - kBelowStackPointer;
  return fault.stack_pointer != 0 && reaches && fault.address < fault.stack_top;
}

bool IsOnDevice(std::uint64_t address) {
  return address >= kFirstDeviceAddress && address < kEndOfDeviceAddresses;
}

}  // namespace

FaultWords DescribeFault(const Message& signal, const std::optional<HostFault>& fault) {
  // Raised, not met: there is no address.
  if (!fault || fault->code <= 0) return {say::ended_by_signal(signal), say::look_for_null_or_index()};
  // An address that no memory can have (not canonical); the processor does not name it.
  if (fault->code == SI_KERNEL)
    return {say::ended_by_pointer_without_address(signal), say::find_pointer_never_set()};
  const std::string address = InHexadecimal(fault->address);
  if (fault->address == 0) return {say::ended_by_null_pointer(signal), say::find_null_pointer()};
  if (fault->address < kEndOfNull) return {say::ended_near_null(signal, address), say::find_null_pointer()};
  if (IsOnDevice(fault->address)) return {say::ended_by_device_pointer(signal), say::device_memory_on_host()};
  if (IsOnStack(*fault)) return {say::ended_by_full_stack(signal), say::look_for_recursion()};
  if (fault->code == SEGV_ACCERR)
    return {say::ended_by_read_only_memory(signal), say::constants_cannot_be_written()};
  return {say::ended_outside_memory(signal, address), say::look_for_index_past_end()};
}

Message AdviceOnSignal(int signal) {
  if (signal == SIGABRT) return say::read_why_it_aborts();
  if (signal == SIGFPE) return say::look_for_division_by_zero();
  return {};
}

}  // namespace warplings

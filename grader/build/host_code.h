// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/core/finding.h"

namespace warplings {

// Lines of host code, whose machine code has no line numbers, from the text alone. Each function says nothing
// in doubt.

/// Of a call or a launch that was refused, or that nothing waited for, or of a copy that races: the line of
/// the only one in the source that it can be. A finding may call cudaMemcpyAsync cudaMemcpy, so that calls
/// whose names begin alike are not told apart. Of copies in the wrong direction, the one whose direction
/// needs device memory where it has none: that is what was given to cudaMalloc, and the pointers that the
/// function `entry` gets.
std::optional<int> LineOfRefused(std::string_view source, const Finding& finding,
                                 std::string_view entry = {});

/// What the source gives to cudaMalloc or cudaMallocManaged, and never to cudaFree.
struct UnfreedPointer {
  std::string pointer;
  int line = 0;  ///< Of the allocation.
};
std::vector<UnfreedPointer> FindUnfreed(std::string_view source);

/// The lines that call the function.
std::vector<int> LinesOfCalls(std::string_view source, std::string_view function);

/// A call of an algorithm of Thrust or CUB, as it is written: "thrust::transform", "cub::DeviceReduce::Sum".
struct LibraryCall {
  std::string name;
  int line = 0;
};
std::vector<LibraryCall> CallsOfAlgorithms(std::string_view source);

/// A pointer that its function declares without a value, and passes to a kernel or to a call that uses device
/// memory, although no line sets it.
struct UnsetPointer {
  std::string name;
  int line = 0;      ///< That declares it.
  int use_line = 0;  ///< The first that passes it.
};
std::optional<UnsetPointer> FindUnsetPointer(std::string_view source);

/// The argument of the refused call that has no value there, although it may hold an address of any memory.
/// Empty: there is none.
std::string PointerWithoutValue(std::string_view source, const Finding& refused);

/// What makes the refused call impossible, where the source shows it: the direction of a copy, memory that is
/// freed before the call or twice, or that cudaMalloc did not return, a pointer that nothing sets, a
/// variable's name in quotes or used as a pointer. Empty: it does not. The pointers that the function `entry`
/// gets point to device memory.
Message WhyRefused(std::string_view source, const Finding& finding, std::string_view entry = {});

/// Of a copy or a memset that was refused because it takes more bytes than the memory has: how many, and of
/// which pointer, if the source shows that it is a plain name. Empty: it does not.
Message WhyTooLarge(std::string_view source, const Finding& finding);

/// A call in the function `entry` that comes after the last launch there, and should come before it.
struct LateCall {
  int line = 0, launch_line = 0;
  std::string call, target;
};
/// cudaMemset or cudaMemcpy to a pointer that the function gets and passes to a kernel.
std::optional<LateCall> FindOverwrittenResults(std::string_view source, std::string_view entry);
/// cudaMemcpyToSymbol of a variable that a kernel reads, and that nothing fills before.
std::optional<LateCall> FindLateSymbol(std::string_view source, std::string_view entry);

/// The only copy to the array that the function `entry` gets as `output`, after its last launch.
struct OutputCopy {
  int line = 0;
  std::string call;      ///< "cudaMemcpy"
  std::string from{};    ///< Memory of its own from which it copies, and that a launch gets in its place.
  bool is_used = false;  ///< A launch gets the array itself.
};
/// Nothing if a launch gets neither that array nor memory of its own that is copied there.
std::optional<OutputCopy> FindOutputCopy(std::string_view source, std::string_view entry,
                                         const std::string& output);

/// The line of the only launch of the kernel.
std::optional<int> OnlyLaunchOf(std::string_view source, std::string_view kernel);

/// A copy between host and device in the source.
struct HostCopy {
  int line = 0;
  std::string pointer{};  ///< To device memory; empty if it is no plain name.
  int element_bytes = 0;  ///< Of what it is declared to point to; 0: not known.
  int launch = 0;         ///< The line of the launch before or after it, if one is asked for.
};
/// The only copy to the host in the source.
std::optional<HostCopy> OnlyCopyToHost(std::string_view source);
/// The only one whose size is written without sizeof, as a number of elements is.
std::optional<HostCopy> OnlyCopyOfElements(std::string_view source);
/// The only copy from the host that stands after the only launch of the kernel, in the same function.
std::optional<HostCopy> OnlyCopyAfterLaunch(std::string_view source, std::string_view kernel);
/// The only copy to the host that stands before the only launch of the kernel, in the same function.
std::optional<HostCopy> OnlyCopyBeforeLaunch(std::string_view source, std::string_view kernel);

/// Host code that reads, writes or frees what a pointer to device memory points to.
struct HostUse {
  int line = 0;
  std::string pointer;
  std::string function{};  ///< "free()": it gets the pointer. Empty: the pointer is followed.
  std::string fitting{};   ///< "cudaFree": the function for device memory.
};

/// The first `P[i]`, `*P = ...` or `f(*P)` in host code, or a call of free, memset or memcpy with P. P: a
/// parameter of the function `entry`, or in any function of the host what it gave to cudaMalloc; only that is
/// freed.
std::optional<HostUse> FindHostUse(std::string_view source, std::string_view entry);

/// The free() or delete of the host that gets a pointer to device memory, where one of them does: the only
/// call whose pointer the source sets by nothing that allocates host memory. `b.d` and the parameter of a
/// helper may be such a pointer.
std::optional<HostUse> FindFreeOfDeviceMemory(std::string_view source);

/// "Host code uses `p` in line 9, ...".
Message DescribeHostUse(const HostUse& use);

}  // namespace warplings

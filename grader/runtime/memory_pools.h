// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/runtime/runtime.h"

/// Memory pools, as far as a program can see them: what a pool has in use and in reserve, and its attributes.
/// The device allocates and frees in the order of a stream; it knows no pools.
namespace warplings::runtime {

/// This memory has been freed, by whatever call: its pool has that much less in use.
void NoteFreed(DevicePointer address);
/// The host has waited: each pool gives back what it has beyond its release threshold.
void ReleaseUnusedMemory();

}  // namespace warplings::runtime

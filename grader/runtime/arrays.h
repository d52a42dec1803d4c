// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>

#include "grader/runtime/cuda_abi.h"
#include "grader/runtime/runtime.h"
#include "grader/runtime/work.h"

/// CUDA arrays: device memory whose rows lie one behind the other, with a handle that hides where. A card
/// tiles its arrays; programs can see that only in the time that accesses take.
namespace warplings::runtime {

inline constexpr CudaError kInvalidChannelDescriptor{20};

inline const Refused kNoPointer{CudaError::kInvalidValue, protocol::Refusal::kNullPointer},
    kDoesNotFit{CudaError::kInvalidValue, protocol::Refusal::kRange},
    kNotHere{CudaError::kNotSupported, protocol::Refusal::kUnsupportedCall},
    kWrongArgument{CudaError::kInvalidValue, protocol::Refusal::kRange},
    kNoArray{CudaError::kInvalidResourceHandle, protocol::Refusal::kRange};

struct Array {
  DevicePointer base = 0;
  ChannelDescription channels{};
  Extent extent{};  ///< As the program gave it, the width in elements: 0 where there is no such axis.
  unsigned flags = 0;
  std::size_t element_bytes = 0, row_bytes = 0;
  std::size_t device = 0;

  std::size_t rows() const { return std::max<std::size_t>(extent.height, 1); }
  std::size_t slices() const { return std::max<std::size_t>(extent.depth, 1); }
  std::size_t slice_bytes() const { return rows() * row_bytes; }
};
/// The flags of cudaMalloc3DArray that are supported.
enum ArrayFlags : unsigned { kLayered = 1, kSurfaceLoadStore = 2, kCubemap = 4, kTextureGather = 8 };

/// Bytes of an element with these channels; 0 if no array or texture here can have them.
std::size_t ElementBytes(const ChannelDescription& channels);
/// The array of a handle, if there is one. Needs no lock.
std::optional<Array> FindArray(const void* handle);
/// The memory of an array that a box of `extent` at `position` takes, all in bytes, rows and slices; an error
/// where it leaves the array.
Outcome PlaceInArray(const Array& array, const Extent& position, const Extent& extent, PitchedPointer& place);
/// The device was reset.
void ForgetArrays(std::size_t device);
void ForgetTextures(std::size_t device);

}  // namespace warplings::runtime

// SPDX-License-Identifier: Apache-2.0
// Texture and surface objects. A kernel reads an object's descriptor, whose address is the object's handle
// (texture_descriptor.h).
#include <cmath>
#include <cstring>
#include <map>

#include "grader/device/texture_descriptor.h"
#include "grader/runtime/arrays.h"

namespace warplings::runtime {
namespace {

constexpr CudaError kInvalidFilterSetting{26}, kInvalidNormSetting{27};

/// cudaDeviceProp::textureAlignment and texturePitchAlignment.
constexpr std::uint64_t kAlignment = 512, kPitchAlignment = 32;
/// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability", 7.0 and later.
constexpr std::size_t kMostLinearTexels = std::size_t{1} << 28, kMostPitchedWidth = 131072,
                      kMostPitchedHeight = 65000, kMostPitch = 2097120;

struct Object {
  ResourceDescription resource{};
  TextureDescription texture{};
  ResourceView view{};
  bool is_surface = false;
  std::size_t device = 0;
};
/// By handle. The mutex of the Runtime guards it.
std::map<unsigned long long, Object>& Objects() {
  static auto* const objects = new std::map<unsigned long long, Object>;
  return *objects;
}

void SetFormat(const ChannelDescription& channels, TextureDescriptor& to) {
  using Format = TextureDescriptor::Format;
  const int bits[] = {channels.x, channels.y, channels.z, channels.w};
  to.channels = 0;
  for (int each : bits) to.channels = static_cast<std::uint8_t>(to.channels + (each != 0));
  to.channel_bytes = static_cast<std::uint8_t>(channels.x / 8);
  to.format = channels.kind == kFloatChannels    ? Format::kFloat
              : channels.kind == kSignedChannels ? Format::kSigned
                                                 : Format::kUnsigned;
}

Outcome DescribeArray(const void* handle, TextureDescriptor& to, unsigned& flags) {
  using Shape = TextureDescriptor::Shape;
  const std::optional<Array> array = FindArray(handle);
  if (!array) return kWrongArgument;
  flags = array->flags;
  SetFormat(array->channels, to);
  to.base = array->base;
  to.row_bytes = array->row_bytes;
  to.slice_bytes = array->slice_bytes();
  to.width = static_cast<std::uint32_t>(array->extent.width_bytes);
  to.height = static_cast<std::uint32_t>(array->rows());
  const auto slices = static_cast<std::uint32_t>(array->slices());
  const bool is_cube = array->flags & kCubemap, is_layered = array->flags & kLayered;
  to.layers = is_cube ? slices / 6 : is_layered ? slices : 1;
  to.depth = is_cube || is_layered ? 1 : slices;
  to.shape = is_cube                     ? Shape::kCube
             : to.depth > 1              ? Shape::k3D
             : array->extent.height != 0 ? Shape::k2D
                                         : Shape::k1D;
  return {};
}

Outcome DescribeLinear(const LinearResource& memory, TextureDescriptor& to) {
  const std::size_t element = ElementBytes(memory.channels);
  if (element == 0) return kInvalidChannelDescriptor;
  if (memory.pointer == nullptr) return kNoPointer;
  const std::size_t texels = memory.bytes / element;
  if (ToDevice(memory.pointer) % kAlignment != 0 || texels == 0 || texels > kMostLinearTexels)
    return kDoesNotFit;
  SetFormat(memory.channels, to);
  to.base = ToDevice(memory.pointer);
  to.width = static_cast<std::uint32_t>(texels);
  to.row_bytes = to.slice_bytes = memory.bytes;
  to.is_linear = true;
  return {};
}

Outcome DescribePitched(const PitchedResource& memory, TextureDescriptor& to) {
  const std::size_t element = ElementBytes(memory.channels);
  if (element == 0) return kInvalidChannelDescriptor;
  if (memory.pointer == nullptr) return kNoPointer;
  if (ToDevice(memory.pointer) % kAlignment != 0 || memory.pitch % kPitchAlignment != 0 ||
      memory.width == 0 || memory.width > kMostPitchedWidth || memory.height == 0 ||
      memory.height > kMostPitchedHeight || memory.pitch > kMostPitch ||
      memory.width * element > memory.pitch)
    return kDoesNotFit;
  SetFormat(memory.channels, to);
  to.base = ToDevice(memory.pointer);
  to.width = static_cast<std::uint32_t>(memory.width);
  to.height = static_cast<std::uint32_t>(memory.height);
  to.row_bytes = memory.pitch;
  to.slice_bytes = memory.pitch * memory.height;
  to.shape = TextureDescriptor::Shape::k2D;
  return {};
}

Outcome DescribeResource(const ResourceDescription& resource, TextureDescriptor& to, unsigned& array_flags) {
  if (resource.flags != 0) return kNotHere;
  switch (resource.type) {
    case kArrayResource: return DescribeArray(resource.array, to, array_flags);
    case kMipmappedResource: return kNotHere;
    case kLinearResource: return DescribeLinear(resource.linear, to);
    case kPitchedResource: return DescribePitched(resource.pitched, to);
    default: return kWrongArgument;
  }
}

/// Address modes, filter and the like.
Outcome DescribeReading(const TextureDescription& how, TextureDescriptor& to) {
  using Mode = TextureDescriptor::AddressMode;
  const bool is_integer = to.format != TextureDescriptor::Format::kFloat;
  const auto is_choice = [](int value, int most) { return value >= 0 && value <= most; };
  if (!is_choice(how.filter, 1) || !is_choice(how.read_mode, 1)) return kWrongArgument;
  for (int axis = 0; axis < 3; ++axis) {
    if (!is_choice(how.address_modes[axis], static_cast<int>(Mode::kBorder))) return kWrongArgument;
    to.address_modes[axis] = static_cast<Mode>(how.address_modes[axis]);
  }
  to.reads_normalised = how.read_mode == 1 && is_integer;
  if (to.reads_normalised && to.channel_bytes == 4) return kInvalidNormSetting;
  if (how.filter == 1 && is_integer && !to.reads_normalised && !to.is_linear) return kInvalidFilterSetting;
  if (how.srgb != 0) return kNotHere;
  const bool is_cube = to.shape == TextureDescriptor::Shape::kCube;
  if (is_cube && how.filter == 1 && how.seamless_cube != 0) return kNotHere;
  to.is_filtered = how.filter == 1;
  to.has_normalised_axes = how.normalised != 0 || is_cube;
  if (is_cube) std::ranges::fill(to.address_modes, Mode::kClamp);
  if (!to.is_linear) std::memcpy(to.border, how.border, sizeof to.border);
  const bool is_black = std::ranges::all_of(to.border, [](float each) { return each == 0; });
  // What an integer's border is, the documentation leaves open.
  const bool has_border = std::ranges::find(to.address_modes, Mode::kBorder) != std::end(to.address_modes);
  if (is_integer && !to.reads_normalised && has_border && !is_black) return kNotHere;
  return {};
}

Outcome MakeObject(Runtime& runtime, unsigned long long* handle, const Object& object,
                   const TextureDescriptor& descriptor) {
  auto allocation = runtime.device().Allocate(sizeof descriptor, AllocationKind::kDescriptor);
  if (!allocation) {
    if (allocation.error().code == CudaError::kNotSupported) return kNotHere;
    return allocation.error();
  }
  const auto bytes = std::as_bytes(std::span(&descriptor, 1));
  if (CudaStatus copied = runtime.device().CopyIn(allocation->address, bytes, kDefaultStream); !copied) {
    (void)runtime.device().Free(allocation->address);
    return copied;
  }
  *handle = allocation->address;
  Objects().emplace(*handle, object).first->second.device = runtime.device().device_in_use();
  return {};
}

Outcome MakeTexture(Runtime& runtime, unsigned long long* handle, const ResourceDescription* resource,
                    const TextureDescription* how, const ResourceView* view) {
  if (handle == nullptr || resource == nullptr || how == nullptr) return kNoPointer;
  TextureDescriptor descriptor{.magic = TextureDescriptor::kTexture};
  unsigned flags = 0;
  Outcome described = DescribeResource(*resource, descriptor, flags);
  if (described.ok()) described = DescribeReading(*how, descriptor);
  if (!described.ok()) return described;
  // A view that changes nothing says so: cudaResViewFormatNone.
  if (view != nullptr && view->format != 0) return kNotHere;
  return MakeObject(runtime, handle, {*resource, *how, view != nullptr ? *view : ResourceView{}}, descriptor);
}

Outcome MakeSurface(Runtime& runtime, unsigned long long* handle, const ResourceDescription* resource) {
  if (handle == nullptr || resource == nullptr) return kNoPointer;
  const bool is_array = resource->type == kArrayResource;
  TextureDescriptor descriptor{.magic = TextureDescriptor::kSurface};
  unsigned flags = 0;
  const Outcome described =
      is_array ? DescribeResource(*resource, descriptor, flags) : Outcome(kWrongArgument);
  if (!described.ok()) return described;
  if (!(flags & kSurfaceLoadStore)) return kWrongArgument;
  return MakeObject(runtime, handle, {.resource = *resource, .is_surface = true}, descriptor);
}

Object* FindObject(unsigned long long handle, bool is_surface) {
  const auto found = Objects().find(handle);
  return found == Objects().end() || found->second.is_surface != is_surface ? nullptr : &found->second;
}

Outcome Destroy(Runtime& runtime, unsigned long long handle, bool is_surface) {
  // Programs destroy what they may not have made.
  if (handle == 0) return {};
  if (FindObject(handle, is_surface) == nullptr) return kWrongArgument;
  Objects().erase(handle);
  return runtime.device().Free(handle);
}

/// cudaGet…ObjectDesc: copies one of an object's descriptions.
template <class T>
int Describe(const char* call, T* to, unsigned long long handle, bool is_surface, T Object::*member) {
  return Forward<AfterFault::kWorks>(call, [&](Runtime&) -> Outcome {
    if (to == nullptr) return kNoPointer;
    const Object* object = FindObject(handle, is_surface);
    if (object == nullptr) return kWrongArgument;
    *to = object->*member;
    return {};
  });
}

}  // namespace

void ForgetTextures(std::size_t device) {
  std::erase_if(Objects(), [&](const auto& entry) { return entry.second.device == device; });
}

}  // namespace warplings::runtime

using namespace warplings;
using namespace warplings::runtime;

WARPLINGS_API int cudaCreateTextureObject(unsigned long long* texture, const ResourceDescription* resource,
                                          const TextureDescription* how, const ResourceView* view) {
  return Forward("cudaCreateTextureObject",
                 [&](Runtime& runtime) { return MakeTexture(runtime, texture, resource, how, view); });
}

WARPLINGS_API int cudaDestroyTextureObject(unsigned long long texture) {
  return Forward(
      "cudaDestroyTextureObject", [&](Runtime& runtime) { return Destroy(runtime, texture, false); },
      Waits{});
}

WARPLINGS_API int cudaGetTextureObjectResourceDesc(ResourceDescription* resource,
                                                   unsigned long long texture) {
  return Describe("cudaGetTextureObjectResourceDesc", resource, texture, false, &Object::resource);
}

WARPLINGS_API int cudaGetTextureObjectTextureDesc(TextureDescription* how, unsigned long long texture) {
  return Describe("cudaGetTextureObjectTextureDesc", how, texture, false, &Object::texture);
}

WARPLINGS_API int cudaGetTextureObjectResourceViewDesc(ResourceView* view, unsigned long long texture) {
  return Describe("cudaGetTextureObjectResourceViewDesc", view, texture, false, &Object::view);
}

WARPLINGS_API int cudaCreateSurfaceObject(unsigned long long* surface, const ResourceDescription* resource) {
  return Forward("cudaCreateSurfaceObject",
                 [&](Runtime& runtime) { return MakeSurface(runtime, surface, resource); });
}

WARPLINGS_API int cudaDestroySurfaceObject(unsigned long long surface) {
  return Forward(
      "cudaDestroySurfaceObject", [&](Runtime& runtime) { return Destroy(runtime, surface, true); }, Waits{});
}

WARPLINGS_API int cudaGetSurfaceObjectResourceDesc(ResourceDescription* resource,
                                                   unsigned long long surface) {
  return Describe("cudaGetSurfaceObjectResourceDesc", resource, surface, true, &Object::resource);
}

WARPLINGS_API int cudaDeviceGetTexture1DLinearMaxWidth(std::size_t* width, const ChannelDescription* channels,
                                                       int device) {
  return Forward<AfterFault::kWorks>("cudaDeviceGetTexture1DLinearMaxWidth",
                                     [&](Runtime& runtime) -> Outcome {
                                       if (width == nullptr || channels == nullptr) return kNoPointer;
                                       if (!runtime.HasDevice(device)) return CudaError::kInvalidDevice;
                                       if (ElementBytes(*channels) == 0) return kInvalidChannelDescriptor;
                                       *width = kMostLinearTexels;
                                       return {};
                                     });
}

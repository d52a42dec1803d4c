// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "grader/device/call_batch.h"
#include "grader/device/client.h"
#include "grader/suite/comparison.h"
#include "grader/suite/input_rule.h"

namespace warplings {

/// What else an input might hold by the contract. The judge makes calls with other elements, and keeps to
/// what the suite says here: a right kernel may go wrong with anything else.
struct OtherElements {
  enum class Rule {
    kNone,       ///< Nothing else that is known.
    kAnyValue,   ///< Any value: elements that are only copied, floats that are added up. Integers become very
                 ///< large, so that sums of them overflow.
    kEachAlone,  ///< Each element may be any of those that are there, as often as one likes: a range, indices
                 ///< below n, integers to be added up.
    kAnyOrder,   ///< The same elements in another order: a permutation.
    kThese,      ///< `bytes`, as many: keys in order, a graph, the rows of a sparse matrix.
  };
  Rule rule = Rule::kNone;
  std::vector<std::byte> bytes{};

  static OtherElements None() { return {}; }
  static OtherElements AnyValue() { return {Rule::kAnyValue}; }
  static OtherElements EachAlone() { return {Rule::kEachAlone}; }
  static OtherElements AnyOrder() { return {Rule::kAnyOrder}; }
  template <class T>
  static OtherElements These(const std::vector<T>& values) {
    const auto bytes = std::as_bytes(std::span(values));
    return {Rule::kThese, {bytes.begin(), bytes.end()}};
  }
};

/// One array that is passed to a call, as the judge prepares it.
struct CallArray {
  enum class Role {
    kInput,   ///< Filled with `bytes`, which the call must not change.
    kOutput,  ///< Filled with Poison() and marked as uninitialised.
    kInOut,   ///< Filled with `bytes`, which the call may change.
  };
  std::string label;  ///< The parameter's name in the contract: "M".
  Role role = Role::kInput;
  std::vector<std::byte> bytes;  ///< For an output, only the size is used.
  std::size_t element_bytes = 4;
  OtherElements other{};  ///< Of an input.
  bool is_of_integers = false;
  bool may_have_padding = false;  ///< Bytes of a struct that no member has: they may be anything.
  /// What is wrong with the suite's declaration of an input; empty if nothing is. Such a call is not made.
  Message fault{};
};

/// Other elements for this input, by its rule; the same ones where it has none.
std::vector<std::byte> OtherElementsOf(const CallArray& array);

/// Of `These`: whether there are as many as the input has. Empty if all is well.
Message FaultOfLength(const CallArray& array);
/// That element `i`, which holds `value`, breaks a rule of this input: in the suite's own elements, or in the
/// others.
Message BrokenRule(const std::string& label, const std::string& words, std::size_t i,
                   const std::string& value, bool is_other);

template <class T>
std::vector<T> ValuesOf(std::span<const std::byte> bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

/// "17", "0.1"; of a struct its bytes, as they lie in memory: "bytes 11 00 ff".
std::string ShownBytes(std::span<const std::byte> bytes);
template <class T>
std::string ShownElement(const T& element) {
  if constexpr (std::is_arithmetic_v<T>) {
    return ShownNumber(element);
  } else {
    return ShownBytes(std::as_bytes(std::span(&element, 1)));
  }
}

/// The first breach of the rules; empty if there is none.
template <class T>
Message FaultOfElements(const std::string& label, const std::vector<T>& elements,
                        const std::vector<Must<T>>& must, bool is_other) {
  for (const Must<T>& rule : must) {
    const std::optional<std::size_t> i = rule.first_breach(elements);
    if (!i) continue;
    const std::string value = *i < elements.size() ? ShownElement(elements[*i]) : "";
    return BrokenRule(label, rule.words, *i, value, is_other);
  }
  return {};
}

/// What elements of inputs and outputs may be: the judge copies them as bytes.
template <class T>
constexpr bool IsElement() {
  static_assert(
      std::is_trivially_copyable_v<T>,
      "Elements of inputs and outputs are numbers, or structs that are trivially copyable: without a "
      "copy constructor of their own, virtual functions, strings or vectors.");
  return true;
}

/// `must`: what the contract says of the elements. It has to hold of `values`, and of the other elements.
template <class T>
CallArray InputArray(std::string label, const std::vector<T>& values, OtherElements other,
                     const std::type_identity_t<std::vector<Must<T>>>& must = {}) {
  static_assert(IsElement<T>());
  const auto bytes = std::as_bytes(std::span(values));
  CallArray array = {std::move(label), CallArray::Role::kInput, {bytes.begin(), bytes.end()},
                     sizeof(T),        std::move(other),        std::is_integral_v<T>};
  array.may_have_padding = !std::is_arithmetic_v<T> && !std::has_unique_object_representations_v<T>;
  array.fault = FaultOfLength(array);
  if (array.fault.empty()) array.fault = FaultOfElements(array.label, values, must, false);
  if (array.fault.empty() && !must.empty())
    array.fault = FaultOfElements(array.label, ValuesOf<T>(OtherElementsOf(array)), must, true);
  return array;
}

template <class T>
CallArray OutputArray(std::string label, std::size_t count) {
  static_assert(IsElement<T>());
  return {.label = std::move(label),
          .role = CallArray::Role::kOutput,
          .bytes = std::vector<std::byte>(count * sizeof(T)),
          .element_bytes = sizeof(T),
          .is_of_integers = std::is_integral_v<T>};
}

/// How accesses outside an array are detected.
enum class Fence {
  kDevice,      ///< The device checks each access; the allocation has exactly the array's size.
  kGuardBands,  ///< The device checks nothing. The allocation has guard bands of NaN before and after the
                ///< array, which are examined after the call: a write there is detected, a read spoils the
                ///< results.
};

/// A CallArray in device memory. The destructor frees it.
class DeviceArray {
 public:
  /// One for each of `arrays`, in their order; what they hold is undefined.
  static CudaResult<std::vector<DeviceArray>> AllocateAll(DeviceClient& device,
                                                          const std::vector<CallArray>& arrays, Fence fence);
  /// Whether they are allocations for `arrays`.
  static bool Fit(const std::vector<DeviceArray>& allocated, const std::vector<CallArray>& arrays);
  /// Frees them with one message, where destructors take one each.
  static void AddFrees(CallBatch& batch, std::vector<DeviceArray>& arrays);
  DeviceArray(DeviceArray&& other) noexcept;
  DeviceArray& operator=(DeviceArray&&) = delete;
  ~DeviceArray();

  /// Gives the array the content of `array`, which has its size. An output is marked as uninitialised.
  /// `refused` becomes the first fault, unless it is one already.
  void AddFill(CallBatch& batch, const CallArray& array, CudaStatus& refused) const;

  /// The pointer that the submission gets; null for an array of 0 bytes without guard bands.
  DevicePointer pointer() const { return allocation_ + band_bytes_; }

  /// All of the allocation, as it was read.
  struct Image {
    CudaStatus read = Unit{};
    std::vector<std::byte> bytes;
  };
  /// Reads it on the default stream; `image` has to stay in its place until the batch is through.
  void AddRead(CallBatch& batch, Image& image) const;

  struct Content {
    std::vector<std::byte> bytes;
    /// Offset from the array's start of the first byte written outside it; 0: none (0 is inside).
    std::int64_t first_outside = 0;
  };
  /// Of an image that was read without a fault.
  Content ContentOf(const Image& image) const;

  static constexpr std::size_t kBandBytes = 4096;

 private:
  explicit DeviceArray(DeviceClient& device) : device_(&device) {}

  std::size_t allocation_bytes() const { return array_bytes_ + 2 * band_bytes_; }

  DeviceClient* device_;
  DevicePointer allocation_ = 0;  ///< 0: nothing to free.
  std::size_t array_bytes_ = 0, band_bytes_ = 0;
};

/// `bytes` bytes filled with Poison().
std::vector<std::byte> PoisonBytes(std::size_t bytes);

/// Fills device memory with Poison(), on the default stream; sends it only a small part of that.
CudaStatus FillWithPoison(DeviceClient& device, DevicePointer target, std::size_t bytes);

/// Whether all of it is poison. `phase`: the bytes start at this offset of a poisoned range.
bool IsAllPoison(std::span<const std::byte> bytes, std::size_t phase);

}  // namespace warplings

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "grader/core/launch_record.h"
#include "grader/device/device.h"
#include "grader/device/launch_accesses.h"
#include "grader/virtual_gpu/machine/context.h"
#include "grader/virtual_gpu/memory/access_map.h"
#include "grader/virtual_gpu/memory/global_memory.h"

namespace warplings::vgpu {

/// Programs that measure launch a kernel a hundred times with the same arguments on the same data. What a
/// kernel does is decided by its arguments and by the memory that it accesses; so a launch that finds both as
/// an earlier one did need not run: memory is left as that one left it, and it counts, takes and finds the
/// same. All bytes of the arrays that the earlier launch accessed are compared, and which of them were ever
/// written.
///
/// The first launch shows which arrays those are, the second one leaves copies of them, the third is the
/// first that need not run.
class PastLaunches {
 public:
  /// `limit_bytes`: of the copies. Launches that would need more run every time.
  explicit PastLaunches(std::uint64_t limit_bytes) : limit_bytes_(limit_bytes) {}

  /// What a launch gets, except for memory.
  struct Key {
    KernelId kernel = 0;
    Dim3 grid, block;
    std::uint32_t dynamic_shared_bytes = 0;
    bool cooperative = false;
    std::vector<std::byte> arguments;

    bool operator==(const Key&) const = default;
  };
  /// As AccessMap::Touched gives them.
  using TouchedArrays = std::optional<std::vector<AccessMap::TouchedArray>>;
  struct Shown {
    GridOutcome outcome;
    LaunchRecord record;
    std::optional<LaunchAccesses> accesses;  ///< If they were recorded.
  };

  /// False for a kernel of which it is not known what decides what it does: it prints or allocates, or may
  /// wait for the host.
  static bool IsDecidedByMemory(const Program& program);

  /// What the launch shows if it need not run, after it has been done to memory. Null: it has to run.
  const Shown* Repeat(const Key& key, GlobalMemory& memory, bool with_accesses);
  /// Before a launch runs: copies what it will need.
  void BeforeRun(const Key& key, const GlobalMemory& memory);
  /// After it ran for so many seconds and accessed these arrays. `show` is called where a later launch may
  /// need what it gives.
  void AfterRun(const Key& key, const GlobalMemory& memory, const TouchedArrays& touched, double seconds,
                const std::function<Shown()>& show);
  void Clear();

  std::uint64_t bytes() const { return bytes_; }

 private:
  /// An array's bytes, and a byte for each word that says whether it was written (GlobalMemory::Shadow).
  struct Copy {
    std::vector<std::byte> bytes;
    std::vector<std::uint8_t> shadow;
  };
  struct Array {
    DevicePointer start = 0;
    std::uint64_t bytes = 0;
    bool is_written = false;
    Copy before, after;  ///< `after` only of arrays that are written.
  };
  struct Past {
    Key key;
    std::vector<Array> arrays;
    double seconds = 0;  ///< That it took.
    bool has_before = false;
    std::optional<Shown> shown;  ///< With it the copies are complete.
    int misses = 0;
    std::uint64_t last_use = 0;
  };

  Past* Find(const Key& key);
  /// Copies what the launch left, if it accessed the same arrays again and ended well.
  bool Complete(Past& past, const TouchedArrays& touched, const GlobalMemory& memory, const Shown& shown);
  static bool IsAsBefore(const Array& array, const GlobalMemory& memory);
  static Copy CopyOf(const Array& array, const GlobalMemory& memory);
  /// Whether there is room for copies of so many bytes; those of launches that no longer occur make way.
  bool MakeRoom(std::uint64_t bytes);
  void DropCopies(Past& past);
  static std::uint64_t BytesOf(const Past& past);

  std::uint64_t limit_bytes_;
  std::uint64_t bytes_ = 0;  ///< Of all copies.
  std::uint64_t uses_ = 0;
  std::deque<Past> past_;
};

}  // namespace warplings::vgpu

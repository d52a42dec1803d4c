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
#include "grader/virtual_gpu/memory/partly_stored.h"
#include "grader/virtual_gpu/memory/range_copy.h"
#include "grader/virtual_gpu/memory/unread_results.h"

namespace warplings::vgpu {

/// Programs that measure launch a kernel a hundred times with the same arguments on the same data. What a
/// kernel does is decided by its arguments and by the bytes that it reads; so a launch that finds both as an
/// earlier one did need not run: memory is left as that one left it, and it counts, takes and finds the same.
/// All bytes that the earlier launch read are compared, and which of them were ever written.
///
/// What a launch found is copied when it has run, for only then is it known what it reads. If it also wrote
/// some of these bytes, that is too late: then the next launch is copied, before it runs. Several states of
/// memory are kept for the launches with the same arguments, because a program may repeat a sequence of them.
///
/// Comparing and copying is left out where Region::content says that nobody has written an array since.
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
    std::optional<LaunchAccesses> accesses;    ///< If they were recorded.
    std::vector<DevicePointer> host_arrays{};  ///< As Backend::TakeHostArrays.
    std::optional<UnreadResults::Touched> touched{};
    std::optional<std::vector<PartlyStored::Touched>> touched_of_host{};
  };

  /// False for a kernel of which it is not known what decides what it does: it prints or allocates.
  static bool IsDecidedByMemory(const Program& program);

  /// What the launch shows if it need not run, after it has been done to memory. Null: it has to run.
  const Shown* Repeat(const Key& key, GlobalMemory& memory, bool with_accesses);
  /// Before a launch runs: copies what it will change, if that is known.
  void BeforeRun(const Key& key, const GlobalMemory& memory);
  /// After it ran for so many seconds and accessed these arrays, whose Region::content is still that of
  /// before. It is set anew for those that were written. `show` is called where a later launch may need what
  /// it gives.
  void AfterRun(const Key& key, GlobalMemory& memory, const TouchedArrays& touched, double seconds,
                const std::function<Shown()>& show);
  void Clear();

  std::uint64_t bytes() const { return bytes_; }

 private:
  struct Array {
    DevicePointer start = 0;
    std::uint64_t bytes = 0;
    ByteRanges needed;                ///< They must be as before.
    ByteRanges written;               ///< The launch leaves these.
    std::optional<RangeCopy> before;  ///< Of `needed`.
    RangeCopy after;                  ///< Of `written`.
    /// Region::content before and after the launch, and one that was compared and found to be as before.
    std::uint64_t content_before = 0, content_after = 0, content_alike = 0;
  };
  /// What a launch found, did and showed.
  struct State {
    std::vector<Array> arrays;
    Shown shown;
    std::uint64_t last_use = 0;
  };
  /// The launches with one key.
  struct Past {
    Key key;
    double seconds = 0;         ///< That the first of them took.
    std::deque<State> states;   ///< The last one used comes first.
    std::vector<Array> latest;  ///< Of the last launch that ran, or with copies for the one that runs now.
    int misses = 0;             ///< Launches that had to run, since one had not to.
    std::uint64_t last_use = 0;
    std::uint64_t gap = 0;  ///< Other launches between the last two of these.
  };

  Past* Find(const Key& key);
  Past& Begin(const Key& key, double seconds);
  static bool IsAsBefore(State& state, const GlobalMemory& memory, std::uint64_t& budget);
  static void Redo(const State& state, GlobalMemory& memory);

  static std::vector<Array> ArraysOf(const std::vector<AccessMap::TouchedArray>& touched, bool all_is_needed);
  /// Whether the launch changes what decides what it does.
  static bool IsChanged(const Array& array);
  static std::uint64_t BytesOf(const std::vector<Array>& arrays);
  static void NoteWrites(std::vector<Array>& arrays, GlobalMemory& memory);
  /// After a launch: takes the copies that were made before it, and makes the others. False: some are
  /// missing.
  static bool CopyAll(std::vector<Array>& arrays, std::vector<Array>& made_before,
                      const GlobalMemory& memory);
  void Keep(Past& past, GlobalMemory& memory, const std::vector<AccessMap::TouchedArray>& touched,
            Shown shown);

  /// Whether copies of so many bytes are worth it, and there is room for them.
  bool MayCopy(const Past& past, std::uint64_t bytes);
  /// Copies of launches that no longer occur make way.
  bool MakeRoom(std::uint64_t bytes);
  void ForgetLast(Past& past);
  /// Launches with this key run every time from now on.
  void GiveUp(Past& past);

  std::uint64_t limit_bytes_;
  std::uint64_t bytes_ = 0;  ///< Of all copies.
  std::uint64_t uses_ = 0;
  std::deque<Past> past_;
};

}  // namespace warplings::vgpu

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "grader/device/launch_accesses.h"
#include "grader/virtual_gpu/memory/global_memory.h"

namespace warplings::vgpu {

/// The bytes of global memory that one launch accesses: for each kind of access a bit per byte. Host threads
/// may mark at the same time; what is marked does not depend on them.
class AccessMap {
 public:
  /// Whether kChanged is wanted: it takes a look at memory for each store.
  explicit AccessMap(bool notes_changes = true) : notes_changes_(notes_changes) {}
  bool notes_changes() const { return notes_changes_; }

  enum Kind : std::size_t { kRead, kWritten, kStronglyRead, kStronglyWritten, kChanged, kKinds };

 private:
  static constexpr int kChunkShift = 16;
  static constexpr std::size_t kWords = (std::size_t{1} << kChunkShift) / 64;
  /// The bits of 64 KiB of memory.
  struct Chunk {
    std::array<std::array<std::atomic<std::uint64_t>, kWords>, kKinds> bits{};
  };

 public:
  class Array {
   public:
    Array(AccessMap& map, const Region& region);

    std::uint64_t start() const { return start_; }
    std::uint64_t bytes() const { return bytes_; }
    void NoteSwap() { swaps_.store(true, std::memory_order_relaxed); }
    /// [address, address + bytes) must lie in the array.
    void Mark(Kind kind, std::uint64_t address, std::uint64_t bytes) {
      std::uint64_t at = address - start_;
      const std::uint64_t end = at + bytes;
      while (at < end) {
        const std::uint64_t last = std::min(end, (at | 63) + 1);
        const std::uint64_t count = last - at;
        MarkWord(kind, at >> 6,
                 (count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1) << (at & 63));
        at = last;
      }
    }
    /// A bit for each of the array's bytes from 64 * index on.
    void MarkWord(Kind kind, std::uint64_t index, std::uint64_t bits) {
      Chunk* chunk = chunks_[index / kWords].load(std::memory_order_acquire);
      if (chunk == nullptr) chunk = AddChunk(index / kWords);
      if (chunk == nullptr) return;
      auto& word = chunk->bits[kind][index % kWords];
      if ((word.load(std::memory_order_relaxed) & bits) != bits)
        word.fetch_or(bits, std::memory_order_relaxed);
    }

   private:
    friend class AccessMap;
    Chunk* AddChunk(std::size_t index);
    /// The bytes that were accessed in one of these ways. Nothing if there are more ranges than are worth to
    /// be kept.
    std::optional<ByteRanges> Ranges(std::initializer_list<Kind> kinds) const;

    AccessMap& map_;
    std::uint64_t start_ = 0, bytes_ = 0;
    std::vector<std::atomic<Chunk*>> chunks_;
    std::atomic<bool> swaps_ = false;
    std::atomic<bool> is_incomplete_ = false;  ///< There was no memory for all chunks.
  };

  /// Null: accesses to this region are not recorded.
  Array* Find(const Region& region);
  /// An instruction, and where all its accesses to the array lie.
  void AddLine(const Array& array, SourceLine where, bool writes, ByteRange range);

  struct TouchedArray {
    std::uint64_t start = 0, bytes = 0;
    /// Atomics do both. Where it is not known which bytes were accessed, all count as read and written.
    ByteRanges read, written;
    bool is_known = true;
  };
  /// All arrays that were accessed, by address. Nothing if some access was to memory that is not recorded.
  std::optional<std::vector<TouchedArray>> Touched() const;

  /// The arrays whose accesses are completely known.
  std::vector<ArrayAccesses> Take(const GlobalMemory& memory,
                                  const std::function<Message(const Region&)>& name);

 private:
  static constexpr std::size_t kMaximumChunks = 8192;  ///< 40 KiB each.
  static constexpr std::size_t kMaximumRanges = std::size_t{1} << 19;

  const bool notes_changes_;
  std::mutex mutex_;
  std::map<std::uint64_t, std::unique_ptr<Array>> arrays_;
  std::map<std::uint64_t, std::vector<ArrayAccesses::Line>> lines_;
  std::vector<std::unique_ptr<Chunk>> chunks_;
  bool misses_some_ = false;  ///< Accesses to memory that is not recorded.
};

}  // namespace warplings::vgpu

// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/memory/access_map.h"

#include <algorithm>
#include <bit>
#include <new>
#include <tuple>
#include <utility>

namespace warplings::vgpu {

AccessMap::Array::Array(AccessMap& map, const Region& region)
    : map_(map),
      start_(region.start),
      bytes_(region.bytes),
      chunks_((region.bytes + (std::uint64_t{1} << kChunkShift) - 1) >> kChunkShift) {}

AccessMap::Chunk* AccessMap::Array::AddChunk(std::size_t index) {
  const std::lock_guard lock(map_.mutex_);
  if (Chunk* chunk = chunks_[index].load(std::memory_order_relaxed)) return chunk;
  try {
    if (map_.chunks_.size() < kMaximumChunks) {
      map_.chunks_.push_back(std::make_unique<Chunk>());
      chunks_[index].store(map_.chunks_.back().get(), std::memory_order_release);
      return map_.chunks_.back().get();
    }
  } catch (const std::bad_alloc&) {
  }
  is_incomplete_ = true;
  return nullptr;
}

std::optional<ByteRanges> AccessMap::Array::Ranges(std::initializer_list<Kind> kinds) const {
  ByteRanges ranges;
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    const Chunk* chunk = chunks_[i].load(std::memory_order_acquire);
    if (chunk == nullptr) continue;
    const std::uint64_t begin = start_ + (std::uint64_t{i} << kChunkShift);
    for (std::size_t word = 0; word < kWords; ++word) {
      std::uint64_t bits = 0;
      for (const Kind kind : kinds) bits |= chunk->bits[kind][word].load(std::memory_order_relaxed);
      std::uint64_t at = begin + word * 64;
      while (bits != 0) {
        const int skipped = std::countr_zero(bits);
        bits >>= skipped;
        at += static_cast<unsigned>(skipped);
        const int length = std::countr_one(bits);
        Append(ranges, {at, at + static_cast<unsigned>(length)});
        bits = length == 64 ? 0 : bits >> length;
        at += static_cast<unsigned>(length);
      }
    }
    if (ranges.size() > kMaximumRanges) return std::nullopt;
  }
  return ranges;
}

AccessMap::Array* AccessMap::Find(const Region& region) {
  const std::lock_guard lock(mutex_);
  // What a kernel allocates belongs to it; names of such pieces help nobody.
  if (region.is_on_heap) {
    misses_some_ = true;
    return nullptr;
  }
  try {
    auto& array = arrays_[region.start];
    if (!array) array = std::make_unique<Array>(*this, region);
    return array.get();
  } catch (const std::bad_alloc&) {
    misses_some_ = true;
    return nullptr;
  }
}

std::optional<std::vector<AccessMap::TouchedArray>> AccessMap::Touched() const {
  if (misses_some_) return std::nullopt;
  std::vector<TouchedArray> touched;
  for (const auto& [start, array] : arrays_) {
    std::optional<ByteRanges> read, written;
    if (!array->is_incomplete_) {
      read = array->Ranges({kRead, kStronglyRead, kStronglyWritten});
      written = array->Ranges({kWritten, kStronglyWritten});
    }
    const ByteRanges all{{start, start + array->bytes_}};
    const bool is_known = read && written;
    touched.push_back({start, array->bytes_, is_known ? std::move(*read) : all,
                       is_known ? std::move(*written) : all, is_known});
  }
  return touched;
}

void AccessMap::AddLine(const Array& array, SourceLine where, bool writes, ByteRange range) {
  if (range.begin >= range.end || where.line == 0) return;
  const std::lock_guard lock(mutex_);
  try {
    auto& lines = lines_[array.start()];
    for (ArrayAccesses::Line& line : lines) {
      if (line.writes != writes || line.where != where) continue;
      line.range = {std::min(line.range.begin, range.begin), std::max(line.range.end, range.end)};
      return;
    }
    lines.push_back({std::move(where), writes, range});
  } catch (const std::bad_alloc&) {
  }
}

std::vector<ArrayAccesses> AccessMap::Take(const GlobalMemory& memory,
                                           const std::function<Message(const Region&)>& name) {
  std::vector<ArrayAccesses> all;
  for (const auto& [start, array] : arrays_) {
    const Region* region = memory.Find(start);
    if (region == nullptr || !array || array->is_incomplete_) continue;
    std::array<std::optional<ByteRanges>, kKinds> ranges;
    for (std::size_t kind = 0; kind < kKinds; ++kind) ranges[kind] = array->Ranges({static_cast<Kind>(kind)});
    if (!std::ranges::all_of(ranges, [](const auto& kept) { return kept.has_value(); })) continue;
    ArrayAccesses& accesses = all.emplace_back();
    accesses.array = {region->start, region->bytes, name(*region), region->is_shared};
    accesses.written = std::move(*ranges[kWritten]);
    accesses.strongly_read = std::move(*ranges[kStronglyRead]);
    accesses.strongly_written = std::move(*ranges[kStronglyWritten]);
    accesses.changed = std::move(*ranges[kChanged]);
    accesses.swaps = array->swaps_;
    // A look before an atomic update of the same bytes: the update decides.
    accesses.read = Without(*ranges[kRead], accesses.strongly_written);
    std::ranges::sort(lines_[start], {}, [](const ArrayAccesses::Line& line) {
      return std::make_tuple(line.where.file, line.where.line, line.writes);
    });
    accesses.lines = std::move(lines_[start]);
  }
  return all;
}

}  // namespace warplings::vgpu

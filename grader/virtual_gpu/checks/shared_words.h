// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: the fast path of SharedChecks for access patterns that touch few words.
#pragma once

#include <algorithm>

#include "grader/virtual_gpu/checks/shared_records.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

/// Does for all words at once what SharedChecks does lane by lane, if there is nothing to report. Processes
/// the records from the pattern's lowest word on; up to one vector of records after its last word is read and
/// written back unchanged.
struct SharedWords : SharedRecords {
  static constexpr int kLanesShift = 25;  ///< Where a record has what AccessPattern::Words says of lanes.
  static_assert(kSeveralLanes == u64{1} << kLanesShift && kSeveralWarps == u64{2} << kLanesShift &&
                kLaneShift == kLanesShift + 3);
  using Words = AccessPattern::Words;

  /// What SharedChecks::CheckRead() and NoteRead() leave behind, by word, when all lanes are through.
  [[gnu::noinline]] static void FindWords(AccessPattern& pattern) {
    Words& words = pattern.words;
    words.are_distinct = true;
    Words::One touched[kWarpSize];
    u32 different = 0, before = 0;
    int lane_before = -1;
    ForEachLane(pattern.mask, [&](int lane) {
      const s32 word = (pattern.distance[static_cast<u32>(lane)] - pattern.lowest) / 4;
      u32 at = 0;
      while (at < different && touched[at].word != word) ++at;
      const bool follows = at == before && lane == lane_before + 1;
      before = at, lane_before = lane;
      if (at == different) {
        touched[different++] = {word, static_cast<u8>(lane << 3), static_cast<u8>(lane << 3 | 2)};
        return;
      }
      Words::One& one = touched[at];
      words.are_distinct = false;
      if (!follows) one.read = static_cast<u8>(lane << 3);
      one.read |= 1;
      // The first lane that reads it also stands for the following lanes that read it.
      if (follows && one.read_after_others >> 3 == one.read >> 3) one.read_after_others |= 1;
    });
    words.few = different <= Words::kFew ? static_cast<s32>(different) : 0;
    std::copy_n(touched, words.few, words.each_of_few.begin());
    const s64 count = (s64{pattern.highest} - pattern.lowest) / 4 + 1;
    words.count = count <= Words::kMost ? static_cast<s32>(count) : 0;
    words.read.fill(Words::kUntouched);
    words.read_after_others.fill(0);
    for (u32 at = 0; words.count && at < different; ++at) {
      words.read[static_cast<u32>(touched[at].word)] = touched[at].read;
      words.read_after_others[static_cast<u32>(touched[at].word)] = touched[at].read_after_others;
    }
  }

  /// As ReadWords(), of few words.
  static bool ReadFew(const Words& words, const Frame& now, bool noted, const u64* writes, u64* reads) {
    bool suspicious = false;
    for (s32 i = 0; i < words.few; ++i)
      suspicious |= writes[words.each_of_few[static_cast<u32>(i)].word] - kWritten >= now.block - kWritten;
    if (suspicious) return false;
    for (s32 i = 0; noted && i < words.few; ++i) {
      const Words::One& one = words.each_of_few[static_cast<u32>(i)];
      u64& record = reads[one.word];
      const bool since_block = record >= now.block, same_warp = ((record ^ now.warp) & kWarp) == 0;
      if (since_block && (record & kSeveralWarps)) continue;
      const u64 others = u64{one.read_after_others} << kLanesShift;
      const u64 several = (record | ((record ^ others) & kLane ? kSeveralLanes : 0)) & kSeveralLanes;
      const u64 own = (u64{one.read} << kLanesShift) | (same_warp && record >= now.lanes ? several : 0);
      record = now.mine | (since_block && !same_warp ? others : own);
    }
    return true;
  }
  /// Which bits of an own write's record are compared, with those of the lane that writes now. What lies
  /// behind a strong write must not be lost.
  static u64 ComparedOfOwn(u64 strong) {
    return kWarp | kLane | kSeveralLanes | kSeveralWarps | (strong ? kStrong | kHides : 0);
  }
  /// As WriteWords(), of few words.
  static bool WriteFew(const Words& words, const Frame& now, u64 strong, u64* writes, const u64* reads) {
    bool fine = true;
    const u64 compared = ComparedOfOwn(strong);
    for (s32 i = 0; i < words.few; ++i) {
      const Words::One& one = words.each_of_few[static_cast<u32>(i)];
      const u64 write = writes[one.word], read = reads[one.word];
      const u64 place = now.warp | (u64{one.read} << kLanesShift);
      const bool own_write = ((write ^ (place | strong)) & compared) == 0 && write != kGap;
      const bool own_read = ((read ^ place) & (kWarp | kLane | kSeveralLanes | kSeveralWarps)) == 0;
      fine = fine && (write < now.block || own_write) && (read < now.block || own_read);
    }
    if (!fine) return false;
    for (s32 i = 0; i < words.few; ++i) {
      const Words::One& one = words.each_of_few[static_cast<u32>(i)];
      writes[one.word] = now.mine | strong | (u64{one.read} << kLanesShift);
    }
    return true;
  }

  /// Returns true if all words were written before the block's last barrier; the read is then recorded, if
  /// `noted`. Returns false, and does nothing, otherwise.
  static bool ReadWords(const Words& words, const Frame& now, bool noted, const u64* writes, u64* reads) {
    WordVector suspicious{}, changes{};
    for (u32 i = 0; i < static_cast<u32>(words.count); i += kVectorWords) {
      WordVector write, read, lanes;
      LoadWords(write, writes + i);
      LoadWords(read, reads + i);
      WidenBytes(lanes, &words.read[i]);
      const auto touched = lanes != Words::kUntouched;
      suspicious |= reinterpret_cast<WordVector>(touched & (write - kWritten >= now.block - kWritten));
      changes |= reinterpret_cast<WordVector>(touched & ((read < now.block) | ((read & kSeveralWarps) == 0)));
    }
    if (IsAnySet(suspicious)) return false;
    if (noted && IsAnySet(changes)) NoteWords(words, now, reads);
    return true;
  }

  /// What NoteRead() makes of records, lane after lane.
  static void NoteWords(const Words& words, const Frame& now, u64* reads) {
    for (u32 i = 0; i < static_cast<u32>(words.count); i += kVectorWords) {
      WordVector record, read, after_others;
      LoadWords(record, reads + i);
      WidenBytes(read, &words.read[i]);
      WidenBytes(after_others, &words.read_after_others[i]);
      const auto untouched = read == Words::kUntouched;
      read <<= kLanesShift;
      after_others <<= kLanesShift;
      const auto same_warp = ((record ^ now.warp) & kWarp) == 0;
      const auto since_block = record >= now.block;
      const auto stays = untouched | (since_block & ((record & kSeveralWarps) != 0));
      const auto other_lane = ((record ^ after_others) & kLane) != 0;
      const WordVector several = (record | reinterpret_cast<WordVector>(other_lane)) & kSeveralLanes;
      const WordVector own =
          read | (several & reinterpret_cast<WordVector>(same_warp & (record >= now.lanes)));
      const WordVector noted = now.mine | (since_block & ~same_warp ? after_others : own);
      StoreWords(reads + i, stays ? record : noted);
    }
  }

  /// Returns true if no other thread has accessed the words since the block's last barrier; the write is then
  /// recorded. Returns false, and does nothing, otherwise. `strong`: kStrong, or 0. The words must be
  /// distinct.
  static bool WriteWords(const Words& words, const Frame& now, u64 strong, u64* writes, const u64* reads) {
    WordVector suspicious{};
    const u64 compared = ComparedOfOwn(strong);
    for (u32 i = 0; i < static_cast<u32>(words.count); i += kVectorWords) {
      WordVector write, read, lanes;
      LoadWords(write, writes + i);
      LoadWords(read, reads + i);
      WidenBytes(lanes, &words.read[i]);
      const WordVector place = now.warp | (lanes << kLanesShift);
      const auto own_write = (((write ^ (place | strong)) & compared) == 0) & (write != kGap);
      const auto own_read = ((read ^ place) & (kWarp | kLane | kSeveralLanes | kSeveralWarps)) == 0;
      const auto fine = ((write < now.block) | own_write) & ((read < now.block) | own_read);
      suspicious |= reinterpret_cast<WordVector>((lanes != Words::kUntouched) & ~fine);
    }
    if (IsAnySet(suspicious)) return false;
    for (u32 i = 0; i < static_cast<u32>(words.count); i += kVectorWords) {
      WordVector write, lanes;
      LoadWords(write, writes + i);
      WidenBytes(lanes, &words.read[i]);
      StoreWords(writes + i, lanes != Words::kUntouched ? now.mine | strong | (lanes << kLanesShift) : write);
    }
    return true;
  }
};

}  // namespace warplings::vgpu::WARPLINGS_LEVEL

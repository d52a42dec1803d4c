// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/05_bank_conflicts/bank_steps.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "tests/suites/05_bank_conflicts/messages.h"

namespace warplings::bank_conflicts {
namespace {

using step_search::Calculation;
using step_search::Versions;

// --- bank_of. ------------------------------------------------------------------------------------

// Versions of the steps, in the order of the tables below; 0 is the right one.
enum Number {
  kByPitch,
  kByWidth,
  kColumnsFirst,
  kColumnsFirstByWidth,
  kPaddingInBytes,
  kNoRow,
  kPitchInBytes,
  kModulo32First,
  kPaddingOnce,
  kRowModulo32,
  kColumnModulo32,
  kRowsOfWords,
  kRowsOfWordsDown,
  kRowsOf16Bytes,
  kRowsOf128Bytes,
  kBothModulo32
};
enum Base {
  kInBytes,
  kIgnored,
  kInElements,
  kInWords,
  kFourBytesEach,
  kApart,
  kRowApart,
  kFourBytesAtLeast,
  kInFirstRowOnly,
  kWordEach,
  kEachRowApart,
  kNumberAsByte
};
enum Bank {
  kWord,
  kByte,
  kElement,
  kUnlimited,
  kSixteen,
  kEightBytes,
  kRoundedUp,
  kFromOne,
  kSector,
  kRow,
  kEightForWide,
  kElementForWide,
  kLastOfElement,
  kRemainderFirst
};
enum Count {
  kCovered,
  kOne,
  kNarrowNone,
  kBytes,
  kOneMore,
  kTwoForWide,
  kByEights,
  kToNearest,
  kQuarterAndOne,
  kToByteAfter
};

const std::vector<step_search::Step> kFirstBankSteps = {
    {{"width_for_pitch", say::bank_step_width_apart()},
     {"columns_stored_first", say::bank_step_columns_by_pitch()},
     {"columns_stored_first", say::bank_step_columns_by_width()},
     {"another_step", say::bank_step_padding_in_elements()},
     {"another_step", say::bank_step_no_row()},
     {"another_step", say::bank_step_pitch_in_bytes()},
     {"another_step", say::bank_step_number_modulo_32()},
     {"another_step", say::bank_step_padding_once()},
     {"another_step", say::bank_step_row_modulo_32()},
     {"another_step", say::bank_step_column_modulo_32()},
     {"another_step", say::bank_step_rows_of_words_up()},
     {"another_step", say::bank_step_rows_of_words_down()},
     {"another_step", say::bank_step_rows_of_16_bytes()},
     {"another_step", say::bank_step_rows_of_128_bytes()},
     {"another_step", say::bank_step_both_modulo_32()}},
    {{"base_ignored", say::bank_step_no_base()},
     {"base_in_elements", say::bank_step_base_in_elements()},
     {"another_step", say::bank_step_base_in_words()},
     {"elements_as_words", say::bank_step_four_bytes_each()},
     {"another_step", say::bank_step_base_apart()},
     {"another_step", say::bank_step_rows_apart()},
     {"another_step", say::bank_step_four_bytes_at_least()},
     {"another_step", say::bank_step_base_in_first_row()},
     {"another_step", say::bank_step_word_each()},
     {"another_step", say::bank_step_each_row_apart()},
     {"another_step", say::bank_step_number_as_byte()}},
    {{"bytes_as_words", say::bank_step_bank_a_byte()},
     {"elements_as_words", say::bank_step_bank_an_element()},
     {"more_than_32_banks", say::bank_step_endless_banks()},
     {"another_step", say::bank_step_sixteen_banks()},
     {"another_step", say::bank_step_banks_of_8_bytes()},
     {"another_step", say::bank_step_word_rounded_up()},
     {"another_step", say::bank_step_banks_from_1()},
     {"another_step", say::bank_step_banks_of_sectors()},
     {"another_step", say::bank_step_quotient()},
     {"another_step", say::bank_step_banks_of_8_for_wide()},
     {"another_step", say::bank_step_banks_as_wide()},
     {"another_step", say::bank_step_last_byte()},
     {"another_step", say::bank_step_remainder_first()}}};

const std::vector<step_search::Step> kBankCountSteps = {
    {{"wide_in_one_bank", say::bank_step_always_one_bank()},
     {"narrow_in_no_bank", say::bank_step_quarter()},
     {"another_step", say::bank_step_bytes_for_banks()},
     {"another_step", say::bank_step_one_bank_more()},
     {"another_step", say::bank_step_two_banks_for_wide()},
     {"another_step", say::bank_step_banks_of_8_for_wide()},
     {"narrow_in_no_bank", say::bank_step_quarter_to_nearest()},
     {"another_step", say::bank_step_quarter_and_one()},
     {"another_step", say::bank_step_to_byte_after()}}};

int AddressOf(const Place& p) {
  return p.array.base + (p.row * p.array.pitch + p.column) * p.array.element_bytes;
}

/// By how much the rows before `p` are longer in bytes if each of them begins at a multiple of `unit`.
int RowsRounded(const Place& p, int unit, bool down = false) {
  const int bytes = p.array.pitch * p.array.element_bytes;
  return p.row * ((down ? bytes : bytes + unit - 1) / unit * unit - bytes);
}

int FirstBankBy(const Place& p, const Versions& versions) {
  const SharedArray& a = p.array;
  int number = p.row * a.pitch + p.column, padding = 0;
  switch (versions[0]) {
    case kByWidth: number = p.row * a.width + p.column; break;
    case kColumnsFirst: number = p.column * a.pitch + p.row; break;
    case kColumnsFirstByWidth: number = p.column * a.width + p.row; break;
    case kPaddingInBytes:
      number = p.row * a.width + p.column;
      padding = p.row * (a.pitch - a.width);
      break;
    case kNoRow: number = p.column; break;
    case kPitchInBytes:
      number = p.column;
      padding = p.row * a.pitch;
      break;
    case kModulo32First: number %= 32; break;
    case kRowModulo32: number = p.row % 32 * a.pitch + p.column; break;
    case kColumnModulo32: number = p.row * a.pitch + p.column % 32; break;
    case kBothModulo32: number = p.row % 32 * a.pitch + p.column % 32; break;
    case kRowsOfWords: padding = RowsRounded(p, 4); break;
    case kRowsOfWordsDown: padding = RowsRounded(p, 4, true); break;
    case kRowsOf16Bytes: padding = RowsRounded(p, 16); break;
    case kRowsOf128Bytes: padding = RowsRounded(p, 128); break;
    case kPaddingOnce: number = p.row * a.width + p.column + (p.row > 0 ? a.pitch - a.width : 0); break;
    default: break;
  }
  int address = a.base + number * a.element_bytes + padding;
  switch (versions[1]) {
    case kIgnored: address -= a.base; break;
    case kInElements: address += a.base * (a.element_bytes - 1); break;
    case kInWords: address += 3 * a.base; break;
    // What is lost of each part is taken off the sum; the word that is left is the same.
    case kApart: address -= a.base % 4 + (address - a.base) % 4; break;
    case kRowApart: {
      const int of_rows = (number - p.column) * a.element_bytes, of_column = p.column * a.element_bytes;
      address -= a.base % 4 + of_rows % 4 + of_column % 4;
      break;
    }
    case kEachRowApart: {
      const int row_bytes = p.row > 0 ? (number - p.column) / p.row * a.element_bytes : 0;
      address -= a.base % 4 + p.row * (row_bytes % 4) + p.column * a.element_bytes % 4;
      break;
    }
    case kNumberAsByte: address -= number * (a.element_bytes - 1); break;
    case kFourBytesEach: address += number * (4 - a.element_bytes); break;
    case kFourBytesAtLeast: address += number * std::max(4 - a.element_bytes, 0); break;
    case kInFirstRowOnly: address -= p.row > 0 ? a.base : 0; break;
    // The base is a whole number of elements, too.
    case kWordEach: address += address / a.element_bytes * std::max(4 - a.element_bytes, 0); break;
    default: break;
  }
  switch (versions[2]) {
    case kByte: return address % 32;
    case kElement: return address / a.element_bytes % 32;
    case kUnlimited: return address / 4;
    case kSixteen: return address / 4 % 16;
    case kEightBytes: return address / 8 % 32;
    case kRoundedUp: return (address + 3) / 4 % 32;
    case kFromOne: return address / 4 % 32 + 1;
    case kRemainderFirst: return address % 32 / 4;
    case kSector: return address / 32 % 32;
    case kRow: return address / 4 / 32;
    case kEightForWide: return (a.element_bytes >= 8 ? address / 8 : address / 4) % 32;
    case kLastOfElement: return (address + a.element_bytes - 1) / 4 % 32;
    case kElementForWide: return address / (a.element_bytes >= 8 ? a.element_bytes : 4) % 32;
    default: return address / 4 % 32;
  }
}

int BankCountBy(const Place& p, const Versions& versions) {
  const int bytes = p.array.element_bytes, covered = reference::BanksCovered(bytes);
  switch (versions[0]) {
    case kOne: return 1;
    case kNarrowNone: return bytes / 4;
    case kBytes: return bytes;
    case kOneMore: return covered + 1;
    case kByEights: return std::max(bytes / 8, 1);
    case kToNearest: return (bytes + 2) / 4;
    case kQuarterAndOne: return bytes / 4 + 1;
    case kTwoForWide: return bytes > 4 ? 2 : 1;
    case kToByteAfter: return (AddressOf(p) + bytes) / 4 - AddressOf(p) / 4;
    default: return covered;
  }
}

std::string TypeName(int element_bytes) {
  switch (element_bytes) {
    case 1: return "char";
    case 2: return "short";
    case 4: return "float";
    case 8: return "double";
    default: return "float4";
  }
}

// --- conflict_degree. ----------------------------------------------------------------------------

enum Together {
  kByWidthOfElement,
  kWholeWarp,
  kHalfWarps,
  kWideByHalves,
  kQuarters,
  kInTurn,
  kNarrowByHalves,
  kWideExchanged
};
enum Same { kSameUnit, kSameAddress, kSameLane, kSameAsLast, kModulo64, kModulo32, kAllOrNone, kOnceInAWarp };
enum Unit {
  kWords,
  kElements,
  kBytesOfBanks,
  kWideElements,
  kLastWordLeftOut,
  kNarrowNoWord,
  kWordsFromElement,
  kBankOfLane
};
enum Summary {
  kWorst,
  kAverage,
  kAllConflicts,
  kConflictingBanks,
  kUsedBanks,
  kFirstConflict,
  kOfMostLanes,
  kOtherLanes
};
enum Groups {
  kWorstGroup,
  kAdded,
  kFirstGroup,
  kLastGroup,
  kMeanOfGroups,
  kBestGroup,
  kCountsGoOn,
  kExtraAdded,
  kEveryOtherQuarter
};

const std::vector<step_search::Step> kDegreeSteps = {
    {{"whole_warp_at_once", say::bank_step_whole_warp()},
     {"another_step", say::bank_step_half_warps()},
     {"another_step", say::bank_step_half_warps_for_16()},
     {"another_step", say::bank_step_quarters_for_8()},
     {"another_step", say::bank_step_lanes_in_turn()},
     {"another_step", say::bank_step_half_warps_for_4()},
     {"another_step", say::bank_step_wide_exchanged()}},
    {{"bytes_of_a_word_counted", say::bank_step_addresses_as_words()},
     {"broadcast_counted", say::bank_step_every_lane()},
     {"another_step", say::bank_step_last_word_only()},
     {"another_step", say::bank_step_mask_of_64()},
     {"another_step", say::bank_step_mask_of_32()},
     {"broadcast_counted", say::bank_step_every_lane_unless_all()},
     {"another_step", say::bank_step_list_outlives_group()}},
    {{"elements_as_words", say::bank_step_bank_an_element()},
     {"another_step", say::bank_step_bank_a_byte()},
     {"another_step", say::bank_step_bank_as_wide_as_wide()},
     {"another_step", say::bank_step_last_word_left_out()},
     {"another_step", say::bank_step_narrow_no_word()},
     {"another_step", say::bank_step_words_from_element()},
     {"another_step", say::bank_step_bank_of_lane()}},
    {{"average_not_worst", say::bank_step_average()},
     {"another_step", say::bank_step_all_waiting()},
     {"another_step", say::bank_step_conflicting_banks()},
     {"another_step", say::bank_step_used_banks()},
     {"another_step", say::bank_step_first_conflict()},
     {"another_step", say::bank_step_most_lanes()},
     {"another_step", say::bank_step_other_lanes()}},
    {{"groups_added_up", say::bank_step_groups_added()},
     {"another_step", say::bank_step_first_group()},
     {"another_step", say::bank_step_last_group()},
     {"another_step", say::bank_step_mean_of_groups()},
     {"another_step", say::bank_step_best_group()},
     {"another_step", say::bank_step_counts_go_on()},
     {"another_step", say::bank_step_extra_passes_added()},
     {"another_step", say::bank_step_every_other_quarter()}},
    {{"extra_passes_only", say::bank_step_extra_passes()}, {"another_step", say::bank_step_one_pass_fewer()}},
    {{"another_step", say::bank_step_sixteen_banks()}}};

int LanesTogether(int element_bytes, int version) {
  switch (version) {
    case kWholeWarp: return 32;
    case kHalfWarps: return 16;
    case kWideByHalves: return element_bytes == 16 ? 16 : reference::LanesAtOnce(element_bytes);
    case kNarrowByHalves: return std::min(reference::LanesAtOnce(element_bytes), 16);
    case kWideExchanged:
      return element_bytes == 8 ? 8 : element_bytes == 16 ? 16 : reference::LanesAtOnce(element_bytes);
    case kQuarters: return element_bytes == 8 ? 8 : reference::LanesAtOnce(element_bytes);
    default: return reference::LanesAtOnce(element_bytes);
  }
}

/// What the lanes of one group want from each bank, as numbers: equal ones are wanted once.
struct Wanted {
  std::array<std::vector<int>, 32> of_bank;
  std::array<int, 32> lanes{};                 ///< That want something of the bank.
  std::array<std::map<int, int>, 32> times{};  ///< By how many lanes each is wanted.

  void Add(int bank, int wish, bool last_only) {
    std::vector<int>& wishes = of_bank[static_cast<std::size_t>(bank)];
    ++lanes[static_cast<std::size_t>(bank)];
    ++times[static_cast<std::size_t>(bank)][wish];
    const bool known =
        last_only ? !wishes.empty() && wishes.back() == wish : std::ranges::count(wishes, wish) > 0;
    if (!known) wishes.push_back(wish);
  }

  /// What the lanes before wanted is not wanted again.
  void LeaveOut(const Wanted& before) {
    for (std::size_t bank = 0; bank < of_bank.size(); ++bank) {
      std::erase_if(of_bank[bank],
                    [&](int wish) { return std::ranges::count(before.of_bank[bank], wish) > 0; });
    }
  }

  /// As if its lanes were served together with those of `more`, but for words that both want.
  void GoOnWith(const Wanted& more) {
    for (std::size_t bank = 0; bank < of_bank.size(); ++bank) {
      of_bank[bank].insert(of_bank[bank].end(), more.of_bank[bank].begin(), more.of_bank[bank].end());
      lanes[bank] += more.lanes[bank];
    }
  }

  /// Of a lane's bank, the lanes that want another word than it does; the most of all lanes.
  int MostOthers() const {
    int most = 0;
    for (std::size_t bank = 0; bank < times.size(); ++bank) {
      for (const auto& [wish, count] : times[bank]) most = std::max(most, lanes[bank] - count);
    }
    return most;
  }

  int Summed(int version) const {
    int worst = 0, all = 0, used = 0, conflicting = 0, first_conflict = 0;
    for (const std::vector<int>& wishes : of_bank) {
      const int count = static_cast<int>(wishes.size());
      worst = std::max(worst, count);
      all += count;
      used += count > 0 ? 1 : 0;
      conflicting += count > 1 ? 1 : 0;
      if (first_conflict == 0 && count > 1) first_conflict = count;
    }
    switch (version) {
      case kAverage: return all / std::max(used, 1);
      case kAllConflicts: return all - used + 1;
      case kConflictingBanks: return conflicting;
      case kUsedBanks: return used;
      case kOfMostLanes: {
        const auto most = static_cast<std::size_t>(std::ranges::max_element(lanes) - lanes.begin());
        return static_cast<int>(of_bank[most].size());
      }
      case kFirstConflict: return conflicting == 0 ? worst : first_conflict;
      case kOtherLanes: return 1 + MostOthers();
      default: return worst;
    }
  }
};

/// The lanes of group `group`, of so many groups.
std::vector<int> LanesOf(int group, int groups, int version) {
  std::vector<int> lanes;
  const int count = 32 / groups;
  for (int i = 0; i < count; ++i)
    lanes.push_back(version == kInTurn ? group + i * groups : group * count + i);
  return lanes;
}

Wanted WantedBy(const WarpRequest& r, const std::vector<int>& lanes, const Versions& versions) {
  const auto word_of = [&](int lane) { return r.address[lane] / 4; };
  const bool one_word =
      std::ranges::all_of(lanes, [&](int lane) { return word_of(lane) == word_of(lanes.front()); });
  const int same = versions[1] != kAllOrNone ? versions[1]
                   : one_word                ? kSameUnit
                                             : kSameLane,
            unit = versions[2], banks = versions[6] == 0 ? 32 : 16;
  const bool by_words = (unit != kElements && unit != kBytesOfBanks && unit != kWideElements) ||
                        (unit == kWideElements && r.element_bytes < 8);
  const int words = reference::BanksCovered(r.element_bytes);
  const int covered = !by_words                  ? 1
                      : unit == kLastWordLeftOut ? words - 1
                      : unit == kNarrowNoWord    ? r.element_bytes / 4
                                                 : words;
  Wanted wanted;
  for (const int lane : lanes) {
    const int address = r.address[lane];
    for (int k = 0; k < covered; ++k) {
      const bool by_element = unit == kElements || (unit == kWideElements && r.element_bytes >= 8);
      const int number = by_element                  ? address / r.element_bytes
                         : unit == kBytesOfBanks     ? address
                         : unit == kWordsFromElement ? address / r.element_bytes + k
                                                     : address / 4 + k;
      int wish = number;
      if (same == kSameAddress) wish = address + 4 * k;
      if (same == kSameLane) wish = 4 * lane + k;
      if (same == kModulo64) wish = number / banks % 64;
      if (same == kModulo32) wish = number / banks % 32;
      wanted.Add((unit == kBankOfLane ? lane : number) % banks, wish, same == kSameAsLast);
    }
  }
  return wanted;
}

int DegreeBy(const WarpRequest& r, const Versions& versions) {
  const int count = LanesTogether(r.element_bytes, versions[0]);
  int degree = 0, sum = 0;
  Wanted before;
  for (int group = 0; group < 32 / count; ++group) {
    Wanted wanted = WantedBy(r, LanesOf(group, 32 / count, versions[0]), versions);
    if (versions[1] == kOnceInAWarp) wanted.LeaveOut(before);
    before.GoOnWith(wanted);
    const int own = std::max((versions[4] == kCountsGoOn ? before : wanted).Summed(versions[3]), 1);
    sum += own;
    switch (versions[4]) {
      case kMeanOfGroups: degree = sum / (32 / count); break;
      case kBestGroup: degree = group == 0 ? own : std::min(degree, own); break;
      case kAdded: degree += own; break;
      case kFirstGroup: degree = group == 0 ? own : degree; break;
      case kLastGroup: degree = own; break;
      case kExtraAdded: degree = sum - group; break;
      case kEveryOtherQuarter: degree = count == 8 && group % 2 != 0 ? degree : std::max(degree, own); break;
      default: degree = std::max(degree, own);
    }
  }
  constexpr int kAtLeastOne = 2;
  return versions[5] == kAtLeastOne ? std::max(degree - 1, 1) : degree - versions[5];
}

}  // namespace

Banks RightBanks(const Place& p) {
  return {reference::BankOf(static_cast<std::uint32_t>(AddressOf(p))),
          reference::BanksCovered(p.array.element_bytes)};
}

Message Describe(const Place& p) {
  const SharedArray& a = p.array;
  Message place = say::bank_of_element(TypeName(a.element_bytes), p.row, p.column);
  // Without a row before it, an element lies where it lies for any pitch.
  if (p.row != 0 || a.width != a.pitch) place = say::bank_of_pitch(place, a.pitch);
  if (a.width != a.pitch) place = say::bank_of_width(place, a.width);
  if (a.base != 0) place = say::bank_of_base(place, a.base);
  return place;
}

Message Way(const Place& p) {
  return say::bank_of_way(p.row * p.array.pitch + p.column, AddressOf(p), AddressOf(p) / 4);
}

const Calculation<Place, int>& FirstBank() {
  static const Calculation<Place, int> calculation = {kFirstBankSteps, FirstBankBy};
  return calculation;
}

const Calculation<Place, int>& BankCount() {
  static const Calculation<Place, int> calculation = {kBankCountSteps, BankCountBy};
  return calculation;
}

WarpRequest ToRequest(const reference::LaneAddresses& addresses, int element_bytes) {
  WarpRequest request;
  request.element_bytes = element_bytes;
  for (std::size_t lane = 0; lane < addresses.size(); ++lane) {
    request.address[lane] = static_cast<int>(addresses[lane]);
  }
  return request;
}

std::vector<step_search::Trait<Place>> TraitsOfPlaces() {
  return {{say::bank_trait_narrow(), [](const Place& p) { return p.array.element_bytes < 4; }},
          {say::bank_trait_wide(), [](const Place& p) { return p.array.element_bytes > 4; }},
          {say::bank_trait_no_words(), [](const Place& p) { return p.array.element_bytes != 4; }},
          {say::bank_trait_float4(), [](const Place& p) { return p.array.element_bytes == 16; }},
          {say::bank_trait_base(), [](const Place& p) { return p.array.base != 0; }},
          {say::bank_trait_base_within_word(), [](const Place& p) { return p.array.base % 4 != 0; }},
          {say::bank_trait_later_rows(), [](const Place& p) { return p.row > 0; }},
          {say::bank_trait_later_padded_rows(),
           [](const Place& p) { return p.row > 0 && p.array.pitch != p.array.width; }},
          {say::bank_trait_rows_from_32(), [](const Place& p) { return p.row >= 32; }},
          {say::bank_trait_columns_from_32(), [](const Place& p) { return p.column >= 32; }},
          {say::bank_trait_rows_no_words(),
           [](const Place& p) { return p.array.pitch * p.array.element_bytes % 4 != 0; }},
          {say::bank_trait_rows_no_16_bytes(),
           [](const Place& p) { return p.array.pitch * p.array.element_bytes % 16 != 0; }},
          {say::bank_trait_words_from_32(), [](const Place& p) { return AddressOf(p) >= 128; }},
          {say::bank_trait_within_word(), [](const Place& p) { return AddressOf(p) % 4 != 0; }}};
}

std::vector<step_search::Trait<WarpRequest>> TraitsOfRequests() {
  const auto lanes_share = [](const WarpRequest& r, int unit) {
    std::vector<int> numbers;
    for (const int address : r.address) numbers.push_back(address / unit);
    std::ranges::sort(numbers);
    return std::ranges::adjacent_find(numbers) != numbers.end();
  };
  return {{say::bank_trait_narrow(), [](const WarpRequest& r) { return r.element_bytes < 4; }},
          {say::bank_trait_wide(), [](const WarpRequest& r) { return r.element_bytes > 4; }},
          {say::bank_trait_floats(), [](const WarpRequest& r) { return r.element_bytes == 4; }},
          {say::bank_trait_doubles(), [](const WarpRequest& r) { return r.element_bytes == 8; }},
          {say::bank_trait_float4(), [](const WarpRequest& r) { return r.element_bytes == 16; }},
          {say::bank_trait_shared_word(), [=](const WarpRequest& r) { return lanes_share(r, 4); }},
          {say::bank_trait_bytes_of_one_word(),
           [=](const WarpRequest& r) { return lanes_share(r, 4) && !lanes_share(r, r.element_bytes); }},
          {say::bank_trait_no_conflict(), [](const WarpRequest& r) { return RightDegree(r) == 1; }},
          {say::bank_trait_conflict(), [](const WarpRequest& r) { return RightDegree(r) > 1; }},
          {say::bank_trait_more_than_two_ways(), [](const WarpRequest& r) { return RightDegree(r) > 2; }},
          {say::bank_trait_uneven_groups(),
           [](const WarpRequest& r) {
             Versions best = Degree().Right();
             best[4] = kBestGroup;
             return DegreeBy(r, best) != RightDegree(r);
           }},
          {say::bank_trait_uneven_stride(),
           [](const WarpRequest& r) {
             for (int lane = 2; lane < 32; ++lane) {
               if (r.address[lane] - r.address[lane - 1] != r.address[1] - r.address[0]) return true;
             }
             return false;
           }},
          {say::bank_trait_starts_later(), [](const WarpRequest& r) { return r.address[0] != 0; }},
          {say::bank_trait_reaches_far(4096),
           [](const WarpRequest& r) { return *std::ranges::max_element(r.address) >= 4096; }}};
}

int RightDegree(const WarpRequest& request) {
  reference::LaneAddresses addresses;
  for (std::size_t lane = 0; lane < addresses.size(); ++lane) {
    addresses[lane] = static_cast<std::uint32_t>(request.address[lane]);
  }
  return reference::UseOfBanks(addresses, request.element_bytes).degree;
}

const Calculation<WarpRequest, int>& Degree() {
  static const Calculation<WarpRequest, int> calculation = {kDegreeSteps, DegreeBy};
  return calculation;
}

}  // namespace warplings::bank_conflicts

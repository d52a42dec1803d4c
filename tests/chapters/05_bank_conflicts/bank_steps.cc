// SPDX-License-Identifier: Apache-2.0
#include "tests/chapters/05_bank_conflicts/bank_steps.h"

#include <algorithm>
#include <array>
#include <vector>

namespace warplings::bank_conflicts {
namespace {

using step_search::Calculation;
using step_search::Versions;

// --- bank_of. ------------------------------------------------------------------------------------

// Versions of the steps, in the order of the tables below; 0 is the right one.
enum Number { kByPitch, kByWidth, kColumnsFirst, kColumnsFirstByWidth, kPaddingInBytes, kNoRow };
enum Base { kInBytes, kIgnored, kInElements, kInWords, kFourBytesEach };
enum Bank { kWord, kByte, kElement, kUnlimited, kSixteen, kEightBytes, kRoundedUp, kFromOne, kSector, kRow };
enum Count { kCovered, kOne, kNarrowNone, kBytes, kOneMore };

const std::vector<step_search::Step> kFirstBankSteps = {
    {{"width_for_pitch", "rows that begin width elements apart"},
     {"columns_stored_first", "column x pitch + row for the element's number"},
     {"columns_stored_first", "column x width + row for the element's number"},
     {"another_step", "the padding of the rows before added in elements, where the sum is in bytes"},
     {"another_step", "the row left out"}},
    {{"base_ignored", "the base left out"},
     {"base_in_elements", "the base added to a number of elements"},
     {"another_step", "the base taken for a number of words"},
     {"elements_as_words", "4 bytes for each element, whatever its type"}},
    {{"bytes_as_words", "a bank for each byte"},
     {"elements_as_words", "a bank for each element"},
     {"more_than_32_banks", "banks that go on behind number 31"},
     {"another_step", "16 banks"},
     {"another_step", "banks of 8 bytes"},
     {"another_step", "the byte's word rounded up"},
     {"another_step", "banks counted from 1"},
     {"another_step", "banks of 32 bytes, which is a sector of global memory"},
     {"another_step", "the quotient by 32 for the remainder"}}};

const std::vector<step_search::Step> kBankCountSteps = {
    {{"wide_in_one_bank", "one bank for every element"},
     {"narrow_in_no_bank", "the bytes of an element divided by 4, which is 0 for the small ones"},
     {"another_step", "the element's bytes for its banks"},
     {"another_step", "one bank too many"}}};

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
    default: break;
  }
  int address = a.base + number * a.element_bytes + padding;
  switch (versions[1]) {
    case kIgnored: address -= a.base; break;
    case kInElements: address += a.base * (a.element_bytes - 1); break;
    case kInWords: address += 3 * a.base; break;
    case kFourBytesEach: address += number * (4 - a.element_bytes); break;
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
    case kSector: return address / 32 % 32;
    case kRow: return address / 4 / 32;
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

enum Together { kByWidthOfElement, kWholeWarp, kHalfWarps, kWideByHalves, kQuarters };
enum Same { kSameUnit, kSameAddress, kSameLane, kSameAsLast, kModulo64, kModulo32 };
enum Unit { kWords, kElements, kBytesOfBanks };
enum Summary { kWorst, kAverage, kAllConflicts, kConflictingBanks, kUsedBanks };
enum Groups { kWorstGroup, kAdded, kFirstGroup, kLastGroup };

const std::vector<step_search::Step> kDegreeSteps = {
    {{"whole_warp_at_once", "all 32 lanes served together, however wide the elements"},
     {"another_step", "half warps for elements of every size"},
     {"another_step", "half warps for elements of 16 bytes, too"},
     {"another_step", "quarters of a warp for elements of 8 bytes, too"}},
    {{"bytes_of_a_word_counted", "two addresses in one word taken for two words"},
     {"broadcast_counted", "every lane counted, also those that want the same word"},
     {"another_step",
      "only the last word of each bank remembered, so that one that comes again counts again"},
     {"another_step", "words that lie 64 rows of banks apart taken for the same one (a mask of 64 bits?)"},
     {"another_step", "words that lie 32 rows of banks apart taken for the same one (a mask of 32 bits?)"}},
    {{"elements_as_words", "a bank for each element"}, {"another_step", "a bank for each byte"}},
    {{"average_not_worst", "the lanes shared out evenly over the banks that are used"},
     {"another_step", "the waiting of all banks added up"},
     {"another_step", "banks with a conflict counted"},
     {"another_step", "banks that are used counted"}},
    {{"groups_added_up", "the groups' passes added up"},
     {"another_step", "only the first lanes that are served together looked at"},
     {"another_step", "only the last lanes that are served together looked at"}},
    {{"extra_passes_only", "the first pass not counted"}},
    {{"another_step", "16 banks"}}};

int LanesTogether(int element_bytes, int version) {
  switch (version) {
    case kWholeWarp: return 32;
    case kHalfWarps: return 16;
    case kWideByHalves: return element_bytes == 16 ? 16 : reference::LanesAtOnce(element_bytes);
    case kQuarters: return element_bytes == 8 ? 8 : reference::LanesAtOnce(element_bytes);
    default: return reference::LanesAtOnce(element_bytes);
  }
}

/// What the lanes of one group want from each bank, as numbers: equal ones are wanted once.
struct Wanted {
  std::array<std::vector<int>, 32> of_bank;

  void Add(int bank, int wish, bool last_only) {
    std::vector<int>& wishes = of_bank[static_cast<std::size_t>(bank)];
    const bool known =
        last_only ? !wishes.empty() && wishes.back() == wish : std::ranges::count(wishes, wish) > 0;
    if (!known) wishes.push_back(wish);
  }

  int Summed(int version) const {
    int worst = 0, all = 0, used = 0, conflicting = 0;
    for (const std::vector<int>& wishes : of_bank) {
      const int count = static_cast<int>(wishes.size());
      worst = std::max(worst, count);
      all += count;
      used += count > 0 ? 1 : 0;
      conflicting += count > 1 ? 1 : 0;
    }
    switch (version) {
      case kAverage: return all / used;
      case kAllConflicts: return all - used + 1;
      case kConflictingBanks: return conflicting;
      case kUsedBanks: return used;
      default: return worst;
    }
  }
};

Wanted WantedBy(const WarpRequest& r, int first, int count, const Versions& versions) {
  const int same = versions[1], unit = versions[2], banks = versions[6] == 0 ? 32 : 16;
  const int covered = unit == kWords ? reference::BanksCovered(r.element_bytes) : 1;
  Wanted wanted;
  for (int lane = first; lane < first + count; ++lane) {
    const int address = r.address[lane];
    for (int k = 0; k < covered; ++k) {
      const int number = unit == kElements       ? address / r.element_bytes
                         : unit == kBytesOfBanks ? address
                                                 : address / 4 + k;
      int wish = number;
      if (same == kSameAddress) wish = address + 4 * k;
      if (same == kSameLane) wish = 4 * lane + k;
      if (same == kModulo64) wish = number / banks % 64;
      if (same == kModulo32) wish = number / banks % 32;
      wanted.Add(number % banks, wish, same == kSameAsLast);
    }
  }
  return wanted;
}

int DegreeBy(const WarpRequest& r, const Versions& versions) {
  const int count = LanesTogether(r.element_bytes, versions[0]);
  int degree = 0;
  for (int first = 0; first < 32; first += count) {
    const int own = std::max(WantedBy(r, first, count, versions).Summed(versions[3]), 1);
    switch (versions[4]) {
      case kAdded: degree += own; break;
      case kFirstGroup: degree = first == 0 ? own : degree; break;
      case kLastGroup: degree = own; break;
      default: degree = std::max(degree, own);
    }
  }
  return degree - (versions[5] != 0 ? 1 : 0);
}

int AddressOf(const Place& p) {
  return p.array.base + (p.row * p.array.pitch + p.column) * p.array.element_bytes;
}

}  // namespace

Banks RightBanks(const Place& p) {
  return {reference::BankOf(static_cast<std::uint32_t>(AddressOf(p))),
          reference::BanksCovered(p.array.element_bytes)};
}

std::string Describe(const Place& p) {
  const SharedArray& a = p.array;
  std::string text =
      TypeName(a.element_bytes) + " [" + std::to_string(p.row) + "][" + std::to_string(p.column) + "]";
  // Without a row before it, an element lies where it lies for any pitch.
  if (p.row != 0 || a.width != a.pitch) text += ", pitch " + std::to_string(a.pitch);
  if (a.width != a.pitch) text += ", width " + std::to_string(a.width);
  if (a.base != 0) text += ", base " + std::to_string(a.base);
  return text;
}

std::string Way(const Place& p) {
  return "element " + std::to_string(p.row * p.array.pitch + p.column) + ", byte " +
         std::to_string(AddressOf(p)) + ", word " + std::to_string(AddressOf(p) / 4);
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

// SPDX-License-Identifier: Apache-2.0
#include "reference/banks.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

namespace warplings::reference {
namespace {

using WordsByBank = std::array<std::set<std::uint32_t>, kBanks>;

/// The different words that the lanes first .. first + count - 1 want, by bank.
WordsByBank WordsWanted(const LaneAddresses& addresses, int first, int count, int element_bytes) {
  WordsByBank words;
  for (int lane = first; lane < first + count; ++lane) {
    const std::uint32_t start = addresses[static_cast<std::size_t>(lane)];
    for (int k = 0; k < BanksCovered(element_bytes); ++k) {
      const std::uint32_t byte = start + static_cast<std::uint32_t>(k * kBankBytes);
      words[static_cast<std::size_t>(BankOf(byte))].insert(byte / kBankBytes);
    }
  }
  return words;
}

}  // namespace

int BankOf(std::uint32_t address) {
  return static_cast<int>(address / kBankBytes % kBanks);
}

int BanksCovered(int element_bytes) {
  return std::max(element_bytes / kBankBytes, 1);
}

int LanesAtOnce(int element_bytes) {
  return kWarpLanes / BanksCovered(element_bytes);
}

BankUse UseOfBanks(const LaneAddresses& addresses, int element_bytes) {
  BankUse use;
  const int at_once = LanesAtOnce(element_bytes);
  for (int first = 0; first < kWarpLanes; first += at_once) {
    const WordsByBank words = WordsWanted(addresses, first, at_once, element_bytes);
    int worst = 0;
    for (std::size_t bank = 0; bank < words.size(); ++bank) {
      const int wanted = static_cast<int>(words[bank].size());
      worst = std::max(worst, wanted);
      if (wanted > use.degree) use.busiest_banks = 0;
      use.degree = std::max(use.degree, wanted);
      if (wanted == use.degree) use.busiest_banks |= std::uint32_t{1} << bank;
    }
    use.wavefronts += worst;
    use.conflicts += worst - 1;
  }
  return use;
}

LaneAddresses Strided(std::uint32_t base_bytes, std::uint32_t stride_bytes) {
  LaneAddresses addresses;
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) addresses[lane] = base_bytes + lane * stride_bytes;
  return addresses;
}

}  // namespace warplings::reference

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace warplings::reference {

/// Shared memory of every card since compute capability 5.0: successive 4-byte words lie in successive
/// banks (CUDA C++ Programming Guide, "Shared Memory" of each compute capability).
inline constexpr int kBanks = 32;
inline constexpr int kBankBytes = 4;
inline constexpr int kWarpLanes = 32;

/// Byte addresses of what the 32 lanes of one warp access with one instruction.
using LaneAddresses = std::array<std::uint32_t, kWarpLanes>;

/// The bank of the word that holds the byte at `address`.
int BankOf(std::uint32_t address);

/// How many banks an aligned element of 1, 2, 4, 8 or 16 bytes lies in.
int BanksCovered(int element_bytes);

/// Lanes whose accesses are served together: a warp for 4 bytes and less, half a warp for 8, a quarter
/// for 16. A pass of the banks moves 128 bytes, and that many lanes need 128 bytes.
int LanesAtOnce(int element_bytes);

/// What one request of a whole warp asks of the banks.
struct BankUse {
  int degree = 1;  ///< The x of "x-way conflict": words of one bank, in the worst group of lanes. 1: none.
  int wavefronts = 0;               ///< Passes in all: the sum of the groups' degrees.
  int conflicts = 0;                ///< Wavefronts beyond one for each group, as ncu counts them.
  std::uint32_t busiest_banks = 0;  ///< Bit b: bank b has `degree` words wanted from it by one group.
};

/// Lanes that want the same word are served by the same pass, whichever of its bytes they want. The
/// addresses are multiples of element_bytes, which is 1, 2, 4, 8 or 16. Held to the wavefronts measured on an
/// H200 and to the virtual GPU's counters by banks_test.cc. Lanes of *different* groups that want the same
/// word are counted for each group; what a card does there was not measured.
BankUse UseOfBanks(const LaneAddresses& addresses, int element_bytes);

/// Lane i at base + i * stride bytes.
LaneAddresses Strided(std::uint32_t base_bytes, std::uint32_t stride_bytes);

}  // namespace warplings::reference

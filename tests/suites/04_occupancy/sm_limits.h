// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "grader/device/device_profile.h"
#include "grader/device/occupancy.h"
#include "tests/suites/04_occupancy/messages.h"

namespace warplings {

/// In which portions registers and shared memory are given out.
struct Portions {
  int registers = 0, shared_bytes = 0;
};

/// A card's row as the contracts of this chapter say it; `Limits` is the SmLimits of one of them. In portions
/// of its own, or in those of its compute capability.
template <class Limits>
Limits LimitsOf(const DeviceProfile& card, const std::optional<Portions>& portions = std::nullopt) {
  const AllocationUnits units = AllocationUnitsOf(card);
  Limits limits = {};
  limits.max_threads = card.max_threads_per_multiprocessor;
  limits.max_blocks = card.max_blocks_per_multiprocessor;
  limits.max_threads_per_block = card.max_threads_per_block;
  limits.registers = card.registers_per_multiprocessor;
  limits.register_unit = static_cast<int>(units.registers_per_warp);
  limits.shared_bytes = static_cast<int>(card.shared_bytes_per_multiprocessor);
  limits.max_shared_bytes_per_block = static_cast<int>(card.shared_bytes_per_block_optin);
  limits.reserved_shared_bytes = static_cast<int>(card.reserved_shared_bytes_per_block);
  limits.shared_unit = static_cast<int>(units.shared_bytes);
  if (portions) {
    limits.register_unit = portions->registers;
    limits.shared_unit = portions->shared_bytes;
  }
  return limits;
}

/// What the cards that nobody sells have in place of an identifier; CardInWords() says them.
inline constexpr char kMadeUp[] = "made up", kMadeUpForTwoBlocks[] = "made up, two blocks",
                      kMadeUpForThousand[] = "made up, 1000 threads", kOfLittleShared[] = "a100, 8 KB";

/// A card that nobody sells, so that no answer can come from a table of cards: an A100 with three quarters of
/// the threads and registers, 20 blocks, and 100 KB (cuda_occupancy.h knows the sizes that an A100 can be set
/// to). Two things that are the same on all cards are different on this one: a block may have fewer than 1024
/// threads, and much less of the shared memory than the SM has.
inline DeviceProfile MadeUpCard() {
  DeviceProfile card = *FindDeviceProfile("a100");
  card.id = kMadeUp;
  card.max_threads_per_multiprocessor = 1536;
  card.max_blocks_per_multiprocessor = 20;
  card.registers_per_multiprocessor = card.registers_per_block = 49152;
  card.shared_bytes_per_multiprocessor = 100 * 1024;
  card.shared_bytes_per_block_optin = 64 * 1024;
  card.max_threads_per_block = 768;
  return card;
}

/// And one whose portions are others, too. All cards that are sold give out registers by 256, which are 8 for
/// each thread of a warp, and reserve whole portions of shared memory: whoever has the 8 built in, or adds
/// what is reserved after rounding up, is right on each of them. cuda_occupancy.h does not know such a card.
inline constexpr Portions kMadeUpPortions{.registers = 384, .shared_bytes = 1536};
inline DeviceProfile CardOfOtherPortions() {
  DeviceProfile card = MadeUpCard();
  card.reserved_shared_bytes_per_block = 700;
  return card;
}

/// What a question calls a card.
inline Message CardInWords(const DeviceProfile& card, const std::optional<Portions>& portions) {
  if (!portions) {
    if (card.id == kMadeUp) return say::card_made_up();
    if (card.id == kMadeUpForTwoBlocks) return say::card_for_two_blocks();
    if (card.id == kMadeUpForThousand) return say::card_for_thousand();
    if (card.id == kOfLittleShared) return say::card_of_little_shared();
    return say::card_by_name(card.id);
  }
  return say::card_with_portions(portions->registers, portions->shared_bytes,
                                 card.reserved_shared_bytes_per_block);
}

/// An A100 with so little shared memory (the least that it can be set to, and that cuda_occupancy.h knows)
/// that the kilobyte which each block takes for the driver is felt: eight of them.
inline DeviceProfile CardWithLittleSharedMemory() {
  DeviceProfile card = *FindDeviceProfile("a100");
  card.id = kOfLittleShared;
  card.shared_bytes_per_multiprocessor = 8 * 1024;
  card.shared_bytes_per_block = card.shared_bytes_per_block_optin = 7 * 1024;
  return card;
}

}  // namespace warplings

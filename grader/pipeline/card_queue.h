// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "grader/base/unique_fd.h"

namespace warplings {

/// The right to use one card alone; given back with the object, or with its process, however that ends.
class CardTurn {
 public:
  CardTurn() = default;
  CardTurn(UniqueFd lock, std::size_t card) : lock_(std::move(lock)), card_(card) {}
  std::size_t card() const { return card_; }  ///< Its place in the list that was asked for.

 private:
  UniqueFd lock_;
  std::size_t card_ = 0;
};

/// Lets all gradings on this machine, of all users, use its cards in turn: first come, first served. Whoever
/// waits has a ticket, a locked file, in the folder of each card that would do; the lock of a process that
/// dies goes with it, so that a dead one's ticket is seen as such, passed over and removed. One that is
/// suspended keeps its place, and is passed over until it goes on.
class CardQueue {
 public:
  /// `folder` is made if it is not there; every user of the machine may write to it.
  explicit CardQueue(std::filesystem::path folder) : folder_(std::move(folder)) {}
  /// The one that all use: below /run/lock, /dev/shm or /tmp, whichever can be written to.
  static CardQueue OfThisMachine();

  /// Waits for whichever of these cards is free first; `cards` names each by its place on the bus. Where no
  /// file can be made, only this process's own threads are kept apart.
  CardTurn Wait(const std::vector<std::string>& cards) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace warplings

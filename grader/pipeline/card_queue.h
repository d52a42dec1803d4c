// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "grader/base/unique_fd.h"

namespace warplings {

/// Exclusive use of one card. Ends with this object, or with the process, however that ends.
class CardTurn {
 public:
  CardTurn() = default;
  CardTurn(UniqueFd lock, std::size_t card) : lock_(std::move(lock)), card_(card) {}
  std::size_t card() const { return card_; }  ///< Index in the list passed to Wait().

 private:
  UniqueFd lock_;
  std::size_t card_ = 0;
};

/// Shares the machine's cards among all gradings of all users: first come, first served. A waiting process
/// holds a ticket, which is a locked file, in the folder of each card that it could use. The system releases
/// the lock of a process that dies, so the ticket of a dead process is recognised, skipped and removed. A
/// suspended process keeps its place, but is skipped until it continues.
class CardQueue {
 public:
  /// `folder` is created if necessary; every user of the machine may write to it.
  explicit CardQueue(std::filesystem::path folder) : folder_(std::move(folder)) {}
  /// The queue that all gradings use: below /run/lock, /dev/shm or /tmp, the first that is writable.
  static CardQueue OfThisMachine();

  /// Waits until one of these cards is free. `cards` names each card by its PCI bus id. If no file can be
  /// created, cards are shared only among the threads of this process.
  CardTurn Wait(const std::vector<std::string>& cards) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace warplings

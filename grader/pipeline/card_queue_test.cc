// SPDX-License-Identifier: Apache-2.0
// The cards here are only names: the tests are about who may use them, and when.
#include "grader/pipeline/card_queue.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <fstream>
#include <mutex>
#include <optional>
#include <thread>

#include "grader/pipeline/check_many.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class CardQueueTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "warplings-cards-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    base_ = name;
  }
  void TearDown() override { fs::remove_all(base_); }

  CardQueue Queue() const { return CardQueue(base_ / "cards"); }

  std::size_t Tickets(const std::string& card) const {
    std::size_t count = 0;
    std::error_code error;
    for (fs::directory_iterator entry(base_ / "cards" / card, error), end; !error && entry != end;
         entry.increment(error)) {
      count += entry->path().filename().string().starts_with("ticket-");
    }
    return count;
  }
  void WaitForTickets(const std::string& card, std::size_t count) const {
    for (int i = 0; i < 500 && Tickets(card) != count; ++i) std::this_thread::sleep_for(10ms);
    ASSERT_EQ(Tickets(card), count);
  }

  /// A process that holds the card, or waits for it, until it is killed.
  pid_t Occupant() const {
    const pid_t child = ::fork();
    if (child != 0) return child;
    const CardTurn turn = Queue().Wait({"a"});
    std::ofstream(base_ / "holds") << ::getpid() << std::flush;
    ::sleep(60);
    ::_exit(0);
  }
  static void Kill(pid_t child) {
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
  void WaitForFile(const char* name) const {
    for (int i = 0; i < 500 && !fs::exists(base_ / name); ++i) std::this_thread::sleep_for(10ms);
    ASSERT_TRUE(fs::exists(base_ / name));
  }

  fs::path base_;
};

TEST_F(CardQueueTest, OneAtATime) {
  std::atomic<int> inside = 0, most = 0, turns = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&] {
        const CardTurn turn = Queue().Wait({"a"});
        most = std::max(most.load(), ++inside);
        std::this_thread::sleep_for(5ms);
        --inside;
        ++turns;
      });
    }
  }
  EXPECT_EQ(most, 1);
  EXPECT_EQ(turns, 8);
  EXPECT_EQ(Tickets("a"), 0u);
}

TEST_F(CardQueueTest, FirstComeFirstServed) {
  std::optional<CardTurn> held = Queue().Wait({"a"});
  std::mutex mutex;
  std::vector<int> order;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 6; ++i) {
      threads.emplace_back([&, i] {
        const CardTurn turn = Queue().Wait({"a"});
        const std::lock_guard lock(mutex);
        order.push_back(i);
      });
      WaitForTickets("a", static_cast<std::size_t>(i + 1));
    }
    held.reset();
  }
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4, 5}));
}

TEST_F(CardQueueTest, TheCardOfADeadProcessIsFree) {
  const pid_t holder = Occupant();
  WaitForFile("holds");
  const pid_t waiting = Occupant();
  WaitForTickets("a", 1);
  Kill(waiting);  // Its ticket stays, and is the first in line.
  EXPECT_EQ(Tickets("a"), 1u);
  Kill(holder);
  const CardTurn turn = Queue().Wait({"a"});
  EXPECT_EQ(Tickets("a"), 0u);
}

TEST_F(CardQueueTest, WhoeverIsSuspendedInTheLineHoldsNobody) {
  const pid_t holder = Occupant();
  WaitForFile("holds");
  fs::remove(base_ / "holds");
  const pid_t waiting = Occupant();
  WaitForTickets("a", 1);
  ::kill(waiting, SIGSTOP);
  ASSERT_EQ(::waitpid(waiting, nullptr, WUNTRACED), waiting);
  Kill(holder);
  std::optional<CardTurn> held = Queue().Wait({"a"});
  EXPECT_EQ(Tickets("a"), 1u) << "it has kept its place";
  EXPECT_FALSE(fs::exists(base_ / "holds"));
  ::kill(waiting, SIGCONT);
  held.reset();
  WaitForFile("holds");
  Kill(waiting);
}

/// A class of 60 on four cards, two at a time are compiled. The first hangs on its card until all others are
/// done, every seventh is slow; another grading, a process of its own, uses two of the cards.
TEST_F(CardQueueTest, OneThatHangsOnItsCardHoldsNoneOfTheOthers) {
  const std::vector<std::string> cards = {"0000:01:00.0", "0000:41:00.0", "0001:01:00.0", "0001:01:00.1"};
  const pid_t other = ::fork();
  if (other == 0) {
    for (int i = 0; i < 20; ++i) {
      const CardTurn turn = Queue().Wait({cards[1], cards[2]});
      std::this_thread::sleep_for(2ms);
    }
    ::_exit(0);
  }
  constexpr std::size_t kJobs = 60;
  std::atomic<std::size_t> done = 0;
  std::atomic<bool> hangs = false, gave_up = false;
  std::array<std::atomic<int>, 4> inside{}, served{};
  std::size_t hung_on = cards.size();
  RunJobs(
      kJobs, 2, 16, [] { return false; },
      [&](std::size_t job, const std::function<void()>& leave) {
        // The first has its card before anybody else asks for one.
        while (job != 0 && !hangs) std::this_thread::sleep_for(1ms);
        leave();
        const CardTurn turn = Queue().Wait(cards);
        const std::size_t card = turn.card();
        EXPECT_EQ(++inside[card], 1) << cards[card];
        ++served[card];
        if (job == 0) {
          hung_on = card;
          hangs = true;
          const auto end = std::chrono::steady_clock::now() + 60s;
          while (done + 1 < kJobs && !gave_up) {
            std::this_thread::sleep_for(1ms);
            gave_up = std::chrono::steady_clock::now() > end;
          }
        } else {
          std::this_thread::sleep_for(job % 7 == 0 ? 120ms : 50ms);
        }
        --inside[card];
        ++done;
      });
  EXPECT_FALSE(gave_up) << "the one that hangs has held the others";
  EXPECT_EQ(done, kJobs);
  for (std::size_t card = 0; card < cards.size(); ++card) {
    if (card == hung_on) {
      EXPECT_EQ(served[card], 1) << cards[card];
    } else {
      EXPECT_GT(served[card], 1) << cards[card] << " was not used beside the others";
    }
  }
  int status = 0;
  ASSERT_EQ(::waitpid(other, &status, 0), other);
  EXPECT_EQ(status, 0);
  for (const std::string& card : cards) EXPECT_EQ(Tickets(card), 0u) << card;
}

TEST_F(CardQueueTest, AHeldCardHoldsNoOther) {
  const CardTurn slow = Queue().Wait({"a", "b"});
  const CardTurn next = Queue().Wait({"a", "b"});
  EXPECT_NE(slow.card(), next.card());
  // A third waits for whichever is free first.
  std::atomic<bool> served = false;
  std::optional<CardTurn> other = Queue().Wait({"c"});
  std::jthread third([&] {
    const CardTurn turn = Queue().Wait({"a", "b", "c"});
    EXPECT_EQ(turn.card(), 2u);
    served = true;
  });
  WaitForTickets("b", 1);
  EXPECT_FALSE(served);
  other.reset();
  third.join();
  EXPECT_TRUE(served);
  EXPECT_EQ(Tickets("a") + Tickets("b") + Tickets("c"), 0u);
}

TEST_F(CardQueueTest, WithoutAFolderThreadsAreStillKeptApart) {
  const CardQueue nowhere(base_ / "absent" / "cards");
  std::atomic<int> inside = 0, most = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        const CardTurn turn = nowhere.Wait({"z"});
        most = std::max(most.load(), ++inside);
        std::this_thread::sleep_for(5ms);
        --inside;
      });
    }
  }
  EXPECT_EQ(most, 1);
}

TEST_F(CardQueueTest, TheFolderServesEveryUser) {
  const CardTurn turn = Queue().Wait({"0000:01:00.0"});
  struct stat status {};
  ASSERT_EQ(::stat((base_ / "cards" / "0000:01:00.0").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 01777u);
  ASSERT_EQ(::stat((base_ / "cards" / "0000:01:00.0" / "lock").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0444, 0444u);
}

}  // namespace
}  // namespace warplings

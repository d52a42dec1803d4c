// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 4's pick_device: one test a machine, asked for programs of several sizes.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/chapters/04_occupancy/device_answers.h"

namespace warplings::pick_device {
namespace {

std::vector<Asked<Question, int>>& AllAnswers() {
  static std::vector<Asked<Question, int>> all;
  return all;
}

class PickDevice : public testing::Test {
 protected:
  void Ask(const std::string& title, const std::vector<std::string>& ids) {
    Interview interview(title);
    Ask(interview, ids);
    Finish(interview);
  }

  void Ask(Interview& interview, const std::vector<std::string>& ids) {
    Session().UseDevices(SpecOf(Machine(ids, 0)));
    for (const std::uint64_t bytes : Sizes()) {
      const Question q = Machine(ids, bytes);
      const auto answer = interview.Ask<int>(static_cast<unsigned long long>(bytes));
      AllAnswers().push_back({q, answer, RunningTest()});
      if (!answer) continue;
      const int right = BestDevice(q);
      interview.Compare(*answer == right, InWords(q), InWords(q, right), InWords(q, *answer));
    }
  }

  void Finish(Interview& interview) {
    interview.Finish("List memory, multiprocessors times clock, and integrated or not, for each device.");
  }
};

TEST_F(PickDevice, OneCard) {
  Ask("an A100 alone", Machines()[0]);
}

TEST_F(PickDevice, IntegratedAlone) {
  Ask("an integrated device alone: better than none", Machines()[1]);
}

TEST_F(PickDevice, IntegratedComesFirst) {
  Ask("an integrated device before a T4 and an A100", Machines()[2]);
}

TEST_F(PickDevice, IntegratedComesLast) {
  Ask("the same the other way round", Machines()[3]);
}

TEST_F(PickDevice, NewestIsNotFastest) {
  Ask("an RTX 3060 is newer than a V100, an integrated device newer than both", Machines()[4]);
}

TEST_F(PickDevice, FewerButFasterMultiprocessors) {
  Ask("an H200 has more multiprocessors than an RTX 4090, and a slower clock", Machines()[5]);
}

TEST_F(PickDevice, EqualCycles) {
  Ask("H100 and H200 differ in memory only", Machines()[6]);
}

TEST_F(PickDevice, MostMemory) {
  Ask("a B200 has the most memory, an RTX 4090 the fastest clock", Machines()[7]);
}

TEST_F(PickDevice, Twins) {
  Ask("two pairs of equal cards: the lower number", Machines()[8]);
}

TEST_F(PickDevice, AnIntegratedDeviceMayBeFast) {
  Ask("an integrated GB10 has more cycles than a T4 and an RTX 3060 beside it", Machines()[9]);
}

TEST_F(PickDevice, ClocksInKilohertz) {
  Interview interview("two GTX 1080 whose clocks differ by 500 or 1000 kHz");
  for (const std::size_t machine : {10, 11, 12, 13, 14}) Ask(interview, Machines()[machine]);
  Finish(interview);
}

/// Whoever counts a card's own kind as so many cycles finds too few of them here.
TEST_F(PickDevice, AnIntegratedDeviceHasThriceTheCycles) {
  Interview interview("an integrated device has 3 or 600 times the cycles of the GTX 1080 beside it");
  for (const std::size_t machine : {15, 17, 18}) Ask(interview, Machines()[machine]);
  Finish(interview);
}

TEST_F(PickDevice, EightDevices) {
  Ask("eight devices, each with more cycles than the one before", Machines()[16]);
}

TEST_F(PickDevice, EveryOrder) {
  Interview interview(
      "a GB10, which is integrated, a GTX 1080, an RTX 3060 and a T4 in each of their 24 orders");
  for (const std::vector<std::string>& ids : Orders()) Ask(interview, ids);
  Finish(interview);
}

/// Four of the cards in a random order.
TEST_F(PickDevice, AnyMachine) {
  RandomValues random = TestRandom();
  std::vector<std::string> ids;
  for (int i = 0; i < 4; ++i) {
    ids.push_back(DeviceProfiles()[random.Below(DeviceProfiles().size())].id);
  }
  Ask("a random machine: " + InWords(Machine(ids, 0)).substr(0, InWords(Machine(ids, 0)).find(':')), ids);
}

const bool explains = ExplainWith([] { return AdviseFirstOfWrong(Advise(AllAnswers())); });

const bool recognises = RecogniseWith([] { return Recognise(AllAnswers()); });

}  // namespace
}  // namespace warplings::pick_device

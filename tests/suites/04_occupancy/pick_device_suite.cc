// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 4's pick_device: one test a machine, asked for programs of several sizes.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/suites/04_occupancy/device_answers.h"
#include "tests/suites/04_occupancy/messages.h"

namespace warplings::pick_device {
namespace {

std::vector<Asked<Question, int>>& AllAnswers() {
  static std::vector<Asked<Question, int>> all;
  return all;
}

class PickDevice : public testing::Test {
 protected:
  void Ask(const Message& title, const std::vector<std::string>& ids) {
    Interview interview(title);
    Ask(interview, ids);
    Finish(interview);
  }

  void Ask(Interview& interview, const std::vector<std::string>& ids) {
    Session().UseDevices(SpecOf(Machine(ids, 0)));
    for (const std::uint64_t bytes : Sizes()) {
      const Question q = Machine(ids, bytes);
      const auto answer = interview.Ask<int>(InWords(q), static_cast<unsigned long long>(bytes));
      AllAnswers().push_back({q, answer, RunningTest()});
      if (!answer) continue;
      const int right = BestDevice(q);
      interview.Compare(*answer == right, InWords(q), InWords(q, right), InWords(q, *answer),
                        NumbersOf(q, right, *answer));
    }
  }

  void Finish(Interview& interview) { interview.Finish(say::device_list()); }
};

TEST_F(PickDevice, OneCard) {
  Ask(say::device_one_card(), Machines()[0]);
}

TEST_F(PickDevice, IntegratedAlone) {
  Ask(say::device_integrated_alone(), Machines()[1]);
}

TEST_F(PickDevice, IntegratedComesFirst) {
  Ask(say::device_integrated_first(), Machines()[2]);
}

TEST_F(PickDevice, IntegratedComesLast) {
  Ask(say::device_integrated_last(), Machines()[3]);
}

TEST_F(PickDevice, NewestIsNotFastest) {
  Ask(say::device_newest(), Machines()[4]);
}

TEST_F(PickDevice, FewerButFasterMultiprocessors) {
  Ask(say::device_faster_clock(), Machines()[5]);
}

TEST_F(PickDevice, EqualCycles) {
  Ask(say::device_equal_cycles(), Machines()[6]);
}

TEST_F(PickDevice, MostMemory) {
  Ask(say::device_most_memory(), Machines()[7]);
}

TEST_F(PickDevice, Twins) {
  Ask(say::device_twins(), Machines()[8]);
}

TEST_F(PickDevice, AnIntegratedDeviceMayBeFast) {
  Ask(say::device_fast_integrated(), Machines()[9]);
}

TEST_F(PickDevice, ClocksInKilohertz) {
  Interview interview(say::device_close_clocks(1000));
  for (const std::size_t machine : {10, 11, 12, 13, 14}) Ask(interview, Machines()[machine]);
  Finish(interview);
}

/// Whoever counts a card's own kind as so many cycles finds too few of them here.
TEST_F(PickDevice, AnIntegratedDeviceHasThriceTheCycles) {
  Interview interview(say::device_many_cycles());
  for (const std::size_t machine : {15, 17, 18}) Ask(interview, Machines()[machine]);
  Finish(interview);
}

TEST_F(PickDevice, EightDevices) {
  Ask(say::device_eight(), Machines()[16]);
}

TEST_F(PickDevice, EveryOrder) {
  Interview interview(say::device_every_order());
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
  Ask(say::device_random(DevicesInWords(Machine(ids, 0))), ids);
}

const bool graded =
    GradedBy({.shared = HostGrading(),
              .header = {"The right device is chosen on every machine and for every `bytes`."},
              .page = {}});

const bool explains = ExplainWith([] { return AdviseFirstOfWrong(Advise(AllAnswers())); });

const bool states_facts = StateFactsWith([] { return FactsOf(AllAnswers()); });

}  // namespace
}  // namespace warplings::pick_device

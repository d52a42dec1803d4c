// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/04_occupancy/device_answers.h"

#include <algorithm>
#include <span>

#include "tests/suites/04_occupancy/messages.h"

namespace warplings::pick_device {
namespace {

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

using Profile = DeviceProfile;

/// Of all multiprocessors, in a millisecond. No throughput: a T4 has more of them than an RTX 3060, and half
/// the lanes in each multiprocessor.
std::int64_t Cycles(const Profile& device) {
  return std::int64_t{device.multiprocessors} * device.clock_khz;
}

using step_search::Versions;

// Steps and their versions; 0 is the right one.
enum Step { kLookedAt, kMemory, kKind, kRank, kEquals, kNone, kKept, kSteps };
enum LookedAt {
  kEach,
  kFirstAlone,
  kFromOne,
  kWithoutLast,
  kTwo,
  kThree,
  kFour,
  kFirstIfEnough,
  kFirstUnasked,
  kOnlyOneUnasked
};
enum Memory {
  kAtLeast,
  kInInt,
  kInIntAgainstUnsigned,
  kNotAsked,
  kInGiB,
  kInMiB,
  kInGB,
  kMoreThan,
  kInUnsigned,
  kBothInUnsigned,
  kOfDeviceZero
};
enum Kind {
  kOwnFirst,
  kNever,
  kIgnored,
  kOneReason,
  kIntegratedFirst,
  kNeverBesideACard,
  kHalfOfCycles,
  kBonus,
  kCardNeedsCycles
};
enum Rank {
  kCycles,
  kNewest,
  kNewestAlone,
  kMultiprocessors,
  kMultiprocessorsAlone,
  kMostMemory,
  kMostMemoryAlone,
  kFirstStays,
  kClock,
  kLeastMemory,
  kFewestCycles,
  kLanes,
  kThreads,
  kWholeMHz,
  kNearestMHz,
  kCoarseUnit,
  kHertzInInt,
  kMemoryClock,
  kNotCompared,
  kMemoryThenCycles
};
enum Equals { kFirst, kLast, kMoreMemory };
enum None { kMinusOne, kDeviceZero, kNumberOfDevices };

const std::vector<step_search::Step> kDeviceSteps = {
    {{"first_device", say::step_device_zero()},
     {"another_step", say::step_zero_passed_over()},
     {"another_step", say::step_last_passed_over()},
     {"another_step", say::step_first_two()},
     {"another_step", say::step_first_three()},
     {"another_step", say::step_first_four()},
     {"first_device", say::step_zero_if_enough()},
     {"another_step", say::step_zero_to_begin_with()},
     {"another_step", say::step_only_one_unasked()}},
    {{"memory_in_an_int", say::step_memory_in_int()},
     {"memory_in_an_int", say::step_memory_in_int_and_unsigned()},
     {"memory_not_asked", say::step_memory_not_asked()},
     {"another_step", say::step_memory_in_gib()},
     {"another_step", say::step_memory_in_mib()},
     {"another_step", say::step_memory_in_gb()},
     {"another_step", say::step_more_memory_asked()},
     {"memory_in_an_int", say::step_memory_in_unsigned()},
     {"memory_in_an_int", say::step_both_in_unsigned()},
     {"another_step", say::step_memory_of_device_zero()}},
    {{"integrated_never", say::step_integrated_left_out()},
     {"cycles_before_kind", say::step_kind_not_asked()},
     {"cycles_before_kind", say::step_one_reason()},
     {"another_step", say::step_integrated_first()},
     {"another_step", say::step_integrated_left_out_beside()},
     {"another_step", say::step_half_of_cycles()},
     {"another_step", say::step_bonus_of_card()},
     {"cycles_before_kind", say::step_card_needs_cycles()}},
    {{"newest_is_fastest", say::step_newest()},
     {"newest_is_fastest", say::step_newest_alone()},
     {"clock_ignored", say::step_multiprocessors()},
     {"clock_ignored", say::step_multiprocessors_alone()},
     {"most_memory", say::step_most_memory()},
     {"most_memory", say::step_most_memory_alone()},
     {"first_device", say::step_first_of_use()},
     {"another_step", say::step_clock()},
     {"another_step", say::step_least_memory()},
     {"another_step", say::step_fewest_cycles()},
     {"another_step", say::step_lanes()},
     {"another_step", say::step_thread_slots()},
     {"clock_cut_off", say::step_whole_mhz()},
     {"clock_cut_off", say::step_nearest_mhz()},
     {"clock_cut_off", say::step_coarse_unit()},
     {"another_step", say::step_hertz_in_int()},
     {"another_step", say::step_memory_clock()},
     {"first_device", say::step_first_of_kind()},
     {"most_memory", say::step_memory_then_cycles()}},
    {{"later_of_equals", say::step_last_of_equals()}, {"another_step", say::step_more_memory_of_equals()}},
    {{"another_step", say::step_zero_for_none()}, {"another_step", say::step_number_for_none()}},
    {{"another_step", say::step_cycles_kept()}}};

bool IsEnough(const Profile& device, std::uint64_t bytes, int version) {
  constexpr std::uint64_t kMiB = 1 << 20, kGB = 1'000'000'000;
  const std::uint64_t memory = device.global_memory_bytes;
  const auto as_int = static_cast<std::int32_t>(static_cast<std::uint32_t>(memory));
  switch (version) {
    case kInInt: return as_int >= static_cast<std::int64_t>(bytes);
    // `bytes` is unsigned, as the parameter is: a negative number then counts as a huge one.
    case kInIntAgainstUnsigned: return static_cast<std::uint64_t>(std::int64_t{as_int}) >= bytes;
    case kNotAsked: return true;
    case kInGiB: return memory / kGiB >= bytes / kGiB;
    case kInMiB: return memory / kMiB >= bytes / kMiB;
    case kInGB: return memory / kGB >= bytes / kGB;
    case kBothInUnsigned: return static_cast<std::uint32_t>(memory) >= static_cast<std::uint32_t>(bytes);
    case kMoreThan: return memory > bytes;
    case kInUnsigned: return static_cast<std::uint32_t>(memory) >= bytes;
    default: return memory >= bytes;
  }
}

/// FP32 lanes of a multiprocessor (CUDA Programming Guide, "Throughput of Native Arithmetic Instructions"),
/// as far back as the cards in the list go.
int LanesOf(const Profile& device) {
  return device.major == 7 || (device.major == 8 && device.minor == 0) ? 64 : 128;
}

std::int64_t RankOf(const Profile& device, int version) {
  switch (version) {
    case kNewest:
    case kNewestAlone: return 10 * device.major + device.minor;
    case kMultiprocessors:
    case kMultiprocessorsAlone: return device.multiprocessors;
    case kMostMemory:
    case kMostMemoryAlone: return static_cast<std::int64_t>(device.global_memory_bytes);
    case kFirstStays:
    case kNotCompared: return 0;
    case kMemoryThenCycles: {
      // Cycles are below 2^30, and memory is a multiple of a MiB: both in one number.
      return (static_cast<std::int64_t>(device.global_memory_bytes >> 20) << 32) + Cycles(device);
    }
    case kClock: return device.clock_khz;
    case kLeastMemory: return -static_cast<std::int64_t>(device.global_memory_bytes);
    case kFewestCycles: return -Cycles(device);
    case kLanes: return Cycles(device) * LanesOf(device);
    case kThreads: return Cycles(device) * device.max_threads_per_multiprocessor;
    case kWholeMHz: return std::int64_t{device.multiprocessors} * (device.clock_khz / 1000);
    case kNearestMHz: return std::int64_t{device.multiprocessors} * ((device.clock_khz + 500) / 1000);
    case kCoarseUnit: return std::int64_t{device.multiprocessors} * (device.clock_khz / 1'000'000);
    case kHertzInInt:
      return std::int64_t{device.multiprocessors} *
             static_cast<std::int32_t>(static_cast<std::uint32_t>(device.clock_khz) * 1000);
    case kMemoryClock: return std::int64_t{device.multiprocessors} * device.memory_clock_khz;
    default: return Cycles(device);
  }
}

/// Stands for any that is more than the cycles of devices that are sold.
constexpr std::int64_t kBonusOfACard = 1'000'000'000;

/// Whether a device takes the place of the best so far, which is taken to rank like `ranked`.
bool IsBetter(const Profile& device, const Profile& best, const Profile& ranked, const Versions& v) {
  const std::int64_t own = RankOf(device, v[kRank]), former = RankOf(ranked, v[kRank]);
  if (v[kKind] == kHalfOfCycles && device.integrated != best.integrated)
    return device.integrated ? own > 2 * former : 2 * own > former;
  if (v[kKind] == kBonus && device.integrated != best.integrated)
    return device.integrated ? own > former + kBonusOfACard : own + kBonusOfACard > former;
  const bool ahead = v[kEquals] == kLast ||
                     (v[kEquals] == kMoreMemory && device.global_memory_bytes > best.global_memory_bytes);
  const bool more = own > former || (own == former && ahead);
  const bool rank_alone = v[kRank] == kNewestAlone || v[kRank] == kMultiprocessorsAlone ||
                          v[kRank] == kMostMemoryAlone || v[kRank] == kFirstStays;
  if (rank_alone || v[kKind] == kIgnored || device.integrated == best.integrated) return more;
  if (v[kKind] == kOneReason) return best.integrated || more;
  if (v[kKind] == kCardNeedsCycles) return best.integrated && more;
  return v[kKind] == kIntegratedFirst ? device.integrated : best.integrated;
}

/// `walk`, if there is one, gets each device that is the best so far, up to the answer.
int DeviceBy(const Question& q, const Versions& v, std::vector<int>* walk) {
  const int count = static_cast<int>(q.devices.size()), looked_at = v[kLookedAt];
  int end = count - (looked_at == kWithoutLast ? 1 : 0);
  if (looked_at == kFirstIfEnough) end = std::min(end, 1);
  if (looked_at >= kTwo && looked_at <= kFour) end = std::min(end, looked_at - kTwo + 2);
  if (v[kLookedAt] == kFirstAlone || (v[kLookedAt] == kOnlyOneUnasked && count == 1)) return 0;
  const bool any_card = !std::ranges::all_of(q.devices, &Profile::integrated);
  const auto device_of = [&](int i) -> const Profile& { return *q.devices[static_cast<std::size_t>(i)]; };
  const bool any_enough = std::ranges::any_of(
      q.devices, [&](const Profile* each) { return IsEnough(*each, q.bytes, v[kMemory]); });
  int best = looked_at == kFirstUnasked && any_enough ? 0 : -1, ranked = best;
  if (walk != nullptr && best >= 0) walk->push_back(best);
  for (int i = looked_at == kFromOne ? 1 : 0; i < end; ++i) {
    const Profile& device = device_of(i);
    const bool left_out = v[kKind] == kNever || (v[kKind] == kNeverBesideACard && any_card);
    const Profile& asked = v[kMemory] == kOfDeviceZero ? device_of(0) : device;
    if (!IsEnough(asked, q.bytes, v[kMemory]) || (left_out && device.integrated)) continue;
    if (best >= 0 && !IsBetter(device, device_of(best), device_of(ranked), v)) continue;
    const bool is_kept = v[kKept] != 0 && best >= 0 && device_of(best).integrated && !device.integrated;
    if (!is_kept) ranked = i;
    best = i;
    if (walk != nullptr) walk->push_back(i);
  }
  if (best >= 0) return best;
  return v[kNone] == kDeviceZero ? 0 : v[kNone] == kNumberOfDevices ? count : -1;
}

int AnswerBy(const Question& q, const Versions& v) {
  return DeviceBy(q, v, nullptr);
}

/// What came of it for that question that an integrated device took a card's place.
Message WhoReplacesWhom(const Question& q, const Versions& v) {
  std::vector<int> best;
  DeviceBy(q, v, &best);
  const auto device_of = [&](std::size_t i) -> const Profile& {
    return *q.devices[static_cast<std::size_t>(best[i])];
  };
  std::string devices;
  for (const Profile* each : q.devices) devices += (devices.empty() ? "" : ", ") + each->id;
  for (std::size_t i = 1; i < best.size(); ++i) {
    const Profile& card = device_of(i - 1);
    const Profile& integrated = device_of(i);
    if (card.integrated || !integrated.integrated) continue;
    if (i + 1 == best.size()) return say::step_one_reason_integrated(integrated.id, card.id, devices);
    const Profile& last = device_of(i + 1);
    const bool is_worse = !last.integrated && Cycles(last) < Cycles(card);
    if (is_worse && i + 2 == best.size())
      return say::step_one_reason_card(integrated.id, card.id, last.id, devices);
  }
  return say::step_one_reason();
}

int OfUse(const Question& q) {
  return static_cast<int>(std::ranges::count_if(
      q.devices, [&](const Profile* device) { return device->global_memory_bytes >= q.bytes; }));
}

bool AnyIntegrated(const Question& q) {
  return std::ranges::any_of(q.devices, &Profile::integrated);
}

/// Another device of use has more cycles than the right one.
bool IsSlowerThanAnother(const Question& q) {
  const int right = BestDevice(q);
  return right >= 0 && std::ranges::any_of(q.devices, [&](const Profile* device) {
           return device->global_memory_bytes >= q.bytes &&
                  Cycles(*device) > Cycles(*q.devices[static_cast<std::size_t>(right)]);
         });
}

bool HasTwins(const Question& q) {
  const int right = BestDevice(q);
  return right >= 0 && std::ranges::count(q.devices, q.devices[static_cast<std::size_t>(right)]) > 1;
}

std::vector<step_search::Trait<Question>> TraitsOfMachines() {
  return {
      {say::where_none_is_enough(), [](const Question& q) { return OfUse(q) == 0; }},
      {say::where_one_is_enough(), [](const Question& q) { return OfUse(q) == 1; }},
      {say::where_several_are_enough(), [](const Question& q) { return OfUse(q) > 1; }},
      {say::where_some_is_too_small(), [](const Question& q) { return OfUse(q) < std::ssize(q.devices); }},
      {say::of_machines_with_integrated(), AnyIntegrated},
      {say::of_machines_without_integrated(), [](const Question& q) { return !AnyIntegrated(q); }},
      {say::where_integrated_is_faster(), IsSlowerThanAnother},
      {say::where_right_is_twice(), HasTwins},
      {say::where_zero_is_too_small(),
       [](const Question& q) { return q.devices.front()->global_memory_bytes < q.bytes; }},
      {say::where_zero_is_integrated(), [](const Question& q) { return q.devices.front()->integrated; }},
      {say::where_right_is_not_zero(), [](const Question& q) { return BestDevice(q) > 0; }},
      {say::where_right_is_zero(), [](const Question& q) { return BestDevice(q) == 0; }}};
}

/// Of a list, each its own argument: how many they are tells how simple a question is.
Message NamesOf(std::span<const Profile* const> devices) {
  const auto name = [&](std::size_t i) { return say::Name(devices[i]->id); };
  switch (devices.size()) {
    case 1: return say::one_device(name(0));
    case 2: return say::two_devices(name(0), name(1));
    case 3: return say::three_devices(name(0), name(1), name(2));
    case 4: return say::four_devices(name(0), name(1), name(2), name(3));
    default: return say::more_devices(NamesOf(devices.first(4)), NamesOf(devices.subspan(4)));
  }
}

}  // namespace

Question Machine(const std::vector<std::string>& ids, std::uint64_t bytes) {
  Question question;
  for (const std::string& id : ids) question.devices.push_back(FindDeviceProfile(id));
  question.bytes = bytes;
  return question;
}

int BestDevice(const Question& q) {
  return AnswerBy(q, Device().Right());
}

const step_search::Calculation<Question, int>& Device() {
  static const step_search::Calculation<Question, int> calculation = {kDeviceSteps, AnswerBy};
  return calculation;
}

std::string SpecOf(const Question& q) {
  std::string spec;
  for (const Profile* device : q.devices) spec += (spec.empty() ? "virtual:" : ",") + device->id;
  return spec;
}

Message DevicesInWords(const Question& q) {
  return NamesOf(q.devices);
}

Message InWords(const Question& q) {
  const bool is_whole = q.bytes % kGiB == 0;
  return say::devices_for_bytes({q.devices.size(), "device"}, DevicesInWords(q),
                                is_whole ? say::size_in_gib(q.bytes / kGiB) : say::size_in_bytes(q.bytes));
}

Message InWords(const Question& q, int device) {
  if (device == -1) return say::device_none();
  const bool known = device >= 0 && static_cast<std::size_t>(device) < q.devices.size();
  return known ? say::device_answer(device, q.devices[static_cast<std::size_t>(device)]->id)
               : say::device_no_such(device);
}

Message NumbersOf(const Question& q, int device, int other) {
  const auto numbers = [&](int i) {
    const Profile& profile = *q.devices[static_cast<std::size_t>(i)];
    // In the same unit as what is needed.
    const std::uint64_t bytes = profile.global_memory_bytes;
    const bool is_whole = q.bytes % kGiB == 0 && bytes % kGiB == 0;
    const Message memory = is_whole ? say::size_in_gib(bytes / kGiB) : say::size_in_bytes(bytes);
    return profile.integrated
               ? say::integrated_device_numbers(profile.id, memory, profile.multiprocessors,
                                                profile.clock_khz)
               : say::device_numbers(profile.id, memory, profile.multiprocessors, profile.clock_khz);
  };
  const auto is_known = [&](int i) { return i >= 0 && i < std::ssize(q.devices); };
  if (is_known(device) && is_known(other)) return say::numbers_of_two(numbers(device), numbers(other));
  return is_known(device) ? numbers(device) : is_known(other) ? numbers(other) : Message();
}

std::vector<std::vector<std::string>> Machines() {
  return {{"a100"},
          {"orin"},
          {"orin", "t4", "a100"},
          {"a100", "t4", "orin"},
          {"t4", "rtx3060", "v100", "orin"},
          {"h200", "rtx4090"},
          {"t4", "h100", "h200", "a100"},
          {"rtx4090", "b200", "h200", "orin"},
          {"t4", "t4", "v100", "v100"},
          {"t4", "gb10", "rtx3060", "orin"},
          {"gtx1080_1733", "gtx1080"},
          {"gtx1080", "gtx1080_1734"},
          {"gtx1080_1733", "gtx1080_1734"},
          {"gtx1080", "gtx1080_1733"},
          {"gtx1080_1734", "gtx1080"},
          {"gb10", "gtx1080"},
          {"orin", "rtx3060", "t4", "v100", "a100", "h100", "b200", "rtx4090"},
          {"integrated_large", "gtx1080"},
          {"gtx1080", "integrated_large"}};
}

std::vector<std::vector<std::string>> Orders() {
  std::vector<std::string> ids = {"gb10", "gtx1080", "rtx3060", "t4"};
  std::vector<std::vector<std::string>> all;
  do all.push_back(ids);
  while (std::ranges::next_permutation(ids).found);
  return all;
}

std::vector<std::uint64_t> Sizes() {
  // A little more than a T4 has: by a byte, by half a GiB (within the same GiB and the same GB), and by
  // nearly one.
  return {0,
          1 * kGiB,
          8 * kGiB,
          14 * kGiB,
          15 * kGiB,
          15 * kGiB + 1,
          15 * kGiB + kGiB / 2,
          15 * kGiB + kGiB / 8 * 7,
          20 * kGiB,
          30 * kGiB,
          60 * kGiB,
          150 * kGiB,
          400 * kGiB};
}

Message Advise(const std::vector<Asked<Question, int>>& all) {
  const Message shared =
      step_search::WhatWrongOnesShare(TraitsOfMachines(), Given(all), BestDevice, std::equal_to<>(),
                                      AskingsOf(all, [](const Question& q) { return InWords(q); }));
  if (!shared.empty()) return shared;
  for (const auto& [question, answer] : Given(all)) {
    const int right = BestDevice(question);
    if (answer != right)
      return step_search::BesideTheRightOne(InWords(question), InWords(question, answer),
                                            InWords(question, right));
  }
  return {};
}

std::vector<Fact> FactsOf(const std::vector<Asked<Question, int>>& all) {
  const auto given = Given(all);
  auto explanation = step_search::Explain(Device(), given, std::equal_to<>());
  if (explanation) {
    for (step_search::Named& each : explanation->named) {
      if (!(each.step.words == say::step_one_reason()) || each.shown_by.empty()) continue;
      each.step.words = WhoReplacesWhom(given[each.shown_by.front()].first, explanation->sets.front());
    }
  }
  return step_search::Name(explanation, say::occupancy_answers(),
                           AskingsOf(all, [](const Question& q) { return InWords(q); }));
}

}  // namespace warplings::pick_device

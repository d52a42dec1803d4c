// SPDX-License-Identifier: Apache-2.0
#include "tests/chapters/04_occupancy/device_answers.h"

#include <algorithm>

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
  kFirstUnasked
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
  kBonus
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
    {{"first_device", "device 0 whatever there is"},
     {"another_step", "device 0 passed over"},
     {"another_step", "the last device passed over"},
     {"another_step", "the first two devices alone"},
     {"another_step", "the first three devices alone"},
     {"another_step", "the first four devices alone"},
     {"first_device", "device 0 alone, if it has enough memory"},
     {"another_step", "device 0 the best to begin with, whatever its memory, if any device has enough"}},
    {{"memory_in_an_int", "the memory kept in an int"},
     {"memory_in_an_int", "the memory kept in an int and compared with an unsigned number"},
     {"memory_not_asked", "the memory not asked"},
     {"another_step", "memory compared in whole GiB, so that what is cut off passes"},
     {"another_step", "memory compared in whole MiB or in a float, so that what is lost passes"},
     {"another_step", "memory compared in whole GB of 1,000,000,000 bytes, so that what is cut off passes"},
     {"another_step", "more memory asked for than is needed"},
     {"memory_in_an_int", "the memory kept in an unsigned int"},
     {"memory_in_an_int", "the memory and what is asked for both kept in an unsigned int"},
     {"another_step", "the memory of device 0 asked for each device"}},
    {{"integrated_never", "integrated devices left out"},
     {"cycles_before_kind", "the kind not asked"},
     {"cycles_before_kind", "a card of its own, or more cycles taken for better"},
     {"another_step", "integrated devices first"},
     {"another_step", "integrated devices left out where there is a card, also one with too little memory"},
     {"another_step", "half the cycles for an integrated device, which may still be the most"},
     {"another_step",
      "more cycles counted for a card than it has (a bonus, or a factor), which an integrated device with "
      "very many still exceeds"}},
    {{"newest_is_fastest", "the compute capability in place of cycles"},
     {"newest_is_fastest", "the compute capability alone"},
     {"clock_ignored", "the number of multiprocessors in place of cycles"},
     {"clock_ignored", "the number of multiprocessors alone"},
     {"most_memory", "the memory in place of cycles"},
     {"most_memory", "the memory alone"},
     {"first_device", "the first device that is of use"},
     {"another_step", "the clock rate in place of cycles"},
     {"another_step", "the least memory that is enough in place of cycles"},
     {"another_step", "the fewest cycles"},
     {"another_step", "lanes (CUDA cores) times clock rate in place of multiprocessors times clock rate"},
     {"another_step", "thread slots times clock rate in place of multiprocessors times clock rate"},
     {"clock_cut_off", "the clock rate in whole MHz, rounded down"},
     {"clock_cut_off", "the clock rate in whole MHz, rounded to the nearest"},
     {"clock_cut_off", "the clock rate in a unit of more than a MHz, without its fraction"},
     {"another_step", "the clock rate in Hz in an int, which ends at 2,147,483,647"},
     {"another_step", "the clock rate of the memory in place of that of the multiprocessors"},
     {"first_device",
      "the first card, or the first integrated device where there is no card, whatever its cycles"},
     {"most_memory", "the memory first, and cycles only where it is equal"}},
    {{"later_of_equals", "the last of equal devices"},
     {"another_step", "of equal devices the one with more memory"}},
    {{"another_step", "0 where no device is of use"},
     {"another_step", "the number of devices where none is of use"}},
    {{"another_step",
      "the best cycles so far left as they were where a card takes an integrated device's place"}}};

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
  return v[kKind] == kIntegratedFirst ? device.integrated : best.integrated;
}

int DeviceBy(const Question& q, const Versions& v) {
  const int count = static_cast<int>(q.devices.size()), looked_at = v[kLookedAt];
  int end = count - (looked_at == kWithoutLast ? 1 : 0);
  if (looked_at == kFirstIfEnough) end = std::min(end, 1);
  if (looked_at >= kTwo && looked_at <= kFour) end = std::min(end, looked_at - kTwo + 2);
  if (v[kLookedAt] == kFirstAlone) return 0;
  const bool any_card = !std::ranges::all_of(q.devices, &Profile::integrated);
  const auto device_of = [&](int i) -> const Profile& { return *q.devices[static_cast<std::size_t>(i)]; };
  const bool any_enough = std::ranges::any_of(
      q.devices, [&](const Profile* each) { return IsEnough(*each, q.bytes, v[kMemory]); });
  int best = looked_at == kFirstUnasked && any_enough ? 0 : -1, ranked = best;
  for (int i = looked_at == kFromOne ? 1 : 0; i < end; ++i) {
    const Profile& device = device_of(i);
    const bool left_out = v[kKind] == kNever || (v[kKind] == kNeverBesideACard && any_card);
    const Profile& asked = v[kMemory] == kOfDeviceZero ? device_of(0) : device;
    if (!IsEnough(asked, q.bytes, v[kMemory]) || (left_out && device.integrated)) continue;
    if (best >= 0 && !IsBetter(device, device_of(best), device_of(ranked), v)) continue;
    const bool is_kept = v[kKept] != 0 && best >= 0 && device_of(best).integrated && !device.integrated;
    if (!is_kept) ranked = i;
    best = i;
  }
  if (best >= 0) return best;
  return v[kNone] == kDeviceZero ? 0 : v[kNone] == kNumberOfDevices ? count : -1;
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
  return {{"where no device has memory enough", [](const Question& q) { return OfUse(q) == 0; }},
          {"where just one device has memory enough", [](const Question& q) { return OfUse(q) == 1; }},
          {"where several devices have memory enough", [](const Question& q) { return OfUse(q) > 1; }},
          {"where some device has too little memory",
           [](const Question& q) { return OfUse(q) < std::ssize(q.devices); }},
          {"of machines with an integrated device", AnyIntegrated},
          {"of machines without an integrated device", [](const Question& q) { return !AnyIntegrated(q); }},
          {"where an integrated device has more cycles than the right one", IsSlowerThanAnother},
          {"where the right device is there twice", HasTwins},
          {"where device 0 has too little memory",
           [](const Question& q) { return q.devices.front()->global_memory_bytes < q.bytes; }},
          {"where device 0 is integrated", [](const Question& q) { return q.devices.front()->integrated; }},
          {"where the right device is not number 0", [](const Question& q) { return BestDevice(q) > 0; }},
          {"where the right device is number 0", [](const Question& q) { return BestDevice(q) == 0; }}};
}

}  // namespace

Question Machine(const std::vector<std::string>& ids, std::uint64_t bytes) {
  Question question;
  for (const std::string& id : ids) question.devices.push_back(FindDeviceProfile(id));
  question.bytes = bytes;
  return question;
}

int BestDevice(const Question& q) {
  return DeviceBy(q, Device().Right());
}

const step_search::Calculation<Question, int>& Device() {
  static const step_search::Calculation<Question, int> calculation = {kDeviceSteps, DeviceBy};
  return calculation;
}

std::string SpecOf(const Question& q) {
  std::string spec;
  for (const Profile* device : q.devices) spec += (spec.empty() ? "virtual:" : ",") + device->id;
  return spec;
}

std::string InWords(const Question& q) {
  std::string words;
  for (const Profile* device : q.devices) words += (words.empty() ? "" : ", ") + device->id;
  const std::uint64_t rest = q.bytes % kGiB;
  const std::string size =
      rest == 0 ? std::to_string(q.bytes / kGiB) + " GiB" : std::to_string(q.bytes) + " bytes";
  return words + ": " + size;
}

std::string InWords(const Question& q, int device) {
  if (device == -1) return "-1: none";
  const bool known = device >= 0 && static_cast<std::size_t>(device) < q.devices.size();
  return std::to_string(device) + ": " +
         (known ? q.devices[static_cast<std::size_t>(device)]->id : "no such device");
}

std::vector<std::vector<std::string>> Machines() {
  return {{"a100"},
          {"integrated"},
          {"integrated", "t4", "a100"},
          {"a100", "t4", "integrated"},
          {"t4", "rtx3060", "v100", "integrated"},
          {"h200", "rtx4090"},
          {"t4", "h100", "h200", "a100"},
          {"rtx4090", "b200", "h200", "integrated"},
          {"t4", "t4", "v100", "v100"},
          {"t4", "gb10", "rtx3060", "integrated"},
          {"gtx1080_1733", "gtx1080"},
          {"gtx1080", "gtx1080_1734"},
          {"gtx1080_1733", "gtx1080_1734"},
          {"gtx1080", "gtx1080_1733"},
          {"gtx1080_1734", "gtx1080"},
          {"gb10", "gtx1080"},
          {"integrated", "rtx3060", "t4", "v100", "a100", "h100", "b200", "rtx4090"},
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

std::string Advise(const std::vector<Asked<Question, int>>& all) {
  const std::string shared =
      step_search::WhatWrongOnesShare(TraitsOfMachines(), Given(all), BestDevice, std::equal_to<>(),
                                      AskingsOf(all, [](const Question& q) { return InWords(q); }));
  if (!shared.empty()) return shared;
  for (const auto& [question, answer] : Given(all)) {
    const int right = BestDevice(question);
    if (answer != right)
      return step_search::BesideTheRightOne(InWords(question), InWords(question, answer),
                                            InWords(question, right));
  }
  return "";
}

std::vector<Recognised> Recognise(const std::vector<Asked<Question, int>>& all) {
  return step_search::Name(step_search::Explain(Device(), Given(all), std::equal_to<>()), "answers",
                           AskingsOf(all, [](const Question& q) { return InWords(q); }));
}

}  // namespace warplings::pick_device

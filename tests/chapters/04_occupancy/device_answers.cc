// SPDX-License-Identifier: Apache-2.0
#include "tests/chapters/04_occupancy/device_answers.h"

namespace warplings::pick_device {
namespace {

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

using Profile = DeviceProfile;

bool Enough(const Profile& device, std::uint64_t bytes) {
  return device.global_memory_bytes >= bytes;
}

/// What an int keeps of the memory, compared as a signed number.
bool EnoughAsInt(const Profile& device, std::uint64_t bytes) {
  const auto kept = static_cast<std::int32_t>(static_cast<std::uint32_t>(device.global_memory_bytes));
  return kept >= static_cast<std::int64_t>(bytes);
}

/// The same with `bytes` unsigned, as the parameter is: a negative number then counts as a huge one.
bool EnoughAsUnsigned(const Profile& device, std::uint64_t bytes) {
  const auto kept = static_cast<std::int32_t>(static_cast<std::uint32_t>(device.global_memory_bytes));
  return static_cast<std::uint64_t>(std::int64_t{kept}) >= bytes;
}

/// Of all multiprocessors, in a millisecond. No throughput: a T4 has more of them than an RTX 3060, and half
/// the lanes in each multiprocessor.
std::int64_t Cycles(const Profile& device) {
  return std::int64_t{device.multiprocessors} * device.clock_khz;
}

bool ByCycles(const Profile& a, const Profile& b) {
  if (a.integrated != b.integrated) return b.integrated;
  return Cycles(a) > Cycles(b);
}

/// The first device of use that no other of use is better than; -1 where none is of use.
template <class Use, class Better>
int First(const Question& q, const Use& of_use, const Better& better) {
  int best = -1;
  for (std::size_t i = 0; i < q.devices.size(); ++i) {
    if (!of_use(*q.devices[i], q.bytes)) continue;
    if (best < 0 || better(*q.devices[i], *q.devices[static_cast<std::size_t>(best)]))
      best = static_cast<int>(i);
  }
  return best;
}

/// Discrete devices first, then by `rank`; and by `rank` alone.
template <class Rank>
void AddByRank(std::vector<WrongIdea<Question, int>>& ideas, const std::string& id, const Rank& rank) {
  ideas.push_back({id, [rank](const Question& q) {
                     return First(q, Enough, [&](const Profile& a, const Profile& b) {
                       return a.integrated != b.integrated ? b.integrated : rank(a) > rank(b);
                     });
                   }});
  ideas.push_back({id, [rank](const Question& q) {
                     return First(q, Enough,
                                  [&](const Profile& a, const Profile& b) { return rank(a) > rank(b); });
                   }});
}

}  // namespace

Question Machine(const std::vector<std::string>& ids, std::uint64_t bytes) {
  Question question;
  for (const std::string& id : ids) question.devices.push_back(FindDeviceProfile(id));
  question.bytes = bytes;
  return question;
}

int BestDevice(const Question& q) {
  return First(q, Enough, ByCycles);
}

std::vector<WrongIdea<Question, int>> WrongIdeas() {
  const auto never_better = [](const Profile&, const Profile&) { return false; };
  const auto any = [](const Profile&, std::uint64_t) { return true; };
  const auto discrete = [](const Profile& device, std::uint64_t bytes) {
    return !device.integrated && Enough(device, bytes);
  };
  std::vector<WrongIdea<Question, int>> ideas = {
      {"first_device", [=](const Question& q) { return First(q, Enough, never_better); }},
      {"first_device", [](const Question&) { return 0; }},
      {"integrated_never", [=](const Question& q) { return First(q, discrete, ByCycles); }},
      {"memory_in_an_int", [](const Question& q) { return First(q, EnoughAsInt, ByCycles); }},
      {"memory_in_an_int", [](const Question& q) { return First(q, EnoughAsUnsigned, ByCycles); }},
      {"memory_not_asked", [=](const Question& q) { return First(q, any, ByCycles); }},
  };
  ideas.push_back({"later_of_equals", [=](const Question& q) {
                     return First(q, Enough, [](const Profile& a, const Profile& b) {
                       return a.integrated != b.integrated ? b.integrated : Cycles(a) >= Cycles(b);
                     });
                   }});
  // The kind of the device is one reason among others, or none.
  ideas.push_back({"cycles_before_kind", [=](const Question& q) {
                     return First(q, Enough, [](const Profile& a, const Profile& b) {
                       return (b.integrated && !a.integrated) || Cycles(a) > Cycles(b);
                     });
                   }});
  ideas.push_back({"cycles_before_kind", [=](const Question& q) {
                     return First(q, Enough,
                                  [](const Profile& a, const Profile& b) { return Cycles(a) > Cycles(b); });
                   }});
  AddByRank(ideas, "newest_is_fastest", [](const Profile& p) { return 10 * p.major + p.minor; });
  AddByRank(ideas, "clock_ignored", [](const Profile& p) { return p.multiprocessors; });
  AddByRank(ideas, "most_memory", [](const Profile& p) { return p.global_memory_bytes; });
  return ideas;
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
          {"t4", "gb10", "rtx3060", "integrated"}};
}

std::vector<std::uint64_t> Sizes() {
  return {0,         1 * kGiB,  8 * kGiB,  14 * kGiB,  15 * kGiB, 15 * kGiB + 1,
          20 * kGiB, 30 * kGiB, 60 * kGiB, 150 * kGiB, 400 * kGiB};
}

std::vector<Recognised> Recognise(const std::vector<Asked<Question, int>>& all) {
  const auto evidence = [](const Question& q, const int& answer) {
    return InWords(q) + ": " + InWords(q, answer) + "; right is " + InWords(q, BestDevice(q));
  };
  return ExplainAnswers<Question, int>(all, BestDevice, WrongIdeas(), evidence);
}

}  // namespace warplings::pick_device

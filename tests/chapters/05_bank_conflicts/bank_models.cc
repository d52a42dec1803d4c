// SPDX-License-Identifier: Apache-2.0
#include "tests/chapters/05_bank_conflicts/bank_models.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace warplings::bank_conflicts {
namespace {

using Ids = std::vector<std::string>;

/// One way to do one step; "" is the right one.
template <class Step>
struct Choice {
  std::string mistake;
  Step step;
};

template <class... Steps>
Ids MistakesOf(const Choice<Steps>&... choices) {
  Ids ids;
  ((choices.mistake.empty() ? void() : ids.push_back(choices.mistake)), ...);
  return ids;
}

// --- bank_of. ------------------------------------------------------------------------------------

using Number = int (*)(const Place&);                     // the element's number in its array
using Address = int (*)(const SharedArray&, int number);  // in bytes
using BankOfAddress = int (*)(const SharedArray&, int address);

const std::array<Choice<Number>, 3> kNumbers = {{
    {"", [](const Place& p) { return p.row * p.array.pitch + p.column; }},
    {"width_for_pitch", [](const Place& p) { return p.row * p.array.width + p.column; }},
    {"columns_stored_first", [](const Place& p) { return p.column * p.array.pitch + p.row; }},
}};
const std::array<Choice<Address>, 3> kAddresses = {{
    {"", [](const SharedArray& a, int number) { return a.base + number * a.element_bytes; }},
    {"base_ignored", [](const SharedArray& a, int number) { return number * a.element_bytes; }},
    {"base_in_elements",
     [](const SharedArray& a, int number) { return (a.base + number) * a.element_bytes; }},
}};
const std::array<Choice<BankOfAddress>, 4> kBanks = {{
    {"", [](const SharedArray&, int address) { return address / 4 % 32; }},
    {"bytes_as_words", [](const SharedArray&, int address) { return address % 32; }},
    {"elements_as_words", [](const SharedArray& a, int address) { return address / a.element_bytes % 32; }},
    {"more_than_32_banks", [](const SharedArray&, int address) { return address / 4; }},
}};

std::string TypeName(int element_bytes) {
  switch (element_bytes) {
    case 1: return "char";
    case 2: return "short";
    case 4: return "float";
    case 8: return "double";
    default: return "float4";
  }
}

// --- conflict_degree. ----------------------------------------------------------------------------

/// What the lanes of one group want from each bank, as numbers: equal numbers are wanted once.
using Wanted = std::array<std::set<int>, 32>;

/// What banks are taken to hold: words, or elements.
struct Unit {
  int (*covered)(int element_bytes);                   ///< Units of one element.
  int (*number)(const WarpRequest&, int lane, int k);  ///< Of the lane's k-th unit.
};
enum class Same { kUnit, kAddress, kLane };  ///< What makes two wishes the same one.

int Worst(const Wanted& wanted) {
  std::size_t worst = 0;
  for (const std::set<int>& each : wanted) worst = std::max(worst, each.size());
  return static_cast<int>(worst);
}

int Average(const Wanted& wanted) {
  std::size_t all = 0, banks = 0;
  for (const std::set<int>& each : wanted) {
    all += each.size();
    banks += each.empty() ? 0 : 1;
  }
  return static_cast<int>(all / banks);
}

const std::array<Choice<int (*)(int element_bytes)>, 2> kLanesTogether = {{
    {"", reference::LanesAtOnce},
    {"whole_warp_at_once", [](int) { return 32; }},
}};
const std::array<Choice<Same>, 3> kSame = {{
    {"", Same::kUnit},
    {"bytes_of_a_word_counted", Same::kAddress},
    {"broadcast_counted", Same::kLane},
}};
const std::array<Choice<Unit>, 2> kUnits = {{
    {"",
     {reference::BanksCovered,
      [](const WarpRequest& r, int lane, int k) { return r.address[lane] / 4 + k; }}},
    {"elements_as_words",
     {[](int) { return 1; },
      [](const WarpRequest& r, int lane, int) { return r.address[lane] / r.element_bytes; }}},
}};
const std::array<Choice<int (*)(const Wanted&)>, 2> kSummaries = {
    {{"", Worst}, {"average_not_worst", Average}}};
/// How the passes of several groups make one number.
const std::array<Choice<int (*)(int, int)>, 2> kGroups = {
    {{"", [](int a, int b) { return std::max(a, b); }},
     {"groups_added_up", [](int a, int b) { return a + b; }}}};
const std::array<Choice<int>, 2> kFirstPass = {{{"", 0}, {"extra_passes_only", 1}}};

Wanted WantedBy(const WarpRequest& r, int first, int count, const Unit& unit, Same same) {
  Wanted wanted;
  for (int lane = first; lane < first + count; ++lane) {
    for (int k = 0; k < unit.covered(r.element_bytes); ++k) {
      const int number = unit.number(r, lane, k);
      const int wish = same == Same::kUnit      ? number
                       : same == Same::kAddress ? r.address[lane] + 4 * k
                                                : 4 * lane + k;
      wanted[static_cast<std::size_t>(number % 32)].insert(wish);
    }
  }
  return wanted;
}

}  // namespace

Banks RightBanks(const Place& p) {
  const int address = p.array.base + (p.row * p.array.pitch + p.column) * p.array.element_bytes;
  return {reference::BankOf(static_cast<std::uint32_t>(address)),
          reference::BanksCovered(p.array.element_bytes)};
}

std::string Describe(const Place& p) {
  const SharedArray& a = p.array;
  std::string text =
      TypeName(a.element_bytes) + " [" + std::to_string(p.row) + "][" + std::to_string(p.column) + "]";
  // Without a row before it, an element lies where it lies for any pitch.
  if (p.row != 0 || a.width != a.pitch) text += ", pitch " + std::to_string(a.pitch);
  if (a.width != a.pitch) text += ", width " + std::to_string(a.width);
  if (a.base != 0) text += ", base " + std::to_string(a.base);
  return text;
}

std::vector<Model<Place, int>> FirstBankModels() {
  std::vector<Model<Place, int>> models;
  for (const auto& number : kNumbers) {
    for (const auto& address : kAddresses) {
      for (const auto& bank : kBanks) {
        models.push_back({MistakesOf(number, address, bank), [=](const Place& p) {
                            return bank.step(p.array, address.step(p.array, number.step(p)));
                          }});
      }
    }
  }
  return models;
}

std::vector<Model<Place, int>> BankCountModels() {
  return {
      {{}, [](const Place& p) { return reference::BanksCovered(p.array.element_bytes); }},
      {{"wide_in_one_bank"}, [](const Place&) { return 1; }},
      {{"narrow_in_no_bank"}, [](const Place& p) { return p.array.element_bytes / 4; }},
  };
}

WarpRequest ToRequest(const reference::LaneAddresses& addresses, int element_bytes) {
  WarpRequest request;
  request.element_bytes = element_bytes;
  for (std::size_t lane = 0; lane < addresses.size(); ++lane) {
    request.address[lane] = static_cast<int>(addresses[lane]);
  }
  return request;
}

int RightDegree(const WarpRequest& request) {
  reference::LaneAddresses addresses;
  for (std::size_t lane = 0; lane < addresses.size(); ++lane) {
    addresses[lane] = static_cast<std::uint32_t>(request.address[lane]);
  }
  return reference::UseOfBanks(addresses, request.element_bytes).degree;
}

std::vector<Model<WarpRequest, int>> DegreeModels() {
  std::vector<Model<WarpRequest, int>> models;
  for (const auto& together : kLanesTogether) {
    for (const auto& same : kSame) {
      for (const auto& unit : kUnits) {
        for (const auto& summary : kSummaries) {
          for (const auto& groups : kGroups) {
            for (const auto& first_pass : kFirstPass) {
              const auto degree = [=](const WarpRequest& r) {
                int all = 0;
                const int count = together.step(r.element_bytes);
                for (int first = 0; first < 32; first += count) {
                  const int own = summary.step(WantedBy(r, first, count, unit.step, same.step));
                  all = groups.step(all, std::max(own, 1));
                }
                return all - first_pass.step;
              };
              models.push_back({MistakesOf(together, same, unit, summary, groups, first_pass), degree});
            }
          }
        }
      }
    }
  }
  return models;
}

}  // namespace warplings::bank_conflicts

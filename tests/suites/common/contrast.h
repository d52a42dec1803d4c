// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "grader/core/test_result.h"
#include "grader/messages/device_work.h"
#include "grader/messages/joining.h"
#include "grader/messages/judging.h"
#include "grader/suite/suite_messages.h"
#include "tests/suites/common/explain_linear.h"
#include "tests/suites/common/messages.h"

namespace warplings {

/// What can be said of a call: "tile is no power of two".
template <class Evidence>
struct CallTrait {
  Message words;
  std::function<bool(const Evidence&)> holds;
};

/// What a trait is about, its first name ("tile"): another side, another thing. One without a name is about
/// itself.
inline std::string SubjectOf(const Message& words) {
  const auto name = std::ranges::find(words.arguments(), Argument::Kind::kName, &Argument::kind);
  return name == words.arguments().end() ? words.id() : name->text;
}

/// "k is a multiple of 4 and l is not" is read once, with "l is not a multiple of 4" twice. Likewise a side
/// is named once, and its size comes first.
inline Message BothTraits(const Message& one, const Message& other) {
  const bool above_is_other = say::side_is_above.Made(other);
  const Message &above = above_is_other ? other : one, &rest = above_is_other ? one : other;
  if (say::side_is_above.Made(above) && say::side_is_no_multiple.Made(rest) &&
      above.arguments()[0] == rest.arguments()[0]) {
    return say::side_above_no_multiple(above.arguments()[0].text, above.arguments()[1].number,
                                       rest.arguments()[1].number);
  }
  const bool swapped = say::side_is_no_multiple.Made(one);
  const Message &multiple = swapped ? other : one, &no_multiple = swapped ? one : other;
  if (say::side_is_multiple.Made(multiple) && say::side_is_no_multiple.Made(no_multiple) &&
      multiple.arguments()[1] == no_multiple.arguments()[1]) {
    return say::multiple_but_not(multiple.arguments()[0].text, multiple.arguments()[1].number,
                                 no_multiple.arguments()[0].text);
  }
  return say::two_traits(one, other);
}

/// By what calls may differ.
template <class Evidence>
struct CallTraits {
  std::vector<CallTrait<Evidence>> traits;  ///< The likeliest first.
  /// Calls of another kind, which pass or fail by themselves: those without any work.
  std::function<bool(const Evidence&)> is_apart = [](const Evidence&) { return false; };
  Message among_others{};  ///< "tests with a side of 0": those that are apart.
};

/// Which calls failed, and which have each of the traits.
struct CallTable {
  std::vector<bool> failed;
  std::vector<std::vector<bool>> has;  ///< By trait.
  std::vector<std::string> about;      ///< By trait: "tile".

  template <class Evidence>
  CallTable(const std::vector<const Evidence*>& calls, const std::vector<CallTrait<Evidence>>& traits)
      : has(traits.size()) {
    for (const CallTrait<Evidence>& trait : traits) about.push_back(SubjectOf(trait.words));
    for (const Evidence* each : calls) {
      failed.push_back(HasFailed(each->result));
      for (std::size_t i = 0; i < traits.size(); ++i) has[i].push_back(traits[i].holds(*each));
    }
  }

  /// The first trait that all failing calls have and no other. Nothing where so few fail, or are right, that
  /// several traits might be meant, or where one about something else fits as well: of two sides that the
  /// calls do not tell apart, one plays no part.
  std::optional<std::size_t> TellingTrait() const {
    const auto wrong = std::ranges::count(failed, true), right = std::ranges::count(failed, false);
    if (wrong == 0 || right < 2) return std::nullopt;
    std::optional<std::size_t> telling;
    for (std::size_t i = 0; i < has.size(); ++i) {
      if (has[i] != failed) continue;
      if (telling && (wrong == 1 || about[i] != about[*telling])) return std::nullopt;
      if (!telling) telling = i;
    }
    return telling;
  }

  /// The first two that they have together; nothing where two about other things fit as well, or one alone.
  std::optional<std::pair<std::size_t, std::size_t>> TellingPair() const {
    constexpr int kFewest = 3;
    const auto wrong = std::ranges::count(failed, true), right = std::ranges::count(failed, false);
    const bool one_fits = std::ranges::find(has, failed) != has.end();
    if (wrong < kFewest || right < kFewest || one_fits) return std::nullopt;
    std::optional<std::pair<std::size_t, std::size_t>> telling;
    for (std::size_t i = 0; i < has.size(); ++i) {
      for (std::size_t j = i + 1; j < has.size(); ++j) {
        bool fits = true;
        for (std::size_t t = 0; t < failed.size(); ++t) fits &= (has[i][t] && has[j][t]) == failed[t];
        if (!fits) continue;
        if (telling && (about[i] != about[telling->first] || about[j] != about[telling->second]))
          return std::nullopt;
        if (!telling) telling = std::pair(i, j);
      }
    }
    return telling;
  }
};

/// Whether some failing calls leave elements unwritten and others, which write all, write wrong values: that
/// is seldom one mistake, and a rule for both would be the rule of neither.
template <class Evidence>
bool FailInTwoWays(const std::vector<const Evidence*>& calls) {
  bool any_unwritten = false, any_wrong = false;
  for (const Evidence* each : calls) {
    if (each->result.wrong.empty()) continue;
    const bool unwritten = std::ranges::any_of(
        each->result.wrong, [](const WrongElement& wrong) { return say::never_written.Made(wrong.note); });
    any_unwritten |= unwritten;
    any_wrong |= !unwritten;
  }
  return any_unwritten && any_wrong;
}

/// What `trait` says of the calls that fail: "Only the test with k = 0 fails."
inline Message FailWhere(const CallTable& calls, const Message& trait) {
  if (std::ranges::count(calls.failed, true) > 1) return say::fail_where(trait);
  if (!say::side_is.Made(trait)) return say::only_one_fails_where(trait);
  return say::only_one_fails_with(trait.arguments()[0].text, trait.arguments()[1].number);
}

/// The same where calls without any work are left out.
inline Message AmongOthersFailWhere(const CallTable& calls, const Message& apart, const Message& trait) {
  return std::ranges::count(calls.failed, true) > 1 ? say::among_others_fail_where(apart, trait)
                                                    : say::among_others_only_one_fails(apart, trait);
}

/// "Your function fails in all tests where tile is no power of two, and in no others.": what all failing
/// tests have and no other. Such a sentence holds for every mistake, also for one that no fact tells of, as
/// it speaks of these tests alone: what no test asks may be the reason. Or empty.
template <class Evidence>
Message ContrastFact(std::span<const Evidence> all, const CallTraits<Evidence>& traits) {
  std::vector<const Evidence*> ran, others;
  for (const Evidence& each : all) {
    if (each.result.verdict == Verdict::kNotRun) continue;
    ran.push_back(&each);
    if (!traits.is_apart(each)) others.push_back(&each);
  }
  if (FailInTwoWays(ran)) return {};
  const auto words = [&](std::size_t i) { return traits.traits[i].words; };
  const CallTable of_all(ran, traits.traits), of_others(others, traits.traits);
  const bool any_apart = others.size() < ran.size();
  if (const auto one = of_all.TellingTrait()) return FailWhere(of_all, words(*one));
  if (const auto one = of_others.TellingTrait(); one && any_apart)
    return AmongOthersFailWhere(of_others, traits.among_others, words(*one));
  // Two traits must not be needed only because calls without any work pass whatever their sides are.
  if (const auto two = of_others.TellingPair()) {
    const Message both = BothTraits(words(two->first), words(two->second));
    return of_all.TellingPair() == two ? say::fail_where(both)
                                       : say::among_others_fail_where(traits.among_others, both);
  }
  return {};
}

/// Which calls are right, ContrastFact says of all of them.
inline Message WithoutRightCalls(const Message& advice) {
  if (!say::both.Made(advice)) return advice;
  const Message& last = advice.arguments().at(1).inner.at(0);
  const bool has_calls =
      say::right_calls.Made(last) || say::right_widths.Made(last) || say::right_up_to.Made(last);
  return has_calls ? advice.arguments().at(0).inner.at(0) : advice;
}

/// Adds ContrastFact to what each failing test advises. `Evidence` has a `test` and a `result`.
template <class Evidence>
std::vector<Explained> WithContrast(std::vector<Explained> explained, std::span<const Evidence> all,
                                    const CallTraits<Evidence>& traits) {
  const Message fact = ContrastFact(all, traits);
  if (fact.empty()) return explained;
  for (const Evidence& each : all) {
    // Which calls break a limit is no property of their sides: small calls keep it because they are small.
    const Message& step = each.result.next_step;
    const bool is_of_one_thread =
        say::one_thread_of_the_launch.Made(step) || say::one_thread_of_the_launch_at_least.Made(step);
    if (!HasFailed(each.result) || is_of_one_thread) continue;
    const std::string name = FullNameOf(each.test);
    auto found = std::ranges::find(explained, name, &Explained::test);
    if (found == explained.end()) found = explained.insert(found, Explained{name, {}, ""});
    const Message& advice = found->advice.empty() ? each.result.next_step : found->advice;
    found->advice = advice.empty() ? fact : say::both(WithoutRightCalls(advice), fact);
  }
  return explained;
}

}  // namespace warplings

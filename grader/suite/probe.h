// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace warplings {

// Finds from outside what a function computes for each element of its output. It is called with inputs
// that are chosen so that the answer tells which elements went into it, and how often:
//
//  1. Which elements of an input take part? Six of them hold 1, 16, 256, ..., all others 0: the digits of
//     the answer to the base of 16 say how often each was used.
//  2. Which element of A was multiplied with which of B? Elements that meet in one sum get different numbers
//     ("colours"); a call for each binary digit of these numbers tells each element of A its partner's.
//  3. Is it true? The formula must give the function's answers to two random inputs. What fails that is
//     not claimed: a function that is not linear, or another one each time, gets no formula.
//
// All numbers are whole and below 2^24, so that floats hold them and their sums exactly, in any order.

/// Index of an element of an input, as memory has it: below 0 before the array, from its length on behind.
using ElementIndex = std::int64_t;
inline constexpr ElementIndex kNoElement = INT64_MIN;

/// One input with memory before and behind it: what a function finds there if it leaves the array.
struct ProbeMemory {
  static constexpr std::size_t kFront = 64;    ///< Elements; the array itself stays aligned to 256 bytes.
  static constexpr std::size_t kBack = 128;    ///< Behind the array, looked at; …
  static constexpr std::size_t kSlack = 4096;  ///< … and that are there, and 0.

  ProbeMemory() : ProbeMemory(0, 0) {}
  ProbeMemory(std::size_t elements, float value)
      : values(elements == 0 ? 0 : kFront + elements + kBack + kSlack), count(elements) {
    Fill(value);
  }
  float& At(ElementIndex index) {
    return values[static_cast<std::size_t>(index + static_cast<ElementIndex>(kFront))];
  }
  /// The array, and not what is around it.
  void Fill(float value);

  std::vector<float> values;  ///< Empty for an array without elements.
  std::size_t count;
};

/// The function under test: the output, or nothing where the call failed. `before`: what the output holds
/// before the call, as long as the output.
using ProbedFunction = std::function<std::optional<std::vector<float>>(
    const ProbeMemory& a, const ProbeMemory& b, std::span<const float> before)>;

/// times x A[a] x B[b]; kNoElement: without such a factor.
struct ProbeTerm {
  ElementIndex a = kNoElement, b = kNoElement;
  std::int64_t times = 1;
  friend bool operator==(const ProbeTerm&, const ProbeTerm&) = default;
};

/// Of one element of the output: before_times x what it held before + constant + the terms.
struct FoundFormula {
  std::size_t element = 0;
  bool known = false;  ///< It gave the answers to random inputs; nothing else may be read if not.
  std::int64_t before_times = 0;
  std::int64_t constant = 0;
  std::vector<ProbeTerm> terms;  ///< By a, then by b.
  /// It holds what it held before, and nothing was added.
  bool IsUntouched() const { return before_times == 1 && constant == 0 && terms.empty(); }
};

/// A call takes about 1 ms. Calls are what ends a search, so that it ends alike each time; time only where a
/// submission is slow. The time is wall time: several times what all calls take on a quiet machine, or a
/// busy one would lose explanations.
struct ProbeLimits {
  int calls = 160;
  std::chrono::milliseconds time{6000};
};

struct ProbeResult {
  std::vector<FoundFormula> formulas;  ///< One for each element of the output, or none.
  int calls = 0;
  /// Some value came from memory around the inputs.
  bool leaves_a = false, leaves_b = false;
};

/// Of a function that is linear in A and in B: a product of matrices. Formulas are empty where limits or a
/// failed call ended the search.
ProbeResult ProbeBilinear(const ProbedFunction& function, std::size_t a_count, std::size_t b_count,
                          std::size_t output_count, const ProbeLimits& limits = {});

/// Of a function that moves elements of A, or adds them up: terms have no b.
ProbeResult ProbeLinear(const ProbedFunction& function, std::size_t a_count, std::size_t output_count,
                        const ProbeLimits& limits = {});

/// Elements first to last of the input, each added `times` times.
struct CountedRange {
  std::size_t first = 0, last = 0;
  std::int64_t times = 0;
  friend bool operator==(const CountedRange&, const CountedRange&) = default;
};

/// Of a function that adds A up to one number: how often each element was added, in ranges without gaps.
/// Long inputs are halved until each part is added evenly. Nothing where that ends nowhere within the limits.
std::vector<CountedRange> ProbeCounts(const ProbedFunction& function, std::size_t a_count,
                                      const ProbeLimits& limits = {});

}  // namespace warplings

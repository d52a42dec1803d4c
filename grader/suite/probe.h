// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace warplings {

// Black-box analysis: finds out what a function computes for each element of its output by calling it with
// inputs chosen so that the answer reveals which elements were used, and how often:
//
//  1. Which elements of an input take part? Twelve of them hold 1, 4, 16, ..., all others 0: each digit of
//  the answer to base 4 says how often one of them was used. Where one is used more often than such a digit
//  holds, the base is 16 and then 64.
//  2. Which element of A was multiplied with which of B? Elements that occur in the same sum get different
//  numbers ("colours"); one call for each binary digit of these numbers reveals the colour of each A
//  element's partner.
//  3. Is it true? The formula must reproduce the function's answers to two random inputs, otherwise it is
//  dropped: a function that is not linear, or that behaves differently each time, gets no formula.
//
// All numbers are integers below 2^24, so that floats represent them and their sums exactly, in any order.

/// Index of an element relative to an input's start; below 0: before the array; its length or more: after it.
using ElementIndex = std::int64_t;
inline constexpr ElementIndex kNoElement = INT64_MIN;

/// One input with the memory around it, which a function reads if it leaves the array.
struct ProbeMemory {
  /// Elements before the array, so many that it stays aligned to 256 bytes.
  static constexpr std::size_t kFront = 64;
  static constexpr std::size_t kBack = 128;    ///< Elements after the array in which reads are detected; …
  static constexpr std::size_t kSlack = 4096;  ///< … and further elements that exist and are 0.

  ProbeMemory() : ProbeMemory(0, 0) {}
  ProbeMemory(std::size_t elements, float value)
      : values(elements == 0 ? 0 : kFront + elements + kBack + kSlack), count(elements) {
    Fill(value);
  }
  float& At(ElementIndex index) {
    return values[static_cast<std::size_t>(index + static_cast<ElementIndex>(kFront))];
  }
  /// Fills the array, but not the memory around it.
  void Fill(float value);

  std::vector<float> values;  ///< Empty for an array without elements.
  std::size_t count;
};

/// The output of one call, and the warp instructions that its kernels executed.
struct ProbeAnswer {
  ProbeAnswer(std::vector<float> output, std::uint64_t executed = 0)
      : values(std::move(output)), warp_instructions(executed) {}
  std::vector<float> values;
  std::uint64_t warp_instructions;
};

/// The function under test. Returns nothing if the call failed. `before`: initial content of the output,
/// which has the same length.
using ProbedFunction = std::function<std::optional<ProbeAnswer>(const ProbeMemory& a, const ProbeMemory& b,
                                                                std::span<const float> before)>;

/// times x A[a] x B[b]; kNoElement: without this factor.
struct ProbeTerm {
  ElementIndex a = kNoElement, b = kNoElement;
  std::int64_t times = 1;
  friend bool operator==(const ProbeTerm&, const ProbeTerm&) = default;
};

/// The formula of one output element: before_times x its initial content + constant + the terms.
struct FoundFormula {
  std::size_t element = 0;
  bool known = false;  ///< The formula reproduced the answers to random inputs. If false, the other members
                       ///< are meaningless.
  std::int64_t before_times = 0;
  std::int64_t constant = 0;
  std::vector<ProbeTerm> terms;  ///< Sorted by a, then by b.
  /// True if the element still has its initial content.
  bool IsUntouched() const { return before_times == 1 && constant == 0 && terms.empty(); }
};

/// Limits of a search. Calls and instructions end it, the same way on a busy machine as on an idle one: what
/// is told of a submission must not depend on what else is running. A call takes half a millisecond, and so
/// do some 15,000 warp instructions. The clock, which runs on while others have the processor, is only for
/// calls that wait instead of computing.
struct ProbeLimits {
  int calls = 160;
  std::uint64_t warp_instructions = 200'000'000;
  std::chrono::milliseconds waiting{30'000};
};

struct ProbeResult {
  std::vector<FoundFormula> formulas;  ///< One for each element of the output, or none.
  int calls = 0;
  /// True if some value came from memory around the input.
  bool leaves_a = false, leaves_b = false;
};

/// Analyses a function that is linear in A and in B. `formulas` is empty if a limit or a failed call ended
/// the search.
ProbeResult ProbeBilinear(const ProbedFunction& function, std::size_t a_count, std::size_t b_count,
                          std::size_t output_count, const ProbeLimits& limits = {});

/// A product of matrices: output[r][c] is the sum of A[r][i] x B[i][c] over i.
struct ProductShape {
  std::size_t rows = 0, inner = 0, columns = 0;
  bool a_by_columns = false;  ///< A is stored column by column.
};

/// As ProbeBilinear, of a function that is to compute this product. First it is supposed that each output is
/// the sum of products of at most one A[..][i] and one B[i][..] for each i, whichever these are and however
/// often: that holds for most wrong products, too, and takes a third of the calls. Where it does not hold,
/// the rest of the limits is for the search without it.
ProbeResult ProbeProduct(const ProbedFunction& function, const ProductShape& shape,
                         const ProbeLimits& limits = {});

/// Analyses a function that moves or adds up elements of A; its terms have no b. Where it adds up more
/// elements than the limits leave calls for, only what is moved is found.
ProbeResult ProbeLinear(const ProbedFunction& function, std::size_t a_count, std::size_t output_count,
                        const ProbeLimits& limits = {});

/// The calls of ProbeLinear for a function that adds up this many elements, each a few times.
int CallsToTakeApart(std::size_t a_count);

/// The input elements from `first` to `last`, inclusive, each of which is added `times` times.
struct CountedRange {
  std::size_t first = 0, last = 0;
  std::int64_t times = 0;
  friend bool operator==(const CountedRange&, const CountedRange&) = default;
};

/// Analyses a function that adds up all elements of A: returns how often each was added, in ranges without
/// gaps. Long inputs are halved until all elements of a part are added equally often. Empty if the limits end
/// the search before that.
std::vector<CountedRange> ProbeCounts(const ProbedFunction& function, std::size_t a_count,
                                      const ProbeLimits& limits = {});

}  // namespace warplings

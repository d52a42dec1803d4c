// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/core/kernel_resources.h"
#include "grader/core/launch_record.h"
#include "grader/core/test_result.h"
#include "grader/suite/suite_messages.h"

namespace warplings::off_the_cliff {

/// The test that asks for a full multiprocessor.
inline constexpr std::string_view kTestOfOccupancy = "TheMultiprocessorIsFull";

/// What one test saw.
struct Evidence {
  std::string test;  ///< "FarFromZero"
  int samples = 0;
  bool far_from_zero = false;    ///< The samples' means are large beside their deviations.
  TestResult result;             ///< With wrong_count of its values.
  Message formula{};             ///< Which its wrong values follow, as FormulaOf says it.
  bool fits_no_formula = false;  ///< Its values are wrong, and no known formula fits: FitsNoFormula.
  Message without_formula{};     ///< What to say of its values where other tests show another formula.
};

/// Some call of these launched the kernel.
bool IsLaunched(const KernelResources& kernel, std::span<const Evidence> all);

/// The largest figures of all kernels.
KernelResources Largest(std::span<const KernelResources> kernels);

/// Occupancy of a launch on the contract's multiprocessor, an A100's, 0 to 1.
double OccupancyOf(const LaunchRecord& launch);

/// How often each element of x is fetched, on average.
double Fetches(const Evidence& evidence);

/// "0.984": four digits that count.
std::string FourDigits(double value);

/// Where all values are the right ones times one factor, that factor; 0 where they are not, or are right.
double CommonFactor(const std::vector<float>& actual, const std::vector<double>& expected);

/// The formula that all values follow instead of the contract's, in words: "x - mean, divided by nothing".
/// x and y are kFeatures x samples, row by row. Empty where none of those that are known fits.
Message FormulaOf(const std::vector<float>& x, const std::vector<float>& y, std::size_t samples);

/// Whether none of the known formulas fits, where FormulaOf may also say none because two do.
bool FitsNoFormula(const std::vector<float>& x, const std::vector<float>& y, std::size_t samples);

/// What is said of one sample whose values are wrong.
struct SampleWords {
  Message text;            ///< Empty where nothing can be said.
  bool is_of_all = false;  ///< All of its values have it in common, also those that are right by chance.
};

/// The numbers a and b by which each of a sample's values is (x - a) / b, beside the right ones; or that
/// there are no two such numbers.
SampleWords SampleFact(const std::vector<float>& x, const std::vector<float>& y, std::size_t samples,
                       std::size_t sample);

/// The formula that wrong values follow in each test in which FormulaOf found one, and the first such test;
/// null where there is none, where two differ, or where one of the other tests shows that it is none of them.
/// A single sample does not tell formulas apart, and far from zero rounding may hide one.
const Evidence* WithTheOneFormula(std::span<const Evidence> all);

/// The misconceptions that explain what the tests and, of kernels that are launched, ptxas say:
///
///  - squares_cancel: values are wrong where the means are large, and right everywhere else
///  - array_in_local_memory: few registers, and 128 bytes of local memory: the whole array is there
///  - forced_to_spill: at most 32 registers, and some local memory
///  - moved_to_shared_memory: at most 32 registers, and so much shared memory that blocks do not fit
///  - blocks_leave_gaps: at most 32 registers, no local and no shared memory, and the multiprocessor not full
///  - fetched_far_ahead: over 32 registers, and some of x are fetched again
///  - kept_under_other_names: over 32 registers, and x is fetched once
std::vector<Fact> FactsOf(std::span<const Evidence> evidence, std::span<const KernelResources> kernels);

}  // namespace warplings::off_the_cliff

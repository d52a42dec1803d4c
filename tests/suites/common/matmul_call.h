// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "grader/suite/judge.h"
#include "reference/matmul.h"

namespace warplings {

/// P = M x N: M has rows x inner elements, N inner x columns, P rows x columns. A side may be 0.
struct MatmulShape {
  int rows = 0, inner = 0, columns = 0;
  std::size_t m_count() const;
  std::size_t n_count() const;
  std::size_t p_count() const;
  friend bool operator==(const MatmulShape&, const MatmulShape&) = default;
};

/// "5 x 3 times 3 x 7".
Message CallOf(const MatmulShape& shape);
std::string Describe(const MatmulShape& shape);

/// The memory layout of M for the submission. Stored column by column, M is called "Mt" in findings.
/// MatmulInputs always stores it row by row.
enum class MatrixOrder { kRowByRow, kColumnByColumn };

struct MatmulInputs {
  std::vector<float> m, n;  ///< Row by row.
};

/// The same rows x columns matrix, column by column instead of row by row.
std::vector<float> ByColumns(const std::vector<float>& matrix, int rows, int columns);

/// SignedValues, WideValues, or a function like them.
using FillFunction = std::vector<float> (*)(RandomValues&, std::size_t count);

/// From the running test's TestRandom().
MatmulInputs RandomInputs(const MatmulShape& shape, FillFunction fill = SignedValues);

/// The result of one test of a matrix multiplication: plain data, from which suites make facts.
struct MatmulEvidence {
  std::string test;  ///< "WidthJustBelowATile".
  MatmulShape shape;
  TestResult result;
  std::vector<float> m, n, p;   ///< Row by row; p is empty where it could not be read.
  reference::Bounded expected;  ///< Of p.
  /// Of P, the most that are of one thread, as its last writer; 0 where that is not known.
  std::uint64_t most_elements_of_a_thread = 0;
};

/// Calls the submission's function; an empty array has address 0, as from cudaMalloc.
using MatmulEntry =
    std::function<CallOutcome(Worker& worker, DevicePointer m, DevicePointer n, DevicePointer p)>;

/// What one thread of a kernel with one or few elements of P may store at most; one whose point is that a
/// thread computes many.
inline constexpr std::uint64_t kMostElementsOfAThread = 64, kMostElementsOfACoarseThread = 256;

/// Calls the submission on `inputs` and compares P with the reference, element by element ("P[2][1]").
/// The kernels must have done the work (MatmulWork).
/// Findings, launches and values are in what comes back; recording the result is left to the caller.
MatmulEvidence CallMatmul(const Message& title, const MatmulShape& shape, const MatmulInputs& inputs,
                          const MatmulEntry& entry, MatrixOrder m_order = MatrixOrder::kRowByRow,
                          std::uint64_t most_elements_of_a_thread = kMostElementsOfAThread);

/// Of threads that store to one element of P, which has rows of `columns` elements: one of them may have a
/// column past P's edge, whose index is that of an element in the next row. `tile`: the usual width of a
/// block.
void AdviseOfStoresPastColumns(std::int64_t columns, std::int64_t tile, TestResult& result);

/// Of a race between the stores of two threads on either side of a tile's diagonal, (x, y) and (y, x), in two
/// lines: asks which of the lines swaps the tile's indices.
void AdviseOfMirroredStores(TestResult& result);

/// Of P, the most that are of one thread; 0 where that is not known.
std::uint64_t MostElementsOfAThread(const CallReport& report);

/// Makes three elements of row 1 of M infinite, and what they are multiplied with positive, so that row 1 of
/// P is infinite and no other. Who multiplies something else by 0 instead of leaving it out gets no number:
/// the next element beyond the end of row 0; the last element of a row once more; what is left in a tile of
/// the phase before the last one, where that has fewer than five columns. `shape` has at least two rows and
/// an inner side of five.
void PutInfinities(const MatmulShape& shape, MatmulInputs& inputs);
/// RandomInputs with these.
MatmulInputs InputsWithInfinities(const MatmulShape& shape);

/// What to ask about the first element of P outside row 1 that is no finite number; empty where there is
/// none.
Message NextStepOfInfinity(const std::vector<float>& p, std::size_t columns);

/// Lets a wrong result with PutInfinities ask that, or about the first element of row 1 that is no number.
void AskAboutInfinity(const std::vector<float>& p, std::size_t columns, TestResult& result);

/// Whether a test has no infinity among its inputs.
template <class Evidence>
bool IsOfNumbers(const Evidence& e) {
  return std::ranges::all_of(e.m, [](float value) { return std::isfinite(value); });
}
/// The tests of which models compute what the submission would.
template <class Evidence>
std::vector<Evidence> OfNumbers(const std::vector<Evidence>& all) {
  std::vector<Evidence> of_numbers;
  std::ranges::copy_if(all, std::back_inserter(of_numbers), IsOfNumbers<Evidence>);
  return of_numbers;
}

}  // namespace warplings

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "grader/suite/product_formula.h"
#include "grader/suite/suite_messages.h"
#include "tests/suites/common/matmul_call.h"

namespace warplings {

/// Makes the call of the submission's function for a shape; as MatmulEntry.
using ShapedMatmulEntry = std::function<CallOutcome(Worker& worker, DevicePointer m, DevicePointer n,
                                                    DevicePointer p, const MatmulShape& shape)>;

/// One test as explaining needs it.
struct MatmulTest {
  std::string test;  ///< "WidthJustBelowATile".
  MatmulShape shape;
  const TestResult* result = nullptr;
  std::span<const float> m, n, p;  ///< Row by row; p is empty where it could not be read.
};

/// How a suite's function is called when its wrong values are explained.
struct MatmulProbe {
  ShapedMatmulEntry entry;
  MatrixOrder m_order = MatrixOrder::kRowByRow;
  bool square = false;  ///< Its only side is `width`.
  /// Smaller calls to look at where those of the tests are too large, the smallest first; those that are
  /// right are passed over.
  std::vector<MatmulShape> small_shapes;
  int calls = 160;          ///< At most; each takes half a millisecond or one.
  bool only_small = false;  ///< Never the tests' own: they have further parameters.
};

/// Of functions whose only side is `width`.
std::vector<MatmulShape> SquareShapes(std::span<const int> widths);

/// What the submission computed in the first test with wrong values, or in a smaller call; nothing where
/// another fault than wrong values, such as a race, says more.
std::vector<Explained> ExplainMatmul(std::span<const MatmulTest> tests, const MatmulProbe& probe);

/// The failing test to show with what a call of another shape explains, in which P[0][0] is wrong: if it is
/// right in the `first` test, that one may show another mistake, and the first in which it is wrong, too, is
/// taken. (The other way round, a small matrix may have no element that is right.)
const MatmulTest& TestWithWrongFirst(std::span<const MatmulTest> tests, const MatmulTest& first);

/// Whether a sum lacks exactly the products with such i for which, in tiles as wide as a block, a thread
/// without an element of P should load a factor. `missing`: these i, in their order; `tile`: a square block's
/// side, or 0.
bool AreOfIdleThreads(const std::vector<int>& missing, const MatmulShape& shape, std::size_t element,
                      int tile);

/// Where `never` elements of all are never stored from some row or column on (`places`), and the kernels
/// store more `bytes` than the others have: that some are stored more than once. Empty otherwise.
Message StoredAgainAndNever(const Message& places, std::uint64_t elements, std::uint64_t never,
                            std::uint64_t bytes);

/// Of the latest ExplainMatmul, for facts; nothing was found where `wrong` is 0.
const ProductFacts& LatestProductFacts();

}  // namespace warplings

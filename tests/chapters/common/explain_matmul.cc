// SPDX-License-Identifier: Apache-2.0
#include "tests/chapters/common/explain_matmul.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "grader/suite/evidence.h"

namespace warplings {
namespace {

/// For a launch in a call of a few thousand products.
constexpr std::uint64_t kProbeBudget = 2'000'000;
/// More elements in both inputs take more calls than ProbeLimits allow.
constexpr std::size_t kMostElements = 720;

ProductFacts& StoredFacts() {
  static ProductFacts facts;
  return facts;
}

/// "RectMatmul.OneElement" of "OneElement": a suite program has one fixture.
std::string FullNameOf(const std::string& test) {
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  for (int s = 0; s < all.total_test_suite_count(); ++s) {
    const testing::TestSuite& suite = *all.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t) {
      if (test == suite.GetTestInfo(t)->name()) return std::string(suite.name()) + "." + test;
    }
  }
  return test;
}

/// Threads that are out of step give another sum each time; what one of them was says little.
bool IsOutOfStep(const TestResult& result) {
  return std::ranges::any_of(result.findings, [](const Finding& finding) {
    switch (finding.kind) {
      // In global memory two threads that store one element race, too: that is an index, and no barrier.
      case FindingKind::kRace: return finding.space == MemorySpace::kShared;
      case FindingKind::kDivergentBarrier:
      case FindingKind::kDeadlock:
      case FindingKind::kEndlessLoop:
      case FindingKind::kTrap: return true;
      default: return false;
    }
  });
}

bool HasWrongValues(const MatmulTest& test) {
  const Verdict verdict = test.result->verdict;
  return test.result->wrong_count > 0 && (verdict == Verdict::kWrongResult || verdict == Verdict::kFinding);
}

class MatmulCaller {
 public:
  MatmulCaller(const MatmulProbe& probe, const MatmulShape& shape) : probe_(probe), shape_(shape) {}

  std::optional<std::vector<float>> operator()(const ProbeMemory& a, const ProbeMemory& b,
                                               std::span<const float> before) {
    std::vector<CallArray> arrays;
    const auto add = [&arrays](const char* label, const std::vector<float>& values) {
      if (!values.empty()) arrays.push_back(InputArray(label, values));
      return arrays.size() - 1;
    };
    const bool has_m = a.count > 0, has_n = b.count > 0;
    add("M", a.values);
    add("N", b.values);
    // An input, too, so that it holds what is asked for; that it is written is no fault here.
    const std::size_t p = add("P", {before.begin(), before.end()});
    const CallReport report = Session().Probe(
        std::move(arrays), kProbeBudget, [&](Worker& worker, std::span<const DevicePointer> at) {
          constexpr DevicePointer kInside = ProbeMemory::kFront * sizeof(float);
          return probe_.entry(worker, has_m ? at[0] + kInside : 0, has_n ? at[has_m] + kInside : 0, at[p],
                              shape_);
        });
    const bool broke_off = report.verdict == Verdict::kTimeLimit || report.unclean;
    if (broke_off || report.contents.size() <= p) return std::nullopt;
    if (!report.launches.empty()) block_ = report.launches.front().block;
    return ValuesOf<float>(report.contents[p]);
  }

  /// The width of a block, where blocks are squares.
  int tile() const { return block_.x == block_.y && block_.x > 1 ? static_cast<int>(block_.x) : 0; }

 private:
  const MatmulProbe& probe_;
  const MatmulShape shape_;
  Dim3 block_;
};

ProductContract ContractOf(const MatmulProbe& probe, const MatmulShape& shape) {
  ProductContract contract{.rows = shape.rows, .inner = shape.inner, .columns = shape.columns};
  contract.m_by_columns = probe.m_order == MatrixOrder::kColumnByColumn;
  if (probe.square) contract.rows_name = contract.inner_name = contract.columns_name = "width";
  return contract;
}

/// Whether two calls with whole numbers give the product: then there is nothing to see in this shape.
bool IsRightAt(const MatmulProbe& probe, const MatmulShape& shape) {
  RandomValues random(7);
  ProbeMemory m(shape.m_count(), 0), n(shape.n_count(), 0);
  for (std::size_t i = 0; i < m.count; ++i)
    m.At(static_cast<ElementIndex>(i)) = 1 + static_cast<float>(random.Below(30));
  for (std::size_t i = 0; i < n.count; ++i)
    n.At(static_cast<ElementIndex>(i)) = 1 + static_cast<float>(random.Below(30));
  const std::vector<float> before(shape.p_count(), -1);
  const auto p = MatmulCaller(probe, shape)(m, n, before);
  if (!p) return true;
  const bool by_columns = probe.m_order == MatrixOrder::kColumnByColumn;
  for (int row = 0; row < shape.rows; ++row) {
    for (int column = 0; column < shape.columns; ++column) {
      float sum = 0;
      for (int i = 0; i < shape.inner; ++i) {
        const int place = by_columns ? i * shape.rows + row : row * shape.inner + i;
        sum += m.At(place) * n.At(i * shape.columns + column);
      }
      if ((*p)[static_cast<std::size_t>(row * shape.columns + column)] != sum) return false;
    }
  }
  return true;
}

bool IsSmall(const MatmulShape& shape) {
  return shape.m_count() + shape.n_count() <= kMostElements && shape.p_count() > 0;
}

/// Where to look: the smallest of the suite's own shapes that is wrong, or a test's.
std::optional<MatmulShape> ShapeToLookAt(std::span<const MatmulTest> tests, const MatmulProbe& probe) {
  for (const MatmulShape& shape : probe.small_shapes) {
    if (!IsRightAt(probe, shape)) return shape;
  }
  if (probe.only_small) return std::nullopt;
  for (const MatmulTest& test : tests) {
    if (HasWrongValues(test) && IsSmall(test.shape)) return test.shape;
  }
  return std::nullopt;
}

/// Values that miss the mark a little, all of them.
std::string PrecisionOf(const MatmulTest& test) {
  if (test.p.size() != test.shape.p_count()) return "";
  std::vector<double> actual(test.p.begin(), test.p.end()), expected, sizes;
  const auto inner = static_cast<std::size_t>(test.shape.inner);
  const auto columns = static_cast<std::size_t>(test.shape.columns);
  for (std::size_t e = 0; e < actual.size(); ++e) {
    double sum = 0, size = 0;
    for (std::size_t i = 0; i < inner; ++i) {
      const double product = double{test.m[e / columns * inner + i]} * test.n[i * columns + e % columns];
      sum += product;
      size += std::fabs(product);
    }
    expected.push_back(sum);
    sizes.push_back(size);
  }
  return PrecisionFact(actual, expected, sizes);
}

}  // namespace

std::vector<MatmulShape> SquareShapes(std::span<const int> widths) {
  std::vector<MatmulShape> shapes;
  for (const int width : widths) shapes.push_back({width, width, width});
  return shapes;
}

std::vector<Explained> ExplainMatmul(std::span<const MatmulTest> tests, const MatmulProbe& probe) {
  StoredFacts() = {};
  const bool out_of_step =
      std::ranges::any_of(tests, [](const MatmulTest& t) { return IsOutOfStep(*t.result); });
  const auto first = std::ranges::find_if(tests, HasWrongValues);
  if (out_of_step || first == tests.end()) return {};
  Explained explained;
  explained.test = FullNameOf(first->test);
  if (const std::string precision = PrecisionOf(*first); !precision.empty()) {
    explained.explanation.facts = {precision};
    explained.advice = precision;
    return {explained};
  }
  const auto shape = ShapeToLookAt(tests, probe);
  if (!shape) return {};
  MatmulCaller caller(probe, *shape);
  const ProbeResult probed =
      ProbeBilinear(std::ref(caller), shape->m_count(), shape->n_count(), shape->p_count());
  ProductContract contract = ContractOf(probe, *shape);
  contract.tile = caller.tile();
  if (probed.formulas.empty()) return {};
  StoredFacts() = FactsOfProduct(contract, probed);
  explained.explanation = ExplainProduct(contract, probed, StoredFacts());
  if (explained.explanation.elements.empty()) return {};
  explained.advice = AdviceFrom(StoredFacts().sentences);
  return {explained};
}

const ProductFacts& LatestProductFacts() {
  return StoredFacts();
}

}  // namespace warplings

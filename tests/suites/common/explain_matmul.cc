// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/common/explain_matmul.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/messages/findings.h"
#include "grader/messages/joining.h"
#include "grader/messages/product_facts.h"
#include "grader/suite/comparison.h"
#include "grader/suite/evidence.h"
#include "grader/suite/product_values.h"
#include "reference/matmul.h"
#include "tests/suites/common/explain_linear.h"
#include "tests/suites/common/messages.h"

namespace warplings {
namespace {

/// For a launch in a call of a few thousand products.
constexpr std::uint64_t kProbeBudget = 2'000'000;
/// Of warp instructions that the search at one shape is expected to execute, in as many calls as sums have
/// products and some others: they take some 50 ms, where a failing check takes 400 to 700. And of what it may
/// execute where it takes more calls.
constexpr std::uint64_t kMostInstructions = 2'000'000, kOtherCalls = 6, kEndOfSearch = 4'000'000;

ProductFacts& StoredFacts() {
  static ProductFacts facts;
  return facts;
}

class MatmulCaller {
 public:
  MatmulCaller(const MatmulProbe& probe, const MatmulShape& shape) : probe_(probe), shape_(shape) {}

  std::optional<ProbeAnswer> operator()(const ProbeMemory& a, const ProbeMemory& b,
                                        std::span<const float> before) {
    std::vector<CallArray> arrays;
    const auto add = [&arrays](const char* label, const std::vector<float>& values) {
      if (!values.empty()) arrays.push_back(InputArray(label, values, OtherElements::AnyValue()));
      return arrays.size() - 1;
    };
    const bool has_m = a.count > 0, has_n = b.count > 0;
    add("M", a.values);
    add("N", b.values);
    const std::size_t p = add("P", {before.begin(), before.end()});
    arrays[p].role = CallArray::Role::kInOut;
    const CallReport report = Session().Probe(
        std::move(arrays), kProbeBudget, [&](Worker& worker, std::span<const DevicePointer> at) {
          constexpr DevicePointer kInside = ProbeMemory::kFront * sizeof(float);
          return probe_.entry(worker, has_m ? at[0] + kInside : 0, has_n ? at[has_m] + kInside : 0, at[p],
                              shape_);
        });
    const bool broke_off = report.verdict == Verdict::kTimeLimit || report.unclean;
    if (broke_off || report.contents.size() <= p) return std::nullopt;
    if (!report.launches.empty()) {
      grid_ = report.launches.front().grid;
      block_ = report.launches.front().block;
    }
    const bool refused = std::ranges::any_of(
        report.findings, [](const Finding& finding) { return finding.kind == FindingKind::kInvalidLaunch; });
    if (refused && report.launches.empty()) return std::nullopt;
    using Launched = ProductContract::Launched;
    launched_ = report.launches.empty()       ? Launched::kNothing
                : report.launches.size() == 1 ? Launched::kOnce
                                              : Launched::kUnknown;
    has_tiles_ = TotalCounts(report.launches).shared_load_requests > 0;
    return ProbeAnswer(ValuesOf<float>(report.contents[p]), TotalCounts(report.launches).warp_instructions);
  }

  /// As ProductContract's, of the latest call.
  ProductContract::Launched launched() const { return launched_; }
  const Dim3& grid() const { return grid_; }
  const Dim3& block() const { return block_; }
  int tile() const { return block_.x == block_.y && block_.x > 1 ? static_cast<int>(block_.x) : 0; }
  bool has_tiles() const { return has_tiles_; }

 private:
  const MatmulProbe& probe_;
  const MatmulShape shape_;
  ProductContract::Launched launched_ = ProductContract::Launched::kUnknown;
  Dim3 grid_, block_;
  bool has_tiles_ = false;
};

ProductContract ContractOf(const MatmulProbe& probe, const MatmulShape& shape) {
  ProductContract contract{.rows = shape.rows, .inner = shape.inner, .columns = shape.columns};
  contract.m_by_columns = probe.m_order == MatrixOrder::kColumnByColumn;
  if (probe.square) contract.rows_name = contract.inner_name = contract.columns_name = "width";
  return contract;
}

/// What a call with whole numbers gave.
struct Glance {
  bool is_right = true;
  bool first_is_wrong = false;  ///< P[0][0].
  bool wrong_is_zero = true;    ///< Each wrong element is 0, or was never stored.
  std::uint64_t warp_instructions = 0;
};

/// Nothing where the call failed.
std::optional<Glance> GlanceAt(const MatmulProbe& probe, const MatmulShape& shape) {
  RandomValues random(7);
  ProbeMemory m(shape.m_count(), 0), n(shape.n_count(), 0);
  for (std::size_t i = 0; i < m.count; ++i)
    m.At(static_cast<ElementIndex>(i)) = 1 + static_cast<float>(random.Below(30));
  for (std::size_t i = 0; i < n.count; ++i)
    n.At(static_cast<ElementIndex>(i)) = 1 + static_cast<float>(random.Below(30));
  constexpr float kBefore = -1;
  const std::vector<float> before(shape.p_count(), kBefore);
  const auto p = MatmulCaller(probe, shape)(m, n, before);
  if (!p) return std::nullopt;
  Glance glance;
  glance.warp_instructions = p->warp_instructions;
  const bool by_columns = probe.m_order == MatrixOrder::kColumnByColumn;
  for (int row = 0; row < shape.rows; ++row) {
    for (int column = 0; column < shape.columns; ++column) {
      float sum = 0;
      for (int i = 0; i < shape.inner; ++i) {
        const int place = by_columns ? i * shape.rows + row : row * shape.inner + i;
        sum += m.At(place) * n.At(i * shape.columns + column);
      }
      const float value = p->values[static_cast<std::size_t>(row * shape.columns + column)];
      if (value == sum) continue;
      glance.is_right = false;
      glance.first_is_wrong = glance.first_is_wrong || (row == 0 && column == 0);
      glance.wrong_is_zero = glance.wrong_is_zero && (value == 0 || value == kBefore);
    }
  }
  return glance;
}

/// Answers of GlanceAt, each asked for once.
class Glances {
 public:
  explicit Glances(const MatmulProbe& probe) : probe_(probe) {}

  std::optional<bool> IsRight(const MatmulShape& shape) {
    const std::optional<Glance> glance = At(shape);
    return glance ? std::optional(glance->is_right) : std::nullopt;
  }
  /// Whether P[0][0] is; nothing where the call failed.
  std::optional<bool> IsFirstWrong(const MatmulShape& shape) {
    const std::optional<Glance> glance = At(shape);
    return glance ? std::optional(glance->first_is_wrong) : std::nullopt;
  }
  /// Whether a search at this shape would take too much of the check's time.
  bool IsDear(const MatmulShape& shape) {
    const std::optional<Glance> glance = At(shape);
    const auto calls = static_cast<std::uint64_t>(shape.inner) + kOtherCalls;
    return glance && glance->warp_instructions * calls > kMostInstructions;
  }
  /// Of a shape that is not right.
  bool IsWrongByZeros(const MatmulShape& shape) {
    const std::optional<Glance> glance = At(shape);
    return glance && glance->wrong_is_zero;
  }

 private:
  using Known = std::pair<MatmulShape, std::optional<Glance>>;

  std::optional<Glance> At(const MatmulShape& shape) {
    const auto found = std::ranges::find(known_, shape, &Known::first);
    if (found != known_.end()) return found->second;
    return known_.emplace_back(shape, GlanceAt(probe_, shape)).second;
  }

  const MatmulProbe& probe_;
  std::vector<Known> known_;
};

/// Twelve elements a call, and some calls for their pairs and the rest.
bool IsSmall(const MatmulShape& shape, int calls) {
  const std::size_t needed = (shape.m_count() + shape.n_count()) / 12 + 26;
  return needed <= static_cast<std::size_t>(calls) && shape.p_count() > 0;
}

/// Of the tests, where none of the suite's own shapes is wrong.
std::optional<MatmulShape> ShapeOfATest(std::span<const MatmulTest> tests, const MatmulProbe& probe) {
  for (const MatmulTest& test : tests) {
    if (HasWrongValues(*test.result) && IsSmall(test.shape, probe.calls)) return test.shape;
  }
  return std::nullopt;
}

/// What probing found at one shape.
struct Looked {
  ProductContract contract;
  ProbeResult probed;
  ProductFacts facts;
};

/// The first element whose sum lacks products and has nothing else wrong, and which products these are.
struct LackingSum {
  std::size_t element;
  std::vector<ProbeTerm> missing;
};

std::optional<LackingSum> FirstLackingSum(const MatmulProbe& probe, const MatmulShape& shape,
                                          const std::vector<FoundFormula>& formulas) {
  for (const FoundFormula& f : formulas) {
    if (!f.known || f.IsUntouched() || f.before_times != 0 || f.constant != 0) continue;
    const ElementIndex row = static_cast<ElementIndex>(f.element) / shape.columns;
    const ElementIndex column = static_cast<ElementIndex>(f.element) % shape.columns;
    LackingSum sum{f.element, {}};
    std::size_t present = 0;
    for (ElementIndex i = 0; i < shape.inner; ++i) {
      const bool by_columns = probe.m_order == MatrixOrder::kColumnByColumn;
      const ProbeTerm right{by_columns ? i * shape.rows + row : row * shape.inner + i,
                            i * shape.columns + column};
      const bool has_it = std::ranges::any_of(
          f.terms, [&](const ProbeTerm& term) { return term.a == right.a && term.b == right.b; });
      if (has_it)
        ++present;
      else
        sum.missing.push_back(right);
    }
    if (sum.missing.empty() && present == f.terms.size()) continue;
    if (sum.missing.empty() || present < f.terms.size()) return std::nullopt;
    return sum;
  }
  return std::nullopt;
}

/// A sum's value where all elements are 1 but one, which is infinite. A product with 0 makes it NaN.
bool IsMultipliedByZero(MatmulCaller& caller, const MatmulShape& shape, const ProbeTerm& infinite,
                        std::size_t element) {
  ProbeMemory m(shape.m_count(), 1), n(shape.n_count(), 1);
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  if (infinite.a != kNoElement) m.At(infinite.a) = kInfinity;
  if (infinite.b != kNoElement) n.At(infinite.b) = kInfinity;
  const auto p = caller(m, n, std::vector<float>(shape.p_count(), -1));
  return p && std::isnan(p->values.at(element));
}

/// "M[1][2]", or "Mt[2][1]".
std::string NameOf(const std::string& matrix, ElementIndex index, int row_length) {
  return matrix + "[" + std::to_string(index / row_length) + "][" + std::to_string(index % row_length) + "]";
}

/// Of sums that lack products: that these are added, with a 0 in place of one of the two factors, as a tile
/// has it where a check is wrong. Empty where they are not added, or where both factors are 0.
Message ZeroInPlaceOfAFactor(const MatmulProbe& probe, const MatmulShape& shape, MatmulCaller& caller,
                             const ProbeResult& probed) {
  const auto sum = FirstLackingSum(probe, shape, probed.formulas);
  if (!sum) return {};
  // One of these may be lost for both reasons.
  for (const ProbeTerm& lost : {sum->missing.front(), sum->missing.back()}) {
    const bool lacks_n = IsMultipliedByZero(caller, shape, {lost.a, kNoElement}, sum->element);
    const bool lacks_m = IsMultipliedByZero(caller, shape, {kNoElement, lost.b}, sum->element);
    if (lacks_m == lacks_n) continue;
    const bool by_columns = probe.m_order == MatrixOrder::kColumnByColumn;
    const std::string of_m = NameOf(by_columns ? "Mt" : "M", lost.a, by_columns ? shape.rows : shape.inner);
    const std::string of_n = NameOf("N", lost.b, shape.columns);
    const std::string of_p = NameOf("P", static_cast<ElementIndex>(sum->element), shape.columns);
    std::vector<int> indices;
    for (const ProbeTerm& term : sum->missing) indices.push_back(static_cast<int>(term.b / shape.columns));
    if (caller.has_tiles() && AreOfIdleThreads(indices, shape, sum->element, caller.tile()))
      return lacks_m ? say::zero_of_idle_threads(of_p, of_n, of_m)
                     : say::zero_of_idle_threads(of_p, of_m, of_n);
    const auto& words = caller.has_tiles() ? say::zero_in_tile : say::zero_for_factor;
    return lacks_m ? words(of_p, of_n, of_m) : words(of_p, of_m, of_n);
  }
  return {};
}

/// Sentences that ask where products are added.
bool AsksForProducts(const Message& sentence) {
  const auto is_one_of = [&](const auto&... rows) { return (rows.Made(sentence) || ...); };
  return is_one_of(say::product_all_zero, say::product_lacks, say::product_lacks_one, say::product_ends_early,
                   say::product_ends_early_with_tiles, say::product_lacks_last, say::product_lacks_first,
                   say::product_lacks_first_phase, say::product_lacks_first_phases,
                   say::product_as_long_as_side, say::product_whole_tiles_only, say::product_empty_sum,
                   say::product_empty_sums, say::element_lacks, say::element_lacks_and_one_more,
                   say::element_lacks_and_more, say::element_lacks_others_not,
                   say::element_lacks_and_one_more_others_not, say::element_lacks_and_more_others_not);
}

/// "P[16][0] is computed from row 0 of M instead of row 16: …" Of a kernel with tiles, whose threads load a
/// row by one index and store by another. Empty where it is another row of the same block.
Message LineOfAnotherBlock(const MatmulProbe& probe, const Message& sentence) {
  if (!say::both.Made(sentence)) return {};
  const Message& where = sentence.arguments().at(0).inner.at(0);
  const bool is_apart =
      say::both.Made(where) && say::product_blocks_apart.Made(where.arguments().at(1).inner.at(0));
  if (!is_apart) return {};
  const Message& moved = where.arguments().at(0).inner.at(0);
  const bool is_row = say::product_other_row.Made(moved);
  if (!is_row && !say::product_other_column.Made(moved)) return {};
  const std::vector<Argument>& of = moved.arguments();
  const std::string& p = of.at(0).text;
  const std::int64_t taken = of.at(2).number, own = of.at(3).number;
  if (!is_row) return say::column_of_another_block(p, taken, own);
  const bool by_columns = probe.m_order == MatrixOrder::kColumnByColumn;
  return say::row_of_another_block(p, taken, own, by_columns ? "Mt" : "M");
}

/// Puts what a further call tells in place of sentences that ask for it.
void SayWhy(const MatmulProbe& probe, const MatmulShape& shape, MatmulCaller& caller,
            const ProbeResult& probed, ProductFacts& facts) {
  const auto asks = std::ranges::find_if(facts.sentences, AsksForProducts);
  if (asks != facts.sentences.end()) {
    if (const Message why = ZeroInPlaceOfAFactor(probe, shape, caller, probed); !why.empty()) *asks = why;
  }
  for (Message& sentence : facts.sentences) {
    if (const Message line = LineOfAnotherBlock(probe, sentence); caller.has_tiles() && !line.empty())
      sentence = line;
  }
}

Looked LookAt(const MatmulProbe& probe, const MatmulShape& shape) {
  MatmulCaller caller(probe, shape);
  Looked looked{ContractOf(probe, shape), {}, {}};
  const ProductShape product{static_cast<std::size_t>(shape.rows), static_cast<std::size_t>(shape.inner),
                             static_cast<std::size_t>(shape.columns),
                             probe.m_order == MatrixOrder::kColumnByColumn};
  looked.probed =
      ProbeProduct(std::ref(caller), product, {.calls = probe.calls, .warp_instructions = kEndOfSearch});
  looked.contract.tile = caller.tile();
  looked.contract.has_tiles = caller.has_tiles();
  looked.contract.launched = caller.launched();
  looked.contract.grid = caller.grid();
  looked.contract.block = caller.block();
  if (looked.probed.formulas.empty()) return looked;
  looked.facts = FactsOfProduct(looked.contract, looked.probed);
  SayWhy(probe, shape, caller, looked.probed, looked.facts);
  return looked;
}

/// The suite's own shapes that are wrong and can be probed. Those with sums that are only lost come last:
/// what is 0 tells least, and a larger call may have more in it.
std::vector<MatmulShape> WrongShapes(const MatmulProbe& probe, Glances& glances) {
  std::vector<MatmulShape> wrong;
  for (const MatmulShape& shape : probe.small_shapes) {
    if (!IsSmall(shape, probe.calls) || glances.IsRight(shape) != false) continue;
    wrong.push_back(shape);
  }
  std::ranges::stable_partition(wrong,
                                [&](const MatmulShape& each) { return !glances.IsWrongByZeros(each); });
  return wrong;
}

/// The smallest wrong shape that tells something, of the suite's own or of a test. Larger shapes are asked
/// only where smaller ones tell nothing: each call takes time.
std::optional<Looked> LookAtFirst(std::span<const MatmulTest> tests, const MatmulProbe& probe,
                                  Glances& glances) {
  std::optional<Looked> found;
  const std::vector<MatmulShape> wrong = WrongShapes(probe, glances);
  for (const MatmulShape& shape : wrong) {
    const int calls = found ? std::min(probe.calls, MatmulProbe{}.calls) : probe.calls;
    if (!IsSmall(shape, calls) || glances.IsDear(shape)) continue;
    Looked looked = LookAt(probe, shape);
    if (looked.probed.formulas.empty()) continue;
    const auto is_all_zero = [](const ProductFacts& f) { return f.all_zero || f.wrong_is_zero; };
    const bool says_more = !found || (!is_all_zero(looked.facts) && !looked.facts.sentences.empty());
    if (says_more) found = std::move(looked);
    if (!is_all_zero(found->facts)) break;
  }
  if (!wrong.empty() || probe.only_small) return found;
  const auto shape = ShapeOfATest(tests, probe);
  if (!shape || glances.IsDear(*shape)) return std::nullopt;
  Looked looked = LookAt(probe, *shape);
  if (!looked.probed.formulas.empty()) found = std::move(looked);
  return found;
}

/// Of a test whose call is too large to be probed.
Message PlacesOf(const MatmulTest& test) {
  if (test.p.size() != test.shape.p_count()) return {};
  const Message part =
      PartOfSums({test.m.begin(), test.m.end()}, {test.n.begin(), test.n.end()},
                 {test.p.begin(), test.p.end()}, static_cast<std::size_t>(test.shape.rows),
                 static_cast<std::size_t>(test.shape.inner), static_cast<std::size_t>(test.shape.columns));
  if (!part.empty()) return part;
  const auto rows = static_cast<std::size_t>(test.shape.rows),
             inner = static_cast<std::size_t>(test.shape.inner);
  const auto columns = static_cast<std::size_t>(test.shape.columns);
  const reference::Bounded right =
      reference::Matmul({test.m.begin(), test.m.end()}, {test.n.begin(), test.n.end()}, rows, inner, columns);
  std::vector<bool> is_wrong;
  for (std::size_t i = 0; i < test.p.size(); ++i) {
    is_wrong.push_back(IsWrong(test.p[i], right.value[i], right.bound[i]));
  }
  // Of a matrix of one row an element still has two indices.
  const Message places = PlacesFact(test.shape.rows == 1 ? "P[0]" : "P", test.shape.rows, test.shape.columns,
                                    {test.p.begin(), test.p.end()}, is_wrong);
  if (places.empty()) return {};
  const Message again = StoredAgainAndNever(places, test.p.size(),
                                            static_cast<std::uint64_t>(std::ranges::count(is_wrong, true)),
                                            TotalCounts(*test.result).global_store_bytes);
  if (!again.empty()) return again;
  const Message on_top =
      SumOfAnother("P", columns, {test.p.begin(), test.p.end()}, right.value, right.bound, is_wrong);
  return on_top.empty() ? places : on_top;
}

/// Of a call that is right with whole numbers, so that no index can be wrong, and wrong with the test's.
Message WholeNumbersAreRight(const MatmulTest& test, const MatmulProbe& probe, Glances& glances) {
  constexpr std::size_t kFewElements = 1024;
  const bool is_small = test.shape.p_count() > 0 && test.shape.p_count() <= kFewElements;
  if (probe.only_small || !is_small || glances.IsRight(test.shape) != true) return {};
  return say::whole_numbers_are_right();
}

/// "width 3", "5 x 3 times 3 x 7".
Message CallOf(const MatmulProbe& probe, const MatmulShape& shape) {
  return probe.square ? say::width(shape.rows) : CallOf(shape);
}

/// Of square matrices, what the suite's other small calls give: "Of the small widths that were tried, these
/// are right: 3, 18.", or up to which width it is. Empty where none is right. A width of a test that failed,
/// for any reason, is not; and where every test fails, nobody wants to hear of right widths.
Message RightWidths(const MatmulProbe& probe, Glances& glances, const MatmulShape& looked_at,
                    std::span<const MatmulTest> tests) {
  std::vector<std::int64_t> right;
  if (std::ranges::all_of(tests, [](const MatmulTest& test) { return HasFailed(*test.result); })) return {};
  const auto has_failed = [&](const MatmulShape& shape) {
    return std::ranges::any_of(
        tests, [&](const MatmulTest& test) { return test.shape == shape && HasFailed(*test.result); });
  };
  bool any_wrong_before = std::ranges::any_of(tests, [&](const MatmulTest& test) {
    return test.shape.rows < looked_at.rows && HasFailed(*test.result);
  });
  bool any_right_behind = false;
  for (const MatmulShape& shape : probe.small_shapes) {
    const bool is_right = shape != looked_at && !has_failed(shape) && glances.IsRight(shape) == true;
    if (is_right) right.push_back(shape.rows);
    any_wrong_before |= !is_right && shape.rows < looked_at.rows;
    any_right_behind |= is_right && shape.rows > looked_at.rows;
  }
  if (right.empty()) return {};
  std::ranges::sort(right);
  if (right.size() > 1 && !any_wrong_before && !any_right_behind) return say::right_up_to(right.back());
  Message widths;
  for (const std::int64_t width : right) {
    const Message one = say::one_position(width);
    widths = widths.empty() ? one : say::call_and_call(widths, one);
  }
  return right.size() == 1 ? say::right_calls(say::width(right.front())) : say::right_widths(widths);
}

/// "P does not depend on M: …" where another M, or another N, gives the same wrong P.
Message UnusedMatrix(const MatmulProbe& probe, Glances& glances) {
  const auto wrong = std::ranges::find_if(probe.small_shapes, [&](const MatmulShape& each) {
    return each.inner > 0 && each.p_count() > 0 && glances.IsRight(each) == false;
  });
  if (wrong == probe.small_shapes.end()) return {};
  const MatmulShape& shape = *wrong;
  const auto filled = [](std::size_t count, float first) {
    ProbeMemory memory(count, 0);
    for (std::size_t i = 0; i < count; ++i)
      memory.At(static_cast<ElementIndex>(i)) = first + static_cast<float>(i % 7);
    return memory;
  };
  const ProbeMemory m = filled(shape.m_count(), 1), n = filled(shape.n_count(), 2),
                    other_m = filled(shape.m_count(), 20), other_n = filled(shape.n_count(), 30);
  const std::vector<float> before(shape.p_count(), -1);
  MatmulCaller caller(probe, shape);
  // Of a call that failed: nothing.
  const auto product = [&](const ProbeMemory& of_m, const ProbeMemory& of_n) {
    const auto answer = caller(of_m, of_n, before);
    return answer ? answer->values : std::vector<float>();
  };
  const std::vector<float> p = product(m, n);
  // Where nothing is stored, or zeros, neither takes part.
  const bool is_empty =
      p.empty() || p == before || std::ranges::all_of(p, [](float value) { return value == 0; });
  if (is_empty) return {};
  const bool same_without_m = product(other_m, n) == p, same_without_n = product(m, other_n) == p;
  if (same_without_m == same_without_n) return {};
  const std::string m_name = probe.m_order == MatrixOrder::kColumnByColumn ? "Mt" : "M";
  return say::matrix_is_unused(same_without_m ? m_name : "N");
}

/// Somebody reads an element of P that nobody has stored yet.
bool ReadsUnwrittenP(const MatmulTest& test) {
  return std::ranges::any_of(test.result->findings, [](const Finding& finding) {
    return finding.kind == FindingKind::kUninitialised && finding.object == "P";
  });
}

/// The line where somebody stores outside P, or two threads store the same element: a column past the right
/// edge has the index of an element of the next row. 0: there is none.
int LineThatStoresPastEdge(std::span<const MatmulTest> tests) {
  for (const MatmulTest& test : tests) {
    for (const Finding& finding : test.result->findings) {
      const bool is_outside = finding.kind == FindingKind::kOutOfBounds && finding.access == Access::kWrite;
      if (finding.object == "P" && (is_outside || BothStore(finding))) return finding.where.line;
    }
  }
  return 0;
}

/// Whether a sum has products, or lacks them, because of a load outside M or N, which the test's own advice
/// names with its line and its index.
bool IsOfLoadsOutside(const Message& sentence, const TestResult& result) {
  if (!result.advised) return false;
  const Finding& finding = result.findings[*result.advised];
  const bool is_load = finding.kind == FindingKind::kOutOfBounds && finding.access == Access::kRead &&
                       finding.space == MemorySpace::kGlobal && finding.where.line > 0;
  if (!is_load) return false;
  if (say::element_has_more.Made(sentence)) return true;
  // A load near the end of its matrix has a wrong check, which the 0 shows as well; one far behind it has a
  // wrong index. "M[16][0]": of the matrix that the load leaves.
  return say::zero_in_tile.Made(sentence) && finding.offset_bytes >= 2 * finding.object_bytes &&
         sentence.arguments().at(2).text.starts_with(English(finding.object) + "[");
}

/// Whether a sum seems to have a factor of 0 where two threads of a block store different sums to one
/// element, as the test's own advice says: which of the two stayed says nothing of a tile.
bool IsOfTwoStores(const Message& sentence, const TestResult& result) {
  if (!result.advised || !say::zero_in_tile.Made(sentence)) return false;
  const Finding& finding = result.findings[*result.advised];
  return finding.object == "P" && say::race_same_instruction.Made(finding.message);
}

/// Where P is right: with numbers that make no NaN of what lies outside a matrix, times 0.
bool SaysWhereItIsRight(const Message& sentence) {
  return say::product_wrong_from_row.Made(sentence) || say::product_wrong_from_column.Made(sentence);
}

bool HasNan(const MatmulTest& test) {
  return std::ranges::any_of(test.p, [](float value) { return std::isnan(value) && !IsPoison(value); });
}

/// Sums that were made, and are 0 because of that.
void SayWhoStoresOver(int line, ProductFacts& facts) {
  for (Message& sentence : facts.sentences) {
    if (!say::product_empty_sum.Made(sentence) && !say::product_empty_sums.Made(sentence)) continue;
    sentence = say::stored_over_past_edge(sentence.arguments().at(0).text, say::Line(line));
  }
}

/// Whether P[0][0] is wrong in the test's own call; nothing where that is not known.
std::optional<bool> IsFirstWrong(const MatmulTest& test) {
  if (test.p.empty() || test.p.size() != test.shape.p_count()) return std::nullopt;
  const auto inner = static_cast<std::size_t>(test.shape.inner);
  std::vector<float> column;
  for (std::size_t i = 0; i < inner; ++i)
    column.push_back(test.n[i * static_cast<std::size_t>(test.shape.columns)]);
  const reference::Bounded right = reference::Matmul(
      {test.m.begin(), test.m.begin() + static_cast<std::ptrdiff_t>(inner)}, column, 1, inner, 1);
  return IsWrong(test.p[0], right.value[0], right.bound[0]);
}

/// Values that miss the mark a little, all of them.
Message PrecisionOf(const MatmulTest& test) {
  if (test.p.size() != test.shape.p_count()) return {};
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

bool AreOfIdleThreads(const std::vector<int>& missing, const MatmulShape& shape, std::size_t element,
                      int tile) {
  // In a single phase, a check against another side leaves out the same products.
  if (tile < 2 || missing.empty() || shape.inner <= tile) return false;
  const int row = static_cast<int>(element) / shape.columns,
            column = static_cast<int>(element) % shape.columns;
  const int rows = shape.rows - row / tile * tile, columns = shape.columns - column / tile * tile;
  const auto are_past = [&](int limit) {
    for (int i = 0; i < shape.inner; ++i) {
      if (std::ranges::binary_search(missing, i) != (i % tile >= limit)) return false;
    }
    return true;
  };
  return are_past(rows) || are_past(columns) || are_past(std::min(rows, columns));
}

Message StoredAgainAndNever(const Message& places, std::uint64_t elements, std::uint64_t never,
                            std::uint64_t bytes) {
  if (!say::values_unstored_from.Made(places) || bytes <= (elements - never) * sizeof(float)) return {};
  const std::vector<Argument>& said = places.arguments();
  return say::stored_again_and_never(said.at(0).text, said.at(1).inner.at(0), said.at(2).inner.at(0));
}

const MatmulTest& TestWithWrongFirst(std::span<const MatmulTest> tests, const MatmulTest& first) {
  if (first.result->verdict != Verdict::kWrongResult || IsFirstWrong(first).value_or(true)) return first;
  const auto like = std::ranges::find_if(tests, [](const MatmulTest& test) {
    return HasWrongValues(*test.result) && test.result->verdict == Verdict::kWrongResult &&
           IsFirstWrong(test) == true;
  });
  return like == tests.end() ? first : *like;
}

std::vector<Explained> ExplainMatmul(std::span<const MatmulTest> tests, const MatmulProbe& probe) {
  StoredFacts() = {};
  const bool out_of_step =
      std::ranges::any_of(tests, [](const MatmulTest& t) { return IsOutOfStep(*t.result); });
  const auto first =
      std::ranges::find_if(tests, [](const MatmulTest& test) { return HasWrongValues(*test.result); });
  if (out_of_step || first == tests.end()) return {};
  Explained explained;
  explained.test = FullNameOf(first->test);
  if (const Message precision = PrecisionOf(*first); !precision.empty()) {
    explained.explanation.facts = {precision};
    explained.advice = precision;
    return {explained};
  }
  Glances glances(probe);
  const auto says = [&](const Message& advice) -> std::vector<Explained> {
    explained.explanation = {};
    explained.explanation.call = CallOf(probe, first->shape);
    explained.explanation.facts = {advice};
    explained.advice = advice;
    return {explained};
  };
  // Where P is read in place of M or N, it depends on what lay there, and sums are 0 where that was 0. The
  // race and the reads outside that come of it are those of all its tests.
  const bool reads_p = std::ranges::any_of(tests, ReadsUnwrittenP);
  if (const Message unused = reads_p ? UnusedMatrix(probe, glances) : Message(); !unused.empty()) {
    std::vector<Explained> all = says(unused);
    for (const MatmulTest& test : tests) {
      if (test.test != first->test && ReadsUnwrittenP(test))
        all.push_back({FullNameOf(test.test), {}, unused});
    }
    return all;
  }
  auto looked = LookAtFirst(tests, probe, glances);
  // Sums without a formula, such as products of a matrix with itself, say more than the others.
  if (looked && looked->facts.unknown > 0) {
    if (const Message unused = UnusedMatrix(probe, glances); !unused.empty()) return says(unused);
  }
  if (looked) {
    if (const int line = LineThatStoresPastEdge(tests); line > 0) SayWhoStoresOver(line, looked->facts);
    StoredFacts() = looked->facts;
    explained.explanation =
        ExplainProduct(looked->contract, looked->probed, looked->facts, KeepsOutputMaps());
  }
  if (!looked || explained.explanation.elements.empty()) {
    StoredFacts() = {};
    // Where a thread leaves an array, its index says more.
    if (first->result->verdict != Verdict::kWrongResult) return {};
    if (probe.square)
      explained.advice =
          SquareOfOne({first->m.begin(), first->m.end()}, {first->n.begin(), first->n.end()},
                      {first->p.begin(), first->p.end()}, static_cast<std::size_t>(first->shape.rows));
    if (explained.advice.empty()) explained.advice = UnusedMatrix(probe, glances);
    if (explained.advice.empty()) explained.advice = WholeNumbersAreRight(*first, probe, glances);
    if (explained.advice.empty()) {
      const Message places = PlacesOf(*first);
      if (!places.empty()) explained.advice = say::with_call(CallOf(probe, first->shape), places);
    }
    return explained.advice.empty() ? std::vector<Explained>{} : says(explained.advice);
  }
  // What a place holds that is none is no number to be explained: the index is asked about first.
  if (HasFinding(*first->result, FindingKind::kOutOfBounds, MemorySpace::kShared)) {
    explained.advice = first->result->next_step;
    return {explained};
  }
  if (looked->facts.sentences.empty()) return {explained};
  if (IsOfLoadsOutside(looked->facts.sentences.front(), *first->result) ||
      IsOfTwoStores(looked->facts.sentences.front(), *first->result)) {
    explained.advice = first->result->next_step;
    return {explained};
  }
  const MatmulShape shape{looked->contract.rows, looked->contract.inner, looked->contract.columns};
  if (glances.IsFirstWrong(shape) == true)
    explained.test = FullNameOf(TestWithWrongFirst(tests, *first).test);
  std::vector<Message> sentences = looked->facts.sentences;
  if (sentences.size() > 1 && HasNan(*first)) std::erase_if(sentences, SaysWhereItIsRight);
  explained.advice = say::with_call(CallOf(probe, shape), AdviceFrom(sentences));
  const Message right = probe.square ? RightWidths(probe, glances, shape, tests) : Message();
  if (!right.empty()) explained.advice = say::both(explained.advice, right);
  return {explained};
}

const ProductFacts& LatestProductFacts() {
  return StoredFacts();
}

}  // namespace warplings

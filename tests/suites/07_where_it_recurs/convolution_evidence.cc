// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/07_where_it_recurs/convolution_evidence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

#include "chapters/07_where_it_recurs/convolution.h"
#include "grader/messages/calls.h"
#include "grader/messages/device_work.h"
#include "grader/messages/findings.h"
#include "grader/messages/joining.h"
#include "grader/messages/refusals.h"
#include "grader/suite/comparison.h"
#include "grader/suite/device_work.h"
#include "grader/suite/evidence.h"
#include "tests/suites/07_where_it_recurs/messages.h"
#include "tests/suites/07_where_it_recurs/recognise.h"

namespace warplings::convolution {
namespace {

using recurs::FailedFirst;
using recurs::FindBy;
using recurs::FindInEach;
using recurs::FindReturns;

using All = std::span<const Evidence>;
using Found = std::vector<Fact>;
using IsIt = std::function<bool(const Finding&)>;
using Index = std::ptrdiff_t;

constexpr Index kWidth = 2 * kRadius + 1;
constexpr std::size_t kCoefficients = static_cast<std::size_t>(kWidth) * kWidth;

Message In(const Evidence& e, const Message& what) {
  return say::of_test(e.test, what);
}

// --- Findings. -------------------------------------------------------------------------------------------

/// What the host asked for and did not get.
bool FindRefusals(All all, Found& found) {
  const auto is_large_block = [](const Finding& finding) {
    return finding.kind == FindingKind::kInvalidLaunch && HasTooManyThreads(finding);
  };
  const auto is_call = [](const Finding& finding) {
    return finding.kind == FindingKind::kInvalidCall && finding.severity == Severity::kError;
  };
  return FindBy(all, is_large_block, say::conv_block_refused(), found) ||
         FindBy(all, is_call, say::conv_copy_refused(), found);
}

/// The host reads the filter, and passes it on. Kernels that load no input do not compute.
bool FindHostRead(All all, Found& found) {
  const Evidence* seen = FirstWith(all, [](const Evidence& e) {
    return e.stored_after_host_read &&
           TrafficOf(e.result, "input").load_bytes >= e.shape.Elements() * sizeof(float);
  });
  if (seen == nullptr) return false;
  AddFact(found, In(*seen, say::stored_after_host_read("output")));
  return true;
}

/// Of races in shared memory: without a barrier between the line that stores and the one that reads, a read
/// comes too early; with one, the next tile's store does.
bool FindRaces(All all, Found& found) {
  const auto races = [](const Evidence& e) { return ReadsTooEarlyOrStoresOver(e.result); };
  const auto early = [&](const Evidence& e) {
    return races(e) && BarrierOfRaces(e.result) == RaceBarrier::kNone;
  };
  if (const Evidence* e = FirstWith(all, early)) {
    ShowFinding(AddFact(found, In(*e, say::conv_read_early())), e->result, NeedsABarrier);
    return true;
  }
  if (const Evidence* e = FirstWith(all, races)) {
    ShowFinding(AddFact(found, In(*e, say::conv_stored_over())), e->result, NeedsABarrier);
    return true;
  }
  return false;
}

// --- Values. ---------------------------------------------------------------------------------------------

Index Rows(const Evidence& e) {
  return static_cast<Index>(e.shape.rows);
}

Index Columns(const Evidence& e) {
  return static_cast<Index>(e.shape.columns);
}

float Coefficient(const Evidence& e, Index i, Index j) {
  return e.filter[static_cast<std::size_t>(i * kWidth + j)];
}

bool Exists(const Evidence& e, Index r, Index c) {
  return r >= 0 && r < Rows(e) && c >= 0 && c < Columns(e);
}

/// Of elements that exist.
float Element(const Evidence& e, Index r, Index c) {
  return e.input[static_cast<std::size_t>(r * Columns(e) + c)];
}

float Input(const Evidence& e, Index r, Index c) {
  return Exists(e, r, c) ? Element(e, r, c) : 0;
}

float Output(const Evidence& e, Index r, Index c) {
  return e.output[static_cast<std::size_t>(r * Columns(e) + c)];
}

/// Rows and columns of the filter, without their ends.
struct Part {
  Index row = 0, row_end = kWidth, column = 0, column_end = kWidth;
};

float Sum(const Evidence& e, Index r, Index c, const Part& part = {}) {
  float sum = 0;
  for (Index i = part.row; i < part.row_end; ++i) {
    for (Index j = part.column; j < part.column_end; ++j)
      sum += Coefficient(e, i, j) * Input(e, r + i - kRadius, c + j - kRadius);
  }
  return sum;
}

/// The sum with the elements that `of` names.
template <class Of>
float SumWith(const Evidence& e, Index r, Index c, const Of& of) {
  float sum = 0;
  for (Index i = 0; i < kWidth; ++i) {
    for (Index j = 0; j < kWidth; ++j) sum += Coefficient(e, i, j) * of(r + i - kRadius, c + j - kRadius);
  }
  return sum;
}

bool AtEdge(const Evidence& e, Index r, Index c) {
  return r < kRadius || r >= Rows(e) - kRadius || c < kRadius || c >= Columns(e) - kRadius;
}

/// Every thread came to its end, nothing is wrong but values, and they are not too many to look at.
bool HasValues(const Evidence& e) {
  return e.is_exact && Completed(e.result) && !HasError(e.result) && !e.output.empty() &&
         e.shape.Elements() < kLargeSide * kLargeSide;
}

using OfElement = std::function<bool(const Evidence&, Index r, Index c)>;

/// False as soon as `is_it` is false for an element of output.
template <class IsIt>
bool Each(const Evidence& e, const IsIt& is_it) {
  for (Index r = 0; r < Rows(e); ++r) {
    for (Index c = 0; c < Columns(e); ++c)
      if (!is_it(r, c)) return false;
  }
  return true;
}

bool IsRight(const Evidence& e, Index r, Index c) {
  return Output(e, r, c) == Sum(e, r, c);
}

/// The smallest test with wrong elements, if `explains` holds for every wrong element of all tests.
const Evidence* AllWrong(All all, const OfElement& explains) {
  const Evidence* seen = nullptr;
  for (const Evidence& e : all) {
    if (!HasValues(e) || e.result.wrong_count == 0) continue;
    if (!Each(e, [&](Index r, Index c) { return explains(e, r, c) || IsRight(e, r, c); })) return nullptr;
    if (seen == nullptr || e.input.size() < seen->input.size()) seen = &e;
  }
  return seen;
}

bool State(All all, const OfElement& is_it, const Message& what, Found& found) {
  const Evidence* e = AllWrong(all, is_it);
  if (e != nullptr) AddFact(found, In(*e, what));
  return e != nullptr;
}

/// The rows and columns in which something was written.
struct Lines {
  std::vector<bool> rows, columns;

  explicit Lines(const Evidence& e) : rows(e.shape.rows), columns(e.shape.columns) {
    for (std::size_t i = 0; i < e.output.size(); ++i) {
      if (IsPoison(e.output[i])) continue;
      rows[i / e.shape.columns] = columns[i % e.shape.columns] = true;
    }
  }
  /// Of all that is in a written row and a written column, all was written.
  bool Describe(const Evidence& e) const {
    for (std::size_t i = 0; i < e.output.size(); ++i) {
      if (IsPoison(e.output[i]) == (rows[i / e.shape.columns] && columns[i % e.shape.columns])) return false;
    }
    return true;
  }
  static bool HasGap(const std::vector<bool>& line) {
    const auto first = std::ranges::find(line, true);
    return std::find(std::find(first, line.end(), false), line.end(), true) != line.end();
  }
  static std::size_t End(const std::vector<bool>& line) {
    std::size_t end = line.size();
    while (end > 0 && !line[end - 1]) --end;
    return end;
  }
};

void FindUnwritten(All all, Found& found) {
  const Evidence* early = nullptr;
  const Evidence* gaps = nullptr;
  for (const Evidence& e : all) {
    if (!HasValues(e) || std::ranges::none_of(e.output, IsPoison)) continue;
    const Lines lines(e);
    if (Lines::End(lines.rows) == 0) continue;
    if (!lines.Describe(e)) return;
    if (Lines::HasGap(lines.rows) || Lines::HasGap(lines.columns)) {
      if (gaps == nullptr) gaps = &e;
    } else if (lines.rows.front() && lines.columns.front()) {
      if (early == nullptr) early = &e;
    } else {
      return;
    }
  }
  if (gaps != nullptr) {
    AddFact(found, In(*gaps, say::conv_gaps()));
  } else if (early != nullptr) {
    const Lines lines(*early);
    AddFact(found, In(*early, say::conv_never_written(Lines::End(lines.rows), Lines::End(lines.columns))));
  }
}

/// Right in all tests whose sides are equal, and wrong in those others that have more than a few elements.
void FindOnlySquare(All all, Found& found) {
  std::vector<const Evidence*> wrong;
  bool has_square = false;
  for (const Evidence& e : all) {
    if (!e.is_exact || std::min(e.shape.rows, e.shape.columns) <= kWidth) continue;
    const bool is_wrong = e.result.wrong_count > 0 || HasError(e.result);
    if (is_wrong == (e.shape.rows == e.shape.columns)) return;
    if (!is_wrong) has_square = true;
    if (is_wrong) wrong.push_back(&e);
  }
  if (!has_square) return;
  for (const Evidence* e : wrong) AddFactOf(found, In(*e, say::conv_only_square()), e->test);
}

// --- Values at the edges of the matrix. ------------------------------------------------------------------

bool FindAtEdges(All all, Found& found) {
  const auto state = [&](const OfElement& is_it, const Message& what) {
    return State(
        all, [&](const Evidence& e, Index r, Index c) { return AtEdge(e, r, c) && is_it(e, r, c); }, what,
        found);
  };
  const auto with = [](auto at) {
    return [at](const Evidence& e, Index r, Index c) {
      return Output(e, r, c) == SumWith(e, r, c, [&](Index row, Index column) { return at(e, row, column); });
    };
  };
  const auto clamped = [](const Evidence& e, Index r, Index c) {
    return Element(e, std::clamp<Index>(r, 0, Rows(e) - 1), std::clamp<Index>(c, 0, Columns(e) - 1));
  };
  const auto wrapped = [](const Evidence& e, Index r, Index c) {
    const auto into = [](Index i, Index count) { return (i % count + count) % count; };
    return Element(e, into(r, Rows(e)), into(c, Columns(e)));
  };
  // What memory has at that index, whichever row it is in.
  const auto of_memory = [](const Evidence& e, Index r, Index c) {
    const Index at = r * Columns(e) + c;
    return at >= 0 && at < std::ssize(e.input) ? e.input[static_cast<std::size_t>(at)] : 0;
  };
  const auto of_rows = [&](const Evidence& e, Index r, Index c) {
    return r >= 0 && r < Rows(e) ? of_memory(e, r, c) : 0;
  };
  return state([](const Evidence& e, Index r, Index c) { return IsPoison(Output(e, r, c)); },
               say::conv_edges_unwritten()) ||
         state([](const Evidence& e, Index r, Index c) { return Output(e, r, c) == Element(e, r, c); },
               say::conv_edges_copied()) ||
         state([](const Evidence& e, Index r, Index c) { return Output(e, r, c) == 0; },
               say::conv_edges_zero()) ||
         state(with(clamped), say::conv_edges_clamped()) || state(with(wrapped), say::conv_edges_wrapped()) ||
         state(with(of_memory), say::conv_rows_run_on()) || state(with(of_rows), say::conv_rows_run_on());
}

// --- Values anywhere. ------------------------------------------------------------------------------------

/// The coefficients by which elements away from the edges are multiplied, by elimination.
std::optional<std::array<double, kCoefficients>> CoefficientsOf(const Evidence& e) {
  using Row = std::array<double, kCoefficients + 1>;
  const auto row_of = [&](Index r, Index c) {
    Row row{};
    for (std::size_t k = 0; k < kCoefficients; ++k) {
      const Index i = static_cast<Index>(k) / kWidth, j = static_cast<Index>(k) % kWidth;
      row[k] = static_cast<double>(Input(e, r + i - kRadius, c + j - kRadius));
    }
    row[kCoefficients] = static_cast<double>(Output(e, r, c));
    return row;
  };
  std::array<std::optional<Row>, kCoefficients> solved;
  const auto is_solved = [&] {
    return std::ranges::all_of(solved, [](const auto& each) { return each.has_value(); });
  };
  Each(e, [&](Index r, Index c) {
    if (AtEdge(e, r, c)) return true;
    Row row = row_of(r, c);
    for (std::size_t k = 0; k < kCoefficients; ++k) {
      if (std::abs(row[k]) < 1e-4) continue;
      if (!solved[k]) {
        const double by = row[k];
        for (double& value : row) value /= by;
        solved[k] = row;
        break;
      }
      const double times = row[k];
      for (std::size_t m = k; m < row.size(); ++m) row[m] -= times * (*solved[k])[m];
      row[k] = 0;
    }
    return !is_solved();
  });
  if (!is_solved()) return std::nullopt;
  std::array<double, kCoefficients> values{};
  for (std::size_t k = kCoefficients; k-- > 0;) {
    values[k] = (*solved[k])[kCoefficients];
    for (std::size_t m = k + 1; m < kCoefficients; ++m) values[k] -= (*solved[k])[m] * values[m];
  }
  const bool fits = Each(e, [&](Index r, Index c) {
    if (AtEdge(e, r, c)) return true;
    const Row row = row_of(r, c);
    double sum = 0;
    for (std::size_t k = 0; k < kCoefficients; ++k) sum += values[k] * row[k];
    // Written so that NaN is no fit.
    return std::abs(sum - row[kCoefficients]) < 0.5;
  });
  return fits ? std::optional(values) : std::nullopt;
}

/// Which coefficient each place of the window has: an index, or -1 for none (0).
using Places = std::array<int, kCoefficients>;

/// Of a test whose elements away from the edges all have the same coefficients, each of them one of the
/// filter's or 0.
std::optional<Places> PlacesOf(const Evidence& e) {
  const auto values = CoefficientsOf(e);
  if (!values) return std::nullopt;
  Places places{};
  for (std::size_t k = 0; k < kCoefficients; ++k) {
    const auto is_it = [&](double value) { return std::abs((*values)[k] - value) < 0.01; };
    const auto at = std::ranges::find_if(e.filter, [&](float f) { return is_it(static_cast<double>(f)); });
    if (at == e.filter.end() && !is_it(0)) return std::nullopt;
    places[k] = at == e.filter.end() ? -1 : static_cast<int>(at - e.filter.begin());
  }
  return places;
}

Places PlacesBy(const std::function<Index(Index i, Index j)>& of) {
  Places places{};
  for (Index i = 0; i < kWidth; ++i) {
    for (Index j = 0; j < kWidth; ++j)
      places[static_cast<std::size_t>(i * kWidth + j)] = static_cast<int>(of(i, j));
  }
  return places;
}

float SumOf(const Evidence& e, Index r, Index c, const Places& places) {
  float sum = 0;
  for (std::size_t k = 0; k < kCoefficients; ++k) {
    if (places[k] < 0) continue;
    const Index i = static_cast<Index>(k) / kWidth, j = static_cast<Index>(k) % kWidth;
    sum += e.filter[static_cast<std::size_t>(places[k])] * Input(e, r + i - kRadius, c + j - kRadius);
  }
  return sum;
}

/// "r - 2", "r", "r + 1"
std::string Shifted(const std::string& name, Index by) {
  if (by == 0) return name;
  return name + (by < 0 ? " - " : " + ") + std::to_string(std::abs(by));
}

/// "(r - 2, c + 1)", the element that belongs to coefficient k.
std::string ElementOf(std::size_t k) {
  const Index i = static_cast<Index>(k) / kWidth, j = static_cast<Index>(k) % kWidth;
  return "(" + Shifted("r", i - kRadius) + ", " + Shifted("c", j - kRadius) + ")";
}

/// The same other coefficients everywhere.
bool FindOtherCoefficients(All all, Found& found) {
  const Places right = PlacesBy([](Index i, Index j) { return i * kWidth + j; });
  std::optional<Places> places;
  for (const Evidence& e : all) {
    if (!HasValues(e) || e.result.wrong_count == 0 || std::min(e.shape.rows, e.shape.columns) < 12) continue;
    const auto own = PlacesOf(e);
    if (!own || *own == right || (places && *places != *own)) return false;
    places = own;
  }
  if (!places) return false;
  const Evidence* e = AllWrong(all, [&](const Evidence& each, Index r, Index c) {
    return Output(each, r, c) == SumOf(each, r, c, *places);
  });
  if (e == nullptr) return false;

  if (std::ranges::all_of(*places, [](int place) { return place < 0; })) {
    const Message& reason = e->result.reason;
    const bool is_beside = say::work_pending.Made(reason) || say::work_pending_and_more.Made(reason);
    AddFact(found, In(*e, is_beside ? say::conv_zero_beside_copy() : say::conv_all_zero()));
  } else if (*places ==
             PlacesBy([](Index i, Index j) { return (kWidth - 1 - i) * kWidth + kWidth - 1 - j; })) {
    AddFact(found, In(*e, say::conv_flipped()));
  } else if (*places == PlacesBy([](Index i, Index j) { return j * kWidth + i; })) {
    AddFact(found, In(*e, say::conv_transposed()));
  } else {
    const auto differs = std::ranges::mismatch(*places, right).in1;
    const auto k = static_cast<Index>(differs - places->begin());
    const Index i = k / kWidth, j = k % kWidth;
    const bool only_missing =
        std::ranges::equal(*places, right, [](int a, int b) { return a < 0 || a == b; });
    // As many whole floats as there are in 25 bytes.
    constexpr auto kCopied = static_cast<Index>(kCoefficients / sizeof(float));
    const bool only_first =
        std::all_of(places->begin() + k, places->end(), [](int place) { return place < 0; });
    if (only_missing && only_first && k == kCopied) {
      AddFact(found, In(*e, say::conv_few_copied()));
    } else if (only_missing) {
      AddFact(found,
              In(*e, say::conv_left_out(std::ranges::count_if(*places, [](int p) { return p < 0; }), i, j)));
    } else {
      const std::string element = ElementOf(static_cast<std::size_t>(k));
      AddFact(found, In(*e, *differs < 0 ? say::conv_no_coefficient(element, i, j)
                                         : say::conv_other_coefficient(element, *differs / kWidth,
                                                                       *differs % kWidth, i, j)));
    }
  }
  return true;
}

using Values = std::array<double, kCoefficients>;

/// The product of a column and a row: each two rows have the same ratios.
bool IsProduct(const Values& values) {
  const auto at = [&](Index i, Index j) { return values[static_cast<std::size_t>(i * kWidth + j)]; };
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  for (Index i = 1; i < kWidth; ++i) {
    for (Index j = 0; j < kWidth; ++j) {
      for (Index other = 0; other < j; ++other) {
        for (Index row = 0; row < i; ++row) {
          const double difference = at(row, other) * at(i, j) - at(row, j) * at(i, other);
          if (std::abs(difference) > 1e-3 * largest * largest) return false;
        }
      }
    }
  }
  return true;
}

Values FilterOf(const Evidence& e) {
  Values values{};
  std::ranges::transform(e.filter, values.begin(), [](float f) { return static_cast<double>(f); });
  return values;
}

/// The row or the column of the element that belongs to coefficient (i, j): `at` counts from the window's
/// first, or the other of i and j gives it.
struct Taken {
  enum By { kFixed, kByI, kByJ } by = kFixed;
  Index at = 0;

  Index Of(Index i, Index j) const { return by == kByI ? i : by == kByJ ? j : at; }
  /// "r - 2", "r + j - 2"
  std::string Name(const std::string& origin) const {
    if (by == kFixed) return Shifted(origin, at - kRadius);
    return Shifted(origin + (by == kByI ? " + i" : " + j"), -kRadius);
  }
};

/// Which element of the window each coefficient is multiplied by, if rows or columns do not change as they
/// should: several coefficients then have the same element.
struct TakenFrom {
  Taken row, column;
};

/// The coefficients of the window that `from` leads to.
Values SumsBy(const Evidence& e, const TakenFrom& from) {
  Values sums{};
  for (Index i = 0; i < kWidth; ++i) {
    for (Index j = 0; j < kWidth; ++j) {
      const Index to = from.row.Of(i, j) * kWidth + from.column.Of(i, j);
      sums[static_cast<std::size_t>(to)] += static_cast<double>(Coefficient(e, i, j));
    }
  }
  return sums;
}

bool AreEqual(const Values& some, const Values& other) {
  return std::ranges::equal(some, other, [](double a, double b) { return std::abs(a - b) < 0.01; });
}

std::optional<TakenFrom> TakenFromOf(const Evidence& e, const Values& values) {
  std::vector<Taken> ways = {{Taken::kByI, 0}, {Taken::kByJ, 0}};
  for (Index at = 0; at < kWidth; ++at) ways.push_back({Taken::kFixed, at});
  for (const Taken& row : ways) {
    for (const Taken& column : ways) {
      const bool is_one_to_one = row.by != column.by && row.by != Taken::kFixed && column.by != Taken::kFixed;
      if (!is_one_to_one && AreEqual(values, SumsBy(e, {row, column}))) return TakenFrom{row, column};
    }
  }
  return std::nullopt;
}

Message Describe(const TakenFrom& from) {
  const std::string row = from.row.Name("r"), column = from.column.Name("c");
  if (from.row.by == Taken::kFixed && from.column.by == Taken::kFixed)
    return say::conv_one_element_used(row, column);
  if (from.row.by == Taken::kByI) return say::conv_column_without_j(row, column);
  if (from.column.by == Taken::kByJ) return say::conv_row_without_i(row, column);
  return say::conv_neither_index(row, column);
}

/// All coefficients are added, and none is changed, but some elements of the window have none.
bool IsEachUsedElsewhere(const Values& values, const Values& filter) {
  const auto sum = [](const Values& some) { return std::accumulate(some.begin(), some.end(), 0.0); };
  const auto is_integer = [](double value) { return std::abs(value - std::round(value)) < 0.01; };
  const auto is_unused = [](double value) { return std::abs(value) < 0.01; };
  return std::abs(sum(values) - sum(filter)) < 0.1 && std::ranges::all_of(values, is_integer) &&
         std::ranges::any_of(values, is_unused);
}

/// The rows, or the columns, of the window that have a coefficient other than 0.
std::size_t LinesInUse(const Values& values, bool are_rows) {
  std::size_t count = 0;
  for (std::size_t line = 0; line < kWidth; ++line) {
    bool is_used = false;
    for (std::size_t k = 0; k < kWidth; ++k)
      is_used = is_used || std::abs(values[are_rows ? line * kWidth + k : k * kWidth + line]) > 0.01;
    count += is_used;
  }
  return count;
}

/// Away from the edges, all elements of a test have the same coefficients, and some of these are not in the
/// filter: a line adds them up, because it takes one element of input for several, or computes them.
bool FindChangedCoefficients(All all, Found& found) {
  const Evidence* seen = nullptr;
  Values first{};
  bool are_products = true, are_taken = true, are_each_used = true;
  std::optional<TakenFrom> from;
  for (const Evidence& e : all) {
    if (!HasValues(e) || e.result.wrong_count == 0 || std::min(e.shape.rows, e.shape.columns) < 12) continue;
    const auto values = CoefficientsOf(e);
    if (!values) return false;
    const Values filter = FilterOf(e);
    if (!from) from = TakenFromOf(e, *values);
    are_taken = are_taken && from && AreEqual(*values, SumsBy(e, *from));
    are_each_used = are_each_used && IsEachUsedElsewhere(*values, filter);
    // One row or one column is a product, too, and tells nothing.
    are_products = are_products && IsProduct(*values) && !IsProduct(filter) &&
                   LinesInUse(*values, true) > 1 && LinesInUse(*values, false) > 1;
    if (seen != nullptr) continue;
    seen = &e;
    first = *values;
  }
  if (seen == nullptr) return false;
  if (are_taken) {
    AddFact(found, In(*seen, Describe(*from)));
    return true;
  }
  const Values right = FilterOf(*seen);
  std::size_t most = 0;
  const auto off_by = [&](std::size_t k) {
    return are_each_used ? first[k] - right[k] : std::abs(first[k] - right[k]);
  };
  for (std::size_t k = 1; k < kCoefficients; ++k) {
    if (off_by(k) > off_by(most)) most = k;
  }
  // What is wrong is elsewhere.
  if (off_by(most) < 0.01) return false;
  if (are_products) {
    AddFact(found, In(*seen, say::conv_product()));
  } else if (are_each_used) {
    const auto unused = std::ranges::find_if(first, [](double value) { return std::abs(value) < 0.01; });
    AddFact(found, In(*seen, say::conv_element_repeated(
                                 ElementOf(most), say::Decimal(first[most], 0),
                                 ElementOf(static_cast<std::size_t>(unused - first.begin())))));
  } else {
    AddFact(found, In(*seen, say::conv_changed_coefficient(ElementOf(most), say::Decimal(first[most], 2),
                                                           most / kWidth, most % kWidth,
                                                           say::Decimal(right[most], 0))));
  }
  return true;
}

/// The tile is square, and read with row and column exchanged: each wrong element has the sum around the one
/// that lies across the diagonal of its tile, with the filter's rows as its columns or not.
bool FindTurnedTile(All all, Found& found) {
  constexpr Index kMost = 64;
  const Places as_it_is = PlacesBy([](Index i, Index j) { return i * kWidth + j; }),
               turned = PlacesBy([](Index i, Index j) { return j * kWidth + i; });
  for (Index side = 2; side <= kMost; ++side) {
    for (const bool is_filter_turned : {true, false}) {
      const OfElement is_it = [&](const Evidence& e, Index r, Index c) {
        return Output(e, r, c) == SumOf(e, r / side * side + c % side, c / side * side + r % side,
                                        is_filter_turned ? turned : as_it_is);
      };
      const Message what = is_filter_turned ? say::conv_tile_turned("(c + j - 2, r + i - 2)")
                                            : say::conv_tile_turned("(c + i - 2, r + j - 2)");
      if (State(all, is_it, what, found)) return true;
    }
  }
  return false;
}

/// Each wrong element is the right value of another one, the same distance away.
bool FindShift(All all, Found& found) {
  for (Index rows = -2 * kRadius; rows <= 2 * kRadius; ++rows) {
    for (Index columns = -2 * kRadius; columns <= 2 * kRadius; ++columns) {
      if (rows == 0 && columns == 0) continue;
      const OfElement is_it = [=](const Evidence& e, Index r, Index c) {
        return Output(e, r, c) == Sum(e, r + rows, c + columns);
      };
      if (State(all, is_it, say::conv_shifted(Shifted("r", rows), Shifted("c", columns)), found)) return true;
    }
  }
  return false;
}

/// Each wrong element has the sum of the first row of its tile, or of the first column, or of both: a line
/// computes them without the thread's own row or column.
bool FindFirstOfTile(All all, Found& found) {
  constexpr Index kMost = 64;
  for (Index rows = 1; rows <= kMost; ++rows) {
    for (Index columns = 1; columns <= kMost; ++columns) {
      if (rows * columns == 1) continue;
      const auto first_row = [=](Index r) { return r / rows * rows; };
      const auto first_column = [=](Index c) { return c / columns * columns; };
      const Evidence* e = AllWrong(all, [&](const Evidence& each, Index r, Index c) {
        return Output(each, r, c) == Sum(each, first_row(r), first_column(c));
      });
      if (e == nullptr) continue;
      Each(*e, [&](Index r, Index c) {
        if (IsRight(*e, r, c)) return true;
        const auto& fact = columns == 1 ? say::conv_first_row_of_tile
                           : rows == 1  ? say::conv_first_column_of_tile
                                        : say::conv_first_of_tile;
        AddFact(found, In(*e, fact(r, c, first_row(r), first_column(c))));
        return false;
      });
      return true;
    }
  }
  return false;
}

/// Each wrong element has the output of another one in it, the same distance away.
bool FindSumsThatGoOn(All all, Found& found) {
  for (Index by = 1; by <= 64; ++by) {
    const OfElement of_row = [=](const Evidence& e, Index r, Index c) {
      return r >= by && Output(e, r, c) == Sum(e, r, c) + Output(e, r - by, c);
    };
    const OfElement of_column = [=](const Evidence& e, Index r, Index c) {
      return c >= by && Output(e, r, c) == Sum(e, r, c) + Output(e, r, c - by);
    };
    if (State(all, of_row, say::conv_sum_goes_on(Shifted("r", -by), "c"), found) ||
        State(all, of_column, say::conv_sum_goes_on("r", Shifted("c", -by)), found))
      return true;
  }
  return false;
}

/// Only a part of the window counts: some of its first or last rows or columns do not. The largest such part.
std::optional<Part> PartOf(const Evidence& e, Index r, Index c) {
  std::optional<Part> most;
  const auto size = [](const Part& part) {
    return (part.row_end - part.row) * (part.column_end - part.column);
  };
  for (Index row = 0; row <= kRadius; ++row) {
    for (Index row_end = kRadius + 1; row_end <= kWidth; ++row_end) {
      for (Index column = 0; column <= kRadius; ++column) {
        for (Index column_end = kRadius + 1; column_end <= kWidth; ++column_end) {
          const Part part{row, row_end, column, column_end};
          if ((!most || size(*most) < size(part)) && Output(e, r, c) == Sum(e, r, c, part)) most = part;
        }
      }
    }
  }
  return most;
}

bool HasPart(const Evidence& e, Index r, Index c) {
  return PartOf(e, r, c).has_value();
}

/// If an element lacks rows on one side alone, or columns, these.
std::optional<Message> LackedBy(Index r, Index c, const Part& part) {
  const bool above = part.row > 0, below = part.row_end < kWidth;
  const bool left = part.column > 0, right = part.column_end < kWidth;
  if (above + below + left + right != 1) return std::nullopt;
  const bool are_rows = above || below;
  const Index at = are_rows ? r : c;
  const Index first = at - kRadius + (above || left ? 0 : are_rows ? part.row_end : part.column_end);
  const Index count = above  ? part.row
                      : left ? part.column
                             : kWidth - (below ? part.row_end : part.column_end);
  if (first < 0 || count > 2) return std::nullopt;
  const auto one = static_cast<std::uint64_t>(first);
  if (are_rows) return count == 1 ? say::conv_row(one) : say::conv_two_rows(one, one + 1);
  return count == 1 ? say::conv_column(one) : say::conv_two_columns(one, one + 1);
}

/// Of the first wrong element, what is missing.
bool FindParts(All all, Found& found) {
  const Evidence* e = AllWrong(all, HasPart);
  if (e == nullptr) return false;
  std::optional<Message> lacked;
  Each(*e, [&](Index r, Index c) {
    if (IsRight(*e, r, c)) return true;
    if (const auto what = LackedBy(r, c, *PartOf(*e, r, c))) lacked = say::conv_lacks(r, c, *what);
    return false;
  });
  AddFact(found, In(*e, lacked.value_or(say::conv_halo_zero())));
  return true;
}

/// One corner of the window does not count.
bool LacksCorner(const Evidence& e, Index r, Index c) {
  const float right = Sum(e, r, c);
  for (Index rows = 1; rows <= kRadius; ++rows) {
    for (Index columns = 1; columns <= kRadius; ++columns) {
      for (const bool is_above : {true, false}) {
        for (const bool is_left : {true, false}) {
          Part part;
          (is_above ? part.row_end : part.row) = is_above ? rows : kWidth - rows;
          (is_left ? part.column_end : part.column) = is_left ? columns : kWidth - columns;
          if (Output(e, r, c) == right - Sum(e, r, c, part)) return true;
        }
      }
    }
  }
  return false;
}

void FindWrongValues(All all, Found& found) {
  FindUnwritten(all, found);
  if (!found.empty() || FindAtEdges(all, found) || FindOtherCoefficients(all, found) ||
      FindTurnedTile(all, found) || FindShift(all, found) || FindFirstOfTile(all, found) ||
      FindSumsThatGoOn(all, found)) {
    return;
  }
  if (!State(all, LacksCorner, say::conv_corners_zero(), found) && !FindParts(all, found)) {
    FindChangedCoefficients(all, found);
  }
}

/// Along x or y, the one number of elements for each block with which the grids of all launches have as many
/// blocks as they need; 0 if there is none, or more than one.
std::size_t TileAlong(All all, std::size_t reference::MatrixShape::*side, std::uint32_t Dim3::*axis) {
  constexpr std::size_t kMost = 256;
  std::size_t tile = 0;
  for (std::size_t each = 1; each <= kMost; ++each) {
    bool has_launch = false;
    const bool fits = std::ranges::all_of(all, [&](const Evidence& e) {
      return std::ranges::all_of(e.result.launches, [&](const LaunchRecord& launch) {
        has_launch = true;
        return launch.grid.*axis == (e.shape.*side + each - 1) / each;
      });
    });
    if (!fits || !has_launch) continue;
    if (tile != 0) return 0;
    tile = each;
  }
  return tile;
}

/// The part of the matrix that each block computes; nothing if the grids do not tell it.
std::optional<reference::MatrixShape> TileOf(All all) {
  const reference::MatrixShape tile{TileAlong(all, &reference::MatrixShape::rows, &Dim3::y),
                                    TileAlong(all, &reference::MatrixShape::columns, &Dim3::x)};
  if (tile.Elements() == 0) return std::nullopt;
  return tile;
}

std::size_t WithHalo(const reference::MatrixShape& tile) {
  return (tile.rows + 2 * kRadius) * (tile.columns + 2 * kRadius);
}

/// Of an access outside an array in shared memory: whether that has room for the tile and its halo.
bool FindOutsideTile(All all, Found& found) {
  const auto tile = TileOf(all);
  if (!tile) return false;
  const auto is_outside = [](const Finding& finding) {
    return finding.kind == FindingKind::kOutOfBounds && finding.space == MemorySpace::kShared;
  };
  const auto room = [](const Finding& finding) {
    return static_cast<std::size_t>(finding.object_bytes) / sizeof(float);
  };
  const IsIt lacks_halo = [&](const Finding& finding) {
    return is_outside(finding) && finding.offset_bytes >= finding.object_bytes &&
           room(finding) >= tile->Elements() && room(finding) < WithHalo(*tile);
  };
  const IsIt is_before = [&](const Finding& finding) {
    return is_outside(finding) && finding.access == Access::kRead && finding.offset_bytes < 0 &&
           room(finding) >= WithHalo(*tile);
  };
  for (const Evidence& e : all) {
    const auto outside = std::ranges::find_if(e.result.findings, lacks_halo);
    if (outside == e.result.findings.end()) continue;
    return FindInEach(all, lacks_halo,
                      say::conv_halo_room(say::Count(room(*outside), "element"), tile->rows, tile->columns,
                                          WithHalo(*tile)),
                      found);
  }
  return FindInEach(all, is_before, say::conv_before_tile(), found);
}

/// Tile elements that nobody stored are read. If they are those at a tile's corners, no row and no column of
/// output is wrong from one end to the other; if they lie outside the matrix, elements are wrong only at its
/// edges.
bool FindUnwrittenTile(All all, Found& found) {
  const IsIt is_it = InShared(FindingKind::kUninitialised);
  bool has_wrong = false, has_line = false, has_borders = false, has_wrong_inner = false;
  for (const Evidence& e : all) {
    if (std::min(e.shape.rows, e.shape.columns) < 16 || e.shape.Elements() >= kLargeSide * kLargeSide ||
        e.output.empty() || !e.is_exact || std::ranges::none_of(e.result.findings, is_it))
      continue;
    std::vector<bool> rows(e.shape.rows, true), columns(e.shape.columns, true);
    Each(e, [&](Index r, Index c) {
      if (IsRight(e, r, c)) {
        rows[static_cast<std::size_t>(r)] = columns[static_cast<std::size_t>(c)] = false;
      } else {
        has_wrong = true;
        has_wrong_inner = has_wrong_inner || !AtEdge(e, r, c);
      }
      return true;
    });
    // Between tiles, elements are not at the matrix's edges.
    has_borders = has_borders || std::ranges::any_of(e.result.launches, [](const LaunchRecord& launch) {
                    return launch.grid.x > 1 && launch.grid.y > 1;
                  });
    const auto has = [](const std::vector<bool>& line) {
      return std::ranges::find(line, true) != line.end();
    };
    has_line = has_line || has(rows) || has(columns);
  }
  return FindInEach(all, is_it,
                    has_wrong && has_borders && !has_wrong_inner ? say::conv_outside_unwritten()
                    : has_wrong && !has_line                     ? say::conv_corners_unwritten()
                                                                 : say::conv_tile_unwritten(),
                    found);
}

/// Of the filter, or of a copy as large.
bool IsOutsideFilter(const Finding& finding) {
  constexpr std::int64_t kBytes = kCoefficients * sizeof(float);
  return finding.kind == FindingKind::kOutOfBounds && finding.access == Access::kRead &&
         (finding.object == "filter" || (finding.object != "input" && finding.object_bytes == kBytes));
}

/// Every sum of integers is right, and sums of fractions are not.
void FindOnlyFractions(All all, Found& found) {
  const Evidence* seen = nullptr;
  for (const Evidence& e : all) {
    const bool is_wrong = e.result.wrong_count > 0 && !HasError(e.result);
    if (e.is_exact ? e.result.wrong_count > 0 || HasError(e.result) : !is_wrong) return;
    if (!e.is_exact) seen = &e;
  }
  if (seen != nullptr) AddFact(found, In(*seen, say::conv_only_fractions()));
}

// --- Counts, where every value is right. ------------------------------------------------------------------

bool LoadsInput(const LaunchRecord& launch) {
  const auto of_input = std::ranges::find(launch.arrays, "input", &ArrayTraffic::label);
  return of_input != launch.arrays.end() && of_input->load_bytes > 0;
}

/// Null: none, or several.
const LaunchRecord* OnlyOneThatLoads(const Evidence& e) {
  const auto loads = std::ranges::find_if(e.result.launches, LoadsInput);
  if (loads == e.result.launches.end() || std::ranges::count_if(e.result.launches, LoadsInput) > 1)
    return nullptr;
  return &*loads;
}

/// All threads store, but those of the grid's last one or two rows and columns of blocks: without these, the
/// blocks divide the matrix into tiles. Nothing if it is not so.
std::optional<Message> IdleBlocks(const Evidence& e) {
  const LaunchRecord* loads = OnlyOneThatLoads(e);
  if (loads == nullptr) return std::nullopt;
  const std::uint64_t x = loads->grid.x, y = loads->grid.y;
  for (const std::uint64_t along_x : {x, x - 1, x - 2}) {
    for (const std::uint64_t along_y : {y, y - 1, y - 2}) {
      // Below 0 it is a very large number.
      if (along_x == 0 || along_x > x || along_y == 0 || along_y > y || along_x * along_y == x * y) continue;
      if (e.shape.columns % along_x != 0 || e.shape.rows % along_y != 0) continue;
      if (e.storing_threads != along_x * along_y * loads->block.Volume()) continue;
      const std::uint64_t idle = x * y - along_x * along_y;
      return along_x < x ? say::conv_idle_columns(idle, x * y, along_x, e.shape.columns, x)
                         : say::conv_idle_rows(idle, x * y, along_y, e.shape.rows, y);
    }
  }
  return std::nullopt;
}

/// Blocks that store with all their threads, each several elements, and a grid with a block for as many
/// elements as one has threads: most lie outside the matrix. As many loads as the tiles of the other blocks
/// need tell this from blocks that all have a tile, of which only some threads store.
std::optional<Message> BlocksOfThreads(const Evidence& e) {
  constexpr std::uint64_t kMost = 32;
  const LaunchRecord* loads = OnlyOneThatLoads(e);
  if (loads == nullptr) return std::nullopt;
  const std::uint64_t x = loads->grid.x, y = loads->grid.y, rows = e.shape.rows, columns = e.shape.columns;
  const std::uint64_t loaded = TrafficOf(e.result, "input").load_bytes / sizeof(float);
  // A block just outside loads its halo, too.
  const auto fits = [&](std::uint64_t down, std::uint64_t across) {
    const std::uint64_t own_rows = rows + 2 * kRadius * (down - 1);
    const std::uint64_t own_columns = columns + 2 * kRadius * (across - 1);
    return loaded >= own_rows * own_columns && loaded <= (own_rows + kRadius) * (own_columns + kRadius);
  };
  if (rows % y != 0 || columns % x != 0) return std::nullopt;
  for (std::uint64_t times_y = 1; times_y <= kMost; ++times_y) {
    for (std::uint64_t times_x = 1; times_x <= kMost; ++times_x) {
      if (times_x * times_y == 1 || x % times_x != 0 || y % times_y != 0) continue;
      const std::uint64_t blocks = x / times_x * (y / times_y);
      if (e.storing_threads != blocks * loads->block.Volume() || !fits(y / times_y, x / times_x)) continue;
      const std::uint64_t own_rows = rows / y, own_columns = columns / x;
      return say::conv_idle_blocks_of_grid(x * y - blocks, x * y, own_rows * times_y, own_columns * times_x,
                                           own_rows, own_columns);
    }
  }
  return std::nullopt;
}

/// Several threads load the same element and store it in the same place: more loads than the blocks' tiles
/// have with their halo, and a race.
bool FindLoadedAgain(All all, const Evidence& e, Found& found) {
  const auto tile = TileOf(all);
  const IsIt is_race = [](const Finding& finding) {
    return finding.kind == FindingKind::kRace && finding.space == MemorySpace::kShared && BothStore(finding);
  };
  if (!tile || std::ranges::none_of(e.result.findings, is_race)) return false;
  const std::uint64_t loaded = TrafficOf(e.result, "input").load_bytes / sizeof(float);
  const auto per_element = static_cast<double>(loaded) / static_cast<double>(e.shape.Elements());
  const auto needed = static_cast<double>(WithHalo(*tile)) / static_cast<double>(tile->Elements());
  if (per_element < 1.5 * needed) return false;
  Fact& fact = AddFact(found, In(e, say::conv_loaded_again(say::Decimal(per_element, 1), tile->rows,
                                                           tile->columns, say::Decimal(needed, 1))));
  ShowFinding(fact, e.result, is_race);
  return true;
}

void FindByCounts(All all, const Evidence& e, Found& found) {
  const Limits limits = LimitsOf(e.shape);
  const Counts counts = TotalCounts(e.result);
  const std::uint64_t loads = counts.global_load_bytes / sizeof(float), elements = e.shape.Elements();
  const std::uint64_t of_input = TrafficOf(e.result, "input").load_bytes / sizeof(float);
  const std::uint64_t of_filter = TrafficOf(e.result, "filter").load_bytes / sizeof(float);
  const auto per_element = [&](std::uint64_t count) {
    return say::Decimal(static_cast<double>(count) / static_cast<double>(elements), 1);
  };
  if (BytesFromGlobal(e.result) > limits.bytes) {
    if (!UsesShared(e.result) && of_input > 2 * elements) {
      AddFact(found, In(e, of_input > 20 * elements ? say::conv_many_loads(per_element(of_input))
                                                    : say::conv_some_loads(per_element(of_input))));
    } else if (of_input > 2 * elements && !FindLoadedAgain(all, e, found)) {
      // A wavefront stores up to 32 floats.
      const bool is_beside_tile = of_input > 40 * counts.shared_store_wavefronts;
      AddFact(found, In(e, is_beside_tile ? say::conv_halo_global(per_element(of_input))
                                          : say::conv_small_tiles(per_element(of_input))));
    }
    if (of_filter > elements / 2) AddFact(found, In(e, say::conv_filter_loads(per_element(of_filter))));
  }
  if (counts.global_load_sectors > limits.sectors && 2 * counts.global_load_sectors > loads) {
    // Lanes that are alone need a sector each, too.
    AddFact(found, In(e, 2 * counts.global_load_requests > loads
                             ? say::conv_one_lane()
                             : say::conv_many_sectors(counts.global_load_sectors, loads)));
  }
  if (e.shape.rows % kWholeTiles == 0 && e.shape.columns % kWholeTiles == 0) {
    const std::uint64_t threads = Threads(e.result);
    if (e.storing_threads + IdleThreads(threads) >= threads) return;
    if (const auto blocks = IdleBlocks(e)) {
      AddFact(found, In(e, *blocks));
    } else if (const auto of_threads = BlocksOfThreads(e)) {
      AddFact(found, In(e, *of_threads));
    } else if (threads == elements && elements % e.storing_threads == 0) {
      // Threads that load a halo are more than there are elements.
      AddFact(found, In(e, say::conv_idle_threads_of_grid(threads - e.storing_threads, threads,
                                                          elements / e.storing_threads)));
    } else {
      AddFact(found, In(e, say::conv_idle(threads - e.storing_threads, threads)));
    }
  }
}

}  // namespace

bool IsLarge(const reference::MatrixShape& shape) {
  return std::min(shape.rows, shape.columns) >= kLargeSide;
}

Limits LimitsOf(const reference::MatrixShape& shape) {
  return {8 * shape.Elements(), shape.Elements() * 3 / 4};
}

std::uint64_t BytesFromGlobal(const TestResult& result) {
  const Counts counts = TotalCounts(result);
  return counts.global_load_bytes + counts.global_atomic_bytes;
}

std::uint64_t Threads(const TestResult& result) {
  std::uint64_t threads = 0;
  for (const LaunchRecord& launch : result.launches) {
    if (LoadsInput(launch)) threads += launch.grid.Volume() * launch.block.Volume();
  }
  return threads;
}

std::uint64_t IdleThreads(std::uint64_t threads) {
  return threads / 5;
}

bool UsesShared(const TestResult& result) {
  return SharedRequests(TotalCounts(result)) > 0;
}

bool IsAtEdge(const reference::MatrixShape& shape, std::size_t element) {
  const auto is_near_end = [](std::size_t i, std::size_t count) {
    return i < kRadius || i + kRadius >= count;
  };
  return is_near_end(element / shape.columns, shape.rows) ||
         is_near_end(element % shape.columns, shape.columns);
}

std::vector<Fact> FactsOf(All all) {
  Found found;
  if (FindRefusals(all, found) ||
      FindBy(
          all, [](const Finding& finding) { return finding.kind == FindingKind::kDivergentBarrier; },
          say::conv_different_barriers(), found) ||
      FindReturns(all, say::conv_returned(), found) || FindRaces(all, found)) {
    return found;
  }
  FindOnlySquare(all, found);
  if (!found.empty()) return found;
  // A thread without an element that stores one has read a part of the tile that nobody needs, and may have
  // stored an element of the next row. What lies before the input may be the end of the filter.
  const auto stores_over = [](const Finding& finding) {
    return finding.object == "output" && BothStore(finding);
  };
  if (!FindBy(all, Outside("output", Access::kWrite), say::conv_stores_outside(), found) &&
      !FindBy(all, stores_over, say::conv_output_twice(), found) && !FindOutsideTile(all, found)) {
    FindUnwrittenTile(all, found);
    if (!FindBy(all, Outside("input", Access::kRead), say::conv_reads_outside(), found))
      FindBy(all, IsOutsideFilter, say::conv_filter_outside(), found);
  }
  if (found.empty()) FindWrongValues(all, found);
  if (found.empty()) FindOnlyFractions(all, found);
  const bool right = std::ranges::all_of(
      all, [](const Evidence& e) { return e.result.wrong_count == 0 && !HasError(e.result); });
  if (!found.empty() || !right) return found;
  FindHostRead(all, found);
  for (const Evidence* e : FailedFirst(all)) {
    if (IsLarge(e->shape) && Completed(e->result)) FindByCounts(all, *e, found);
  }
  return found;
}

}  // namespace warplings::convolution

// SPDX-License-Identifier: Apache-2.0
// Which elements of M and N are read in place of the right ones.
#include <algorithm>
#include <map>
#include <optional>

#include "grader/suite/product_facts.h"

namespace warplings::product_facts {
namespace {

class Reads : FactFinder {
 public:
  explicit Reads(Findings& findings) : FactFinder(findings), findings_(findings) {}

  void Find() {
    if (facts_.p_row_length != 0 || known_.empty() || facts_.untouched == known_.size()) return;
    // What the others hold may be anything, such as products of a matrix with itself.
    const bool all_known = facts_.unknown == 0;
    if (all_known && std::ranges::all_of(known_, [](const FoundFormula* f) { return Product::IsZero(*f); })) {
      facts_.all_zero = true;
      Say(say::product_all_zero());
      if (product_.inner() > 0) {
        const std::vector<std::string> first = product_.Written(product_.Right(0).front()).factors;
        Say(say::product_follow(first[0] + "·" + first[1], product_.NameOf(0)));
      }
      return;
    }
    const auto m = FindReading(true), n = FindReading(false);
    if (m && n && IsOtherProduct(m->way, n->way)) {
      Say(say::product_inputs_exchanged());
      return;
    }
    if (m) DescribeReading(*m, true);
    if (n) DescribeReading(*n, false);
    if (m && n) DescribeProducts(*m, *n);
    if (!m || !n) DescribeWhereSumsDiffer(findings_);
  }

 private:
  /// A way to turn (major, minor) into an index: M[major][minor] of memory with rows of `length`.
  struct Way {
    std::int64_t length = 0, offset = 0;
    bool turned = false;  ///< minor * length + major
    bool other = false;   ///< P's other index in place of its own.
  };

  /// Of one input: i of each index, if the way gives it; whether every known sum has the same i, as often.
  struct Reading {
    Way way;
    std::map<std::int64_t, std::int64_t> times;
  };

  /// `fixed`: the part of the index that a sum has; `step`: what one more i adds.
  std::optional<Reading> ReadingOf(const Way& way, bool of_m) const {
    std::optional<Reading> reading;
    for (const FoundFormula* f : known_) {
      if (f->IsUntouched()) continue;
      const std::int64_t r = product_.RowOf(f->element), c = product_.ColumnOf(f->element);
      const std::int64_t own = of_m != way.other ? r : c;
      // As memory lies, i counts along a row of M and down a column of N (and of Mt).
      const bool along = (of_m && !contract().m_by_columns) != way.turned;
      const std::int64_t start = (along ? own * way.length : own) + way.offset;
      const std::int64_t step = along ? 1 : way.length;
      std::map<std::int64_t, std::int64_t> times;
      for (const ProbeTerm& term : f->terms) {
        const ElementIndex index = of_m ? term.a : term.b;
        if (index == kNoElement) continue;
        const std::int64_t distance = index - start;
        if (distance % step != 0 || distance < 0) return std::nullopt;
        times[distance / step] += term.times;
      }
      if (!reading) {
        reading = Reading{way, times};
      } else if (reading->times != times) {
        return std::nullopt;
      }
    }
    if (reading && reading->times.empty()) return std::nullopt;
    return reading;
  }

  static bool IsOneEach(const Reading& reading) {
    std::int64_t next = 0;
    return std::ranges::all_of(reading.times,
                               [&](const auto& each) { return each.first == next++ && each.second == 1; });
  }

  /// The right way first: with it any i may be there; with others only 0, 1, 2, … once each, or much would
  /// fit.
  std::optional<Reading> FindReading(bool of_m) const {
    const std::int64_t right = of_m ? product_.m_row() : product_.columns();
    if (auto reading = ReadingOf({right, 0, false, false}, of_m)) return reading;
    std::vector<std::int64_t> lengths = {product_.rows(), product_.inner(), product_.columns()};
    for (std::int64_t length = 1; length <= kLongestRow; ++length) lengths.push_back(length);
    for (const bool other : {false, true}) {
      for (const bool turned : {false, true}) {
        for (const std::int64_t offset : {0, 1, -1}) {
          for (const std::int64_t length : lengths) {
            const bool far = offset != 0 && length != right;
            const auto reading = far ? std::nullopt : ReadingOf({length, offset, turned, other}, of_m);
            if (reading && IsOneEach(*reading)) return reading;
          }
        }
      }
    }
    return std::nullopt;
  }

  void DescribeReading(const Reading& reading, bool of_m) {
    const Way& way = reading.way;
    const std::string name = of_m ? product_.m_name() : "N";
    const std::int64_t right = of_m ? product_.m_row() : product_.columns();
    (of_m ? facts_.m_row_length : facts_.n_row_length) = way.length;
    (of_m ? facts_.m_turned : facts_.n_turned) = way.turned;
    (of_m ? facts_.m_offset : facts_.n_offset) = way.offset;
    (of_m ? facts_.m_takes_column : facts_.n_takes_row) = way.other;
    if (way.other) Say(of_m ? say::product_row_by_column() : say::product_column_by_row());
    if (way.turned) {
      DescribeTurned(way, of_m);
    } else if (way.length != right) {
      (of_m ? facts_.m_row_is_wrong : facts_.n_row_is_wrong) = true;
      Say(say::product_read_with_rows(name, product_.RowWithSide(way.length), product_.WithSide(right)));
    }
    if (way.offset != 0)
      Say(way.offset > 0 ? say::product_read_too_far(name) : say::product_read_too_early(name));
  }

  /// Both as the other one should be read.
  bool IsOtherProduct(const Way& m, const Way& n) const {
    const auto is_across = [](const Way& way, std::int64_t length) {
      return way.other && way.turned && way.offset == 0 && way.length == length;
    };
    return !contract().m_by_columns && is_across(m, product_.columns()) && is_across(n, product_.inner());
  }

  /// Which i are there how often, and whether partners belong to each other.
  void DescribeProducts(const Reading& m, const Reading& n) {
    const std::int64_t inner = product_.inner();
    if (m.times != n.times) {
      DescribeUnlikeRanges(m, n);
      return;
    }
    if (MeetsOther(m.way, n.way)) return;
    const std::int64_t end = m.times.rbegin()->first + 1;
    facts_.times.assign(static_cast<std::size_t>(std::max(end, inner)), 0);
    for (const auto& [i, times] : m.times) facts_.times[static_cast<std::size_t>(i)] = times;
    FindRunsOfProducts(findings_);
  }

  /// M's i and N's are not the same ones.
  void DescribeUnlikeRanges(const Reading& m, const Reading& n) {
    const auto ranges = [](const Reading& reading) {
      std::vector<std::int64_t> all;
      for (const auto& [i, times] : reading.times) {
        if (times > 0) all.push_back(i);
      }
      return Ranges(all);
    };
    // Within one range some come more often than others, or not at all: their terms say more.
    if (m.times.begin()->first == n.times.begin()->first &&
        m.times.rbegin()->first == n.times.rbegin()->first) {
      DescribeFirstWrongSum(findings_);
      return;
    }
    Say(say::product_unlike_ranges(ranges(m), ranges(n)));
  }

  /// With an example, "as if N[0][3] were N[0][1]": the place in memory, of the element that belongs there.
  /// Where the other index of P is taken as well, each sum has its own.
  void DescribeTurned(const Way& way, bool of_m) {
    const bool has_tiles = contract().has_tiles;
    const std::string name = of_m ? product_.m_name() : "N";
    const std::int64_t right = of_m ? product_.m_row() : product_.columns();
    const std::int64_t count = of_m ? product_.rows() * product_.inner() : product_.inner() * right;
    // The second of a row where there is one, else the first of the second row.
    const std::int64_t row = right > 1 ? 0 : 1, column = right > 1 ? 1 : 0;
    if (count < 2 || way.other)
      return Say(has_tiles ? say::product_tile_turned(name) : say::product_input_turned(name));
    const std::string taken = Factor(name, column * way.length + row + way.offset, count, right),
                      own = Factor(name, row * right + column, count, right);
    Say(has_tiles ? say::product_tile_turned_as(name, taken, own)
                  : say::product_input_turned_as(name, taken, own));
  }

  /// Partners of a sum at a distance, or in another order.
  bool MeetsOther(const Way& m, const Way& n) {
    std::optional<std::int64_t> offset;
    const ProbeTerm* example = nullptr;
    bool same_offset = true;
    for (const FoundFormula* f : known_) {
      const std::int64_t r = product_.RowOf(f->element), c = product_.ColumnOf(f->element);
      for (const ProbeTerm& term : f->terms) {
        if (term.a == kNoElement || term.b == kNoElement) continue;
        const std::int64_t i = IOf(m, true, r, c, term.a), k = IOf(n, false, r, c, term.b);
        if (i != k && example == nullptr) example = &term;
        if (!offset) offset = k - i;
        same_offset &= *offset == k - i;
      }
    }
    if (example == nullptr) return false;
    facts_.pair_offset = same_offset ? *offset : 0;
    const Term written = product_.Written(*example);
    Say(say::product_pair_of_two_i(written.factors[0], written.factors[1]));
    return true;
  }

  std::int64_t IOf(const Way& way, bool of_m, std::int64_t r, std::int64_t c, ElementIndex index) const {
    const std::int64_t own = of_m != way.other ? r : c;
    const bool along = (of_m && !contract().m_by_columns) != way.turned;
    return (index - way.offset - (along ? own * way.length : own)) / (along ? 1 : way.length);
  }

  Findings& findings_;
};

}  // namespace

void FindReads(Findings& findings) {
  Reads(findings).Find();
}

}  // namespace warplings::product_facts

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "grader/suite/product_formula.h"
#include "grader/suite/suite_messages.h"
#include "tests/suites/02_rectangular_matmul/rect_models.h"
#include "tests/suites/common/matmul_call.h"

namespace warplings::rect_matmul {

/// A wrong kernel, and the misconception that it holds.
struct Candidate {
  std::string id;
  Message evidence;  ///< "N is read with rows of k elements".
  RectModel model;
};

/// Every kernel that takes one side for another at one place, or one side for all three.
std::vector<Candidate> CandidatesFor(const RectModel& right);

/// The first read of a tile element that no thread has stored, if every failing test has one; else null. The
/// products are then those of the tile, whatever probing takes for the row length of M or N.
const Finding* FindReadOfUnstoredTile(std::span<const MatmulEvidence> all);

/// The misconceptions that explain what the tests saw, none twice. `right` says which exercise it is. What
/// gives each away (poison: an element that nobody wrote):
///
///  - those of CandidatesFor: a model of just this kernel predicts every element of P in every test, and in
///    which tests something outside M, N or P is accessed; models of other misconceptions do not
///  - grid_interchanged: grids of ceil(j / block.x) x ceil(l / block.y), and poison just where they do not
///    reach; or the right grid, and poison as if x counted rows
///  - grid_rounded_down: the same with floor(l / block.x), or floor(j / block.y), or both
///  - grid_for_another_block: a grid for wider blocks than were launched, and poison just where they do not
///    reach
///  - barrier_missing: races of the tiles
///  - sum_in_p: P is read before it is written
///  - empty_sums_not_stored: k = 0 leaves P all poison
///  - empty_grid_launched: refused launches, and only where P has no element
///  - untiled: right values without a finding, no shared load
///  - read_down_the_columns: right values without a finding, but loads that waste sectors
///
/// `facts`: what probing found of the sums. Where no single model explains all tests, because there are two
/// mistakes or an unforeseen one beside it, each fact still gives its name.
std::vector<Fact> FactsOf(std::span<const MatmulEvidence> all, const RectModel& right,
                          const ProductFacts& facts = {});

}  // namespace warplings::rect_matmul

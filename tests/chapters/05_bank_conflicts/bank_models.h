// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "chapters/05_bank_conflicts/bank_of.h"
#include "chapters/05_bank_conflicts/conflict_degree.h"
#include "reference/banks.h"
#include "tests/chapters/05_bank_conflicts/model_search.h"

namespace warplings::bank_conflicts {

/// One question of bank_of.
struct Place {
  SharedArray array;
  int row = 0, column = 0;
};

Banks RightBanks(const Place& place);
/// "float [2][5], pitch 33, width 32, base 64".
std::string Describe(const Place& place);

/// The two numbers of an answer are explained apart, so that a mistake in one does not hide one in the other.
/// Every combination of: how elements are numbered, where the base goes, what a bank counts.
std::vector<Model<Place, int>> FirstBankModels();
std::vector<Model<Place, int>> BankCountModels();

int RightDegree(const WarpRequest& request);
WarpRequest ToRequest(const reference::LaneAddresses& addresses, int element_bytes);

/// Every combination of: who is served together, what counts as the same, what a bank counts, whether the
/// worst bank decides, how the groups' passes make one number, whether the first pass counts.
std::vector<Model<WarpRequest, int>> DegreeModels();

}  // namespace warplings::bank_conflicts

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "chapters/05_bank_conflicts/bank_of.h"
#include "chapters/05_bank_conflicts/conflict_degree.h"
#include "reference/banks.h"
#include "tests/suites/common/step_search.h"

namespace warplings::bank_conflicts {

/// One question of bank_of.
struct Place {
  SharedArray array;
  int row = 0, column = 0;
};

Banks RightBanks(const Place& place);
/// "float [2][5], pitch 33, width 32, base 64".
Message Describe(const Place& place);
/// "element 71, byte 348, word 87": the way to the right answer without its last step.
Message Way(const Place& place);

/// The two numbers of an answer are explained apart, so that a mistake in one does not hide one in the other.
/// Steps: how elements are numbered, where the base goes, what a bank holds.
const step_search::Calculation<Place, int>& FirstBank();
const step_search::Calculation<Place, int>& BankCount();

/// By which questions with wrong answers are told from the others.
std::vector<step_search::Trait<Place>> TraitsOfPlaces();
std::vector<step_search::Trait<WarpRequest>> TraitsOfRequests();

int RightDegree(const WarpRequest& request);
WarpRequest ToRequest(const reference::LaneAddresses& addresses, int element_bytes);

/// Steps: who is served together, what counts as the same, what a bank holds, which bank decides, how the
/// groups' passes make one number, whether the first pass counts, how many banks there are.
const step_search::Calculation<WarpRequest, int>& Degree();

}  // namespace warplings::bank_conflicts

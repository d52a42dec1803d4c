// SPDX-License-Identifier: Apache-2.0
#include "grader/source_notes/source_notes.h"

#include <algorithm>
#include <iterator>

#include "grader/build/idioms.h"
#include "grader/build/unset_variables.h"
#include "grader/source_notes/accesses.h"
#include "grader/source_notes/first_sentences.h"
#include "grader/source_notes/host_lines.h"
#include "grader/source_notes/names.h"
#include "grader/source_notes/slips.h"
#include "grader/source_notes/threads.h"

namespace warplings {

void AddSourceNotes(ExerciseResult& result) {
  NameKernelArguments(result);
  NameLocalArrayElements(result);
  NameElements(result);
  NameLongRows(result);
  NameTileReads(result);
  NameStrayedReads(result);
  NameStrayedSharedAccesses(result);
  NameHostLines(result);
  ExplainRefusedCalls(result);
  NameOutputCopies(result);
  NameHostDivisions(result);
  NameChosenRegisters(result);
  NameExchangedKernels(result);
  ExplainMissedBarriers(result);
  NameMovedAccesses(result);
  ExplainAccesses(result);
  NameSharedLoads(result);
  NameElementAllocations(result);
  NameUnguardedRaces(result);
  NameLostChanges(result);
  NameLoops(result);
  NameNonBlockingStreams(result);
  NameOwnShuffles(result);
  NameShortShuffles(result);
  NameSumsOfOneLane(result);
  NameShortStrides(result);
  NameStoresOfAThread(result);
  NameFixedLoops(result);
  NameEmptyLastPhase(result);
  NameLoopsOfSteps(result);
  NameTilesAtOnePlace(result);
  AskWithoutTiles(result);
  AskAboutTiles(result);
  NameRacesWithAtomics(result);
  NameWarpBarriers(result);
  NameBarriersUnderConditions(result);
  NameUnguardedSteps(result);
  NameSharedTotals(result);
  NameStepsWithoutBarrier(result);
  NameUnsharedReads(result);
  NameRowDivisions(result);
  NameWrongDivisions(result);
  NameOtherBlockIndex(result);
  NameFoursOfAnotherSide(result);
  PreferUncheckedSum(result);
  NameLocalArrays(result);
  BeginWithMissingCheck(result);
  ShowWrongRowLength(result);
  NameOtherSideGuard(result);
  NameKeptVariables(result);
  NameNarrowVariables(result);
  NameMarks(result);
  AddUnsetVariables(result.source, result.file, result.diagnostics);
  AdviseExchangedArguments(result);
  AdviseUnsetVariable(result);
  AdviseUnreadVariable(result);
  AdviseWholeVariable(result);
  NameAtomicWarnings(result);
  AddSlip(result);
  if (result.verdict == Verdict::kPassed) return;
  std::ranges::move(FindRoundedQuotients(result.source, result.file), std::back_inserter(result.diagnostics));
}

}  // namespace warplings

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/core/exercise_result.h"

namespace warplings {

// Barriers, races, shuffles and loops: what the text tells of how threads work together.

void ExplainMissedBarriers(ExerciseResult& result);

/// Two threads that store to the same element, where threads without an element run the line, too, or the
/// condition before it lets one column too many through.
void NameUnguardedRaces(ExerciseResult& result);

/// A factor or a product of other elements, where a tile is between the array and the product.
void AskAboutTiles(ExerciseResult& result);

/// A sum that is doubled, where the source shows a shuffle that gives a lane its own value to add.
void NameOwnShuffles(ExerciseResult& result);

/// Products that are missing in a sum over the lanes of a warp, where the source shows that its last round
/// is.
void NameShortShuffles(ExerciseResult& result);

/// Elements that are stored over and over, where the source has a grid-stride loop whose step is too short.
void NameShortStrides(ExerciseResult& result);

/// Values of one sample that differ in what they are normalised with, where the source has sums over lanes,
/// and all of them leave the whole sum in the first lane.
void NameSumsOfOneLane(ExerciseResult& result);

/// Rows or columns that nobody stores, because the launch has too few threads for one element each: what the
/// source shows a thread to store.
void NameStoresOfAThread(ExerciseResult& result);

/// Elements that nobody stores in a call whose coarse_factor is greater than the fixed number of passes of
/// the loop that stores.
void NameFixedLoops(ExerciseResult& result);

/// Sums that stop a tile early, where the source shows that a last phase that is full adds nothing.
void NameEmptyLastPhase(ExerciseResult& result);

/// Products that are lost or read outside a tile, where the source has a loop that adds several in each pass.
void NameLoopsOfSteps(ExerciseResult& result);

/// Two tiles that overlap in the first one: both begin at the first byte if each is an extern __shared__
/// array of its own.
void NameTilesAtOnePlace(ExerciseResult& result);

/// Nothing moves from phase to phase in code without tiles.
void AskWithoutTiles(ExerciseResult& result);

/// A store and an atomic operation of another thread, or one and a read, with no barrier between their lines:
/// which line has to wait for which. An exercise's own words about its atomic operations stay.
void NameRacesWithAtomics(ExerciseResult& result);

/// Two warps that race although a __syncwarp() is between the two lines: that is what its writer took for a
/// barrier of the block.
void NameWarpBarriers(ExerciseResult& result);

/// A block that races because it skips the barrier between the two lines.
void NameBarriersUnderConditions(ExerciseResult& result);

/// Threads that race in one line of a tree because none of them is kept away: the barrier behind it is there.
void NameUnguardedSteps(ExerciseResult& result);

/// A race between one step of a tree and the next, whose line no barrier can part.
void NameStepsWithoutBarrier(ExerciseResult& result);

/// Right values of a kernel that loads nothing from shared memory, told by a row of a suite: what its text
/// has.
void NameUnsharedReads(ExerciseResult& result);

/// Threads of a block that race because each changes one element, in one line: no barrier helps there.
void NameLostChanges(ExerciseResult& result);

void NameLoops(ExerciseResult& result);

}  // namespace warplings

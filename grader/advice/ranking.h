// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/advice/symptoms.h"

namespace warplings {

/// Sorts the misconceptions: the one that explains the most failing tests first; ties are broken by the chain
/// in advise.h, then by the suite's order. Leaves out those of tests in which the host computed. If most
/// tests fail because the host read device memory first, `next_step` is theirs; if most fail with a copy or a
/// memset that was refused, it is theirs, and causes that can follow from it are left out. If all show that
/// threads are missing at a barrier or a shuffle, and the first misconception was seen in some of them only,
/// it is one of theirs. Otherwise, if no misconception was named, or none explains more than half of the
/// failing tests, sets `next_step` to that of an unexplained test: from the largest group of tests that share
/// symptoms, the test that is earliest in the chain. Exceeded limits are ignored there, because what a kernel
/// costs follows from how it is written, which one misconception covers.
void RankCauses(const Failures& failures, ExerciseResult& result);

}  // namespace warplings

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

namespace warplings {

// Parts of what handout-facts writes, one function for each subject; facts.cc puts them together.

/// Chapters 1 to 3, the sections about the exercises: "product" (two 3 x 3 matrices, their product and the
/// filled tiles of each block and phase), "partial" (how much of a block's tiles exists), "transposed" (what
/// a warp's load of a transposed matrix touches), "tiles" (the largest tile by card, for three arrays of
/// doubles).
nlohmann::json CourseFacts();
/// Chapter 4: what a multiprocessor gives out and in which portions, by profile.
nlohmann::json LimitFacts();
/// Chapter 4: a scheduler with 1, 2, 4 and 8 warps that wait after each instruction.
nlohmann::json LatencyFacts();
/// Chapter 5: three trees that add up 256 elements, step by step: lanes at work, branches, conflicts.
nlohmann::json TreeFacts();
/// Chapter 5: arrangements of a tile, by how many elements a row has: the banks, and who meets in them.
nlohmann::json ArrangementFacts();
/// Chapter 7: a few elements in bins, counted by few blocks and by many: each block's elements and its copy,
/// the counts, and how many bins are added up.
nlohmann::json HistogramFacts();
/// Chapter 7: a tile of few threads, scanned in three phases: what it holds after each, and how many
/// additions that takes.
nlohmann::json ScanFacts();
/// Chapters 1 and 5, what happens one after the other: "barrier" (a block's warps in two phases of a tiled
/// product), "shuffle" (lanes that add up registers).
nlohmann::json TimelineFacts();
/// Chapters 2 and 4: "drams" (channels and bursts of three kinds of memory), "latency" (of a load on an H200,
/// as the model of the estimates was fitted to measured times).
nlohmann::json MemoryFacts();

}  // namespace warplings

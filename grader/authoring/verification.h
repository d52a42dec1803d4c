// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "grader/core/exercise_result.h"
#include "grader/core/layout.h"
#include "grader/exercise/exercise.h"

namespace warplings {

/// One check that `warplings verify` makes, and what must come of it.
struct VerificationRun {
  enum class Kind {
    kStarter,       ///< Fails exactly the tests that chapter.toml lists.
    kSolution,      ///< Passes on every profile, without a finding or a message of the compiler.
    kMutant,        ///< Fails a named test, and is taken for its own misconception and no other.
    kAlternative,   ///< A right answer of another kind: passes with all its points at several seeds.
    kMutantOnCard,  ///< Fails on the card alone, or chapter.toml says why hardware hides it.
  };
  Kind kind = Kind::kStarter;
  const Exercise* exercise = nullptr;
  std::filesystem::path file;
  std::string profile;          ///< "a100", or a card: "gpu:0".
  std::string misconception;    ///< Of a mutant.
  std::uint64_t seed_step = 0;  ///< Added to the seed of the verification.

  /// "starter", "solution on h200", "mutant grid_rounded_down", "alternative float4 at seed + 2".
  std::string Name() const;
};

/// How many seeds an alternative has to pass at.
inline constexpr std::uint64_t kAlternativeSeeds = 5;

/// Starter, solution on each profile, mutants, and all alternatives at one seed after the other, in this
/// order. A missing solution or mutant is MissingParts' to tell.
std::vector<VerificationRun> PlanVerification(const Exercise& exercise, const Layout& layout);

/// The same for a card, "gpu:0": solution and mutants.
std::vector<VerificationRun> PlanCardVerification(const Exercise& exercise, const Layout& layout,
                                                  const std::string& card);

/// What is not as it must be, a sentence each; empty when all is well.
std::vector<std::string> Shortcomings(const VerificationRun& run, const ExerciseResult& result);

/// What an exercise needs besides running: TODOs in the starter and none in the solution, three hints and
/// misconceptions at least, a mutant for each, points, answers where it asks for some.
std::vector<std::string> MissingParts(const Exercise& exercise, const Layout& layout);

/// Where the contract header says of what is graded something else than the suite does, a sentence each.
std::vector<std::string> UnlikeItsContract(const Exercise& exercise, const Layout& layout);

/// Files in the folders of exercises that no exercise owns: forgotten, misspelt or left by an editor.
std::vector<std::string> StrayFiles(const Workbook& workbook, const Layout& layout);

/// A mutant and what it was taken for.
struct ConfusionRow {
  std::string mutant;              ///< The misconception that it holds.
  std::vector<std::string> taken;  ///< Those that were recognised.
  std::string killer;              ///< The first test that failed; empty if none did.
};

/// One exercise's mutants against its misconceptions, a column each in the order of `misconceptions`: "#"
/// where a mutant is taken for its own, "X" where for another. All on the diagonal is what a suite is for.
std::string ConfusionTable(std::span<const MisconceptionText> misconceptions,
                           std::span<const ConfusionRow> rows);

}  // namespace warplings

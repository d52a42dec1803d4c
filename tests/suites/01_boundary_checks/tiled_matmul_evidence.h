// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grader/core/test_result.h"
#include "grader/suite/product_formula.h"
#include "grader/suite/suite_messages.h"

namespace warplings::tiled_matmul {

/// What one test saw: plain data, from which the facts are made.
struct Evidence {
  std::string test;  ///< "WidthJustBelowATile"
  int width = 0;
  TestResult result;
  std::vector<float> m, n, p;  ///< p is empty where it could not be read.
};

/// The misconceptions that explain what the tests saw, none twice. What each wrong answer of
/// tests/mutants/01_boundary_checks shows, and by what it is told from the others (W: a test's width, T = 16;
/// "outside" findings are reads or writes outside M, N or P; shared findings are of the shared arrays):
///
///   mutant                    fails where          is recognised by
///   m_load_unguarded          T does not divide W  reads outside M, at every such W, as many as without a
///                                                  check; values may stay right (N's zeros hide them)
///   n_load_unguarded          T does not divide W  the same for N
///   p_store_unguarded         T does not divide W  writes outside P; columns past the end hit the next row
///   guard_only_in_last_phase  W > T, T does not    reads outside M only, and only where there is a phase
///                             divide W             before the last; values right (those rows own no P)
///   guards_swapped            the same             reads outside M and N, as many as with the other's check
///   guard_off_by_one          T does not divide W  W + 2 reads outside M (or N, P) at W = 1, 2, 3;
///                                                  W or 1 if one of the two comparisons is right
///   early_return              T does not divide W  shared elements that nobody wrote, and a barrier that
///                                                  returned threads leave out
///   stale_instead_of_zero     T does not divide W  shared elements that nobody wrote, no thread returned
///                                                  early, no race; a stored NaN
///   phase_count_rounded_down  T does not divide W  no finding; every element is the sum without the last,
///                                                  partial phase (0 for W < T)
///   grid_rounded_down         T does not divide W  refused launches at W < T; above, exactly the elements
///                                                  past the last whole tile were never written
///   first_barrier_missing     every W              shared races already with a single phase, W <= T
///   second_barrier_missing    W > T, also          shared races, none at W <= T
///                             multiples of T
///   barrier_inside_guard      T does not divide W  threads at different barriers, or part of a warp
///   untiled                   the test for shared  right values without a finding, no shared load
///                             memory
///
/// `facts`: what probing found of the sums; nothing where it was not asked or found nothing. It tells a phase
/// that is missing also where other mistakes change the values, and keeps counts of accesses, which another
/// mistake may change, from being taken for a check that is not there.
std::vector<Fact> FactsOf(std::span<const Evidence> evidence, const ProductFacts& facts = {});

/// Adds infinity_of_another_row where all tests of numbers pass, and the one with an infinity in M does not:
/// an element of another row of P is no finite number.
void AddInfinityOfAnotherRow(std::span<const Evidence> all, std::vector<Fact>& found);

}  // namespace warplings::tiled_matmul

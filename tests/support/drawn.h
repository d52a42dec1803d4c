// SPDX-License-Identifier: Apache-2.0
// Some test cases take as long as a hundred others: they compile, or run a class. A newcomer's `selftest` has
// some of these, and the commit draws which, so that in time all are run; `selftest --all` and CI, whose test
// setups define WARPLINGS_ALL_TESTS, have more of them.
#pragma once

#include <string>
#include <vector>

namespace warplings {

/// This tree's commit; "no commit" where git has none.
const std::string& Commit();
/// One in `usual`; one in `of_all` where WARPLINGS_ALL_TESTS is set.
unsigned OneIn(unsigned usual, unsigned of_all = 1);
/// Whether the commit draws `name`, as it does with about one name in `one_in`.
bool IsDrawn(const std::string& name, unsigned one_in);
/// Those of `names` that the commit draws. May be none.
std::vector<std::string> DrawnByTheCommit(std::vector<std::string> names, unsigned one_in);

}  // namespace warplings

/// First line of a long test case: in a usual `selftest`, one commit in `one_in` runs it.
#define RUN_ONE_IN(one_in)                                                                           \
  if (const std::string name = ::testing::UnitTest::GetInstance()->current_test_info()->name();      \
      !::warplings::IsDrawn(name, ::warplings::OneIn(one_in)))                                       \
  GTEST_SKIP() << "another commit's turn: a usual selftest runs this long test once in " << (one_in) \
               << " commits, `selftest --all` always"

// SPDX-License-Identifier: Apache-2.0
#include "grader/build/lost_changes.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

bool Changes(const std::string& line) {
  return ChangesWhatItLoads("__global__ void k(float* y) {\n" + line + "\n}\n", 2);
}

TEST(LostChanges, AnElementThatIsLoadedAndStored) {
  for (const char* changes : {"y[lo] += v[k] * x[col[k]];", "++y[col[k]];", "if (c) y[i]--;",
                              "y[i] = y[i] + x[i];", "y[r][c] *= 2;", "y[i] = max(x[i], y[i]);"})
    EXPECT_TRUE(Changes(changes)) << changes;
}

/// There, one thread loads what another one stores: a barrier between the two is the remedy.
TEST(LostChanges, AnElementThatIsStoredWhileAnotherOneIsLoaded) {
  for (const char* moves : {"y[t] += y[t - step];", "y[t] = y[t] + y[t + step];", "y[t] = y[t + 1];"})
    EXPECT_FALSE(Changes(moves)) << moves;
}

TEST(LostChanges, ALineThatStoresMoreOrNothing) {
  for (const char* other :
       {"sum += y[i];", "y[i] = x[i];", "y[i] += 1, z[i] += 1;", "y[i", "", "y[i] == y[i];"})
    EXPECT_FALSE(Changes(other)) << other;
  EXPECT_FALSE(ChangesWhatItLoads("y[0] += 1;", 0));
}

}  // namespace
}  // namespace warplings

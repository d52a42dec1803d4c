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

TEST(LostChanges, OfALineThatStandsAlone) {
  for (const char* const line :
       {"*sum += x;", "(*sum)++;", "y[i] += x;", "y[i] = y[i] + x;", "++y[b[i]];", "y[i]--;",
        "if (i < n) *sum += x;", "sum += x;", "for (;; i++) sum |= x;", "p->sum += x;"})
    EXPECT_TRUE(ChangesInPlace(line, "sum")) << line;
  for (const char* const line : {"out[i] = s;", "for (int i = 0; i < n; i++) s += a[i]; out[t] = s;",
                                 "for (i = t; i < n; i += 32) out[0] = i;", "hist[b]++; out[t] = s;",
                                 "float x = a * s++; out[t] = x;"})
    EXPECT_FALSE(ChangesInPlace(line, "out")) << line;
}

TEST(LostChanges, AStepOfATreeReadsANeighbour) {
  for (const char* const line :
       {"s[t] += s[t + k];", "if (t < k) s[t] += s[t + k];", "s[t] = max(s[t], s[t + 16]);",
        "s[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + k];", "s[2 * k * t] += s[2 * k * t + k];"})
    EXPECT_TRUE(ReadsNeighbour(line, "s")) << line;
  for (const char* const line : {"s[0] += s[t];", "s[t] += 1;", "s[b[t]]++;", "s[t] = s[t] + x[t + k];",
                                 "x[t] += s[t + k];", "s[t] += s[t];", "s[0] += s[0 + t];", "s", "", "s[t"})
    EXPECT_FALSE(ReadsNeighbour(line, "s")) << line;
}

TEST(LostChanges, OneElementThatAllThreadsAddTo) {
  const auto added = [](const std::string& line) { return OneElementAddedTo(line, 1, "sum").value_or(""); };
  EXPECT_EQ(added("sum += x;"), "sum");
  EXPECT_EQ(added("if (i < n) sum += x[i];"), "sum");
  EXPECT_EQ(added("sum++;"), "sum");
  EXPECT_EQ(added("sum = sum + x;"), "sum");
  EXPECT_EQ(added("sum = x[i] + sum;"), "sum");
  EXPECT_EQ(added("sum[0] += x;"), "sum[0]");
  EXPECT_EQ(added("sum[kLast] = sum[kLast] + x;"), "sum[kLast]");
  for (const char* const line : {"sum[t] += x;", "sum[0] += sum[t];", "sum = x;", "sum *= x;", "x += sum;",
                                 "sum = x - sum;", "sum[0] = sum[1] + x;", "total += x;", ""})
    EXPECT_EQ(added(line), "") << line;
}

TEST(LostChanges, AThreadsOwnElement) {
  const auto is_own = [](const std::string& value, const std::string& line) {
    return HasOwnElement("int t = " + value + ";\n" + line + "\n", 2, "s");
  };
  EXPECT_TRUE(is_own("threadIdx.x", "s[t] += v;"));
  EXPECT_TRUE(is_own("blockIdx.x * blockDim.x + threadIdx.x", "s[t] += v;"));
  EXPECT_TRUE(is_own("0", "s[threadIdx.x] += v;"));
  EXPECT_FALSE(is_own("threadIdx.x / 2", "s[t] += v;"));
  EXPECT_FALSE(is_own("threadIdx.x", "s[x[t]] += v;"));
  EXPECT_FALSE(is_own("threadIdx.x; t /= 2", "s[t] += v;"));
  EXPECT_FALSE(is_own("threadIdx.x", "s += v;"));
}

TEST(LostChanges, ElementsAtTwoIndices) {
  EXPECT_TRUE(HasSeveralElements("s[t] += s[t - d];", "s"));
  EXPECT_FALSE(HasSeveralElements("s[t] = s[t] + x[t - d];", "s"));
}

}  // namespace
}  // namespace warplings

// SPDX-License-Identifier: Apache-2.0
#include "grader/sandbox/bubblewrap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace warplings::sandbox {
namespace {

bool Has(const std::vector<std::string>& words, const std::vector<std::string>& run) {
  return std::search(words.begin(), words.end(), run.begin(), run.end()) != words.end();
}

TEST(Bubblewrap, SpellsAPolicy) {
  Policy policy = WorkerPolicy("/cache/w");
  auto words = BubblewrapArguments("/usr/bin/bwrap", policy, {"/submission/a.cu"}, {"/worker", "--bind"});
  EXPECT_TRUE(Has(words, {"--unshare-all"}));
  EXPECT_TRUE(Has(words, {"--ro-bind", "/cache/w", "/worker"}));
  EXPECT_TRUE(Has(words, {"--ro-bind-data", "102", "/submission/a.cu"}));
  EXPECT_TRUE(Has(words, {"--", "/worker", "--bind"}));
  EXPECT_FALSE(Has(words, {"--tmpfs"}));
  EXPECT_FALSE(Has(words, {"--dev-bind"}));
  EXPECT_FALSE(Has(words, {"--share-net"}));
  EXPECT_FALSE(Has(words, {"--proc"}));
}

TEST(Bubblewrap, ACompilerHasScratchOfBoundedSize) {
  auto words = BubblewrapArguments("/usr/bin/bwrap", CompilePolicy({"/opt/cuda"}), {}, {"x"});
  EXPECT_TRUE(Has(words, {"--size", "536870912", "--tmpfs", "/tmp"}));
  EXPECT_TRUE(Has(words, {"--ro-bind", "/opt/cuda", "/opt/cuda"}));
}

TEST(Bubblewrap, AFolderUnderASystemFolderIsNotBoundTwice) {
  Policy policy = CompilePolicy({"/usr/lib/nvidia-cuda-toolkit"});
  EXPECT_TRUE(std::none_of(policy.binds.begin(), policy.binds.end(), [](const ReadOnlyBind& bind) {
    return bind.target == "/usr/lib/nvidia-cuda-toolkit";
  }));
}

TEST(Bubblewrap, AForbiddenNamespaceIsExplained) {
  for (const char* text :
       {"bwrap: setting up uid map: Permission denied\n",
        "bwrap: No permissions to create new namespace, likely because the kernel does not "
        "allow non-privileged user namespaces.",
        "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted"}) {
    Error error = ExplainSetupFailure(text);
    EXPECT_EQ(error.blame, Blame::kGrader);
    EXPECT_NE(English(error.message).find("bwrap: "), std::string::npos);
    EXPECT_FALSE(error.next_step.empty());
    EXPECT_EQ(English(error.message).find('\n'), std::string::npos);
  }
  const Error old = ExplainSetupFailure("bwrap: Unknown option --size\n");
  EXPECT_NE(English(old.next_step).find("too old"), std::string::npos) << old.next_step;
}

}  // namespace
}  // namespace warplings::sandbox

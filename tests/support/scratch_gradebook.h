// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <optional>

#include "grader/gradebook/gradebook.h"
#include "tests/support/made_up_result.h"

namespace warplings::gradebook_test {

/// A gradebook in a folder that is removed at the end of the test.
class ScratchGradebook : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "warplings-gradebook-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    Open();
  }
  void TearDown() override {
    gradebook_.reset();
    std::filesystem::remove_all(folder_);
  }

  void Open() {
    gradebook_.reset();
    auto opened = Gradebook::Open(File());
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    gradebook_.emplace(std::move(*opened));
  }

  std::filesystem::path File() const { return folder_ / "gradebook.sqlite"; }

  static ResultKey Key(const std::string& exercise, const std::string& submission_hash = "hash") {
    return {"01_first", exercise,       submission_hash,       "suite",
            "grader",   "virtual:a100", 18446744073709551615u, 1};
  }

  static ExerciseResult Result(Verdict verdict, double points) {
    ExerciseResult result = report_test::MadeUpResult();
    result.source = "int a;\n";
    result.verdict = verdict;
    result.points = points;
    return result;
  }

  std::filesystem::path folder_;
  std::optional<Gradebook> gradebook_;
};

}  // namespace warplings::gradebook_test

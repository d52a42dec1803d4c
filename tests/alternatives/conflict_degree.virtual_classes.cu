// SPDX-License-Identifier: Apache-2.0
// differs: an extra answer that leans on the C++ library: an interface with virtual functions behind std::unique_ptr and
// std::shared_ptr, std::list, std::deque, std::priority_queue, std::stable_sort, std::string as a key.

#include <algorithm>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <queue>
#include <string>

#include "conflict_degree.h"

namespace {

class Counter {
 public:
  virtual ~Counter() = default;
  virtual void want(int word) = 0;
  virtual int degree() const = 0;
};

class ByName : public Counter {
 public:
  void want(int word) override { words_["bank " + std::to_string(word % 32)].push_back(word); }
  int degree() const override {
    std::priority_queue<int> most;
    most.push(1);
    for (const auto& [name, list] : words_) {
      std::deque<int> sorted(list.begin(), list.end());
      std::stable_sort(sorted.begin(), sorted.end());
      most.push(static_cast<int>(std::unique(sorted.begin(), sorted.end()) - sorted.begin()));
    }
    return most.top();
  }

 private:
  std::map<std::string, std::list<int>> words_;
};

}  // namespace

int conflict_degree(WarpRequest request) {
  auto kept = std::make_shared<WarpRequest>(request);
  const int words_each = kept->element_bytes > 4 ? kept->element_bytes / 4 : 1;
  int worst = 1;
  for (int group = 0; group < words_each; ++group) {
    std::unique_ptr<Counter> counter = std::make_unique<ByName>();
    for (int lane = group * 32 / words_each; lane < (group + 1) * 32 / words_each; ++lane)
      for (int w = 0; w < words_each; ++w) counter->want(kept->address[lane] / 4 + w);
    worst = std::max(worst, counter->degree());
  }
  return worst;
}

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace warplings::bank_conflicts {

/// A way to answer, with the mistakes that it makes; none: the right one.
template <class Question, class Answer>
struct Model {
  std::vector<std::string> mistakes;  ///< Ids of misconceptions.
  std::function<Answer(const Question&)> answer;
};

/// A question that a submission was asked, and what it answered.
template <class Question, class Answer>
struct Answered {
  Question question;
  Answer given;
};

/// The mistakes that explain the answers: those of the models that give each of them exactly. Of several such
/// models the ones with the fewest mistakes count, and of their mistakes those that all of them make: what is
/// not certain is not named.
template <class Question, class Answer>
std::vector<std::string> MistakesBehind(const std::vector<Answered<Question, Answer>>& answers,
                                        const std::vector<Model<Question, Answer>>& models) {
  std::vector<const Model<Question, Answer>*> fitting;
  for (const auto& model : models) {
    const bool fits = std::ranges::all_of(
        answers, [&](const auto& each) { return model.answer(each.question) == each.given; });
    if (fits) fitting.push_back(&model);
  }
  if (answers.empty() || fitting.empty()) return {};
  const auto size = [](const auto* model) { return model->mistakes.size(); };
  const std::size_t fewest = size(*std::ranges::min_element(fitting, {}, size));
  std::erase_if(fitting, [&](const auto* model) { return size(model) > fewest; });

  std::vector<std::string> common = fitting.front()->mistakes;
  for (const auto* model : fitting) {
    std::erase_if(common,
                  [&](const std::string& id) { return std::ranges::count(model->mistakes, id) == 0; });
  }
  return common;
}

}  // namespace warplings::bank_conflicts

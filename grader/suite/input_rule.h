// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace warplings {

/// "17"; of a float the shortest text that means it: "-5000", "0.1".
template <class T>
std::string ShownNumber(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    char text[64];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
  } else {
    return std::to_string(value);
  }
}

/// What the contract says of the elements of an input. InputArray checks it on the suite's own elements and
/// on the others that the judge puts there: a right kernel may go wrong with an input that breaks it, and
/// would lose its points.
///
///     InputArray("row_start", in.row_start, OtherElements::These(other),
///                {Must<int>::NotFall(), Must<int>::BeFrom(0, count)})
template <class T>
struct Must {
  /// Of the first element that breaks the rule; the number of elements where one is missing.
  using FirstBreach = std::function<std::optional<std::size_t>(std::span<const T> elements)>;

  std::string words;  ///< A sentence without its full stop: "no element is below the one before it".
  FirstBreach first_breach;

  /// A rule of each element for itself.
  static Must Each(std::string words, std::function<bool(T)> is_right) {
    return {std::move(words), [is_right = std::move(is_right)](std::span<const T> elements) {
              return First(elements, [&](std::size_t i) { return is_right(elements[i]); });
            }};
  }
  static Must BeFrom(T low, T high) {
    return Each("each element is from " + ShownNumber(low) + " to " + ShownNumber(high),
                [low, high](T element) { return low <= element && element <= high; });
  }
  /// Keys in order, row starts of a sparse matrix.
  static Must NotFall() {
    return {"no element is below the one before it", [](std::span<const T> elements) {
              return First(elements, [&](std::size_t i) { return i == 0 || elements[i - 1] <= elements[i]; });
            }};
  }
  /// Keys in order, each once.
  static Must Rise() {
    return {"each element is above the one before it", [](std::span<const T> elements) {
              return First(elements, [&](std::size_t i) { return i == 0 || elements[i - 1] < elements[i]; });
            }};
  }
  /// Of the numbers from 0 to n - 1.
  static Must BePermutation() requires std::integral<T> {
    return {"each number from 0 to n - 1 is there once", [](std::span<const T> elements) {
              std::vector<bool> there(elements.size());
              return First(elements, [&](std::size_t i) {
                const auto at = static_cast<std::uint64_t>(elements[i]);
                if (at >= there.size() || there[at]) return false;
                there[at] = true;
                return true;
              });
            }};
  }

 private:
  template <class IsRight>
  static std::optional<std::size_t> First(std::span<const T> elements, const IsRight& is_right) {
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (!is_right(i)) return i;
    }
    return std::nullopt;
  }
};

}  // namespace warplings

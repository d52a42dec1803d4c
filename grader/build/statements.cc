// SPDX-License-Identifier: Apache-2.0
#include "grader/build/statements.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "grader/build/code_words.h"

namespace warplings {
namespace {

using Flow = CodeStatement::Kind;

class StatementParser {
 public:
  explicit StatementParser(const std::vector<CodeToken>& tokens) : tokens_(tokens) {}

  /// A function's body is a brace behind its parameters, perhaps with a word or two between.
  std::vector<CodeStatement> Parse() {
    while (at_ < tokens_.size()) {
      if (Is("{") && BeginsABody()) {
        const std::size_t body = Add(Flow::kBlock, found_.size());
        ParseBlock(body);
      } else {
        ++at_;
      }
    }
    // A brace without its partner lets a statement end behind the last token.
    for (CodeStatement& each : found_) each.end = std::min(each.end, tokens_.size());
    return std::move(found_);
  }

 private:
  bool Is(std::string_view text) const { return at_ < tokens_.size() && tokens_[at_].text == text; }

  bool BeginsABody() const {
    std::size_t before = at_;
    while (before > 0 && (tokens_[before - 1].text == "const" || tokens_[before - 1].text == "noexcept" ||
                          tokens_[before - 1].text == "override")) {
      --before;
    }
    return before > 0 && tokens_[before - 1].text == ")";
  }

  std::size_t Add(Flow kind, std::size_t parent) {
    found_.push_back({kind, at_, at_, parent, false});
    return found_.size() - 1;
  }

  void ParseBlock(std::size_t block) {
    ++at_;  // {
    while (at_ < tokens_.size() && !Is("}")) ParseStatement(block);
    ++at_;
    found_[block].end = std::min(at_, tokens_.size());
  }

  /// Deeply nested code is no student's, and the stack is not for it.
  void ParseStatement(std::size_t parent) {
    constexpr int kDeepest = 200;
    if (depth_ == kDeepest) {
      at_ = tokens_.size();
      return;
    }
    ++depth_;
    ParseOne(parent);
    --depth_;
  }

  void ParseOne(std::size_t parent) {
    if (Is("{")) {
      ParseBlock(Add(Flow::kBlock, parent));
    } else if (Is("for") || Is("while")) {
      const std::size_t loop = Add(Flow::kLoop, parent);
      ++at_;
      SkipGroup();
      ParseStatement(loop);
      found_[loop].end = at_;
    } else if (Is("do")) {
      const std::size_t loop = Add(Flow::kLoop, parent);
      ++at_;
      ParseStatement(loop);
      SkipToSemicolon();
      found_[loop].end = at_;
    } else if (Is("if") || Is("switch")) {
      ParseBranch(parent);
    } else if (Is("case") || Is("default")) {
      const std::size_t label = Add(Flow::kSimple, parent);
      while (at_ < tokens_.size() && !Is(":") && !Is("}")) ++at_;
      if (Is(":")) ++at_;
      found_[label].end = at_;
    } else {
      const std::size_t simple = Add(Flow::kSimple, parent);
      SkipToSemicolon();
      found_[simple].end = at_;
    }
  }

  void ParseBranch(std::size_t parent) {
    const std::size_t branch = Add(Flow::kBranch, parent);
    ++at_;
    if (Is("constexpr")) ++at_;
    const std::size_t condition = Add(Flow::kSimple, branch);
    found_[condition].is_condition = true;
    SkipGroup();
    found_[condition].end = at_;
    ParseStatement(branch);
    if (Is("else")) {
      ++at_;
      ParseStatement(branch);
    }
    found_[branch].end = at_;
  }

  /// From a parenthesis, bracket or brace to behind the one that closes it.
  void SkipGroup() {
    int depth = 0;
    for (; at_ < tokens_.size(); ++at_) {
      const std::string& text = tokens_[at_].text;
      if (text == "(" || text == "[" || text == "{") ++depth;
      if (text == ")" || text == "]" || text == "}") --depth;
      if (depth > 0) continue;
      ++at_;
      return;
    }
  }

  /// Behind the statement's semicolon, or up to the brace that closes the block around it.
  void SkipToSemicolon() {
    while (at_ < tokens_.size() && !Is("}")) {
      if (Is(";")) {
        ++at_;
        return;
      }
      if (Is("(") || Is("[") || Is("{")) {
        SkipGroup();
      } else {
        ++at_;
      }
    }
  }

  const std::vector<CodeToken>& tokens_;
  std::vector<CodeStatement> found_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

std::vector<CodeStatement> StatementsOf(const std::vector<CodeToken>& tokens) {
  return StatementParser(tokens).Parse();
}

std::optional<std::size_t> StatementWith(const std::vector<CodeStatement>& statements, std::size_t token) {
  std::optional<std::size_t> innermost;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    if (statements[i].begin <= token && token < statements[i].end) innermost = i;
  }
  return innermost;
}

std::vector<std::size_t> Around(const std::vector<CodeStatement>& statements, std::size_t statement) {
  std::vector<std::size_t> around;
  while (statements[statement].parent != statement) {
    statement = statements[statement].parent;
    around.push_back(statement);
  }
  return around;
}

bool IsDeclaredWith(const std::vector<CodeToken>& tokens, std::size_t body,
                    std::initializer_list<std::string_view> words) {
  for (std::size_t at = body; at > 0 && !IsOneOf(tokens[at - 1].text, {";", "}"}); --at) {
    if (IsOneOf(tokens[at - 1].text, words)) return true;
  }
  return false;
}

std::string VariableOfLoop(const std::vector<CodeToken>& tokens, std::size_t at, std::size_t end) {
  if (tokens[at].text != "for") return "";
  for (std::size_t i = at + 2; i + 1 < end && IsName(tokens[i].text); ++i) {
    if (tokens[i + 1].text == "=") return tokens[i].text;
  }
  return "";
}

}  // namespace warplings

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace warplings::handouts_test {

/// One element's opening tag.
struct Tag {
  std::string name;
  std::map<std::string, std::string> attributes;
};

/// A parsed page. Our pages are written by templates and ElementTree, so the parser accepts only the form
/// that those write, and reports everything else as an error: attributes must be in double quotes, and every
/// element must be closed.
struct Page {
  std::string source;
  std::vector<Tag> tags;
  std::set<std::string> ids;
  std::string text;   ///< Without tags, style sheet, scripts and entities; white space is unchanged.
  std::string fault;  ///< The first error; empty if the page is well-formed.
  std::vector<std::string> drawings;  ///< Each <svg> element with its content.
};

Page ReadPage(const std::string& source);

/// Collapses white space to single spaces, trims it at the ends, and replaces typographic characters by ASCII
/// ones.
std::string Normalised(std::string text);

/// A text of chapter.toml as the text of a page has it: normalised, without the backticks around code.
std::string AsShown(std::string text);

}  // namespace warplings::handouts_test

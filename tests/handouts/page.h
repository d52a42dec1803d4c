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

/// What a test asks of a page. Our pages are written by templates and ElementTree, so this reads what those
/// write and calls everything else a fault: attributes in double quotes, every element closed.
struct Page {
  std::string source;
  std::vector<Tag> tags;
  std::set<std::string> ids;
  std::string text;   ///< Without tags, style sheet, scripts and entities; white space as it is.
  std::string fault;  ///< The first thing that is not well-formed; empty if all is.
  std::vector<std::string> drawings;  ///< Each <svg> with all that is in it.
};

Page ReadPage(const std::string& source);

/// Runs of white space become one blank, with none at the ends; typographic signs become those of a keyboard.
std::string Normalised(std::string text);

}  // namespace warplings::handouts_test

// SPDX-License-Identifier: Apache-2.0
#include "grader/workbook/translation.h"

#include <toml++/toml.h>

#include <algorithm>
#include <vector>

#include "grader/base/messages.h"
#include "grader/messages/toml.h"
#include "grader/workbook/drills.h"
#include "grader/workbook/table_reader.h"

namespace warplings {
namespace {

/// Thrown to leave the reader from any depth; caught within this file.
struct NoText {
  Error error;
};

class Translator {
 public:
  explicit Translator(const std::string& file) : file_(file) {}

  void TranslateEach(const toml::table& table, std::vector<Drill>& drills) const {
    for (const toml::table* each : Tables(table, "drill")) {
      if (Drill* drill = Find(drills, *each)) TranslateDrill(*each, *drill);
    }
  }

  void Translate(const toml::table& table, Chapter& chapter) const {
    Replace(chapter.title, table.get("title"));
    for (const toml::table* each : Tables(table, "exercise")) {
      if (Exercise* exercise = Find(chapter.exercises, *each)) TranslateExercise(*each, *exercise);
    }
  }

 private:
  void TranslateExercise(const toml::table& table, Exercise& exercise) const {
    Replace(exercise.title, table.get("title"));
    Replace(exercise.translated_contract, table.get("contract"));
    if (const toml::array* hints = List(table.get("hints"))) {
      for (std::size_t i = 0; i < std::min(hints->size(), exercise.hints.size()); ++i) {
        Replace(exercise.hints[i], hints->get(i));
      }
    }
    if (const toml::node* speed = table.get("speed"); speed != nullptr && exercise.speed) {
      if (!speed->is_table()) Fail(*speed, say::must_be_table_here());
      Replace(exercise.speed->baseline, speed->as_table()->get("baseline"));
    }
    for (const toml::table* each : Tables(table, "misconception")) {
      if (MisconceptionText* text = Find(exercise.misconceptions, *each)) {
        Replace(text->title, each->get("title"));
        Replace(text->message, each->get("message"));
      }
    }
  }

  void TranslateDrill(const toml::table& table, Drill& drill) const {
    Replace(drill.question, table.get("question"));
    Replace(drill.unit, table.get("unit"));
    Replace(drill.why, table.get("why"));
    const toml::array* choices = List(table.get("choices"));
    for (std::size_t i = 0; choices != nullptr && i < std::min(choices->size(), drill.choices.size()); ++i) {
      Replace(drill.choices[i], choices->get(i));
    }
    const toml::array* wrong = List(table.get("wrong"));
    for (std::size_t i = 0; wrong != nullptr && i < std::min(wrong->size(), drill.wrong.size()); ++i) {
      Replace(drill.wrong[i].why, wrong->get(i));
    }
  }

  void Replace(std::string& text, const toml::node* node) const {
    if (node == nullptr) return;
    if (!node->is_string()) Fail(*node, say::must_be_text_here());
    if (!node->as_string()->get().empty()) text = node->as_string()->get();
  }

  const toml::array* List(const toml::node* node) const {
    if (node == nullptr) return nullptr;
    if (!node->is_array()) Fail(*node, say::must_be_list_here());
    return node->as_array();
  }

  std::vector<const toml::table*> Tables(const toml::table& table, const char* key) const {
    std::vector<const toml::table*> tables;
    const toml::array* list = List(table.get(key));
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
      if (!list->get(i)->is_table()) Fail(*list->get(i), say::must_be_table_here());
      tables.push_back(list->get(i)->as_table());
    }
    return tables;
  }

  /// Null for one that does not exist in English.
  template <class Named>
  Named* Find(std::vector<Named>& all, const toml::table& table) const {
    const toml::node* id = table.get("id");
    if (id == nullptr || !id->is_string()) Fail(table, say::id_missing_here());
    const auto found = std::ranges::find(all, id->as_string()->get(), &Named::id);
    return found == all.end() ? nullptr : &*found;
  }

  [[noreturn]] void Fail(const toml::node& node, const Message& what) const {
    throw NoText{UsageError(say::at_line_of_file(file_, std::max(1u, node.source().begin.line), what),
                            say::correct_line_of_translation())};
  }

  const std::string& file_;
};

/// Calls `work` with the parsed file; what is wrong with that is a usage error.
template <class Work>
Status WithTranslation(std::string_view text, const std::string& name, const Work& work) {
  try {
    work(toml::parse(text, name));
  } catch (const toml::parse_error& fault) {
    const TomlFault known = FaultOfToml(text, fault);
    return UsageError(say::at_line_of_file(name, known.line, known.what), say::correct_line_of_translation());
  } catch (const NoText& fault) {
    return fault.error;
  }
  return Unit{};
}

}  // namespace

Status TranslateChapter(Chapter& chapter, std::string_view text, const std::string& name) {
  return WithTranslation(text, name,
                         [&](const toml::table& table) { Translator(name).Translate(table, chapter); });
}

Status TranslateDrills(std::vector<Drill>& drills, std::string_view text, const std::string& name) {
  return WithTranslation(text, name,
                         [&](const toml::table& table) { Translator(name).TranslateEach(table, drills); });
}

}  // namespace warplings

// SPDX-License-Identifier: Apache-2.0
#include "grader/submissions/find_exercises.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include "grader/base/characters.h"
#include "grader/base/read_file.h"
#include "grader/base/text.h"
#include "grader/core/remedy.h"

namespace warplings {
namespace {

/// True if `path` is `tail` or ends with it at a component boundary.
bool EndsWithPath(std::string_view path, std::string_view tail) {
  return path == tail ||
         (path.size() > tail.size() && path.ends_with(tail) && path[path.size() - tail.size() - 1] == '/');
}

std::string OneLine(std::string_view text) {
  std::string line = Printable(text);
  std::ranges::replace(line, '\n', ' ');
  return line;
}

/// "tile-1.cu", "tile (2).cu" or "tile_3.cu" for tile.cu: what browsers and course systems make of a file
/// that is handed in again. In lower case.
bool IsNumberedCopy(std::string_view name, std::string_view id, std::string_view ending = ".cu") {
  if (!name.starts_with(id) || !name.ends_with(ending) || name.size() < id.size() + ending.size())
    return false;
  std::string_view tail = name.substr(id.size(), name.size() - id.size() - ending.size());
  if (tail.starts_with(' ')) tail.remove_prefix(1);
  const bool in_brackets = tail.size() > 2 && tail.starts_with('(') && tail.ends_with(')');
  if (!in_brackets && !(tail.size() > 1 && (tail[0] == '-' || tail[0] == '_'))) return false;
  tail = tail.substr(1, tail.size() - (in_brackets ? 2 : 1));
  return std::ranges::all_of(tail, [](char c) { return c >= '0' && c <= '9'; });
}

/// A word processor's file, a page, a picture or a compiled program, as which some hand in their answer by
/// mistake.
bool IsOfOtherKind(std::string_view name) {
  constexpr std::string_view kEndings[] = {".docx", ".doc",  ".odt", ".rtf", ".pages", ".ipynb", ".txt",
                                           ".pdf",  ".html", ".htm", ".png", ".jpg",   ".jpeg",  ".o",
                                           ".obj",  ".exe",  ".out", ".ptx", ".cubin"};
  if (name.find('.') == name.npos) return true;
  return std::ranges::any_of(kEndings, [&](std::string_view each) { return name.ends_with(each); });
}

/// Whether a function of this name is defined: the name, its parameters in brackets, and a body.
bool Defines(std::string_view text, std::string_view function) {
  const auto is_of_word = [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  const auto skip_blanks = [&](std::size_t at) {
    return std::min(text.find_first_not_of(" \t\r\n", at), text.size());
  };
  if (function.empty()) return false;
  for (std::size_t at = text.find(function); at != text.npos; at = text.find(function, at + 1)) {
    if (at > 0 && is_of_word(text[at - 1])) continue;
    std::size_t end = skip_blanks(at + function.size());
    if (end == text.size() || text[end] != '(') continue;
    int depth = 0;
    do {
      depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
    } while (++end < text.size() && depth > 0);
    end = skip_blanks(end);
    if (end < text.size() && text[end] == '{') return true;
  }
  return false;
}

class Finder {
 public:
  Finder(const HandedIn& handed_in, const Workbook& workbook) : handed_in_(handed_in), workbook_(workbook) {
    for (const Chapter& chapter : workbook.chapters) {
      for (const Exercise& exercise : chapter.exercises) {
        ++uses_of_id_[exercise.id];
        known_names_.insert(exercise.contract.filename().string());
      }
    }
    known_names_.insert({"chapter.toml", "grading.md"});
    for (const HandedInFile& each : handed_in.files) {
      if (each.order > 0) is_numbered_by_lms_.insert(OneLine(each.path));
    }
  }

  FoundExercises Find() {
    FoundExercises found;
    if (!handed_in_.problem.empty()) {
      remarks_.push_back(OneLine(handed_in_.problem));
    } else if (handed_in_.files.empty()) {
      remarks_.push_back("there is no file in it");
    }
    for (const Chapter& chapter : workbook_.chapters) {
      for (const Exercise& exercise : chapter.exercises) {
        found.exercises.push_back(FindOne(exercise));
      }
    }
    for (const ExerciseFile& file : found.exercises) RemarkOn(file);
    for (ExerciseFile& file : found.exercises) NameMeant(file);
    for (ExerciseFile& file : found.exercises) NameOtherKind(file);
    for (ExerciseFile& file : found.exercises) NameAnswersAlone(file);
    NameUnread(found.exercises);
    found.unclaimed = RemarkOnOthers();
    found.remarks = std::move(remarks_);
    return found;
  }

 private:
  /// 0 is best; nothing for a file that is not the exercise's.
  static constexpr int kNoRank = 100;
  static constexpr int kOtherEnding = 10;
  int RankOf(std::string_view path, const Exercise& exercise) const {
    const std::string meant = AsCuPath(path);
    const int rank = RankOfName(meant, exercise);
    return rank == kNoRank || meant == path ? rank : kOtherEnding + rank;
  }

  int RankOfName(std::string_view path, const Exercise& exercise) const {
    const std::string name = exercise.id + ".cu", in_chapter = exercise.chapter + "/" + name;
    if (EndsWithPath(path, "chapters/" + in_chapter)) return 0;
    if (EndsWithPath(path, in_chapter)) return 1;
    if (IsUnique(exercise) && EndsWithPath(path, name)) return 2;
    const std::string lower = InLowerCase(path);
    if (EndsWithPath(lower, InLowerCase(in_chapter))) return 3;
    if (IsUnique(exercise) && EndsWithPath(lower, InLowerCase(name))) return 4;
    if (IsUnique(exercise) && IsNumberedCopy(FileNameOf(lower), exercise.id)) return 5;
    return kNoRank;
  }

  bool IsUnique(const Exercise& exercise) const { return uses_of_id_.at(exercise.id) == 1; }

  ExerciseFile FindOne(const Exercise& exercise) {
    ExerciseFile file;
    file.exercise = &exercise;
    std::vector<const HandedInFile*> candidates = Candidates(exercise);
    if (candidates.empty()) {
      if (handed_in_.problem.empty()) return file;
      file.state = ExerciseFile::State::kUnusable;
      file.problem = "no file, and not everything could be read: " + OneLine(handed_in_.problem);
      return file;
    }
    if (const auto attempts = Attempts(exercise); !attempts.empty() && OrderOf(*candidates.front()) > 0) {
      return TakeAttempts(exercise, attempts);
    }
    const HandedInFile& chosen = *candidates.front();
    file.path = OneLine(chosen.path);
    file.state = ExerciseFile::State::kUnusable;
    RemarkOnPassedOver(chosen, exercise);
    if (!chosen.problem.empty()) {
      file.problem = file.path + " " + OneLine(chosen.problem);
    } else if (const auto other = std::ranges::find_if(
                   candidates, [&](const HandedInFile* each) { return each->text != chosen.text; });
               other != candidates.end()) {
      file.problem = "there are two different files, " + file.path + " and " + OneLine((*other)->path) +
                     ": keep one of them";
    } else {
      file.state = ExerciseFile::State::kFound;
      file.text = chosen.text;
      if (exercise.has_answers) file.answers = AnswersBeside(chosen, exercise.id);
      file.attempts = {{file.path, file.text, file.answers, chosen.modified_at}};
    }
    return file;
  }

  /// 3 for a file below a folder "attempt_3", "Attempt 3" or "attempt-3"; else what the LMS says.
  static std::int64_t OrderOf(const HandedInFile& file) {
    if (file.order > 0) return file.order;
    const std::string lower = InLowerCase(file.path);
    constexpr std::string_view kWord = "attempt";
    for (std::size_t at = lower.find(kWord); at != lower.npos; at = lower.find(kWord, at + 1)) {
      if (at > 0 && lower[at - 1] != '/') continue;
      std::size_t digit = at + kWord.size();
      if (digit < lower.size() && (lower[digit] == '_' || lower[digit] == '-' || lower[digit] == ' '))
        ++digit;
      const std::size_t end = lower.find('/', digit);
      constexpr std::size_t kMostDigits = 9;
      if (end == lower.npos || end == digit || end - digit > kMostDigits) continue;
      if (lower.find_first_not_of("0123456789", digit) == end) {
        std::int64_t number = 0;
        std::from_chars(lower.data() + digit, lower.data() + end, number);
        return number;
      }
    }
    return 0;
  }

  struct Attempt {
    const HandedInFile* file = nullptr;
    const HandedInFile* other = nullptr;  ///< Of the same attempt and rank, with another text.

    std::string BothFiles() const {
      return "there are two different files, " + OneLine(file->path) + " and " + OneLine(other->path);
    }
  };

  /// The readable files that have a place among attempts, the first one first; of two at one place the one of
  /// the better rank.
  std::vector<Attempt> Attempts(const Exercise& exercise) const {
    std::map<std::int64_t, Attempt> by_order;
    for (const HandedInFile& each : handed_in_.files) {
      const int rank = RankOf(each.path, exercise);
      if (rank == kNoRank || OrderOf(each) == 0 || !each.problem.empty()) continue;
      const auto [place, is_new] = by_order.emplace(OrderOf(each), Attempt{&each});
      Attempt& attempt = place->second;
      const int best = RankOf(attempt.file->path, exercise);
      if (rank < best) attempt = {&each};
      if (rank == best && attempt.other == nullptr && each.text != attempt.file->text) attempt.other = &each;
    }
    std::vector<Attempt> attempts;
    for (const auto& [order, attempt] : by_order) attempts.push_back(attempt);
    return attempts;
  }

  ExerciseFile TakeAttempts(const Exercise& exercise, const std::vector<Attempt>& attempts) {
    ExerciseFile file;
    file.exercise = &exercise;
    RemarkOnPassedOver(*attempts.back().file, exercise);
    if (attempts.back().other != nullptr) {
      file.path = OneLine(attempts.back().file->path);
      file.state = ExerciseFile::State::kUnusable;
      file.problem = attempts.back().BothFiles() + ": keep one of them";
      return file;
    }
    file.state = ExerciseFile::State::kFound;
    for (const Attempt& each : attempts) {
      if (each.other != nullptr) {
        remarks_.push_back(each.BothFiles() + ", in an earlier attempt, which counts nothing");
        continue;
      }
      ExerciseAttempt attempt = {OneLine(each.file->path), each.file->text,
                                 exercise.has_answers ? AnswersBeside(*each.file, exercise.id) : "",
                                 each.file->modified_at};
      // Whoever hands in the same once more, or is in the next download with it, makes no second attempt.
      const bool is_unchanged = !file.attempts.empty() && file.attempts.back().text == attempt.text &&
                                file.attempts.back().answers == attempt.answers;
      if (!is_unchanged) file.attempts.push_back(std::move(attempt));
    }
    const ExerciseAttempt& last = file.attempts.back();
    file.path = last.path;
    file.text = last.text;
    file.answers = last.answers;
    if (file.attempts.size() > 1) {
      remarks_.push_back(std::to_string(file.attempts.size()) + " attempts at " + exercise.id +
                         ", the last is " + last.path);
    }
    return file;
  }

  /// Those of the best rank; the ones with text first, then the shortest path.
  std::vector<const HandedInFile*> Candidates(const Exercise& exercise) {
    std::vector<const HandedInFile*> best;
    int best_rank = kNoRank;
    for (const HandedInFile& each : handed_in_.files) {
      const int rank = RankOf(each.path, exercise);
      if (rank == kNoRank) continue;
      used_.insert(each.path);
      if (rank > best_rank) continue;
      if (rank < best_rank) best.clear();
      best_rank = rank;
      best.push_back(&each);
    }
    std::ranges::stable_sort(best, {}, [](const HandedInFile* each) {
      return std::pair(!each->problem.empty(), each->path.size());
    });
    // A link beside a readable file is no second file.
    if (!best.empty() && best.front()->problem.empty()) {
      std::erase_if(best, [](const HandedInFile* each) { return !each->problem.empty(); });
    }
    return best;
  }

  static constexpr std::size_t kLargestAnswers = 64 << 10;  ///< As `check` reads them.

  static bool IsReadable(const HandedInFile& answers) {
    return answers.problem.empty() && answers.text.size() <= kLargestAnswers;
  }

  /// As `check` finds them: F.toml beside F.cu, or else under the exercise's own name, or else a numbered
  /// copy. Of several attempts the one that came next to it.
  std::string AnswersBeside(const HandedInFile& file, const std::string& id) {
    // Files that an LMS numbered lie in one place, whatever tells two of one name apart.
    const std::string path(file.order > 0 ? FileNameOf(file.path) : file.path);
    const std::string folder = path.substr(0, path.rfind('/') + 1);
    const std::string stem = AsCuPath(path);
    for (const std::string& wanted : {stem.substr(0, stem.size() - 3) + ".toml", folder + id + ".toml"}) {
      const HandedInFile* nearest = nullptr;
      const auto distance = [&](const HandedInFile& each) { return std::abs(each.order - file.order); };
      for (const HandedInFile& each : handed_in_.files) {
        const std::string here = AsTomlPath(file.order > 0 ? FileNameOf(each.path) : each.path);
        if (here != wanted && InLowerCase(here) != InLowerCase(wanted)) continue;
        used_.insert(each.path);
        if (!IsReadable(each)) continue;
        if (nearest == nullptr || distance(each) < distance(*nearest)) nearest = &each;
      }
      if (nearest != nullptr) return AnswersIn(*nearest);
    }
    const std::vector<const HandedInFile*> copies = CopiesOfAnswers(file, folder, id);
    const HandedInFile* found = copies.empty() ? AnswersElsewhere(file, id) : copies.front();
    if (found == nullptr) {
      NameAnswersMeant(file, id);
      return "";
    }
    // Of an LMS's attempts each has its own.
    if (file.order > 0) return AnswersIn(*found);
    const auto is_other = [&](const HandedInFile* each) { return each->text != found->text; };
    const auto other = std::ranges::find_if(copies, is_other);
    if (other != copies.end()) {
      remarks_.push_back("there are two different files with answers, " + OneLine(found->path) + " and " +
                         OneLine((*other)->path) + ", and none counts: keep one of them, as " + id + ".toml" +
                         std::string(kGradeAgain.of_instructor));
      return "";
    }
    remarks_.push_back(OneLine(found->path) + " is taken for " + id + ".toml");
    return AnswersIn(*found);
  }

  std::string AnswersIn(const HandedInFile& answers) {
    if (!IsUtf8(answers.text))
      remarks_.push_back(OneLine(answers.path) +
                         " is not UTF-8 text, and its answers count nothing; save it as UTF-8" +
                         std::string(kGradeAgain.of_instructor));
    return answers.text;
  }

  /// "ask-1.toml" and "ask (1).toml" in that folder, the one that came next to the file first.
  std::vector<const HandedInFile*> CopiesOfAnswers(const HandedInFile& file, const std::string& folder,
                                                   const std::string& id) {
    std::vector<const HandedInFile*> copies;
    for (const HandedInFile& each : handed_in_.files) {
      const std::string path =
          InLowerCase(AsTomlPath(file.order > 0 ? FileNameOf(each.path) : std::string_view(each.path)));
      const std::size_t name = path.rfind('/') + 1;
      if (path.substr(0, name) != InLowerCase(folder) || !IsReadable(each) ||
          !IsNumberedCopy(std::string_view(path).substr(name), id, ".toml"))
        continue;
      used_.insert(each.path);
      copies.push_back(&each);
    }
    std::ranges::stable_sort(copies, {},
                             [&](const HandedInFile* each) { return std::abs(each->order - file.order); });
    return copies;
  }

  /// The only ID.toml, in another folder than the file; null if there are several, or attempts, of which the
  /// other folder's is another one's.
  const HandedInFile* AnswersElsewhere(const HandedInFile& file, const std::string& id) {
    const HandedInFile* found = nullptr;
    for (const HandedInFile& each : handed_in_.files) {
      if (InLowerCase(FileNameOf(AsTomlPath(each.path))) != id + ".toml") continue;
      if (found != nullptr || !IsReadable(each)) return nullptr;
      found = &each;
    }
    if (found == nullptr || OrderOf(file) > 0 || OrderOf(*found) > 0) return nullptr;
    used_.insert(found->path);
    return found;
  }

  /// Where no answers were found: a file that may have them, in another folder or under another name.
  void NameAnswersMeant(const HandedInFile& file, const std::string& id) {
    for (const HandedInFile& each : handed_in_.files) {
      const std::string path = InLowerCase(AsTomlPath(each.path)), name(FileNameOf(path));
      if (used_.contains(each.path) || !name.ends_with(".toml") || name.find(id) == name.npos) continue;
      const bool is_elsewhere = name == id + ".toml";
      if (!is_elsewhere && IsAnswersName(name)) continue;
      used_.insert(each.path);
      remarks_.push_back((is_elsewhere ? OneLine(each.path) + " is not beside " + OneLine(file.path) +
                                             ", so its answers count nothing; put both into one folder"
                                       : OneLine(each.path) + " may be meant for " + id +
                                             ".toml, and its answers count nothing; rename it") +
                         std::string(kGradeAgain.of_instructor));
    }
  }

  /// Answers to an exercise of which nothing else was handed in, unless they are the starter's.
  void NameAnswersAlone(ExerciseFile& file) {
    const Exercise& exercise = *file.exercise;
    if (file.state != ExerciseFile::State::kMissing || !exercise.has_answers || !IsUnique(exercise)) return;
    const std::string name = exercise.id + ".toml";
    for (const HandedInFile& each : handed_in_.files) {
      if (InLowerCase(FileNameOf(AsTomlPath(each.path))) != InLowerCase(name)) continue;
      const auto starter = ReadFile(std::filesystem::path(exercise.starter).replace_extension(".toml"));
      if (starter && *starter == each.text) continue;
      used_.insert(each.path);
      file.state = ExerciseFile::State::kUnusable;
      file.path = OneLine(each.path);
      file.problem = "only the answers in " + file.path + " were handed in, and no " + exercise.id + ".cu";
      remarks_.push_back(file.problem);
      return;
    }
  }

  /// Another file that could have been meant, in a place that counts less.
  void RemarkOnPassedOver(const HandedInFile& chosen, const Exercise& exercise) {
    const int rank = RankOf(chosen.path, exercise);
    for (const HandedInFile& each : handed_in_.files) {
      const int other = RankOf(each.path, exercise);
      if (other == kNoRank || other <= rank || each.text == chosen.text) continue;
      if (OrderOf(each) != OrderOf(chosen)) continue;  // Another attempt.
      remarks_.push_back(OneLine(each.path) + " is passed over for " + OneLine(chosen.path));
    }
  }

  void RemarkOn(const ExerciseFile& file) {
    if (file.state == ExerciseFile::State::kUnusable && !file.path.empty()) remarks_.push_back(file.problem);
    if (file.state != ExerciseFile::State::kFound) return;
    // The grader refuses it, and nvcc may not: an umlaut in a comment, as older editors save it.
    if (!IsUtf8(file.text)) {
      remarks_.push_back(file.path +
                         " is not UTF-8 text, and counts as if it did not compile; if only a comment is not, "
                         "save it as UTF-8" +
                         std::string(kGradeAgain.of_instructor));
    }
    const std::string id = file.exercise->id, name = id + ".cu";
    if (FileNameOf(file.path) == name) return;
    // So an LMS calls whatever is handed in again; that it did is no news.
    if (is_numbered_by_lms_.contains(file.path) && IsNumberedCopy(FileNameOf(file.path), id)) return;
    remarks_.push_back(file.path + " is taken for " + name);
  }

  /// A file of another name that may be the answer to an exercise of which nothing was found: it was handed
  /// in, and is not graded under a name that nobody gave it.
  void NameMeant(ExerciseFile& file) {
    if (file.state != ExerciseFile::State::kMissing) return;
    const Exercise& exercise = *file.exercise;
    for (const HandedInFile& each : handed_in_.files) {
      if (used_.contains(each.path) || !MayBeFor(each, exercise)) continue;
      const std::string path = OneLine(each.path), meant = path + " may be meant for " + exercise.id;
      // Where chapters share the name, the folder tells them apart.
      const std::string problem = IsUnique(exercise)
                                      ? "handed in under another name: " + meant + "; rename it to " +
                                            exercise.id + ".cu" + std::string(kGradeAgain.of_instructor)
                                      : "handed in outside of its chapter's folder: " + meant + " of " +
                                            exercise.chapter + "; if so, put it into a folder of that name" +
                                            std::string(kGradeAgain.of_instructor);
      used_.insert(each.path);
      remarks_.push_back(problem);
      if (file.state == ExerciseFile::State::kUnusable) continue;
      file.state = ExerciseFile::State::kUnusable;
      file.path = path;
      file.problem = problem;
    }
  }

  /// The same of a file that is no source text and is called after the exercise.
  void NameOtherKind(ExerciseFile& file) {
    const Exercise& exercise = *file.exercise;
    if (file.state != ExerciseFile::State::kMissing || !IsUnique(exercise)) return;
    const std::string id = InLowerCase(exercise.id);
    for (const HandedInFile& each : handed_in_.files) {
      const std::string name = InLowerCase(FileNameOf(each.path)), stem = name.substr(0, name.rfind('.'));
      if (used_.contains(each.path) || !IsOfOtherKind(name)) continue;
      if (stem != id && !IsNumberedCopy(stem, id, "")) continue;
      used_.insert(each.path);
      file.state = ExerciseFile::State::kUnusable;
      file.path = OneLine(each.path);
      file.problem = "handed in as " + file.path + ", and only " + exercise.id + ".cu can be graded" +
                     std::string(kAskAgain.of_instructor);
      remarks_.push_back(file.problem);
      return;
    }
  }

  /// It includes the exercise's header, as every starter does; or, if it includes no other's, its name has
  /// the id, or it defines the function that the exercise asks for.
  bool MayBeFor(const HandedInFile& file, const Exercise& exercise) const {
    const bool is_source = AsCuPath(file.path).ends_with(".cu");
    if (!(is_source || MayHoldProgram(file.path)) ||
        known_names_.contains(std::string(FileNameOf(file.path))))
      return false;
    const auto includes = [&](const std::string& header) {
      return !header.empty() && (file.text.find("\"" + header + "\"") != std::string::npos ||
                                 file.text.find("/" + header + "\"") != std::string::npos);
    };
    if (includes(exercise.contract.filename().string())) return IsUnique(exercise);
    if (std::ranges::any_of(known_names_, includes)) return false;
    if (IsUnique(exercise) && Defines(file.text, exercise.entry)) return true;
    return is_source &&
           InLowerCase(FileNameOf(file.path)).find(InLowerCase(exercise.id)) != std::string::npos;
  }

  /// An archive that was not read may hold whatever was not found.
  void NameUnread(std::vector<ExerciseFile>& files) {
    std::string problem;
    for (const HandedInFile& each : handed_in_.files) {
      const bool is_of_other_kind = !OtherArchiveEnding(each.path).empty();
      if (used_.contains(each.path) || !(is_of_other_kind || IsArchiveName(each.path))) continue;
      used_.insert(each.path);
      const std::string why =
          is_of_other_kind ? " is an archive of a kind that is not read (.zip, .tar.gz and .tar are)"
                           : " is an archive inside an archive, or beside other files, and is not read";
      remarks_.push_back(OneLine(each.path) + why + std::string(kUnpack.of_instructor));
      if (problem.empty()) problem = remarks_.back();
    }
    for (ExerciseFile& file : files) {
      if (problem.empty() || file.state != ExerciseFile::State::kMissing) continue;
      file.state = ExerciseFile::State::kUnusable;
      file.problem = problem;
    }
  }

  /// Returns the programs among them.
  std::vector<std::string> RemarkOnOthers() {
    constexpr std::size_t kNamed = 50;
    std::vector<std::string> others, programs;
    for (const HandedInFile& each : handed_in_.files) {
      const std::string name(FileNameOf(each.path));
      if (used_.contains(each.path) || known_names_.contains(name) || IsAnswersName(name)) continue;
      others.push_back(OneLine(each.path));
      if (InLowerCase(AsCuPath(name)).ends_with(".cu")) programs.push_back(others.back());
    }
    if (others.empty()) return programs;
    std::string text = "files of no exercise: ";
    for (std::size_t i = 0; i < std::min(kNamed, others.size()); ++i)
      text += (i == 0 ? "" : ", ") + others[i];
    if (others.size() > kNamed) text += " and " + std::to_string(others.size() - kNamed) + " more";
    remarks_.push_back(std::move(text));
    return programs;
  }

  bool IsAnswersName(const std::string& name) const {
    return name.ends_with(".toml") && uses_of_id_.contains(name.substr(0, name.size() - 5));
  }

  const HandedIn& handed_in_;
  const Workbook& workbook_;
  std::map<std::string, int> uses_of_id_;
  std::set<std::string> known_names_, used_, is_numbered_by_lms_;
  std::vector<std::string> remarks_;
};

}  // namespace

FoundExercises FindExercises(const HandedIn& handed_in, const Workbook& workbook) {
  return Finder(handed_in, workbook).Find();
}

}  // namespace warplings

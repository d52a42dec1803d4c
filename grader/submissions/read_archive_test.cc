// SPDX-License-Identifier: Apache-2.0
#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <set>

#include "grader/base/unique_fd.h"
#include "grader/submissions/archive_reader.h"
#include "grader/submissions/read_handed_in.h"
#include "grader/submissions/scratch_class.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

/// Builds archives entry by entry, including malformed and hostile ones.
class ArchiveWriter {
 public:
  enum class Format { kZip, kTarGz, kTar };
  ArchiveWriter(const fs::path& file, Format format) : archive_(archive_write_new()) {
    if (format == Format::kZip) archive_write_set_format_zip(archive_);
    if (format != Format::kZip) archive_write_set_format_pax_restricted(archive_);
    if (format == Format::kTarGz) archive_write_add_filter_gzip(archive_);
    EXPECT_EQ(archive_write_open_filename(archive_, file.c_str()), ARCHIVE_OK);
  }
  ~ArchiveWriter() { archive_write_free(archive_); }
  ArchiveWriter(const ArchiveWriter&) = delete;
  ArchiveWriter& operator=(const ArchiveWriter&) = delete;

  void Add(const std::string& path, const std::string& text) { AddEntry(path, AE_IFREG, text, "", ""); }
  void AddLink(const std::string& path, const std::string& target) {
    AddEntry(path, AE_IFLNK, "", target, "");
  }
  void AddHardLink(const std::string& path, const std::string& target) {
    AddEntry(path, AE_IFREG, "", "", target);
  }
  void AddPipe(const std::string& path) { AddEntry(path, AE_IFIFO, "", "", ""); }
  void AddFolder(const std::string& path) { AddEntry(path, AE_IFDIR, "", "", ""); }

 private:
  void AddEntry(const std::string& path, unsigned type, const std::string& text, const std::string& link,
                const std::string& hard_link) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, path.c_str());
    archive_entry_set_filetype(entry, type);
    archive_entry_set_perm(entry, 0644);
    if (!link.empty()) archive_entry_set_symlink(entry, link.c_str());
    if (!hard_link.empty()) archive_entry_set_hardlink(entry, hard_link.c_str());
    archive_entry_set_size(entry, static_cast<la_int64_t>(text.size()));
    EXPECT_GE(archive_write_header(archive_, entry), ARCHIVE_WARN) << archive_error_string(archive_);
    if (!text.empty()) archive_write_data(archive_, text.data(), text.size());
    archive_entry_free(entry);
  }

  archive* archive_;
};

using Format = ArchiveWriter::Format;

class ReadArchiveTest : public submissions_test::ScratchClass {
 protected:
  static HandedIn Read(const fs::path& file, const ReadLimits& limits) {
    auto found = ReadArchive(file, limits);
    EXPECT_TRUE(found.ok()) << found.error().message;
    return found ? *std::move(found) : HandedIn{{}, "not read"};
  }
  static const HandedInFile* Named(const HandedIn& found, const std::string& path) {
    const auto file = std::ranges::find(found.files, path, &HandedInFile::path);
    return file == found.files.end() ? nullptr : &*file;
  }
};

TEST_F(ReadArchiveTest, EachFormatIsRead) {
  for (const Format format : {Format::kZip, Format::kTarGz, Format::kTar}) {
    const fs::path file = folder_ / "a";
    {
      ArchiveWriter writer(file, format);
      writer.AddFolder("chapters/");
      writer.Add("chapters/01_first/scale.cu", "text\r\n");
      writer.Add("./flat.cu", "flat");
      writer.Add("notes.md", "left out");
      writer.Add("__MACOSX/._scale.cu", "x");
    }
    const HandedIn found = Read(file, {});
    EXPECT_EQ(found.problem, "");
    ASSERT_EQ(found.files.size(), 3u);
    ASSERT_NE(Named(found, "chapters/01_first/scale.cu"), nullptr);
    EXPECT_EQ(Named(found, "chapters/01_first/scale.cu")->text, "text\r\n");
    EXPECT_EQ(Named(found, "flat.cu")->text, "flat");
    EXPECT_EQ(Named(found, "notes.md")->text, "");
  }
}

TEST_F(ReadArchiveTest, AllArchivesOfOneStudentHaveTheLimitsOfOne) {
  StudentEntry eve;
  eve.kind = StudentEntry::Kind::kFiles;
  for (std::int64_t i = 1; i <= 5; ++i) {
    const fs::path file = folder_ / ("eve_1_" + std::to_string(i) + "_all.tar");
    ArchiveWriter writer(file, Format::kTar);
    writer.Add("scale.cu", std::string(100'000, 'x'));
    writer.Add("movie.mp4", std::string(500'000, 'x'));
    eve.files.push_back({file, "all.tar", i});
  }
  const auto read = [&](const ReadLimits& limits) {
    const auto found = ReadHandedIn(eve, limits);
    EXPECT_TRUE(found.ok());
    std::pair<std::string, std::size_t> texts{found->problem, 0};
    for (const HandedInFile& each : found->files) texts.second += each.text.empty() ? 0 : 1;
    return texts;
  };
  EXPECT_EQ(read({}), std::pair(std::string(), std::size_t{5}));
  ReadLimits limits;
  limits.kept_bytes = 250'000;
  EXPECT_EQ(read(limits).second, 2u);
  limits = {};
  limits.unpacked_bytes = 1'500'000;
  EXPECT_EQ(read(limits).second, 3u) << "what is seen behind a limit is not more";
  EXPECT_NE(read(limits).first.find("with the archives before it"), std::string::npos) << read(limits).first;
  limits = {};
  limits.entries = 8;
  EXPECT_LE(read(limits).second, 4u);
  limits = {};
  limits.archives = 2;
  EXPECT_EQ(read(limits), std::pair(std::string("there are more than 2 archives"), std::size_t{2}));
}

TEST_F(ReadArchiveTest, AnArchiveAloneInAnAttemptsFolderIsThatAttempt) {
  Write("ada/attempt_1/scale.cu", "first");
  fs::create_directories(folder_ / "ada/attempt_2");
  for (const char* place : {"ada/attempt_1/old.zip", "ada/attempt_2/work.zip"}) {
    ArchiveWriter writer(folder_ / place, Format::kZip);
    writer.Add("chapters/01_first/scale.cu", "second");
  }
  StudentEntry ada;
  ada.path = folder_ / "ada";
  const HandedIn found = ReadHandedIn(ada).value();
  EXPECT_EQ(found.problem, "");
  ASSERT_NE(Named(found, "attempt_2/chapters/01_first/scale.cu"), nullptr);
  EXPECT_EQ(Named(found, "attempt_2/chapters/01_first/scale.cu")->text, "second");
  EXPECT_NE(Named(found, "attempt_1/old.zip"), nullptr) << "beside a program it is named and not read";
  EXPECT_EQ(found.files.size(), 3u);
}

TEST_F(ReadArchiveTest, AFolderWithOnlyAnArchiveIsReadAsThatArchive) {
  Write("Ada_7001_assignsubmission_file_/notes.txt", "see the archive");
  const fs::path folder = folder_ / "Ada_7001_assignsubmission_file_";
  {
    ArchiveWriter writer(folder / "homework.zip", Format::kZip);
    writer.Add("scale.cu", "text");
  }
  StudentEntry ada;
  ada.path = folder;
  const HandedIn found = ReadHandedIn(ada).value();
  EXPECT_EQ(found.problem, "");
  EXPECT_EQ(Named(found, "scale.cu")->text, "text");
  EXPECT_EQ(found.files.size(), 2u) << "and the notes";
  // What lies there as a file comes before what is packed: nobody unpacks an old copy over it.
  Write("Ada_7001_assignsubmission_file_/scale.cu", "newer");
  EXPECT_EQ(Named(ReadHandedIn(ada).value(), "scale.cu")->text, "newer");
}

TEST_F(ReadArchiveTest, PathsAndLinksThatLeaveAreTold) {
  for (const Format format : {Format::kZip, Format::kTarGz}) {
    const fs::path file = folder_ / "hostile";
    {
      ArchiveWriter writer(file, format);
      writer.Add("../scale.cu", "x");
      writer.Add("a/../../b.cu", "x");
      writer.Add("/etc/c.cu", "x");
      writer.AddLink("link.cu", "/etc/passwd");
      writer.Add("good.cu", "good");
      if (format == Format::kTarGz) {
        writer.AddHardLink("hard.cu", "/etc/passwd");
        writer.AddPipe("pipe.cu");
      }
    }
    const HandedIn found = Read(file, {});
    EXPECT_EQ(found.problem, "");
    for (const char* name : {"../scale.cu", "a/../../b.cu", "/etc/c.cu"}) {
      ASSERT_NE(Named(found, name), nullptr) << name;
      EXPECT_EQ(Named(found, name)->problem, "has a path that leaves the folder");
      EXPECT_EQ(Named(found, name)->text, "");
    }
    EXPECT_NE(Named(found, "link.cu")->problem.find("is a link"), std::string::npos);
    if (format == Format::kTarGz) {
      EXPECT_NE(Named(found, "hard.cu")->problem.find("is a link"), std::string::npos);
      EXPECT_EQ(Named(found, "pipe.cu")->problem, "is no ordinary file");
    }
    EXPECT_EQ(Named(found, "good.cu")->text, "good");
  }
  // Nothing was unpacked, here or above.
  EXPECT_FALSE(fs::exists(folder_ / "good.cu"));
  EXPECT_FALSE(fs::exists(folder_.parent_path() / "scale.cu"));
}

TEST_F(ReadArchiveTest, ABombIsNotUnpacked) {
  const std::string zeros(8u << 20, '\0');
  ReadLimits limits;
  limits.unpacked_bytes = 20u << 20;
  for (const Format format : {Format::kZip, Format::kTarGz}) {
    const fs::path file = folder_ / "bomb";
    {
      ArchiveWriter writer(file, format);
      writer.Add("scale.cu", "first");
      for (int i = 0; i < 4; ++i) writer.Add("zeros" + std::to_string(i), zeros);
      writer.Add("late.cu", "late");
    }
    const HandedIn found = Read(file, limits);
    EXPECT_NE(found.problem.find("more than 20 MiB"), std::string::npos) << found.problem;
    ASSERT_NE(Named(found, "scale.cu"), nullptr);
    EXPECT_EQ(Named(found, "scale.cu")->text, "first");
  }
  {
    ArchiveWriter writer(folder_ / "many", Format::kTar);
    for (int i = 0; i < 20; ++i) writer.Add(std::to_string(i), "");
  }
  limits.entries = 10;
  EXPECT_NE(Read(folder_ / "many", limits).problem.find("more than 10 files"), std::string::npos);
}

TEST_F(ReadArchiveTest, LargeTextIsCutAtTheLimit) {
  {
    ArchiveWriter writer(folder_ / "large.zip", Format::kZip);
    writer.Add("scale.cu", std::string(3u << 20, 'x'));
    writer.Add("tile.cu", std::string(3u << 20, 'x'));
  }
  EXPECT_EQ(Read(folder_ / "large.zip", {}).files.at(0).text.size(), (1u << 20) + 1);
  ReadLimits limits;
  limits.kept_bytes = 3u << 19;
  EXPECT_EQ(Read(folder_ / "large.zip", limits).files.at(1).problem,
            "is not read: there is too much text in all");
}

TEST_F(ReadArchiveTest, DamageIsTold) {
  for (const Format format : {Format::kZip, Format::kTarGz}) {
    {
      ArchiveWriter writer(folder_ / "whole", format);
      std::string text;
      for (int i = 0; i < 40'000; ++i) text += std::to_string(i * 7919 % 10007);
      writer.Add("scale.cu", text);
    }
    std::ifstream stream(folder_ / "whole", std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    Write("cut", bytes.substr(0, bytes.size() / 2));
    const HandedIn cut = Read(folder_ / "cut", {});
    const bool told = !cut.problem.empty() || (cut.files.size() == 1 && !cut.files[0].problem.empty());
    EXPECT_TRUE(told);
    const std::string problem = cut.problem.empty() ? cut.files[0].problem : cut.problem;
    EXPECT_TRUE(problem.ends_with("; ask for it again")) << problem;
  }
  Write("empty", "");
  Write("text", "this is a text\n");
  Write("random", std::string("PK\x03\x04") + std::string(300, '\x9b'));
  for (const char* name : {"empty", "text", "random", "absent"}) {
    EXPECT_NE(Read(folder_ / name, {}).problem, "") << name;
  }
}

TEST_F(ReadArchiveTest, AnyDamageLeavesTheGraderWhole) {
  std::minstd_rand random(1);
  for (const Format format : {Format::kZip, Format::kTarGz, Format::kTar}) {
    {
      ArchiveWriter writer(folder_ / "whole", format);
      for (int i = 0; i < 5; ++i) writer.Add("folder/" + std::to_string(i) + ".cu", std::string(3000, 'a'));
    }
    std::ifstream stream(folder_ / "whole", std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    for (int attempt = 0; attempt < 30; ++attempt) {
      std::string damaged = bytes;
      for (int i = 0; i < 8; ++i) damaged[random() % damaged.size()] = static_cast<char>(random());
      Write("damaged", damaged);
      for (const HandedInFile& file : Read(folder_ / "damaged", {}).files) {
        EXPECT_TRUE(file.problem.empty() || file.text.empty());
        EXPECT_LE(file.text.size(), (1u << 20) + 1);
      }
    }
  }
}

TEST_F(ReadArchiveTest, AnArchiveOfNothingIsTold) {
  { ArchiveWriter writer(folder_ / "empty.tar", Format::kTar); }
  EXPECT_NE(Read(folder_ / "empty.tar", {}).problem.find("is empty"), std::string::npos);
  { ArchiveWriter writer(folder_ / "empty.zip", Format::kZip); }
  EXPECT_NE(Read(folder_ / "empty.zip", {}).problem, "");
  // Zeros without end, compressed to nearly nothing: a tar that ends where it begins.
  const std::string command =
      "head -c 300000000 /dev/zero | gzip -1 > '" + (folder_ / "zeros.tar.gz").string() + "'";
  ASSERT_EQ(std::system(command.c_str()), 0);  // NOLINT(concurrency-mt-unsafe,cert-env33-c)
  EXPECT_NE(Read(folder_ / "zeros.tar.gz", {}).problem.find("is empty"), std::string::npos);
}

TEST_F(ReadArchiveTest, NamesThatAreNotAscii) {
  for (const Format format : {Format::kZip, Format::kTarGz}) {
    {
      ArchiveWriter writer(folder_ / "names", format);
      writer.Add("第一章/scale.cu", "x");
    }
    const HandedIn found = Read(folder_ / "names", {});
    ASSERT_EQ(found.files.size(), 1u);
    EXPECT_TRUE(found.files[0].path.ends_with("/scale.cu")) << found.files[0].path;
    EXPECT_EQ(found.files[0].text, "x");
  }
}

TEST_F(ReadArchiveTest, AReaderThatIsStoppedIsTheArchivesFault) {
  using Kind = sandbox::ProgramEnd::Kind;
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const UniqueFd archive(ends[0]), writer(ends[1]);
  sandbox::ProcessRequest request = ArchiveReaderRequest(archive.get(), {});
  request.policy.limits.wall = std::chrono::seconds(2);
  const auto waiting = sandbox::RunToEnd(request);
  ASSERT_TRUE(waiting.ok()) << waiting.error().message;
  EXPECT_EQ(waiting->output, kReadyMark);
  ASSERT_TRUE(ConcludeReading(*waiting).ok());
  EXPECT_EQ(ConcludeReading(*waiting)->problem, "the archive is not usable: it takes too long to read");

  const std::string ready(kReadyMark);
  EXPECT_EQ(ConcludeReading({{Kind::kOutputLimit, 0}, ready})->problem,
            "the archive is not usable: there is too much in it");
  EXPECT_EQ(ConcludeReading({{Kind::kSignalled, SIGSEGV}, ready + "garbage"})->problem,
            "the archive is not usable: reading it ended in a segmentation fault (SIGSEGV)");
  EXPECT_EQ(ConcludeReading({{Kind::kExited, 0}, ready + "garbage"})->problem,
            "the archive is not usable: it cannot be read");
  EXPECT_EQ(ConcludeReading({{Kind::kExited, 1}, ready})->problem,
            "the archive is not usable: it cannot be read");
}

TEST_F(ReadArchiveTest, AReaderThatDoesNotStartIsTheGradersFault) {
  using Kind = sandbox::ProgramEnd::Kind;
  const auto unloaded = ConcludeReading(
      {{Kind::kExited, 127}, "error while loading shared libraries: libarchive.so.13\nsecond line\n"});
  ASSERT_FALSE(unloaded.ok());
  EXPECT_EQ(unloaded.error().blame, Blame::kGrader);
  EXPECT_NE(English(unloaded.error().message).find("libarchive.so.13"), std::string::npos);
  EXPECT_FALSE(ConcludeReading({{Kind::kExited, 0}, ""}).ok());
  EXPECT_FALSE(ConcludeReading({{Kind::kTimeLimit, 0}, "rea"}).ok());
}

TEST_F(ReadArchiveTest, WithoutASandboxNoArchiveIsRead) {
  { ArchiveWriter(folder_ / "a.zip", Format::kZip).Add("scale.cu", "x"); }
  Write("bwrap",
        "#!/bin/sh\necho 'bwrap: No permissions to create new namespace, likely because the kernel does not "
        "allow non-privileged user namespaces.'\nexit 1\n");
  fs::permissions(folder_ / "bwrap", fs::perms::owner_all);
  const std::string path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe)
  setenv("PATH", (folder_.string() + ":" + path).c_str(), 1);
  const auto found = ReadArchive(folder_ / "a.zip", {});
  StudentEntry student;
  student.kind = StudentEntry::Kind::kFiles;
  student.files = {{folder_ / "a.zip", "a.zip", 0}};
  const auto handed_in = ReadHandedIn(student);
  setenv("PATH", path.c_str(), 1);
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().blame, Blame::kGrader);
  EXPECT_NE(English(found.error().message).find("namespace"), std::string::npos) << found.error().message;
  EXPECT_FALSE(found.error().next_step.empty());
  EXPECT_FALSE(handed_in.ok());
  EXPECT_EQ(Read(folder_ / "a.zip", {}).files.size(), 1u);
}

/// The line of /proc/PID/status with this name, without the name.
std::string StatusLine(const fs::path& process, const std::string& name) {
  std::ifstream status(process / "status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name + ":")) return line.substr(line.find_first_not_of(" \t", name.size() + 1));
  }
  return "";
}

/// The first child of the main thread of this process; 0: none.
pid_t ChildOf(pid_t process) {
  const std::string pid = std::to_string(process);
  pid_t child = 0;
  std::ifstream("/proc/" + pid + "/task/" + pid + "/children") >> child;
  return child;
}

/// The real reader, stopped where it waits for an archive's first bytes.
TEST_F(ReadArchiveTest, WhoReadsHasNamespacesOfItsOwnAndNoRights) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const UniqueFd archive(ends[0]);
  UniqueFd writer(ends[1]);
  auto reader = sandbox::Process::Start(ArchiveReaderRequest(archive.get(), {}));
  ASSERT_TRUE(reader.ok()) << reader.error().message;
  std::string said;
  for (int i = 0; i < 3000 && said.size() < kReadyMark.size(); ++i) {
    usleep(10'000);
    (*reader)->DrainOutput();
    said += (*reader)->TakeOutput();
  }
  ASSERT_EQ(said, kReadyMark);
  // bwrap's monitor, pid 1 of the namespace, the reader.
  const pid_t pid = ChildOf(ChildOf(ChildOf(getpid())));
  if (pid == 0) GTEST_SKIP() << "this kernel does not list children in /proc";
  const fs::path process = "/proc/" + std::to_string(pid);
  EXPECT_EQ(StatusLine(process, "Name"), "reader");
  for (const char* kind : {"user", "pid", "net", "mnt", "ipc", "uts", "cgroup"}) {
    EXPECT_NE(fs::read_symlink(process / "ns" / kind), fs::read_symlink(fs::path("/proc/self/ns") / kind))
        << kind;
  }
  EXPECT_EQ(StatusLine(process, "NoNewPrivs"), "1");
  EXPECT_EQ(StatusLine(process, "CapEff"), "0000000000000000");
  EXPECT_EQ(StatusLine(process, "CapBnd"), "0000000000000000");
  // The sandbox's, and its own, which leaves it no file to open.
  EXPECT_EQ(std::stoi(StatusLine(process, "Seccomp_filters")),
            std::stoi(StatusLine("/proc/self", "Seccomp_filters")) + 2);
  std::set<std::string> seen, open_numbers;
  for (const auto& entry : fs::directory_iterator(process / "root")) seen.insert(entry.path().filename());
  EXPECT_TRUE(std::ranges::includes(std::set<std::string>{"lib", "lib64", "reader", "usr"}, seen));
  for (const auto& entry : fs::directory_iterator(process / "fd"))
    open_numbers.insert(entry.path().filename());
  EXPECT_EQ(open_numbers, (std::set<std::string>{"0", "1", "2", "3"}));
  writer.reset();
  const auto end = (*reader)->Wait();
  ASSERT_TRUE(end.ok());
  EXPECT_TRUE(end->succeeded());
}

}  // namespace
}  // namespace warplings

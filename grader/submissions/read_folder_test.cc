// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <system_error>

#include "grader/submissions/read_handed_in.h"
#include "grader/submissions/scratch_class.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

class ReadFolderTest : public submissions_test::ScratchClass {
 protected:
  HandedInFile Only(const std::string& path, const ReadLimits& limits = {}) const {
    HandedInFile found;
    for (const HandedInFile& file : ReadFolder(folder_, limits).files) {
      if (file.path == path) found = file;
    }
    EXPECT_EQ(found.path, path);
    return found;
  }
};

TEST_F(ReadFolderTest, KeepsSourcesAndNamesTheRest) {
  Write("b/a.cu", "text \xff");
  Write("A.CU", "\xef\xbb\xbftext\r\n");
  Write("a.toml", "x = 1");
  Write("notes.md", "secret");
  Write("__MACOSX/a.cu", "");
  Write(".git/a.cu", "");
  Write("._a.cu", "");
  const HandedIn found = ReadFolder(folder_, {});
  EXPECT_EQ(found.problem, "");
  ASSERT_EQ(found.files.size(), 4u);
  EXPECT_EQ(found.files[0].text, "\xef\xbb\xbftext\r\n");
  EXPECT_EQ(found.files[1].text, "x = 1");
  EXPECT_EQ(found.files[2].path, "b/a.cu");
  EXPECT_EQ(found.files[2].text, "text \xff");
  EXPECT_EQ(found.files[3].path, "notes.md");
  EXPECT_EQ(found.files[3].text, "");
}

/// Nobody's file is unusable because this machine has no descriptor left for it.
TEST_F(ReadFolderTest, AShortageOfTheMachinesIsThrown) {
  Write("a.cu", "text");
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const int next = ::dup(STDIN_FILENO);  // The lowest number that is free.
  ::close(next);
  for (int more = 0; more < 2; ++more) {  // None for the folder, and one, but none for the file in it.
    const rlimit few{static_cast<rlim_t>(next + more), before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
    std::error_code thrown;
    try {
      (void)ReadFolder(folder_, {});
    } catch (const std::system_error& shortage) {
      thrown = shortage.code();
    }
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
    EXPECT_EQ(thrown, std::errc::too_many_files_open) << more;
  }
  EXPECT_EQ(Only("a.cu").text, "text");
}

TEST_F(ReadFolderTest, LinksThatLeaveAreNotFollowed) {
  Write("real.cu", "inside");
  fs::create_symlink("real.cu", folder_ / "inside.cu");
  fs::create_symlink("/etc/passwd", folder_ / "absolute.cu");
  fs::create_symlink("../../../../etc/passwd", folder_ / "relative.cu");
  fs::create_symlink("/dev/zero", folder_ / "device.cu");
  fs::create_symlink("nowhere", folder_ / "dangling.cu");
  fs::create_symlink("circle.cu", folder_ / "circle.cu");
  fs::create_directory_symlink("/etc", folder_ / "folder");
  EXPECT_EQ(Only("inside.cu").text, "inside");
  for (const char* name : {"absolute.cu", "relative.cu", "device.cu"}) {
    EXPECT_EQ(Only(name).problem, "is a link that leaves the folder") << name;
    EXPECT_EQ(Only(name).text, "") << name;
  }
  for (const char* name : {"dangling.cu", "circle.cu"}) EXPECT_EQ(Only(name).problem, "is a link to nothing");
  EXPECT_EQ(Only("folder").text, "");
  EXPECT_EQ(ReadFolder(folder_, {}).files.size(), 8u);
}

TEST_F(ReadFolderTest, AHardLinkIsNotRead) {
  Write("solution.cu", "somebody else's");
  Write("own.cu", "own");
  fs::create_hard_link(folder_ / "solution.cu", folder_ / "scale.cu");
  EXPECT_EQ(Only("scale.cu").text, "");
  EXPECT_NE(Only("scale.cu").problem.find("is a hard link"), std::string::npos);
  EXPECT_EQ(Only("own.cu").text, "own");
  EXPECT_GT(Only("own.cu").modified_at, 1'700'000'000);
}

TEST_F(ReadFolderTest, LooseFilesKeepTheirOrder) {
  Write("ada_1_10_scale.cu", "first");
  Write("ada_1_20_scale.cu", "second");
  Write("ada_1_30_tile-1.cu", "tile");
  StudentEntry ada;
  ada.kind = StudentEntry::Kind::kFiles;
  ada.files = {{folder_ / "ada_1_10_scale.cu", "scale.cu", 10},
               {folder_ / "ada_1_20_scale.cu", "scale.cu", 20},
               {folder_ / "ada_1_30_tile-1.cu", "tile-1.cu", 30}};
  const HandedIn found = ReadHandedIn(ada).value();
  ASSERT_EQ(found.files.size(), 3u);
  EXPECT_EQ(found.files[0].path, "ada_1_10_scale.cu/scale.cu");
  EXPECT_EQ(found.files[1].text, "second");
  EXPECT_EQ(found.files[1].order, 20);
  EXPECT_EQ(found.files[2].path, "tile-1.cu");
}

TEST_F(ReadFolderTest, LooseFilesHaveTheLimitsOfOneStudent) {
  StudentEntry eve;
  eve.kind = StudentEntry::Kind::kFiles;
  constexpr std::int64_t kFiles = 60;
  for (std::int64_t i = 1; i <= kFiles; ++i) {
    const std::string name = "eve_1_" + std::to_string(i) + "_scale.cu";
    Write(name, std::string(100'000, 'x') + std::to_string(i));
    eve.files.push_back({folder_ / name, "scale.cu", i});
  }
  const auto bytes_of = [](const HandedIn& found) {
    std::uintmax_t bytes = 0;
    for (const HandedInFile& file : found.files) bytes += file.text.size();
    return bytes;
  };
  EXPECT_GT(bytes_of(ReadHandedIn(eve).value()), 6'000'000u) << "the usual limits leave room for that";
  ReadLimits limits;
  limits.kept_bytes = 1'000'000;
  const HandedIn some = ReadHandedIn(eve, limits).value();
  EXPECT_LE(bytes_of(some), limits.kept_bytes);
  ASSERT_EQ(some.files.size(), 60u);
  // The latest count, and are read first; the order stays.
  EXPECT_TRUE(some.files.back().text.ends_with("60"));
  EXPECT_EQ(some.files.front().order, 1);
  EXPECT_EQ(some.files.front().problem, "is not read: there is too much text in all");
  limits = {};
  limits.entries = 10;
  const HandedIn few = ReadHandedIn(eve, limits).value();
  EXPECT_EQ(few.problem, "there are more than 10 files");
  ASSERT_EQ(few.files.size(), 10u);
  EXPECT_EQ(few.files.front().order, 51);
}

TEST_F(ReadFolderTest, APipeIsNotWaitedFor) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe.cu").c_str(), 0600), 0);
  fs::create_directory(folder_ / "folder.cu");
  EXPECT_EQ(Only("pipe.cu").problem, "is no ordinary file");
}

TEST_F(ReadFolderTest, HasBounds) {
  Write("large.cu", std::string((1u << 20) + 5000, 'x'));
  Write("b/c/d.cu", "deep");
  EXPECT_EQ(Only("large.cu").text.size(), (1u << 20) + 1);
  ReadLimits limits;
  limits.kept_bytes = 1000;
  EXPECT_EQ(Only("large.cu", limits).text, "");
  EXPECT_NE(Only("large.cu", limits).problem, "");
  limits = {};
  limits.depth = 1;
  EXPECT_NE(ReadFolder(folder_, limits).problem.find("deep"), std::string::npos);
  limits = {};
  limits.entries = 2;
  EXPECT_NE(ReadFolder(folder_, limits).problem.find("more than 2"), std::string::npos);
}

/// Permissions do not stop root, so that this goes on as somebody else.
class WithoutRoot {
 public:
  WithoutRoot() {
    if (former_ == 0) {
      EXPECT_EQ(::seteuid(65534), 0);
    }
  }
  ~WithoutRoot() {
    if (former_ == 0) {
      EXPECT_EQ(::seteuid(former_), 0);
    }
  }

 private:
  const uid_t former_ = ::geteuid();
};

TEST_F(ReadFolderTest, UnreadableIsTold) {
  EXPECT_NE(ReadFolder(folder_ / "absent", {}).problem, "");
  Write("a.cu", "x");
  Write("b.cu", "b");
  Write("c/d.cu", "x");
  ASSERT_EQ(::chmod(folder_.c_str(), 0755), 0);
  ASSERT_EQ(::chmod((folder_ / "a.cu").c_str(), 0), 0);
  ASSERT_EQ(::chmod((folder_ / "c").c_str(), 0), 0);
  {
    const WithoutRoot somebody;
    EXPECT_NE(Only("a.cu").problem.find("cannot be read"), std::string::npos);
    EXPECT_EQ(Only("b.cu").text, "b");
    EXPECT_NE(ReadFolder(folder_, {}).problem.find("the folder c/ cannot be read"), std::string::npos);
  }
  ASSERT_EQ(::chmod((folder_ / "c").c_str(), 0700), 0);
}

}  // namespace
}  // namespace warplings

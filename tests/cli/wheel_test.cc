// SPDX-License-Identifier: Apache-2.0
// The wheel of what was built (packaging/wheel), put by pip into a fresh environment: all of it is there as
// its record says, it needs nothing of this source tree, and what it cannot bring is named.
#include <elf.h>

#include <sstream>

#include "tests/cli/cli_fixture.h"

namespace warplings::cli_test {
namespace {

namespace fs = std::filesystem;

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Compares with RECORD what pip installed, and prints what differs, then how many files it compared.
constexpr const char* kCompareWithRecord = R"(
import base64, hashlib, importlib.metadata
compared = 0
for file in importlib.metadata.files("warplings"):
    if not file.hash:
        continue
    digest = base64.urlsafe_b64encode(hashlib.sha256(file.locate().read_bytes()).digest()).rstrip(b"=").decode()
    if (file.hash.mode, file.hash.value) != ("sha256", digest):
        print(file, "is another file than its record says")
    compared += 1
print("compared at least 100" if compared >= 100 else f"compared only {compared}")
)";

constexpr const char* kPrintMetadata = R"(
import importlib.metadata
distribution = importlib.metadata.distribution("warplings")
print(distribution.version, *distribution.metadata.get_all("License-File"), *distribution.requires, sep="\n")
)";

class WheelTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    shared_ = new ScratchFolder;
    const fs::path destination = shared_->path() / "destination";
    const ProgramRun installed =
        RunProgram({"meson", "install", "-C", ThisLayout().build, "--no-rebuild", "--quiet", "--tags",
                    "runtime,solutions", "--destdir", destination});
    ASSERT_EQ(installed.status, 0) << installed.out << installed.err;
    // Stands for the handouts, which take their time: only where they go is tested here.
    WriteText(shared_->path() / "pages" / "01_boundary_checks.html", "a page\n");
    WriteText(shared_->path() / "pages" / "index.html", "an index\n");
    const ProgramRun packed = RunProgram({ThisLayout().root / "packaging" / "wheel", "--tree",
                                          destination.string() + INSTALL_PREFIX, "--handouts",
                                          shared_->path() / "pages", "--out", shared_->path() / "wheels"});
    ASSERT_EQ(packed.status, 0) << packed.err;
    const fs::path wheel = *fs::directory_iterator(shared_->path() / "wheels");
    EXPECT_TRUE(Has(wheel.filename(), "-py3-none-manylinux_2_")) << wheel;
    ASSERT_EQ(RunProgram({"python3", "-m", "venv", Environment()}).status, 0);
    const ProgramRun put =
        RunProgram({Environment() / "bin" / "pip", "install", "--no-index", "--no-deps", wheel});
    ASSERT_EQ(put.status, 0) << put.out << put.err;
    // In place of what pip would fetch: the packages of the Python that this tree was built with.
    const ProgramRun packages =
        RunProgram({ThisLayout().PythonProgram(), "-c",
                    "import jinja2, pathlib; print(pathlib.Path(jinja2.__file__).parents[1])"});
    ASSERT_EQ(packages.status, 0) << packages.err;
    WriteText(SitePackages() / "dependencies.pth", packages.out);
  }
  static void TearDownTestSuite() {
    delete shared_;
    shared_ = nullptr;
  }

  /// A space, because a student's folder may have one.
  static fs::path Environment() { return shared_->path() / "an environment"; }
  static fs::path Programs() { return Environment() / "lib" / "warplings"; }

  static fs::path SitePackages() {
    for (const auto& entry : fs::directory_iterator(Environment() / "lib")) {
      if (entry.path().filename().string().starts_with("python3")) return entry.path() / "site-packages";
    }
    return {};
  }

  ProgramRun InPython(const char* script) const {
    return RunProgram({Environment() / "bin" / "python3", "-c", script});
  }

  /// The command of the environment as `wrapper` starts it, with nothing on PATH but that environment's
  /// programs and the system's.
  ProgramRun Run(const std::vector<std::string>& arguments, std::vector<std::string> wrapper = {},
                 const fs::path& system = "/usr/bin") const {
    fs::create_directories(scratch_.path() / "home");
    wrapper.insert(wrapper.end(),
                   {"/usr/bin/env", "-i", "LANG=C.UTF-8",
                    "CUDA_VISIBLE_DEVICES=", "HOME=" + (scratch_.path() / "home").string(),
                    "PATH=" + (Environment() / "bin").string() + ":" + system.string(), "warplings"});
    wrapper.insert(wrapper.end(), arguments.begin(), arguments.end());
    const fs::path book = scratch_.path() / "book";
    return RunProgram(wrapper, {.folder = fs::exists(book) ? book : scratch_.path()});
  }

  ScratchFolder scratch_;

 private:
  static ScratchFolder* shared_;
};

ScratchFolder* WheelTest::shared_ = nullptr;

/// Hides what /usr/local has, where CUDA usually is.
const std::vector<std::string> kWithoutToolkit = {"/usr/bin/bwrap", "--dev-bind", "/", "/",
                                                  "--tmpfs",        "/usr/local"};

TEST_F(WheelTest, WhatIsInstalledIsWhatTheRecordSays) {
  const ProgramRun run = InPython(kCompareWithRecord);
  EXPECT_EQ(run.out, "compared at least 100\n") << run.err;
}

TEST_F(WheelTest, ItRequiresTheLaunchersListsAndNamesItsLicences) {
  const ProgramRun run = InPython(kPrintMetadata);
  const std::string launcher = ReadText(ThisLayout().root / "warplings");
  const std::size_t list = launcher.find("\ncuda_wheels=(") + 14;
  std::istringstream wheels(launcher.substr(list, launcher.find(')', list) - list));
  std::size_t count = 0;
  for (std::string wheel; wheels >> wheel; ++count)
    EXPECT_TRUE(Has(run.out, "\n" + wheel + "; extra == \"cuda\"\n")) << wheel << " in " << run.out;
  EXPECT_EQ(count, 5u);
  EXPECT_TRUE(Has(run.out, "\njinja2\n") && Has(run.out, "\npygments\n")) << run.out;
  for (const auto& library : fs::directory_iterator(Programs() / "libraries")) {
    std::string name = library.path().stem();  // libzstd.so.1 comes from libzstd1.
    name = name.substr(0, name.find(".so"));
    EXPECT_TRUE(Has(run.out, "\n" + name)) << name << " has no licence: " << run.out;
  }
}

TEST_F(WheelTest, ProgramsAreExecutableAndFindTheirLibrariesInIt) {
  std::size_t programs = 0;
  for (const auto& entry : fs::recursive_directory_iterator(Programs())) {
    const std::string bytes = entry.is_regular_file() ? ReadText(entry.path()) : "";
    if (!bytes.starts_with(ELFMAG)) continue;
    ++programs;
    if (!Has(entry.path().filename(), ".so")) {
      EXPECT_NE(entry.status().permissions() & fs::perms::others_exec, fs::perms::none) << entry.path();
    }
    const std::string libraries = RunProgram({"ldd", entry.path()}).out;
    for (const char* name : {"libtomlplusplus", "libzstd", "liblz4", "libseccomp", "libsqlite3"}) {
      if (entry.path().filename() == "warplings-read-archive") continue;  // It sees the system's alone.
      const std::size_t at = libraries.find(std::string("\t") + name);
      if (at == std::string::npos) continue;
      const std::string line = libraries.substr(at, libraries.find('\n', at) - at);
      EXPECT_TRUE(Has(line, (Environment() / "lib/warplings").string())) << entry.path() << ":" << line;
    }
  }
  EXPECT_GE(programs, 25u);
}

TEST_F(WheelTest, NoPathOfTheBuildMachineIsInIt) {
  const std::string sources = ThisLayout().root;
  ASSERT_TRUE(Has(ReadText(ThisLayout().build / "grader" / "cli" / "warplings-cli"), sources))
      << "what was built knows them, and this test finds them";
  for (const char* folder : {"lib/warplings", "share"}) {
    for (const auto& entry : fs::recursive_directory_iterator(Environment() / folder)) {
      if (!entry.is_regular_file()) continue;
      const std::string bytes = ReadText(entry.path());
      EXPECT_FALSE(Has(bytes, sources + '\0') || Has(bytes, sources + "/")) << entry.path();
    }
  }
}

TEST_F(WheelTest, AWorkbookIsMadeAndASolutionPasses) {
  const ProgramRun version = Run({"--version"});
  EXPECT_TRUE(version.out.starts_with("warplings ")) << version.out << version.err;
  const ProgramRun made = Run({"init", "book"});
  ASSERT_EQ(made.status, 0) << made.err;
  const char* exercise = "chapters/01_boundary_checks/tiled_matmul.cu";
  WriteText(scratch_.path() / "book" / exercise,
            ReadText(ThisLayout().root / "solutions/01_boundary_checks/tiled_matmul.cu"));
  // This build's own compiler, wherever it is.
  const fs::path bin = fs::path(WARPLINGS_NVCC).parent_path();
  const ProgramRun solved = Run({"check", "tiled_matmul", "--speed", "off"}, {}, "/usr/bin:" + bin.string());
  EXPECT_EQ(solved.status, 0) << solved.out << solved.err;
  EXPECT_TRUE(Has(solved.out, "PASSED: ")) << solved.out;
  const std::string page = "share/warplings/built_handouts/students/01_boundary_checks.html";
  EXPECT_EQ(ReadText(Environment() / page), "a page\n");
  // A terminal ends a link at a blank.
  std::string link = "file://" + (Environment() / page).string() + "#";
  link.replace(link.find(' '), 1, "%20");
  EXPECT_TRUE(Has(solved.out, link)) << "what comes next is in that handout: " << solved.out;
  fs::remove_all(Programs() / "setup");
}

/// To build them takes minutes, and a new student wants to read. Pages that were built here stay.
TEST_F(WheelTest, HandoutsThatCameWithItAreOpenedAtOnce) {
  ASSERT_EQ(Run({"init", "book"}).status, 0);
  const fs::path index = scratch_.path() / "book" / "handouts" / "students" / "index.html";
  for (int time = 0; time < 2; ++time) {
    const ProgramRun opened = Run({"handouts", "--open"});
    EXPECT_EQ(opened.status, 0) << opened.err;
    EXPECT_TRUE(Has(opened.out, "index.html")) << opened.out;
    EXPECT_TRUE(Has(opened.out, "These pages came with Warplings.")) << opened.out;
    EXPECT_EQ(ReadText(index), "an index\n");
    EXPECT_EQ(ReadText(index.parent_path() / "01_boundary_checks.html"), "a page\n");
  }
  // Interrupted at once, so that nothing is built here.
  WriteText(index, "an index with ticks\n");
  const ProgramRun own = Run({"handouts", "--open"}, {"/usr/bin/timeout", "--signal=INT", "1"});
  EXPECT_FALSE(Has(own.out, "These pages came with Warplings.")) << own.out;
  EXPECT_EQ(ReadText(index), "an index with ticks\n");
  fs::remove_all(Programs() / "setup");
}

/// All at once, and nothing is installed.
TEST_F(WheelTest, WhatItCannotBringIsNamedWithTheCommands) {
  // All of /usr/bin but what is to be missing.
  const fs::path system = scratch_.path() / "system";
  fs::create_directories(system);
  for (const auto& entry : fs::directory_iterator("/usr/bin")) {
    const std::string name = entry.path().filename();
    if (name != "bwrap" && !name.starts_with("g++") && name != "nvcc" && name != "apt-get")
      fs::create_symlink(entry.path(), system / name);
  }
  WriteText(system / "apt-get", "#!/bin/sh\necho called >>\"$HOME/apt-get\"\n");
  fs::permissions(system / "apt-get", fs::perms::owner_all);
  ASSERT_EQ(Run({"init", "book"}, kWithoutToolkit, system).status, 0) << "which needs none of it";
  const ProgramRun run = Run({"check", "1"}, kWithoutToolkit, system);
  EXPECT_EQ(run.status, 3) << run.out;
  EXPECT_TRUE(Has(run.err, "missing on this machine: g++, bubblewrap, a CUDA compiler (12 or later)\n"))
      << run.err;
  EXPECT_TRUE(Has(run.err, "apt-get install -y --no-install-recommends g++ bubblewrap\n")) << run.err;
  EXPECT_TRUE(Has(run.err, "  pip install \"warplings[cuda]\"\n")) << run.err;
  EXPECT_FALSE(fs::exists(scratch_.path() / "home" / "apt-get")) << "nothing is installed unasked";
  EXPECT_FALSE(fs::exists(Programs() / "setup" / "venv"));
  EXPECT_FALSE(fs::exists(Programs() / "setup" / "tools"));
}

/// A stand-in for the compiler that `warplings[cuda]` brings. It says its version and accepts all files: the
/// real one may be anywhere, in /usr/local, too, which is hidden here, or behind a script that starts it
/// there.
TEST_F(WheelTest, TheExtrasCompilerIsFound) {
  const fs::path toolkit = SitePackages() / "nvidia" / "cu13";
  WriteText(toolkit / "include" / "cuda_runtime_api.h", "");
  WriteText(toolkit / "bin" / "nvcc",
            "#!/bin/sh\n[ \"$1\" != --version ] || echo 'Cuda compilation tools, release 13.0, V13.0.88'\n");
  fs::permissions(toolkit / "bin" / "nvcc", fs::perms::owner_all);
  ASSERT_EQ(Run({"init", "book"}, kWithoutToolkit).status, 0);
  const ProgramRun run = Run({"doctor"}, kWithoutToolkit);
  const std::string tools = ReadText(Programs() / "setup" / "tools");
  EXPECT_TRUE(Has(tools, "nvcc=" + (toolkit / "bin" / "nvcc").string() + "\n"))
      << tools << run.out << run.err;
  fs::remove_all(SitePackages() / "nvidia");
  fs::remove_all(Programs() / "setup");
}

}  // namespace
}  // namespace warplings::cli_test

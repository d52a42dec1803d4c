// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "grader/core/layout.h"
#include "grader/device/client.h"

/// Runs programs that nvcc compiled (testdata/) with a real device process.
namespace warplings {
namespace {

struct Ended {
  int status = -1;     ///< As of waitpid.
  std::string output;  ///< Standard output and standard error.
  std::vector<Finding> findings;
  std::vector<LaunchRecord> launches;
};

/// Runs testdata program `words[0]` with our libcudart and libcuda in the place of NVIDIA's.
Ended RunProgram(std::vector<std::string> words, bool with_device = true,
                 const std::string& devices = "virtual:a100") {
  const Layout layout = ThisLayout();
  auto device = DeviceClient::StartProcess(layout.DeviceProgram(), devices);
  EXPECT_TRUE(device.ok()) << device.error().message;
  ChannelPair pair = MakeChannelPair();
  EXPECT_TRUE((*device)->AttachClient(pair.second.get(), true).ok());
  pair.second.reset();
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  UniqueFd reader(ends[0]), writer(ends[1]);
  words[0] = std::string(WARPLINGS_TEST_PROGRAMS) + "/" + words[0];
  pid_t child = fork();
  if (child == 0) {
    dup2(writer.get(), STDOUT_FILENO);
    dup2(writer.get(), STDERR_FILENO);
    constexpr int kDeviceFd = 100;
    if (with_device) dup2(pair.first.get(), kDeviceFd);
    setenv("WARPLINGS_DEVICE_FD", std::to_string(kDeviceFd).c_str(), 1);
    const std::string libraries = layout.RuntimeLibrary(WARPLINGS_TOOLKIT_MAJOR).string() + ":" +
                                  layout.DriverLibrary(WARPLINGS_TOOLKIT_MAJOR).string();
    setenv("LD_PRELOAD", libraries.c_str(), 1);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  writer.reset();
  pair.first.reset();
  Ended ended;
  std::array<char, 4096> buffer;
  for (ssize_t got; (got = read(reader.get(), buffer.data(), buffer.size())) > 0;) {
    ended.output.append(buffer.data(), static_cast<std::size_t>(got));
  }
  waitpid(child, &ended.status, 0);
  ended.findings = (*device)->TakeFindings();
  ended.launches = (*device)->TakeLaunches();
  EXPECT_TRUE((*device)->TakeProtocolViolations().empty());
  return ended;
}

TEST(Runtime, AnOrdinaryProgramRunsUnchanged) {
  Ended ended = RunProgram({"vector_add", "100000"});
  EXPECT_EQ(ended.output, "0 wrong, time known\n");
  EXPECT_EQ(ended.status, 0);
  EXPECT_TRUE(ended.findings.empty());
  ASSERT_EQ(ended.launches.size(), 1u);
  EXPECT_EQ(ended.launches[0].kernel, "vector_add");
  EXPECT_EQ(ended.launches[0].grid.x, 391u);
}

TEST(Runtime, EveryHostCallDoesAsTheRealOne) {
  Ended ended = RunProgram({"host_api"});
  EXPECT_EQ(ended.status, 0) << ended.output;
}

TEST(Runtime, EveryHostCallDoesSoWithAStreamPerThread) {
  Ended ended = RunProgram({"host_api_per_thread"});
  EXPECT_EQ(ended.status, 0) << ended.output;
}

TEST(Runtime, MemoryIsAllocatedAndFreedInTheOrderOfAStream) {
  Ended ended = RunProgram({"memory_pools"});
  EXPECT_NE(ended.output.find("at most 1024 memory pools can exist at the same time"), std::string::npos);
  EXPECT_TRUE(ended.output.ends_with("right\n")) << ended.output;
}

TEST(Runtime, FunctionsOfTheHostRunAtTheirPlaceInAStream) {
  EXPECT_EQ(RunProgram({"host_functions"}).output, "right\n");
}

TEST(Runtime, RegisteredMemoryIsPinned) {
  const Ended ended = RunProgram({"registered_memory"});
  EXPECT_EQ(ended.output, "right\n");
  // What the program has refused on purpose is found; nothing else is.
  for (const Finding& finding : ended.findings)
    EXPECT_EQ(finding.kind, FindingKind::kInvalidCall) << English(finding.message);
  EXPECT_EQ(RunProgram({"registered_memory", "refilled"}).output, "refilled: 2\n");
}

TEST(Runtime, BoxesAreCopiedAndFilled) {
  EXPECT_EQ(RunProgram({"copies_3d"}).output, "right\n");
}

TEST(Runtime, WrongTexturesAndArraysAreRefused) {
  EXPECT_EQ(RunProgram({"textures"}).output, "right\n");
}

TEST(Runtime, AKernelsWrongTexturesAreFound) {
  struct {
    const char* word;
    FindingKind kind;
    const char* says;
  } constexpr kCases[] = {{"destroyed", FindingKind::kOutOfBounds, "texture object that does not exist"},
                          {"forged", FindingKind::kOutOfBounds, "texture object that does not exist"},
                          {"unset", FindingKind::kUninitialised, "before anything is written there"},
                          {"outside", FindingKind::kOutOfBounds, "outside its 8 x 8 elements"}};
  for (const auto& one : kCases) {
    const Ended ended = RunProgram({"textures", one.word});
    EXPECT_EQ(ended.status, 0) << ended.output;
    EXPECT_TRUE(std::ranges::any_of(ended.findings,
                                    [&](const Finding& finding) {
                                      return finding.kind == one.kind &&
                                             English(finding.message).find(one.says) != std::string::npos;
                                    }))
        << one.word << ": " << ended.output;
  }
}

TEST(Runtime, GraphsComputeWhatTheirNodesDo) {
  Ended ended = RunProgram({"graphs"});
  EXPECT_NE(ended.output.find("at most 65536 nodes of graphs can exist at the same time"), std::string::npos);
  EXPECT_TRUE(ended.output.ends_with("right\n")) << ended.output;
  EXPECT_FALSE(std::ranges::any_of(ended.findings, [](const Finding& finding) {
    return finding.kind == FindingKind::kRaceBetweenStreams;
  })) << "every graph here orders its nodes";
}

TEST(Runtime, SeveralDevicesArePresentAtOnce) {
  Ended ended = RunProgram({"several_devices"}, true, "virtual:h200,rtx3060");
  EXPECT_EQ(ended.status, 0) << ended.output;
  EXPECT_FALSE(ended.launches.empty());
}

bool IsOfKernel(const Finding& finding) {
  return !finding.kernel.empty();
}

TEST(Runtime, WhatAKernelMustNotDoWithAnotherDevicesMemoryIsFound) {
  // The same program without such a word has no findings of kernels; its wrong calls are findings.
  EXPECT_TRUE(
      std::ranges::none_of(RunProgram({"several_devices"}, true, "virtual:a100,a100").findings, IsOfKernel));
  struct {
    const char* word;
    FindingKind kind;
    const char* says;
  } constexpr kCases[] = {{"reach", FindingKind::kOutOfBounds, "call cudaDeviceEnablePeerAccess(0, 0)"},
                          {"disabled", FindingKind::kOutOfBounds, "call cudaDeviceEnablePeerAccess(0, 0)"},
                          {"beyond", FindingKind::kOutOfBounds, "past the end of argument 1"},
                          {"freed", FindingKind::kUseAfterFree, "after it was freed"},
                          {"unset", FindingKind::kUninitialised, "before anything is written there"}};
  for (const auto& one : kCases) {
    const Ended ended = RunProgram({"several_devices", one.word}, true, "virtual:a100,a100");
    const auto found = std::ranges::find_if(ended.findings, IsOfKernel);
    ASSERT_NE(found, ended.findings.end()) << one.word << ": " << ended.output;
    EXPECT_EQ(found->kind, one.kind) << one.word;
    EXPECT_NE(English(found->message).find(one.says), std::string::npos) << English(found->message);
  }
}

TEST(Runtime, KernelsOfTwoDevicesRaceWhereNothingOrdersThem) {
  const auto is_race = [](const Finding& finding) {
    return finding.kind == FindingKind::kRaceBetweenStreams;
  };
  const Ended ended = RunProgram({"several_devices", "race"}, true, "virtual:a100,a100");
  const auto race = std::ranges::find_if(ended.findings, is_race);
  ASSERT_NE(race, ended.findings.end()) << ended.output;
  EXPECT_NE(English(race->message).find("the default stream of device 0"), std::string::npos)
      << English(race->message);
  for (const char* ordered : {"race_avoided", "race_copied"}) {
    const Ended right = RunProgram({"several_devices", ordered}, true, "virtual:a100,a100");
    EXPECT_TRUE(std::ranges::none_of(right.findings, is_race)) << ordered;
  }
}

TEST(Runtime, AForkedChildHasNoDeviceAndHarmsNobodys) {
  Ended ended = RunProgram({"forks"});
  EXPECT_EQ(ended.output, "child: no CUDA-capable device is detected\nparent: no error, 7\n");
}

std::string BytesOf(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// What an H200 printed.
std::string Recorded(const std::string& name) {
  return BytesOf(ThisLayout().root / "grader" / "runtime" / "testdata" / name);
}

TEST(Runtime, WrongCallsReturnWhatTheRealRuntimeReturns) {
  if (WARPLINGS_TOOLKIT_MAJOR < 13) GTEST_SKIP() << "recorded with CUDA 13, which differs from 12 in places";
  Ended ended = RunProgram({"errors"});
  EXPECT_EQ(ended.output, Recorded("errors.expected"));
  EXPECT_FALSE(ended.findings.empty());
}

TEST(Runtime, ACopyInAnotherDirectionIsDoneWhereTheRealRuntimeDoesIt) {
  const Ended ended = RunProgram({"directions"});
  EXPECT_EQ(ended.output, Recorded("directions.expected"));
  std::vector<std::string> remarks;
  for (const Finding& finding : ended.findings) {
    if (finding.kind == FindingKind::kInvalidCall && finding.severity == Severity::kWarning)
      remarks.push_back(English(finding.message));
  }
  std::ranges::sort(remarks);
  const auto remark = [](const std::string& call, const std::string& from, const std::string& to,
                         const std::string& kind) {
    return call + " copies from " + from + " memory to " + to +
           " memory, but its direction is another one. A GPU goes by the addresses and copies all the same. "
           "Write " +
           kind + ".";
  };
  // Not of managed and pinned memory, which is either's; not of what is refused.
  // Which of the two is meant, only its writer knows: the word is wrong, or one of the pointers.
  const auto within = [](const std::string& call) {
    return call +
           " copies from device memory to device memory, but its direction is another one. Should one of the "
           "two be "
           "host memory? Then allocate that one with malloc or new. If not, write cudaMemcpyDeviceToDevice.";
  };
  // Who writes no direction has one, too.
  const auto of_variable = [](const std::string& call, const std::string& default_direction) {
    return call +
           " copies from device memory to device memory, but its direction is another one (if you write "
           "none, it "
           "is " +
           default_direction + "). After the size, write 0 for the offset and then cudaMemcpyDeviceToDevice.";
  };
  const std::vector<std::string> expected = {within("cudaMemcpy"),
                                             remark("cudaMemcpy", "device", "host", "cudaMemcpyDeviceToHost"),
                                             remark("cudaMemcpy", "host", "device", "cudaMemcpyHostToDevice"),
                                             of_variable("cudaMemcpyFromSymbol", "device to host"),
                                             of_variable("cudaMemcpyToSymbol", "host to device")};
  EXPECT_EQ(remarks, expected);
}

TEST(Runtime, CapturesRefuseWhatTheRealOnesRefuse) {
  if (WARPLINGS_TOOLKIT_MAJOR < 13) GTEST_SKIP() << "recorded with CUDA 13";
  EXPECT_EQ(RunProgram({"captures"}).output, Recorded("captures.expected"));
}

TEST(Runtime, GraphsWithMemoryAndConditionsDoAsTheRealOnes) {
  if (WARPLINGS_TOOLKIT_MAJOR < 13) GTEST_SKIP() << "recorded with CUDA 13";
  EXPECT_EQ(RunProgram({"graph_nodes"}).output, Recorded("graph_nodes.expected"));
}

TEST(Runtime, GraphsAreUpdatedAndOwnTheirConditions) {
  EXPECT_EQ(RunProgram({"graph_updates"}).output, "right\n");
  if (WARPLINGS_TOOLKIT_MAJOR < 13) return;
  const Ended limits = RunProgram({"graph_updates", "limits"});
  EXPECT_TRUE(limits.output.ends_with("right\n")) << limits.output;
  EXPECT_NE(limits.output.find("at most 4096 conditional handles can exist at the same time"),
            std::string::npos);
}

TEST(Runtime, KernelsLaunchKernels) {
  if (!WARPLINGS_HAS_DEVICE_RUNTIME) GTEST_SKIP() << "this toolkit's nvcc finds no libcudadevrt";
  const Ended ended = RunProgram({"launches"});
  EXPECT_EQ(ended.output, "launched\nright\n");
  ASSERT_EQ(ended.findings.size(), 2u) << "the wrong launches";
  for (const Finding& finding : ended.findings) {
    EXPECT_EQ(finding.kind, FindingKind::kInvalidLaunch);
    EXPECT_EQ(finding.kernel, "wrong");
  }
  EXPECT_GT(std::ranges::count(ended.launches, "quicksort", &LaunchRecord::kernel), 500);
}

TEST(Runtime, MistakesWithGraphsAreFound) {
  if (WARPLINGS_TOOLKIT_MAJOR < 13) GTEST_SKIP() << "its calls are those of CUDA 13";
  struct {
    const char* mistake;
    FindingKind kind;
    const char* says;
  } constexpr kCases[] = {
      {"endless", FindingKind::kEndlessLoop, "while nodes have run their bodies 100,000 times"},
      {"wrong_handle", FindingKind::kOutOfBounds, ""},
      {"several_threads", FindingKind::kRace, ""},
      {"before_launch", FindingKind::kUseAfterFree, "while no graph has it allocated"},
      {"unwritten", FindingKind::kUninitialised, "before anything is written there"},
      {"after_free", FindingKind::kUseAfterFree, "while no graph has it allocated"},
      {"unordered", FindingKind::kRaceBetweenStreams, "a graph's allocation of memory"},
      {"unfreed", FindingKind::kInvalidCall, "not freed yet"},
      {"leak", FindingKind::kLeak, "(cudaGraphAddMemAllocNode)"}};
  for (const auto& one : kCases) {
    const Ended ended = RunProgram({"graph_findings", one.mistake});
    ASSERT_EQ(ended.findings.size(), 1u) << one.mistake << ": " << ended.output;
    EXPECT_EQ(ended.findings[0].kind, one.kind) << one.mistake;
    EXPECT_NE(English(ended.findings[0].message).find(one.says), std::string::npos)
        << one.mistake << ": " << ended.findings[0].message;
  }
  EXPECT_TRUE(RunProgram({"graph_findings", "none"}).findings.empty());
  // The function that stores the value has no lines: the call's is told.
  EXPECT_NE(RunProgram({"graph_findings", "several_threads"}).findings.at(0).where.line, 0);
}

TEST(Runtime, AfterAFaultCallsFailAsTheRealOnes) {
  EXPECT_EQ(RunProgram({"errors", "fault"}).output, Recorded("errors_after_fault.expected"));
}

TEST(Runtime, KernelsPrintWhereTheHostSynchronises) {
  EXPECT_EQ(RunProgram({"prints"}).output, "before\nthread 0\nthread 1\nafter\n");
}

TEST(Runtime, AnUncheckedFaultIsFound) {
  Ended ended = RunProgram({"out_of_bounds"});
  ASSERT_FALSE(ended.findings.empty());
  EXPECT_EQ(ended.findings[0].kind, FindingKind::kOutOfBounds);
  EXPECT_EQ(ended.findings[0].kernel, "count_up");
  EXPECT_EQ(ended.findings[0].where.line, 3);
}

TEST(Runtime, AnUncheckedLaunchErrorIsFound) {
  Ended ended = RunProgram({"invalid_launch"});
  EXPECT_EQ(ended.status, 0);
  ASSERT_EQ(ended.findings.size(), 1u);
  EXPECT_EQ(ended.findings[0].kind, FindingKind::kInvalidLaunch);
  EXPECT_EQ(ended.findings[0].kernel, "nothing");
}

TEST(Runtime, AManagedVariableWithoutADeviceIsNoCrash) {
  EXPECT_EQ(RunProgram({"managed"}).output, "3, cudaSuccess, 8\n");
  const Ended ended = RunProgram({"managed"}, true, "virtual:t4");
  EXPECT_EQ(ended.status, 0);
  EXPECT_NE(ended.output.find("0, cudaErrorNoKernelImageForDevice, 7\n"), std::string::npos) << ended.output;
}

TEST(Runtime, AddressesOfAnUnloadedModulesVariablesAreUsedAgain) {
  EXPECT_EQ(RunProgram({"unloads"}).output, "had again\n");
}

TEST(Runtime, TheProgramEndsAsItWants) {
  EXPECT_EQ(WEXITSTATUS(RunProgram({"exit_status", "7"}).status), 7);
  EXPECT_EQ(WTERMSIG(RunProgram({"exit_status", "signal", "11"}).status), 11);
}

TEST(Driver, EveryCallDoesAsTheRealOne) {
  const Ended ended = RunProgram({"driver_api", WARPLINGS_TEST_PROGRAMS});
  EXPECT_TRUE(ended.output.ends_with("right\n")) << ended.output;
  EXPECT_NE(ended.output.find("Warplings does not support cuArrayCreate"), std::string::npos) << ended.output;
  EXPECT_EQ(ended.status, 0);
}

TEST(Driver, EveryCallDoesSoWithAStreamPerThread) {
  const Ended ended = RunProgram({"driver_api_per_thread", WARPLINGS_TEST_PROGRAMS});
  EXPECT_TRUE(ended.output.ends_with("right\n")) << ended.output;
}

TEST(Driver, AModuleIsOfOneDeviceAndALibraryOfAll) {
  const Ended ended =
      RunProgram({"driver_api", WARPLINGS_TEST_PROGRAMS, "devices"}, true, "virtual:a100,h100");
  EXPECT_EQ(ended.output, "right\n");
  EXPECT_TRUE(std::ranges::none_of(ended.findings, [](const Finding& finding) {
    return finding.kind == FindingKind::kLeak;
  })) << "contexts free what was made in them";
}

TEST(Driver, AKernelOfAModuleIsChecked) {
  const Ended ended = RunProgram({"driver_api", WARPLINGS_TEST_PROGRAMS, "overrun"});
  ASSERT_FALSE(ended.findings.empty()) << ended.output;
  EXPECT_EQ(ended.findings[0].kind, FindingKind::kOutOfBounds);
  EXPECT_EQ(ended.findings[0].kernel, "count_up");
  EXPECT_EQ(ended.findings[0].where.line, 15);
}

TEST(Driver, WorkersAreLinkedWithoutIt) {
  const Layout layout = ThisLayout();
  const char* name = "cuMemAlloc_v2";
  EXPECT_NE(BytesOf(layout.RuntimeLibrary(WARPLINGS_TOOLKIT_MAJOR)).find(name), std::string::npos);
  EXPECT_EQ(BytesOf(layout.RuntimeArchive(WARPLINGS_TOOLKIT_MAJOR)).find(name), std::string::npos);
}

TEST(Driver, FindingsNameTheDriversFunctions) {
  const Ended ended = RunProgram({"driver_api", WARPLINGS_TEST_PROGRAMS});
  const auto is_found = [&](const std::string& words) {
    return std::ranges::any_of(ended.findings, [&](const Finding& finding) {
      return English(finding.message).find(words) != std::string::npos;
    });
  };
  for (const char* words :
       {"cuDeviceGetCount was refused: cuInit(0) was not called",
        "cuMemAlloc was refused: no context is current in this thread",
        "cuMemFree was refused: the address is not one that cudaMalloc returned, or is already freed",
        "cuMemcpy to the device was refused: it accesses 200 bytes",
        "looking up a kernel was refused: ", "cuModuleLoadData was refused: the module is a cubin",
        "cuModuleLoad was refused: the module's file cannot be read",
        "cuModuleUnload was refused: this module does not exist, or has been unloaded",
        "cuLaunchKernel was refused: this kernel does not exist, or its module has been unloaded",
        "kernel launch was refused: the kernel takes 12 bytes of arguments, but the launch passes 11 bytes",
        "cuMemsetD32 was refused: the address is not a multiple of the element's size",
        "cuCtxDestroy was refused: this context does not exist, or has been destroyed",
        "cuArrayCreate was refused: Warplings does not support this call"})
    EXPECT_TRUE(is_found(words)) << words;
}

TEST(Driver, AProgramOfTheDriverApiAloneRuns) {
  if (WARPLINGS_HAS_DRIVER_STUB == 0) GTEST_SKIP() << "this toolkit has no libcuda.so to link with";
  for (const char* form : {"ptx", "fatbin"}) {
    const Ended ended = RunProgram(
        {"driver_vector_add", std::string(WARPLINGS_TEST_PROGRAMS) + "/driver_kernels." + form, "1000"});
    EXPECT_EQ(ended.output, "0 wrong\n") << form;
    EXPECT_TRUE(ended.findings.empty()) << form << ": " << English(ended.findings[0].message);
    ASSERT_EQ(ended.launches.size(), 1u);
    EXPECT_EQ(ended.launches[0].kernel, "add");
  }
}

TEST(Runtime, WithoutADeviceTheProgramIsToldHowToStart) {
  Ended ended = RunProgram({"vector_add"}, /*with_device=*/false);
  EXPECT_NE(ended.output.find("no device to run on; start this program with `warplings run PROGRAM`"),
            std::string::npos);
  EXPECT_NE(ended.output.find("no CUDA-capable device is detected"), std::string::npos);
  EXPECT_EQ(WEXITSTATUS(ended.status), 1);
}

}  // namespace
}  // namespace warplings

// Running real programs on Windows: one that does what it is told.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <thread>

#include "base/platform/child_process.h"
#include "base/platform/files.h"
#include "base/platform/machine.h"

namespace wheelwright {
namespace {

using std::chrono::milliseconds;

struct Ran {
  ProcessEnd end;
  std::string output;
  std::string errors;
};

Ran Run(std::vector<std::string> words, milliseconds limit = milliseconds(0)) {
  Ran ran;
  words.insert(words.begin(), PROCESS_PROBE);
  ProcessRequest request{
      .arguments = std::move(words), .variables = OwnVariables(), .limit = limit};
  request.on_output = [&](std::string_view piece) { ran.output += piece; };
  request.on_error = [&](std::string_view piece) { ran.errors += piece; };
  ran.end = RealProcesses().Run(request);
  return ran;
}

TEST_CASE("a program of Windows gets its arguments as they are", "[process]") {
  std::mt19937 random(1);
  const std::vector<std::string> letters{"a", " ", "\\", "\"", "\t", "'", "%",
                                         "^", "&", "é",  "日", "😀", "*", "\n"};
  for (int round = 0; round < 60; ++round) {
    std::vector<std::string> words{"arguments"};
    std::string expected;
    for (std::size_t count = 1 + random() % 8; count > 0; --count) {
      std::string word;
      for (std::size_t length = random() % 10; length > 0; --length)
        word += letters[random() % letters.size()];
      expected += std::to_string(word.size()) + ":" + word + "\n";
      words.push_back(std::move(word));
    }
    REQUIRE(Run(words).output == expected);
  }
}

TEST_CASE("output and errors of Windows are told apart, or kept in order", "[process]") {
  const Ran ran = Run({"both"});
  CHECK(ran.end.good());
  CHECK(ran.output == "a\nc\n");
  CHECK(ran.errors == "b\n");
  std::string all;
  ProcessRequest request{.arguments = {PROCESS_PROBE, "both"}, .variables = OwnVariables()};
  request.on_output = [&](std::string_view piece) { all += piece; };
  RealProcesses().Run(request);
  CHECK(all == "a\nb\nc\n");
}

TEST_CASE("no output is lost, however much it is", "[process]") {
  CHECK(Run({"flood", "20000"}).output.size() == 20'000'000);
}

TEST_CASE("the status of a program is what it says", "[process]") {
  CHECK(Run({"exit", "3"}).end.status == 3);
  const ProcessEnd end = Run({"exit", "0xC0000005"}).end;
  CHECK(end.how == ProcessEnd::How::kExited);
  CHECK(static_cast<std::uint32_t>(end.status) == 0xC0000005);
}

TEST_CASE("names of variables differ in more than case", "[process]") {
  Variables variables = OwnVariables();
  variables["Wheelwright_Test"] = "one";
  variables["WHEELWRIGHT_TEST"] = "two é";
  std::string all;
  ProcessRequest request{.arguments = {PROCESS_PROBE, "variables"}, .variables = variables};
  request.on_output = [&](std::string_view piece) { all += piece; };
  REQUIRE(RealProcesses().Run(request).good());
  CHECK(all.find("Wheelwright_Test=two é\n") != std::string::npos);
  CHECK(all.find("WHEELWRIGHT_TEST=") == std::string::npos);
}

TEST_CASE("a program runs in its folder", "[process]") {
  const std::string folder = MakeTemporaryFolder("wheelwright é");
  std::string said;
  ProcessRequest request{
      .arguments = {PROCESS_PROBE, "folder"}, .folder = folder, .variables = OwnVariables()};
  request.on_output = [&](std::string_view piece) { said += piece; };
  CHECK(RealProcesses().Run(request).good());
  CHECK(said == folder + "\n");
  std::error_code error;
  RemoveAll(folder, error);
  CHECK_FALSE(error);
}

TEST_CASE("a limit ends a program with all that it started", "[process]") {
  const std::string folder = MakeTemporaryFolder("wheelwright");
  const std::string file = folder + "/late";
  const auto started = std::chrono::steady_clock::now();
  const Ran ran = Run({"tree", file, "30000"}, milliseconds(500));
  CHECK(ran.end.how == ProcessEnd::How::kTimedOut);
  CHECK(ran.output == "started\n");
  CHECK(std::chrono::steady_clock::now() - started < std::chrono::seconds(20));
  std::this_thread::sleep_for(std::chrono::seconds(3));
  CHECK_FALSE(std::filesystem::exists(SystemPath(file)));
  std::error_code error;
  RemoveAll(folder, error);
}

TEST_CASE("what a program leaves in the background goes on", "[process]") {
  const std::string folder = MakeTemporaryFolder("wheelwright");
  const std::string file = folder + "/late";
  CHECK(Run({"tree", file, "0"}).end.good());
  for (int i = 0; i < 100 && !std::filesystem::exists(SystemPath(file)); ++i) {
    std::this_thread::sleep_for(milliseconds(100));
  }
  CHECK(std::filesystem::exists(SystemPath(file)));
  std::error_code error;
  RemoveAll(folder, error);
}

TEST_CASE("a command line that is too long is not begun", "[process]") {
  const ProcessEnd end = Run({"arguments", std::string(40'000, 'x')}).end;
  CHECK(end.how == ProcessEnd::How::kNotStarted);
  CHECK(end.reason.find("and Windows takes 32766: hand it fewer files at once") !=
        std::string::npos);
}

TEST_CASE("a program is found by the ends that PATHEXT names", "[process]") {
  const std::string folder = MakeTemporaryFolder("wheelwright");
  for (const char* name : {"/one.exe", "/two.cmd", "/three.txt"})
    std::ofstream(SystemPath(folder + name)) << "x";
  const Variables variables{{"Path", "C:/nowhere;\"" + folder + "\""},
                            {"PATHEXT", ".EXE;.CMD;.JS"}};
  CHECK(FindProgram("one", variables) == folder + "/one.EXE");
  CHECK(FindProgram("one.exe", variables) == folder + "/one.exe");
  CHECK(FindProgram("two", variables) == folder + "/two.CMD");
  CHECK(FindProgram("three", variables).empty());
  CHECK(FindProgram("three.txt", variables).empty());
  CHECK(FindProgram(folder + "/one", {}) == folder + "/one.exe");
  std::error_code error;
  RemoveAll(folder, error);
}

}  // namespace
}  // namespace wheelwright

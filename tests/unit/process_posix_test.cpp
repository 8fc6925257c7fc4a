// Running real programs, and what is said about them.
#include <signal.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <fstream>
#include <string>
#include <thread>

#include "base/platform/child_process.h"
#include "base/platform/machine.h"
#include "base/text.h"
#include "runtime/host/programs/runner.h"
#include "tests/unit/test_host.h"

namespace wheelwright {
namespace {

using std::chrono::milliseconds;

struct Ran {
  ProcessEnd end;
  std::string output;
  std::string errors;
};

Ran Run(std::vector<std::string> arguments, milliseconds limit = milliseconds(0)) {
  Ran ran;
  ProcessRequest request{
      .arguments = std::move(arguments), .variables = OwnVariables(), .limit = limit};
  request.on_output = [&](std::string_view piece) { ran.output += piece; };
  request.on_error = [&](std::string_view piece) { ran.errors += piece; };
  ran.end = RealProcesses().Run(request);
  return ran;
}

TEST_CASE("a program gets its arguments as they are", "[process]") {
  const Ran ran = Run({"printf", "%s|", "a b", "$(id)", "'\"", "*", ""});
  CHECK(ran.end.good());
  CHECK(ran.output == "a b|$(id)|'\"|*||");
}

TEST_CASE("output and errors are told apart, or kept in order", "[process]") {
  const std::vector<std::string> words{"sh", "-c", "echo a; echo b >&2; echo c; exit 3"};
  const Ran ran = Run(words);
  CHECK(ran.end.how == ProcessEnd::How::kExited);
  CHECK(ran.end.status == 3);
  CHECK(ran.output == "a\nc\n");
  CHECK(ran.errors == "b\n");

  std::string all;
  ProcessRequest request{.arguments = words, .variables = OwnVariables()};
  request.on_output = [&](std::string_view piece) { all += piece; };
  RealProcesses().Run(request);
  CHECK(all == "a\nb\nc\n");
}

TEST_CASE("a program is refused more memory than its limit", "[process]") {
  std::string all;
  ProcessRequest request{.arguments = {"sh", "-c", "ulimit -v; (ulimit -v 1)"},
                         .variables = OwnVariables()};
  request.memory_limit = 64 << 20;
  request.on_output = [&](std::string_view piece) { all += piece; };
  RealProcesses().Run(request);
  CHECK(all == "65536\n");
}

TEST_CASE("its folder and its variables are those that it is given", "[process]") {
  Ran ran;
  ProcessRequest request{.arguments = {"/bin/sh", "-c", "pwd; echo $A; cat"},
                         .folder = "/",
                         .variables = {{"A", "b c"}}};
  request.on_output = [&](std::string_view piece) { ran.output += piece; };
  CHECK(RealProcesses().Run(request).good());
  CHECK(ran.output == "/\nb c\n");
}

TEST_CASE("a program that cannot be started says why", "[process]") {
  const Ran none = Run({"no-such-program-anywhere"});
  CHECK(none.end.how == ProcessEnd::How::kNotStarted);
  CHECK(none.end.reason == "there is no program 'no-such-program-anywhere'");
  ProcessRequest request{
      .arguments = {"true"}, .folder = "/no/such/folder", .variables = OwnVariables()};
  CHECK(RealProcesses().Run(request).reason ==
        "true cannot be started in /no/such/folder: No such file or directory");
}

TEST_CASE("one that is ended by a signal is known by it", "[process]") {
  const Ran ran = Run({"sh", "-c", "kill -SEGV $$"});
  CHECK(ran.end.how == ProcessEnd::How::kSignalled);
  CHECK(ran.end.status == 128 + SIGSEGV);
}

TEST_CASE("a program that hangs is ended with all that it started", "[process]") {
  // The inner ones leave the group and the session, and do not listen.
  const Ran ran =
      Run({"sh", "-c",
           "trap '' TERM; setsid sh -c 'trap \"\" TERM; echo $$; sleep 1000; sleep 1000'"
           " & sleep 1000; sleep 1000"},
          milliseconds(300));
  CHECK(ran.end.how == ProcessEnd::How::kTimedOut);
  const pid_t inner = std::stoi(ran.output);
  for (int i = 0; i < 100 && kill(inner, 0) == 0; ++i) {
    // An orphan that has ended is there until somebody asks for its status.
    std::ifstream status("/proc/" + std::to_string(inner) + "/stat");
    std::string text{std::istreambuf_iterator<char>(status), {}};
    if (text.find(") Z") != std::string::npos) break;
    std::this_thread::sleep_for(milliseconds(20));
  }
  std::ifstream status("/proc/" + std::to_string(inner) + "/stat");
  std::string text{std::istreambuf_iterator<char>(status), {}};
  CHECK((text.empty() || text.find(") Z") != std::string::npos));
}

TEST_CASE("a server in the background does not keep its starter", "[process]") {
  const auto started = std::chrono::steady_clock::now();
  const Ran ran = Run({"sh", "-c", "sleep 20 & echo $!"});
  CHECK(ran.end.good());
  const pid_t server = std::stoi(ran.output);
  CHECK(kill(server, 0) == 0);  // it is left alone
  kill(server, SIGKILL);
  CHECK(std::chrono::steady_clock::now() - started < std::chrono::seconds(15));
}

TEST_CASE("much output is no problem", "[process]") {
  const Ran ran = Run({"sh", "-c", "head -c 5000000 /dev/zero; head -c 5000000 /dev/zero >&2"});
  CHECK(ran.output.size() == 5000000);
  CHECK(ran.errors.size() == 5000000);
}

TEST_CASE("programs are found on the PATH that they are given", "[process]") {
  CHECK(FindProgram("sh", {{"PATH", "/nowhere:/bin"}}) == "/bin/sh");
  CHECK(FindProgram("sh", {{"PATH", "/nowhere"}}).empty());
  CHECK(FindProgram("sh", {}).empty());
  CHECK(FindProgram("/bin/sh", {}) == "/bin/sh");
  CHECK(FindProgram("/etc/passwd", {}).empty());
  CHECK(FindProgram("/bin", {}).empty());
}

TEST_CASE("the machine has cores and memory", "[process]") {
  CHECK(ThisMachine().cores >= 1);
  CHECK(ThisMachine().memory > 1U << 20);
}

TEST_CASE("a dry run prints what could be typed", "[process]") {
  TestHost test;
  Runner runner(test.host, true);
  CHECK(runner.Run({.title = "build",
                    .arguments = {"python", "-c", "print('it')", "https://u:p@host/x"},
                    .folder = "my src",
                    .variables = {{"CXXFLAGS", "-O2 -g"}},
                    .unset = {"CC"}}));
  CHECK(runner.Ask({.title = "where", .arguments = {"rocm-sdk", "path"}}, "<root>") == "<root>");
  CHECK(test.processes.requests.empty());
  CHECK(test.out.str() ==
        "cd 'my src' && env -u CC CXXFLAGS='-O2 -g' python -c 'print('\\''it'\\'')' "
        "'https://***@host/x'\nrocm-sdk path\n");
}

TEST_CASE("what uses a network is tried again, later each time", "[process]") {
  TestHost test;
  test.processes.answers = {{ScriptedProcesses::Exit(128), "", "fatal: unable to access\n"},
                            {ScriptedProcesses::Exit(128), "", "fatal: unable to access\n"},
                            {ScriptedProcesses::Exit(0), "abc\n", ""}};
  Runner runner(test.host, false);
  const Step step{.title = "ask for refs", .arguments = {"git", "ls-remote"}, .tries = 4};
  CHECK(runner.Ask(step) == "abc\n");
  CHECK(test.processes.requests.size() == 3);
  REQUIRE(test.waits.size() == 2);
  CHECK((test.waits[0] >= milliseconds(2000) && test.waits[0] <= milliseconds(4000)));
  CHECK((test.waits[1] >= milliseconds(4000) && test.waits[1] <= milliseconds(8000)));
  CHECK(Count(Split(test.err.str(), '\n').size() - 1, "line") == "2 lines");
}

TEST_CASE("what cannot get better is not tried again", "[process]") {
  TestHost test;
  test.processes.answers = {
      {{.how = ProcessEnd::How::kNotStarted, .reason = "there is no program 'git'"}}};
  Runner runner(test.host, false);
  CHECK_FALSE(runner.Ask({.title = "ask for refs", .arguments = {"git"}, .tries = 4}));
  CHECK(test.processes.requests.size() == 1);
  CHECK(test.err.str() == "error: ask for refs failed: there is no program 'git'\n");
}

TEST_CASE("a failed build repeats its first error at the end, at its place", "[process]") {
  TestHost test;
  test.InJob();
  test.host.variables["GITHUB_WORKSPACE"] = "/src";
  const ProcessEnd failed{.status = 1, .duration = milliseconds(95000)};
  test.processes.answers = {{failed,
                             "[1/2] a\n/src/a.hip:3:1: error: bad wave\n  f();\n[2/2] b\n"
                             "::set-output name=x::y\n"}};
  Runner runner(test.host, false);
  CHECK_FALSE(runner.Run({.title = "build torch", .arguments = {"ninja"}}));
  const std::string out = test.out.str();
  CHECK(out.find("::group::build torch\n+ ninja\n::stop-commands::") == 0);
  CHECK(
      out.ends_with("::endgroup::\nthe first error was:\n"
                    "  /src/a.hip:3:1: error: bad wave\n    f();\n"
                    "::error file=a.hip,line=3,col=1,title=build torch failed after 1 min 35 s "
                    "(exit status 1)::bad wave\n"));
}

TEST_CASE("a program that was killed hints at memory", "[process]") {
  TestHost test;
  const ProcessEnd killed{.how = ProcessEnd::How::kSignalled, .status = 137};
  test.processes.answers = {{killed, "compiling\n"}};
  Runner runner(test.host, false);
  CHECK_FALSE(runner.Run({.title = "build torch", .arguments = {"ninja"}, .quiet = true}));
  CHECK(
      test.err.str() ==
      "  compiling\nerror: build torch failed after 0 ms (killed: the machine may have run out of "
      "memory): compiling\n");
}

TEST_CASE("durations are spoken", "[process]") {
  CHECK(DurationText(milliseconds(850)) == "850 ms");
  CHECK(DurationText(milliseconds(1250)) == "1.2 s");
  CHECK(DurationText(milliseconds(123'000)) == "2 min 3 s");
  CHECK(DurationText(milliseconds(7'380'000)) == "2 h 3 min");
}

}  // namespace
}  // namespace wheelwright

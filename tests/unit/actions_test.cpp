// What a step hands to others, and what it says.
#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "base/platform/machine.h"
#include "base/text.h"
#include "runtime/host/actions/job_files.h"
#include "runtime/host/actions/log.h"
#include "tests/unit/test_host.h"

namespace wheelwright {
namespace {

// As the runner reads such a file: NAME=VALUE, or NAME<<END, lines, END.
std::map<std::string, std::string> ReadAsRunner(const std::string& text) {
  std::map<std::string, std::string> values;
  std::vector<std::string_view> lines = Split(text, '\n');
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t equals = lines[i].find('=');
    const std::size_t arrows = lines[i].find("<<");
    if (arrows < equals) {
      const std::string_view end = lines[i].substr(arrows + 2);
      std::string value;
      std::size_t count = 0;
      for (++i; i < lines.size() && lines[i] != end; ++i) {
        value += (count++ > 0 ? "\n" : "") + std::string(lines[i]);
      }
      values[std::string(lines[i - count - 1].substr(0, arrows))] = value;
    } else if (equals != std::string_view::npos) {
      values[std::string(lines[i].substr(0, equals))] = lines[i].substr(equals + 1);
    }
  }
  return values;
}

TEST_CASE("an output holds any value and ends where it ends", "[actions]") {
  TestHost test;
  test.InJob();
  JobFiles job(test.host);
  const std::string forged = "a\nEOF\nrole<<x\nadmin\nx\n::add-mask::a";
  job.SetOutput("plain", "1.2=3");
  job.SetOutput("lines", forged);
  job.SetOutput("arrows", "a<<b");
  job.SetOutput("empty", "");
  const auto read = ReadAsRunner(test.files.files["/job/output"]);
  CHECK(read.size() == 4);
  CHECK(read.at("plain") == "1.2=3");
  CHECK(read.at("lines") == forged);
  CHECK(read.at("arrows") == "a<<b");
  CHECK(read.at("empty").empty());
}

TEST_CASE("a carriage return ends no entry", "[actions]") {
  TestHost test;
  test.InJob();
  JobFiles(test.host).SetOutput("name", "a\rrole=admin");
  CHECK(test.files.files["/job/output"].starts_with("name<<end_"));
}

TEST_CASE("no name of an output can break out of its entry", "[actions]") {
  TestHost test;
  test.InJob();
  JobFiles job(test.host);
  CHECK_THROWS(job.SetOutput("a\nb", "1"));
  CHECK_THROWS(job.SetOutput("a=b", "1"));
  CHECK_THROWS(job.SetOutput("", "1"));
  CHECK_THROWS(job.AddPath("/a\n/b"));
  CHECK(test.files.files.empty());
}

TEST_CASE("two folders on the PATH are two lines", "[actions]") {
  TestHost test;
  test.InJob();
  JobFiles job(test.host);
  job.AddPath("/a/bin");
  job.AddPath("/b/bin");
  CHECK(test.files.files["/job/path"] == "/a/bin\n/b/bin\n");
}

TEST_CASE("outside of a job, what later steps would get is printed", "[actions]") {
  TestHost test;
  JobFiles job(test.host);
  job.SetOutput("version", "7.12.0");
  job.SetVariable("WHEELRUN_PYTHON", "/usr/bin/python3");
  job.AddPath("/a/bin");
  job.AddSummary("# Nobody reads it");
  job.Mask("secret");
  CHECK(test.out.str() == std::string("version=7.12.0\nWHEELRUN_PYTHON=/usr/bin/python3\n") +
                              "PATH=/a/bin" + PathListSeparator() + "$PATH\n");
  CHECK(test.files.files.empty());
}

TEST_CASE("a summary that is too long loses its end, in whole lines", "[actions]") {
  TestHost test;
  test.InJob();
  JobFiles job(test.host);
  std::string rows;
  while (rows.size() < kLongestSummary) rows += "| a row of a table |\n";
  job.AddSummary("# Title");
  job.AddSummary(rows);
  job.AddSummary("more");
  const std::string& text = test.files.files["/job/summary"];
  CHECK(text.size() <= kLongestSummary);
  CHECK(text.ends_with("table |\n\n\n(The rest is too long for a summary: see the log.)\n"));
}

TEST_CASE("secrets are masked line by line, before anything else is printed", "[actions]") {
  TestHost test;
  test.InJob();
  JobFiles(test.host).Mask("first-line\nsecond%line\nab\n");
  CHECK(test.out.str() == "::add-mask::first-line\n::add-mask::second%25line\n");
}

TEST_CASE("annotations name their place and cannot be forged", "[actions]") {
  TestHost test;
  test.InJob();
  Log log(test.host);
  log.Error("bad\n::set-output name=a::b", "Title: of, it", {.file = "a,b.cpp", .line = 3});
  CHECK(test.out.str() ==
        "::error file=a%2Cb.cpp,line=3,title=Title%3A of%2C it::bad%0A::set-output name=a::b\n");
}

TEST_CASE("people read annotations as a line", "[actions]") {
  TestHost test;
  Log log(test.host);
  log.Error("no such file", "build torch failed", {.file = "a.cpp", .line = 3});
  log.Warning("slow");
  CHECK(test.err.str() == "error: a.cpp:3: build torch failed: no such file\nwarning: slow\n");
}

TEST_CASE("what a build prints gives the runner no orders", "[actions]") {
  TestHost test;
  test.InJob();
  {
    const LogGroup group(test.host, "build");
    const CommandsDisabled disabled(test.host);
    test.out << "::add-path::/evil\n";
  }
  const std::string said = test.out.str();
  const auto lines = Split(said, '\n');
  REQUIRE(lines.size() == 6);
  CHECK(lines[0] == "::group::build");
  constexpr std::string_view kStop = "::stop-commands::";
  REQUIRE(lines[1].starts_with(kStop));
  CHECK(lines[2] == "::add-path::/evil");
  CHECK(lines[3] == "::" + std::string(lines[1].substr(kStop.size())) + "::");
  CHECK(lines[4] == "::endgroup::");
}

}  // namespace
}  // namespace wheelwright

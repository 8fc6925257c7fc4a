// Reading what a runner tells of an event.
#include "runtime/host/event/event_file.h"

#include <catch2/catch.hpp>
#include <string>

namespace wheelwright {
namespace {

std::optional<JobEvent> Read(const std::string& event, const std::string& payload,
                             Diagnostics& diagnostics, Variables more = {}) {
  more["GITHUB_EVENT_NAME"] = event;
  more["GITHUB_REPOSITORY"] = "ROCm/TheRock";
  return ReadJobEvent(payload, "event.json", more, diagnostics);
}

std::string FirstMessage(const Diagnostics& diagnostics) {
  return diagnostics.empty() ? std::string() : diagnostics.entries().front().diagnostic.message;
}

std::string PullRequest(const std::string& head_repository, const std::string& labels) {
  return R"({"action": "labeled", "pull_request": {"labels": )" + labels +
         R"(, "base": {"ref": "main", "sha": "b1", "repo": {"full_name": "ROCm/TheRock"}},)" +
         R"( "head": {"ref": "x", "sha": "h1", "repo": )" + head_repository + "}}}";
}

TEST_CASE("a pull request has labels, a base and a head", "[event]") {
  Diagnostics diagnostics;
  const auto event = Read(
      "pull_request",
      PullRequest(R"({"full_name": "rocm/therock"})", R"([{"name": "gfx950"}, {"name": "a\nb"}])"),
      diagnostics);
  REQUIRE(event);
  CHECK(event->inputs.event == "pull_request");
  CHECK(event->inputs.action == "labeled");
  CHECK(event->inputs.branch == "main");
  CHECK(event->inputs.labels == std::vector<std::string>{"gfx950", "a\nb"});
  CHECK(event->base == "b1");
  CHECK(event->head == "h1");
  CHECK_FALSE(event->inputs.fork);
  CHECK(event->inputs.repository == "ROCm/TheRock");
}

TEST_CASE("a fork is known by its repository, and also when that is gone", "[event]") {
  Diagnostics diagnostics;
  CHECK(Read("pull_request", PullRequest(R"({"full_name": "someone/TheRock"})", "[]"), diagnostics)
            ->inputs.fork);
  CHECK(Read("pull_request", PullRequest("null", "[]"), diagnostics)->inputs.fork);
  CHECK(diagnostics.empty());
}

TEST_CASE("a push has what was there before, unless the branch is new", "[event]") {
  Diagnostics diagnostics;
  const Variables on_main{{"GITHUB_REF", "refs/heads/release/therock-7.12"}};
  const auto push = Read("push", R"({"before": "c0ffee"})", diagnostics, on_main);
  CHECK(push->before == "c0ffee");
  CHECK(push->inputs.branch == "release/therock-7.12");
  CHECK(Read("push", R"({"before": "0000000000000000000000000000000000000000"})", diagnostics)
            ->before.empty());
  CHECK(Read("push", R"({"before": null})", diagnostics)->before.empty());
  CHECK(Read("push", "{}", diagnostics, {{"GITHUB_REF", "refs/tags/v1"}})->inputs.branch ==
        "refs/tags/v1");
}

TEST_CASE("a run by hand has what was typed", "[event]") {
  Diagnostics diagnostics;
  const auto event =
      Read("workflow_dispatch", R"({"inputs": {"a": "x", "b": true, "c": null, "d": "false"}})",
           diagnostics);
  using Pair = std::pair<std::string, std::string>;
  CHECK(event->inputs.inputs == std::vector<Pair>{{"a", "x"}, {"b", "true"}, {"d", "false"}});
  CHECK(Read("workflow_dispatch", R"({"inputs": null})", diagnostics)->inputs.inputs.empty());
  CHECK(Read("schedule", "", diagnostics)->inputs.event == "schedule");
  CHECK(diagnostics.empty());
}

TEST_CASE("a payload of another shape is refused", "[event]") {
  struct Case {
    std::string event, payload, message;
  };
  const std::vector<Case> cases{
      {"push", "{", "event.json is not the JSON of an event"},
      {"push", "[]", "event.json is not the JSON of an event"},
      {"push", std::string(5000, '[') + std::string(5000, ']'),
       "event.json is not the JSON of an event"},
      {"push", "\xff", "event.json is not the JSON of an event"},
      {"pull_request", "{}",
       "event.json is not the payload of a pull_request: it has no "
       "pull_request"},
      {"pull_request", R"({"pull_request": {"labels": "gfx950"}})",
       "event.json is not the payload of a pull_request: its pull_request has no list of labels"},
      {"pull_request", R"({"pull_request": {"labels": [{"name": 3}]}})",
       "event.json is not the payload of a pull_request: a label has no name"},
      {"", "{}", "no event: the variable GITHUB_EVENT_NAME is empty"},
  };
  for (const Case& test : cases) {
    Diagnostics diagnostics;
    CHECK_FALSE(Read(test.event, test.payload, diagnostics));
    CHECK(FirstMessage(diagnostics) == test.message);
  }
}

}  // namespace
}  // namespace wheelwright

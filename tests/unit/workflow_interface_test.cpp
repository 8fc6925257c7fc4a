#include <catch2/catch.hpp>

#include "generator/workflow/interface.h"
#include "tests/unit/workflow_reading.h"

using namespace wheelwright;

namespace {

WorkflowInterface Take(std::string_view name, std::string text) {
  const WorkflowReading reading(std::move(text), std::string(name));
  return MakeInterface(name, reading.workflow);  // outlives the tree
}

std::string Describe(const std::vector<WorkflowInterface::Want>& wants) {
  std::string text;
  for (const WorkflowInterface::Want& want : wants) {
    text += std::string(kPermissionScopes[want.scope]) + ": " + std::string(NameOf(want.access)) +
            " (" + want.path + ")\n";
  }
  return text;
}

}  // namespace

TEST_CASE("names of workflows", "[workflow]") {
  CHECK(InterfaceName("./.github/workflows/build.yml") == "build.yml");
  CHECK(InterfaceName("$/.github/workflows/build.yml") == "build.yml");
  CHECK(InterfaceName("owner/repo/.github/workflows/build.yml@v1") ==
        "owner/repo/.github/workflows/build.yml");
}

TEST_CASE("an interface holds what a caller sees", "[workflow]") {
  const WorkflowInterface interface = Take("build.yml", R"(on:
  workflow_call:
    inputs:
      family: { type: string, required: true }
      dry_run: { type: boolean, default: false }
    secrets: { token: { required: true } }
    outputs: { version: { value: x } }
  workflow_dispatch:
    inputs: { family: { type: choice, options: [a, b] } }
permissions: { contents: read }
jobs:
  one:
    permissions: { contents: read, id-token: write }
    runs-on: x
  two:
    needs: one
    uses: ./.github/workflows/upload.yml
)");
  CHECK(interface.callable);
  CHECK(interface.dispatchable);
  REQUIRE(interface.inputs.size() == 2);
  CHECK(interface.FindInput("FAMILY")->required);
  CHECK(interface.FindInput("dry_run")->type == InputType::kBoolean);
  CHECK(interface.FindInput("dry_run")->has_default);
  CHECK(interface.FindDispatchInput("family")->options == std::vector<std::string>{"a", "b"});
  CHECK(interface.FindSecret("token")->required);
  CHECK(interface.FindOutput("version"));
  CHECK_FALSE(interface.FindOutput("nothing"));
  CHECK(interface.permissions_explicit);
  CHECK(Describe(interface.wants) ==
        "contents: read (build.yml)\nid-token: write (build.yml job 'one')\n");
  REQUIRE(interface.calls.size() == 1);
  CHECK(interface.calls[0].callee == "upload.yml");
  CHECK(interface.calls[0].bounded);
  CHECK(interface.jobs == 2);
  CHECK(interface.needs_edges == 1);
}

TEST_CASE("a set follows the calls", "[workflow]") {
  InterfaceSet set;
  set.Add(Take("a.yml",
               "on: workflow_call\njobs: { j: { uses: ./.github/workflows/b.yml }, k: { uses: "
               "./.github/workflows/c.yml } }\n"));
  set.Add(Take("b.yml", "on: workflow_call\njobs: { j: { uses: ./.github/workflows/c.yml } }\n"));
  set.Add(
      Take("c.yml",
           "on: workflow_call\njobs: { j: { permissions: { actions: write }, runs-on: x } }\n"));
  Diagnostics diagnostics;
  set.Finish(diagnostics);
  CHECK(diagnostics.empty());
  const WorkflowInterface* a = set.Find("a.yml");
  REQUIRE(a);
  CHECK(a->levels == 3);
  CHECK(a->reusable_files == 3);
  CHECK(a->run_jobs == 5);
  CHECK(a->deepest == "a.yml -> b.yml -> c.yml");
  CHECK(Describe(a->wants) == "actions: write (a.yml job 'j' -> b.yml job 'j' -> c.yml job 'j')\n");
  CHECK_FALSE(a->permissions_explicit);
  CHECK_FALSE(set.Find("d.yml"));
}

TEST_CASE("interfaces come one at a time, callees first", "[workflow]") {
  const std::string a =
      "on: workflow_call\njobs: { j: { uses: ./.github/workflows/b.yml }, k: { uses: "
      "./.github/workflows/c.yml } }\n";
  const std::string b = "on: workflow_call\njobs: { j: { uses: ./.github/workflows/c.yml } }\n";
  const std::string c =
      "on: workflow_call\njobs: { j: { permissions: { actions: write }, runs-on: x } }\n";
  InterfaceSet set;
  set.Add({.name = "z.yml", .callable = true});
  set.Expect({"a.yml", "b.yml", "c.yml", "z.yml"});
  CHECK(set.Find("z.yml"));
  CHECK_FALSE(set.Awaits("z.yml"));
  CHECK_FALSE(set.Awaits("d.yml"));
  CHECK(set.Awaits("c.yml"));
  CHECK_FALSE(set.Find("c.yml"));
  set.Fulfil(Take("c.yml", c));
  CHECK_FALSE(set.Awaits("c.yml"));
  REQUIRE(set.Find("c.yml"));
  set.Fulfil(Take("b.yml", b));
  CHECK(set.Awaits("a.yml"));
  set.Fulfil(Take("a.yml", a));
  set.Fulfil({.name = "z.yml", .callable = false});
  CHECK(set.Find("z.yml")->callable);  // the one that was added stays

  // What they have of their callees is as if all had been known at once.
  InterfaceSet whole;
  for (const auto& [name, text] : {std::pair{"a.yml", a}, {"b.yml", b}, {"c.yml", c}}) {
    whole.Add(Take(name, text));
  }
  Diagnostics diagnostics;
  whole.Finish(diagnostics);
  for (const std::string_view name : {"a.yml", "b.yml", "c.yml"}) {
    const WorkflowInterface& one = *set.Find(name);
    const WorkflowInterface& other = *whole.Find(name);
    CHECK(one.levels == other.levels);
    CHECK(one.reusable_files == other.reusable_files);
    CHECK(one.run_jobs == other.run_jobs);
    CHECK(one.deepest == other.deepest);
    CHECK(Describe(one.wants) == Describe(other.wants));
  }
}

TEST_CASE("of two interfaces of one name the last stays", "[workflow]") {
  InterfaceSet set;
  set.Add({.name = "a.yml", .callable = false});
  set.Add({.name = "a.yml", .callable = true});
  Diagnostics diagnostics;
  set.Finish(diagnostics);
  REQUIRE(set.all().size() == 1);
  CHECK(set.Find("a.yml")->callable);
}

TEST_CASE("permissions in all their forms", "[workflow]") {
  const auto read = [](std::string text) {
    SourceManager sources;
    Arena arena;
    Diagnostics diagnostics;
    return ReadPermissions(
        *ReadYaml(sources, sources.Add("p", std::move(text)), arena, diagnostics).root);
  };
  const std::size_t contents = *FindPermissionScope("contents");
  const std::size_t id_token = *FindPermissionScope("id-token");
  const std::size_t models = *FindPermissionScope("models");
  CHECK(read("{ contents: write }")[contents] == Access::kWrite);
  CHECK(read("{ contents: write }")[id_token] == Access::kNone);
  CHECK(read("read-all")[contents] == Access::kRead);
  CHECK(read("read-all")[id_token] == Access::kNone);
  CHECK(read("write-all")[id_token] == Access::kWrite);
  CHECK(read("write-all")[models] == Access::kRead);
  CHECK(read("{}") == Permissions{});
  CHECK_FALSE(FindPermissionScope("content"));
}

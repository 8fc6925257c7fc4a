// Reads a workflow from text.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <utility>

#include "generator/workflow/model.h"
#include "generator/yaml/read.h"

namespace wheelwright {

struct WorkflowReading {
  SourceManager sources;
  Arena arena;
  Diagnostics diagnostics;
  const Node* root = nullptr;
  Workflow workflow;

  explicit WorkflowReading(std::string text, std::string name = "ci.yml") {
    const FileId file = sources.Add(std::move(name), std::move(text));
    root = ReadYaml(sources, file, arena, diagnostics).root;
    REQUIRE(root);
    ReadWorkflow(*root, workflow);
  }
};

}  // namespace wheelwright

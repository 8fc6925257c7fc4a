// A workflow that is given as text.
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
  Workflow workflow;

  explicit WorkflowReading(std::string text, std::string name = "ci.yml") {
    const FileId file = sources.Add(std::move(name), std::move(text));
    const Document document = ReadYaml(sources, file, arena, diagnostics);
    REQUIRE(document.root);
    ReadWorkflow(*document.root, workflow);
  }
};

}  // namespace wheelwright

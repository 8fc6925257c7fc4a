// What an editor asks about a place in a workflow: definitions, completions, texts to show.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generator/lint/linter.h"

namespace wheelwright {

// A place in an open document. `linter` has read a version of it that is well-formed YAML, maybe an
// earlier one, so lines may be off by what was typed since.
struct EditorPlace {
  const std::string& path;
  std::string_view text;
  std::size_t offset = 0;
  FileSystem& files;
  const Linter& linter;
  const LintedFile& file;
};

struct Definition {
  std::string path;
  std::size_t line = 0;  // from 0
};

struct Completion {
  std::string label;
  std::string detail;  // may be empty
};

// The job, step, output, input or file that is named at the place.
std::optional<Definition> DefinitionAt(const EditorPlace& place);
// The template that the line names: the first one of a generated file, or one with an `include`.
std::optional<Definition> TemplateAt(const std::string& path, std::string_view text,
                                     std::size_t offset, FileSystem& files);
// What may be written at the place: contexts and their properties, and inputs of what a step uses.
std::vector<Completion> CompletionsAt(const EditorPlace& place);
// The interface of the action that is named at the place, as Markdown; empty if none is.
std::string ActionTextAt(const EditorPlace& place);

}  // namespace wheelwright

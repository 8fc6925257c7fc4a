#include "generator/compile/unread_sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"

namespace wheelwright {
namespace {

bool Mentions(std::string_view text, std::string_view property) {
  return text.find(fmt::format(".{}", property)) != std::string_view::npos;
}

}  // namespace

void ReportUnreadSets(const Compilation& compilation, Acknowledgements& acknowledged,
                      Diagnostics& diagnostics) {
  std::set<const CellBranch*> read;
  std::set<std::string_view> texts;  // of templates, each once
  for (const CompiledWorkflow& file : compilation.workflows) {
    for (const auto& [branch, cell] : file.usage.cells) read.insert(branch);
    texts.insert(compilation.sources.Text(file.where.begin.file));
  }
  for (const CellSet& set : compilation.cells.sets) {
    const auto is_read = [&](const CellBranch& branch) { return read.contains(&branch); };
    if (set.in == 0 || std::ranges::any_of(set.branches, is_read)) continue;
    const bool whole = std::ranges::any_of(texts, [&](std::string_view text) {
      return Mentions(text, set.schema->cells) || Mentions(text, set.name);
    });
    const bool bound = std::ranges::any_of(compilation.workflows, [&](const auto& file) {
      return std::ranges::any_of(set.branches, [&](const CellBranch& branch) {
        return std::ranges::find(file.usage.branches, &branch) != file.usage.branches.end();
      });
    });
    if ((bound && whole) || acknowledged.Take("unread-set", set.where)) continue;
    const std::string count = Count(set.in, set.schema->noun, set.schema->plural);
    diagnostics.Report(
        {.severity = Severity::kWarning,
         .code = "unread-set",
         .message = fmt::format("no workflow has a job for the {} of '{}'", count, set.name),
         .where = set.where,
         .hint = "remove it, or loop over it in a template"});
  }
}

}  // namespace wheelwright

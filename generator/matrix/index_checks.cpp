#include "generator/matrix/index_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/quote.h"
#include "base/text.h"
#include "generator/matrix/load.h"

namespace wheelwright {
namespace {

// As indexes compare names: https://packaging.python.org/specifications/name-normalization/
std::string Normalized(std::string_view name) {
  std::string normal;
  for (const char c : ToLower(name)) {
    const bool dash = c == '-' || c == '_' || c == '.';
    if (!dash) {
      normal += c;
    } else if (!normal.ends_with('-')) {
      normal += '-';
    }
  }
  return normal;
}

}  // namespace

void CheckIndexes(const Matrix& matrix, Diagnostics& diagnostics) {
  for (const Entry& index : matrix.indexes->entries) {
    const Entry* type = FindEntry(matrix.release_types, index.key->text);
    if (type == nullptr) continue;
    diagnostics.Report(
        {.code = "duplicate-name",
         .message = fmt::format("{} is also a release type", Quoted(index.key->text)),
         .where = index.key->where,
         .related = {{type->key->where, "the release type"}},
         .notes = {"its index is called like it; give this one another name"}});
  }
  for (const Node* row : matrix.dependencies->items) {
    const Node* name = Find(row, "name");
    const std::string normal = Normalized(name->text);
    const bool rocm = normal == "rocm" || normal.starts_with("rocm-");
    const bool built = std::ranges::any_of(matrix.projects->entries, [&](const Entry& project) {
      return Normalized(project.key->text) == normal;
    });
    if (!rocm && !built) continue;
    diagnostics.Report(
        {.code = "own-dependency",
         .message =
             fmt::format("{} is built here and cannot be taken from elsewhere", Quoted(name->text)),
         .where = name->where,
         .notes = {"installers read the index of dependencies next to that of a release, and would "
                   "choose between two packages of this name"}});
  }
}

}  // namespace wheelwright

#include "generator/shared/sources.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/below.h"

namespace wheelwright {

bool Takes(const std::vector<std::string>& take, std::string_view path) {
  return std::ranges::any_of(take, [&](std::string_view item) {
    return path.starts_with(item) && (path.size() == item.size() || path[item.size()] == '/');
  });
}

std::string FetchedFolder(const std::string& root, std::string_view name) {
  return Below(root, fmt::format("templates/{}", name));
}

std::vector<RemoteTemplates> RemoteTemplatesOf(const Matrix& matrix) {
  std::vector<RemoteTemplates> found;
  for (const Entry& row : matrix.Table("shared_templates")->entries) {
    if (FindText(row.value, "git").empty()) continue;
    RemoteTemplates& remote =
        found.emplace_back(RemoteTemplates{.name = std::string(row.key->text),
                                           .git = std::string(FindText(row.value, "git")),
                                           .ref = std::string(FindText(row.value, "ref")),
                                           .folder = std::string(FindText(row.value, "folder")),
                                           .take = {},
                                           .where = row.key->where,
                                           .take_where = {}});
    for (const Node* item : Find(row.value, "take")->items) {
      remote.take.emplace_back(item->text);
      remote.take_where.push_back(item->where);
    }
  }
  return found;
}

std::vector<TemplateSource> TemplateSourcesOf(const Matrix& matrix, const std::string& root) {
  std::vector<TemplateSource> found;
  for (const Entry& row : matrix.Table("shared_templates")->entries) {
    const bool fetched = !FindText(row.value, "git").empty();
    const std::string folder =
        fetched ? FetchedFolder("", row.key->text) : std::string(FindText(row.value, "folder"));
    TemplateSource& source = found.emplace_back(TemplateSource{.name = std::string(row.key->text),
                                                               .folder = Below(root, folder),
                                                               .shown = folder,
                                                               .fetched = fetched,
                                                               .take = {},
                                                               .where = row.key->where});
    for (const Node* item : Find(row.value, "take")->items) source.take.push_back(item);
  }
  return found;
}

}  // namespace wheelwright

// Where the templates of other projects are, by the matrix.
#pragma once

#include <string>
#include <vector>

#include "base/source.h"
#include "generator/matrix/load.h"
#include "generator/template/template.h"

namespace wheelwright {

// A row of `shared_templates` with a repository.
struct RemoteTemplates {
  std::string name, git, ref;
  std::string folder;             // in that repository
  std::vector<std::string> take;  // files and folders in it
  SourceRange where;              // the row's key
  std::vector<SourceRange> take_where;
};

std::vector<RemoteTemplates> RemoteTemplatesOf(const Matrix& matrix);

// Whether `take` names the file or a folder above it: "fragments" takes "fragments/setup.yml".
bool Takes(const std::vector<std::string>& take, std::string_view path);

// The folder into which `wheelwright fetch` writes them, in that of the project's own templates.
std::string FetchedFolder(const std::string& root, std::string_view name);

// All rows, as the reader of templates takes them. `root`: the folder with matrix/ and templates/.
std::vector<TemplateSource> TemplateSourcesOf(const Matrix& matrix, const std::string& root);

}  // namespace wheelwright

// Workflows by hand that generated ones call, and that are in the repository: the matrix says what
// they take, and the rules of trust read what they do.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/file_system.h"
#include "base/source.h"
#include "generator/link/link.h"
#include "generator/matrix/load.h"
#include "generator/workflow/interface.h"

namespace wheelwright {

class ExternalWorkflows {
 public:
  // Reads those of the table `external_workflows` whose path begins with `./` and is there, below
  // the repository's folder. Reports what is no YAML.
  void Read(FileSystem& files, const Matrix& matrix, const std::string& repository,
            SourceManager& sources, Arena& arena, Diagnostics& diagnostics);

  // Adds the interfaces of all rows, with what the files among them reach.
  void AddTo(InterfaceSet& interfaces, const Matrix& matrix, const TrustDomains& domains,
             const LocalActions& actions, const SourceManager& sources) const;

  // Checks what those files do with credentials and with strangers' code, and appends the runs that
  // they start. How they are written is not judged.
  void Link(const LinkContext& context, std::vector<FileUsage>& usages,
            Diagnostics& diagnostics) const;

 private:
  struct File {
    std::string name;  // of its interface
    Workflow workflow;
  };
  std::deque<File> files_;
};

}  // namespace wheelwright

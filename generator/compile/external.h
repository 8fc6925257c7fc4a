// Hand-written workflows of the repository that generated ones call: the matrix has their
// interfaces, and the rules of trust read the files.
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
  // Reads those files of the table `external_workflows` whose path begins with `./` and exists in
  // the repository, and the hand-written ones that they call there. Reports invalid YAML.
  void Read(FileSystem& files, const Matrix& matrix, const std::string& repository,
            SourceManager& sources, Arena& arena, Diagnostics& diagnostics);

  // Adds the interfaces of all rows and of what their files call, with the touches of the files.
  void AddTo(InterfaceSet& interfaces, const Matrix& matrix, const TrustDomains& domains,
             const LocalActions& actions, const SourceManager& sources) const;

  // Checks the files' use of credentials and untrusted code, but not their style. Appends the runs
  // that they start.
  void Link(const LinkContext& context, std::vector<FileUsage>& usages,
            Diagnostics& diagnostics) const;

 private:
  struct File {
    std::string name;     // of its interface
    bool listed = false;  // a row has its interface
    Workflow workflow;
  };
  const File* FileOf(std::string_view name) const;

  std::deque<File> files_;
};

}  // namespace wheelwright

// Refs of PyTorch become commits: its own, and those of the projects that are built with it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "runtime/host/programs/runner.h"
#include "runtime/pytorch/sources/commit_files.h"
#include "runtime/pytorch/sources/commits.h"
#include "runtime/wheels/plan/plan.h"

namespace wheelwright {

// Where a project's code comes from when nothing says which, and `ref` is not one that the plan
// has.
std::string_view RepositoryOf(const Plan& plan, std::string_view ref, std::string_view project);

struct RefRequest {
  std::string id;   // of the row in the answer
  std::string ref;  // of PyTorch; a commit of it is taken as it is
  Texts projects;   // whose commits are wanted
};

class Resolver {
 public:
  // What is wrong in files of commits is reported with the line, which `sources` then holds.
  Resolver(const Plan& plan, Runner& runner, SourceManager& sources, Diagnostics& diagnostics)
      : plan_(plan),
        runner_(runner),
        sources_(sources),
        diagnostics_(diagnostics),
        files_(runner) {}

  // The commits of each, in the order of the plan's projects. Asks each repository once for all
  // refs that are wanted from it. Nothing after a failure, which was reported or said.
  std::optional<ByRow> Commits(const std::vector<RefRequest>& requests);

  // The versions that wheels of these projects at these commits will have, with `suffix` as their
  // local label. The same.
  std::optional<ByProject> Versions(std::string_view ref, const Texts& projects,
                                    const ByProject& commits, std::string_view suffix);

 private:
  struct Wanted {
    std::string repository;
    Texts refs;
    std::vector<std::string> commits;  // of `refs`
  };

  const ProjectSource* SourceOf(const std::string& ref, const std::string& project);
  void Want(const std::string& repository, const std::string& ref);
  bool AskRemote(Wanted& wanted);
  void ReportMissing(const Wanted& wanted, const Texts& missing);
  std::string CommitOf(const std::string& repository, const std::string& ref) const;
  bool AddRecorded(const RefRequest& request, const ProjectSource& torch, const std::string& commit,
                   ByProject& commits);
  bool AddPinned(const ProjectSource& torch, const std::string& torch_commit, ByProject& commits);

  const Plan& plan_;
  Runner& runner_;
  SourceManager& sources_;
  Diagnostics& diagnostics_;
  CommitFiles files_;
  std::vector<Wanted> wanted_;
};

}  // namespace wheelwright

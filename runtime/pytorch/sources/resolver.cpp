#include "runtime/pytorch/sources/resolver.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/characters.h"
#include "base/quote.h"
#include "base/text.h"
#include "runtime/pytorch/sources/git.h"
#include "runtime/pytorch/sources/related_commits.h"
#include "runtime/pytorch/sources/remote_refs.h"
#include "runtime/pytorch/sources/wheel_version.h"

namespace wheelwright {
namespace {

using From = ProjectSource::CommitFrom;

constexpr std::string_view kRelatedCommits = "related_commits";
constexpr std::string_view kTritonPin = ".ci/docker/ci_commit_pins/triton.txt";

const ProjectSource* FindSource(const Plan& plan, std::string_view ref, std::string_view project) {
  const std::vector<ProjectSource>* sources = plan.SourcesOf(ref);
  if (sources == nullptr) return nullptr;
  const auto found = std::ranges::find(*sources, project, &ProjectSource::project);
  return found == sources->end() ? nullptr : &*found;
}

}  // namespace

std::string_view RepositoryOf(const Plan& plan, std::string_view ref, std::string_view project) {
  const ProjectSource* source = FindSource(plan, ref, project);
  return source == nullptr ? std::string_view() : std::string_view(source->origin());
}

const ProjectSource* Resolver::SourceOf(const std::string& ref, const std::string& project) {
  const ProjectSource* source = FindSource(plan_, ref, project);
  if (source == nullptr) {
    diagnostics_.Report({.code = "unknown-project",
                         .message = fmt::format("the plan does not say where {} comes from for {}",
                                                project, Quoted(ref)),
                         .notes = {"it belongs into torch_sources of matrix/pytorch.yml"}});
  }
  return source;
}

void Resolver::Want(const std::string& repository, const std::string& ref) {
  if (IsCommitId(ref)) return;
  if (!IsRefName(ref)) {
    diagnostics_.Report(
        {.code = "ref-name",
         .message = fmt::format("{} is not a valid name of a branch", Quoted(ref))});
    return;
  }
  auto found = std::ranges::find(wanted_, repository, &Wanted::repository);
  if (found == wanted_.end()) {
    wanted_.push_back({.repository = repository});
    found = std::prev(wanted_.end());
  }
  if (!HasText(found->refs, ref)) found->refs.push_back(ref);
}

void Resolver::ReportMissing(const Wanted& wanted, const Texts& missing) {
  // Fetch the whole list only for suggestions.
  const auto output = runner_.Try(
      GitNetworkStep("list", {}, {"ls-remote", "--heads", "--tags", "--", wanted.repository}));
  const auto refs = output ? ParseLsRemote(*output) : std::nullopt;
  for (const std::string& ref : missing) {
    std::vector<std::string> near;
    if (refs) near = NearRefs(*refs, ref);
    for (std::string& name : near) name = Quoted(name);
    diagnostics_.Report(
        {.code = "unknown-ref",
         .message = fmt::format("{} has no branch or tag {}", ShortRepository(wanted.repository),
                                Quoted(ref)),
         .hint = near.empty() ? std::string() : fmt::format("there is {}", JoinWords(near)),
         .notes = {"refs and where they come from stand in matrix/pytorch.yml"}});
  }
}

bool Resolver::AskRemote(Wanted& wanted) {
  std::vector<std::string> arguments{"ls-remote", "--quiet", "--", wanted.repository};
  for (const std::string& ref : wanted.refs) {
    for (std::string& pattern : PatternsOf(ref)) arguments.push_back(std::move(pattern));
  }
  const std::string name = ShortRepository(wanted.repository);
  const auto output = runner_.Ask(GitNetworkStep(
      fmt::format("ask {} for {}", name, JoinWords(wanted.refs)), {}, std::move(arguments)));
  if (!output) return false;
  const auto refs = ParseLsRemote(*output);
  if (!refs) {
    runner_.log().Error(fmt::format("{} answered with no list of refs", name),
                        "git ls-remote failed");
    return false;
  }
  Texts missing;
  wanted.commits.clear();
  for (const std::string& ref : wanted.refs) {
    const std::optional<FoundRef> found = FindRef(*refs, ref);
    wanted.commits.push_back(found ? found->commit : std::string());
    if (!found) missing.push_back(ref);
    if (found && found->hides_a_tag) {
      runner_.log().Warning(fmt::format("{} has a branch and a tag '{}': the branch counts, {}",
                                        name, ref, found->commit));
    }
  }
  if (!missing.empty()) ReportMissing(wanted, missing);
  return missing.empty();
}

std::string Resolver::CommitOf(const std::string& repository, const std::string& ref) const {
  if (IsCommitId(ref)) return ref;
  for (const Wanted& wanted : wanted_) {
    if (wanted.repository != repository) continue;
    const auto at = std::ranges::find(wanted.refs, ref) - wanted.refs.begin();
    return wanted.commits[static_cast<std::size_t>(at)];
  }
  return {};
}

bool Resolver::AddRecorded(const RefRequest& request, const ProjectSource& torch,
                           const std::string& torch_commit, ByProject& commits) {
  std::vector<const ProjectSource*> sources;
  Texts projects;
  for (const std::string& project : request.projects) {
    const ProjectSource* source = FindSource(plan_, request.ref, project);
    if (source == nullptr || source->commit_from != From::kRelatedCommits) continue;
    sources.push_back(source);
    projects.push_back(project);
  }
  if (sources.empty()) return true;
  const std::string path(kRelatedCommits);
  const auto text = files_.Read(torch.origin(), torch_commit, path);
  if (files_.failed()) return false;
  const std::string where =
      fmt::format("{}@{}/{}", ShortRepository(torch.origin()), torch_commit.substr(0, 12), path);
  if (!text) {
    diagnostics_.Report({.code = "related-commits",
                         .message = fmt::format("there is no {}", where),
                         .notes = {fmt::format("it would say which commits of {} belong to {}",
                                               JoinWords(projects), Quoted(request.ref))}});
    return false;
  }
  const FileId file = sources_.Add(where, *text);
  const auto records = ReadRelatedCommits(sources_, file, projects, diagnostics_);
  if (!records) return false;
  const std::size_t errors = diagnostics_.errors();
  for (const ProjectSource* source : sources) {
    const auto record = std::ranges::find(*records, source->project, &RelatedCommit::project);
    if (record == records->end()) {
      diagnostics_.Report(
          {.code = "related-commits",
           .message = fmt::format("{} has no record of {}", where, source->project)});
    } else if (!SameRepository(record->origin, source->repository) &&
               !SameRepository(record->origin, source->origin())) {
      diagnostics_.Report(
          {.code = "related-commits",
           .message = fmt::format("the commit of {} is one of {}, and its code comes from {}",
                                  source->project, Quoted(WithoutCredentials(record->origin)),
                                  WithoutCredentials(source->repository)),
           .where = record->where,
           .notes = {"torch_sources in matrix/pytorch.yml says where it comes from"}});
    } else {
      commits.emplace_back(source->project, record->commit);
    }
  }
  return diagnostics_.errors() == errors;
}

bool Resolver::AddPinned(const ProjectSource& torch, const std::string& torch_commit,
                         ByProject& commits) {
  const auto text = files_.Read(torch.origin(), torch_commit, std::string(kTritonPin));
  if (files_.failed()) return false;
  const std::string where = fmt::format("{}@{}/{}", ShortRepository(torch.origin()),
                                        torch_commit.substr(0, 12), kTritonPin);
  const std::string pin = text ? ToLower(Trim(*text)) : std::string();
  if (!IsCommitId(pin)) {
    diagnostics_.Report({.code = "triton-pin",
                         .message = text ? fmt::format("{} holds {}, which is no commit", where,
                                                       Quoted(Trim(*text)))
                                         : fmt::format("there is no {}", where),
                         .notes = {"it says which commit of Triton belongs to this PyTorch"}});
    return false;
  }
  commits.emplace_back("triton", pin);
  return true;
}

std::optional<ByRow> Resolver::Commits(const std::vector<RefRequest>& requests) {
  const std::size_t errors = diagnostics_.errors();
  for (const RefRequest& request : requests) {
    for (const std::string& project : request.projects) {
      const ProjectSource* source = SourceOf(request.ref, project);
      if (source == nullptr) continue;
      if (source->commit_from == From::kBranch) Want(source->origin(), source->branch);
      if (source->commit_from == From::kTorchRef && project != "torch") {
        Want(source->origin(), request.ref);
      }
    }
    // The other kinds need torch's own files.
    const ProjectSource* torch = SourceOf(request.ref, "torch");
    if (torch != nullptr) Want(torch->origin(), request.ref);
  }
  if (diagnostics_.errors() > errors) return std::nullopt;
  bool good = true;
  for (Wanted& wanted : wanted_) good = AskRemote(wanted) && good;
  if (!good) return std::nullopt;

  ByRow rows;
  for (const RefRequest& request : requests) {
    const ProjectSource& torch = *SourceOf(request.ref, "torch");
    const std::string torch_commit = CommitOf(torch.origin(), request.ref);
    ByProject found;
    const bool reads_torch = std::ranges::any_of(request.projects, [&](const auto& project) {
      const From from = SourceOf(request.ref, project)->commit_from;
      return from == From::kRelatedCommits || from == From::kTritonPin;
    });
    if (reads_torch && !files_.Fetch(torch.origin(), torch_commit)) return std::nullopt;
    good = AddRecorded(request, torch, torch_commit, found) && good;
    if (files_.failed()) return std::nullopt;
    for (const std::string& project : request.projects) {
      const ProjectSource& source = *SourceOf(request.ref, project);
      if (source.commit_from == From::kTorchRef) {
        found.emplace_back(project, CommitOf(source.origin(), request.ref));
      }
      if (source.commit_from == From::kBranch) {
        found.emplace_back(project, CommitOf(source.origin(), source.branch));
      }
      if (source.commit_from == From::kTritonPin) {
        good = AddPinned(torch, torch_commit, found) && good;
        if (files_.failed()) return std::nullopt;
      }
    }
    ByProject ordered;
    for (const ProjectRow& project : plan_.projects) {
      if (const std::string* commit = FindProject(found, project.name)) {
        ordered.emplace_back(project.name, *commit);
      }
    }
    rows.emplace_back(request.id, std::move(ordered));
  }
  if (!good) return std::nullopt;
  return rows;
}

std::optional<ByProject> Resolver::Versions(std::string_view ref, const Texts& projects,
                                            const ByProject& commits, std::string_view suffix) {
  ByProject versions;
  bool good = true;
  for (const std::string& project : projects) {
    const std::string* commit = FindProject(commits, project);
    if (commit == nullptr) {
      diagnostics_.Report(
          {.code = "option-value",
           .message = fmt::format("'--commits' has no commit of {} for {}", project, Quoted(ref)),
           .notes = {"without it, the version of its wheel cannot be known"}});
      good = false;
      continue;
    }
    const ProjectSource* source = SourceOf(std::string(ref), project);
    if (source == nullptr) {
      good = false;
      continue;
    }
    const std::string& repository = source->origin();
    if (!files_.Fetch(repository, *commit)) return std::nullopt;
    const auto version = ComputeWheelVersion(
        project, [&](const std::string& path) { return files_.Read(repository, *commit, path); },
        *commit, suffix, fmt::format("{}@{}", ShortRepository(repository), commit->substr(0, 12)),
        diagnostics_);
    if (files_.failed()) return std::nullopt;
    if (version) {
      versions.emplace_back(project, *version);
    } else {
      good = false;
    }
  }
  if (!good) return std::nullopt;
  return versions;
}

}  // namespace wheelwright

#include "runtime/pytorch/sources/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/characters.h"
#include "base/json.h"
#include "base/platform/folders.h"
#include "base/quote.h"
#include "base/text.h"
#include "runtime/pytorch/sources/checkout.h"
#include "runtime/pytorch/sources/git.h"
#include "runtime/pytorch/sources/related_commits.h"

namespace wheelwright {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> Ask(Runner& runner, const std::string& folder,
                               std::vector<std::string> arguments) {
  const auto output = runner.Try(GitStep("read", folder, std::move(arguments)));
  if (!output) return std::nullopt;
  return std::string(Trim(*output));
}

std::optional<std::string> AskCommit(Runner& runner, const std::string& folder,
                                     std::string_view name) {
  return Ask(runner, folder,
             {"rev-parse", "--quiet", "--verify", fmt::format("{}^{{commit}}", name)});
}

// The commit that others can fetch: the parent of hipify's.
std::optional<std::string> UpstreamCommit(Runner& runner, const std::string& folder) {
  auto head = AskCommit(runner, folder, "HEAD");
  const auto hipified = AskCommit(runner, folder, fmt::format("refs/tags/{}", kHipifyTag));
  if (!head || head != hipified) return head;
  return AskCommit(runner, folder, fmt::format("refs/tags/{}", kUpstreamTag));
}

// The branch from the plan or torch's file; "" if only a commit is known.
std::string BranchOf(const Plan& plan, const ManifestRequest& request, const ProjectRow& project,
                     Runner& runner) {
  using From = ProjectSource::CommitFrom;
  const std::vector<ProjectSource>* sources = plan.SourcesOf(request.torch_ref);
  if (sources == nullptr) return {};
  const auto source = std::ranges::find(*sources, project.name, &ProjectSource::project);
  if (source == sources->end()) return {};
  if (source->commit_from == From::kTorchRef) return request.torch_ref;
  if (source->commit_from == From::kBranch) return source->branch;
  if (source->commit_from != From::kRelatedCommits) return {};
  const ProjectRow* torch = plan.FindProject("torch");
  if (torch == nullptr) return {};
  const std::string path = fmt::format("{}/{}/related_commits", request.root, torch->folder);
  const auto text = runner.host().files.Read(path);
  if (!text) return {};
  SourceManager files;
  Diagnostics ignored;
  const auto records =
      ReadRelatedCommits(files, files.Add("related_commits", *text), {project.name}, ignored);
  return !records || records->empty() ? std::string() : records->front().branch;
}

Json TheRock(const Host& host) {
  const auto known = [](std::string text) { return text.empty() ? "unknown" : text; };
  const std::string repository = host.Variable("GITHUB_REPOSITORY");
  std::string server = host.Variable("GITHUB_SERVER_URL");
  if (server.empty()) server = "https://github.com";
  std::string branch = host.Variable("GITHUB_REF");
  constexpr std::string_view kHeads = "refs/heads/";
  if (branch.starts_with(kHeads)) branch.erase(0, kHeads.size());
  return {{"commit", known(host.Variable("GITHUB_SHA"))},
          {"repo", known(repository.empty() ? "" : fmt::format("{}/{}.git", server, repository))},
          {"branch", known(branch)}};
}

std::string TextAt(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// The text is passed to git, so it must be no option and no transport that runs a command.
bool IsRepository(std::string_view text) {
  const bool printable = std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7f; });
  return !text.empty() && printable && text.front() != '-' &&
         text.find("::") == std::string_view::npos;
}

}  // namespace

std::string ManifestName(std::string_view python, std::string_view torch_ref) {
  std::string ref(torch_ref);
  for (char& c : ref) {
    const bool plain =
        IsLetterOrDigit(c) || std::string_view("._+-").find(c) != std::string_view::npos;
    if (!plain) c = '-';
  }
  if (python.starts_with("py")) python.remove_prefix(2);
  return fmt::format("therock-manifest_torch_py{}_{}.json", python, ref);
}

std::optional<std::string> WriteManifest(const Plan& plan, const ManifestRequest& request,
                                         Runner& runner) {
  Json manifest = Json::object();
  for (const ProjectRow& project : plan.projects) {
    const std::string folder = fmt::format("{}/{}", request.root, project.folder);
    if (!IsFolder(folder)) {
      if (project.name != "torch") continue;
      runner.log().Error("`wheelrun checkout` puts it there",
                         fmt::format("there is no {}", folder));
      return std::nullopt;
    }
    const auto commit = UpstreamCommit(runner, folder);
    if (!commit || !Exists(folder + "/.git")) {
      runner.log().Error("git knows no commit in it", fmt::format("{} is no checkout", folder));
      return std::nullopt;
    }
    Json& entry = manifest[project.folder] = {{"commit", *commit}};
    const auto repository = Ask(runner, folder, {"config", "--get", "remote.origin.url"});
    entry["repo"] = WithoutCredentials(repository.value_or("unknown"));
    const auto current = Ask(runner, folder, {"symbolic-ref", "--quiet", "--short", "HEAD"});
    const std::string branch =
        current && !current->empty() ? *current : BranchOf(plan, request, project, runner);
    if (!branch.empty()) entry["branch"] = branch;
  }
  manifest["therock"] = TheRock(runner.host());
  return DumpJson(manifest, 2) + "\n";
}

std::optional<std::vector<ManifestEntry>> ReadManifest(std::string_view text, std::string_view name,
                                                       const Plan& plan, Diagnostics& diagnostics) {
  const auto refuse = [&](std::string message) {
    diagnostics.Report({.code = "manifest",
                        .message = fmt::format("{} {}", name, message),
                        .hint = "`wheelrun manifest` writes one"});
  };
  const std::size_t errors = diagnostics.errors();
  const Json json = ParseOrderedJson(text);
  std::vector<ManifestEntry> entries;
  if (!json.is_object()) {
    refuse("is no manifest: it is no JSON object");
    return std::nullopt;
  }
  for (const ProjectRow& project : plan.projects) {
    const auto row = json.find(project.folder);
    if (row == json.end()) continue;
    if (!row->is_object()) {
      refuse(fmt::format("says nothing of {}", project.folder));
      continue;
    }
    ManifestEntry entry{.project = project.name,
                        .repository = TextAt(*row, "repo"),
                        .commit = TextAt(*row, "commit"),
                        .branch = TextAt(*row, "branch")};
    if (!IsCommitId(entry.commit)) {
      refuse(fmt::format("has no commit of {}, but {}", project.folder, Quoted(entry.commit)));
    }
    if (!IsRepository(entry.repository)) {
      refuse(fmt::format("has no address of {}, but {}", project.folder, Quoted(entry.repository)));
    }
    entries.push_back(std::move(entry));
  }
  if (std::ranges::find(entries, "torch", &ManifestEntry::project) == entries.end()) {
    refuse("is no manifest of PyTorch: it does not say where torch is from");
  }
  if (diagnostics.errors() > errors) return std::nullopt;
  return entries;
}

}  // namespace wheelwright

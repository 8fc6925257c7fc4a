// Files of other repositories and builds are read, or rejected with a report at a position inside
// of them, and the values are safe on a command line of git.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/pytorch/sources/manifest.h"
#include "runtime/pytorch/sources/related_commits.h"
#include "runtime/wheels/plan/plan.h"
#include "tests/fuzz/fuzzer.h"

namespace wheelwright {
namespace {

void RequireCommit(const std::string& commit) {
  Require(commit.size() == 40 && commit.find_first_not_of("0123456789abcdef") == std::string::npos,
          "what is no commit is given to git");
}

Plan SmallPlan() {
  Plan plan;
  plan.projects = {{.name = "torch", .folder = "pytorch"},
                   {.name = "torchaudio", .folder = "pytorch_audio"}};
  return plan;
}

const Fuzzer kSourceFiles("source_files", [](const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  {
    SourceManager sources;
    Diagnostics diagnostics;
    const FileId file = sources.Add("related_commits", text);
    const auto read =
        ReadRelatedCommits(sources, file, {"torchaudio", "torchvision", "apex"}, diagnostics);
    Require(read.has_value() == (diagnostics.errors() == 0), "neither read nor refused");
    if (!diagnostics.empty()) Render(diagnostics, sources, ReportFormat::kGithub, false);
    if (read) {
      for (const RelatedCommit& record : *read) RequireCommit(record.commit);
    }
  }
  static const Plan kPlan = SmallPlan();
  Diagnostics diagnostics;
  const auto entries = ReadManifest(text, "manifest.json", kPlan, diagnostics);
  Require(entries.has_value() == (diagnostics.errors() == 0), "neither read nor refused");
  if (entries) {
    for (const ManifestEntry& entry : *entries) {
      RequireCommit(entry.commit);
      Require(!entry.repository.starts_with('-') && !entry.branch.starts_with('-'),
              "an option of git");
    }
  }
});

}  // namespace
}  // namespace wheelwright

#include "runtime/wheels/mirror/version_lookup.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/text.h"
#include "runtime/wheels/mirror/file_choice.h"

namespace wheelwright {
namespace {

constexpr std::size_t kMostShown = 4;

// What to do, by cause.
constexpr std::string_view kOtherVersion =
    "look at the job that publishes: it has not ended, held the version back, or built another one";
constexpr std::string_view kOtherTags =
    "compare Python and platform with those of the job that built it";
constexpr std::string_view kOtherFile =
    "look for the run that published this file: an upload never replaces one, so the version needs "
    "another name";
constexpr std::string_view kYanked =
    "it was withdrawn: ask who did it; `wheelrun index yank --undo` takes that back";
constexpr std::string_view kNoSuchFile =
    "look at the upload of the file; `wheelrun index` writes the page from what is stored";
constexpr std::string_view kNoSuchPage =
    "compare the URL and the family with those of the job that publishes, and see whether it wrote "
    "the index (`wheelrun index`)";

// Those that a person may have meant: the same version with another label, the same release, then
// the newest.
std::string NearestVersions(const std::set<PackageVersion>& versions,
                            const PackageVersion& wanted) {
  std::vector<PackageVersion> sorted(versions.rbegin(), versions.rend());
  const auto rank = [&](const PackageVersion& one) {
    if (one.Public() == wanted.Public()) return 0;
    return one.epoch == wanted.epoch && one.release == wanted.release ? 1 : 2;
  };
  std::ranges::stable_sort(sorted, {}, rank);
  std::vector<std::string> shown;
  for (const PackageVersion& one : sorted) {
    if (shown.size() < kMostShown) shown.push_back(one.ToString());
  }
  const std::size_t rest = sorted.size() - shown.size();
  if (rest > 0) shown.push_back(fmt::format("{} more", rest));
  return JoinWords(shown);
}

}  // namespace

struct VersionLookup::Seen {
  struct Candidate {
    RemoteIndex* index;
    RemoteFile file;
  };
  std::vector<std::string> asked, problems;  // of the pages
  std::set<PackageVersion> versions;
  std::vector<std::string> unfit;  // files of the version for others
  std::string yanked;              // a file of the version that is, and why
  std::string replaced;            // a file with another sum, and both sums
  std::vector<Candidate> candidates;
};

VersionLookup::VersionLookup(Host& host, const std::vector<std::string>& urls, bool find_links,
                             std::optional<PythonVersion> python, std::string platform)
    : python_(std::move(python)), platform_(std::move(platform)) {
  for (const std::string& url : urls) {
    indexes_.emplace_back(
        host, url, RemoteOptions{.retries = {.tries = 1}, .fresh = true, .find_links = find_links});
  }
}

bool VersionLookup::Fits(const AwaitedPackage& package, const RemoteFile& file) const {
  if (!package.file.empty()) return file.file == package.file;
  return !file.wheel || !python_ || FitsInterpreter(file, *python_, platform_);
}

void VersionLookup::Read(RemoteIndex& index, const AwaitedPackage& package, Seen& seen) {
  seen.asked.push_back(WithoutPassword(index.PageOf(package.project)));
  std::string problem;
  std::optional<RemotePage> page = index.Read(package.project, problem);
  if (!page) {
    seen.problems.push_back(std::move(problem));
    return;
  }
  for (RemoteFile& file : page->files) {
    seen.versions.insert(file.version);
    if (!package.version.Allows(file.version)) continue;
    if (!Fits(package, file)) {
      seen.unfit.push_back(std::move(file.file));
    } else if (file.yanked) {
      seen.yanked =
          fmt::format("{} is yanked: {}", file.file,
                      file.yanked->empty() ? "no reason is given" : OneLine(*file.yanked));
    } else if (!package.sha256.empty() && !file.sha256.empty() &&
               !EqualsIgnoringCase(package.sha256, file.sha256)) {
      seen.replaced = fmt::format("{} has the SHA-256 {} there, and {} was built", file.file,
                                  file.sha256, package.sha256);
    } else {
      seen.candidates.push_back({&index, std::move(file)});
    }
  }
}

Sighting VersionLookup::Look(const AwaitedPackage& package) {
  Seen seen;
  for (RemoteIndex& index : indexes_) Read(index, package, seen);
  std::ranges::stable_partition(seen.candidates,
                                [](const Seen::Candidate& one) { return one.file.wheel; });
  std::string unusable;  // the first problem of a file
  for (const Seen::Candidate& one : seen.candidates) {
    std::string problem = one.index->Probe(one.file);
    if (problem.empty()) return {.file = one.file.file};
    if (unusable.empty()) unusable = std::move(problem);
  }
  Sighting missing{.asked = JoinWords(seen.asked)};
  if (!seen.versions.empty()) missing.had = NearestVersions(seen.versions, *package.version.exact);
  if (!unusable.empty()) {
    missing.why = "a page lists it, but " + unusable;
    missing.next = kNoSuchFile;
  } else if (!seen.replaced.empty()) {
    missing.why = seen.replaced;
    missing.next = kOtherFile;
  } else if (!seen.yanked.empty()) {
    missing.why = seen.yanked;
    missing.next = kYanked;
  } else if (!seen.unfit.empty()) {
    if (seen.unfit.size() > kMostShown) seen.unfit.resize(kMostShown);
    missing.why = fmt::format("the version is there for others only: {}", JoinWords(seen.unfit));
    missing.next = kOtherTags;
  } else if (!seen.versions.empty()) {
    missing.why = "the version is not there";
    missing.next = kOtherVersion;
  } else {
    missing.why =
        seen.problems.empty() ? "the page lists no file of the project" : JoinWords(seen.problems);
    missing.next = kNoSuchPage;
  }
  return missing;
}

}  // namespace wheelwright

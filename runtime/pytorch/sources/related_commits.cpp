#include "runtime/pytorch/sources/related_commits.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/characters.h"
#include "base/quote.h"
#include "base/text.h"
#include "runtime/pytorch/sources/git.h"

namespace wheelwright {
namespace {

constexpr std::size_t kFields = 6;
// If it is the wrong file, every line has an error.
constexpr std::size_t kMostErrors = 20;

class Reader {
 public:
  Reader(const SourceManager& sources, FileId file, const std::vector<std::string>& wanted,
         Diagnostics& diagnostics)
      : text_(sources.Text(file)), file_(file), wanted_(wanted), diagnostics_(diagnostics) {}

  std::optional<std::vector<RelatedCommit>> Read() {
    const std::size_t errors = diagnostics_.errors();
    std::size_t at = 0;
    for (const std::string_view line : Split(text_, '\n')) {
      if (!Trim(line).empty()) ReadLine(line, at);
      at += line.size() + 1;
      if (diagnostics_.errors() >= errors + kMostErrors) break;
    }
    if (diagnostics_.errors() > errors) return std::nullopt;
    return std::move(records_);
  }

 private:
  SourceRange At(std::size_t offset, std::size_t length) const {
    return {.begin = {.file = file_, .offset = static_cast<std::uint32_t>(offset)},
            .length = static_cast<std::uint32_t>(length)};
  }

  void ReadLine(std::string_view line, std::size_t at) {
    const std::vector<std::string_view> fields = Split(line, '|');
    if (fields.size() != kFields) {
      diagnostics_.Report(
          {.code = "related-commits",
           .message = fmt::format("a record has six fields, and this line has {}", fields.size()),
           .where = At(at, line.size()),
           .hint = "os|source|project|branch|commit|origin"});
      return;
    }
    const std::string_view project = Trim(fields[2]);
    if (std::ranges::find(wanted_, project) == wanted_.end()) return;
    const auto offset = [&](std::size_t field) {
      return at + static_cast<std::size_t>(fields[field].data() - line.data());
    };
    const std::string_view os = Trim(fields[0]);
    if (os != "ubuntu" && os != "centos") {
      diagnostics_.Report({.code = "related-commits",
                           .message = fmt::format("{} is no operating system", Quoted(os)),
                           .where = At(offset(0), fields[0].size()),
                           .hint = "records are for ubuntu or centos"});
      return;
    }
    const std::string commit = ToLower(Trim(fields[4]));
    if (!IsCommitId(commit)) {
      diagnostics_.Report({.code = "related-commits",
                           .message = fmt::format("{} is no commit", Quoted(fields[4])),
                           .where = At(offset(4), fields[4].size()),
                           .hint = "a commit is 40 hexadecimal digits"});
      return;
    }
    RelatedCommit record{.project = std::string(project),
                         .branch = std::string(Trim(fields[3])),
                         .commit = commit,
                         .origin = std::string(Trim(fields[5])),
                         .where = At(offset(4), fields[4].size())};
    const auto other = std::ranges::find(records_, record.project, &RelatedCommit::project);
    if (other == records_.end()) {
      records_.push_back(std::move(record));
    } else if (other->commit != commit || !SameRepository(other->origin, record.origin)) {
      diagnostics_.Report(
          {.code = "related-commits",
           .message = fmt::format("two records of '{}' contradict each other", project),
           .where = record.where,
           .related = {{.where = other->where, .text = "the other one"}}});
    }
  }

  std::string_view text_;
  FileId file_;
  const std::vector<std::string>& wanted_;
  Diagnostics& diagnostics_;
  std::vector<RelatedCommit> records_;
};

}  // namespace

std::optional<std::vector<RelatedCommit>> ReadRelatedCommits(const SourceManager& sources,
                                                             FileId file,
                                                             const std::vector<std::string>& wanted,
                                                             Diagnostics& diagnostics) {
  return Reader(sources, file, wanted, diagnostics).Read();
}

}  // namespace wheelwright

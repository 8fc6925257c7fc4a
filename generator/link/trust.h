// Trust domains: which roles, buckets and environments a run may reach depends on what started it.
//
// The rows of `domains` in matrix/release.yml say which events may reach what. A path from another
// event to it, through any number of called workflows, is an error. Names count where they stand
// written as a whole, in any value of a workflow. A role or an environment that is put together
// when the run is under way may be any that fits what is written; a bucket that is put together is
// not seen, and without a role nobody writes to one. A step that starts a run of another workflow
// reaches what that run does.
//
// A job that has a role runs on a machine of the role's domain, in an environment of it, as far as
// the matrix lists any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/source.h"
#include "generator/matrix/load.h"
#include "generator/workflow/interface.h"
#include "generator/workflow/model.h"

namespace wheelwright {

enum class MarkKind : std::uint8_t { kRole, kBucket, kEnvironment, kRunner };

class TrustDomains {
 public:
  struct Domain {
    std::string_view name;
    SourceRange where;                       // the row's key
    std::vector<std::string_view> triggers;  // events that may reach it
    std::vector<std::string_view> environments;
    std::vector<std::string_view> runners;
  };
  // A text that belongs to a domain.
  struct Mark {
    MarkKind kind = MarkKind::kRole;
    std::string_view text;
    std::size_t domain = 0;
    std::vector<std::size_t> others;  // domains of a runner beside that one
  };
  struct Found {
    std::uint32_t mark = 0;
    std::size_t offset = 0;
  };

  TrustDomains() = default;
  // Points into the matrix.
  explicit TrustDomains(const Matrix& matrix);

  std::span<const Domain> domains() const { return domains_; }
  std::span<const Mark> marks() const { return marks_; }
  const Domain& DomainOf(std::uint32_t mark) const { return domains_[marks_[mark].domain]; }

  // Roles and buckets that stand in a text as whole words.
  void Find(std::string_view text, std::vector<Found>& found) const;

  bool has_environments() const { return has_environments_; }
  // Some runner may be refused to some event.
  bool has_guarded_runners() const { return has_guarded_runners_; }
  // Runners or environments are listed, so jobs with credentials are held against them.
  bool guards_jobs() const { return has_environments_ || has_runners_; }
  bool has_runners() const { return has_runners_; }

 private:
  // The longest run of word characters in a mark: what a text is searched for.
  struct Anchor {
    std::uint32_t mark = 0;
    std::size_t offset = 0;  // in the mark
  };
  void AddMarks(MarkKind kind, const Node* texts);
  void AddRunners(const Node* table);

  std::vector<Domain> domains_;
  std::vector<Mark> marks_;
  std::unordered_map<std::string_view, std::vector<Anchor>> anchors_;
  std::uint64_t anchor_lengths_ = 0;  // bit i: some anchor has i bytes; the last bit: 63 or more
  std::size_t shortest_ = 0;          // anchor
  bool has_environments_ = false;
  bool has_runners_ = false;
  bool has_guarded_runners_ = false;
};

// Fills in `touches`, `callees` and `trusted_jobs` of the interface of a workflow.
void FindTouches(const Workflow& workflow, const TrustDomains& domains,
                 const SourceManager& sources, WorkflowInterface& interface);

}  // namespace wheelwright

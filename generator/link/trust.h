// Trust domains: the event that starts a run decides which roles, buckets and environments it may
// use.
//
// The rows of `domains` in matrix/release.yml list the allowed events. A path from another event,
// through any number of called workflows, is an error. Names count as whole words in any value of a
// workflow. A role or environment that is computed at run time may be any that matches its literal
// part. Computed buckets are not found, but writing to them needs a role. A step that starts a run
// of another workflow reaches what that run does.
//
// A job with a role must use a runner and an environment of the role's domain, if the matrix lists
// any.
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
  // A name that belongs to a domain.
  struct Mark {
    MarkKind kind = MarkKind::kRole;
    std::string_view text;
    std::size_t domain = 0;
    std::vector<std::size_t> others;  // more domains of a runner
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

  // Finds roles and buckets as whole words in a text.
  void Find(std::string_view text, std::vector<Found>& found) const;

  bool has_environments() const { return has_environments_; }
  // Some runner is not allowed for all events.
  bool has_guarded_runners() const { return has_guarded_runners_; }
  // Runners or environments are listed, so jobs with credentials are checked.
  bool guards_jobs() const { return has_environments_ || has_runners_; }
  bool has_runners() const { return has_runners_; }

 private:
  // The longest run of word characters in a mark, by which texts are searched.
  struct Anchor {
    std::uint32_t mark = 0;
    std::size_t offset = 0;  // in the mark
  };
  void AddMarks(MarkKind kind, const Node* texts);
  void AddRunners(const Node* table);

  std::vector<Domain> domains_;
  std::vector<Mark> marks_;
  std::unordered_map<std::string_view, std::vector<Anchor>> anchors_;
  std::uint64_t anchor_lengths_ = 0;  // bit i: an anchor has i bytes; the last bit: 63 or more
  std::size_t shortest_ = 0;          // anchor
  std::size_t shortest_mark_ = 0;     // of those that texts are searched for
  bool has_environments_ = false;
  bool has_runners_ = false;
  bool has_guarded_runners_ = false;
};

// Fills in `touches`, `callees` and `trusted_jobs` of the interface of a workflow.
void FindTouches(const Workflow& workflow, const TrustDomains& domains,
                 const SourceManager& sources, WorkflowInterface& interface);

}  // namespace wheelwright

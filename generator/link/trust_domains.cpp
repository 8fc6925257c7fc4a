#include <algorithm>
#include <set>
#include <utility>

#include "generator/link/credentials.h"
#include "generator/link/trust.h"

namespace wheelwright {
namespace {

constexpr std::size_t kLongLength = 63;

std::uint64_t LengthBit(std::size_t length) {
  return std::uint64_t{1} << std::min(length, kLongLength);
}

}  // namespace

TrustDomains::TrustDomains(const Matrix& matrix) {
  for (const Entry& row : matrix.domains->entries) {
    Domain& domain = domains_.emplace_back();
    domain.name = row.key->text;
    domain.where = row.key->where;
    for (const Node* trigger : wheelwright::Find(row.value, "triggers")->items) {
      domain.triggers.push_back(trigger->text);
    }
    AddMarks(MarkKind::kRole, wheelwright::Find(row.value, "roles"));
    AddMarks(MarkKind::kBucket, wheelwright::Find(row.value, "buckets"));
    const Node* environments = wheelwright::Find(row.value, "environments");
    for (const Node* one : environments->items) domain.environments.push_back(one->text);
    AddMarks(MarkKind::kEnvironment, environments);
  }
  if (matrix.runners != nullptr) AddRunners(matrix.runners);
}

// Runners for everybody need no mark.
void TrustDomains::AddRunners(const Node* table) {
  for (const Entry& row : table->entries) {
    has_runners_ = true;
    Mark mark{
        .kind = MarkKind::kRunner, .text = row.key->text, .domain = domains_.size(), .others = {}};
    std::set<std::string_view> events;
    for (const Node* name : wheelwright::Find(row.value, "domains")->items) {
      const auto at = std::ranges::find(domains_, name->text, &Domain::name);
      if (at == domains_.end()) continue;  // reported by the matrix
      at->runners.push_back(row.key->text);
      events.insert(at->triggers.begin(), at->triggers.end());
      const auto domain = static_cast<std::size_t>(at - domains_.begin());
      mark.domain == domains_.size() ? void(mark.domain = domain) : mark.others.push_back(domain);
    }
    const bool guarded = std::ranges::any_of(domains_, [&](const Domain& domain) {
      return std::ranges::any_of(domain.triggers,
                                 [&](std::string_view event) { return !events.contains(event); });
    });
    if (!guarded || mark.domain == domains_.size()) continue;
    has_guarded_runners_ = true;
    marks_.push_back(std::move(mark));
  }
}

void TrustDomains::AddMarks(MarkKind kind, const Node* texts) {
  for (const Node* text : texts->items) {
    const auto mark = static_cast<std::uint32_t>(marks_.size());
    marks_.push_back({kind, text->text, domains_.size() - 1, {}});
    if (kind == MarkKind::kEnvironment) {
      has_environments_ = true;
      continue;
    }
    std::string_view longest;
    for (std::size_t at = 0; at < text->text.size(); ++at) {
      std::size_t end = at;
      while (end < text->text.size() && IsNameCharacter(text->text[end])) ++end;
      if (end - at > longest.size()) longest = text->text.substr(at, end - at);
      at = end;
    }
    anchors_[longest].push_back(
        {mark, static_cast<std::size_t>(longest.data() - text->text.data())});
    anchor_lengths_ |= LengthBit(longest.size());
    shortest_mark_ =
        std::min(shortest_mark_ == 0 ? text->text.size() : shortest_mark_, text->text.size());
    shortest_ = shortest_ == 0 ? longest.size() : std::min(shortest_, longest.size());
  }
}

void TrustDomains::Find(std::string_view text, std::vector<Found>& found) const {
  if (shortest_ == 0 || text.size() < shortest_mark_) return;
  // Every word of at least the shortest length covers one of the tested places.
  for (std::size_t at = shortest_ - 1; at < text.size();) {
    if (!IsNameCharacter(text[at])) {
      at += shortest_;
      continue;
    }
    std::size_t begin = at;
    while (begin > 0 && IsNameCharacter(text[begin - 1])) --begin;
    std::size_t end = at + 1;
    while (end < text.size() && IsNameCharacter(text[end])) ++end;
    at = end + shortest_;
    if ((anchor_lengths_ & LengthBit(end - begin)) == 0) continue;
    const auto anchors = anchors_.find(text.substr(begin, end - begin));
    if (anchors == anchors_.end()) continue;
    for (const Anchor& anchor : anchors->second) {
      const std::string_view mark = marks_[anchor.mark].text;
      if (anchor.offset > begin || text.substr(begin - anchor.offset, mark.size()) != mark)
        continue;
      const std::size_t from = begin - anchor.offset;
      if (from > 0 && IsNameCharacter(text[from - 1])) continue;
      const std::size_t behind = from + mark.size();
      if (behind < text.size() && IsNameCharacter(text[behind])) continue;
      found.push_back({anchor.mark, from});
    }
  }
}

}  // namespace wheelwright

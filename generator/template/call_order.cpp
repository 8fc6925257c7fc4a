#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <unordered_map>

#include "base/text.h"
#include "generator/template/template.h"
#include "generator/template/tree.h"

namespace wheelwright {

using template_tree::File;
using template_tree::Piece;

namespace {

// A pattern for the file names of a template: "release_*_packages_*.yml".
std::string GlobOf(const File& file) {
  if (file.file_name->pieces.empty()) return std::string(file.file_name->node->text);
  std::string glob;
  for (const Piece& piece : file.file_name->pieces) {
    piece.code == nullptr ? glob += piece.text : glob += '*';
  }
  return glob;
}

// Computes the depth of calls below each template.
class Ranking {
 public:
  explicit Ranking(std::span<const Instance> instances) {
    for (const Instance& instance : instances) {
      if (templates_.empty() || templates_.back().file != instance.source) {
        templates_.push_back({instance.source, "*" + GlobOf(*instance.source)});
      }
    }
  }

  // The depth of each template; 0 without calls.
  std::unordered_map<const File*, std::size_t> Run() {
    for (const Template& one : templates_) Visit(one);
    return std::move(ranks_);
  }

 private:
  struct Template {
    const File* file;
    std::string uses;  // a glob of values of `uses` that call it
  };

  void Visit(const Template& one) {
    if (!ranks_.emplace(one.file, 0).second) return;
    std::vector<std::string_view> uses;
    std::set<const File*> seen;
    CollectUses(*one.file, uses, seen);
    std::size_t rank = 0;
    for (const Template& other : templates_) {
      const auto calls = [&](std::string_view value) { return MatchesStars(other.uses, value); };
      if (other.file == one.file || std::ranges::none_of(uses, calls)) continue;
      Visit(other);
      rank = std::max(rank, ranks_[other.file] + 1);
    }
    ranks_[one.file] = rank;
  }

  // The values of all `uses` in a file and in the fragments that it includes.
  static void CollectUses(const File& file, std::vector<std::string_view>& uses,
                          std::set<const File*>& seen) {
    if (!seen.insert(&file).second) return;
    CollectUses(*file.root, uses);
    for (const File::Inclusion& inclusion : file.inclusions) {
      CollectUses(*inclusion.fragment, uses, seen);
    }
  }

  static void CollectUses(const Node& node, std::vector<std::string_view>& uses) {
    for (const Node* item : node.items) CollectUses(*item, uses);
    for (const Entry& entry : node.entries) {
      if (entry.key->text == "uses") uses.push_back(entry.value->text);
      CollectUses(*entry.value, uses);
    }
  }

  std::vector<Template> templates_;
  std::unordered_map<const File*, std::size_t> ranks_;
};

}  // namespace

std::vector<std::size_t> CalleesFirst(std::span<const Instance> instances) {
  auto ranks = Ranking(instances).Run();
  std::vector<std::size_t> order(instances.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return ranks[instances[i].source]; });
  return order;
}

}  // namespace wheelwright

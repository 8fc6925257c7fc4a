#include "generator/plan/plan.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

namespace wheelwright {
namespace {

std::string_view NameOf(OutKind kind) {
  switch (kind) {
    case OutKind::kNoRow:
      return "no_row";
    case OutKind::kKnownFailure:
      return "known_failure";
    case OutKind::kGrouped:
      return "grouped";
    case OutKind::kExcluded:
      break;
  }
  return "excluded";
}

// Builds a value piece by piece, as a JsonWriter writes one.
class TreeWriter {
 public:
  TreeWriter(Arena& arena, SourceRange where) : arena_(arena), where_(where) {}

  void Open(NodeKind kind) {
    levels_.push_back({kind, key_, {}, {}});
    key_ = nullptr;
  }
  void Close() {
    Level level = std::move(levels_.back());
    levels_.pop_back();
    Node* node = NewNode(level.kind);
    node->entries = arena_.Copy(std::span<const Entry>(level.entries));
    node->items = arena_.Copy(std::span<const Node* const>(level.items));
    key_ = level.key;
    Add(node);
  }
  void Key(std::string_view key) { key_ = Text(key); }
  void String(std::string_view text) { Add(Text(text)); }
  void Value(const Node& value) { Add(&value); }
  void BooleanAt(std::string_view key, bool value) {
    Key(key);
    Add(MakeBoolean(arena_, value));
  }
  void StringAt(std::string_view key, std::string_view text) {
    Key(key);
    String(text);
  }
  void ListAt(std::string_view key, const std::vector<std::string_view>& texts) {
    Key(key);
    Open(NodeKind::kSequence);
    for (const std::string_view text : texts) String(text);
    Close();
  }
  const Node* made() const { return made_; }

 private:
  struct Level {
    NodeKind kind;
    const Node* key;  // under which it stands
    std::vector<Entry> entries;
    std::vector<const Node*> items;
  };

  Node* NewNode(NodeKind kind) {
    Node* node = arena_.New<Node>();
    node->kind = kind;
    node->where = where_;
    return node;
  }
  // Texts are few and stand in many rows.
  const Node* Text(std::string_view text) {
    const Node*& node = texts_[text];
    if (node == nullptr) {
      Node* made = NewNode(NodeKind::kString);
      made->text = arena_.Copy(text);
      node = made;
    }
    return node;
  }
  void Add(const Node* node) {
    if (levels_.empty()) {
      made_ = node;
    } else if (key_ == nullptr) {
      levels_.back().items.push_back(node);
    } else {
      levels_.back().entries.push_back({std::exchange(key_, nullptr), node});
    }
  }

  Arena& arena_;
  const SourceRange where_;
  const Node* key_ = nullptr;
  const Node* made_ = nullptr;
  std::vector<Level> levels_;
  std::unordered_map<std::string_view, const Node*> texts_;
};

class SetWriter {
 public:
  SetWriter(TreeWriter& tree, const Combos& combos, const ComboSet& set)
      : tree_(tree), combos_(combos), set_(set) {}

  void Write() {
    tree_.Key(set_.name);
    tree_.Open(NodeKind::kMapping);
    WriteRows();
    tree_.Key("builds");
    tree_.Open(NodeKind::kSequence);
    for (std::size_t p = 0; p < set_.platforms.size(); ++p) {
      for (const GfxBuild& build : set_.platforms[p].builds) {
        if (build.in > 0) WriteBuild(p, build);
      }
    }
    tree_.Close();
    tree_.Key("out");
    tree_.Open(NodeKind::kSequence);
    for (const ComboPlatform& platform : set_.platforms) {
      for (const GfxBuild& build : platform.builds) WriteOut(platform, build);
    }
    tree_.Close();
    tree_.Close();
  }

 private:
  // The first combo of each name, which stands for those like it.
  void WriteRows() {
    std::vector<std::pair<std::string_view, const Combo*>> known;
    tree_.Key("rows");
    tree_.Open(NodeKind::kMapping);
    for (const ComboPlatform& platform : set_.platforms) {
      auto& rows = rows_.emplace_back(platform.ids.size(), nullptr);
      for (const Combo& combo : platform.combos) {
        const std::size_t cell = combo.python * platform.torches.size() + combo.torch;
        if (combo.out != nullptr || rows[cell] != nullptr) continue;
        const std::string_view id = platform.IdOf(combo);
        const auto same =
            std::find_if(known.begin(), known.end(), [&](const auto& k) { return k.first == id; });
        rows[cell] = same == known.end() ? &combo : same->second;
        if (same != known.end()) continue;
        known.push_back({id, &combo});
        tree_.Key(id);
        WriteRow(platform, combo);
      }
    }
    tree_.Close();
  }

  void WriteRow(const ComboPlatform& platform, const Combo& combo) {
    tree_.Open(NodeKind::kMapping);
    tree_.StringAt("python", platform.pythons[combo.python].version);
    tree_.StringAt("torch", platform.torches[combo.torch].ref);
    std::vector<std::string_view> taken;
    for (std::size_t i = 0; i < combos_.release_types.size(); ++i) {
      if ((combo.release_types >> i & 1) != 0) taken.push_back(combos_.release_types[i]);
    }
    tree_.ListAt("release_types", taken);
    tree_.BooleanAt("tests", combo.tests);
    if (combo.extras != nullptr) {
      for (const Entry& column : combo.extras->columns) {
        if (column.key->text == "tests") continue;
        tree_.Key(column.key->text);
        tree_.Value(*column.value);
      }
    }
    tree_.Close();
  }

  void WriteBuild(std::size_t platform_at, const GfxBuild& build) {
    const ComboPlatform& platform = set_.platforms[platform_at];
    std::vector<std::string_view> families, ids;
    std::vector<const Combo*> differing;
    for (const GfxMember& member : build.members) families.push_back(member.key);
    for (const Combo& combo : platform.CombosOf(build)) {
      if (combo.out != nullptr) continue;
      ids.push_back(platform.IdOf(combo));
      const Combo& row = *rows_[platform_at][combo.python * platform.torches.size() + combo.torch];
      if (row.tests != combo.tests || row.release_types != combo.release_types ||
          row.extras != combo.extras) {
        differing.push_back(&combo);
      }
    }
    tree_.Open(NodeKind::kMapping);
    tree_.StringAt("platform", platform.name);
    tree_.StringAt("gfx", build.name);
    tree_.StringAt("key", build.key);
    tree_.ListAt("families", families);
    tree_.StringAt("tier", build.tier);
    tree_.Key("runners");
    tree_.Open(NodeKind::kMapping);
    for (const GfxMember& member : build.members) {
      if (!member.runner.empty()) tree_.StringAt(member.key, member.runner);
    }
    tree_.Close();
    tree_.StringAt("promotes", wheelwright::NameOf(build.promotes));
    tree_.ListAt("combos", ids);
    if (!differing.empty()) {
      tree_.Key("differing");
      tree_.Open(NodeKind::kMapping);
      for (const Combo* combo : differing) {
        tree_.Key(platform.IdOf(*combo));
        WriteRow(platform, *combo);
      }
      tree_.Close();
    }
    tree_.Close();
  }

  void WriteOut(const ComboPlatform& platform, const GfxBuild& build) {
    std::vector<const OutReason*> reasons;
    for (const Combo& combo : platform.CombosOf(build)) {
      const bool is_new = std::find(reasons.begin(), reasons.end(), combo.out) == reasons.end();
      if (combo.out != nullptr && is_new) reasons.push_back(combo.out);
    }
    if (build.out != nullptr && reasons.empty()) reasons.push_back(build.out);
    for (const OutReason* reason : reasons) {
      tree_.Open(NodeKind::kMapping);
      tree_.StringAt("platform", platform.name);
      tree_.StringAt("gfx", build.name);
      tree_.StringAt("key", build.key);
      if (reason == build.out) {
        tree_.StringAt("combos", "all");
      } else {
        std::vector<std::string_view> ids;
        for (const Combo& combo : platform.CombosOf(build)) {
          if (combo.out == reason) ids.push_back(platform.IdOf(combo));
        }
        tree_.ListAt("combos", ids);
      }
      tree_.StringAt("kind", NameOf(reason->kind));
      tree_.StringAt("why", reason->text);
      tree_.StringAt("issue", reason->issue);
      tree_.Close();
    }
  }

  TreeWriter& tree_;
  const Combos& combos_;
  const ComboSet& set_;
  std::vector<std::vector<const Combo*>> rows_;  // by platform, by cell of its ids
};

}  // namespace

const Node* PlannedCombos(const Matrix& matrix, const Combos& combos, Arena& arena) {
  TreeWriter tree(arena, matrix.combos->where);
  tree.Open(NodeKind::kMapping);
  for (const ComboSet& set : combos.sets) SetWriter(tree, combos, set).Write();
  tree.Close();
  return tree.made();
}

const Scope* WithPlannedCombos(const Scope* names, const Matrix& matrix, const Combos& combos,
                               Arena& arena) {
  if (!matrix.has_combos) return names;
  const Node* planned = PlannedCombos(matrix, combos, arena);
  return arena.New<Scope>(
      Scope{names, kPlannedCombos, planned, BindingKind::kMatrix, planned->where});
}

}  // namespace wheelwright

#include "generator/plan/plan.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

namespace wheelwright {
namespace {

// The sets that `wheelrun` builds by: platform x gfx x python x torch.
constexpr std::string_view kPlanSets = "combos";

std::string_view NameOf(OutKind kind) {
  switch (kind) {
    case OutKind::kAbsent:
      return "no_row";
    case OutKind::kItself:
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
  SetWriter(TreeWriter& tree, const CellSet& set) : tree_(tree), set_(set) {}

  void Write() {
    tree_.Key(set_.name);
    tree_.Open(NodeKind::kMapping);
    WriteRows();
    tree_.Key("builds");
    tree_.Open(NodeKind::kSequence);
    for (const CellBranch& branch : set_.branches) {
      if (branch.in > 0) WriteBuild(branch);
    }
    tree_.Close();
    tree_.Key("out");
    tree_.Open(NodeKind::kSequence);
    for (const CellBranch& branch : set_.branches) WriteOut(branch);
    tree_.Close();
    tree_.Close();
  }

 private:
  enum Axis : std::size_t { kPlatform, kGfx, kPython, kTorch };

  // The first combo of each name, which stands for those like it.
  void WriteRows() {
    tree_.Key("rows");
    tree_.Open(NodeKind::kMapping);
    for (const CellBranch& branch : set_.branches) {
      for (const Cell& cell : branch.cells) {
        if (cell.out != nullptr || !rows_.emplace(cell.id, &cell).second) continue;
        tree_.Key(cell.id);
        WriteRow(cell);
      }
    }
    tree_.Close();
  }

  void WriteRow(const Cell& cell) {
    tree_.Open(NodeKind::kMapping);
    tree_.StringAt("python", set_.Value(cell, kPython).key);
    tree_.StringAt("torch", set_.Value(cell, kTorch).key);
    tree_.ListAt("release_types", set_.TakersOf(cell));
    tree_.BooleanAt("tests", IsTested(cell));
    if (cell.extras != nullptr) {
      for (const Entry& column : cell.extras->columns) {
        if (column.key->text == "tests") continue;
        tree_.Key(column.key->text);
        tree_.Value(*column.value);
      }
    }
    tree_.Close();
  }

  static bool IsTested(const Cell& cell) {
    const Node* tests = Find(cell.node, "tests");
    return tests != nullptr && tests->is_true();
  }

  void OpenBuild(const CellBranch& branch) {
    const AxisValue& build = set_.Value(branch, kGfx);
    tree_.Open(NodeKind::kMapping);
    tree_.StringAt("platform", set_.Value(branch, kPlatform).key);
    tree_.StringAt("gfx", build.name);
    tree_.StringAt("key", build.key);
  }

  void WriteBuild(const CellBranch& branch) {
    const AxisValue& build = set_.Value(branch, kGfx);
    std::vector<std::string_view> families, ids;
    std::vector<const Cell*> differing;
    for (const AxisMember& member : build.members) families.push_back(member.key);
    for (const Cell& cell : branch.cells) {
      if (cell.out != nullptr) continue;
      ids.push_back(cell.id);
      const Cell& row = *rows_.at(cell.id);
      if (IsTested(row) != IsTested(cell) || row.takers != cell.takers ||
          row.extras != cell.extras) {
        differing.push_back(&cell);
      }
    }
    OpenBuild(branch);
    tree_.ListAt("families", families);
    tree_.StringAt("tier", FindText(build.node, "tier"));
    tree_.Key("runners");
    tree_.Open(NodeKind::kMapping);
    for (const AxisMember& member : build.members) {
      const std::string_view runner = FindText(member.row, "test_runs_on");
      if (!runner.empty()) tree_.StringAt(member.key, runner);
    }
    tree_.Close();
    tree_.StringAt("promotes", FindText(build.node, "promotes"));
    tree_.ListAt("combos", ids);
    if (!differing.empty()) {
      tree_.Key("differing");
      tree_.Open(NodeKind::kMapping);
      for (const Cell* cell : differing) {
        tree_.Key(cell->id);
        WriteRow(*cell);
      }
      tree_.Close();
    }
    tree_.Close();
  }

  void WriteOut(const CellBranch& branch) {
    std::vector<const OutReason*> reasons;
    for (const Cell& cell : branch.cells) {
      const bool is_new = std::find(reasons.begin(), reasons.end(), cell.out) == reasons.end();
      if (cell.out != nullptr && is_new) reasons.push_back(cell.out);
    }
    if (branch.out != nullptr && reasons.empty()) reasons.push_back(branch.out);
    for (const OutReason* reason : reasons) {
      OpenBuild(branch);
      if (reason == branch.out) {
        tree_.StringAt("combos", "all");
      } else {
        std::vector<std::string_view> ids;
        for (const Cell& cell : branch.cells) {
          if (cell.out == reason) ids.push_back(cell.id);
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
  const CellSet& set_;
  std::unordered_map<std::string_view, const Cell*> rows_;
};

}  // namespace

const Node* PlannedCombos(const Matrix& matrix, const Cells& cells, Arena& arena) {
  TreeWriter tree(arena, matrix.combos->where);
  tree.Open(NodeKind::kMapping);
  for (const CellSet& set : cells.sets) {
    if (set.schema->name == kPlanSets) SetWriter(tree, set).Write();
  }
  tree.Close();
  return tree.made();
}

const Scope* WithPlannedCombos(const Scope* names, const Matrix& matrix, const Cells& cells,
                               Arena& arena) {
  if (!matrix.has_combos) return names;
  const Node* planned = PlannedCombos(matrix, cells, arena);
  return arena.New<Scope>(
      Scope{names, kPlannedCombos, planned, BindingKind::kMatrix, planned->where});
}

}  // namespace wheelwright

#include "generator/plan/plan.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "generator/expression/json_writer.h"

namespace wheelwright {
namespace {

using Layout = JsonWriter::Layout;

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

// The rows of `torch` with the name of their source in place of the row, which several refs share.
void WriteTorch(JsonWriter& json, const Matrix& matrix) {
  json.Key("torch");
  json.Open('{', Layout::kBlock);
  for (const Entry& torch : matrix.torch->entries) {
    json.Key(torch.key->text);
    json.Open('{', Layout::kInline);
    for (const Entry& column : torch.value->entries) {
      json.Key(column.key->text);
      const auto same = [&](const Entry& source) {
        return SameContent(*source.value, *column.value);
      };
      const auto& sources = matrix.torch_sources->entries;
      const auto source = std::find_if(sources.begin(), sources.end(), same);
      if (column.key->text == "source" && source != sources.end()) {
        json.String(source->key->text);
      } else {
        json.Value(*column.value);
      }
    }
    json.Close();
  }
  json.Close();
}

class SetWriter {
 public:
  SetWriter(JsonWriter& json, const CellSet& set) : json_(json), set_(set) {}

  void Write() {
    json_.Key(set_.name);
    json_.Open('{', Layout::kBlock);
    WriteRows();
    json_.Key("builds");
    json_.Open('[', Layout::kBlock);
    for (const CellBranch& branch : set_.branches) {
      if (branch.in > 0) WriteBuild(branch);
    }
    json_.Close();
    json_.Key("out");
    json_.Open('[', Layout::kBlock);
    for (const CellBranch& branch : set_.branches) WriteOut(branch);
    json_.Close();
    json_.Close();
  }

 private:
  enum Axis : std::size_t { kPlatform, kGfx, kPython, kTorch };

  // The first combo of each name, which stands for those like it.
  void WriteRows() {
    json_.Key("rows");
    json_.Open('{', Layout::kBlock);
    for (const CellBranch& branch : set_.branches) {
      for (const Cell& cell : branch.cells) {
        if (cell.out != nullptr || !rows_.emplace(cell.id, &cell).second) continue;
        json_.Key(cell.id);
        WriteRow(cell);
      }
    }
    json_.Close();
  }

  void WriteRow(const Cell& cell) {
    json_.Open('{', Layout::kInline);
    json_.StringAt("python", set_.Value(cell, kPython).key);
    json_.StringAt("torch", set_.Value(cell, kTorch).key);
    json_.ListAt("release_types", set_.TakersOf(cell));
    json_.Key("tests");
    json_.Boolean(IsTested(cell));
    if (cell.extras != nullptr) {
      for (const Entry& column : cell.extras->columns) {
        if (column.key->text == "tests") continue;
        json_.Key(column.key->text);
        json_.Value(*column.value);
      }
    }
    json_.Close();
  }

  static bool IsTested(const Cell& cell) {
    const Node* tests = Find(cell.node, "tests");
    return tests != nullptr && tests->is_true();
  }

  void OpenBuild(const CellBranch& branch) {
    const AxisValue& build = set_.Value(branch, kGfx);
    json_.Open('{', Layout::kInline);
    json_.StringAt("platform", set_.Value(branch, kPlatform).key);
    json_.StringAt("gfx", build.name);
    json_.StringAt("key", build.key);
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
    json_.ListAt("families", families);
    json_.StringAt("tier", FindText(build.node, "tier"));
    json_.Key("runners");
    json_.Open('{', Layout::kInline);
    for (const AxisMember& member : build.members) {
      const std::string_view runner = FindText(member.row, "test_runs_on");
      if (!runner.empty()) json_.StringAt(member.key, runner);
    }
    json_.Close();
    json_.StringAt("promotes", FindText(build.node, "promotes"));
    json_.ListAt("combos", ids);
    if (!differing.empty()) {
      json_.Key("differing");
      json_.Open('{', Layout::kInline);
      for (const Cell* cell : differing) {
        json_.Key(cell->id);
        WriteRow(*cell);
      }
      json_.Close();
    }
    json_.Close();
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
        json_.StringAt("combos", "all");
      } else {
        std::vector<std::string_view> ids;
        for (const Cell& cell : branch.cells) {
          if (cell.out == reason) ids.push_back(cell.id);
        }
        json_.ListAt("combos", ids);
      }
      json_.StringAt("kind", NameOf(reason->kind));
      json_.StringAt("why", reason->text);
      json_.StringAt("issue", reason->issue);
      json_.Close();
    }
  }

  JsonWriter& json_;
  const CellSet& set_;
  std::unordered_map<std::string_view, const Cell*> rows_;
};

}  // namespace

std::string MakePlan(const Matrix& matrix, const Cells& cells) {
  JsonWriter json;
  json.Open('{', Layout::kBlock);
  json.StringAt("generated_by", kPlanMark);
  json.NumberAt("format", kPlanFormat);
  const auto table = [&](std::string_view name, const Node* value, int levels) {
    json.Key(name);
    json.Value(*value, levels);
  };
  table("settings", matrix.settings, 0);
  table("platforms", matrix.platforms, 1);
  table("tiers", matrix.tiers, 1);
  table("families", matrix.families, 2);
  table("target_groups", matrix.target_groups, 1);
  table("triggers", matrix.triggers, 1);
  table("labels", matrix.labels, 1);
  table("paths", matrix.paths, 1);
  table("test_types", matrix.test_types, 1);
  table("tests", matrix.tests, 0);
  WriteTorch(json, matrix);
  table("projects", matrix.projects, 1);
  table("torch_sources", matrix.torch_sources, 2);
  table("torch_features", matrix.torch_features, 1);
  table("rocm_preloads", matrix.rocm_preloads, 1);
  table("test_levels", matrix.test_levels, 1);
  table("test_skips", matrix.test_skips, 1);
  table("hip_known_failures", matrix.hip_known_failures, 1);
  table("release_types", matrix.release_types, 1);
  table("indexes", matrix.indexes, 1);
  table("mirror", matrix.mirror, 0);
  table("dependencies", matrix.dependencies, 1);
  table("domains", matrix.domains, 1);
  table("promotion", matrix.promotion, 1);
  table("artifact_buckets", matrix.artifact_buckets, 1);
  json.Key("limits");
  json.Open('{', Layout::kInline);
  for (const LimitField& field : kLimitFields)
    json.NumberAt(field.name, matrix.limits.*field.member);
  json.Close();
  json.Key("combos");
  json.Open('{', Layout::kBlock);
  for (const CellSet& set : cells.sets) {
    if (set.schema->name == kPlanSets) SetWriter(json, set).Write();
  }
  json.Close();
  json.Close();
  return json.Take() + '\n';
}

}  // namespace wheelwright

#include "generator/plan/plan.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "generator/expression/json_writer.h"

namespace wheelwright {
namespace {

using Layout = JsonWriter::Layout;

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

// The rows of `torch` with the name of their source in place of the row, which several refs share.
void WriteTorch(JsonWriter& json, const Matrix& matrix) {
  json.Key("torch");
  json.Open('{', Layout::kBlock);
  for (const Entry& torch : Find(matrix.written, "torch")->entries) {
    json.Key(torch.key->text);
    json.Open('{', Layout::kInline);
    for (const Entry& column : torch.value->entries) {
      json.Key(column.key->text);
      const auto same = [&](const Entry& source) {
        return SameContent(*source.value, *column.value);
      };
      const auto& sources = Find(matrix.written, "torch_sources")->entries;
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
  SetWriter(JsonWriter& json, const Combos& combos, const ComboSet& set)
      : json_(json), combos_(combos), set_(set) {}

  void Write() {
    json_.Key(set_.name);
    json_.Open('{', Layout::kBlock);
    WriteRows();
    json_.Key("builds");
    json_.Open('[', Layout::kBlock);
    for (std::size_t p = 0; p < set_.platforms.size(); ++p) {
      for (const GfxBuild& build : set_.platforms[p].builds) {
        if (build.in > 0) WriteBuild(p, build);
      }
    }
    json_.Close();
    json_.Key("out");
    json_.Open('[', Layout::kBlock);
    for (const ComboPlatform& platform : set_.platforms) {
      for (const GfxBuild& build : platform.builds) WriteOut(platform, build);
    }
    json_.Close();
    json_.Close();
  }

 private:
  // The first combo of each name, which stands for those like it.
  void WriteRows() {
    std::vector<std::pair<std::string_view, const Combo*>> known;
    json_.Key("rows");
    json_.Open('{', Layout::kBlock);
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
        json_.Key(id);
        WriteRow(platform, combo);
      }
    }
    json_.Close();
  }

  void WriteRow(const ComboPlatform& platform, const Combo& combo) {
    json_.Open('{', Layout::kInline);
    json_.StringAt("python", platform.pythons[combo.python].version);
    json_.StringAt("torch", platform.torches[combo.torch].ref);
    std::vector<std::string_view> taken;
    for (std::size_t i = 0; i < combos_.release_types.size(); ++i) {
      if ((combo.release_types >> i & 1) != 0) taken.push_back(combos_.release_types[i]);
    }
    json_.ListAt("release_types", taken);
    json_.Key("tests");
    json_.Boolean(combo.tests);
    if (combo.extras != nullptr) {
      for (const Entry& column : combo.extras->columns) {
        if (column.key->text == "tests") continue;
        json_.Key(column.key->text);
        json_.Value(*column.value);
      }
    }
    json_.Close();
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
    json_.Open('{', Layout::kInline);
    json_.StringAt("platform", platform.name);
    json_.StringAt("gfx", build.name);
    json_.StringAt("key", build.key);
    json_.ListAt("families", families);
    json_.StringAt("tier", build.tier);
    json_.Key("runners");
    json_.Open('{', Layout::kInline);
    for (const GfxMember& member : build.members) {
      if (!member.runner.empty()) json_.StringAt(member.key, member.runner);
    }
    json_.Close();
    json_.StringAt("promotes", wheelwright::NameOf(build.promotes));
    json_.ListAt("combos", ids);
    if (!differing.empty()) {
      json_.Key("differing");
      json_.Open('{', Layout::kInline);
      for (const Combo* combo : differing) {
        json_.Key(platform.IdOf(*combo));
        WriteRow(platform, *combo);
      }
      json_.Close();
    }
    json_.Close();
  }

  void WriteOut(const ComboPlatform& platform, const GfxBuild& build) {
    std::vector<const OutReason*> reasons;
    for (const Combo& combo : platform.CombosOf(build)) {
      const bool is_new = std::find(reasons.begin(), reasons.end(), combo.out) == reasons.end();
      if (combo.out != nullptr && is_new) reasons.push_back(combo.out);
    }
    if (build.out != nullptr && reasons.empty()) reasons.push_back(build.out);
    for (const OutReason* reason : reasons) {
      json_.Open('{', Layout::kInline);
      json_.StringAt("platform", platform.name);
      json_.StringAt("gfx", build.name);
      json_.StringAt("key", build.key);
      if (reason == build.out) {
        json_.StringAt("combos", "all");
      } else {
        std::vector<std::string_view> ids;
        for (const Combo& combo : platform.CombosOf(build)) {
          if (combo.out == reason) ids.push_back(platform.IdOf(combo));
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
  const Combos& combos_;
  const ComboSet& set_;
  std::vector<std::vector<const Combo*>> rows_;  // by platform, by cell of its ids
};

}  // namespace

std::string MakePlan(const Matrix& matrix, const Combos& combos) {
  JsonWriter json;
  json.Open('{', Layout::kBlock);
  json.StringAt("generated_by", kPlanMark);
  json.NumberAt("format", kPlanFormat);
  const auto table = [&](std::string_view name, int levels) {
    json.Key(name);
    json.Value(*Find(matrix.written, name), levels);
  };
  table("settings", 0);
  table("platforms", 1);
  table("tiers", 1);
  table("families", 2);
  table("target_groups", 1);
  table("triggers", 1);
  table("labels", 1);
  table("paths", 1);
  table("test_types", 1);
  table("tests", 0);
  WriteTorch(json, matrix);
  table("projects", 1);
  table("torch_sources", 2);
  table("torch_features", 1);
  table("rocm_preloads", 1);
  table("test_levels", 1);
  table("test_skips", 1);
  table("hip_known_failures", 1);
  table("release_types", 1);
  table("indexes", 1);
  table("mirror", 0);
  table("dependencies", 1);
  table("domains", 1);
  table("promotion", 1);
  table("artifact_buckets", 1);
  json.Key("limits");
  json.Open('{', Layout::kInline);
  for (const LimitField& field : kLimitFields)
    json.NumberAt(field.name, matrix.limits.*field.member);
  json.Close();
  json.Key("combos");
  json.Open('{', Layout::kBlock);
  for (const ComboSet& set : combos.sets) SetWriter(json, combos, set).Write();
  json.Close();
  json.Close();
  return json.Take() + '\n';
}

}  // namespace wheelwright

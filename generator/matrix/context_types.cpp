// The types of what MakeContext() makes.
#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "generator/matrix/context.h"
#include "generator/matrix/types_of_schema.h"

namespace wheelwright {
namespace {

using Properties = std::vector<Property>;

constexpr ExprType kText = TypeKind::kText;
constexpr std::array<std::string_view, 3> kPromotes = {"tests", "bypass", "never"};

class ContextTypes {
 public:
  ContextTypes(const Matrix& matrix, const Combos& combos, TypePool& pool)
      : matrix_(matrix),
        combos_(combos),
        pool_(pool),
        schema_(matrix.schema, matrix.tables, pool) {}

  Properties All() {
    Properties names = schema_.OfTables();
    for (const std::string_view name : {"actions", "images", "limits"}) Texts(names, name);
    if (!matrix_.has_combos) return names;
    Families(names);
    std::erase_if(names, [](const Property& name) { return name.name == "combos"; });
    names.push_back({"combo_sets", ComboSets()});
    return names;
  }

 private:
  static ExprType& TypeIn(Properties& names, std::string_view name) {
    return std::ranges::find(names, name, &Property::name)->type;
  }

  // Tables of which templates see one value a row.
  void Texts(Properties& names, std::string_view table) {
    ExprType& type = TypeIn(names, table);
    const ExprType value = table == "limits" ? TypeKind::kNumber : TypeKind::kText;
    Properties keys(type.properties.begin(), type.properties.end());
    for (Property& key : keys) key.type = value;
    type = pool_.RowOf(keys);
    type.item = pool_.TableOf(value).item;
  }

  const Type& RowIn(std::string_view table) const {
    return schema_.FindTable(table)->type.parts[1];
  }

  void Families(Properties& names) {
    const Type& family = RowIn("families");
    const ExprType key = schema_.KeyOf("families");
    const Properties in_family{{"key", key},
                               {"platforms", pool_.ListOf(schema_.KeyOf("platforms"))}};
    const ExprType row = schema_.RowOf(family, in_family);
    TypeIn(names, "families") = pool_.ListOf(row);
    const ExprType tier = std::ranges::find(row.properties, "tier", &Property::name)->type;
    // What a family is on any of the platforms.
    there_ = TypeKind::kNull;
    for (const Entry& platform : matrix_.platforms->entries) {
      const auto column = std::ranges::find(family.columns, platform.key->text, &Column::name);
      if (column == family.columns.end()) continue;
      const Properties in_member{{"key", key}, {"name", kText}, {"tier", tier}};
      there_ = pool_.EitherOf(there_, schema_.RowOf(column->type, in_member));
    }
    there_.or_nothing = false;
    TypeIn(names, "platforms") = pool_.ListOf(Platform(there_));
  }

  ExprType Platform(const ExprType& family) {
    const Properties more{{"name", schema_.KeyOf("platforms")}, {"families", pool_.ListOf(family)}};
    return schema_.RowOf(RowIn("platforms"), more);
  }

  ExprType ComboSets() {
    const ExprType promotes = pool_.TextOf(kPromotes, true);
    const Property ref{"ref", schema_.KeyOf("torch")};
    const ExprType torch = schema_.RowOf(RowIn("torch"), {&ref, 1});
    Properties combo{{"id", kText},
                     {"label", kText},
                     {"python", kText},
                     {"python_id", kText},
                     {"torch", ref.type},
                     {"torch_id", kText},
                     {"source", torch},
                     {"release_types", pool_.ListOf(schema_.KeyOf("release_types"))},
                     {"tests", TypeKind::kBoolean},
                     {"promotes", promotes}};
    for (const ExtraColumns& extra : combos_.extras) {
      for (const Entry& column : extra.columns) {
        const std::string_view name = column.key->text;
        const auto same = std::ranges::find(combo, name, &Property::name);
        if (same == combo.end()) combo.push_back({name, TypeKind::kAny});
      }
    }
    const Properties test{{"name", kText}, {"key", kText}, {"runs_on", kText}, {"suffix", kText}};
    Properties build{{"key", kText},
                     {"name", kText},
                     {"title", kText},
                     {"tier", kText},
                     {"families", pool_.ListOf(there_)},
                     {"tests", pool_.ListOf(pool_.RowOf(test, false, "a test"))},
                     {"promotes", promotes},
                     {"combos", pool_.ListOf(pool_.RowOf(combo, false, "a combo"))}};
    for (const Property& column : there_.properties) {
      if (std::ranges::find(build, column.name, &Property::name) == build.end()) {
        build.push_back(column);
      }
    }
    const ExprType platform = Platform(pool_.RowOf(build, false, "a build"));
    Properties sets;
    for (const Entry& set : matrix_.combos->entries) {
      const Properties columns{{"name", kText}, {"platforms", pool_.ListOf(platform)}};
      sets.push_back({set.key->text, pool_.RowOf(columns, false, "a set of combos")});
    }
    ExprType all = pool_.RowOf(sets);
    if (!sets.empty()) all.item = pool_.TableOf(sets[0].type).item;
    return all;
  }

  const Matrix& matrix_;
  const Combos& combos_;
  TypePool& pool_;
  TypesOfSchema schema_;
  ExprType there_;
};

}  // namespace

std::vector<Property> TypesOfContext(const Matrix& matrix, const Combos& combos, TypePool& pool) {
  return ContextTypes(matrix, combos, pool).All();
}

}  // namespace wheelwright

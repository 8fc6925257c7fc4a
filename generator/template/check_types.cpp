#include "generator/template/check_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "generator/expression/template_types.h"
#include "generator/yaml/text_places.h"

namespace wheelwright::template_tree {
namespace {

// The names of the matrix, and those bound at the current place.
class BoundTypes : public TypedNames {
 public:
  explicit BoundTypes(std::span<const Property> matrix) : matrix_(matrix) {}

  const ExprType* Find(std::string_view name) const override {
    for (auto bound = bound_.rbegin(); bound != bound_.rend(); ++bound) {
      if (bound->name == name) return &bound->type;
    }
    const auto at = std::ranges::find(matrix_, name, &Property::name);
    return at == matrix_.end() ? &any_ : &at->type;
  }
  std::vector<std::string_view> Visible() const override { return {}; }

  void Bind(const Name& name, const ExprType& type) { bound_.push_back({name.text, type}); }
  std::size_t Mark() const { return bound_.size(); }
  void Leave(std::size_t mark) { bound_.resize(mark); }

 private:
  std::span<const Property> matrix_;
  std::vector<Property> bound_;
  ExprType any_;
};

class TypeWalk {
 public:
  TypeWalk(bool all_includes_known, std::span<const Property> matrix, const SourceManager& sources,
           Diagnostics& diagnostics)
      : all_includes_known_(all_includes_known),
        sources_(sources),
        diagnostics_(diagnostics),
        bound_(matrix),
        types_(bound_, sources, pool_, diagnostics) {}

  void CheckFile(const File& file) {
    if (file.fragment) BindParameters(file);
    for (const Loop& loop : file.loops) BindLoop(loop);
    if (file.condition != nullptr) TypeOf(*file.condition);
    for (const Argument& let : file.lets) bound_.Bind(let.name, TypeOf(*let.value));
    if (file.file_name != nullptr) CheckText(*file.file_name);
    Walk(file.body.members, nullptr);
    bound_.Leave(0);
  }

 private:
  // The type of a mapping or list of the template that is bound to a name.
  struct Shape {
    std::vector<Property> properties;
    bool open = false;  // keys that are computed or come from a fragment
    std::optional<ExprType> item;
  };

  void BindParameters(const File& file) {
    for (const Parameter& parameter : file.parameters) {
      std::optional<ExprType> type;
      const auto given = given_.find({&file, parameter.name.text});
      if (given != given_.end()) type = given->second;
      if (parameter.default_value != nullptr) {
        const ExprType standard = TypeOf(*parameter.default_value);
        type = type ? pool_.EitherOf(*type, standard) : standard;
      }
      const bool known = type && all_includes_known_;
      parameters_.push_back({parameter.name.text, known ? *type : ExprType(TypeKind::kAny)});
    }
    // Defaults do not see the other arguments.
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      bound_.Bind(file.parameters[i].name, parameters_[i].type);
    }
    parameters_.clear();
  }

  ExprType TypeOf(const Code& code) {
    if (code.root == nullptr) return TypeKind::kAny;
    return types_.Check(*code.root, *code.scalar, code.offset);
  }

  void CheckText(const Value& value) {
    for (const Piece& piece : value.pieces) {
      if (piece.code == nullptr || piece.code->root == nullptr) continue;
      types_.CheckText(*piece.code->root, *piece.code->scalar, piece.code->offset);
    }
  }

  // Checks a value whose type is not needed.
  void Check(const Value& value) {
    if (value.kind == ValueKind::kWhole) TypeOf(*value.pieces[0].code);
    if (value.kind == ValueKind::kJoined) CheckText(value);
    Walk(value.members, nullptr);
  }

  ExprType TypeOf(const Value& value) {
    switch (value.kind) {
      case ValueKind::kShared:
        return pool_.OfNode(*value.node);
      case ValueKind::kWhole:
        return TypeOf(*value.pieces[0].code);
      case ValueKind::kJoined:
        CheckText(value);
        return TypeKind::kText;
      case ValueKind::kMapping:
      case ValueKind::kSequence:
        break;
    }
    Shape shape;
    Walk(value.members, &shape);
    if (value.kind == ValueKind::kMapping) return pool_.RowOf(shape.properties, shape.open);
    return shape.item ? pool_.ListOf(*shape.item) : ExprType(TypeKind::kList);
  }

  void Walk(std::span<const Member* const> members, Shape* shape) {
    const std::size_t mark = bound_.Mark();
    for (const Member* member : members) {
      switch (member->kind) {
        case MemberKind::kPlain:
          WalkPlain(*member, shape);
          break;
        case MemberKind::kFor: {
          const std::size_t outside = bound_.Mark();
          BindLoop({member->name, member->second, member->list});
          Walk(member->body, shape);
          bound_.Leave(outside);
          break;
        }
        case MemberKind::kIf:
          for (const Branch& branch : member->branches) {
            if (branch.condition != nullptr) TypeOf(*branch.condition);
            Walk(branch.body, shape);
          }
          break;
        case MemberKind::kLet:
          bound_.Bind(member->name, TypeOf(*member->value));
          break;
        case MemberKind::kInclude:
          WalkInclude(*member);
          if (shape != nullptr) {
            shape->open = true;
            shape->item = ExprType(TypeKind::kAny);
          }
          break;
      }
    }
    bound_.Leave(mark);
  }

  void WalkPlain(const Member& member, Shape* shape) {
    if (member.key != nullptr) CheckText(*member.key);
    if (shape == nullptr) return Check(*member.value);
    const ExprType type = TypeOf(*member.value);
    if (member.key == nullptr) {
      shape->item = shape->item ? pool_.EitherOf(*shape->item, type) : type;
    } else if (member.key->kind != ValueKind::kShared) {
      shape->open = true;
    } else {
      const std::string_view name = member.key->node->text;
      const auto same = std::ranges::find(shape->properties, name, &Property::name);
      if (same == shape->properties.end()) {
        shape->properties.push_back({name, type});
      } else {
        same->type = pool_.EitherOf(same->type, type);
      }
    }
  }

  void WalkInclude(const Member& member) {
    for (const Argument& argument : member.arguments) {
      const ExprType type = TypeOf(*argument.value);
      const auto [at, is_first] = given_.try_emplace({member.fragment, argument.name.text}, type);
      if (!is_first) at->second = pool_.EitherOf(at->second, type);
    }
  }

  void BindLoop(const Loop& loop) {
    const ExprType list = TypeOf(*loop.list);
    const bool two = !loop.second.text.empty();
    ExprType first, item;
    if (list.kind == TypeKind::kList) {
      first = TypeKind::kNumber;
      if (list.item != nullptr) item = *list.item;
    } else if (list.kind == TypeKind::kObject && two) {
      first = KeysOf(list);
      if (list.item != nullptr) item = *list.item;
    } else if (list.kind != TypeKind::kAny) {
      ReportNoList(*loop.list, list.kind);
    }
    if (two) bound_.Bind(loop.name, first);
    bound_.Bind(two ? loop.second : loop.name, item);
  }

  ExprType KeysOf(const ExprType& mapping) {
    if (mapping.properties.empty() || mapping.open) return TypeKind::kText;
    std::vector<std::string_view> names;
    for (const Property& property : mapping.properties) names.push_back(property.name);
    return pool_.TextOf(names, false);
  }

  void ReportNoList(const Code& list, TypeKind kind) {
    Diagnostic diagnostic;
    diagnostic.code = "not-a-list";
    diagnostic.where = TextPlaces(sources_).Locate(*list.scalar, list.offset + list.root->begin,
                                                   list.root->end - list.root->begin);
    diagnostic.message = fmt::format("a loop needs a list, found {}", types_.Describe(kind));
    if (kind == TypeKind::kObject) {
      diagnostic.hint = "write `for key, value in` to iterate over a mapping";
    }
    diagnostics_.Report(std::move(diagnostic));
  }

  const bool all_includes_known_;
  const SourceManager& sources_;
  Diagnostics& diagnostics_;
  TypePool pool_;
  BoundTypes bound_;
  TemplateTypes types_;
  std::vector<Property> parameters_;  // of the fragment whose head is checked
  // The arguments of fragments, by their names.
  std::map<std::pair<const File*, std::string_view>, ExprType> given_;
};

}  // namespace

void CheckTypes(std::span<File* const> files, bool all_includes_known,
                std::span<const Property> matrix, const SourceManager& sources,
                Diagnostics& diagnostics) {
  TypeWalk walk(all_includes_known, matrix, sources, diagnostics);
  for (const File* file : files) walk.CheckFile(*file);
}

}  // namespace wheelwright::template_tree

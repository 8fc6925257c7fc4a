// Checks the types of `$[[ ]]` expressions before they are evaluated.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "generator/expression/infer.h"
#include "generator/expression/type_pool.h"

namespace wheelwright {

// The names that an expression can use.
class TypedNames {
 public:
  virtual ~TypedNames() = default;
  // Null for an unknown name.
  virtual const ExprType* Find(std::string_view name) const = 0;
  // All names that Find() knows, innermost first.
  virtual std::vector<std::string_view> Visible() const = 0;
};

// Reports errors that do not depend on values: unknown names (unknown-name), functions
// (template-expression) and columns (unknown-property), and wrong types (expression-type,
// function-arguments). Reports nothing about unknown types.
class TemplateTypes : public TypeInference {
 public:
  // All references must outlive this object.
  TemplateTypes(const TypedNames& names, const SourceManager& sources, TypePool& pool,
                Diagnostics& diagnostics)
      : TypeInference(TemplateFunctions(), Rules::kTemplate),
        names_(names),
        sources_(sources),
        pool_(pool),
        diagnostics_(diagnostics) {}

  // `offset`: the start of the parsed text in the scalar's text.
  ExprType Check(const Expr& expr, const Node& scalar, std::size_t offset);
  // The same for a value that becomes part of a text (not-text).
  void CheckText(const Expr& expr, const Node& scalar, std::size_t offset);

 private:
  ExprType TypeOfName(const Expr& name, Path path) override;
  void CheckCall(const Expr& call, const Function* function,
                 std::span<const ExprType> arguments) override;
  void ReportUnknownProperty(const Segment& segment, ExprType object) override;
  void ReportNoProperties(const Segment& segment, ExprType value) override;
  ExprType TypeOfLogical(const Expr& expr) override;
  ExprType TypeOfResult(const Function& function, std::span<const ExprType> arguments) override;
  ExprType TypeOfItems(const ExprType& item) override;
  ExprType TypeOfPart(const ExprType& object, const ExprType& index) override;
  std::optional<Diagnostic> BeginAt(std::size_t offset, std::size_t length,
                                    std::string_view code) override;
  void Finish(Diagnostic diagnostic) override;

  const TypedNames& names_;
  const SourceManager& sources_;
  TypePool& pool_;
  Diagnostics& diagnostics_;
  const Node* scalar_ = nullptr;
  std::size_t offset_ = 0;
};

}  // namespace wheelwright

// The types of `$[[ ]]` expressions, checked before any of them is evaluated.
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
  // Null for a name that is not there.
  virtual const ExprType* Find(std::string_view name) const = 0;
  // All that Find() would find, the innermost first.
  virtual std::vector<std::string_view> Visible() const = 0;
};

// Reports what is wrong whatever the values are: unknown names (unknown-name), functions
// (template-expression), columns (unknown-property), and types that do not fit (expression-type,
// function-arguments). Where a type is not known nothing is reported.
class TemplateTypes : public TypeInference {
 public:
  // All must outlive this.
  TemplateTypes(const TypedNames& names, const SourceManager& sources, TypePool& pool,
                Diagnostics& diagnostics)
      : TypeInference(TemplateFunctions(), Rules::kTemplate),
        names_(names),
        sources_(sources),
        pool_(pool),
        diagnostics_(diagnostics) {}

  // `offset`: where the text that was parsed begins in the scalar's text.
  ExprType Check(const Expr& expr, const Node& scalar, std::size_t offset);
  // The same where the value becomes part of a text (not-text).
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

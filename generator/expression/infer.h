// The type of an expression, inferred without evaluating it: one walk for `${{ }}` and `$[[ ]]`.
//
// A language derives from TypeInference: it says what names stand for, and what it reports.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "generator/expression/ast.h"
#include "generator/expression/functions.h"
#include "generator/expression/type.h"

namespace wheelwright {

ExprType TypeOfLiteral(const Node& literal);

class TypeInference {
 public:
  TypeInference(const TypeInference&) = delete;
  TypeInference& operator=(const TypeInference&) = delete;
  virtual ~TypeInference() = default;

  ExprType TypeOf(const Expr& expr);

 protected:
  // A step from an object to a part of it: `.name`, `['name']`, `.*`, `[...]`.
  struct Segment {
    const Expr* expr;
    std::optional<std::string_view> name;  // nothing: any item
  };
  using Path = std::span<const Segment>;

  explicit TypeInference(std::span<const Function> functions) : functions_(functions) {}

  // What a path gives that starts at a value of this type. Reports the first wrong step.
  ExprType Follow(ExprType from, Path path);
  // The property of that name, ignoring case, or null.
  static const Property* FindProperty(std::span<const Property> properties, std::string_view name);

  // The type of a name followed by a path.
  virtual ExprType TypeOfName(const Expr& name, Path path) = 0;
  virtual void CheckComparison(const Expr& expr, ExprType left, ExprType right) = 0;
  // `function` is null where there is none of that name.
  virtual void CheckCall(const Expr& call, const Function* function,
                         std::span<const ExprType> arguments) = 0;
  virtual void ReportUnknownProperty(const Segment& segment, ExprType object) = 0;
  virtual void ReportNoProperties(const Segment& segment, ExprType scalar) = 0;

 private:
  ExprType TypeOfBinary(const Expr& expr);
  ExprType TypeOfCall(const Expr& expr);
  ExprType TypeOfPath(const Expr& expr);

  std::span<const Function> functions_;
};

}  // namespace wheelwright

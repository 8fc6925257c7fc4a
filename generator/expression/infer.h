// Infers the type of an expression without evaluating it, and reports errors that do not depend on
// values; for both `${{ }}` and `$[[ ]]`.
//
// Each language derives a class from TypeInference, which resolves names and takes the reports.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
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
  std::string_view Describe(TypeKind kind) const;  // "a list"

 protected:
  enum class Rules {
    kGithub,    // names ignore case; missing properties are null
    kTemplate,  // names are case-sensitive; missing properties are errors
  };

  // A step from an object to a part of it: `.name`, `['name']`, `.*`, `[...]`.
  struct Segment {
    const Expr* expr;
    std::optional<std::string_view> name;  // nothing: any item
    ExprType index{};                      // of a kIndex: the type of the index
  };
  using Path = std::span<const Segment>;

  // Comparisons that are always true are a likely mistake only.
  bool lax_ = false;

  TypeInference(std::span<const Function> functions, Rules rules)
      : functions_(functions), rules_(rules) {}

  // The type at the end of a path from a value of this type. Reports the first wrong step.
  ExprType Follow(ExprType from, Path path);

  // The type of a name followed by a path.
  virtual ExprType TypeOfName(const Expr& name, Path path) = 0;
  // `function` is null if the name is unknown.
  virtual void CheckCall(const Expr& call, const Function* function,
                         std::span<const ExprType> arguments) = 0;
  virtual void ReportUnknownProperty(const Segment& segment, ExprType object) = 0;
  // For a scalar; with kTemplate also for null and a list.
  virtual void ReportNoProperties(const Segment& segment, ExprType value) = 0;

  // The result types, if the language knows more than the kind.
  virtual ExprType TypeOfLogical(const Expr& expr);
  virtual ExprType TypeOfResult(const Function& function, std::span<const ExprType> arguments);
  virtual ExprType TypeOfItems(const ExprType& item);                          // `.*`
  virtual ExprType TypeOfPart(const ExprType& object, const ExprType& index);  // object[index]

  // Starts a report about a part of the expression; nothing if it was already made.
  virtual std::optional<Diagnostic> BeginAt(std::size_t offset, std::size_t length,
                                            std::string_view code) = 0;
  virtual void Finish(Diagnostic diagnostic) = 0;
  std::optional<Diagnostic> Begin(const Expr& at, std::string_view code);
  std::optional<Diagnostic> BeginWhole(const Expr& at, std::string_view code);
  void Report(const Expr& at, std::string_view code, std::string message, std::string hint = {});

  // Checks the arguments of a call that has the right number of them.
  void CheckArguments(const Expr& call, const Function& function, std::span<const ExprType> types);

  // The source text of a part of the expression, plain and in quotes.
  std::string_view Written(const Expr& expr) const;
  std::string Quoted(const Expr& expr) const;

  std::string_view text_;  // the expression, for messages

 private:
  ExprType TypeOfBinary(const Expr& expr);
  ExprType TypeOfCall(const Expr& expr);
  ExprType TypeOfPath(const Expr& expr);
  const Property* FindProperty(std::span<const Property> properties, std::string_view name) const;

  void CheckComparison(const Expr& expr, const ExprType& left, const ExprType& right);
  void CheckCollections(const Expr& expr, const ExprType& left, const ExprType& right);
  void CheckWords(const Expr& expr, const ExprType& type, const Expr& other);
  void CheckCase(const Expr& call, std::span<const ExprType> types);
  void RefuseArgument(const Expr& call, const Expr& argument, std::string_view expected,
                      ExprType type);
  void CheckFormat(const Expr& call);
  void CheckJson(const Expr& argument);

  std::span<const Function> functions_;
  Rules rules_;
};

}  // namespace wheelwright

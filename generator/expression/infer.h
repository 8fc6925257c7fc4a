// The type of an expression, inferred without evaluating it, and what can be said against the
// expression whatever its values are: one walk for `${{ }}` and `$[[ ]]`.
//
// A language derives from TypeInference: it says what names stand for, and where reports go.
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
    kGithub,    // names ignore case; what is not there is null
    kTemplate,  // names mind case; what is not there is an error
  };

  // A step from an object to a part of it: `.name`, `['name']`, `.*`, `[...]`.
  struct Segment {
    const Expr* expr;
    std::optional<std::string_view> name;  // nothing: any item
    ExprType index{};                      // of a kIndex: the type of what is in the brackets
  };
  using Path = std::span<const Segment>;

  TypeInference(std::span<const Function> functions, Rules rules)
      : functions_(functions), rules_(rules) {}

  // What a path gives that starts at a value of this type. Reports the first wrong step.
  ExprType Follow(ExprType from, Path path);

  // The type of a name followed by a path.
  virtual ExprType TypeOfName(const Expr& name, Path path) = 0;
  // `function` is null where there is none of that name.
  virtual void CheckCall(const Expr& call, const Function* function,
                         std::span<const ExprType> arguments) = 0;
  virtual void ReportUnknownProperty(const Segment& segment, ExprType object) = 0;
  // Of a scalar; by the rules of templates also of null, and of a list.
  virtual void ReportNoProperties(const Segment& segment, ExprType value) = 0;

  // What these give, where the language knows more than the kind.
  virtual ExprType TypeOfLogical(const Expr& expr);
  virtual ExprType TypeOfResult(const Function& function, std::span<const ExprType> arguments);
  virtual ExprType TypeOfItems(const ExprType& item);                          // `.*`
  virtual ExprType TypeOfPart(const ExprType& object, const ExprType& index);  // object[index]

  // Starts a report about a part of the expression; nothing where that was made before.
  virtual std::optional<Diagnostic> BeginAt(std::size_t offset, std::size_t length,
                                            std::string_view code) = 0;
  virtual void Finish(Diagnostic diagnostic) = 0;
  std::optional<Diagnostic> Begin(const Expr& at, std::string_view code);
  std::optional<Diagnostic> BeginWhole(const Expr& at, std::string_view code);
  void Report(const Expr& at, std::string_view code, std::string message, std::string hint = {});

  // The arguments of a call that has as many as it needs.
  void CheckArguments(const Expr& call, const Function& function, std::span<const ExprType> types);

  // A part of the expression as it is written; for messages in quotes.
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

// The inference over types that are given as data, as a template's rows are.
#include <fmt/format.h>

#include <array>
#include <catch2/catch.hpp>
#include <string>

#include "base/arena.h"
#include "base/text.h"
#include "generator/expression/infer.h"
#include "generator/expression/parse.h"

using namespace wheelwright;

namespace {

constexpr ExprType kText{TypeKind::kText};
constexpr ExprType kTexts{TypeKind::kList, &kText};
constexpr std::array kPlatformColumns = {Property{"runner", kText},
                                         Property{"cores", TypeKind::kNumber}};
constexpr ExprType kPlatform{std::span<const Property>(kPlatformColumns)};
constexpr ExprType kPlatforms{TypeKind::kObject, &kPlatform};
constexpr std::array kBuildColumns = {Property{"id", kText}, Property{"labels", kTexts},
                                      Property{"platform", kPlatform}};

// Knows the table `platforms` and a row `build`.
class RowInference : public TypeInference {
 public:
  explicit RowInference(std::string_view text)
      : TypeInference(TemplateFunctions(), Rules::kTemplate) {
    text_ = text;
  }
  std::string said;

 private:
  ExprType TypeOfName(const Expr& name, Path path) override {
    if (name.name == "platforms") return Follow(kPlatforms, path);
    if (name.name == "build")
      return Follow(ExprType(std::span<const Property>(kBuildColumns)), path);
    said += fmt::format("{} is unknown\n", name.name);
    return TypeKind::kAny;
  }
  void CheckCall(const Expr&, const Function* function,
                 std::span<const ExprType> arguments) override {
    if (function == nullptr) return;
    for (const ExprType argument : arguments) {
      if (function->first.refused.Has(argument.kind)) {
        said += fmt::format("{} expects {}\n", function->name, function->first.expected);
      }
    }
  }
  void ReportUnknownProperty(const Segment& segment, ExprType object) override {
    std::vector<std::string_view> names;
    for (const Property& property : object.properties) names.push_back(property.name);
    said += fmt::format("no {}: {}\n", *segment.name, DidYouMean(*segment.name, names));
  }
  void ReportNoProperties(const Segment&, ExprType) override { said += "no properties\n"; }
  std::optional<Diagnostic> BeginAt(std::size_t, std::size_t, std::string_view) override {
    return Diagnostic{};
  }
  void Finish(Diagnostic diagnostic) override { said += diagnostic.message + "\n"; }
};

struct Inferred {
  ExprType type;
  std::string said;

  explicit Inferred(std::string_view text) {
    Arena arena;
    const ParsedExpression parsed = ParseExpression(text, arena);
    REQUIRE(parsed.root);
    RowInference inference(text);
    type = inference.TypeOf(*parsed.root);
    said = inference.said;
  }
};

}  // namespace

TEST_CASE("a misspelt column is reported with the nearest name", "[expression]") {
  CHECK(Inferred("build.platfrom").said == "no platfrom: did you mean 'platform'?\n");
  CHECK(Inferred("build.platform.core > 4").said.starts_with("no core: did you mean 'cores'?"));
  CHECK(Inferred("platforms['linux-arm'].runer").said == "no runer: did you mean 'runner'?\n");
  CHECK(Inferred("platforms[build.id].runer").said == "no runer: did you mean 'runner'?\n");
  CHECK(Inferred("build.labels[0].length").said == "no properties\n");
  CHECK(Inferred("bild.id").said == "bild is unknown\n");
}

TEST_CASE("types follow tables, rows, lists and functions", "[expression]") {
  CHECK(Inferred("build.platform.cores").type.kind == TypeKind::kNumber);
  CHECK(Inferred("platforms.linux").type.properties.size() == 2);
  CHECK(Inferred("build.labels[0]").type.kind == TypeKind::kText);
  CHECK(Inferred("build.labels.*").type.kind == TypeKind::kList);
  CHECK(Inferred("length(build.labels)").type.kind == TypeKind::kNumber);
  CHECK(Inferred("split(build.id, '-')").type.kind == TypeKind::kList);
  CHECK(Inferred("build.id || build.platform.runner || 'x'").type.kind == TypeKind::kText);
  CHECK(Inferred("build.id || build.platform.runner || 1").type.kind == TypeKind::kAny);
  CHECK(Inferred("!build.id").type.kind == TypeKind::kBoolean);
  CHECK(Inferred("build.platform == 'x'").said ==
        "'build.platform' is a mapping and cannot be compared\n");
  CHECK(Inferred("join(build.id, ',')").said.empty());
  CHECK(Inferred("join(build.platform, ',')").said == "join expects a list\n");
}

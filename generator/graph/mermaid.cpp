#include <fmt/format.h>

#include <set>
#include <string_view>

#include "base/characters.h"
#include "base/text.h"
#include "generator/graph/names.h"
#include "generator/graph/text_formats.h"

namespace wheelwright {
namespace {

constexpr std::size_t kLongestHeading = 48;  // characters

// Mermaid's own entity codes:
// https://mermaid.js.org/syntax/flowchart.html#entity-codes-to-escape-characters.
std::string Escape(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '#':
        escaped += "#35;";
        break;
      case '"':
        escaped += "#quot;";
        break;
      case '<':
        escaped += "#lt;";
        break;
      case '>':
        escaped += "#gt;";
        break;
      case '&':
        escaped += "#amp;";
        break;
      case '`':
        escaped += "#96;";
        break;
      case '\\':
        escaped += "#92;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

struct Shape {
  std::string_view open, close;
  std::string_view style;  // with its colons; no name may be a word of the language, such as "call"
};

Shape ShapeOf(BoxKind kind) {
  switch (kind) {
    case BoxKind::kTrigger:
      return {"([", "])", ":::trigger"};
    case BoxKind::kCall:
      return {"[[", "]]", ""};
    case BoxKind::kWorkflow:
      return {"[[", "]]", ""};
    case BoxKind::kForeign:
      return {"[/", "/]", ":::foreign"};
    case BoxKind::kJob:
    case BoxKind::kGroup:
      break;
  }
  return {"[", "]", ""};
}

class MermaidWriter {
 public:
  std::string Write(const Drawing& drawing, const std::string& remark) {
    text_ = "flowchart LR\n";
    if (!remark.empty()) text_ += fmt::format("  %% {}\n", remark);
    // Colours are left to the theme, which knows light from dark.
    text_ +=
        "  classDef trigger stroke-dasharray:4 3\n"
        "  classDef foreign stroke-dasharray:1 3\n";
    AddLevel(drawing, "", 1);
    return std::move(text_);
  }

 private:
  void AddLevel(const Drawing& drawing, std::string_view above, std::size_t depth) {
    std::vector<std::string> ids;
    for (const Box& box : drawing.boxes) {
      ids.push_back(MakeId(above, box.id));
      AddBox(box, ids.back(), depth);
    }
    for (const Arrow& arrow : drawing.arrows) {
      Line(depth, fmt::format("{} --> {}", ids[arrow.from], ids[arrow.to]));
    }
  }

  void AddBox(const Box& box, const std::string& id, std::size_t depth) {
    const std::string title = TitleWithCount(box);
    if (box.inside.boxes.empty()) {
      std::string label = Escape(title);
      for (const std::string& line : box.lines) {
        label.append(label.empty() ? "" : "<br>").append(Escape(line));
      }
      const Shape shape = ShapeOf(box.kind);
      Line(depth, fmt::format("{}{}\"{}\"{}{}", id, shape.open, label, shape.close, shape.style));
      return;
    }
    // Mermaid keeps room for one line above what is inside.
    std::string label = title;
    for (const std::string& line : box.lines) {
      label.append(label.empty() ? "" : label == title ? ": " : ", ").append(line);
    }
    label = Escape(Shorten(label, kLongestHeading, "\u2026"));
    Line(depth, fmt::format("subgraph {}[\"{}\"]", id, label.empty() ? " " : label));
    Line(depth + 1, "direction LR");
    AddLevel(box.inside, id, depth + 1);
    Line(depth, "end");
  }

  // Letters, digits and '_'; begins with a letter that no word of the language begins with alone.
  std::string MakeId(std::string_view above, std::string_view name) {
    std::string id = above.empty() ? "n_" : std::string(above) + "__";
    for (const char c : name) {
      const bool plain = IsLetterOrDigit(c);
      id += plain ? c : '_';
    }
    std::string unique = id;
    for (int number = 2; !ids_.insert(unique).second; ++number) {
      unique = fmt::format("{}_{}", id, number);
    }
    return unique;
  }

  void Line(std::size_t depth, std::string_view line) {
    text_ += fmt::format("{:{}}{}\n", "", 2 * depth, line);
  }

  std::string text_;
  std::set<std::string> ids_;
};

}  // namespace

std::string DrawMermaid(const Drawing& drawing, const std::string& remark) {
  return MermaidWriter().Write(drawing, remark);
}

bool FitsMermaid(const Drawing& drawing, const std::string& text) {
  return Measure(drawing).arrows <= kMermaidArrows && CountCharacters(text) <= kMermaidCharacters;
}

}  // namespace wheelwright

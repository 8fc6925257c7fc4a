#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "generator/graph/text_formats.h"

namespace wheelwright {
namespace {

std::string Quote(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (c == '\n') {
      quoted += "\\n";
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

// A label of several lines; `\n` parts them.
std::string Label(const Box& box) {
  std::string label = Quote(TitleWithCount(box));
  for (const std::string& line : box.lines) {
    const std::string quoted = Quote(line);
    label.pop_back();
    if (label.size() > 1) label += "\\n";
    label += quoted.substr(1);
  }
  return label;
}

std::string_view StyleOf(BoxKind kind) {
  switch (kind) {
    case BoxKind::kTrigger:
      return ", style=\"rounded,dashed\"";
    case BoxKind::kCall:
      return ", style=\"rounded\", peripheries=2";
    case BoxKind::kWorkflow:
      return ", style=\"bold\"";
    case BoxKind::kForeign:
      return ", style=\"dotted\"";
    case BoxKind::kJob:
    case BoxKind::kGroup:
      break;
  }
  return "";
}

// How an arrow reaches a box: Graphviz joins nodes, and cuts the line at a cluster's border.
struct Anchor {
  std::string node;     // the box, or one inside
  std::string cluster;  // of the box; empty for one without inside
};

class DotWriter {
 public:
  std::string Write(const Drawing& drawing, const std::string& title) {
    text_ = fmt::format("digraph {} {{\n", Quote(title));
    Line(1, "graph [rankdir=LR, compound=true, fontname=\"Helvetica\", style=\"rounded\"]");
    Line(1, "node [shape=box, style=\"rounded\", fontname=\"Helvetica\", fontsize=11]");
    AddLevel(drawing, "", 1);
    return text_ + "}\n";
  }

 private:
  Anchor AddLevel(const Drawing& drawing, std::string_view above, std::size_t depth) {
    std::vector<Anchor> anchors;
    for (const Box& box : drawing.boxes) {
      anchors.push_back(AddBox(box, std::string(above) + box.id, depth));
    }
    for (const Arrow& arrow : drawing.arrows) {
      const Anchor& from = anchors[arrow.from];
      const Anchor& to = anchors[arrow.to];
      std::string ends;
      if (!from.cluster.empty()) ends += "ltail=" + Quote(from.cluster);
      if (!to.cluster.empty()) {
        ends.append(ends.empty() ? "" : ", ").append("lhead=" + Quote(to.cluster));
      }
      Line(depth, fmt::format("{} -> {}{}", Quote(from.node), Quote(to.node),
                              ends.empty() ? "" : fmt::format(" [{}]", ends)));
    }
    return anchors.empty() ? Anchor{} : anchors.front();
  }

  Anchor AddBox(const Box& box, const std::string& id, std::size_t depth) {
    if (box.inside.boxes.empty()) {
      Line(depth, fmt::format("{} [label={}{}]", Quote(id), Label(box), StyleOf(box.kind)));
      return {id, ""};
    }
    const std::string cluster = "cluster_" + id;
    Line(depth, fmt::format("subgraph {} {{", Quote(cluster)));
    Line(depth + 1, fmt::format("label={}", Label(box)));
    const Anchor inside = AddLevel(box.inside, id + "/", depth + 1);
    Line(depth, "}");
    return {inside.node, cluster};
  }

  void Line(std::size_t depth, std::string_view line) {
    text_ += fmt::format("{:{}}{}\n", "", 2 * depth, line);
  }

  std::string text_;
};

}  // namespace

std::string DrawDot(const Drawing& drawing, const std::string& title) {
  return DotWriter().Write(drawing, title);
}

}  // namespace wheelwright

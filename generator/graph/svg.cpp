#include "generator/graph/svg.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "base/markup.h"
#include "generator/graph/layout.h"
#include "generator/graph/page_assets.h"

namespace wheelwright {
namespace {

constexpr double kMargin = 8;
constexpr double kHead = 6;  // length of an arrow's head

// A length without superfluous digits: "12", "12.5".
std::string Number(double value) {
  std::string text = fmt::format("{:.1f}", std::round(value * 10) / 10);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

std::string_view ClassOf(BoxKind kind) {
  switch (kind) {
    case BoxKind::kTrigger:
      return "trigger";
    case BoxKind::kCall:
      return "call";
    case BoxKind::kWorkflow:
      return "workflow";
    case BoxKind::kForeign:
      return "foreign";
    case BoxKind::kGroup:
      return "group";
    case BoxKind::kJob:
      break;
  }
  return "job";
}

class SvgWriter {
 public:
  explicit SvgWriter(const SvgOptions& options) : options_(options) {}

  std::string Write(const Drawing& drawing) {
    const Layout layout = LayOut(drawing);
    const std::string width = Number(layout.width + 2 * kMargin);
    const std::string height = Number(layout.height + 2 * kMargin);
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"graph\" width=\"{0}\" height=\"{1}\" "
        "viewBox=\"0 0 {0} {1}\" role=\"group\" aria-label=\"{2}\">\n",
        width, height, EscapeMarkup(options_.title));
    if (options_.alone) {
      text_ += fmt::format("<title>{}</title>\n<style>\n{}</style>\n", EscapeMarkup(options_.title),
                           kGraphCss);
      text_ += "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n";
    }
    AddLevel(drawing, layout, {kMargin, kMargin});
    return text_ + "</svg>\n";
  }

 private:
  void AddLevel(const Drawing& drawing, const Layout& layout, Point origin) {
    for (const PlacedArrow& arrow : layout.arrows) AddArrow(arrow, origin);
    for (std::size_t i = 0; i < drawing.boxes.size(); ++i) {
      AddBox(drawing.boxes[i], layout.boxes[i], origin);
    }
  }

  void AddArrow(const PlacedArrow& arrow, Point origin) {
    const auto x = [&](std::size_t i) { return origin.x + arrow.points[i].x; };
    const auto y = [&](std::size_t i) { return origin.y + arrow.points[i].y; };
    std::string path = fmt::format("M{} {}", Number(x(0)), Number(y(0)));
    const std::size_t last = arrow.points.size() - 1;
    for (std::size_t i = 1; i <= last; ++i) {
      // Up to the head, which covers the end.
      const double end = i == last ? x(i) - kHead : x(i);
      if (i % 2 == 1) {
        if (x(i) > x(i - 1)) path += fmt::format("H{}", Number(x(i)));
        continue;
      }
      const double middle = (x(i - 1) + end) / 2;
      path += fmt::format("C{} {} {} {} {} {}", Number(middle), Number(y(i - 1)), Number(middle),
                          Number(y(i)), Number(end), Number(y(i)));
    }
    text_ += fmt::format("<path class=\"arrow\" d=\"{}\"/>", path);
    text_ += fmt::format("<path class=\"head\" d=\"M{} {}l-{} -3.5v7z\"/>\n", Number(x(last)),
                         Number(y(last)), Number(kHead));
  }

  void AddBox(const Box& box, const PlacedBox& placed, Point origin) {
    const Point at{origin.x + placed.at.x, origin.y + placed.at.y};
    const bool linked = !options_.link.empty() && !box.file.empty();
    const bool open = !box.inside.boxes.empty();
    const bool is_job = box.kind == BoxKind::kJob || box.kind == BoxKind::kCall;
    text_ += fmt::format("<g class=\"box {}{}\"{}>\n", ClassOf(box.kind), open ? " open" : "",
                         options_.alone || !is_job || box.count > 1
                             ? ""
                             : fmt::format(" data-job=\"{}\"", EscapeMarkup(box.id)));
    // A link around all that is inside would swallow the links in there.
    if (linked) {
      text_ += fmt::format("<a href=\"{}{}\" aria-label=\"{}, {}\">\n", EscapeMarkup(options_.link),
                           EscapeMarkup(box.file), EscapeMarkup(TitleWithCount(box)),
                           EscapeMarkup(box.file));
    }
    const double sheets = box.count > 1 ? 2 * kStackStep : 0;
    const double width = placed.width - sheets;
    const double height = placed.height - sheets;
    for (double sheet = sheets; sheet >= 0; sheet -= kStackStep) {
      const double radius = box.kind == BoxKind::kTrigger ? 14 : 5;
      text_ += fmt::format(
          "<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"/>\n",
          sheet > 0 ? "sheet" : "face", Number(at.x + sheet), Number(at.y + sheets - sheet),
          Number(width), Number(height), Number(radius));
    }
    double y = at.y + sheets + kBoxPaddingY;
    const double x = at.x + kBoxPaddingX;
    const std::string title = TitleWithCount(box);
    if (!title.empty()) {
      AddText("title", x, y + kTitleHeight - 5, title);
      y += kTitleHeight;
    }
    for (const std::string& line : box.lines) {
      AddText("line", x, y + kLineHeight - 4, line);
      y += kLineHeight;
    }
    if (linked) text_ += "</a>\n";
    if (open) {
      const double top = box.count > 1 ? sheets : 0;
      AddLevel(box.inside, placed.inside,
               {at.x + placed.inside_at.x, at.y + top + placed.inside_at.y});
    }
    text_ += "</g>\n";
  }

  void AddText(std::string_view style, double x, double y, std::string_view text) {
    text_ += fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>\n", style, Number(x),
                         Number(y), EscapeMarkup(text));
  }

  const SvgOptions& options_;
  std::string text_;
};

}  // namespace

std::string DrawSvg(const Drawing& drawing, const SvgOptions& options) {
  return SvgWriter(options).Write(drawing);
}

}  // namespace wheelwright

// The time line of a run as SVG.
#include <fmt/format.h>

#include <algorithm>

#include "base/markup.h"
#include "base/text.h"
#include "generator/graph/run_time.h"
#include "generator/graph/text_width.h"

namespace wheelwright {
namespace {

constexpr double kRow = 26;     // the height of a step
constexpr double kBar = 14;     // of its bar
constexpr double kScale = 560;  // the width of the whole time
constexpr double kGap = 14;
constexpr double kTextSize = 11;
constexpr std::size_t kMostText = 64;  // characters; more is cut

class TimeLineWriter {
 public:
  explicit TimeLineWriter(const RunTime& run) : run_(run) {
    for (const RunStep& step : run.steps) {
      names_.push_back(Shorten(StepName(step), kMostText, "\u2026"));
      left_ = std::max(left_, TextWidth(names_.back(), Face::kSans, kTextSize) + 2 * kGap);
    }
  }

  std::string Write() {
    const double right = TextWidth("000 h 00 min, measured", Face::kSans, kTextSize) + 2 * kGap;
    const double width = left_ + kScale + right;
    const double height = kRow * static_cast<double>(run_.steps.size()) + 2 * kGap;
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"graph time\" width=\"{0:.1f}\" "
        "height=\"{1:.1f}\" viewBox=\"0 0 {0:.1f} {1:.1f}\" role=\"img\"><title>Time line: {2} in "
        "{3} at most</title>\n",
        width, height, Count(run_.jobs, "job"), Duration(run_.longest));
    for (std::size_t at = 0; at < run_.steps.size(); ++at) AddStep(at, width);
    for (std::size_t at = 0; at < run_.steps.size(); ++at) AddWait(at);
    return text_ + "</svg>\n";
  }

 private:
  double X(double minutes) const {
    return left_ + (run_.longest > 0 ? minutes / run_.longest * kScale : 0);
  }
  static double Y(std::size_t at) { return kGap + kRow * static_cast<double>(at); }

  void AddStep(std::size_t at, double width) {
    const RunStep& step = run_.steps[at];
    const double y = Y(at);
    const double end = X(step.begins + step.minutes);
    text_ += fmt::format(
        "<g class=\"box step\"><rect class=\"face\" x=\"4\" y=\"{:.1f}\" width=\"{:.1f}\" "
        "height=\"{:.1f}\"/>\n<rect class=\"bar{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
        "height=\"{}\" rx=\"2\"/>\n",
        y, width - 8, kRow, step.measured ? " measured" : "", X(step.begins), y + (kRow - kBar) / 2,
        std::max(end - X(step.begins), 2.0), kBar);
    AddText(kGap, y, names_[at]);
    AddText(end + 8, y, Duration(step.minutes) + (step.measured ? ", measured" : ""));
    text_ += "</g>\n";
  }

  void AddText(double x, double y, std::string_view text) {
    text_ += fmt::format("<text class=\"line\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x,
                         y + kRow / 2 + 4, EscapeMarkup(text));
  }

  // Down or up from the end of one bar to the begin of another, which is at the same time.
  void AddWait(std::size_t at) {
    if (run_.steps[at].waits_for < 0) return;
    const auto from = static_cast<std::size_t>(run_.steps[at].waits_for);
    const double x = X(run_.steps[at].begins);
    const double down = from < at ? 1 : -1;
    const double begin = Y(from) + kRow / 2 + down * kBar / 2;
    const double end = Y(at) + kRow / 2 - down * kBar / 2;
    text_ += fmt::format("<path class=\"arrow\" d=\"M{0:.1f} {1:.1f}V{2:.1f}\"/>\n", x, begin, end);
  }

  const RunTime& run_;
  std::vector<std::string> names_;
  double left_ = 0;  // where the time begins
  std::string text_;
};

}  // namespace

std::string DrawTimeLine(const RunTime& run) { return TimeLineWriter(run).Write(); }

}  // namespace wheelwright

#include "base/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/json.h"
#include "base/text.h"

namespace wheelwright {
namespace {

struct Paint {
  bool on;
  std::string Bold(std::string_view text) const { return Wrap("1", text); }
  std::string Dim(std::string_view text) const { return Wrap("2", text); }
  std::string Mark(Severity severity, std::string_view text) const {
    return Wrap(severity == Severity::kError ? "1;31" : "1;33", text);
  }

 private:
  std::string Wrap(std::string_view sequence, std::string_view text) const {
    if (!on || text.empty()) return std::string(text);
    return fmt::format("\x1b[{}m{}\x1b[0m", sequence, text);
  }
};

std::string_view Word(Severity severity) {
  return severity == Severity::kError ? "error" : "warning";
}

// Blanks as wide as `text`; tabs stay tabs so that the carets stand below what they mean.
std::string Padding(std::string_view text) {
  std::string padding;
  for (const char c : text) {
    if (c == '\t') {
      padding += '\t';
    } else if ((c & 0xC0) != 0x80) {
      padding += ' ';
    }
  }
  return padding;
}

// The part of a long line that is shown: the text around the place.
struct Window {
  std::string_view before, marked, behind;
  bool cut_left = false, cut_right = false;
};

constexpr std::size_t kLongLine = 400;
constexpr std::size_t kAround = 80;
constexpr std::size_t kMostMarked = 120;

bool IsInsideCharacter(std::string_view text, std::size_t at) {
  return at < text.size() && (text[at] & 0xC0) == 0x80;
}

Window CutAround(std::string_view line, std::size_t begin, std::size_t length) {
  std::size_t end = begin + std::min(length, line.size() - begin);
  std::size_t from = 0;
  std::size_t to = line.size();
  if (line.size() > kLongLine) {
    from = begin > kAround ? begin - kAround : 0;
    end = std::min(end, begin + kMostMarked);
    to = std::min(line.size(), end + kAround);
    while (from > 0 && IsInsideCharacter(line, from)) --from;
    while (IsInsideCharacter(line, end)) ++end;
    while (IsInsideCharacter(line, to)) ++to;
  }
  return {line.substr(from, begin - from), line.substr(begin, end - begin),
          line.substr(end, to - end), from > 0, to < line.size()};
}

// A name in the input may be as long as the whole input.
void Shorten(std::string& text) {
  constexpr std::size_t kMost = 4000;
  if (text.size() <= kMost) return;
  std::size_t end = kMost;
  while (IsInsideCharacter(text, end)) ++end;
  text.replace(end, std::string::npos, "…");
}

void AppendSnippet(std::string& out, const SourceManager& sources, SourceRange where,
                   std::string_view label, std::string_view arrow, Severity severity,
                   std::size_t gutter, const Paint& paint) {
  const Position position = sources.PositionOf(where.begin);
  const std::string_view line = sources.Line(where.begin.file, position.line);
  const std::string margin(gutter, ' ');
  const std::size_t in_line = std::min<std::size_t>(
      where.begin.offset - sources.LineStart(where.begin.file, position.line), line.size());
  const Window window = CutAround(line, in_line, where.length);
  const std::string carets(std::max<std::size_t>(1, CountCharacters(window.marked)), '^');
  const std::string shown =
      fmt::format("{}{}{}{}{}", window.cut_left ? "…" : "", Printable(window.before),
                  Printable(window.marked), Printable(window.behind), window.cut_right ? "…" : "");
  out += fmt::format("{} {} {}\n", margin, paint.Dim(arrow), sources.Describe(where.begin));
  out += fmt::format("{} {}\n", margin, paint.Dim(" |"));
  out += fmt::format("{} {}{}{}\n", paint.Dim(fmt::format("{:>{}}", position.line, gutter + 1)),
                     paint.Dim("|"), line.empty() ? "" : " ", shown);
  out += fmt::format("{} {} {}{}{}{}\n", margin, paint.Dim(" |"),
                     (window.cut_left ? " " : "") + Padding(window.before),
                     paint.Mark(severity, carets), label.empty() ? "" : " ",
                     paint.Mark(severity, Printable(label)));
}

std::vector<std::string> NotesOf(const Diagnostics::Entry& entry) {
  std::vector<std::string> notes = entry.diagnostic.notes;
  if (!entry.diagnostic.instance.empty()) {
    notes.push_back(entry.instances == 1
                        ? fmt::format("in {}", entry.diagnostic.instance)
                        : fmt::format("in {}, first: {}", Count(entry.instances, "instance"),
                                      entry.diagnostic.instance));
  }
  return notes;
}

void AppendText(std::string& out, const Diagnostics::Entry& entry, const SourceManager& sources,
                const Paint& paint) {
  const Diagnostic& d = entry.diagnostic;
  out += fmt::format("{}{} {}\n",
                     paint.Mark(d.severity, fmt::format("{}[{}]", Word(d.severity), d.code)),
                     paint.Bold(":"), paint.Bold(Printable(d.message)));
  std::uint32_t widest = 1;
  if (d.where.known()) widest = sources.PositionOf(d.where.begin).line;
  for (const auto& related : d.related) {
    if (related.where.known()) {
      widest = std::max(widest, sources.PositionOf(related.where.begin).line);
    }
  }
  const std::size_t gutter = std::to_string(widest).size();
  if (d.where.known()) {
    AppendSnippet(out, sources, d.where, d.hint, "-->", d.severity, gutter, paint);
  }
  for (const auto& related : d.related) {
    if (related.where.known()) {
      AppendSnippet(out, sources, related.where, related.text, ":::", d.severity, gutter, paint);
    }
  }
  const std::string margin(gutter, ' ');
  if (!d.where.known() && !d.hint.empty())
    out += fmt::format("{}  = {}\n", margin, Printable(d.hint));
  for (const std::string& note : NotesOf(entry))
    out += fmt::format("{}  = {}\n", margin, Printable(note));
}

void AppendGithub(std::string& out, const Diagnostics::Entry& entry, const SourceManager& sources) {
  const Diagnostic& d = entry.diagnostic;
  std::string body = d.message;
  if (!d.hint.empty()) body += "\n" + d.hint;
  for (const auto& related : d.related) {
    body += fmt::format("\n{} ({})", related.text, sources.DescribeLine(related.where.begin));
  }
  for (const std::string& note : NotesOf(entry)) body += "\n" + note;
  std::string place;
  if (d.where.known()) {
    const Position position = sources.PositionOf(d.where.begin);
    // `col` is refused when a command spans several lines, so only the first line is named.
    place = fmt::format("file={},line={},col={},",
                        EscapeWorkflowCommand(sources.Name(d.where.begin.file), true),
                        position.line, position.column);
  }
  out += fmt::format("::{} {}title={}::{}\n", Word(d.severity), place, d.code,
                     EscapeWorkflowCommand(body, false));
}

nlohmann::ordered_json PlaceAsJson(SourceRange where, const SourceManager& sources) {
  const Position position = sources.PositionOf(where.begin);
  return {{"file", sources.Name(where.begin.file)},
          {"line", position.line},
          {"column", position.column},
          {"length", where.length}};
}

void AppendJson(std::string& out, const Diagnostics::Entry& entry, const SourceManager& sources) {
  const Diagnostic& d = entry.diagnostic;
  nlohmann::ordered_json json{
      {"severity", Word(d.severity)}, {"code", d.code}, {"message", d.message}};
  if (d.where.known()) json["where"] = PlaceAsJson(d.where, sources);
  if (!d.hint.empty()) json["hint"] = d.hint;
  for (const auto& related : d.related) {
    nlohmann::ordered_json place = PlaceAsJson(related.where, sources);
    place["text"] = related.text;
    json["related"].push_back(std::move(place));
  }
  if (!d.notes.empty()) json["notes"] = d.notes;
  if (!d.instance.empty()) {
    json["instances"] = entry.instances;
    json["first_instance"] = d.instance;
  }
  out += DumpJson(json) + "\n";
}

// Replaces the user and password of URLs, in messages as in the lines of inputs, by as many stars:
// carets stay in their columns. A user of SSH is no secret.
std::string HideCredentials(std::string text) {
  for (std::size_t at = text.find("://"); at != text.npos; at = text.find("://", at + 3)) {
    const std::size_t begin = at + 3;
    const std::string_view before = std::string_view(text).substr(0, at);
    const bool ssh = before.ends_with("ssh");
    // Not of `docker://alpine@sha256:...`, in which the image's name stands there.
    if (!ssh && !before.ends_with("http") && !before.ends_with("https")) continue;
    const std::size_t end = std::min(text.find_first_of("/?# \t\n'\"\x1b", begin), text.size());
    const std::size_t last = std::string_view(text).substr(0, end).rfind('@');
    if (last == text.npos || last < begin) continue;
    const std::string_view user = std::string_view(text).substr(begin, last - begin);
    if (ssh && user.find(':') == user.npos) continue;
    std::fill_n(text.begin() + static_cast<std::ptrdiff_t>(begin), user.size(), '*');
  }
  return text;
}

}  // namespace

void Diagnostics::Report(Diagnostic diagnostic) {
  if (diagnostic.instance.empty()) diagnostic.instance = instance_;
  if (Repeat(diagnostic.code, diagnostic.where)) return;
  Shorten(diagnostic.message);
  Shorten(diagnostic.hint);
  for (Diagnostic::Related& related : diagnostic.related) Shorten(related.text);
  for (std::string& note : diagnostic.notes) Shorten(note);
  if (diagnostic.severity == Severity::kError) ++errors_;
  if (diagnostic.where.known() && !diagnostic.instance.empty()) {
    places_.try_emplace({diagnostic.code, diagnostic.where}, entries_.size());
  }
  entries_.push_back({std::move(diagnostic), 1});
}

std::size_t Diagnostics::KeyHash::operator()(const Key& key) const {
  const std::size_t place = (std::size_t{key.where.begin.file} << 32U) ^ key.where.begin.offset;
  return std::hash<std::string_view>{}(key.code) ^ (place * 0x9E3779B97F4A7C15U) ^ key.where.length;
}

void Diagnostics::Merge(Diagnostics other) {
  for (Entry& entry : other.entries_) {
    const std::size_t instances = entry.instances;
    Report(std::move(entry.diagnostic));
    if (instances > 1) {
      const Diagnostic& held = entry.diagnostic;
      const auto mine = places_.find({held.code, held.where});
      if (mine != places_.end()) {
        entries_[mine->second].instances += instances - 1;
      } else {
        entries_.back().instances += instances - 1;
      }
    }
  }
}

bool Diagnostics::Repeat(std::string_view code, SourceRange where) {
  if (!where.known()) return false;
  const auto same = places_.find({code, where});
  if (same == places_.end()) return false;
  ++entries_[same->second].instances;
  return true;
}

std::string Render(const Diagnostics& diagnostics, const SourceManager& sources,
                   ReportFormat format, bool color) {
  std::string out;
  for (const Diagnostics::Entry& entry : diagnostics.entries()) {
    switch (format) {
      case ReportFormat::kText:
        if (!out.empty()) out += '\n';
        AppendText(out, entry, sources, Paint{color});
        break;
      case ReportFormat::kGithub:
        AppendGithub(out, entry, sources);
        break;
      case ReportFormat::kJson:
        AppendJson(out, entry, sources);
        break;
    }
  }
  return HideCredentials(std::move(out));
}

std::string Summarize(const Diagnostics& diagnostics) {
  if (diagnostics.warnings() == 0) return Count(diagnostics.errors(), "error");
  if (diagnostics.errors() == 0) return Count(diagnostics.warnings(), "warning");
  return Count(diagnostics.errors(), "error") + ", " + Count(diagnostics.warnings(), "warning");
}

std::string EscapeWorkflowCommand(std::string_view text, bool property) {
  std::string out;
  for (const char c : text) {
    if (c == '%') {
      out += "%25";
    } else if (c == '\r') {
      out += "%0D";
    } else if (c == '\n') {
      out += "%0A";
    } else if (property && c == ':') {
      out += "%3A";
    } else if (property && c == ',') {
      out += "%2C";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace wheelwright

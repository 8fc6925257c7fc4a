#include "base/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

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

void AppendSnippet(std::string& out, const SourceManager& sources, SourceRange where,
                   std::string_view label, std::string_view arrow, Severity severity,
                   std::size_t gutter, const Paint& paint) {
  const Position position = sources.PositionOf(where.begin);
  const std::string_view line = sources.Line(where.begin.file, position.line);
  const std::string margin(gutter, ' ');
  const std::size_t in_line = std::min<std::size_t>(
      where.begin.offset - sources.LineStart(where.begin.file, position.line), line.size());
  const std::string_view marked = line.substr(in_line, where.length);
  const std::string carets(std::max<std::size_t>(1, CountCharacters(marked)), '^');
  out += fmt::format("{} {} {}\n", margin, paint.Dim(arrow), sources.Describe(where.begin));
  out += fmt::format("{} {}\n", margin, paint.Dim(" |"));
  out += fmt::format("{} {}{}{}\n", paint.Dim(fmt::format("{:>{}}", position.line, gutter + 1)),
                     paint.Dim("|"), line.empty() ? "" : " ", Printable(line));
  out += fmt::format("{} {} {}{}{}{}\n", margin, paint.Dim(" |"), Padding(line.substr(0, in_line)),
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
  out += json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace

void Diagnostics::Report(Diagnostic diagnostic) {
  if (diagnostic.instance.empty()) diagnostic.instance = instance_;
  if (Repeat(diagnostic.code, diagnostic.where)) return;
  if (diagnostic.severity == Severity::kError) ++errors_;
  entries_.push_back({std::move(diagnostic), 1});
}

void Diagnostics::Merge(Diagnostics other) {
  for (Entry& entry : other.entries_) {
    const std::size_t instances = entry.instances;
    Report(std::move(entry.diagnostic));
    if (instances > 1) {
      const Diagnostic& held = entry.diagnostic;
      for (Entry& mine : entries_) {
        if (mine.diagnostic.code == held.code && mine.diagnostic.where == held.where) {
          mine.instances += instances - 1;
          break;
        }
      }
    }
  }
}

bool Diagnostics::Repeat(std::string_view code, SourceRange where) {
  if (!where.known()) return false;
  const auto same = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.diagnostic.code == code && entry.diagnostic.where == where &&
           !entry.diagnostic.instance.empty();
  });
  if (same == entries_.end()) return false;
  ++same->instances;
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
  return out;
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

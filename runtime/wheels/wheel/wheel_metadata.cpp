// METADATA as a text of its own, without the name of the wheel.
// https://packaging.python.org/specifications/core-metadata/
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "base/characters.h"
#include "base/quote.h"
#include "base/text.h"
#include "runtime/wheels/version/marker_syntax.h"
#include "runtime/wheels/version/requirement.h"
#include "runtime/wheels/wheel/license_expression.h"
#include "runtime/wheels/wheel/wheel_rules.h"

namespace wheelwright {
namespace {

// In ascending order; indexes of them are in the table of fields.
constexpr std::array<std::string_view, 8> kMetadataVersions = {"1.0", "1.1", "1.2", "2.1",
                                                               "2.2", "2.3", "2.4", "2.5"};

struct MetadataField {
  std::string_view name;
  std::size_t since = 0;  // index of kMetadataVersions
  bool many = false;
};
constexpr std::array kMetadataFields = {
    MetadataField{"Metadata-Version"},
    MetadataField{"Name"},
    MetadataField{"Version"},
    MetadataField{"Platform", 0, true},
    MetadataField{"Supported-Platform", 1, true},
    MetadataField{"Summary"},
    MetadataField{"Description"},
    MetadataField{"Keywords"},
    MetadataField{"Home-page"},
    MetadataField{"Download-URL", 1},
    MetadataField{"Author"},
    MetadataField{"Author-email"},
    MetadataField{"License"},
    MetadataField{"Classifier", 1, true},
    MetadataField{"Requires", 1, true},
    MetadataField{"Provides", 1, true},
    MetadataField{"Obsoletes", 1, true},
    MetadataField{"Maintainer", 2},
    MetadataField{"Maintainer-email", 2},
    MetadataField{"Requires-Dist", 2, true},
    MetadataField{"Requires-Python", 2},
    MetadataField{"Requires-External", 2, true},
    MetadataField{"Project-URL", 2, true},
    MetadataField{"Provides-Dist", 2, true},
    MetadataField{"Obsoletes-Dist", 2, true},
    MetadataField{"Description-Content-Type", 3},
    MetadataField{"Provides-Extra", 3, true},
    MetadataField{"Dynamic", 4, true},
    MetadataField{"License-Expression", 6},
    MetadataField{"License-File", 6, true},
    MetadataField{"Import-Name", 7, true},
    MetadataField{"Import-Namespace", 7, true},
};

const MetadataField* FindField(std::string_view name) {
  const auto found = std::ranges::find_if(kMetadataFields, [&](const MetadataField& field) {
    return EqualsIgnoringCase(field.name, name);
  });
  return found == kMetadataFields.end() ? nullptr : &*found;
}

class MetadataCheck {
 public:
  MetadataCheck(const WheelContents& wheel, WheelFindings& findings)
      : wheel_(wheel), headers_(ReadHeaders(wheel.metadata.text)), findings_(findings) {
    const std::string prefix = wheel.dist_infos.front() + "/";
    for (const ZipEntry& entry : wheel.archive.entries) {
      if (entry.name.starts_with(prefix)) {
        own_.insert(std::string_view(entry.name).substr(prefix.size()));
      }
    }
  }

  void Run() {
    CheckEncoding();
    CheckVersion();
    std::map<std::string, std::size_t> counts;
    for (const Header& header : headers_.fields) {
      const std::string name = ToLower(header.name);
      CheckField(header, ++counts[name]);
      if (name == "name" && !IsProjectName(header.value)) {
        Report(Severity::kError, header,
               fmt::format("{} is no name of a project", Quoted(header.value)),
               "expected letters and digits, with `-`, `_` and `.` between them");
      }
      if (name == "summary" && header.value.find('\n') != std::string::npos) {
        Report(Severity::kWarning, header, "its Summary has several lines",
               "indexes refuse it: put more into the description");
      }
      if (name == "requires-dist") CheckRequirement(header);
      if (name == "requires-python" && !ParsesAsBounds(header.value)) {
        Report(Severity::kError, header,
               fmt::format("Requires-Python {} is no list of versions", Quoted(header.value)),
               "installers ignore it, and take the wheel for any Python: expected >=3.10");
      }
      if (name == "provides-extra") CheckExtra(header);
      if (name == "classifier" && !classifiers_.insert(header.value).second) {
        Report(Severity::kWarning, header,
               fmt::format("it has the classifier {} twice", Quoted(header.value)), "the second");
      }
      if (name == "dynamic") CheckDynamic(header);
      if (name == "description-content-type") CheckContentType(header);
    }
    CheckExtrasOfMarkers();
    CheckLicense();
  }

 private:
  void Report(Severity severity, const Header& header, std::string message, std::string hint,
              std::string_view code = "wheel-metadata") {
    findings_.Report({.severity = severity,
                      .code = code,
                      .message = std::move(message),
                      .where = WheelFindings::Place(wheel_.metadata, header.value_part),
                      .hint = std::move(hint)});
  }

  void CheckEncoding() {
    const std::string_view text = wheel_.metadata.text;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t length = DecodeUtf8(text.substr(at)).length;
      if (length == 0) {
        findings_.Report({.severity = Severity::kWarning,
                          .code = "wheel-metadata",
                          .message = fmt::format("its METADATA is not UTF-8 at byte {}", at),
                          .where = WheelFindings::Place(wheel_.metadata, {at, 1}),
                          .hint = "indexes refuse it: save it as UTF-8"});
        return;
      }
      at += length;
    }
  }

  void CheckVersion() {
    const Header* version = headers_.Find("Metadata-Version");
    if (version == nullptr) return;
    const auto known = std::ranges::find(kMetadataVersions, version->value);
    if (known != kMetadataVersions.end()) {
      version_ = static_cast<std::size_t>(known - kMetadataVersions.begin());
      return;
    }
    const bool readable = version->value.starts_with("1.") || version->value.starts_with("2.");
    Report(readable ? Severity::kWarning : Severity::kError, *version,
           fmt::format("there is no Metadata-Version {}", Quoted(version->value)),
           readable ? "indexes refuse it: the newest is 2.5"
                    : "installers refuse it: the newest is 2.5");
  }

  void CheckField(const Header& header, std::size_t count) {
    const MetadataField* field = FindField(header.name);
    if (field == nullptr) {
      std::string hint;
      // Hostile names are long or many.
      if (header.name.size() < 40 && unknown_++ < 20) {
        std::vector<std::string_view> names;
        for (const MetadataField& known : kMetadataFields) names.push_back(known.name);
        hint = DidYouMean(header.name, names);
      }
      if (hint.empty()) hint = "readers ignore it";
      findings_.Report({.severity = Severity::kWarning,
                        .code = "wheel-metadata",
                        .message = fmt::format("METADATA has no field {}", Quoted(header.name)),
                        .where = WheelFindings::Place(wheel_.metadata, header.name_part),
                        .hint = std::move(hint)});
      return;
    }
    // The three that are needed are reported where they are compared with the name.
    if (!field->many && count == 2 && field > &kMetadataFields[2]) {
      Report(Severity::kWarning, header, fmt::format("it has {} twice", field->name),
             "readers differ in which one they use");
    }
    // setuptools wrote License-File before it was standard.
    if (version_ && field->since > *version_ && field->name != "License-File" && count == 1) {
      Report(Severity::kWarning, header,
             fmt::format("{} is a field of Metadata-Version {}, and this is {}", field->name,
                         kMetadataVersions[field->since], kMetadataVersions[*version_]),
             "indexes refuse it: a newer backend writes the right version");
    }
  }

  static bool ParsesAsBounds(std::string_view text) {
    // `===` compares texts, which ParseVersionSpecifier() does not read.
    return text.empty() || text.find("===") != std::string_view::npos ||
           (std::string_view("~=!<>").find(text.front()) != std::string_view::npos &&
            ParseVersionSpecifier(text).has_value());
  }

  void CheckRequirement(const Header& header) {
    const std::size_t semicolon = FindMarker(header.value);
    const std::string_view wanted = std::string_view(header.value).substr(0, semicolon);
    if (wanted.find("===") == std::string_view::npos && !ReadRequirement(wanted)) {
      Report(Severity::kError, header,
             fmt::format("Requires-Dist {} is no requirement", Quoted(header.value)),
             "installers refuse it: expected NAME[EXTRA]>=1.0; MARKER (PEP 508)");
    } else if (semicolon != std::string::npos) {
      CheckMarker(header, semicolon + 1);
    }
  }

  void CheckMarker(const Header& header, std::size_t begin) {
    const auto problem = FindMarkerProblem(std::string_view(header.value).substr(begin));
    if (!problem) return;
    TextPart part = header.value_part;
    // Not in a line that goes on below.
    if (const std::size_t at = begin + problem->at; at < part.length) {
      part = {part.offset + at, part.length - at};
    }
    findings_.Report({.severity = Severity::kError,
                      .code = "wheel-metadata",
                      .message = fmt::format("Requires-Dist {} has a marker that is not valid: {}",
                                             Quoted(header.value), problem->message),
                      .where = WheelFindings::Place(wheel_.metadata, part),
                      .hint = problem->hint.empty()
                                  ? "expected such as python_version < '3.13' (PEP 508)"
                                  : problem->hint});
  }

  void CheckExtra(const Header& header) {
    if (!IsProjectName(header.value)) {
      Report(Severity::kWarning, header,
             fmt::format("Provides-Extra {} is no name of an extra", Quoted(header.value)),
             "nobody can ask for it: expected letters and digits, with `-` between them (PEP 685)");
    } else if (!extras_.insert(NormalizeProject(header.value)).second) {
      Report(Severity::kWarning, header,
             fmt::format("it provides the extra {} twice", Quoted(header.value)), "the second");
    }
  }

  // Markers of extras that are not declared: installers warn and leave the requirement out.
  void CheckExtrasOfMarkers() {
    for (const Header& header : headers_.fields) {
      if (!EqualsIgnoringCase(header.name, "Requires-Dist")) continue;
      const auto wanted = ReadRequirement(header.value);
      if (!wanted) continue;
      std::string_view rest = wanted->marker;
      for (std::size_t at = rest.find("extra"); at != std::string_view::npos;
           at = rest.find("extra")) {
        rest = Trim(rest.substr(at + 5));
        if (!rest.starts_with("==")) continue;
        rest = Trim(rest.substr(2));
        if (rest.empty() || (rest.front() != '\'' && rest.front() != '"')) continue;
        const std::string_view extra = rest.substr(1, rest.find(rest.front(), 1) - 1);
        if (extras_.contains(NormalizeProject(extra))) continue;
        Report(Severity::kWarning, header,
               fmt::format("a requirement is for the extra {}, which it does not provide",
                           Quoted(extra)),
               fmt::format("nobody can ask for it: declare Provides-Extra: {}", extra));
        extras_.insert(NormalizeProject(extra));
      }
    }
  }

  void CheckDynamic(const Header& header) {
    const MetadataField* field = FindField(header.value);
    if (field == nullptr) {
      Report(Severity::kWarning, header,
             fmt::format("Dynamic {} is no field of METADATA", Quoted(header.value)),
             "expected the name of a field (PEP 643)");
    } else if (field <= &kMetadataFields[2]) {
      Report(Severity::kWarning, header, fmt::format("{} cannot be dynamic", field->name),
             "it is the same in sources and wheels (PEP 643)");
    }
  }

  void CheckContentType(const Header& header) {
    std::vector<std::string_view> parts = Split(header.value, ';');
    const std::string type = ToLower(Trim(parts.front()));
    if (type != "text/plain" && type != "text/x-rst" && type != "text/markdown") {
      Report(Severity::kWarning, header,
             fmt::format("Description-Content-Type {} is not known", Quoted(type)),
             "indexes refuse it: expected text/markdown, text/x-rst or text/plain");
      return;
    }
    for (std::size_t i = 1; i < parts.size(); ++i) {
      const std::size_t equals = parts[i].find('=');
      if (equals == std::string_view::npos) continue;
      const std::string key = ToLower(Trim(parts[i].substr(0, equals)));
      std::string_view value = Trim(parts[i].substr(equals + 1));
      if (value.size() >= 2 && value.front() == '"' && value.back() == '"') {
        value = value.substr(1, value.size() - 2);
      }
      if (key == "charset" && !EqualsIgnoringCase(value, "utf-8")) {
        Report(Severity::kWarning, header, fmt::format("its description is in {}", Quoted(value)),
               "indexes refuse it: only UTF-8 is allowed");
      }
      if (key == "variant" && type == "text/markdown" && value != "GFM" && value != "CommonMark") {
        Report(Severity::kWarning, header,
               fmt::format("there is no Markdown variant {}", Quoted(value)),
               "indexes refuse it: expected GFM or CommonMark");
      }
    }
  }

  // Where backends put the texts of licenses: since 2.4 below licenses/ (PEP 639), before that
  // beside METADATA.
  bool HasLicenseFile(std::string_view path) const {
    if (own_.contains(fmt::format("licenses/{}", path))) return true;
    return (!version_ || kMetadataVersions[*version_] < "2.4") &&
           (own_.contains(path) || own_.contains(path.substr(path.rfind('/') + 1)));
  }

  void CheckLicense() {
    const auto warn = [&](const Header& header, std::string message, std::string hint) {
      Report(Severity::kWarning, header, std::move(message), std::move(hint), "wheel-license");
    };
    bool declared = false, expression = false;
    for (const Header& header : headers_.fields) {
      if (EqualsIgnoringCase(header.name, "License-File")) {
        declared = true;
        if (!UnsafeNameProblem(header.value).empty() ||
            header.value.find('*') != std::string::npos) {
          warn(header, fmt::format("License-File {} is no path in a wheel", Quoted(header.value)),
               "expected a relative path with `/`, such as LICENSE.txt (PEP 639)");
        } else if (!HasLicenseFile(header.value)) {
          warn(header, fmt::format("it has no license file {}", Quoted(header.value)),
               fmt::format("expected {}/licenses/{} (PEP 639)", wheel_.dist_infos.front(),
                           header.value));
        }
      }
      if (EqualsIgnoringCase(header.name, "License-Expression")) {
        if (const std::string problem = LicenseExpressionProblem(header.value); !problem.empty()) {
          warn(header,
               fmt::format("License-Expression {} is not valid: {}", Quoted(header.value), problem),
               "expected identifiers of SPDX with AND, OR and WITH: MIT AND Apache-2.0");
        }
        expression = true;
      }
    }
    if (expression) CheckOtherLicenses();
    if (declared) return;
    const bool any = std::ranges::any_of(own_, [](std::string_view path) {
      const std::string name = ToLower(path);
      return name.starts_with("licenses/") || name.starts_with("license") ||
             name.starts_with("licence") || name.starts_with("copying") ||
             name.starts_with("notice");
    });
    if (any) return;
    findings_.Report({.severity = Severity::kWarning,
                      .code = "wheel-license",
                      .message = "it has no license file",
                      .hint = "who passes it on has to add the text of its license: name it in "
                              "License-File, which puts it below .dist-info/licenses (PEP 639)"});
  }

  // An expression replaces the older fields.
  void CheckOtherLicenses() {
    for (const Header& header : headers_.fields) {
      const bool older = EqualsIgnoringCase(header.name, "License");
      if (!older && !(EqualsIgnoringCase(header.name, "Classifier") &&
                      header.value.starts_with("License ::")))
        continue;
      Report(Severity::kWarning, header,
             fmt::format("it has both License-Expression and {}",
                         older ? std::string("License") : Quoted(header.value)),
             "indexes refuse it: leave this one out (PEP 639)", "wheel-license");
      return;
    }
  }

  const WheelContents& wheel_;
  Headers headers_;
  WheelFindings& findings_;
  std::optional<std::size_t> version_;  // index of kMetadataVersions
  std::size_t unknown_ = 0;             // fields
  std::set<std::string> extras_, classifiers_;
  std::set<std::string_view, std::less<>> own_;  // paths below .dist-info
};

}  // namespace

void CheckWheelMetadata(const WheelContents& wheel, WheelFindings& findings) {
  if (wheel.dist_infos.empty() || !wheel.metadata.found || !wheel.metadata.problem.empty()) return;
  MetadataCheck(wheel, findings).Run();
}

}  // namespace wheelwright

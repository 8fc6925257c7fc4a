#include "runtime/wheels/provenance/bill_of_materials.h"

#include <fmt/format.h>

#include <optional>

#include "base/json.h"
#include "base/text.h"
#include "runtime/store/digest/digest.h"
#include "runtime/store/storage/keys.h"
#include "runtime/wheels/native/native_library.h"
#include "runtime/wheels/version/requirement.h"

namespace wheelwright {
namespace {

// RECORD has sums in base 64 without padding, bills in hexadecimal.
std::string HexadecimalOf(std::string sum) {
  for (char& letter : sum) {
    if (letter == '-') letter = '+';
    if (letter == '_') letter = '/';
  }
  while (sum.size() % 4 != 0) sum += '=';
  const std::optional<std::string> raw = DecodeBase64(sum);
  return raw && raw->size() == 32 ? Hexadecimal(*raw) : std::string();
}

Json Sums(std::string_view sha256) {
  return Json::array({{{"alg", "SHA-256"}, {"content", sha256}}});
}

// The name of its licence, and where people find more.
void AddAbout(const Headers& metadata, Json& component) {
  const Header* licence = metadata.Find("License-Expression");
  const Header* text = metadata.Find("License");
  if (licence != nullptr) {
    component["licenses"] = Json::array({{{"expression", licence->value}}});
  } else if (text != nullptr && !Trim(text->value).empty()) {
    // Some projects give their whole licence here.
    const std::string_view first = Trim(Split(text->value, '\n').front());
    component["licenses"] = Json::array({{{"license", {{"name", Shorten(first, 200)}}}}});
  }
  if (const Header* says = metadata.Find("Summary")) component["description"] = says->value;
}

// The exact version that it asks for, or "".
std::string PinOf(const Requirement& wanted) {
  const std::string_view text = wanted.text;
  const std::size_t at = text.find("==");
  if (at == std::string_view::npos || text.find(',') != std::string_view::npos) return {};
  const std::string_view version = Trim(text.substr(at + 2));
  return version.find('*') == std::string_view::npos ? std::string(version) : std::string();
}

void AddRequirements(const Headers& metadata, Json& components, Json& needed) {
  for (const Header& field : metadata.fields) {
    if (!EqualsIgnoringCase(field.name, "Requires-Dist")) continue;
    const std::optional<Requirement> wanted = ReadRequirement(field.value);
    if (!wanted) continue;
    const std::string project = NormalizeProject(wanted->name);
    // One requirement may stand there several times, for several Pythons.
    const std::string reference = fmt::format("requirement:{}", field.value);
    bool known = false;
    for (const Json& one : needed) known = known || one == reference;
    if (known) continue;
    const std::string version = PinOf(*wanted);
    Json one{{"type", "library"}, {"bom-ref", reference}, {"name", project}};
    if (!version.empty()) one["version"] = version;
    one["purl"] = PackageUrl(project, version);
    one["properties"] = Json::array({{{"name", "wheelrun:requires"}, {"value", field.value}}});
    components.push_back(std::move(one));
    needed.push_back(reference);
  }
}

void AddLibraries(const WheelContents& contents, Json& components) {
  for (const RecordRow& row : contents.rows) {
    if (!row.problem.empty() || !IsLibraryName(row.path)) continue;
    Json one{{"type", "file"}, {"bom-ref", fmt::format("file:{}", row.path)}, {"name", row.path}};
    const std::string sum = row.algorithm == "sha256" ? HexadecimalOf(row.sum) : std::string();
    if (!sum.empty()) one["hashes"] = Sums(sum);
    components.push_back(std::move(one));
  }
}

}  // namespace

std::string PackageUrl(std::string_view project, std::string_view version) {
  return version.empty() ? fmt::format("pkg:pypi/{}", project)
                         : fmt::format("pkg:pypi/{}@{}", project, EncodeQuery(version));
}

Json BillOfMaterials(const WheelContents& contents, const AttestedWheel& wheel,
                     const std::vector<AttestedSource>& sources) {
  const Headers metadata = ReadHeaders(contents.metadata.text);
  const std::string reference = PackageUrl(wheel.project, wheel.version);
  Json self{{"type", "library"},        {"bom-ref", reference},         {"name", wheel.project},
            {"version", wheel.version}, {"hashes", Sums(wheel.sha256)}, {"purl", reference}};
  AddAbout(metadata, self);
  Json commits = Json::array();
  for (const AttestedSource& source : sources) {
    if (source.project != wheel.project) continue;
    commits.push_back({{"uid", source.commit}, {"url", source.repository}});
  }
  if (!commits.empty()) self["pedigree"]["commits"] = std::move(commits);

  Json components = Json::array(), needed = Json::array();
  AddRequirements(metadata, components, needed);
  AddLibraries(contents, components);
  const std::string_view sum = wheel.sha256;
  // A UUID of version 8, whose bits are ours: https://www.rfc-editor.org/rfc/rfc9562
  const std::string serial =
      fmt::format("urn:uuid:{}-{}-8{}-8{}-{}", sum.substr(0, 8), sum.substr(8, 4),
                  sum.substr(12, 3), sum.substr(15, 3), sum.substr(18, 12));
  return {{"$schema", "http://cyclonedx.org/schema/bom-1.6.schema.json"},
          {"bomFormat", "CycloneDX"},
          {"specVersion", "1.6"},
          {"serialNumber", serial},
          {"version", 1},
          {"metadata", {{"component", std::move(self)}}},
          {"components", std::move(components)},
          {"dependencies", Json::array({{{"ref", reference}, {"dependsOn", std::move(needed)}}})}};
}

}  // namespace wheelwright

#include "runtime/hip/code/device_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/platform/little_endian.h"
#include "base/quote.h"
#include "base/text.h"
#include "runtime/hip/code/object_sections.h"
#include "runtime/hip/code/part_source.h"

namespace wheelwright {
namespace {

constexpr std::string_view kArchiveMagic = "!<arch>\n";
constexpr std::string_view kKpackMagic = "KPAK";
// Members of archives up to this size are read into memory: seeking back in a compressed file costs
// more.
constexpr std::uint64_t kHeldMember = 256 << 20;
constexpr std::uint64_t kSmallMember = 1 << 20;

void AddProblem(DeviceObject& object, bool unknown, std::string message) {
  object.problems.push_back({unknown, std::move(message)});
}

// Reads all containers of a section, up to a broken one, whose end is unknown.
void WalkSection(BundleReader& reader, const DeviceSection& section, DeviceObject& object) {
  const std::uint64_t end = section.offset + section.size;
  for (std::uint64_t at = section.offset;;) {
    at = reader.SkipZeros(at, end);
    if (at == end) return;
    if (object.bundles.size() >= kMostBundles) {
      return AddProblem(object, false,
                        fmt::format("it has more than {} bundles", WithThousands(kMostBundles)));
    }
    std::optional<OffloadBundle> bundle = reader.ReadAt(at, end);
    if (!bundle) {
      return AddProblem(object, reader.problem().unknown,
                        fmt::format("at byte {} of {}: {}", at - section.offset, section.name,
                                    reader.problem().message));
    }
    at += bundle->size;
    object.bundles.push_back(*std::move(bundle));
  }
}

// Whether a chain consists of all containers of the section.
bool Covers(const BundleChain& chain, const DeviceSection& section) {
  const std::uint64_t end = section.offset + section.size;
  return chain.begin == section.offset && chain.end >= end && !chain.bundles.empty() &&
         chain.bundles.back().offset + chain.bundles.back().size <= end;
}

void ReadObject(const ByteSource& source, ObjectFormat format, BundleReader& reader,
                const std::vector<BundleChain>& chains, DeviceObject& object) {
  ObjectSections sections = ReadSections(source, format);
  if (const auto& section = sections.kpack_reference) {
    object.kpack = ReadKpackReference(source, section->offset, section->size);
    if (!object.kpack) {
      AddProblem(object, false, fmt::format("its section {} cannot be read", section->name));
    }
  }
  if (!sections.problem.empty()) AddProblem(object, false, sections.problem);
  if (sections.is_code_object) {
    if (!sections.target) {
      AddProblem(object, true,
                 fmt::format("it is a code object with the flags 0x{:x}, whose target is not known",
                             sections.flags));
    }
    object.bundles.push_back(
        {.kind = BundleKind::kCodeObject,
         .size = source.size(),
         .unpacked = source.size(),
         .images = {{.id = sections.target ? sections.target->ToString() : std::string(),
                     .target = sections.target,
                     .size = source.size()}}});
  }
  for (const DeviceSection& image : sections.images) {
    const std::optional<GfxTarget> target = TargetOfBundleId(image.name);
    if (!target) continue;
    object.bundles.push_back({.kind = BundleKind::kCodeObject,
                              .offset = image.offset,
                              .size = image.size,
                              .unpacked = image.size,
                              .images = {{image.name, target, image.size}}});
  }
  std::uint64_t done = 0;
  for (const DeviceSection& section : sections.containers) {
    if (section.offset < done) {
      AddProblem(object, false, fmt::format("its section {} overlaps another", section.name));
      continue;
    }
    done = section.offset + section.size;
    const auto chain =
        std::ranges::find_if(chains, [&](const auto& known) { return Covers(known, section); });
    const std::size_t before = object.bundles.size();
    if (chain != chains.end()) {
      object.bundles.insert(object.bundles.end(), chain->bundles.begin(), chain->bundles.end());
    } else {
      WalkSection(reader, section, object);
    }
    // Moving code to kpack archives leaves zeros.
    if (object.bundles.size() == before && object.problems.empty() && !object.kpack) {
      AddProblem(object, false, fmt::format("its section {} is all zeros", section.name));
    }
  }
}

// Reads the members of an `ar` archive, with the long names of GNU and BSD.
class ArchiveReader {
 public:
  ArchiveReader(const ByteSource& source, std::string_view name, UnpackBudget& budget)
      : source_(source), name_(name), budget_(budget) {}

  std::vector<DeviceObject> Read() {
    constexpr std::uint64_t kHead = 60;
    for (std::uint64_t at = kArchiveMagic.size(); at < source_.size();) {
      std::array<Byte, kHead> head{};
      std::optional<std::uint64_t> size;
      if (LiesWithin(at, kHead, source_.size()) && source_.ReadAt(at, head)) {
        size = ReadWholeNumber(Trim(AsText(head).substr(48, 10)));
      }
      at += kHead;
      if (!size || AsText(head).substr(58) != "`\n" || !LiesWithin(at, *size, source_.size())) {
        DeviceObject broken{.name = std::string(name_)};
        AddProblem(broken, false, "the table of its members is broken");
        objects_.push_back(std::move(broken));
        break;
      }
      Member(AsText(head).substr(0, 16), at, *size);
      at += *size + *size % 2;
    }
    return std::move(objects_);
  }

 private:
  void Member(std::string_view field, std::uint64_t at, std::uint64_t size) {
    std::string member(Trim(field));
    if (member == "/" || member == "/SYM64/") return;  // the index
    if (member == "//") {
      names_.assign(static_cast<std::size_t>(std::min<std::uint64_t>(size, kSmallMember)), '\0');
      if (!source_.ReadAt(at, {reinterpret_cast<Byte*>(names_.data()), names_.size()})) {
        names_.clear();
      }
      return;
    }
    if (member.starts_with("#1/")) {
      const std::uint64_t length =
          ReadWholeNumber(Trim(std::string_view(member).substr(3))).value_or(0);
      if (length > size || length > 4096) return;
      member.assign(static_cast<std::size_t>(length), '\0');
      if (!source_.ReadAt(at, {reinterpret_cast<Byte*>(member.data()), member.size()})) return;
      member.resize(std::min(member.find('\0'), member.size()));
      at += length;
      size -= length;
    } else if (member.starts_with('/')) {
      const std::uint64_t start =
          ReadWholeNumber(Trim(std::string_view(member).substr(1))).value_or(0);
      const std::string_view rest =
          start < names_.size() ? std::string_view(names_).substr(start) : std::string_view();
      member = rest.substr(0, rest.find_first_of("/\n"));
    } else if (member.ends_with('/')) {
      member.pop_back();
    }
    Object(std::move(member), at, size);
  }

  void Object(std::string member, std::uint64_t at, std::uint64_t size) {
    std::array<Byte, 8> magic{};
    if (size < magic.size() || !source_.ReadAt(at, magic)) return;
    if (FormatOf(magic) == ObjectFormat::kNone && !LooksLikeBundle(magic.data())) return;
    std::string path = fmt::format("{}({})", name_, member);
    const PartSource part(source_, at, size);
    std::vector<DeviceObject> found;
    if (size > kSmallMember && size <= kHeldMember) {
      std::string held(static_cast<std::size_t>(size), '\0');
      if (!part.ReadAt(0, {reinterpret_cast<Byte*>(held.data()), held.size()})) return;
      found = FindDeviceCode(MemorySource(held), path, budget_);
    } else {
      found = FindDeviceCode(part, path, budget_);
    }
    for (DeviceObject& object : found) objects_.push_back(std::move(object));
  }

  const ByteSource& source_;
  std::string_view name_;
  UnpackBudget& budget_;
  std::string names_;  // long names, in the format of GNU
  std::vector<DeviceObject> objects_;
};

}  // namespace

std::set<GfxTarget> DeviceObject::Targets() const {
  std::set<GfxTarget> targets;
  for (const OffloadBundle& bundle : bundles) {
    for (const OffloadImage& image : bundle.images) {
      if (image.target) targets.insert(*image.target);
    }
  }
  return targets;
}

bool MayHoldDeviceCode(std::span<const Byte> head) {
  if (head.size() < 8) return false;
  const std::string_view text = AsText(head);
  const ObjectFormat format = FormatOf(head);
  return format == ObjectFormat::kElf || format == ObjectFormat::kPe ||
         text.starts_with(kArchiveMagic) || text.starts_with(kKpackMagic) ||
         LooksLikeBundle(head.data());
}

std::vector<DeviceObject> FindDeviceCode(const ByteSource& source, std::string_view name,
                                         UnpackBudget& budget,
                                         const std::vector<BundleChain>& chains) {
  std::array<Byte, 8> head{};
  if (source.size() < head.size() || !source.ReadAt(0, head)) return {};
  if (AsText(head) == kArchiveMagic) return ArchiveReader(source, name, budget).Read();

  BundleReader reader(source, budget);
  DeviceObject object{.name = std::string(name)};
  const ObjectFormat format = FormatOf(head);
  if (AsText(head).starts_with(kKpackMagic)) {
    BundleProblem problem;
    if (auto archive = ReadKpack(source, problem)) {
      object.bundles.push_back(*std::move(archive));
    } else {
      object.problems.push_back(std::move(problem));
    }
  } else if (format != ObjectFormat::kNone) {
    ReadObject(source, format, reader, chains, object);
  } else if (LooksLikeBundle(head.data())) {
    WalkSection(reader, {.name = "the file", .offset = 0, .size = source.size()}, object);
  }
  if (object.empty()) return {};
  std::vector<DeviceObject> found;
  found.push_back(std::move(object));
  return found;
}

}  // namespace wheelwright

#include "runtime/wheels/wheel/wheel_contents.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/parallel.h"
#include "runtime/wheels/zip/zip_stream.h"

namespace wheelwright {
namespace {

// The longest METADATA of the public index has some 500 kB, most of it prose.
constexpr std::uint64_t kMostText = 4 << 20;

// A row of RECORD has some hundred bytes.
constexpr std::uint64_t kMostOfRecord = 64 << 20;
std::uint64_t MostRecord(const WheelContents& wheel) {
  return std::min<std::uint64_t>(kMostOfRecord, (64 << 10) + 2048 * wheel.archive.entries.size());
}
// The limit of rows, about twice the number of files.
std::size_t MostRows(const WheelContents& wheel) { return 1000 + 2 * wheel.archive.entries.size(); }

void FindDistInfo(WheelContents& wheel) {
  constexpr std::string_view kSuffix = ".dist-info";
  std::set<std::string> folders;
  for (const ZipEntry& entry : wheel.archive.entries) {
    const std::string_view name = entry.name;
    const std::size_t slash = name.find('/');
    if (slash == std::string_view::npos || !name.substr(0, slash).ends_with(kSuffix)) continue;
    folders.emplace(name.substr(0, slash));
  }
  wheel.dist_infos.assign(folders.begin(), folders.end());
}

WheelText ReadText(const WheelContents& wheel, std::string_view name, std::uint64_t most,
                   SourceManager& sources) {
  const std::string path = wheel.dist_infos.front() + "/" + std::string(name);
  const auto found = std::ranges::find(wheel.archive.entries, path, &ZipEntry::name);
  WheelText text;
  if (found == wheel.archive.entries.end()) return text;
  text.found = true;
  if (!found->readable) {
    text.problem = "see above";
    return text;
  }
  std::optional<std::string> bytes = ReadZipEntry(*wheel.source, *found, most, text.problem);
  if (!bytes) return text;
  text.file = sources.Add(wheel.file + "/" + path, std::move(*bytes));
  text.text = sources.Text(text.file);
  return text;
}

void MatchRows(WheelContents& wheel) {
  std::unordered_map<std::string_view, std::size_t> rows;
  for (std::size_t i = 0; i < wheel.rows.size(); ++i) {
    if (wheel.rows[i].problem.empty()) rows.emplace(wheel.rows[i].path, i);
  }
  wheel.row_of.assign(wheel.archive.entries.size(), WheelContents::kNoRow);
  for (std::size_t i = 0; i < wheel.archive.entries.size(); ++i) {
    const auto row = rows.find(wheel.archive.entries[i].name);
    if (row != rows.end()) wheel.row_of[i] = row->second;
  }
}

// The names of libraries and versions that are kept of a wheel, in bytes. ROCm's largest has some
// 100 kB of them.
constexpr std::size_t kMostNames = 8 << 20;

DigestKind KindFor(const WheelContents& wheel, std::size_t entry) {
  const std::size_t row = wheel.row_of[entry];
  if (row == WheelContents::kNoRow) return DigestKind::kSha256;
  return DigestNamed(wheel.rows[row].algorithm).value_or(DigestKind::kSha256);
}

EntryFacts ReadOne(const WheelContents& wheel, std::size_t index, bool names, ZipStream& stream) {
  const ZipEntry& entry = wheel.archive.entries[index];
  EntryFacts facts;
  Digest digest(KindFor(wheel, index));
  NativeProbe probe(names);
  bool first = true;
  stream.Start(*wheel.source, entry);
  for (auto piece = stream.Next(); !piece.empty(); piece = stream.Next()) {
    if (first) facts.script = piece.size() >= 2 && piece[0] == '#' && piece[1] == '!';
    first = false;
    digest.Add(piece);
    probe.Feed(piece);
  }
  facts.problem = stream.problem();
  if (!facts.problem.empty()) return facts;
  facts.sum = digest.Finish();
  probe.EndPass();
  while (probe.wants_pass()) {
    probe.Restart();
    stream.Start(*wheel.source, entry);
    for (auto piece = stream.Next(); !piece.empty() && !probe.idle(); piece = stream.Next()) {
      probe.Feed(piece);
    }
    probe.EndPass();
  }
  facts.native = probe.facts();
  return facts;
}

}  // namespace

WheelContents OpenWheel(const std::string& path, std::unique_ptr<ByteSource> source,
                        std::string problem, SourceManager& sources) {
  WheelContents wheel;
  wheel.file = path.substr(path.find_last_of("/\\") + 1);
  wheel.reading = ReadWheelName(wheel.file);
  wheel.source = std::move(source);
  wheel.problem = std::move(problem);
  if (!wheel.source) return wheel;
  std::optional<ZipArchive> archive = ReadZip(*wheel.source, wheel.faults);
  if (!archive) return wheel;
  wheel.is_archive = true;
  wheel.archive = std::move(*archive);
  FindDistInfo(wheel);
  if (!wheel.dist_infos.empty()) {
    wheel.record = ReadText(wheel, "RECORD", MostRecord(wheel), sources);
    wheel.metadata = ReadText(wheel, "METADATA", kMostText, sources);
    wheel.wheel = ReadText(wheel, "WHEEL", kMostText, sources);
    wheel.rows = ReadRecord(wheel.record.text, MostRows(wheel));
  }
  MatchRows(wheel);
  wheel.facts.resize(wheel.archive.entries.size());
  return wheel;
}

void ReadEntries(std::vector<WheelContents>& wheels, std::size_t threads) {
  struct Piece {
    WheelContents* wheel;
    std::size_t entry;
    std::atomic<std::size_t>* names;
  };
  std::deque<std::atomic<std::size_t>> names(wheels.size());
  std::vector<Piece> pieces;
  for (std::size_t w = 0; w < wheels.size(); ++w) {
    WheelContents& wheel = wheels[w];
    for (std::size_t i = 0; i < wheel.archive.entries.size(); ++i) {
      const ZipEntry& entry = wheel.archive.entries[i];
      if (entry.readable && !entry.folder) pieces.push_back({&wheel, i, &names[w]});
    }
  }
  std::ranges::stable_sort(pieces, std::greater<>(), [](const Piece& piece) {
    return piece.wheel->archive.entries[piece.entry].size;
  });
  threads = std::max<std::size_t>(threads, 1);
  std::atomic<std::size_t> next{0};
  // Each thread reuses one stream.
  ParallelFor(std::min(threads, pieces.size()), threads, [&](std::size_t) {
    ZipStream stream;
    for (std::size_t i = next++; i < pieces.size(); i = next++) {
      const Piece& piece = pieces[i];
      const bool read_names = *piece.names <= kMostNames;
      EntryFacts facts = ReadOne(*piece.wheel, piece.entry, read_names, stream);
      const std::size_t names_before = piece.names->fetch_add(facts.native.Names());
      if (names_before + facts.native.Names() > kMostNames) {
        facts.native.libraries.clear();
        facts.native.delayed.clear();
        facts.native.versions.clear();
        facts.native.search_path.reset();
      }
      piece.wheel->facts[piece.entry] = std::move(facts);
    }
  });
  for (std::size_t w = 0; w < wheels.size(); ++w) {
    wheels[w].too_many_names =
        names[w] > kMostNames ||
        std::ranges::any_of(wheels[w].facts, [](const EntryFacts& f) { return f.native.cut; });
  }
}

}  // namespace wheelwright

#include "runtime/store/digest/sum.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace wheelwright {
namespace {

constexpr std::uint64_t kPiece = std::uint64_t{256} << 10;

}  // namespace

std::string NameOf(const SumRule& rule) {
  const CrcKind* crc = std::get_if<CrcKind>(&rule.kind);
  std::string name(crc != nullptr ? NameOf(*crc) : NameOf(std::get<DigestKind>(rule.kind)));
  if (rule.part != 0) name += " by parts";
  return name;
}

KnownSum KnownSumOf(const WholeCrc& crc) { return {{crc.kind}, Hexadecimal(BytesOf(crc))}; }

RunningSum::Plain::Plain(const std::variant<DigestKind, CrcKind>& kind) {
  if (const CrcKind* crc = std::get_if<CrcKind>(&kind)) {
    crc_.kind = *crc;
  } else {
    digest_.emplace(std::get<DigestKind>(kind));
  }
}

void RunningSum::Plain::Add(std::span<const Byte> bytes) {
  if (digest_) {
    digest_->Add(bytes);
  } else {
    crc_.value = Crc(crc_.kind, crc_.value, bytes);
  }
}

std::string RunningSum::Plain::Finish() { return digest_ ? digest_->Finish() : BytesOf(crc_); }

RunningSum::RunningSum(const SumRule& rule) : rule_(rule), left_(rule.part), whole_(rule.kind) {
  if (rule.part != 0) part_.emplace(rule.kind);
}

void RunningSum::Add(std::span<const Byte> bytes) {
  if (!part_) return whole_.Add(bytes);
  while (!bytes.empty()) {
    const auto piece = bytes.first(std::min<std::uint64_t>(left_, bytes.size()));
    part_->Add(piece);
    left_ -= piece.size();
    if (left_ == 0) EndPart();
    bytes = bytes.subspan(piece.size());
  }
}

void RunningSum::EndPart() {
  whole_.Add(AsBytes(part_->Finish()));
  part_.emplace(rule_.kind);
  left_ = rule_.part;
  ended_any_ = true;
}

std::string RunningSum::Finish() {
  // An empty object has one part too.
  if (part_ && (left_ < rule_.part || !ended_any_)) EndPart();
  return Hexadecimal(whole_.Finish());
}

std::string SumOf(const SumRule& rule, const ByteSource& source, std::uint64_t offset,
                  std::uint64_t length) {
  RunningSum sum(rule);
  const bool read =
      ReadPieces(source, offset, length, [&](std::span<const Byte> piece) { sum.Add(piece); });
  return read ? sum.Finish() : std::string();
}

std::optional<std::string> Sha256OfFile(const std::string& path) {
  std::string problem;
  const std::unique_ptr<ByteSource> source = OpenFileSource(path, problem);
  std::string sum = source ? SumOf({DigestKind::kSha256}, *source, 0, source->size()) : "";
  return sum.empty() ? std::nullopt : std::optional(std::move(sum));
}

bool ReadPieces(const ByteSource& source, std::uint64_t offset, std::uint64_t length,
                const std::function<void(std::span<const Byte> piece)>& visit) {
  std::vector<Byte> buffer(static_cast<std::size_t>(std::min(kPiece, length)));
  while (length > 0) {
    const auto piece = std::span(buffer).first(std::min<std::uint64_t>(buffer.size(), length));
    if (!source.ReadAt(offset, piece)) return false;
    visit(std::span<const Byte>(piece));
    offset += piece.size();
    length -= piece.size();
  }
  return true;
}

}  // namespace wheelwright

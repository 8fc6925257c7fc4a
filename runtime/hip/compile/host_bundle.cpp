#include "runtime/hip/compile/host_bundle.h"

#include <cstdint>

#include "runtime/hip/code/offload_bundle.h"

namespace wheelwright {

std::string BundleOf(std::span<const Pair> pairs, std::size_t source, FileSystem& files) {
  std::vector<std::pair<std::string, std::string>> objects;
  for (const Pair& pair : pairs) {
    if (pair.source != source || pair.is_host() || pair.object.empty()) continue;
    objects.emplace_back(pair.target, files.Read(pair.object).value_or(""));
  }
  return MakeBundle(objects);
}

std::string MakeBundle(const std::vector<std::pair<std::string, std::string>>& objects) {
  // The HIP runtime maps images, so each begins at a page.
  constexpr std::size_t kAlignment = 4096;
  const auto align = [](std::size_t at) { return (at + kAlignment - 1) / kAlignment * kAlignment; };
  const auto add = [](std::string& out, std::uint64_t value) {
    for (int i = 0; i < 8; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
  };
  std::vector<std::pair<std::string, std::string_view>> entries{
      {"host-x86_64-unknown-linux--", {}}};
  for (const auto& [target, bytes] : objects) {
    entries.emplace_back("hipv4-amdgcn-amd-amdhsa--" + target, bytes);
  }
  std::size_t table_size = kPlainBundleMagic.size() + 8;
  for (const auto& [id, bytes] : entries) table_size += 24 + id.size();
  std::string table(kPlainBundleMagic);
  add(table, entries.size());
  std::size_t offset = align(table_size);
  for (const auto& [id, bytes] : entries) {
    add(table, offset);
    add(table, bytes.size());
    add(table, id.size());
    table += id;
    offset = align(offset + bytes.size());
  }
  std::string bundle = std::move(table);
  for (const auto& [id, bytes] : entries) {
    bundle.resize(align(bundle.size()), '\0');
    bundle += bytes;
  }
  return bundle;
}

}  // namespace wheelwright

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "base/text.h"
#include "runtime/wheels/zip/zip_archive.h"
#include "runtime/wheels/zip/zip_stream.h"
#include "tests/unit/wheel_builder.h"

namespace wheelwright {
namespace {

// The faults of an archive, a line each, and then what is wrong with its contents.
std::string FaultsOf(const std::string& bytes) {
  const MemorySource source(bytes);
  std::vector<ZipFault> faults;
  const auto archive = ReadZip(source, faults);
  std::string out;
  for (const ZipFault& fault : faults) {
    out += std::string(fault.code) + ": " + fault.message + "\n";
  }
  if (!archive) return out + "unreadable\n";
  ZipStream stream;
  for (const ZipEntry& entry : archive->entries) {
    if (!entry.readable) continue;
    stream.Start(source, entry);
    while (!stream.Next().empty()) {
    }
    if (!stream.problem().empty()) out += entry.name + ": " + stream.problem() + "\n";
  }
  return out;
}

std::string FaultsOf(const TestZip& zip) { return FaultsOf(Packed(zip)); }

TestZip Good() {
  TestZip zip;
  zip.entries.emplace_back("a.txt", std::string(1000, 'a'));
  zip.entries.emplace_back("b/c.txt", "stored", false);
  zip.entries.emplace_back("empty", "", false);
  return zip;
}

std::string Text(std::string_view bytes, std::string_view name) {
  const MemorySource source(bytes);
  std::vector<ZipFault> faults;
  const auto archive = ReadZip(source, faults);
  REQUIRE(archive);
  for (const ZipEntry& entry : archive->entries) {
    if (entry.name != name) continue;
    std::string problem;
    const auto text = ReadZipEntry(source, entry, 1 << 20, problem);
    return text ? *text : "problem: " + problem;
  }
  return "no entry";
}

// Signature or none, sizes in 32 or 64 bits.
std::string Descriptor(const TestEntry& entry, bool with_signature, std::size_t width) {
  return (with_signature ? "PK\7\10" : "") + LittleEndian(entry.crc, 4) +
         LittleEndian(entry.packed, width) + LittleEndian(entry.size, width);
}

TestZip Described(bool with_signature, std::size_t width) {
  TestZip zip = Good();
  TestEntry& entry = zip.entries[0];
  entry.flags = entry.local_flags = 8;
  entry.local_crc = 0;
  entry.local_packed = entry.local_size = 0;
  entry.descriptor = Descriptor(entry, with_signature, width);
  return zip;
}

}  // namespace

TEST_CASE("Good archives are read") {
  CHECK(FaultsOf(Good()).empty());
  CHECK(Text(Packed(Good()), "a.txt") == std::string(1000, 'a'));
  CHECK(Text(Packed(Good()), "b/c.txt") == "stored");
  CHECK(Text(Packed(Good()), "empty").empty());
  CHECK(FaultsOf(TestZip{}).empty());

  TestZip zip = Good();
  zip.comment = "made by hand";
  CHECK(FaultsOf(zip).empty());
  zip = Good();
  zip.entries.emplace_back("b/", "", false);
  zip.entries.back().mode = 040755;
  CHECK(FaultsOf(zip).empty());
  zip = Good();
  zip.entries.emplace_back("\xC3\xA4.txt", "umlaut");
  zip.entries.back().flags = zip.entries.back().local_flags = 1 << 11;
  CHECK(FaultsOf(zip).empty());
}

TEST_CASE("Archives in 64 bits are read") {
  TestZip zip = Good();
  zip.zip64 = true;
  TestEntry& entry = zip.entries[0];
  const std::string both = LittleEndian(entry.size, 8) + LittleEndian(entry.packed, 8);
  entry.extra = entry.local_extra = LittleEndian(1, 2) + LittleEndian(16, 2) + both;
  entry.size = entry.packed = entry.local_size = entry.local_packed = 0xFFFFFFFF;
  CHECK(FaultsOf(zip).empty());
  CHECK(Text(Packed(zip), "a.txt") == std::string(1000, 'a'));

  zip.entries[0].extra += zip.entries[0].extra;
  CHECK(FaultsOf(zip) == "zip-broken: 'a.txt': its zip64 field does not hold what it should\n");
  zip = Good();
  zip.entries[0].extra = LittleEndian(1, 2) + LittleEndian(8, 2) + LittleEndian(7, 8);
  CHECK(FaultsOf(zip) == "zip-broken: 'a.txt': its zip64 field does not hold what it should\n");

  std::string bytes = Packed(TestZip{.zip64 = true});
  CHECK(FaultsOf(bytes).empty());
  bytes[24] = 1;  // entries on this disk
  CHECK(FaultsOf(bytes) == "zip-broken: it is one part of an archive in several\nunreadable\n");
  bytes = Packed(TestZip{.zip64 = true});
  bytes[64] = 1;  // where the record is
  CHECK(FaultsOf(bytes) ==
        "zip-broken: its zip64 record is not where its locator says\nunreadable\n");
  bytes = Packed(TestZip{.zip64 = true});
  bytes[76 + 12] = 1;  // the size of the directory, in 32 bits
  bytes[76 + 13] = bytes[76 + 14] = bytes[76 + 15] = 0;
  CHECK(FaultsOf(bytes) == "zip-broken: its two end records differ\nunreadable\n");
}

TEST_CASE("Sizes may be told behind the data, in every shape") {
  for (const std::size_t width : {4, 8}) {
    CHECK(FaultsOf(Described(true, width)).empty());
    CHECK(FaultsOf(Described(false, width)).empty());
  }
  TestZip zip = Described(true, 4);
  zip.entries[0].descriptor[5] ^= 1;
  CHECK(FaultsOf(zip) ==
        "zip-mismatch: 'a.txt': the directory and the record behind the data differ\n"
        "zip-stray-bytes: no entry owns the 16 bytes before 'b/c.txt'\n");
  zip.entries[0].descriptor.clear();
  CHECK(FaultsOf(zip) ==
        "zip-mismatch: 'a.txt': the directory and the record behind the data differ\n");
}

TEST_CASE("What is no archive, or a part of one, is refused") {
  CHECK(FaultsOf(std::string()) ==
        "zip-broken: it is no zip archive: it is too short\nunreadable\n");
  CHECK(FaultsOf(std::string(100000, 'x')) ==
        "zip-broken: it is no zip archive: it has no central directory\nunreadable\n");
  const std::string good = Packed(Good());
  CHECK(FaultsOf(good.substr(0, good.size() - 1)) ==
        "zip-broken: it is no zip archive: it has no central directory\nunreadable\n");
  CHECK(FaultsOf(good.substr(3)).starts_with("zip-broken: its directory should be 155 bytes"));
  CHECK(FaultsOf(good.substr(0, good.size() - 18) + std::string(18, '\1')) ==
        "zip-stray-bytes: its last comment is cut off\n"
        "zip-broken: it is one part of an archive in several\nunreadable\n");
  TestZip zip = Good();
  zip.count = 2;
  CHECK(FaultsOf(zip) ==
        "zip-broken: its directory holds 3 entries, not the 2 that its end record says\n"
        "unreadable\n");
  std::string bytes = good;
  bytes[good.find("PK\1\2", good.find("PK\1\2") + 1)] = 'X';
  CHECK(FaultsOf(bytes) == "zip-broken: its directory is broken behind 1 entry\nunreadable\n");
}

TEST_CASE("Every byte belongs to one entry") {
  TestZip zip = Good();
  zip.behind = "junk";
  CHECK(FaultsOf(zip) == "zip-stray-bytes: 4 bytes stand behind the end of the archive\n");
  zip = Good();
  zip.behind = "j";
  CHECK(FaultsOf(zip) == "zip-stray-bytes: 1 byte stands behind the end of the archive\n");
  zip = Good();
  zip.front = "#!python\n";
  CHECK(FaultsOf(zip) == "zip-stray-bytes: no entry owns the 9 bytes before 'a.txt'\n");
  zip = Good();
  zip.entries[1].before = "PK\3\4 hidden";
  CHECK(FaultsOf(zip) == "zip-stray-bytes: no entry owns the 11 bytes before 'b/c.txt'\n");
  zip = Good();
  zip.before_directory = "x";
  CHECK(FaultsOf(zip) == "zip-stray-bytes: no entry owns the 1 byte before the directory\n");
  zip = Good();
  zip.before_end = "x";
  CHECK(FaultsOf(zip).starts_with("zip-broken: its directory should be 155 bytes from byte"));
  // An archive in the comment of another.
  zip = Good();
  zip.comment = Packed(Good());
  CHECK(FaultsOf(zip).starts_with("zip-broken: its directory should be 155 bytes from byte"));
}

TEST_CASE("Both accounts of an entry agree") {
  const auto with = [](auto change) {
    TestZip zip = Good();
    change(zip.entries[0]);
    return FaultsOf(zip);
  };
  const auto differ = [](std::string_view what) {
    return "zip-mismatch: 'a.txt': the directory and the entry's own header differ in the " +
           std::string(what) + "\n";
  };
  CHECK(with([](TestEntry& e) { e.local_name = "x.txt"; }) == differ("name"));
  CHECK(with([](TestEntry& e) { e.local_flags = 1; }) == differ("flags"));
  CHECK(with([](TestEntry& e) { e.local_method = 0; }) == differ("method"));
  CHECK(with([](TestEntry& e) { e.local_packed = 7; }) == differ("packed size"));
  CHECK(with([](TestEntry& e) { e.local_size = 7; }) == differ("size"));
  CHECK(with([](TestEntry& e) { e.local_crc = 7; }) == differ("CRC-32"));
  CHECK(with([](TestEntry& e) { e.local_extra = "x"; }) ==
        "zip-broken: 'a.txt': its extra fields are broken\n");
  CHECK(with([](TestEntry& e) {
          e.header = 1;
        }).starts_with("zip-broken: 'a.txt' is not where the directory says\n"));
  CHECK(with([](TestEntry& e) {
          e.header = 0xFFFFFF;
        }).starts_with("zip-broken: 'a.txt' is not where the directory says\n"));
  CHECK(with([](TestEntry& e) {
          e.extra = LittleEndian(0x7075, 2) + LittleEndian(6, 2) + "\1CRC.x";
        }) == "zip-broken: 'a.txt': an extra field gives it a second name\n");
}

TEST_CASE("Entries do not overlap") {
  TestZip zip = Good();
  zip.entries[1] = zip.entries[0];
  zip.entries[1].name = "again.txt";
  zip.entries[1].header = 0;
  CHECK(FaultsOf(zip).find("zip-overlap: 'again.txt' overlaps another entry\n") !=
        std::string::npos);
  zip = Good();
  zip.entries[2].size = zip.entries[2].local_size = zip.entries[2].packed =
      zip.entries[2].local_packed = 500;
  CHECK(FaultsOf(zip) == "zip-overlap: 'empty' reaches into the directory\n");
}

TEST_CASE("No name stands twice") {
  TestZip zip = Good();
  zip.entries.emplace_back("a.txt", "other");
  CHECK(FaultsOf(zip) == "zip-duplicate: 'a.txt' is there twice\n");
  zip = Good();
  zip.entries.emplace_back("a.txt/b", "other");
  CHECK(FaultsOf(zip) == "zip-duplicate: 'a.txt' is both a file and a folder\n");
  zip = Good();
  zip.entries.emplace_back("a.txt/", "", false);
  zip.entries.back().mode = 040755;
  CHECK(FaultsOf(zip) ==
        "zip-duplicate: 'a.txt/' is there twice\n"
        "zip-duplicate: 'a.txt' is both a file and a folder\n");
}

TEST_CASE("Names stay below the folder that they are unpacked into") {
  const auto with = [](std::string_view name) {
    TestZip zip;
    zip.entries.emplace_back(name, "x");
    return FaultsOf(zip);
  };
  CHECK(with("/etc/passwd") == "zip-name: '/etc/passwd' is no safe name: it is absolute\n");
  CHECK(with("a/../../b") == "zip-name: 'a/../../b' is no safe name: it has a part '..'\n");
  CHECK(with("./a") == "zip-name: './a' is no safe name: it has a part '.'\n");
  CHECK(with("a//b") == "zip-name: 'a//b' is no safe name: it has an empty part\n");
  CHECK(with("a\\b") == "zip-name: 'a\\b' is no safe name: it holds a backslash\n");
  CHECK(with("C:x") == "zip-name: 'C:x' is no safe name: it holds a colon, which names a drive\n");
  CHECK(with("") == "zip-name: '' is no safe name: it is empty\n");
  CHECK(with("a\nb").ends_with("it holds a control character or is not UTF-8\n"));
  CHECK(with("\xFF").ends_with("it holds a control character or is not UTF-8\n"));
  CHECK(with("\xC3\xA4").ends_with("it is not ASCII, and not marked as UTF-8\n"));
}

TEST_CASE("Only plain files and folders, packed in the two ways that all know") {
  const auto with = [](auto change) {
    TestZip zip = Good();
    change(zip.entries[0]);
    return FaultsOf(zip);
  };
  CHECK(with([](TestEntry& e) { e.mode = 0120777; }) == "zip-link: 'a.txt' is a symbolic link\n");
  CHECK(with([](TestEntry& e) { e.mode = 0020644; }) ==
        "zip-link: 'a.txt' is neither a file nor a folder\n");
  CHECK(with([](TestEntry& e) { e.flags = e.local_flags = 1; }) ==
        "zip-method: 'a.txt' is encrypted\n");
  CHECK(with([](TestEntry& e) { e.method = e.local_method = 14; }) ==
        "zip-method: 'a.txt' is packed by method 14\n");
  CHECK(with([](TestEntry& e) { e.needs = 63; }).empty());
  CHECK(with([](TestEntry& e) { e.needs = 64; }) ==
        "zip-method: 'a.txt' needs version 6.4 of the format\n");
}

TEST_CASE("Sizes that lie are found without unpacking what they promise") {
  const auto with = [](std::size_t index, auto change) {
    TestZip zip = Good();
    change(zip.entries[index]);
    return FaultsOf(zip);
  };
  CHECK(with(0, [](TestEntry& e) {
          e.size = e.local_size = 0x7FFFFFFF;
        }).starts_with("zip-size: 'a.txt' declares 2,147,483,647 bytes, more than its "));
  CHECK(with(0, [](TestEntry& e) { e.size = e.local_size = 10; }) ==
        "a.txt: it unpacks to more than the 10 bytes that it declares\n");
  CHECK(with(0, [](TestEntry& e) { e.size = e.local_size = 1001; }) ==
        "a.txt: it unpacks to 1,000 bytes, not to the 1,001 that it declares\n");
  CHECK(with(1, [](TestEntry& e) { e.size = e.local_size = 5; }) ==
        "zip-size: 'b/c.txt' is stored in 6 bytes but declares 5\n");
  TestZip zip = Good();
  zip.entries.emplace_back("d/", "x", false);
  zip.entries.back().mode = 040755;
  CHECK(FaultsOf(zip) == "zip-size: 'd/' is a folder with contents\n");
}

TEST_CASE("Contents that are damaged are found") {
  const auto with = [](std::size_t index, auto change) {
    TestZip zip = Good();
    change(zip.entries[index]);
    return FaultsOf(zip);
  };
  CHECK(with(0, [](TestEntry& e) { e.crc = e.local_crc = 7; }) ==
        "a.txt: its CRC-32 is 9a38da03, not 00000007 as it declares\n");
  CHECK(with(1, [](TestEntry& e) { e.data[0] = 'S'; }) ==
        "b/c.txt: its CRC-32 is 51effc3d, not 5643f90b as it declares\n");
  CHECK(with(0, [](TestEntry& e) { e.data[0] = '\7'; }) == "a.txt: its packed data is broken\n");
  CHECK(with(0, [](TestEntry& e) {
          e.data.resize(4);
          e.packed = e.local_packed = 4;
          e.size = e.local_size = 999;
        }) == "a.txt: its packed data ends too early\n");
  CHECK(with(0, [](TestEntry& e) {
          e.data += "junk";
          e.packed = e.local_packed = e.data.size();
        }) == "a.txt: packed bytes are left over behind its data\n");
}

TEST_CASE("Large entries come in pieces") {
  std::string text;
  for (std::size_t i = 0; i < 300'000; ++i) text += std::to_string(i * 7919 % 1'000'003);
  for (const bool deflate : {true, false}) {
    TestZip zip;
    zip.entries.emplace_back("large", text, deflate);
    CHECK(FaultsOf(zip).empty());
    const std::string bytes = Packed(zip);
    const MemorySource source(bytes);
    std::vector<ZipFault> faults;
    const auto archive = ReadZip(source, faults);
    ZipStream stream;
    stream.Start(source, archive->entries[0]);
    std::size_t pieces = 0;
    std::string again;
    for (auto piece = stream.Next(); !piece.empty(); piece = stream.Next(), ++pieces) {
      CHECK(piece.size() <= 256 * 1024);
      again.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    }
    CHECK(pieces > 3);
    CHECK(again == text);
    std::string problem;
    CHECK_FALSE(ReadZipEntry(source, archive->entries[0], 1000, problem));
    CHECK(problem == "it declares " + WithThousands(text.size()) + " bytes, more than 1,000");
  }
}

}  // namespace wheelwright

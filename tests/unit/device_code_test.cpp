// Code for GPUs is found in whatever it stands in, and nothing that is broken or hostile misleads.
#include "runtime/hip/code/device_code.h"

#include <catch2/catch.hpp>
#include <string>

#include "base/text.h"
#include "runtime/hip/code/code_report.h"
#include "runtime/hip/code/message_pack.h"
#include "tests/unit/offload_files.h"

namespace wheelwright {
namespace {

struct Found {
  std::vector<DeviceObject> objects;

  // "plain bundle: gfx906 gfx90a:xnack-; ..." of the first object, and its problems.
  std::string Text() const {
    std::string text;
    for (const DeviceObject& object : objects) {
      text += object.name + "\n";
      if (object.kpack) text += "  " + object.kpack->name + " in " + object.kpack->paths[0] + "\n";
      for (const OffloadBundle& bundle : object.bundles) {
        text += "  " + bundle.Describe() + ":";
        for (const OffloadImage& image : bundle.images) {
          if (image.target) text += " " + image.target->ToString();
        }
        text += "\n";
      }
      for (const BundleProblem& problem : object.problems) {
        text += (problem.unknown ? "  unknown: " : "  broken: ") + problem.message + "\n";
      }
    }
    return text;
  }
};

Found Find(const std::string& bytes) {
  UnpackBudget budget;
  return {FindDeviceCode(MemorySource(bytes), "f", budget)};
}

TEST_CASE("targets are read, written and put in order", "[hip]") {
  const auto target = ParseGfxTarget("gfx90a:xnack-:sramecc+");
  REQUIRE(target);
  CHECK(target->ToString() == "gfx90a:sramecc+:xnack-");
  CHECK_FALSE(ParseGfxTarget("sm_90"));
  CHECK_FALSE(ParseGfxTarget("gfx90a:xnack"));
  CHECK_FALSE(ParseGfxTarget("gfx90a:xnack+:xnack-"));
  CHECK(*ParseGfxTarget("gfx942") < *ParseGfxTarget("gfx1030"));
  CHECK(TargetOfBundleId("hipv4-amdgcn-amd-amdhsa--gfx942")->ToString() == "gfx942");
  CHECK(TargetOfBundleId("hip-amdgcn-amd-amdhsa-gfx11-generic")->ToString() == "gfx11-generic");
  CHECK(TargetOfBundleId("hip-spirv64-amd-amdhsa--amdgcnspirv")->ToString() == "amdgcnspirv");
  CHECK_FALSE(TargetOfBundleId("host-x86_64-unknown-linux--"));
  CHECK(TargetOfElfFlags(0x54c)->ToString() == "gfx942");
  CHECK(TargetOfElfFlags(0xe3f)->ToString() == "gfx90a:sramecc+:xnack-");
  CHECK_FALSE(TargetOfElfFlags(0xee));
}

TEST_CASE("code serves the GPUs that it runs on", "[hip]") {
  const auto serves = [](const char* code, const char* wanted) {
    return Serves(*ParseGfxTarget(code), *ParseGfxTarget(wanted));
  };
  CHECK(serves("gfx90a", "gfx90a:xnack+"));
  CHECK(serves("gfx90a:xnack-", "gfx90a"));
  CHECK_FALSE(serves("gfx90a:xnack-", "gfx90a:xnack+"));
  CHECK(serves("gfx11-generic", "gfx1151"));
  CHECK_FALSE(serves("gfx11-generic", "gfx1201"));
  CHECK(serves("amdgcnspirv", "gfx1250"));
}

TEST_CASE("a section may hold several containers of every kind", "[hip]") {
  const std::string plain = PlainBundle({"gfx906", "gfx90a:xnack-"});
  const std::string section = Padded(plain) + Padded(CompressedBundle(plain, 2, true)) +
                              Padded(CompressedBundle(plain, 3, false)) +
                              Padded(CompressedBundle(plain, 1, true)) + OffloadBinary("gfx1100") +
                              OffloadBinary2({"gfx942", "gfx90a:xnack+", "sm_90"});
  CHECK(Find(ElfFile({{".text", "code"}, {".hip_fatbin", section}})).Text() ==
        "f\n"
        "  plain bundle: gfx906 gfx90a:xnack-\n"
        "  compressed bundle (CCOB 2, zstd): gfx906 gfx90a:xnack-\n"
        "  compressed bundle (CCOB 3, zlib): gfx906 gfx90a:xnack-\n"
        "  compressed bundle (CCOB 1, zstd): gfx906 gfx90a:xnack-\n"
        "  offload binary 1: gfx1100\n"
        "  offload binary 2: gfx942 gfx90a:xnack+\n");
}

TEST_CASE("a container that looks like two is one", "[hip]") {
  // The bytes of an image look like the beginning of a compressed bundle.
  const std::string bundle = MakeBundle({{"gfx906", Padded("x") + "CCOB" + std::string(64, 'y')}});
  CHECK(Find(ElfFile({{".hip_fatbin", bundle}})).Text() == "f\n  plain bundle: gfx906\n");
}

TEST_CASE("programs of Windows, archives and code objects are read", "[hip]") {
  const std::string plain = PlainBundle({"gfx1100"});
  CHECK(Find(PeFile(".hip_fatbin", plain)).Text() == "f\n  plain bundle: gfx1100\n");
  CHECK(Find(Archive({{"a.o", ElfFile({{".hip_fatbin", plain}})},
                      {"b.o", ElfFile({{".text", "x"}})},
                      {"c.o", ElfFile({{".hip_fatbin", CompressedBundle(plain, 3, true)}})}}))
            .Text() ==
        "f(a.o)\n  plain bundle: gfx1100\nf(c.o)\n  compressed bundle (CCOB 3, zstd): gfx1100\n");
  std::string object = ElfFile({{".text", "x"}});
  object[18] = static_cast<char>(224);
  object[48] = 0x4c;
  object[49] = 0x05;
  CHECK(Find(object).Text() == "f\n  code object: gfx942\n");
}

TEST_CASE("libraries whose kernels were moved out are told apart", "[hip]") {
  const std::string marker = KpackMarker("lib/libx.so", "../.kpack/x_@GFXARCH@.kpack");
  CHECK(Find(ElfFile({{".hip_fatbin", std::string(4096, '\0')}, {".rocm_kpack_ref", marker}}))
            .Text() == "f\n  lib/libx.so in ../.kpack/x_@GFXARCH@.kpack\n");
  CHECK(Find(PeFile(".kpackrf", marker)).Text() ==
        "f\n  lib/libx.so in ../.kpack/x_@GFXARCH@.kpack\n");
  CHECK(Find(ElfFile({{".rocm_kpack_ref", "what"}})).Text() ==
        "f\n  broken: its section .rocm_kpack_ref cannot be read\n");
  CHECK(Find(ElfFile({{".hip_fatbin", std::string(4096, '\0')}})).Text() ==
        "f\n  broken: its section .hip_fatbin is all zeros\n");
}

TEST_CASE("kpack archives are read by their tables", "[hip]") {
  const std::string archive =
      KpackArchive({{"lib/libx.so", {"gfx1100", "gfx90a:xnack-"}}, {"lib/liby.so", {"gfx1100"}}});
  const Found found = Find(archive);
  CHECK(found.Text() == "f\n  kpack archive 1: gfx1100 gfx90a:xnack- gfx1100\n");
  CHECK(found.objects[0].bundles[0].method == "zstd-per-kernel");
  CHECK(found.objects[0].bundles[0].unpacked == 900);
  CHECK(found.objects[0].bundles[0].images[2].id == "lib/liby.so");
  std::string newer = archive;
  newer[4] = 2;
  CHECK(Find(newer).Text() == "f\n  unknown: it is a kpack archive of version 2; known is 1\n");
  std::string far = archive;
  far[10] = 1;
  CHECK(Find(far).Text() == "f\n  broken: the table of the kpack archive lies behind its end\n");
  CHECK(Find(archive.substr(0, 12)).Text() ==
        "f\n  broken: the kpack archive ends inside its head\n");
  for (std::size_t size = 165; size < archive.size(); ++size) {
    CHECK(Find(archive.substr(0, size)).Text() ==
          "f\n  broken: the table of the kpack archive is broken\n");
  }
  // Deep in lists, and lists that are longer than what is left.
  CHECK(Find(archive.substr(0, 164) + std::string(1 << 20, '\x91')).objects[0].problems.size() ==
        1);
  CHECK(Find(archive.substr(0, 164) + "\x81\xa1x\xdd\xff\xff\xff\xff").objects[0].problems.size() ==
        1);
}

TEST_CASE("MessagePack of every kind is stepped over", "[hip]") {
  const std::string values[] = {std::string(1, '\xc0'),
                                "\xc2",
                                "\xff",
                                std::string("\xc4\1x", 3),
                                std::string("\xc5\0\1x", 4),
                                std::string("\xc6\0\0\0\1x", 6),
                                std::string("\xc7\1tx", 4),
                                "\xca" + std::string(4, 'x'),
                                "\xcb" + std::string(8, 'x'),
                                "\xcc\1",
                                std::string("\xcf", 1) + Bytes<std::uint64_t>(1),
                                std::string("\xd0x", 2),
                                "\xd3" + std::string(8, 'x'),
                                "\xd4tx",
                                "\xd8t" + std::string(16, 'x'),
                                std::string("\xda\0\1x", 4),
                                std::string("\xdb\0\0\0\1x", 6),
                                std::string("\xdc\0\1\xc0", 4),
                                std::string("\xdf\0\0\0\1\xa1k\x92\1\2", 10)};
  for (const std::string& value : values) {
    const std::string text = value +
                             "\xa3"
                             "end";
    MessagePackReader reader(AsBytes(text));
    CHECK(reader.Skip());
    CHECK(reader.Text() == "end");
    CHECK_FALSE(reader.Next());
    for (std::size_t size = 0; size < value.size(); ++size) {
      MessagePackReader part(AsBytes(std::string_view(text).substr(0, size)));
      CHECK_FALSE(part.Skip());
    }
  }
  const std::string never = "\xc1";
  CHECK_FALSE(MessagePackReader(AsBytes(never)).Skip());
}

TEST_CASE("versions that are not known are refused by name", "[hip]") {
  const std::string plain = PlainBundle({"gfx906"});
  std::string newer = CompressedBundle(plain, 3, true);
  newer[4] = 4;
  CHECK(Find(ElfFile({{".hip_fatbin", newer}})).Text() ==
        "f\n  unknown: at byte 0 of .hip_fatbin: it is a compressed bundle of version 4; known are "
        "1, 2 and 3\n");
  std::string method = CompressedBundle(plain, 3, true);
  method[6] = 7;
  CHECK(
      Find(ElfFile({{".hip_fatbin", method}})).Text() ==
      "f\n  unknown: at byte 0 of .hip_fatbin: it is packed by method 7; known are 0 (zlib) and 1 "
      "(zstd)\n");
  std::string binary = OffloadBinary("gfx906");
  binary[4] = 3;
  CHECK(Find(ElfFile({{".hip_fatbin", binary}})).Text() ==
        "f\n  unknown: at byte 0 of .hip_fatbin: it is an offload binary of version 3; known "
        "are 1 and 2\n");
  CHECK(Find(ElfFile({{".hip_fatbin", plain + "what"}})).Text() ==
        "f\n  plain bundle: gfx906\n  unknown: at byte " + std::to_string(plain.size()) +
            " of .hip_fatbin: it begins with 77 68 61 74, as no known container\n");
}

TEST_CASE("broken containers are told of, and end the reading of their section", "[hip]") {
  const std::string plain = PlainBundle({"gfx906"});
  const auto problem = [](const std::string& section) {
    const Found found = Find(ElfFile({{".hip_fatbin", section}}));
    REQUIRE(found.objects.size() == 1);
    REQUIRE(found.objects[0].problems.size() == 1);
    CHECK_FALSE(found.objects[0].problems[0].unknown);
    return found.objects[0].problems[0].message;
  };
  CHECK(problem(plain.substr(0, 28)) == "at byte 0 of .hip_fatbin: it ends inside its head");
  CHECK(problem(plain.substr(0, 40)) == "at byte 0 of .hip_fatbin: it ends inside its table");
  CHECK(
      problem(plain.substr(0, plain.size() - 1)) ==
      "at byte 0 of .hip_fatbin: its image 'hipv4-amdgcn-amd-amdhsa--gfx906' lies behind its end");
  std::string many = plain;
  many[26] = 1;
  CHECK(problem(many) == "at byte 0 of .hip_fatbin: it declares 65538 images, more than 4096");
  const std::string packed = CompressedBundle(plain, 3, true);
  CHECK(problem(packed.substr(0, packed.size() - 1)) ==
        "at byte 0 of .hip_fatbin: it declares " + std::to_string(packed.size()) + " bytes, but " +
            std::to_string(packed.size() - 1) + " are left");
  std::string less = packed;
  less[16] = 40;
  less[17] = 0;
  CHECK(problem(less) ==
        "at byte 0 of .hip_fatbin: it unpacks to more than the 40 bytes that it declares");
  std::string noise = packed;
  for (std::size_t i = 32; i < noise.size(); ++i) noise[i] = 'n';
  CHECK(problem(noise) == "at byte 0 of .hip_fatbin: its packed data is broken");
}

TEST_CASE("no part of a file makes the reader fail", "[hip]") {
  const std::string plain = PlainBundle({"gfx906"});
  const std::string file =
      ElfFile({{".hip_fatbin", Padded(plain) + CompressedBundle(plain, 2, true)}});
  for (std::size_t size = 0; size < file.size(); size += 13) Find(file.substr(0, size));
  for (std::size_t at = file.size() - 400; at < file.size(); ++at) {
    std::string changed = file;
    changed[at] = static_cast<char>(0xff);
    Find(changed);
  }
  SUCCEED();
}

TEST_CASE("little may be unpacked of a hostile file", "[hip]") {
  const std::string bomb = CompressedBundle(std::string(1 << 20, '\0'), 1, true);
  UnpackBudget budget{.left = 1000};
  const auto found = FindDeviceCode(MemorySource(ElfFile({{".hip_fatbin", bomb}})), "f", budget);
  CHECK(Found{found}.Text() ==
        "f\n  broken: at byte 0 of .hip_fatbin: it takes too much unpacking to find its end\n");
}

std::string FindingsOf(WheelCode wheel, const char* targets) {
  CodeExpectations expected;
  for (const std::string_view target : Split(targets, ',')) {
    expected.targets.push_back(*ParseGfxTarget(target));
  }
  std::vector<WheelCode> wheels;
  wheels.push_back(std::move(wheel));
  return CodeFindingsText(MakeCodeReport(std::move(wheels), expected), ReportFormat::kText, false);
}

WheelCode Wheel(const std::string& bytes) {
  WheelCode wheel{.file = "torch-2.whl", .project = "torch"};
  for (DeviceObject& object : Find(bytes).objects) wheel.objects.push_back({std::move(object)});
  return wheel;
}

TEST_CASE("what was asked for and is not there is an error", "[hip]") {
  const std::string both = Padded(PlainBundle({"gfx1100", "gfx1101"}));
  const std::string one = Padded(PlainBundle({"gfx1100"}));
  CHECK(FindingsOf(Wheel(ElfFile({{".hip_fatbin", both + both}})), "gfx1100,gfx1101").empty());
  CHECK(FindingsOf(Wheel(ElfFile({{".hip_fatbin", one + one}})), "gfx1100,gfx1101") ==
        "error[lost-target]: torch-2.whl: 'f' has no code for gfx1101\n"
        "   = it has code for gfx1100\n");
  CHECK(FindingsOf(Wheel(ElfFile({{".hip_fatbin", both + one}})), "gfx1101") ==
        "warning[partly-lost-target]: torch-2.whl: of the 2 bundles of 'f', 1 has no code for "
        "gfx1101\n"
        "   = there is one bundle for each source: was it compiled for fewer GPUs than the others "
        "on purpose?\n");
  CHECK(FindingsOf(Wheel(ElfFile({{".text", "x"}})), "gfx1100") ==
        "error[no-device-code]: torch-2.whl: it has no device code\n"
        "   = was it built for ROCm?\n");
  CHECK(
      FindingsOf(Wheel(ElfFile({{".hip_fatbin", "what"}})), "gfx1100") ==
      "error[unknown-bundle]: torch-2.whl: 'f': at byte 0 of .hip_fatbin: it begins with 77 68 61 "
      "74, as no known container\n"
      "   = a newer wheelrun may know it\n\n"
      "error[no-device-code]: torch-2.whl: it has no device code\n"
      "   = was it built for ROCm?\n");
  CHECK(FindingsOf(Wheel(ElfFile({{".hip_fatbin", std::string(99, '\0')}})), "gfx1100")
            .starts_with("error[broken-device-code]: torch-2.whl: 'f': its section .hip_fatbin is "
                         "all zeros\n"));
}

TEST_CASE("code that was moved to kpack archives is looked for there", "[hip]") {
  const std::string library =
      ElfFile({{".rocm_kpack_ref", KpackMarker("lib/f", "../.kpack/x_@GFXARCH@.kpack")}});
  CHECK(FindingsOf(Wheel(library), "gfx1100") ==
        "warning[kpack-code]: torch-2.whl: the device code of 1 file is in kpack archives, which "
        "are missing\n   = 'f': ../.kpack/x_@GFXARCH@.kpack\n");
  const auto with = [&](const std::string& name, const std::string& archive) {
    WheelCode wheel = Wheel(library);
    UnpackBudget budget;
    for (DeviceObject& object : FindDeviceCode(MemorySource(archive), name, budget)) {
      wheel.objects.push_back({std::move(object)});
    }
    return wheel;
  };
  const std::string archive = KpackArchive({{"lib/f", {"gfx1100"}}, {"lib/g", {"gfx1101"}}});
  CHECK(FindingsOf(with("torch/.kpack/x_gfx1100.kpack", archive), "gfx1100").empty());
  CHECK(FindingsOf(with("torch/.kpack/x_gfx1100.kpack", archive), "gfx1100,gfx1101") ==
        "error[lost-target]: torch-2.whl: 'f' has no code for gfx1101\n"
        "   = its kpack archives have code for gfx1100\n");
  CHECK(FindingsOf(with("torch/.kpack/x_gfx1100.kpack", KpackArchive({{"lib/g", {"gfx1100"}}})),
                   "gfx1100") ==
        "error[lost-target]: torch-2.whl: 'f' has no code for gfx1100\n"
        "   = its kpack archives hold nothing of it\n");
  CHECK(FindingsOf(with("torch/.kpack/y_gfx1100.kpack", archive), "gfx1100")
            .starts_with("warning[kpack-code]"));
}

TEST_CASE("sizes are told by target, and shared within compressed bundles", "[hip]") {
  const std::string plain = PlainBundle({"gfx906", "gfx1100"}, 4096);
  const std::string packed = CompressedBundle(plain, 3, true);
  const WheelCode wheel = Wheel(ElfFile({{".hip_fatbin", Padded(plain) + packed}}));
  const auto shares = SharesOf(wheel.objects);
  REQUIRE(shares.size() == 2);
  CHECK(shares[0].target.ToString() == "gfx906");
  CHECK(shares[0].images == 2);
  CHECK(shares[0].unpacked == 2 * 4096);
  CHECK(shares[0].stored < 4096 + packed.size());
  CHECK(shares[0].stored == shares[1].stored);
}

}  // namespace
}  // namespace wheelwright

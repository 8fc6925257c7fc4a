// Signatures that AWS publishes, and the rest of what stands in a request.
#include <zlib.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "runtime/store/digest/sum.h"
#include "runtime/store/s3/credentials.h"
#include "runtime/store/s3/part_plan.h"
#include "runtime/store/s3/s3_multipart.h"
#include "runtime/store/s3/s3_storage.h"
#include "runtime/store/s3/s3_sums.h"
#include "runtime/store/s3/s3_xml.h"
#include "runtime/store/s3/signature.h"
#include "runtime/store/storage/keys.h"
#include "tests/unit/test_host.h"

namespace wheelwright {
namespace {

std::string SignatureOf(const ToSign& request, const Credentials& credentials,
                        std::string_view service, std::string_view time) {
  const std::string value = Authorization(request, credentials, "us-east-1", service, time);
  return value.substr(value.rfind('=') + 1);
}

const std::string kEmptySum = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

TEST_CASE("Signatures are those of S3's documentation") {
  // https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
  const Credentials credentials{"AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
                                ""};
  const std::string put_sum = "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072";
  struct Row {
    std::string method, path;
    QueryPairs query;
    HttpHeaders headers;
    std::string payload, signature;
  };
  const std::vector<Row> rows{
      {"GET",
       "/test.txt",
       {},
       {{"Range", "bytes=0-9"}},
       kEmptySum,
       "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"},
      {"PUT",
       "/test%24file.text",
       {},
       {{"Date", "Fri, 24 May 2013 00:00:00 GMT"}, {"x-amz-storage-class", "REDUCED_REDUNDANCY"}},
       put_sum,
       "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"},
      {"GET",
       "/",
       {{"lifecycle", ""}},
       {},
       kEmptySum,
       "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"},
      {"GET",
       "/",
       {{"prefix", "J"}, {"max-keys", "2"}},
       {},
       kEmptySum,
       "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"},
  };
  for (const Row& row : rows) {
    HttpHeaders headers = row.headers;
    headers.emplace_back("Host", "examplebucket.s3.amazonaws.com");
    headers.emplace_back("x-amz-content-sha256", row.payload);
    headers.emplace_back("x-amz-date", "20130524T000000Z");
    CHECK(SignatureOf({row.method, row.path, row.query, headers, row.payload}, credentials, "s3",
                      "20130524T000000Z") == row.signature);
  }
}

TEST_CASE("Signatures are those of AWS's test suite") {
  // https://github.com/awslabs/aws-c-auth/tree/main/tests/aws-signing-test-suite/v4
  const Credentials credentials{"AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", ""};
  const HttpHeaders base{{"Host", "example.amazonaws.com"}, {"X-Amz-Date", "20150830T123600Z"}};
  const auto with = [&](HttpHeaders more) {
    more.insert(more.begin(), base.begin(), base.end());
    return more;
  };
  const auto sign = [&](std::string_view method, const QueryPairs& query,
                        const HttpHeaders& headers) {
    return SignatureOf({method, "/", query, headers, kEmptySum}, credentials, "service",
                       "20150830T123600Z");
  };
  CHECK(sign("GET", {}, base) ==
        "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31");
  CHECK(sign("POST", {}, base) ==
        "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b");
  CHECK(sign("GET", {{"Param2", "value2"}, {"Param1", "value1"}}, base) ==
        "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500");
  CHECK(sign("GET", {}, with({{"My-Header1", " value1"}, {"My-Header2", " \"a   b   c\""}})) ==
        "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736");
}

TEST_CASE("Times and queries are written as they are signed") {
  CHECK(SigningTime(*ReadUtcTime("2013-05-24T01:02:03Z")) == "20130524T010203Z");
  CHECK(CanonicalQuery({{"b", "x y"}, {"a", "1+2/ü"}, {"B", ""}}) == "B=&a=1%2B2%2F%C3%BC&b=x%20y");
  CHECK_FALSE(ReadUtcTime("yesterday"));
  CHECK_FALSE(ReadUtcTime("2013-02-30T00:00:00Z"));
}

TEST_CASE("Keys are encoded as S3 reads them") {
  CHECK(EncodePath("v2/torch-2.10.0+rocm7.10.0 ü~.whl") ==
        "v2/torch-2.10.0%2Brocm7.10.0%20%C3%BC~.whl");
  CHECK(EncodeQuery("a/b") == "a%2Fb");
  CHECK(DecodeQuery("a%2Fb+c%C3%BC%4") == "a/b cü%4");
  CHECK(ContentTypeOf("x/index.html") == "text/html; charset=utf-8");
  CHECK(ContentTypeOf("a.whl") == "application/zip");
  CHECK(ContentTypeOf("a.tar.xz") == "application/x-xz");
  CHECK(ContentTypeOf("README") == "application/octet-stream");
}

TEST_CASE("Sums are those that are published") {
  const auto crc = [](CrcKind kind, std::string_view text) { return Crc(kind, 0, AsBytes(text)); };
  // https://www.rfc-editor.org/rfc/rfc3720#appendix-B.4
  CHECK(crc(CrcKind::kCrc32c, std::string(32, '\0')) == 0x8a9136aa);
  CHECK(crc(CrcKind::kCrc32c, std::string(32, '\xff')) == 0x62a8ab43);
  // https://reveng.sourceforge.io/crc-catalogue/all.htm
  CHECK(crc(CrcKind::kCrc32c, "123456789") == 0xe3069283);
  CHECK(crc(CrcKind::kCrc32, "123456789") == 0xcbf43926);
  CHECK(crc(CrcKind::kCrc64Nvme, "123456789") == 0xae8b14860a799888);
  // NVM Express, NVM Command Set Specification 1.0, figure "64b CRC Test Cases": 4,096 bytes
  CHECK(crc(CrcKind::kCrc64Nvme, std::string(4096, '\0')) == 0x6482d367eb22b64e);
  CHECK(crc(CrcKind::kCrc64Nvme, std::string(4096, '\xff')) == 0xc0ddba7302eca3ac);
  // https://www.rfc-editor.org/rfc/rfc4231#section-4.3
  CHECK(Hexadecimal(HmacSha256("Jefe", "what do ya want for nothing?")) ==
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  CHECK(Base64("ab\xff") == "YWL/");
  CHECK(Base64("a") == "YQ==");
  CHECK(DecodeBase64("YQ==") == "a");
  CHECK_FALSE(DecodeBase64("Y*=="));
}

TEST_CASE("Sums of runs join to the sum of the whole, however long they are") {
  std::vector<Byte> bytes(1000);
  std::uint32_t drawn = 1;
  for (Byte& byte : bytes) byte = static_cast<Byte>((drawn = drawn * 1664525 + 1013904223) >> 24);
  const std::span<const Byte> all(bytes);
  for (const CrcKind kind : {CrcKind::kCrc64Nvme, CrcKind::kCrc32c, CrcKind::kCrc32}) {
    CAPTURE(NameOf(kind));
    std::uint64_t by_one = 0;  // bytes alone are too few for any instruction
    for (std::size_t length = 0; length < all.size(); ++length) {
      const std::uint64_t whole = Crc(kind, 0, all.first(length));
      REQUIRE(whole == by_one);
      const std::size_t cut = length * 2 / 3;
      const std::uint64_t first = Crc(kind, 0, all.first(cut));
      const std::span<const Byte> rest = all.subspan(cut, length - cut);
      REQUIRE(Crc(kind, first, rest) == whole);
      REQUIRE(JoinedCrc(kind, first, Crc(kind, 0, rest), rest.size()) == whole);
      by_one = Crc(kind, by_one, all.subspan(length, 1));
    }
  }
  // Of a gigabyte more of zeros, as zlib joins them.
  CHECK(JoinedCrc(CrcKind::kCrc32, 0xcbf43926, 0, 1'000'000'000) ==
        crc32_combine(0xcbf43926, 0, 1'000'000'000));
}

TEST_CASE("Sums of parts are summed in their order, wherever the bytes are cut") {
  const std::string bytes = "0123456789abcdef0123456789ABCDE";
  const MemorySource source(bytes);
  const auto by_parts = [&](std::variant<DigestKind, CrcKind> kind, std::uint64_t part) {
    return SumOf({kind, part}, source, 0, source.size());
  };
  const std::string parts[] = {bytes.substr(0, 12), bytes.substr(12, 12), bytes.substr(24)};
  std::string md5s, crcs;
  for (const std::string& part : parts) {
    md5s += DigestOf(DigestKind::kMd5, part);
    crcs += BytesOf({CrcKind::kCrc32c, Crc(CrcKind::kCrc32c, 0, AsBytes(part))});
  }
  CHECK(crcs.size() == 12);
  CHECK(by_parts(DigestKind::kMd5, 12) == Hexadecimal(DigestOf(DigestKind::kMd5, md5s)));
  CHECK(by_parts(CrcKind::kCrc32c, 12) ==
        KnownSumOf(WholeCrc{CrcKind::kCrc32c, Crc(CrcKind::kCrc32c, 0, AsBytes(crcs))}).sum);
  for (const std::size_t step : {std::size_t{1}, std::size_t{5}, std::size_t{12}, bytes.size()}) {
    RunningSum running({DigestKind::kMd5, 12});
    for (std::size_t at = 0; at < bytes.size(); at += step) {
      running.Add(AsBytes(std::string_view(bytes).substr(at, step)));
    }
    CHECK(running.Finish() == by_parts(DigestKind::kMd5, 12));
  }
  // Where the last part is a whole one, no empty one follows; what is empty is one part.
  CHECK(by_parts(DigestKind::kMd5, bytes.size()) ==
        Hexadecimal(DigestOf(DigestKind::kMd5, DigestOf(DigestKind::kMd5, bytes))));
  CHECK(SumOf({DigestKind::kMd5, 1}, source, 0, 0) ==
        Hexadecimal(DigestOf(DigestKind::kMd5, DigestOf(DigestKind::kMd5, ""))));
  CHECK(NameOf({DigestKind::kSha256, 12}) == "SHA-256 by parts");
  CHECK(NameOf(CrcKind::kCrc64Nvme) == "CRC-64");
}

TEST_CASE("Files are cut into 10,000 parts at most") {
  constexpr std::uint64_t kMiB = 1 << 20;
  struct Row {
    std::uint64_t size, part;
    std::size_t count;
  };
  for (const Row& row : {Row{0, 32 * kMiB, 1}, Row{1, 32 * kMiB, 1}, Row{32 * kMiB, 32 * kMiB, 1},
                         Row{32 * kMiB + 1, 32 * kMiB, 2}, Row{320'000 * kMiB, 32 * kMiB, 10'000},
                         Row{320'000 * kMiB + 1, 33 * kMiB, 9697}}) {
    const PartPlan plan = PlanParts(row.size, 32 * kMiB);
    CHECK(plan.part == row.part);
    CHECK(plan.count == row.count);
    const std::size_t last = plan.count - 1;
    CHECK(plan.OffsetOf(last) + plan.LengthOf(last) == row.size);
  }
}

TEST_CASE("Answers in XML are read, and others are not") {
  const auto page = ReadS3Listing(
      "<?xml version=\"1.0\"?><ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
      "<IsTruncated>true</IsTruncated><EncodingType>url</EncodingType>"
      "<NextContinuationToken>a%2B=</NextContinuationToken><Contents><Key>a%2Bb%20c</Key>"
      "<Size>12</Size><ETag>&quot;x&quot;</ETag></Contents></ListBucketResult>");
  REQUIRE(page);
  CHECK(page->next == "a%2B=");
  REQUIRE(page->objects.size() == 1);
  CHECK(page->objects[0].key == "a+b c");
  CHECK(page->objects[0].version == "\"x\"");
  for (const char* other : {"", "<", "not xml", "<Error><Code>X</Code></Error>", "<a><b></a>"}) {
    CHECK_FALSE(ReadS3Listing(other));
    CHECK_FALSE(ReadS3Parts(other));
    CHECK_FALSE(ReadS3PendingUploads(other));
  }
  const auto error = ReadS3Error("<Error><Code>NoSuchKey</Code><Message>m</Message></Error>");
  REQUIRE(error);
  CHECK(error->code == "NoSuchKey");
  CHECK_FALSE(ReadS3Error("<ListBucketResult/>"));
  CHECK(CompletionXml({{.number = 1, .size = 5, .etag = "\"e&\"", .crc32c = "AA=="}})
            .find("<ETag>&quot;e&amp;&quot;</ETag><ChecksumCRC32C>AA==</ChecksumCRC32C>") !=
        std::string::npos);
}

HttpAnswer PutAnswer(HttpHeaders headers) {
  HttpAnswer answer;
  answer.status = 200;
  answer.headers = std::move(headers);
  return answer;
}

TEST_CASE("Headers say of what a sum is") {
  const std::string md5 = "5d41402abc4b2a76b9719d911017c592";
  CHECK(ReadMd5(PutAnswer({{"etag", '"' + md5 + '"'}})) == md5);
  CHECK(ReadMd5(PutAnswer({{"etag", '"' + md5 + "-2\""}})).empty());
  CHECK(ReadMd5(PutAnswer({{"etag", md5}})).empty());
  const HttpHeaders::value_type encrypted[] = {
      {"x-amz-server-side-encryption", "aws:kms"},
      {"x-amz-server-side-encryption", "aws:kms:dsse"},
      {"x-amz-server-side-encryption-customer-algorithm", "AES256"}};
  for (const auto& header : encrypted) {
    CHECK(ReadMd5(PutAnswer({{"etag", '"' + md5 + '"'}, header})).empty());
    CHECK_FALSE(ReadPartsSum(PutAnswer({{"etag", '"' + md5 + "-2\""}, header})));
  }
  CHECK(ReadMd5(PutAnswer(
            {{"etag", '"' + md5 + '"'}, {"x-amz-server-side-encryption", "AES256"}})) == md5);

  CHECK(ReadWholeCrc(PutAnswer({{"x-amz-checksum-crc32", "VIR1Zw=="}})) ==
        WholeCrc{CrcKind::kCrc32, 0x54847567});
  const HttpAnswer in_parts =
      PutAnswer({{"etag", '"' + md5 + "-4\""}, {"x-amz-checksum-crc32", "VIR1Zw==-4"}});
  CHECK_FALSE(ReadWholeCrc(in_parts));
  auto sum = ReadPartsSum(in_parts);
  REQUIRE(sum);
  CHECK(sum->kind == std::variant<DigestKind, CrcKind>(CrcKind::kCrc32));
  CHECK(sum->parts == 4);
  CHECK(sum->sum == "54847567");
  sum = ReadPartsSum(PutAnswer({{"etag", '"' + md5 + "-12\""}}));
  REQUIRE(sum);
  CHECK(sum->kind == std::variant<DigestKind, CrcKind>(DigestKind::kMd5));
  CHECK(sum->parts == 12);
  CHECK(sum->sum == md5);
  const HttpAnswer by_sha256 = PutAnswer({{"x-amz-checksum-sha256", "YWJj-3"}});
  CHECK(ReadWholeSha256(by_sha256).empty());
  CHECK(ReadPartsSum(by_sha256)->sum == "616263");
  CHECK(ReadWholeSha256(PutAnswer({{"x-amz-checksum-sha256", "YWJj"}})) == "616263");
  for (const char* none :
       {"", "\"", "\"\"", "\"x-2\"", "\"-2\"", "\"5d41402abc4b2a76b9719d911017c592-\"",
        "\"5d41402abc4b2a76b9719d911017c592-x\"", "\"5d41402abc4b2a76b9719d911017c592-0\""}) {
    CAPTURE(none);
    CHECK_FALSE(ReadPartsSum(PutAnswer({{"etag", none}})));
  }
}

TEST_CASE("A put is believed only where the server names the bytes") {
  const MemorySource source("hello");
  const std::string crc = "mnG7TA==";
  const std::string md5 = "\"5d41402abc4b2a76b9719d911017c592\"";
  const auto good = [&](HttpHeaders headers) {
    return ProblemOfPut(PutAnswer(std::move(headers)), source, 0, 5, crc).empty();
  };
  CHECK(good({{"etag", md5}, {"x-amz-checksum-crc32c", crc}}));
  CHECK(good({{"etag", md5}}));
  CHECK(good({{"etag", "\"any\""}, {"x-amz-checksum-crc32c", crc}}));
  CHECK_FALSE(good({{"etag", md5}, {"x-amz-checksum-crc32c", "AAAAAA=="}}));
  CHECK_FALSE(good({{"etag", "\"00000000000000000000000000000000\""}}));
  CHECK_FALSE(
      good({{"etag", "\"00000000000000000000000000000000\""}, {"x-amz-checksum-crc32c", crc}}));
  CHECK(good({{"etag", "\"00000000000000000000000000000000\""},
              {"x-amz-checksum-crc32c", crc},
              {"x-amz-server-side-encryption", "aws:kms"}}));
  CHECK_FALSE(good({}));
}

TEST_CASE("A profile has the settings of both files, the second one's first") {
  TestHost test;
  test.files.Write("/somewhere/.aws/config",
                   "[default]\nregion = eu-west-1\n[profile ours]\nregion=us-east-2\ns3 =\n"
                   "  region = no\naws_access_key_id = A\n");
  test.files.Write("/somewhere/.aws/credentials",
                   "[ours]\r\naws_access_key_id = B\r\n# x = y\n[other]\naws_access_key_id = C\n");
  test.host.variables["HOME"] = "/somewhere";
  CHECK(AwsProfile(test.host).Get("region") == "eu-west-1");
  test.host.variables["AWS_PROFILE"] = "ours";
  const AwsProfile ours(test.host);
  CHECK(ours.Get("region") == "us-east-2");
  CHECK(ours.Get("aws_access_key_id") == "B");
  test.host.variables["AWS_PROFILE"] = "none";
  CHECK_FALSE(AwsProfile(test.host).found());
}

TEST_CASE("Credentials are fetched again before they end") {
  TestHost test;
  auto now = std::chrono::system_clock::time_point() + std::chrono::hours(1);
  test.host.now = [&] { return now; };
  int asked = 0;
  bool works = true;
  std::vector<std::string> secrets;
  CredentialChain chain(test.host,
                        {{"nowhere", [](std::string&) { return std::optional<Credentials>(); }},
                         {"the test",
                          [&](std::string& problem) -> std::optional<Credentials> {
                            ++asked;
                            if (!works) problem = "it is closed";
                            if (!works) return std::nullopt;
                            return Credentials{"key", "secret", "token" + std::to_string(asked),
                                               now + std::chrono::hours(1)};
                          }}},
                        false, [&](std::string_view secret) { secrets.emplace_back(secret); });
  CHECK(chain.Get().session_token == "token1");
  CHECK(chain.Get().session_token == "token1");
  CHECK(secrets == std::vector<std::string>{"secret", "token1"});
  now += std::chrono::minutes(56);
  CHECK(chain.Get().session_token == "token2");
  // While the old ones last, a source that fails does no harm.
  works = false;
  now += std::chrono::minutes(57);
  CHECK(chain.Get().session_token == "token2");
  now += std::chrono::minutes(4);
  CHECK_THROWS_WITH(chain.Get(), "there are no credentials: the test: it is closed");
  works = true;
  const Credentials refused = chain.Get();
  CHECK(chain.Renew(refused));
  CHECK(chain.Get().session_token != refused.session_token);
}

TEST_CASE("URLs are read in parts, and what is none is refused") {
  HttpUrl url;
  REQUIRE(ReadHttpUrl("https://u:p@[::1]:9000/a%20b?c=d#e", url));
  CHECK(url.tls);
  CHECK(url.host == "::1");
  CHECK(url.port == "9000");
  CHECK(url.authority == "[::1]:9000");
  CHECK(url.user_info == "u:p");
  CHECK(url.path == "/a%20b");
  CHECK(url.query == "c=d");
  REQUIRE(ReadHttpUrl("http://host", url));
  CHECK(url.port == "80");
  CHECK(url.path == "/");
  for (const char* other : {"", "host", "ftp://host", "http://", "http://a b", "http://a:b",
                            "http://a\r\nX: y", "http://[::1", "http://a:123456"}) {
    CHECK_FALSE(ReadHttpUrl(other, url));
  }
}

TEST_CASE("Proxies are those of the environment") {
  TestHost test;
  HttpUrl url;
  REQUIRE(ReadHttpUrl("https://bucket.s3.amazonaws.com/", url));
  CHECK(ProxyFor(url, test.host).empty());
  test.host.variables["HTTPS_PROXY"] = "proxy:3128";
  CHECK(ProxyFor(url, test.host) == "http://proxy:3128");
  for (const char* exempt :
       {"*", "amazonaws.com", ".amazonaws.com", "x, BUCKET.s3.amazonaws.com:443"}) {
    test.host.variables["NO_PROXY"] = exempt;
    CHECK(ProxyFor(url, test.host).empty());
  }
  test.host.variables["NO_PROXY"] = "naws.com,s3.amazonaws.com:80";
  CHECK_FALSE(ProxyFor(url, test.host).empty());
}

}  // namespace
}  // namespace wheelwright

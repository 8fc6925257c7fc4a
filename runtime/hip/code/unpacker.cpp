#include "runtime/hip/code/unpacker.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <new>

namespace wheelwright {
namespace {

class ZlibUnpacker : public Unpacker {
 public:
  ZlibUnpacker() {
    if (inflateInit(&stream_) != Z_OK) throw std::bad_alloc();
  }
  ZlibUnpacker(const ZlibUnpacker&) = delete;
  ZlibUnpacker& operator=(const ZlibUnpacker&) = delete;
  ~ZlibUnpacker() override { inflateEnd(&stream_); }

  State Step(std::span<const Byte>& packed, std::span<Byte>& out) override {
    const uInt in_size = Portion(packed.size()), out_size = Portion(out.size());
    stream_.next_in = const_cast<Byte*>(packed.data());  // zlib does not write to it
    stream_.avail_in = in_size;
    stream_.next_out = out.data();
    stream_.avail_out = out_size;
    const int result = inflate(&stream_, Z_NO_FLUSH);
    packed = packed.subspan(in_size - stream_.avail_in);
    out = out.subspan(out_size - stream_.avail_out);
    if (result == Z_STREAM_END) return State::kEnd;
    return result == Z_OK || result == Z_BUF_ERROR ? State::kMore : State::kBroken;
  }

 private:
  static uInt Portion(std::size_t size) {
    return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<int>::max()));
  }

  z_stream stream_{};
};

class ZstdUnpacker : public Unpacker {
 public:
  ZstdUnpacker() : context_(ZSTD_createDCtx(), ZSTD_freeDCtx) {
    if (context_ == nullptr) throw std::bad_alloc();
    // A window of 128 MB, the default limit of the zstd command.
    ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, 27);
  }

  State Step(std::span<const Byte>& packed, std::span<Byte>& out) override {
    ZSTD_inBuffer in{packed.data(), packed.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    const std::size_t result = ZSTD_decompressStream(context_.get(), &to, &in);
    packed = packed.subspan(in.pos);
    out = out.subspan(to.pos);
    if (ZSTD_isError(result) != 0) return State::kBroken;
    return result == 0 ? State::kEnd : State::kMore;
  }

 private:
  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context_;
};

}  // namespace

std::unique_ptr<Unpacker> MakeUnpacker(std::string_view method) {
  if (method == "zstd") return std::make_unique<ZstdUnpacker>();
  return std::make_unique<ZlibUnpacker>();
}

}  // namespace wheelwright

// zstd, for the blocks of compressed tables. The functions are those of the library in the Python package `zstandard`:
// the build needs neither headers nor a library of zstd, and the core and the readers in Python decode with the same
// one. The bindings say where the functions are (register_tables.cpp).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace proofbase {

/// Functions of the stable interface of zstd, as its header declares them; contexts are untyped here.
struct ZstdFunctions {
    void* (*create_compressor)() = nullptr;           ///< ZSTD_createCCtx
    std::size_t (*free_compressor)(void*) = nullptr;  ///< ZSTD_freeCCtx
    /// ZSTD_compressCCtx: context, target, its size, source, its size, level.
    std::size_t (*compress)(void*, void*, std::size_t, const void*, std::size_t, int) = nullptr;
    std::size_t (*compress_bound)(std::size_t) = nullptr;  ///< ZSTD_compressBound
    void* (*create_decompressor)() = nullptr;              ///< ZSTD_createDCtx
    std::size_t (*free_decompressor)(void*) = nullptr;     ///< ZSTD_freeDCtx
    /// ZSTD_decompressDCtx: context, target, its size, source, its size.
    std::size_t (*decompress)(void*, void*, std::size_t, const void*, std::size_t) = nullptr;
    unsigned (*is_error)(std::size_t) = nullptr;  ///< ZSTD_isError

    /// `address(name)`: of the function of zstd with this name; the result is converted to a pointer to it.
    template <class Address>
    static ZstdFunctions by_name(Address&& address) {
        ZstdFunctions out;
        const auto take = [&address]<class Function>(const char* name, Function& function) {
            function = reinterpret_cast<Function>(address(name));
        };
        take("ZSTD_createCCtx", out.create_compressor);
        take("ZSTD_freeCCtx", out.free_compressor);
        take("ZSTD_compressCCtx", out.compress);
        take("ZSTD_compressBound", out.compress_bound);
        take("ZSTD_createDCtx", out.create_decompressor);
        take("ZSTD_freeDCtx", out.free_decompressor);
        take("ZSTD_decompressDCtx", out.decompress);
        take("ZSTD_isError", out.is_error);
        return out;
    }
};

/// Names the function that finds the functions of zstd. Called once, before any thread reads tables.
void find_zstd_by(std::function<ZstdFunctions()> finder);

/// The functions, found at the first call. Throws what the finder throws. The finder may run in several threads at
/// once: no lock is held meanwhile.
const ZstdFunctions& zstd();

/// A context for compressing, of one thread.
class ZstdCompressor {
  public:
    /// Throws std::bad_alloc.
    ZstdCompressor();

    /// Room that `compress` needs for so many bytes.
    static std::size_t bound(std::size_t size) { return zstd().compress_bound(size); }

    /// Compresses into `to`, which has room for bound(size) bytes. Returns the bytes written.
    /// Throws std::runtime_error.
    std::size_t compress(const void* from, std::size_t size, void* to, std::size_t room, int level);

  private:
    std::unique_ptr<void, std::size_t (*)(void*)> context_;
};

/// A context for decompressing, of one thread.
class ZstdDecompressor {
  public:
    /// Throws std::bad_alloc.
    ZstdDecompressor();

    /// Whether the bytes were a whole frame of exactly `expected` bytes, which are at `to` then.
    bool decompress(const void* from, std::size_t size, void* to, std::size_t expected);

  private:
    std::unique_ptr<void, std::size_t (*)(void*)> context_;
};

}  // namespace proofbase

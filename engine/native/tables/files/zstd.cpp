#include "tables/files/zstd.hpp"

#include <atomic>
#include <new>
#include <stdexcept>
#include <utility>

namespace proofbase {

namespace {

std::function<ZstdFunctions()>& finder() {
    static std::function<ZstdFunctions()> found;
    return found;
}

std::atomic<const ZstdFunctions*> functions{nullptr};

}  // namespace

void find_zstd_by(std::function<ZstdFunctions()> by) {
    finder() = std::move(by);
}

const ZstdFunctions& zstd() {
    if (const ZstdFunctions* known = functions.load(std::memory_order_acquire)) return *known;
    if (!finder()) throw std::logic_error("nobody has said where zstd is");
    auto found = std::make_unique<const ZstdFunctions>(finder()());
    const ZstdFunctions* expected = nullptr;
    if (functions.compare_exchange_strong(expected, found.get(), std::memory_order_acq_rel)) return *found.release();
    return *expected;
}

ZstdCompressor::ZstdCompressor() : context_(zstd().create_compressor(), zstd().free_compressor) {
    if (!context_) throw std::bad_alloc();
}

std::size_t ZstdCompressor::compress(const void* from, std::size_t size, void* to, std::size_t room, int level) {
    const std::size_t written = zstd().compress(context_.get(), to, room, from, size, level);
    if (zstd().is_error(written)) throw std::runtime_error("zstd could not compress a block");
    return written;
}

ZstdDecompressor::ZstdDecompressor() : context_(zstd().create_decompressor(), zstd().free_decompressor) {
    if (!context_) throw std::bad_alloc();
}

bool ZstdDecompressor::decompress(const void* from, std::size_t size, void* to, std::size_t expected) {
    const std::size_t got = zstd().decompress(context_.get(), to, expected, from, size);
    return !zstd().is_error(got) && got == expected;
}

}  // namespace proofbase

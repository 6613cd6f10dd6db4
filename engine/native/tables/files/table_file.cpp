#include "tables/files/table_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cerrno>
#include <ctime>
#include <new>
#include <system_error>

#include "errors.hpp"
#include "system.hpp"
#include "tables/files/zstd.hpp"

namespace proofbase {

namespace {

[[noreturn]] void fail(const char* what, const std::filesystem::path& path) {
    throw std::filesystem::filesystem_error(what, path, std::error_code(errno, std::generic_category()));
}

FileStamp stamp_from(const struct stat& about) noexcept {
    const auto nanoseconds = [](const timespec& time) {
        return std::int64_t{time.tv_sec} * 1'000'000'000 + std::int64_t{time.tv_nsec};
    };
    return {static_cast<std::uint64_t>(about.st_dev), static_cast<std::uint64_t>(about.st_ino),
            static_cast<std::int64_t>(about.st_size), nanoseconds(about.st_mtim), nanoseconds(about.st_ctim)};
}

}  // namespace

bool FileStamp::young() const noexcept {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    const std::int64_t age = std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec - changed;
    return size >= 0 && age >= 0 && age < 50'000'000;  // several ticks of the clock of file systems
}

FileStamp stamp_of(const std::filesystem::path& path) noexcept {
    struct stat about{};
    return ::stat(path.c_str(), &about) == 0 ? stamp_from(about) : FileStamp{};
}

OpenFile::OpenFile(const std::filesystem::path& path) {
    // Not blocking: the open of a named pipe would wait for a writer.
    file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file_ < 0) fail("cannot open", path);
    struct stat about{};
    const bool known = ::fstat(file_, &about) == 0;
    if (known && S_ISREG(about.st_mode)) {
        stamp_ = stamp_from(about);
        return;
    }
    const int error = known ? (S_ISDIR(about.st_mode) ? EISDIR : EINVAL) : errno;
    ::close(file_);
    errno = error;
    fail("cannot read", path);
}

OpenFile::~OpenFile() {
    ::close(file_);
}

bool OpenFile::changed() const noexcept {
    struct stat about{};
    return ::fstat(file_, &about) != 0 || stamp_from(about) != stamp_;
}

std::string OpenFile::read(std::size_t offset, void* data, std::size_t size) const {
    auto* to = static_cast<char*>(data);
    while (size > 0) {
        const ::ssize_t got = ::pread(file_, to, size, static_cast<::off_t>(offset));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return std::generic_category().message(errno);
        if (got == 0) return "the file is shorter than it was";
        to += got;
        offset += static_cast<std::size_t>(got);
        size -= static_cast<std::size_t>(got);
    }
    return {};
}

SparseMemory::SparseMemory(std::size_t size) : size_(size) {
    void* memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    data_ = static_cast<unsigned char*>(memory);
    advise_huge_pages(memory, size);  // for probes at random places
}

SparseMemory::~SparseMemory() {
    if (data_ != nullptr) ::munmap(data_, size_);
}

TableFile::TableFile(const std::filesystem::path& path, std::shared_ptr<BlockCache> cache)
    : path_(path), file_(path), cache_(std::move(cache)) {
    if (file_.size() < TableHeader::bytes) refuse("it is no table of proofbase");
    const auto read = [this](std::size_t offset, void* data, std::size_t size) {
        const std::string wrong = file_.read(offset, data, size);
        if (!wrong.empty()) refuse("it cannot be read: " + wrong);
    };
    char bytes[TableHeader::bytes];
    read(0, bytes, sizeof bytes);
    const std::string wrong = header_.read(bytes);
    if (!wrong.empty()) refuse(wrong);
    if (header_.compressed) zstd();  // where it cannot be loaded this is said now, and not as damage of a block
    read_directory();
    if (cache_) {
        cached_ = std::make_unique<CachedBlock[]>(header_.blocks());
    } else {
        memory_ = SparseMemory(header_.blocks() * header_.block_bytes() + TableHeader::tail);
        values_ = memory_.data();
        sound_ = std::make_unique<std::atomic<std::uint64_t>[]>((header_.blocks() + 63) / 64);
    }
    bits_ = header_.bits;
    lowest_ = header_.lowest;
    block_shift_ = static_cast<unsigned>(std::countr_zero(header_.block_entries));
    damaged_ = std::make_unique<std::atomic<std::uint64_t>[]>((header_.blocks() + 63) / 64);
}

TableFile::~TableFile() {
    if (cache_) cache_->forget(this);
}

void TableFile::read_directory() {
    const auto wrong_size = [this] {
        refuse("it has " + std::to_string(file_.size()) + " bytes, its header asks for another size");
    };
    // The number of entries is checked first: from 2^48 entries on, the sizes below would overflow.
    if (header_.entries >> 48 != 0 || file_.size() < header_.data_start() + TableHeader::tail) wrong_size();
    const std::uint64_t count = header_.blocks();
    if (!header_.compressed && header_.plain_bytes() != file_.size()) wrong_size();
    const auto read = [this](std::size_t offset, void* data, std::size_t size) {
        const std::string wrong = file_.read(offset, data, size);
        if (!wrong.empty()) refuse("it cannot be read: " + wrong);
    };
    checksums_ = std::make_unique<std::uint32_t[]>(count);
    read(TableHeader::bytes, checksums_.get(), 4 * count);
    if (header_.compressed) {
        std::vector<std::uint32_t> sizes(count);
        read(TableHeader::bytes + 4 * count, sizes.data(), 4 * count);
        starts_.reserve(count + 1);
        starts_.push_back(header_.data_start());
        for (const std::uint32_t size : sizes) starts_.push_back(starts_.back() + size);
        if (starts_.back() + TableHeader::tail != file_.size()) wrong_size();
    }
    const std::size_t end = TableHeader::bytes + header_.directory_bytes();
    std::string between(header_.data_start() - end + TableHeader::tail, '\0');
    read(end, between.data(), between.size() - TableHeader::tail);
    read(file_.size() - TableHeader::tail, between.data() + between.size() - TableHeader::tail, TableHeader::tail);
    if (between.find_first_not_of('\0') != std::string::npos) refuse("it is damaged between its parts");
}

std::uint64_t TableFile::checksum() const {
    const std::string header = header_.written();
    const auto from = [&](std::uint32_t start) -> std::uint64_t {
        return crc32(checksums_.get(), 4 * header_.blocks(), crc32(header.data(), header.size(), start));
    };
    return from(0x9e3779b9u) << 32 | from(0);
}

void TableFile::check(std::uint64_t block) const {
    const std::lock_guard lock(reading_[block % reading_.size()]);
    if (cache_) return check_cached(block);
    if (marked(sound_, block)) return;
    unsigned char* const to = values_ + block * header_.block_bytes();
    const std::string wrong = header_.compressed ? read_compressed_block(block, to) : read_block(block, to);
    if (!wrong.empty()) refuse_block(block, wrong);
    mark(sound_, block);
}

void TableFile::check_cached(std::uint64_t block) const {
    if (cached_[block].present()) return;
    const std::size_t size = header_.block_bytes() + TableHeader::tail;
    BlockCache::Data data = cache_->make_room(size);
    std::string wrong;
    try {
        wrong = header_.compressed ? read_compressed_block(block, data.get()) : read_block(block, data.get());
    } catch (...) {
        cache_->give_back(size);
        throw;
    }
    if (!wrong.empty()) {
        cache_->give_back(size);
        refuse_block(block, wrong);
    }
    cache_->insert(cached_[block], std::move(data), size, this);
}

std::string TableFile::read_block(std::uint64_t block, unsigned char* to) const {
    const std::size_t size = header_.block_bytes();
    const std::string wrong = file_.read(header_.data_start() + block * size, to, size);
    if (!wrong.empty()) return wrong;
    return crc32(to, size, static_cast<std::uint32_t>(block)) == checksums_[block] ? "" : "the checksum is another";
}

template <class Entry>
std::string TableFile::decompress_block(std::uint64_t block, std::vector<Entry>& entries) const {
    thread_local ZstdDecompressor decompressor;
    thread_local std::vector<unsigned char> frame;
    frame.resize(starts_[block + 1] - starts_[block]);
    const std::string wrong = file_.read(starts_[block], frame.data(), frame.size());
    if (!wrong.empty()) return wrong;
    if (crc32(frame.data(), frame.size(), static_cast<std::uint32_t>(block)) != checksums_[block]) {
        return "the checksum is another";
    }
    const std::uint64_t from = block * header_.block_entries;
    entries.resize(std::min(header_.block_entries, header_.entries - from));
    if (!decompressor.decompress(frame.data(), frame.size(), entries.data(), entries.size() * sizeof(Entry))) {
        return "it cannot be decompressed";
    }
    const auto out_of_range = [this](Entry entry) { return entry >> bits_ != 0; };
    return std::any_of(entries.begin(), entries.end(), out_of_range) ? "it has entries of more bits" : "";
}

std::string TableFile::read_compressed_block(std::uint64_t block, unsigned char* to) const {
    thread_local std::vector<std::uint8_t> narrow;
    thread_local std::vector<std::uint16_t> wide;
    const auto unpack = [&](auto& entries) {
        std::string wrong = decompress_block(block, entries);
        if (wrong.empty()) pack_entries(entries.data(), entries.size(), bits_, to);
        return wrong;
    };
    return header_.entry_bytes() == 1 ? unpack(narrow) : unpack(wide);
}

template <class Entry>
void TableFile::read_entries(std::uint64_t block, std::vector<Entry>& out) const {
    assert(header_.entry_bytes() <= sizeof(Entry));
    if (header_.compressed) {
        std::string wrong;
        if (header_.entry_bytes() == sizeof(Entry)) {
            wrong = decompress_block(block, out);
        } else {
            thread_local std::vector<std::uint8_t> narrow;
            wrong = decompress_block(block, narrow);
            out.assign(narrow.begin(), narrow.end());
        }
        if (!wrong.empty()) refuse_block(block, wrong);
        return;
    }
    std::vector<unsigned char> packed(header_.block_bytes() + TableHeader::tail);
    const std::string wrong = read_block(block, packed.data());
    if (!wrong.empty()) refuse_block(block, wrong);
    out.resize(std::min(header_.block_entries, header_.entries - block * header_.block_entries));
    for (std::size_t k = 0; k < out.size(); ++k) {
        out[k] = static_cast<Entry>(packed_entry(packed.data(), bits_, k));
    }
}

template void TableFile::read_entries(std::uint64_t, std::vector<std::uint8_t>&) const;
template void TableFile::read_entries(std::uint64_t, std::vector<std::uint16_t>&) const;

void TableFile::refuse(const std::string& why) const {
    throw DamagedTable("table " + path_.string() + ": " + why);
}

void TableFile::refuse_block(std::uint64_t block, const std::string& why) const {
    mark(damaged_, block);
    refuse("block " + std::to_string(block) + " is damaged: " + why);
}

NewFile::NewFile(std::filesystem::path path) : path_(std::move(path)), temporary_(path_) {
    temporary_ += ending;
    file_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file_ < 0) fail("cannot create", temporary_);
}

NewFile::~NewFile() {
    if (file_ < 0) return;
    ::close(file_);
    ::unlink(temporary_.c_str());
}

void NewFile::write(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const char*>(data);
    while (size > 0) {
        const ::ssize_t written = ::write(file_, bytes, std::min<std::size_t>(size, std::size_t{1} << 24));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) fail("cannot write", temporary_);
        bytes += written;
        size -= static_cast<std::size_t>(written);
    }
}

void NewFile::write_at(std::size_t offset, const void* data, std::size_t size) {
    if (::pwrite(file_, data, size, static_cast<::off_t>(offset)) != static_cast<::ssize_t>(size)) {
        fail("cannot write", temporary_);
    }
}

void NewFile::finish(bool durable) {
    if (durable && ::fsync(file_) != 0) fail("cannot write", temporary_);
    const int file = std::exchange(file_, -1);
    if (::close(file) != 0) fail("cannot write", temporary_);
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail("cannot rename", temporary_);
    if (!durable) return;
    // The new name is on the disk when the directory is.
    const std::filesystem::path parent = path_.has_parent_path() ? path_.parent_path() : ".";
    const int directory = ::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory >= 0) {
        ::fsync(directory);
        ::close(directory);
    }
}

}  // namespace proofbase

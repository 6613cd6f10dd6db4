#include "tables/table_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <new>
#include <system_error>

#include "errors.hpp"

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
    ::madvise(memory, size, MADV_HUGEPAGE);  // a hint, for probes at random places; refusal costs speed only
}

SparseMemory::~SparseMemory() {
    if (data_ != nullptr) ::munmap(data_, size_);
}

TableFile::TableFile(const std::filesystem::path& path) : path_(path), file_(path) {
    if (file_.size() < TableHeader::bytes) refuse("it is no table of proofbase");
    const auto read = [this](std::size_t offset, void* data, std::size_t size) {
        const std::string wrong = file_.read(offset, data, size);
        if (!wrong.empty()) refuse("it cannot be read: " + wrong);
    };
    char bytes[TableHeader::bytes];
    read(0, bytes, sizeof bytes);
    const std::string wrong = header_.read(bytes);
    if (!wrong.empty()) refuse(wrong);
    // The number of entries is checked first: from 2^48 entries on, the sizes below would overflow.
    if (header_.entries >> 48 != 0 || header_.file_bytes() != file_.size()) {
        refuse("it has " + std::to_string(file_.size()) + " bytes, its header asks for another size");
    }
    const std::size_t sums = 4 * header_.blocks();
    std::string between(header_.data_start() - TableHeader::bytes - sums + TableHeader::tail, '\0');
    checksums_ = std::make_unique<std::uint32_t[]>(header_.blocks());
    read(TableHeader::bytes, checksums_.get(), sums);
    read(TableHeader::bytes + sums, between.data(), between.size() - TableHeader::tail);
    read(file_.size() - TableHeader::tail, between.data() + between.size() - TableHeader::tail, TableHeader::tail);
    if (between.find_first_not_of('\0') != std::string::npos) refuse("it is damaged between its parts");
    memory_ = SparseMemory(header_.blocks() * header_.block_bytes() + TableHeader::tail);
    values_ = memory_.data();
    bits_ = header_.bits;
    lowest_ = header_.lowest;
    sound_ = std::make_unique<std::atomic<std::uint64_t>[]>((header_.blocks() + 63) / 64);
    damaged_ = std::make_unique<std::atomic<std::uint64_t>[]>((header_.blocks() + 63) / 64);
}

void TableFile::check(std::uint64_t block) const {
    const std::lock_guard lock(reading_[block % reading_.size()]);
    if (marked(sound_, block)) return;
    const std::size_t size = header_.block_bytes();
    unsigned char* const bytes = values_ + block * size;
    std::string wrong = file_.read(header_.data_start() + block * size, bytes, size);
    if (wrong.empty() && crc32(bytes, size, static_cast<std::uint32_t>(block)) != checksums_[block]) {
        wrong = "the checksum is another";
    }
    if (!wrong.empty()) {
        mark(damaged_, block);
        refuse("block " + std::to_string(block) + " is damaged: " + wrong);
    }
    mark(sound_, block);
}

void TableFile::refuse(const std::string& why) const {
    throw DamagedTable("table " + path_.string() + ": " + why);
}

NewFile::NewFile(std::filesystem::path path) : path_(std::move(path)), temporary_(path_) {
    temporary_ += ".new";
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

void NewFile::finish() {
    if (::fsync(file_) != 0) fail("cannot write", temporary_);
    const int file = std::exchange(file_, -1);
    if (::close(file) != 0) fail("cannot write", temporary_);
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail("cannot rename", temporary_);
    // The new name is on the disk when the directory is.
    const std::filesystem::path parent = path_.has_parent_path() ? path_.parent_path() : ".";
    const int directory = ::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory >= 0) {
        ::fsync(directory);
        ::close(directory);
    }
}

}  // namespace proofbase

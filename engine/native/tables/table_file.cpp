#include "tables/table_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "errors.hpp"

namespace proofbase {

namespace {

[[noreturn]] void fail(const char* what, const std::filesystem::path& path) {
    throw std::filesystem::filesystem_error(what, path, std::error_code(errno, std::generic_category()));
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) fail("cannot open", path);
    struct stat about{};
    void* memory = nullptr;
    const bool known = ::fstat(file, &about) == 0;
    if (known && about.st_size > 0) {
        memory = ::mmap(nullptr, static_cast<std::size_t>(about.st_size), PROT_READ, MAP_SHARED, file, 0);
    }
    const int error = errno;
    ::close(file);
    errno = error;
    if (!known || memory == MAP_FAILED) fail("cannot map", path);
    data_ = static_cast<const unsigned char*>(memory);
    size_ = static_cast<std::size_t>(about.st_size);
}

MappedFile::~MappedFile() {
    if (data_ != nullptr) ::munmap(const_cast<unsigned char*>(data_), size_);
}

TableFile::TableFile(const std::filesystem::path& path) : path_(path), file_(path) {
    if (file_.size() < TableHeader::bytes) refuse("it is no table of proofbase");
    const std::string wrong = header_.read(reinterpret_cast<const char*>(file_.data()));
    if (!wrong.empty()) refuse(wrong);
    // The number of entries is checked first: from 2^48 entries on, the sizes below would overflow.
    if (header_.entries >> 48 != 0 || header_.file_bytes() != file_.size()) {
        refuse("it has " + std::to_string(file_.size()) + " bytes, its header asks for another size");
    }
    const auto zero = [&](std::size_t from, std::size_t to) {
        return std::all_of(file_.data() + from, file_.data() + to, [](unsigned char byte) { return byte == 0; });
    };
    if (!zero(TableHeader::bytes + 4 * header_.blocks(), header_.data_start()) ||
        !zero(file_.size() - TableHeader::tail, file_.size())) {
        refuse("it is damaged between its parts");
    }
    values_ = file_.data() + header_.data_start();
    bits_ = header_.bits;
    lowest_ = header_.lowest;
    checked_ = std::make_unique<std::atomic<std::uint64_t>[]>((header_.blocks() + 63) / 64);
}

void TableFile::check(std::uint64_t block) const {
    std::uint32_t expected;
    std::memcpy(&expected, file_.data() + TableHeader::bytes + 4 * block, 4);
    const std::uint32_t crc = crc32(this->block(block), header_.block_bytes(), static_cast<std::uint32_t>(block));
    if (crc != expected) refuse("block " + std::to_string(block) + " is damaged: the checksum is another");
    checked_[block / 64].fetch_or(std::uint64_t{1} << (block % 64), std::memory_order_relaxed);
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

// What compression of a table costs: size, time to write, time of a probe, for levels and sizes of blocks.
//
//   g++ -std=c++20 -O3 -march=native -I engine/native tests/bench/tables/compressed_probes.cpp \
//       engine/native/tables/files/table_file.cpp engine/native/tables/files/block_cache.cpp \
//       engine/native/errors.cpp engine/native/tables/files/{compressed_table,zstd}.cpp -ldl -o compressed_probes &&
//       ./compressed_probes LIBRARY FOLDER TABLE... [-- LEVEL,BLOCK...]
//
// LIBRARY is a shared library of zstd (libzstd.so.1), FOLDER takes the files that are written, on the disk that is to
// be measured. A line gives the plain form first. Times of probes: `memory` from a block that was read before, a
// million random entries, in memory without a limit and in a cache that has room for the whole table; `quarter` the
// same in a cache that has room for a quarter of it (4 MiB at least), so that most probes read a block; `page cache` of
// the first probe of a block, its bytes being in the memory of the system; `disk` the same after the system was told to
// drop the file. Every value is compared with that of the plain table.
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tables/files/compressed_table.hpp"
#include "tables/files/table_file.hpp"
#include "tables/files/zstd.hpp"

using namespace proofbase;

namespace {

constexpr std::size_t most = 1'000'000;
constexpr std::size_t most_blocks = 2'000;

double seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

ZstdFunctions functions_of(void* library) {
    return ZstdFunctions::by_name([library](const char* name) {
        void* function = ::dlsym(library, name);
        if (function == nullptr) std::exit(2);
        return function;
    });
}

/// Drops a file from the page cache: it has to be on the disk.
void drop(const std::filesystem::path& path) {
    const int file = ::open(path.c_str(), O_RDONLY);
    ::fsync(file);
    ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    ::close(file);
}

struct Times {
    double median = 0;
    double slow = 0;  ///< the slowest of a hundred
};

/// The first probes of blocks of a table, in seconds.
Times first_probes(const TableFile& expected, const std::filesystem::path& path, bool from_disk) {
    if (from_disk) drop(path);
    const TableFile table(path);
    std::mt19937_64 random(2);
    std::vector<std::uint64_t> blocks(table.header().blocks());
    for (std::uint64_t k = 0; k < blocks.size(); ++k) blocks[k] = k;
    std::shuffle(blocks.begin(), blocks.end(), random);
    blocks.resize(std::min(blocks.size(), most_blocks));
    std::vector<double> times;
    for (const std::uint64_t block : blocks) {
        const std::uint64_t i = block * table.header().block_entries;
        const double started = seconds();
        const int value = table.value(i);
        times.push_back(seconds() - started);
        if (value != expected.value(i)) std::exit(1);
    }
    std::sort(times.begin(), times.end());
    return {times[times.size() / 2], times[times.size() * 99 / 100]};
}

/// Seconds of a probe of a random entry, once all blocks were asked for.
double time_of_probe(const TableFile& plain, const TableFile& table, std::size_t most) {
    std::mt19937_64 random(1);
    std::vector<std::uint64_t> entries(most);
    for (auto& i : entries) i = random() % plain.header().entries;
    for (const std::uint64_t i : entries) {
        if (table.value(i) != plain.value(i)) std::exit(1);
    }
    double best = 1;
    for (int round = 0; round < 3; ++round) {
        const double started = seconds();
        std::uint64_t at = 0;
        // Each probe waits for the one before: which entry comes next depends on its value.
        for (std::size_t k = 0; k < most; ++k)
            at = (at + 1 + static_cast<unsigned>(table.value(entries[at]) == 1)) % most;
        best = std::min(best, (seconds() - started) / static_cast<double>(most) + 0 * static_cast<double>(at));
    }
    return best;
}

void measure(const TableFile& plain, const std::filesystem::path& path, const std::string& form, double written) {
    const std::size_t size = plain.header().plain_bytes();
    const double best = time_of_probe(plain, TableFile(path), most);
    const auto whole = std::make_shared<BlockCache>(2 * size + BlockCache::fewest_bytes);
    const auto quarter = std::make_shared<BlockCache>(std::max(size / 4, BlockCache::fewest_bytes));
    const double limited = time_of_probe(plain, TableFile(path, whole), most);
    const double evicting = time_of_probe(plain, TableFile(path, quarter), most / 20);
    const Times cached = first_probes(plain, path, false);
    const Times disk = first_probes(plain, path, true);
    std::printf(
        "%-14s %12ju bytes %6.1f %% %6.3f bits/entry %7.2f s to write; memory %4.0f ns, with a cache %4.0f ns, "
        "quarter %7.0f ns, page cache %5.1f us "
        "(99 %%: %5.1f), disk %5.1f us (99 %%: %6.1f)\n",
        form.c_str(), std::filesystem::file_size(path),
        100.0 * static_cast<double>(std::filesystem::file_size(path)) / static_cast<double>(plain.bytes()),
        8.0 * static_cast<double>(std::filesystem::file_size(path)) / static_cast<double>(plain.header().entries),
        written, best * 1e9, limited * 1e9, evicting * 1e9, cached.median * 1e6, cached.slow * 1e6, disk.median * 1e6,
        disk.slow * 1e6);
    std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
    void* library = count > 2 ? ::dlopen(arguments[1], RTLD_NOW) : nullptr;
    if (library == nullptr) return 2;
    find_zstd_by([library] { return functions_of(library); });
    std::vector<std::filesystem::path> tables;
    std::vector<Compression> compressions;
    bool forms = false;
    for (int k = 3; k < count; ++k) {
        const std::string argument = arguments[k];
        if (argument == "--") {
            forms = true;
        } else if (forms) {
            compressions.push_back({std::stoi(argument), std::stoull(argument.substr(argument.find(',') + 1))});
        } else {
            tables.emplace_back(argument);
        }
    }
    if (compressions.empty()) {
        for (const int level : {1, 3, 9, 12, 19}) compressions.push_back({level, 8192});
        for (const std::uint64_t block : {2048, 32768, 131072}) compressions.push_back({12, block});
    }
    TableTask task;
    for (const auto& source : tables) {
        const TableFile plain(source);
        const auto path = std::filesystem::path(arguments[2]) / "measured.table";
        std::printf("%s: %llu entries\n", source.filename().c_str(),
                    static_cast<unsigned long long>(plain.header().entries));
        for (std::uint64_t block = 0; block < plain.header().blocks(); ++block) plain.check(block);
        double started = seconds();
        rewrite_table(plain, path, std::nullopt, 1, task);
        measure(plain, path, "plain", seconds() - started);
        for (const Compression& compression : compressions) {
            started = seconds();
            rewrite_table(plain, path, compression, 1, task);
            measure(plain, path,
                    "level " + std::to_string(compression.level) + ", " + std::to_string(compression.block_entries),
                    seconds() - started);
        }
        std::filesystem::remove(path);
    }
    return 0;
}

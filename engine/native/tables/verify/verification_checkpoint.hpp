// The checkpoint file of a verification of a class: one that was killed goes on from it.
//
// The file is beside that of the table and holds a text that names the form, the checksums of all tables that the
// verification reads, what the verification puts into it, and the CRC-32 of everything before it (4 bytes). A damaged
// checkpoint, or one of other tables, is ignored: the class is verified from the start. One verification at a time
// writes checkpoints in a directory (`verify.lock`); others go without, as where nothing can be written.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tables/files/checkpoint_file.hpp"
#include "tables/files/directory_lock.hpp"
#include "tables/files/table_file.hpp"
#include "tables/verify/table_report.hpp"
#include "tables/work/checkpoint_clock.hpp"
#include "tables/work/table_task.hpp"

namespace proofbase {

/// When to save, where to, and for which tables.
class VerificationCheckpoint {
  public:
    /// `tables`: those that the verification reads, that of the class last. `form`: what the checkpoints hold.
    VerificationCheckpoint(const std::vector<const TableFile*>& tables, std::chrono::milliseconds every,
                           const std::string& form = "");

    /// Saves what `put(writer)` puts there, if the last save is long enough ago: less often than asked for where that
    /// would take more than an eighth of the time. A checkpoint that cannot be written costs no more than the work of a
    /// later start. Throws TableWorkCancelled (nothing is changed then).
    template <class Put>
    void save_if_due(const TableTask& task, Put&& put) {
        if (!lock_.held() || !clock_.is_due()) return;
        const auto began = CheckpointClock::Clock::now();
        try {
            CheckpointWriter writer(path_, task);
            writer.text(identity_);
            put(writer);
            writer.finish();
        } catch (const std::filesystem::filesystem_error&) {
            // The verification goes on; the next save may succeed.
        }
        clock_.saved(began);
    }

    /// Whether there is a checkpoint of these tables, which `take(reader)` has taken. If not, what it took is worth
    /// nothing.
    template <class Take>
    bool load(Take&& take) const {
        if (!lock_.held() || !std::filesystem::exists(path_)) return false;
        CheckpointReader reader(path_);
        std::string identity;
        reader.text(identity);
        if (!reader.whole() || identity != identity_) return false;
        take(reader);
        return reader.finish();
    }

    void remove() const {
        if (lock_.held()) remove_checkpoint(path_);
    }

  private:
    std::filesystem::path path_;
    std::string identity_;
    DirectoryLock lock_;
    CheckpointClock clock_;
};

/// Puts a report into a checkpoint.
void put_report(CheckpointWriter& writer, const TableReport& report);

/// Takes it from there.
void take_report(CheckpointReader& reader, TableReport& report);

}  // namespace proofbase

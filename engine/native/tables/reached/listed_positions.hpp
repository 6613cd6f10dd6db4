// The positions that can arise, as far as they are listed, and the checkpoint file from which a build that was killed
// goes on.
//
// The file is beside the tables (GAME.checkpoint). It holds a text that names the tables, how many classes are listed,
// the positions of each class, the marked positions of the classes behind them, and the CRC-32 of everything before it
// (4 bytes). A damaged file, or one of other tables, is ignored: the positions are listed from the start.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tables/files/checkpoint_file.hpp"
#include "tables/files/table_format.hpp"
#include "tables/reached/number_marks.hpp"
#include "tables/reached/reached_table.hpp"
#include "tables/work/checkpoint_clock.hpp"
#include "tables/work/table_task.hpp"

namespace proofbase {

struct ListedPositions {
    std::uint64_t listed = 0;                    ///< classes, in the order in which they are listed
    std::vector<ReachedTable> tables;            ///< by class
    std::map<std::uint32_t, NumberMarks> marks;  ///< of classes that are not listed yet, to which moves lead
};

class ListingCheckpoint {
  public:
    /// `headers`: of the tables, in the order in which the classes are listed. It is saved about as often as `every`
    /// says.
    ListingCheckpoint(std::filesystem::path path, const std::vector<TableHeader>& headers,
                      std::chrono::milliseconds every);

    /// Saves the positions, between two classes, if the last save is long enough ago, and if not all were saved. Throws
    /// TableWorkCancelled (nothing is changed then), std::filesystem::filesystem_error.
    void save_if_due(const ListedPositions& positions, const TableTask& task);

    /// Takes the positions from a checkpoint of these tables; false if there is none. `positions`: none is listed or
    /// marked, and there is room for the tables of all classes.
    bool load(ListedPositions& positions);

    void remove() const { remove_checkpoint(path_); }

  private:
    std::filesystem::path path_;
    std::string identity_;
    std::map<std::uint32_t, std::uint64_t> sizes_;  // of the classes
    bool has_all_ = false;
    CheckpointClock clock_;
};

}  // namespace proofbase

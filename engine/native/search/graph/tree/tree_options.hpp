// The policies of a tree that are chosen at run time.
#pragma once

namespace proofbase {

struct TreeOptions {
    bool early_stop = true;    ///< nothing is updated above a node whose numbers did not change
    bool delayed = false;      ///< a leaf is evaluated when it is selected, not when it is created (Allis 1994, 2.2.1)
    bool from_root = false;    ///< every most-proving node is sought from the root, not from the current node
    bool splits_rows = false;  ///< a free row of siblings is split where that saves new memory
};

}  // namespace proofbase

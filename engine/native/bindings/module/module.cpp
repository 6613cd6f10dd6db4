// proofbase.engine._core: the table of contents of the native core.
#include "bindings/module/register.hpp"

namespace proofbase {
void register_class_moves(nb::module_& module);  // bindings/adapters/class_moves.cpp, which nothing else includes
}

NB_MODULE(_core, module) {
    using namespace proofbase;
    // Plugins, threads and caches of a user may hold a game or a search until the interpreter ends: no reason for a
    // warning about leaks.
    nb::set_leak_warnings(false);
    module.doc() = "The native core: games, searches, record tables and the local check.";

    register_errors(module);
    register_games(module);
    register_records(module);
    register_search(module);
    register_tables(module);
    register_class_moves(module);
}

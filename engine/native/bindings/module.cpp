// proofbase.engine._core: the table of contents of the native core.
#include "bindings/register.hpp"

NB_MODULE(_core, module) {
    using namespace proofbase;
    // A user's plugins, threads and caches may well hold a game or a search until the interpreter ends: no reason to
    // tell him of leaks.
    nb::set_leak_warnings(false);
    module.doc() = "The native core: games, searches, record tables and the local check.";

    register_errors(module);
    register_games(module);
    register_records(module);
    register_search(module);
    register_tables(module);

    add_families();
}

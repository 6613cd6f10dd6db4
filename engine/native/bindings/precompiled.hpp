// What nearly every source of the core includes; the build reads it once (engine/CMakeLists.txt). The headers of
// search/families/ are not among them: a source that sees how a family makes its searches compiles these searches.
#pragma once

#include <nanobind/nanobind.h>

#include "bindings/adapters/own_type_of.hpp"
#include "search/alpha_beta/alpha_beta.hpp"
#include "search/df_pn/df_pn_search.hpp"
#include "search/graph/dag/dag.hpp"
#include "search/graph/dag/set_backup.hpp"
#include "search/graph/parent_list/parent_list_graph.hpp"
#include "search/graph/tree/pn2_tree.hpp"
#include "search/graph/twin/base_twin.hpp"
#include "search/pn/proof_number_search.hpp"

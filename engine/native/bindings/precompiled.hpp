// What nearly every source of the core includes; the build reads it once (engine/CMakeLists.txt).
#pragma once

#include <nanobind/nanobind.h>

#include "bindings/adapters/game_adapter.hpp"
#include "search/families/alpha_beta.hpp"
#include "search/families/base_twin.hpp"
#include "search/families/cyclic.hpp"
#include "search/families/dag.hpp"
#include "search/families/df_pn.hpp"
#include "search/families/pn2.hpp"
#include "search/families/pss.hpp"
#include "search/families/tree.hpp"

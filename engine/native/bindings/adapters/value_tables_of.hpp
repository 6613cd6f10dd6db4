// The tables of one game, in the form that a record table of the game is attached to.
#pragma once

#include <memory>

#include "bindings/interfaces/any_tables.hpp"
#include "concepts.hpp"
#include "records/value_tables.hpp"

namespace proofbase {

template <Game G>
class ValueTablesOf : public AnyTables {
  public:
    virtual const G& game() const = 0;
    virtual std::shared_ptr<const ValueTables<G>> tables() const = 0;
};

}  // namespace proofbase

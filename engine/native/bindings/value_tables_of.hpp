// The tables of one game, as its record tables take them.
#pragma once

#include <memory>

#include "bindings/any_tables.hpp"
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

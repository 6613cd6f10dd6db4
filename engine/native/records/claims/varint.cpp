#include "records/claims/varint.hpp"

#include "errors.hpp"

namespace proofbase {

void refuse_varint(const char* fault, std::size_t at) {
    throw MalformedRecord(std::string("a number ") + fault + " at byte " + std::to_string(at));
}

}  // namespace proofbase

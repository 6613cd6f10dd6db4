#include "bindings/conversion/findings.hpp"

#include <string>

namespace proofbase {

namespace {

nb::object facts() {
    return nb::module_::import_("proofbase.engine.facts");
}

nb::bytes bytes(std::string_view text) {
    return nb::bytes(text.data(), text.size());
}

nb::object text(const std::string& message) {
    // The message of a failure in a user's rules may hold any bytes.
    return nb::steal(PyUnicode_DecodeUTF8(message.data(), static_cast<Py_ssize_t>(message.size()), "replace"));
}

nb::object to_python(const nb::object& facts, const Claim& claim) {
    nb::object payload = nb::int_(0);
    if (claim.evidence == Evidence::search) payload = nb::int_(claim.nodes());
    if (claim.evidence == Evidence::table || claim.evidence == Evidence::line) {
        std::size_t start = 0;
        read_varint(claim.payload, start);
        payload = bytes(std::string_view(claim.payload).substr(start));
    }
    const nb::object witness = claim.side == Side::lower ? nb::object(nb::int_(claim.witness)) : nb::none();
    return facts.attr("Claim")(static_cast<int>(claim.side), claim.bound, claim.rank, witness,
                               static_cast<int>(claim.evidence), payload);
}

}  // namespace

Report to_report(std::size_t checked, const std::vector<Finding>& findings) {
    Report report;
    report.checked = checked;
    if (findings.empty()) return report;
    const nb::object facts = proofbase::facts();
    const std::string* last = nullptr;
    for (const Finding& finding : findings) {
        if (last == nullptr || *last != finding.key) ++report.failed;
        last = &finding.key;
        const nb::object claim = finding.claim ? to_python(facts, *finding.claim) : nb::none();
        report.findings.append(
            facts.attr("Finding")(bytes(finding.key), claim, text(finding.rule), text(finding.detail)));
    }
    return report;
}

void append_fault(nb::handle faults, std::string_view key, const char* rule, const char* detail) {
    faults.attr("append")(facts().attr("Finding")(bytes(key), nb::none(), rule, text(detail)));
}

}  // namespace proofbase

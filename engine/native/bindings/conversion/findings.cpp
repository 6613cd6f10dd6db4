#include "bindings/conversion/findings.hpp"

#include <string>

namespace proofbase {

namespace {

nb::bytes bytes(std::string_view text) {
    return nb::bytes(text.data(), text.size());
}

nb::object text(const std::string& message) {
    // The message of a failure in a user's rules may hold any bytes.
    return nb::steal(PyUnicode_DecodeUTF8(message.data(), static_cast<Py_ssize_t>(message.size()), "replace"));
}

nb::object to_python(const Claim& claim) {
    const nb::object records = nb::module_::import_("proofbase.engine.records");
    const nb::object side = records.attr("Side")(static_cast<int>(claim.side));
    const nb::object evidence = records.attr("Evidence")(static_cast<int>(claim.evidence));
    const nb::object witness = claim.side == Side::lower ? nb::object(nb::int_(claim.witness)) : nb::none();
    return records.attr("Claim")(side, claim.bound, claim.rank, evidence, witness, bytes(claim.payload));
}

nb::object finding(std::string_view key, const nb::object& claim, const std::string& rule, const std::string& detail) {
    const nb::object kind = nb::module_::import_("proofbase.engine.checking.local_check").attr("Finding");
    return kind(bytes(key), claim, text(rule), text(detail));
}

}  // namespace

Report to_report(std::size_t checked, const std::vector<Finding>& findings) {
    Report report;
    report.checked = checked;
    if (findings.empty()) return report;
    const std::string* last = nullptr;
    for (const Finding& found : findings) {
        if (last == nullptr || *last != found.key) ++report.failed;
        last = &found.key;
        const nb::object claim = found.claim ? to_python(*found.claim) : nb::none();
        report.findings.append(finding(found.key, claim, found.rule, found.detail));
    }
    return report;
}

void append_fault(nb::handle faults, std::string_view key, const char* rule, const char* detail) {
    faults.attr("append")(finding(key, nb::none(), rule, detail));
}

}  // namespace proofbase

#include "tables/verify/verification_checkpoint.hpp"

namespace proofbase {

void put_report(CheckpointWriter& writer, const TableReport& report) {
    writer.value(report.failed);
    writer.value(std::uint64_t{report.findings.size()});
    for (const TableFinding& finding : report.findings) {
        writer.value(finding.entry);
        writer.value(finding.value);
        writer.text(finding.rule);
        writer.text(finding.detail);
    }
}

void take_report(CheckpointReader& reader, TableReport& report) {
    std::uint64_t count = 0;
    reader.value(report.failed);
    reader.value(count);
    for (std::uint64_t k = 0; k < count && reader.whole(); ++k) {
        TableFinding finding{};
        reader.value(finding.entry);
        reader.value(finding.value);
        reader.text(finding.rule);
        reader.text(finding.detail);
        report.findings.push_back(std::move(finding));
    }
}

VerificationCheckpoint::VerificationCheckpoint(const std::vector<const TableFile*>& tables,
                                               std::chrono::milliseconds every, const std::string& form)
    : path_(std::filesystem::path(tables.back()->path()).replace_extension(".verification")),
      identity_("proofbase: a verification of tables, 1\n" + form),
      lock_(path_.parent_path() / "verify.lock"),
      clock_(every) {
    for (const TableFile* table : tables) identity_ += std::to_string(table->checksum()) + "\n";
}

}  // namespace proofbase

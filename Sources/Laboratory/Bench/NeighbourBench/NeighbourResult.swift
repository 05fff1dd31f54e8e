/// The results beside one nuisance, as two lines of the report.
struct NeighbourResult: Sendable {
    let walk: Ordinary.Walk
    /// Before the nuisance prepared itself.
    let atRest: Resources
    let before: Resources
    let after: Resources
    /// The nuisance's own report.
    let remark: String

    private static let nameWidth = 44

    static let heading =
        "beside".padded(to: nameWidth)
        + "  p50 ms  p99 ms   × p50   × p99  missing   SOS p50     max   never  page p50     max   never"
        + "  % broker  % bridge    % page"

    func lines(_ name: String, beside quiet: NeighbourResult) -> String {
        let first =
            name.padded(to: NeighbourResult.nameWidth) + milliseconds(walk.fixes.p50)
            + milliseconds(walk.fixes.p99) + ratio(walk.fixes.p50, quiet.walk.fixes.p50)
            + ratio(walk.fixes.p99, quiet.walk.fixes.p99) + "\(walk.fixes.missing)".column(9)
            + columns(walk.calls) + columns(walk.pageCalls) + after.shares(since: before)
        let details = after.changes(since: atRest) + (remark.isEmpty ? "" : "; \(remark)")
        return first + "\n    " + details
    }

    private func columns(_ calls: Delays) -> String {
        "  " + milliseconds(calls.p50) + milliseconds(calls.longest)
            + "\(calls.missing)".column(8)
    }

    private func milliseconds(_ value: Int64?) -> String {
        (value.map { "\((Double($0) / 100).rounded() / 10)" } ?? "–").column(8)
    }

    private func ratio(_ value: Int64?, _ base: Int64?) -> String {
        guard let value, let base else { return "–".column(8) }
        return "\((Double(value) / Double(max(base, 1)) * 10).rounded() / 10)".column(8)
    }
}

/// How long things took, in microseconds; nil if none arrived at all.
struct Delays: Sendable {
    let p50: Int64?
    let p99: Int64?
    let longest: Int64?
    /// The number that never arrived.
    let missing: Int

    init(_ delays: [Int64], missing: Int) {
        let sorted = delays.sorted()
        p50 = sorted.isEmpty ? nil : sorted[sorted.count / 2]
        p99 = sorted.isEmpty ? nil : sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
        longest = sorted.last
        self.missing = missing
    }
}

extension String {
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    /// The text padded on the left to the width of a column.
    func column(_ width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }
}

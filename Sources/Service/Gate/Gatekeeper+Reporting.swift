internal import Contract

/// Reports connections to the bridge.
extension Gatekeeper {
    /// Devices that connect or disconnect within this time share a message: when thousands connect
    /// together, each further message delays the others.
    private static let reporting = Duration.milliseconds(100)

    func report(_ party: ConnectionReport.Party, isConnected: Bool, at now: Duration) {
        // A guest's address must be known before the guest's first request.
        if case .device = party, !changes.isEmpty || !isReportDue(at: now) {
            return changes.append((party, isConnected))
        }
        lastReport = now
        report(isConnected ? .connected(party) : .disconnected(party))
    }

    private func isReportDue(at now: Duration) -> Bool {
        lastReport.map { now - $0 >= Gatekeeper.reporting } ?? true
    }

    func reportChanges(at now: Duration) {
        guard !changes.isEmpty, isReportDue(at: now) else { return }
        lastReport = now
        var last: [ConnectionReport.Party: Bool] = [:]
        for (party, isConnected) in changes { last[party] = isConnected }
        changes = []
        let all = last.sorted { $0.key < $1.key }
        for start in stride(from: 0, to: all.count, by: ConnectionReport.pageLength) {
            let page = all[start..<min(start + ConnectionReport.pageLength, all.count)]
            report(
                .changed(
                    connected: page.filter(\.value).map(\.key),
                    disconnected: page.filter { !$0.value }.map(\.key)))
        }
    }

    func reportAll() {
        // The list includes all changes not reported yet.
        changes = []
        let all = parties.keys.sorted()
        var start = 0
        repeat {
            let end = min(start + ConnectionReport.pageLength, all.count)
            report(
                .all(
                    Array(all[start..<end]), isFirst: start == 0, isLast: end == all.count,
                    gate: settings.version))
            start = end
        } while start < all.count
    }

    private func report(_ report: ConnectionReport) {
        orders.append(
            .publish(topic: settings.topics.string(.connections), payload: report.payload))
    }
}

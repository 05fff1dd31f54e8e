internal import Contract
internal import ExportFiles
internal import Store
internal import Tracking

/// An export's content about a person, except for the long lists.
struct Person {
    let user: UserRow
    let standing: Standing
    let devices: [DeviceRow]
    let memberships: [MembershipRow]
    let tracker: Tracker
    let usage: Usage
    let histories: [History]

    /// The location of a device's fixes in the store, as of one moment.
    struct History {
        let device: DeviceID
        let name: Name
        /// In order of arrival.
        let parts: [HistoryPart<Export.Locator>]
    }

    /// - Parameter rules: the rules by which positions are judged.
    init(_ reader: Reader, _ rules: Rules) throws(ExportError) {
        self = try reader.read { try Person(reader.user, $0, rules) }
    }

    private init(_ user: UserRow, _ transaction: Transaction, _ rules: Rules) throws {
        self.user = user
        standing = try transaction.standing(of: user.id)
        devices = try transaction.devices(of: user.id)
        memberships = try transaction.memberships(of: user.id, from: 0, atMost: .max)
        let saved = try transaction.tracker(of: user.id)
        // Replays the fixes received after the tracker was saved, as the bridge does at its start.
        var tracker = saved?.0.tracker ?? Tracker(user: user.id)
        var usage = saved?.0.usage ?? Usage()
        var logs: [DeviceID: DeviceLog] = [:]
        for log in saved?.0.logs ?? [] { logs[log.device] = log }
        try transaction.fixes(of: user.id, after: saved?.through ?? FixID(rawValue: 0)) { row in
            _ = logs[row.device, default: DeviceLog(device: row.device)].note(row.fix, as: row.id)
            _ = usage.note(.fixes, at: row.fix.receivedAt)
            guard !row.isForgotten else { return }
            _ = tracker.receive(row.fix, from: row.device, at: row.fix.receivedAt, rules)
        }
        self.tracker = tracker
        self.usage = usage
        var histories: [History] = []
        for device in devices {
            var chunks = try transaction.chunks(of: device.id)
            if let chunk = logs[device.id]?.openChunk { chunks.append(chunk) }
            let parts = chunks.map {
                HistoryPart(
                    Export.Locator(last: $0.last, count: $0.count, device: device.id),
                    earliest: $0.earliest)
            }
            histories.append(History(device: device.id, name: device.name, parts: parts))
        }
        self.histories = histories
    }
}

/// Whether a person can be reached: one entry for each device that ever sent something.
package struct Presence: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package let device: DeviceID
        package internal(set) var isConnected: Bool
        /// Whether its last connection ended; false for a device that was never connected.
        package internal(set) var hasLeft: Bool
        /// When it last sent something or was connected.
        package internal(set) var lastSign: Timestamp
        package internal(set) var rhythm: Rhythm

        package init(
            device: DeviceID, isConnected: Bool = false, hasLeft: Bool = false,
            lastSign: Timestamp, rhythm: Rhythm = Rhythm()
        ) {
            self.device = device
            self.isConnected = isConnected
            self.hasLeft = hasLeft
            self.lastSign = lastSign
            self.rhythm = rhythm
        }
    }

    /// The change caused by a sign of life.
    enum Change {
        case nothing
        /// The last connection had ended, and the person was still online.
        case cameBack
        case cameOnline
    }

    package private(set) var isOnline: Bool
    /// The last sign of life of a person who is online without a connection, since their last
    /// connection ended (``leavesAt(listeningSince:_:)``).
    package private(set) var leftAt: Timestamp?
    package private(set) var entries: [Entry]

    package init(isOnline: Bool = false, leftAt: Timestamp? = nil, entries: [Entry] = []) {
        self.isOnline = isOnline
        self.leftAt = leftAt
        self.entries = entries
    }

    mutating func hear(_ device: DeviceID, at now: Timestamp) -> Change {
        let index = index(of: device, at: now)
        entries[index].lastSign = now
        return comeOnline()
    }

    /// Whether the device has ever reported a position.
    func hasReported(_ device: DeviceID) -> Bool {
        entries.contains { $0.device == device && $0.rhythm.lastReport != nil }
    }

    mutating func noteReport(_ device: DeviceID, at now: Timestamp) {
        entries[index(of: device, at: now)].rhythm.note(reportAt: now)
    }

    mutating func connect(_ device: DeviceID, at now: Timestamp) -> Change {
        let index = index(of: device, at: now)
        entries[index].isConnected = true
        entries[index].hasLeft = false
        entries[index].lastSign = now
        return comeOnline()
    }

    /// Records a disconnection. The person stays online for a while, as most connections come back.
    mutating func disconnect(_ device: DeviceID, at now: Timestamp) {
        let index = index(of: device, at: now)
        guard entries[index].isConnected else { return }
        entries[index].isConnected = false
        entries[index].hasLeft = true
        entries[index].lastSign = now
    }

    mutating func retire(_ device: DeviceID, at now: Timestamp) {
        guard let index = entries.firstIndex(where: { $0.device == device }) else { return }
        let hasLeft = entries[index].isConnected || entries[index].hasLeft
        entries[index] = Entry(device: device, hasLeft: hasLeft, lastSign: now)
    }

    func isConnected(_ device: DeviceID) -> Bool {
        entries.contains { $0.device == device && $0.isConnected }
    }

    mutating func forget(_ device: DeviceID) {
        entries.removeAll { $0.device == device }
    }

    /// When the person counts as offline without further signs of life; nil while a device is
    /// connected, or if the person is already offline.
    ///
    /// - Parameter listeningSince: since when the bridge has been listening; earlier silence does
    ///   not count.
    func offlineAt(listeningSince: Timestamp, _ rules: Rules) -> Timestamp? {
        guard isOnline else { return nil }
        var latest = listeningSince + rules.offlineAfter
        for entry in entries {
            if entry.isConnected { return nil }
            let patience = entry.rhythm.patience(rules.offlineAfter, rules)
            latest = max(latest, max(entry.lastSign, listeningSince) + patience)
        }
        return latest
    }

    /// When the person counts as not connected without further signs of life: the last connection
    /// ended, and no device without one sent anything since. Nil if that is not the case, or is
    /// already known.
    func leavesAt(listeningSince: Timestamp, _ rules: Rules) -> Timestamp? {
        guard isOnline, leftAt == nil, !entries.contains(where: \.isConnected), let lastSign,
            !entries.contains(where: { !$0.hasLeft && $0.lastSign == lastSign })
        else { return nil }
        return max(lastSign, listeningSince) + rules.leavingPatience
    }

    mutating func leave() { leftAt = lastSign }

    mutating func goOffline() {
        isOnline = false
        leftAt = nil
    }

    /// When the person counts as silent without a fix; for a device that rarely reports, the wait
    /// follows its own rhythm.
    ///
    /// - Parameters:
    ///   - device: the device whose positions are the person's.
    ///   - start: since when a fix is awaited.
    func silentAt(
        of device: DeviceID?, since start: Timestamp, listeningSince: Timestamp, _ rules: Rules
    ) -> Timestamp {
        let usual = max(start, listeningSince) + rules.silentAfter
        guard let rhythm = entries.first(where: { $0.device == device })?.rhythm,
            let report = rhythm.lastReport
        else { return usual }
        let patience = rhythm.patience(rules.silentAfter, rules)
        return max(usual, max(report, listeningSince) + patience)
    }

    /// Moves signs of life that are later than this back to it.
    ///
    /// - Returns: whether there were any.
    mutating func bound(by now: Timestamp) -> Bool {
        var isChanged = leftAt.bound(by: now)
        for index in entries.indices {
            if entries[index].lastSign.bound(by: now) { isChanged = true }
            if entries[index].rhythm.bound(by: now) { isChanged = true }
        }
        return isChanged
    }

    private var lastSign: Timestamp? { entries.lazy.map(\.lastSign).max() }

    private mutating func comeOnline() -> Change {
        defer { (isOnline, leftAt) = (true, nil) }
        return !isOnline ? .cameOnline : leftAt != nil ? .cameBack : .nothing
    }

    private mutating func index(of device: DeviceID, at now: Timestamp) -> Int {
        if let index = entries.firstIndex(where: { $0.device == device }) { return index }
        entries.append(Entry(device: device, lastSign: now))
        return entries.count - 1
    }
}

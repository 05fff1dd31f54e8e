import Contract
import DequeModule
import Tracking

/// The gates' reports about connections, as far as they need not be stored.
final class ReportedConnections {
    /// What one broker's gate has reported.
    private struct Report {
        /// The gate's version, if it differs from the bridge's: the gate was replaced, and the
        /// broker has not been restarted since, or vice versa.
        var otherGate: String?
        /// Nil if no gate of the bridge's version has reported it.
        var isDispatchConnected: Bool?
        /// The devices of an incomplete list of all connections.
        var listed: Set<DeviceID>?
        /// The devices connected to this broker, if there are several; nil if not known.
        var connected: Set<DeviceID>?
    }

    /// Whether there is a gate: its reports take precedence over retained messages.
    private(set) var hasGate: Bool
    private var reports: [Report]
    /// Devices that connected or disconnected and that no turn has handled yet, each once.
    private var changes: [DeviceID: (user: UserID, isConnected: Bool)] = [:]
    private var changed: Deque<DeviceID> = []
    /// Changes handled by the turn that are not committed yet.
    private var taken: [Change] = []
    private var addresses: [ClientID: NetworkAddress?] = [:]
    /// The number of guests whose addresses were dropped to make room.
    private(set) var forgottenGuests = 0
    /// Guests ordered by time of connection.
    private var line: Deque<ClientID> = []

    static let maximumGuests = 10_000
    /// Characters.
    private static let longestVersion = 64

    init(hasGate: Bool, brokers: Int = 1) {
        self.hasGate = hasGate
        reports = Array(repeating: Report(), count: brokers)
    }

    func noteGate() { hasGate = true }

    var otherGate: String? { reports.lazy.compactMap(\.otherGate).first }

    /// Nil if no gate of the bridge's version has reported it.
    var isDispatchConnected: Bool? {
        let known = reports.compactMap(\.isDispatchConnected)
        return known.isEmpty ? nil : known.contains(true)
    }

    // MARK: Devices

    private var hasSeveral: Bool { reports.count > 1 }

    /// Discards all previous reports of the broker.
    ///
    /// - Parameter gate: its version; nil for a gate that does not report it yet.
    func beginList(of gate: String?, at broker: Int) {
        let version = gate.map { String($0.prefix(ReportedConnections.longestVersion)) }
        let other = version == kithVersionText ? nil : version ?? "an earlier version"
        reports[broker].otherGate = other
        reports[broker].isDispatchConnected = other == nil ? false : nil
        reports[broker].listed = []
        // With several, changes at the other brokers are among them.
        if !hasSeveral { (changes, changed, taken) = ([:], [], []) }
    }

    func noteDispatch(isConnected: Bool, at broker: Int) {
        reports[broker].isDispatchConnected = isConnected
    }

    func note(_ device: DeviceID, isConnected: Bool, at broker: Int) {
        reports[broker].listed.set(device, isConnected)
        if hasSeveral { reports[broker].connected.set(device, isConnected) }
    }

    /// - Returns: all connected devices; nil if they are not known: if the beginning of the list was
    ///   missed, or another broker's list.
    func endList(at broker: Int) -> Set<DeviceID>? {
        defer { reports[broker].listed = nil }
        guard let listed = reports[broker].listed else { return nil }
        guard hasSeveral else { return listed }
        reports[broker].connected = listed
        return settle()
    }

    /// Considers no device connected to a broker that has been away for a while.
    ///
    /// - Returns: all connected devices; nil if they are not known.
    func forget(_ broker: Int) -> Set<DeviceID>? {
        reports[broker] = Report(connected: [])
        return settle()
    }

    /// Returns the devices connected to any broker, and corrects the queued changes.
    private func settle() -> Set<DeviceID>? {
        let known = reports.compactMap(\.connected)
        guard known.count == reports.count else { return nil }
        let connected = known.reduce(into: Set()) { $0.formUnion($1) }
        for device in changed where !connected.contains(device) {
            changes[device]?.isConnected = false
        }
        return connected
    }

    /// Whether a device is connected to another broker.
    func isElsewhere(_ device: DeviceID, than broker: Int) -> Bool {
        hasSeveral
            && reports.indices.contains { other in
                other != broker && reports[other].connected?.contains(device) == true
            }
    }

    /// Queues the change for a turn that has time for it, keeping only each device's latest change.
    func put(_ device: DeviceID, of user: UserID, isConnected: Bool) {
        if changes.updateValue((user, isConnected), forKey: device) == nil {
            changed.append(device)
        }
    }

    /// Takes queued changes, the earliest first.
    func takeChanges(atMost limit: Int) -> [Change] {
        taken = (0..<min(limit, changed.count)).compactMap { _ in
            let device = changed.removeFirst()
            return changes.removeValue(forKey: device).map {
                Change(device: device, user: $0.user, isConnected: $0.isConnected)
            }
        }
        return taken
    }

    /// Forgets the handled changes: the turn is committed.
    func forgetTaken() { taken = [] }

    /// Requeues the handled changes before all others: the turn failed.
    func putBackTaken() {
        for change in taken.reversed() where changes[change.device] == nil {
            changes[change.device] = (change.user, change.isConnected)
            changed.prepend(change.device)
        }
        taken = []
    }

    struct Change: Sendable {
        let device: DeviceID
        let user: UserID
        let isConnected: Bool
    }

    var hasChanges: Bool { !changed.isEmpty }
    var changeCount: Int { changed.count }

    // MARK: Guests

    /// The address that a guest connected from; kept for a while after they disconnect, as their
    /// last messages may still be on their way.
    func address(of guest: ClientID) -> NetworkAddress? { addresses[guest] ?? nil }

    /// - Parameter address: nil if it does not identify the guest.
    func note(_ guest: ClientID, at address: NetworkAddress?) {
        guard let address else {
            if addresses[guest] != nil { addresses.updateValue(nil, forKey: guest) }
            return
        }
        if addresses.updateValue(address, forKey: guest) != nil { return }
        line.append(guest)
        guard line.count > ReportedConnections.maximumGuests else { return }
        addresses.removeValue(forKey: line.removeFirst())
        forgottenGuests += 1
    }
}

extension Set<DeviceID>? {
    fileprivate mutating func set(_ device: DeviceID, _ isConnected: Bool) {
        if isConnected { self?.insert(device) } else { self?.remove(device) }
    }
}

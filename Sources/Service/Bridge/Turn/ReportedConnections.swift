import Contract
import DequeModule
import Tracking

/// The gate's reports about connections, as far as they need not be stored.
final class ReportedConnections {
    /// Whether there is a gate: its reports take precedence over retained messages.
    private(set) var hasGate: Bool
    /// The gate's version, if it differs from the bridge's: the gate was replaced, and the broker
    /// has not been restarted since, or vice versa.
    private(set) var otherGate: String?
    /// Nil if no gate of the bridge's version has reported it.
    private(set) var isDispatchConnected: Bool?
    /// The devices of an incomplete list of all connections.
    private var listed: Set<DeviceID>?
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

    init(hasGate: Bool) { self.hasGate = hasGate }

    func noteGate() { hasGate = true }

    // MARK: Devices

    /// Discards all previous reports.
    ///
    /// - Parameter gate: its version; nil for a gate that does not report it yet.
    func beginList(of gate: String?) {
        let version = gate.map { String($0.prefix(ReportedConnections.longestVersion)) }
        otherGate = version == kithVersionText ? nil : version ?? "an earlier version"
        isDispatchConnected = otherGate == nil ? false : nil
        listed = []
        (changes, changed, taken) = ([:], [], [])
    }

    func noteDispatch(isConnected: Bool) { isDispatchConnected = isConnected }

    func note(_ device: DeviceID, isConnected: Bool) {
        if isConnected { listed?.insert(device) } else { listed?.remove(device) }
    }

    /// - Returns: all connected devices; nil if the beginning of the list was missed.
    func endList() -> Set<DeviceID>? {
        defer { listed = nil }
        return listed
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

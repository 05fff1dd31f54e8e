import Contract
import DequeModule
import Tracking

/// What the gate has reported about connections, as far as it need not be stored.
final class ReportedConnections {
    /// Whether there is a gate: its reports take precedence over retained messages.
    private(set) var hasGate: Bool
    /// The gate's version, if it is another than the bridge's: it was replaced, and the broker has not
    /// been restarted since, or the other way round.
    private(set) var otherGate: String?
    /// Nil if no gate of the bridge's version has said it.
    private(set) var isDispatchConnected: Bool?
    /// The devices of a list of all connections that is not complete yet.
    private var listed: Set<DeviceID>?
    /// Devices that connected or disconnected and that no turn has handled yet, each once.
    private var changes: [DeviceID: (user: UserID, isConnected: Bool)] = [:]
    private var changed: Deque<DeviceID> = []
    /// What the turn has taken that is not committed yet.
    private var taken: [Change] = []
    private var addresses: [ClientID: NetworkAddress?] = [:]
    /// The number of guests whose addresses were dropped to make room.
    private(set) var forgottenGuests = 0
    /// In the order in which they connected.
    private var line: Deque<ClientID> = []

    static let maximumGuests = 10_000
    /// Characters.
    private static let longestVersion = 64

    init(hasGate: Bool) { self.hasGate = hasGate }

    func noteGate() { hasGate = true }

    // MARK: Devices

    /// Discards whatever was reported before.
    ///
    /// - Parameter gate: its version; nil of one that does not tell it yet.
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

    /// Queues the change for a turn that has time for it; only the latest change of each device is
    /// kept.
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

    /// The turn is committed.
    func forgetTaken() { taken = [] }

    /// The turn failed: queues what it took again, before everything else.
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

    /// - Parameter address: nil if it says nothing about the guest.
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

import Contract
import DequeModule
import Tracking

/// What the gate has told of connections, and the store need not know.
final class ReportedConnections {
    /// Whether there is a gate: then it knows better than a message that was retained.
    private(set) var hasGate: Bool
    /// The devices of a list of everybody that is not complete yet.
    private var listed: Set<DeviceID>?
    /// Devices that came or went and of which no turn has taken notice, each once.
    private var changes: [DeviceID: (user: UserID, isConnected: Bool)] = [:]
    private var changed: Deque<DeviceID> = []
    private var addresses: [ClientID: NetworkAddress?] = [:]
    /// Guests whose addresses had to go, for want of room.
    private(set) var forgottenGuests = 0
    /// In the order in which they came.
    private var line: Deque<ClientID> = []

    static let maximumGuests = 10_000

    init(hasGate: Bool) { self.hasGate = hasGate }

    func noteGate() { hasGate = true }

    // MARK: Devices

    /// Whatever was told before is void.
    func beginList() {
        listed = []
        (changes, changed) = ([:], [])
    }

    func note(_ device: DeviceID, isConnected: Bool) {
        if isConnected { listed?.insert(device) } else { listed?.remove(device) }
    }

    /// - Returns: everybody who is connected; nil where the beginning was not heard.
    func endList() -> Set<DeviceID>? {
        defer { listed = nil }
        return listed
    }

    /// Has it done by a turn with time for it, the last word of each device alone.
    func put(_ device: DeviceID, of user: UserID, isConnected: Bool) {
        if changes.updateValue((user, isConnected), forKey: device) == nil {
            changed.append(device)
        }
    }

    /// Takes what was put, the earliest first.
    func takeChanges(atMost limit: Int) -> [Change] {
        (0..<min(limit, changed.count)).compactMap { _ in
            let device = changed.removeFirst()
            return changes.removeValue(forKey: device).map {
                Change(device: device, user: $0.user, isConnected: $0.isConnected)
            }
        }
    }

    struct Change: Sendable {
        let device: DeviceID
        let user: UserID
        let isConnected: Bool
    }

    var hasChanges: Bool { !changed.isEmpty }
    var changeCount: Int { changed.count }

    // MARK: Guests

    /// From where a guest came; also for a while after they went, as their last words may be on
    /// their way.
    func address(of guest: ClientID) -> NetworkAddress? { addresses[guest] ?? nil }

    /// - Parameter address: nil where it tells nothing of the guest.
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

import Contract
import DequeModule
import Tracking

/// What the gate has told of connections, and the store need not know.
final class ConnectionBook {
    /// Whether there is a gate: then it knows better than a message that was retained.
    private(set) var hasGate: Bool
    /// The devices of a list of everybody that is not complete yet.
    private var listed: Set<DeviceID>?
    private var addresses: [ClientID: NetworkAddress] = [:]
    /// In the order in which they came.
    private var line: Deque<ClientID> = []

    static let maximumGuests = 10_000

    init(hasGate: Bool) { self.hasGate = hasGate }

    func noteGate() { hasGate = true }

    // MARK: Devices

    func beginList() { listed = [] }

    func note(_ device: DeviceID, isConnected: Bool) {
        if isConnected { listed?.insert(device) } else { listed?.remove(device) }
    }

    /// - Returns: everybody who is connected; nil where the beginning was not heard.
    func endList() -> Set<DeviceID>? {
        defer { listed = nil }
        return listed
    }

    // MARK: Guests

    /// From where a guest came; also for a while after they went, as their last words may be on
    /// their way.
    func address(of guest: ClientID) -> NetworkAddress? { addresses[guest] }

    func note(_ guest: ClientID, at address: NetworkAddress) {
        if addresses.updateValue(address, forKey: guest) != nil { return }
        line.append(guest)
        guard line.count > ConnectionBook.maximumGuests else { return }
        addresses[line.removeFirst()] = nil
    }
}

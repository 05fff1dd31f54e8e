import Contract
import MQTT
import Tracking

extension Turn {
    /// Handles a report of the gate, which sees all connections from inside the broker.
    func takeConnections(_ message: Message) throws {
        let report: ConnectionReport
        do throws(Problem) {
            report = try ConnectionReport(message.payload)
        } catch {
            return try reject(message.topic, error)
        }
        count("connection-reports")
        let broker = message.broker ?? 0
        authentication.connections.noteGate()
        switch report {
        case .connected(let party): note(party, isConnected: true, at: broker)
        case .disconnected(let party): note(party, isConnected: false, at: broker)
        case .changed(let connected, let disconnected):
            for party in connected { note(party, isConnected: true, at: broker) }
            for party in disconnected { note(party, isConnected: false, at: broker) }
        case .all(let parties, let isFirst, let isLast, let gate):
            if isFirst { authentication.connections.beginList(of: gate, at: broker) }
            for party in parties { note(party, isConnected: true, at: broker) }
            if isLast, let connected = authentication.connections.endList(at: broker) {
                memory.disconnectAll(but: connected, authentication.connections)
            }
        }
    }

    /// Records a device's connection state; ignores unknown devices, which may have been removed in
    /// the meantime.
    private func note(_ party: ConnectionReport.Party, isConnected: Bool, at broker: Int) {
        switch party {
        case .guest(let guest, let address):
            let place = NetworkAddress(address)
            if isConnected {
                authentication.connections.note(guest, at: place.isThisMachine ? nil : place)
            }
        case .dispatch:
            authentication.connections.noteDispatch(isConnected: isConnected, at: broker)
        case .device(let name, let user):
            guard let person = memory.account(user), let device = person.device(named: name)
            else { return }
            let connections = authentication.connections
            connections.note(device.id, isConnected: isConnected, at: broker)
            // A phone that moves may connect there before its end here is noticed.
            if !isConnected, connections.isElsewhere(device.id, than: broker) { return }
            connections.put(device.id, of: person.id, isConnected: isConnected)
        }
    }

    /// Handles some of the connections and disconnections: if thousands arrive at once, others are
    /// served in between.
    func takeArrivals() throws {
        let arrivals = decisions.arrivals {
            authentication.connections.takeChanges(atMost: BridgeSettings.maximumArrivals)
        }
        for change in arrivals {
            guard let person = memory.people[change.user],
                let device = person.devices.first(where: { $0.id == change.device })
            else { continue }
            try set(change.isConnected, device, person)
        }
        if authentication.connections.hasChanges { count("turns-full-of-arrivals") }
    }

    private func set(_ isConnected: Bool, _ device: Device, _ person: Person) throws {
        guard person.tracker.isConnected(device.id) != isConnected else { return }
        try noteSeen(device)
        let effects =
            isConnected
            ? person.tracker.connect(device.id, at: now)
            : person.tracker.disconnect(device.id, at: now)
        try apply(effects, to: person)
    }
}

extension Memory {
    /// Disconnects all other devices: a broker was restarted or lost, or a report got lost.
    func disconnectAll(but connected: Set<DeviceID>, _ connections: ReportedConnections) {
        for id in people.keys.sorted() {
            guard let person = people[id] else { continue }
            for device in person.devices
            where !connected.contains(device.id) && person.tracker.isConnected(device.id) {
                connections.put(device.id, of: id, isConnected: false)
            }
        }
    }
}

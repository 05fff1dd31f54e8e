import Contract
import MQTT
import Store
import Tracking

extension Turn {
    /// Who is connected, as the gate sees it from inside the broker.
    func takeConnections(_ message: Message) throws(StoreError) {
        let report: ConnectionReport
        do throws(Problem) {
            report = try ConnectionReport(message.payload)
        } catch {
            return try reject(message.topic, error)
        }
        count("connection-reports")
        reception.connections.noteGate()
        switch report {
        case .connected(let party): try note(party, isConnected: true)
        case .disconnected(let party): try note(party, isConnected: false)
        case .all(let parties, let isFirst, let isLast):
            if isFirst { reception.connections.beginList() }
            for party in parties { try note(party, isConnected: true) }
            if isLast, let connected = reception.connections.endList() {
                try disconnectAll(but: connected)
            }
        }
    }

    /// Nothing for a device that is not known: it may be gone meanwhile.
    private func note(_ party: ConnectionReport.Party, isConnected: Bool) throws(StoreError) {
        switch party {
        case .guest(let guest, let address):
            if isConnected { reception.connections.note(guest, at: NetworkAddress(address)) }
        case .device(let name, let user):
            guard let person = memory.person(user), let device = person.device(named: name)
            else { return }
            reception.connections.note(device.id, isConnected: isConnected)
            try set(isConnected, device, person)
        }
    }

    private func set(_ isConnected: Bool, _ device: Device, _ person: Person)
        throws(StoreError)
    {
        guard person.tracker.isConnected(device.id) != isConnected else { return }
        let effects =
            isConnected
            ? person.tracker.connect(device.id, at: now)
            : person.tracker.disconnect(device.id, at: now)
        try apply(effects, to: person)
    }

    /// The broker was started since, or a report got lost.
    private func disconnectAll(but connected: Set<DeviceID>) throws(StoreError) {
        for id in memory.people.keys.sorted() {
            guard let person = memory.people[id] else { continue }
            for device in person.devices where !connected.contains(device.id) {
                try set(false, device, person)
            }
        }
    }
}

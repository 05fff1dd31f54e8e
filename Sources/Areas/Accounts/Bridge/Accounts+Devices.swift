import Contract
import JSON
import Store
import Tracking

extension Accounts {
    func listDevices(of person: Person, asking current: Device) -> [UInt8] {
        JSONWriter.object { json in
            json.key("devices")
            json.array(person.devices) { json, device in
                json.object { json in
                    json.key("device")
                    json.string(device.name.text)
                    json.key("createdAt")
                    json.time(device.createdAt)
                    json.key("kind")
                    json.string(device.speaks.rawValue)
                    json.key("loggedIn")
                    json.bool(device.hasToken)
                    json.key("current")
                    json.bool(device === current)
                }
            }
        }
    }

    func revokeDevice(named name: Name, of person: Person) throws(Refused) -> [UInt8] {
        guard let device = person.device(named: name) else {
            throw .problem(Problem(.unknownDevice, "You have no device with that name."))
        }
        return try revoke(device, of: person)
    }

    /// Logs the device out. The device itself is kept, because what it reported refers to it.
    func revoke(_ device: Device, of person: Person) throws(Refused) -> [UInt8] {
        if device.hasToken {
            try stored { transaction throws(StoreError) in
                try transaction.setTokenHash(nil, of: device.id)
            }
            device.hasToken = false
        }
        try stored { _ throws(StoreError) in try turn.dropWaiting(of: device) }
        try areas.channels.end(with: device)
        person.tracker.retire(device.id, at: now)
        try done([], for: person)
        retain(.status(person.name, device: device.name), [])
        return Array("{}".utf8)
    }

    /// Logs out all other devices.
    ///
    /// - Returns: how many were logged in.
    func revokeAll(of person: Person, but kept: DeviceID) throws(Refused) -> Int {
        let others = person.devices.filter { $0.hasToken && $0.id != kept }
        for device in others { _ = try revoke(device, of: person) }
        return others.count
    }

    /// Gives the device its token, and creates the device if there is none; a token that it had
    /// before is no longer valid.
    func setToken(_ hash: [UInt8], of name: Name, _ person: Person, speaks: DeviceRow.Language)
        throws(Refused)
    {
        let known = person.device(named: name)
        if known?.hasToken != true {
            let limit = BridgeSettings.maximumDevices
            guard person.devices.count(where: \.hasToken) < limit else {
                throw .problem(
                    Problem(.tooMany, "A user may be logged in with at most \(limit) devices."))
            }
        }
        guard known != nil || person.devices.count < BridgeSettings.maximumDeviceNames else {
            let limit = BridgeSettings.maximumDeviceNames
            throw .problem(Problem(.tooMany, "A user may have at most \(limit) devices ever."))
        }
        do throws(StoreError) {
            let device: Device
            if let known {
                device = known
            } else {
                device = try turn.addDevice(name, to: person, speaks: speaks)
            }
            try transaction.setTokenHash(hash, of: device.id)
            device.hasToken = true
        } catch {
            throw .store(error)
        }
    }
}

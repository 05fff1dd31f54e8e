import Contract
import Store
import Tracking

extension Accounts {
    func listDevices(of person: Person, asking current: Device) -> [UInt8] {
        AccountResult.devices.bytes(
            of: person.ownDevices.map { device in
                (
                    name: device.name, createdAt: device.createdAt,
                    kind: device.appProtocol.rawValue, isLoggedIn: device.hasToken,
                    isCurrent: device === current,
                    isCarried: device.id == person.tracker.carriedDevice,
                    isNamed: device.id == person.tracker.namedDevice, lastSeen: device.lastSeen
                )
            })
    }

    /// Selects the device whose positions count as the person's.
    ///
    /// - Parameter name: the device; nil to infer it from what the devices do.
    func carryDevice(named name: Name?, of person: Person) throws -> [UInt8] {
        var carried: DeviceID?
        if let name { carried = try device(named: name, of: person).id }
        try turn.apply(person.tracker.name(carried: carried, at: now, settings.rules), to: person)
        return Array("{}".utf8)
    }

    func revokeDevice(named name: Name, of person: Person) throws -> [UInt8] {
        return try revoke(try device(named: name, of: person), of: person)
    }

    func device(named name: Name, of person: Person) throws -> Device {
        guard let device = person.device(named: name), !device.isRemoved else {
            throw Problem(.unknownDevice, "You have no device with that name.")
        }
        return device
    }

    func revoke(_ device: Device, of person: Person) throws -> [UInt8] {
        try logOut(device, of: person)
        return Array("{}".utf8)
    }

    /// Logs the device out. The device itself is kept, because its reports refer to it.
    func logOut(_ device: Device, of person: Person) throws {
        if device.hasToken {
            try transaction.setTokenHash(nil, of: device.id)
            device.hasToken = false
        }
        try turn.dropWaiting(of: device)
        try areas.channels.end(with: device)
        person.tracker.retire(device.id, at: now)
        try turn.apply([], to: person)
        retain(.status(person.name, device: device.name), [])
    }

    /// Logs out all devices but this one and those that groups rely on now.
    ///
    /// - Returns: the number of devices that were logged in.
    func revokeAll(of person: Person, but kept: DeviceID?) throws -> Int {
        let needed = try devicesReliedOn(of: person)
        let others = person.devices.filter {
            $0.hasToken && $0.id != kept && !needed.contains($0.id)
        }
        for device in others { _ = try revoke(device, of: person) }
        return others.count
    }

    /// Returns the names of the person's other logged-in devices.
    func loggedIn(_ person: Person, but device: DeviceID?) -> [Name] {
        person.devices.filter { $0.hasToken && $0.id != device }.map(\.name)
    }

    /// Gives the device its token, creating the device if necessary; its previous token becomes
    /// invalid.
    ///
    /// - Returns: the device that was logged out to make room.
    @discardableResult
    func setToken(
        _ hash: [UInt8], of name: Name, _ person: Person, using appProtocol: DeviceRow.AppProtocol
    ) throws -> Device? {
        try turn.checkEnabled(person)
        let known = person.device(named: name)
        let limit = BridgeSettings.maximumDeviceNames
        guard known?.isRemoved == false || person.ownDevices.count < limit else {
            throw Problem(
                .tooMany, "A user may have at most \(limit) devices; remove one you no longer use.")
        }
        var ended: Device?
        if known?.hasToken != true { ended = try makeRoom(for: person) }
        try turn.setToken(hash, of: name, person, using: appProtocol)
        return ended
    }
}

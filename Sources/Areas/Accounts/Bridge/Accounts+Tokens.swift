import Contract
import Store
import Tracking

/// Tokens that end by themselves.
extension Accounts {
    /// If the maximum number of devices is logged in, logs out the one unused for longest.
    ///
    /// - Returns: that device.
    /// - Throws: `too-many` if all of them are needed now.
    func makeRoom(for person: Person) throws -> Device? {
        let limit = BridgeSettings.maximumDevices
        let loggedIn = person.devices.filter(\.hasToken)
        guard loggedIn.count >= limit else { return nil }
        let needed = try devicesReliedOn(of: person)
        let idle = loggedIn.filter { !needed.contains($0.id) }.min { left, right in
            func order(_ device: Device) -> (Int, Timestamp, DeviceID) {
                (person.tracker.isConnected(device.id) ? 1 : 0, device.unusedSince, device.id)
            }
            return order(left) < order(right)
        }
        guard let idle else {
            throw Problem(.tooMany, "A user may be logged in with at most \(limit) devices.")
        }
        try end(idle, of: person, .room)
        return idle
    }

    /// Returns the devices that report the person's position while groups rely on it: on a journey
    /// and in an SOS. Only the person can log them out.
    func devicesReliedOn(of person: Person) throws -> Set<DeviceID> {
        let begin: Timestamp
        switch person.tracker.undertaking {
        case .nothing: return []
        case .journey(let journey, _): begin = journey.startedAt
        case .emergency(let emergency, _):
            begin = person.tracker.plannedJourney?.startedAt ?? emergency.startedAt
        }
        var (found, newest) = (Set<DeviceID>(), (fix: FixID(rawValue: 0), device: DeviceID?.none))
        for device in person.devices where device.hasToken {
            guard let last = device.log.last else { continue }
            if last > newest.fix { newest = (last, device.id) }
            let rows = try transaction.fixes(upTo: last, count: 1)
            if let fix = rows.first?.fix, fix.receivedAt >= begin - Accounts.before {
                found.insert(device.id)
            }
        }
        if let device = newest.device { found.insert(device) }
        return found
    }

    /// A device that reported within this time before a journey or an SOS began counts as the one
    /// that reports during it.
    private static let before = Duration.seconds(900)

    func end(_ device: Device, of person: Person, _ why: Notice.Ending) throws {
        try logOut(device, of: person)
        count("logins-ended")
        try areas.notices.add(.loggedOut(device: device.name, why), for: person)
    }

    // MARK: Expiry

    func sweep(_ sweep: Sweep, atMost limit: Int) throws -> Bool {
        var isMore = try endUnused(sweep, atMost: min(limit, Accounts.endings))
        try checkDirectory(sweep)
        try lockOutRest()
        if try deleteRemoved(sweep, atMost: min(limit, Accounts.endings)) { isMore = true }
        return try sweepPasswordRequests(sweep, atMost: limit) || isMore
    }

    /// Devices logged out or deleted per turn.
    private static let endings = 100

    /// Logs out devices that have not been used for long, unless groups rely on their owner now.
    private func endUnused(_ sweep: Sweep, atMost limit: Int) throws -> Bool {
        let undated = try transaction.beginUseOfUndated(at: now, atMost: limit)
        guard let lifetime = settings.accounts.tokenLifetime else { return undated >= limit }
        let unused = try transaction.unusedTokens(
            since: sweep.startedAt - lifetime, atMost: limit)
        for (id, user) in unused {
            guard let person = memory.people[user],
                let device = person.devices.first(where: { $0.id == id })
            else { continue }
            let isNeeded =
                person.tracker.isConnected(id) || person.tracker.undertaking != .nothing
            if isNeeded {
                try transaction.beginUse(id, at: now)
                device.unusedSince = now
            } else {
                try end(device, of: person, .unused)
            }
        }
        return undated >= limit || unused.count >= limit
    }

    // MARK: Removed devices

    /// Forgets a logged-out device. If it has reported positions, it is kept under a meaningless
    /// name until the last of them is deleted.
    func removeDevice(named name: Name, of person: Person, asking current: Device)
        throws -> [UInt8]
    {
        let device = try device(named: name, of: person)
        guard !device.hasToken, device !== current else {
            throw Problem(.notAllowed, "Log the device out first.")
        }
        let limit = BridgeSettings.maximumDeviceNames
        guard person.devices.count(where: \.isRemoved) < limit else {
            throw Problem(
                .tooMany,
                "The positions of \(limit) removed devices are still kept. Try again later.")
        }
        try logOut(device, of: person)
        if device.log.last == nil {
            try forget(device, of: person)
        } else {
            device.name = Accounts.freeName(for: device, of: person)
            device.isRemoved = true
            try transaction.removeDevice(device.id, now: device.name, at: now)
        }
        noteUsage(.changes, of: person)
        return Array("{}".utf8)
    }

    private static func freeName(for device: Device, of person: Person) -> Name {
        let text = "removed-\(device.id.rawValue)"
        for attempt in 0... {
            let name = Name(attempt == 0 ? text : "\(text)-\(attempt)")
            if let name, person.device(named: name) == nil { return name }
        }
        preconditionFailure("one of so many names is free")
    }

    /// Deletes removed devices whose positions are all deleted.
    private func deleteRemoved(_ sweep: Sweep, atMost limit: Int) throws -> Bool {
        let removed = try transaction.devicesRemoved(
            before: sweep.startedAt - settings.limits.retention, atMost: limit)
        for (id, user) in removed {
            guard let person = memory.people[user],
                let device = person.devices.first(where: { $0.id == id })
            else { continue }
            if let last = device.log.last, try transaction.hasFix(last) { continue }
            try forget(device, of: person)
        }
        return false
    }

    private func forget(_ device: Device, of person: Person) throws {
        try transaction.deleteDevice(device.id)
        person.devices.removeAll { $0 === device }
        person.tracker.forget(device.id)
        note(.save, person)
        for area in areas.all { area.noteApp(of: device, of: person, isNew: false) }
    }
}

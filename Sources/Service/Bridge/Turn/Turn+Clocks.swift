import Contract
import Store
import Tracking

/// Devices whose clocks are wrong.
extension Turn {
    /// - Returns: the limits for the device's samples.
    func limits(of device: Device) -> FixLimits {
        var limits = settings.limits
        limits.clock = device.log.clock
        return limits
    }

    /// Reads a device's samples. While the server's clock is behind, samples ahead of it are moved
    /// back by the newest one's lead.
    ///
    /// - Parameters:
    ///   - isRetained: whether the message may be old, and says nothing about clocks.
    ///   - mistimedAt: the time, by the device's clock, of the newest sample refused only for its
    ///     time.
    func read<Content>(
        from device: Device, _ person: Person, isRetained: Bool = false,
        mistimedAt: (Content) -> Timestamp?,
        _ make: (FixLimits) throws(Problem) -> Content
    ) throws(Problem) -> Content {
        if !isClockBehind, device.log.clock.isServers {
            device.log.clock.forgetServers()
            note(.save, person)
        }
        if isClockBehind, device.log.clock.blameServer() { note(.save, person) }
        let content = try make(limits(of: device))
        guard !isRetained, let time = mistimedAt(content), time > now else { return content }
        clockSigns[person.id] = time - now
        guard isClockBehind else { return content }
        device.log.clock.adopt(time, at: now)
        note(.save, person)
        return try make(limits(of: device))
    }

    /// Records a message's evidence about its device's clock. A wrong clock is reported to its
    /// owner, and to the groups if positions are rejected for it.
    ///
    /// - Parameters:
    ///   - accepted: the corrected time of the newest accepted sample.
    ///   - mistimed: the time, by the device's clock, of the newest sample refused only for its
    ///     time.
    ///   - arePositions: whether the samples are positions.
    func noteClock(
        of device: Device, _ person: Person, accepted: Timestamp?, mistimed: Timestamp?,
        arePositions: Bool = true
    ) throws {
        guard let mistimed else {
            guard let accepted else { return }
            if watchesClocks || device.log.clock.isInDoubt {
                clockSigns[person.id] = device.log.clock.offset ?? .zero
            }
            guard device.log.clock.isInDoubt else { return }
            let before = device.log.clock
            device.log.clock.noteAccepted(accepted, at: now)
            if device.log.clock != before { note(.save, person) }
            return
        }
        note(.save, person)
        if device.log.clock.noteRefused(mistimed, at: now) {
            return try tellOfClock(of: device, person, ahead: device.log.clock.offset)
        }
        if arePositions {
            try apply(person.tracker.notePositionRefused(at: now, settings.rules), to: person)
        }
        if device.log.clock.isHopeless { try tellOfClock(of: device, person, ahead: nil) }
    }

    /// - Parameter ahead: nil: the clock cannot be corrected.
    private func tellOfClock(of device: Device, _ person: Person, ahead: Duration?) throws {
        guard device.log.clock.isToBeTold(at: now) else { return }
        for area in areas.all {
            try area.notify(person, of: .clockWrong(device: device.name, ahead: ahead))
        }
    }
}

import Contract
import Store
import Tracking

/// Devices whose clocks are wrong.
extension Turn {
    /// - Returns: the limits of what the device sends.
    func limits(of device: Device) -> FixLimits {
        var limits = settings.limits
        limits.clock = device.log.clock
        return limits
    }

    /// Notes what a message says of its device's clock. A wrong clock is reported to its owner, and
    /// to the groups if positions are rejected for it.
    ///
    /// - Parameters:
    ///   - accepted: when the newest accepted sample was taken, corrected.
    ///   - mistimed: when the newest sample was taken, by the device's clock, that was refused only
    ///     for its time.
    ///   - arePositions: whether the samples are positions.
    func noteClock(
        of device: Device, _ person: Person, accepted: Timestamp?, mistimed: Timestamp?,
        arePositions: Bool = true
    ) throws(StoreError) {
        guard let mistimed else {
            guard let accepted, device.log.clock.isInDoubt else { return }
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
    private func tellOfClock(of device: Device, _ person: Person, ahead: Duration?)
        throws(StoreError)
    {
        guard device.log.clock.isToBeTold(at: now) else { return }
        try areas.notices.add(.clockWrong(device: device.name, ahead: ahead), for: person)
    }
}

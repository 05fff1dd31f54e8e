internal import Synchronization

/// The event bytes waiting for the readers of a party or an address, or for all.
final class UnreadBytes: Sendable {
    let maximum: Int
    private let count = Atomic(0)
    private let alarm: Alarm

    /// Rings when an account exceeds its maximum.
    final class Alarm: Sendable {
        private let isOn = Atomic(false)

        func ring() { isOn.store(true, ordering: .relaxed) }
        /// - Returns: whether it has rung since the last time.
        func takeOff() -> Bool { isOn.exchange(false, ordering: .relaxed) }
    }

    init(maximum: Int, _ alarm: Alarm) { (self.maximum, self.alarm) = (maximum, alarm) }

    var bytes: Int { count.load(ordering: .relaxed) }

    /// - Parameter bytes: negative for bytes sent or dropped.
    func add(_ bytes: Int) {
        let sum = count.wrappingAdd(bytes, ordering: .relaxed).newValue
        if bytes > 0, sum > maximum { alarm.ring() }
    }
}

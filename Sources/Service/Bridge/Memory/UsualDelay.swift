/// The minimum delay of a device's messages, by its clock: if the clock is slow, all of them are
/// that late.
struct UsualDelay {
    /// The minimum of the last messages, and of those before them.
    private var (least, before): (Duration?, Duration?)
    private var count = 0

    /// The number of messages per value.
    private static let length = 10
    /// The difference up to which delays are equal; a shorter delay counts as none.
    private static let agreement = Duration.seconds(10)

    mutating func note(_ delay: Duration) {
        least = least.map { min($0, delay) } ?? delay
        count += 1
        guard count == UsualDelay.length else { return }
        (least, before, count) = (nil, least, 0)
    }

    /// Whether all messages are about that late; false if nothing is known of the device.
    func isUsual(_ delay: Duration) -> Bool {
        guard let usual = [least, before].compactMap(\.self).min(),
            usual > UsualDelay.agreement
        else { return false }
        return delay - usual <= UsualDelay.agreement && usual - delay <= UsualDelay.agreement
    }
}

/// How late the messages of a device are at least, by its clock: if the clock is slow, all of them
/// are that late.
struct UsualDelay {
    /// Of the last messages, and of those before them.
    private var (least, before): (Duration?, Duration?)
    private var count = 0

    /// How many messages make one value.
    private static let length = 10
    /// Delays that differ by less are the same, and a shorter one is none.
    private static let agreement = Duration.seconds(10)

    mutating func note(_ delay: Duration) {
        least = least.map { min($0, delay) } ?? delay
        count += 1
        guard count == UsualDelay.length else { return }
        (least, before, count) = (nil, least, 0)
    }

    /// Whether all messages are about that late. If nothing is known of the device, none is.
    func isUsual(_ delay: Duration) -> Bool {
        guard let usual = [least, before].compactMap(\.self).min(),
            usual > UsualDelay.agreement
        else { return false }
        return delay - usual <= UsualDelay.agreement && usual - delay <= UsualDelay.agreement
    }
}

internal import Contract
internal import Glibc
internal import MQTT

/// Makes sure that the gate beside the broker has the rights that were committed before anything
/// that follows from them is published: another process may write the file that it reads, on another
/// machine.
final class RightsCheck {
    private let topic: String
    private let connection: SideConnection
    /// The change that the gate does not have yet, as far as is known; nil if it has all.
    private(set) var awaited: Int64?
    /// Whether the gate was asked for it, and did not have it in time.
    private var isBehind = false
    private var triedAt: ContinuousClock.Instant?

    /// How long publications wait for the gate before the operator is notified.
    static let patience = Duration.seconds(1)
    private static let pause: UInt32 = 2_000
    private static let longPause = Duration.milliseconds(100)

    /// - Parameter number: that of the newest change that is known.
    init(_ topics: TopicSpace, _ connection: SideConnection, from number: Int64) {
        (topic, self.connection, awaited) = (topics.rightsCheck, connection, number)
    }

    /// Waits until the gate has the change of this number, and those before.
    ///
    /// - Throws: if the connection is lost.
    func await(_ number: Int64) throws(MQTTError) {
        awaited = number
        // The turns go on while the gate is behind.
        if isBehind { return }
        let end = ContinuousClock.now + RightsCheck.patience
        while try !hasChange(number) {
            // It is asked again by ``retry()``.
            guard ContinuousClock.now < end else { return isBehind = true }
            usleep(RightsCheck.pause)
        }
        (awaited, isBehind) = (nil, false)
    }

    /// Asks again, not too often, if the gate lacks a change.
    func retry() throws(MQTTError) {
        guard let awaited, triedAt.map({ $0 + RightsCheck.longPause < .now }) ?? true else {
            return
        }
        if try hasChange(awaited) { (self.awaited, isBehind) = (nil, false) }
    }

    private func hasChange(_ number: Int64) throws(MQTTError) -> Bool {
        triedAt = .now
        let question = Publication(
            topic: topic, payload: Array("\(number)".utf8), qos: .atLeastOnce)
        return try connection.isAccepted(question) == true
    }
}

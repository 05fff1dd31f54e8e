internal import Contract
internal import Glibc
internal import MQTT

/// Makes sure that the gate beside the broker has the rights that were committed before anything
/// that follows from them is published: another process may write the file that it reads, on another
/// machine.
final class RightsCheck {
    private let topic: String
    private let connection: SideConnection
    /// The change that the gate does not have yet; nil if it has all. Before the first question
    /// nothing is known.
    private(set) var awaited: Int64? = 0
    private var triedAt: ContinuousClock.Instant?

    /// How long publications wait for the gate before the operator is notified.
    static let patience = Duration.seconds(1)
    private static let pause: UInt32 = 2_000
    private static let longPause = Duration.milliseconds(100)

    init(_ topics: TopicSpace, _ connection: SideConnection) {
        (topic, self.connection) = (topics.rightsCheck, connection)
    }

    /// Waits until the gate has the change of this number, and those before.
    ///
    /// - Throws: if the connection is lost.
    func await(_ number: Int64) throws(MQTTError) {
        let isBehind = awaited.map { $0 > 0 } ?? false
        awaited = number
        // The turns go on while the gate is behind.
        if isBehind { return }
        let end = ContinuousClock.now + RightsCheck.patience
        while try !hasChange(number) {
            // It is asked again by ``retry()``.
            guard ContinuousClock.now < end else { return }
            usleep(RightsCheck.pause)
        }
        awaited = nil
    }

    /// Asks again, not too often, if the gate lacks a change.
    func retry() throws(MQTTError) {
        guard let awaited, triedAt.map({ $0 + RightsCheck.longPause < .now }) ?? true else {
            return
        }
        if try hasChange(awaited) { self.awaited = nil }
    }

    private func hasChange(_ number: Int64) throws(MQTTError) -> Bool {
        triedAt = .now
        let question = Publication(
            topic: topic, payload: Array("\(number)".utf8), qos: .atLeastOnce)
        return try connection.isAccepted(question) == true
    }
}

package import Contract
package import Tracking

/// A message that one turn submits for a way to dispatch; a later turn receives the
/// ``DispatchOutcome``. It carries everything that sending needs.
package struct DispatchCall: Work {
    package let key: Key
    package let way: DispatchWay
    /// The message's id: the same if it is sent again.
    package let id: String
    package let payload: [UInt8]
    /// The number of tries: the end of an incident is not repeated later.
    package let tries: Int

    /// Identifies the incident and the way, for which only the newest message waits.
    package struct Key: Hashable, Sendable {
        package let incident: UUIDv7
        /// The way's index in its area.
        package let way: Int

        package init(_ incident: UUIDv7, way: Int) { (self.incident, self.way) = (incident, way) }
    }
}

/// The result of a ``DispatchCall``.
package struct DispatchOutcome: WorkOutcome {
    package static let kind: WorkKind? = .dispatch

    package let key: DispatchCall.Key
    /// The value of ``DispatchWay/name``.
    package let way: String
    package let result: Result

    package enum Result: Sendable, Hashable {
        /// There was an answer.
        case answered(DispatchAnswer)
        /// The call was accepted, without an answer yet.
        case taken
        case failed(DeliveryFailure)
    }

    package init(_ key: DispatchCall.Key, by way: DispatchWay, _ result: Result) {
        (self.key, self.way, self.result) = (key, way.name, result)
    }
}

extension DispatchOutcome.Result {
    /// - Parameter text: the receiver's output; anything but an answer only means that it was
    ///   accepted.
    init(said text: [UInt8]) {
        do throws(Problem) {
            self = .answered(try DispatchAnswer(text))
        } catch {
            self = .taken
        }
    }
}

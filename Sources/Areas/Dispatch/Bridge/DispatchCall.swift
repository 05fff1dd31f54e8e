package import Contract
package import Tracking

/// A message that one turn hands over for one of the ways to dispatch; a later turn gets the
/// ``DispatchOutcome``. It carries everything that sending it needs.
package struct DispatchCall: Sendable {
    package let key: Key
    package let way: DispatchWay
    /// Of the message: the same if it is sent again.
    package let id: String
    package let payload: [UInt8]
    /// How often it is tried: what is over is told by nobody else later.
    package let tries: Int

    /// Only the newest message of an incident waits for a way.
    package struct Key: Hashable, Sendable {
        package let incident: UUIDv7
        /// Among the ways of its area.
        package let way: Int

        package init(_ incident: UUIDv7, way: Int) { (self.incident, self.way) = (incident, way) }
    }
}

/// What became of a ``DispatchCall``.
package struct DispatchOutcome: Sendable {
    package let key: DispatchCall.Key
    /// As ``DispatchWay/name``.
    package let way: String
    package let result: Result

    package enum Result: Sendable, Hashable {
        /// Somebody has said something to it.
        case answered(DispatchAnswer)
        /// It was taken over, and nobody has answered yet.
        case taken
        case failed(DeliveryFailure)
    }

    package init(_ key: DispatchCall.Key, by way: DispatchWay, _ result: Result) {
        (self.key, self.way, self.result) = (key, way.name, result)
    }
}

extension DispatchOutcome.Result {
    /// - Parameter text: of whoever took the message; whatever is no answer only says that they have
    ///   it.
    init(said text: [UInt8]) {
        do throws(Problem) {
            self = .answered(try DispatchAnswer(text))
        } catch {
            self = .taken
        }
    }
}

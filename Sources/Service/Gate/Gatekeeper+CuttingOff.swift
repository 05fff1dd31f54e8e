/// Closes open connections that would still use a right that was lost.
extension Gatekeeper {
    /// The time that a device with a revoked token has for the reply to its last request, during
    /// which it may do nothing else: the bridge publishes the reply after the revocation is on
    /// disk. If other messages may already be in flight to the device, it only has the time of a
    /// delivery.
    static let lastWords = Duration.milliseconds(500)
    /// The maximum time of a message from the broker to its receiver.
    static let delivery = Duration.milliseconds(50)

    func cutOff(_ session: Session, by end: Duration) {
        if let index = unwanted.firstIndex(where: { $0.session === session }) {
            unwanted[index].at = min(unwanted[index].at, end)
        } else {
            unwanted.append((session, end))
        }
    }

    func cutOff(at now: Duration) {
        unwanted.removeAll { session, end in
            guard session.isConnected else { return true }
            guard now >= end else { return false }
            orders.append(.cutOff(session.clientID))
            return true
        }
    }
}

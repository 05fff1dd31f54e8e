/// Who has lost a right that an open connection would still use.
extension Gatekeeper {
    /// So long a device whose token stopped working waits for the answer to its last request, and
    /// may do nothing else: the bridge publishes it after the revocation is on disk. Where other
    /// messages may be on their way to it already, it has only the time of a delivery.
    static let lastWords = Duration.milliseconds(500)
    /// So long a message may take from the broker to its receiver.
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

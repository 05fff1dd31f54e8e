internal import Clocks
internal import MQTT

/// The broker's events about the connection, subscriptions and publications.
extension TurnLoop {
    /// - Returns: why the connection ended, if it did. Messages read before are still handled.
    func noteEvents(_ link: some BrokerLink, at moment: ClockReading) throws -> MQTTError? {
        var failure: MQTTError?
        for event in link.takeEvents() {
            switch event {
            case .confirmed(let id): noteConfirmed(id, at: moment.steady)
            case .refused(let id): try publisher.noteRefused(id, at: moment.wall)
            case .disconnected(let error): failure = error
            case .connected: break
            case .subscribed(let id, granted: false):
                guard subscriptions?.isNecessary(id) ?? true else { break }
                // Messages published there would be lost; the next connection subscribes again.
                failure = .refusedSubscription
            case .subscribed(let id, granted: true):
                if subscriptions?.note(id) == true {
                    try publisher.publish([status("online")], link)
                }
            }
        }
        if subscriptions?.isOverdue(at: moment.steady) == true { failure = failure ?? .silence }
        return failure
    }
}

internal import Contract
internal import Limits

/// Reports refused messages to devices.
extension Gatekeeper {
    /// Reports a refusal, which MQTT 3.1.1 cannot express.
    func tell(
        _ session: Session, _ topic: String, _ problem: Problem, at now: Duration
    ) {
        guard case .device(let device, let user) = session.principal, session.isConnected
        else { return }
        guard session.refusalsTold.take(of: settings.limits.refusalsTold, at: now) else {
            refusals.untold += 1
            return
        }
        orders.append(
            .publish(
                topic: settings.topics.string(.rejected(user, device: device)),
                payload: Rejection(topic: topic, problem: problem).payload))
    }

    /// Answers a request that is refused here, since its caller waits for a reply of the bridge,
    /// which never sees the request. The broker does not pass the request's properties here.
    ///
    /// - Returns: whether it is a request.
    func answer(
        _ session: Session, _ topic: String, _ problem: Problem, at now: Duration
    ) -> Bool {
        let (replies, method): (Topic, String)
        switch (session.principal, settings.topics.parse(topic)) {
        case (.device(let device, let user), .request(let asker, let own, let called))
        where asker == user && own == device:
            (replies, method) = (.replies(user, device: device, suffix: ""), called)
        case (.service(let service), .serviceRequest(let asker, let called))
        where asker == service:
            (replies, method) = (.serviceReplies(service, suffix: ""), called)
        default: return false
        }
        guard session.isConnected,
            session.refusalsTold.take(of: settings.limits.refusalsTold, at: now)
        else {
            refusals.untold += 1
            return true
        }
        orders.append(
            .publish(
                topic: settings.topics.string(replies),
                payload: Reply.payload(refusing: method, problem)))
        return true
    }

    func isTooLarge(_ size: Int, _ session: Session) -> Bool {
        !session.row.isOurs && size > settings.limits.payload
    }
}

extension Problem {
    /// The problem of a message that is too large. Apps send pictures, and would resend them if the
    /// connection were closed.
    static func tooLarge(_ limit: Int) -> Problem {
        Problem(.tooLarge, "A payload may have at most \(limit) bytes.")
    }
}

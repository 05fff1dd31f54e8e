import Contract
import MQTT
import Store
import Tracking

extension Turn {
    /// Passes a message from the broker to the handler of its topic.
    ///
    /// - Parameter topic: the message's topic; nil if the service has no such topic.
    func take(_ message: Message, _ topic: Topic?) throws {
        try charge(budget(topic), Cost.of(message)) { try handle(message, topic) }
    }

    private func handle(_ message: Message, _ topic: Topic?) throws {
        guard message.payload.count <= PayloadLimits.maximum else {
            let limit = PayloadLimits.maximum
            return try reject(
                message.topic, Problem(.tooLarge, "A payload may have at most \(limit) bytes."))
        }
        switch topic {
        case .fix(let user, let device):
            guard let (person, device) = try sender(message, user, device, using: .kith)
            else { return }
            try takeFixes(message, from: person, device)
        case .status(let user, let device):
            guard let (person, device) = try sender(message, user, device, from: Turn.loggedIn)
            else { return }
            try takeStatus(message, from: person, device)
        case .request(let user, let device, let method):
            guard let (person, device) = try sender(message, user, device, from: Turn.loggedIn)
            else { return }
            try takeRequest(message, method, from: person, device)
        case .serviceRequest(let service, let method):
            guard
                let (account, program) = try sender(
                    message, service, .serviceProgram, from: [.service])
            else { return }
            try takeRequest(message, method, from: account, program)
        case .operatorRequest(let method): try takeOperatorRequest(message, method)
        case .connections: try takeConnections(message)
        case let topic?:
            for area in areas.all where try area.take(message, topic) { return }
            try reject(
                message.topic, Problem(.notAllowed, "Only the service may publish on this topic."))
        case nil:
            try reject(message.topic, Problem(.notAllowed, "There is no such topic."))
        }
    }

    /// Refuses a message of any kind that the store cannot handle. A request that touches damage is
    /// answered; for other rejected requests the answer might contain the rejected data.
    func refuse(_ message: Message) throws {
        count("messages-impossible")
        if isDamaged, case .request(let user, let device, let method) = topics.parse(message.topic),
            let person = memory.account(user), let device = person.device(named: device)
        {
            return try answer(
                message, method, from: person, device, received, refusal: Turn.damaged)
        }
        if isDamaged, case .operatorRequest(let method) = topics.parse(message.topic) {
            return try takeOperatorRequest(message, method, refusal: Turn.damaged)
        }
        try reject(message.topic, Problem(.malformed, "The service cannot store this message."))
    }

    /// The answer to a request that touches damage in the database.
    static let damaged = Problem(
        .malformed, "The service cannot do this: its database is damaged.")

    /// Returns the sender of the message according to the topic.
    ///
    /// - Parameters:
    ///   - appProtocol: the kind of app that the topic implies; nil if it implies none.
    ///   - kinds: the accounts that may send such messages.
    /// - Returns: nil if the user is unknown or has too many devices; the message is then rejected.
    func sender(
        _ message: Message, _ user: Name, _ device: Name,
        using appProtocol: DeviceRow.AppProtocol? = nil,
        from kinds: Set<AccountKind> = [.person]
    ) throws -> (Person, Device)? {
        guard let person = memory.account(user), kinds.contains(person.kind) else {
            clearRetained(message)
            try reject(message.topic, Problem(.unknownUser, "There is no user with that name."))
            return nil
        }
        if let known = person.device(named: device) {
            if let appProtocol, appProtocol != known.appProtocol,
                decisions.changesApp({ known.mayChangeApp(at: now) })
            {
                try setAppProtocol(appProtocol, of: known, person)
            }
            try noteSeen(known)
            return (person, known)
        }
        guard person.ownDevices.count < BridgeSettings.maximumDevices else {
            let limit = BridgeSettings.maximumDevices
            try reject(
                message.topic, Problem(.tooMany, "A user may have at most \(limit) devices."))
            return nil
        }
        let new = try addDevice(device, to: person, using: appProtocol ?? .kith)
        try noteSeen(new)
        return (person, new)
    }

    /// The kinds of accounts whose devices may log in.
    private static let loggedIn: Set<AccountKind> = [.person, .company]

    /// Records a message from the device: on disk once an hour, so that frequent messages cost
    /// nothing.
    func noteSeen(_ device: Device) throws {
        if let seen = device.lastSeen, seen <= now, now < seen + Turn.seenInterval { return }
        (device.lastSeen, device.unusedSince) = (now, now)
        try transaction.noteSeen(device.id, at: now)
    }

    private static let seenInterval = Duration.seconds(3600)

    func addDevice(_ name: Name, to person: Person, using appProtocol: DeviceRow.AppProtocol)
        throws -> Device
    {
        let id = try transaction.insertDevice(name, of: person.id, using: appProtocol, at: now)
        let row = DeviceRow(
            id: id, user: person.id, name: name, appProtocol: appProtocol, createdAt: now)
        let device = Device(row)
        person.devices.append(device)
        note(.save, person)
        for area in areas.all { area.noteApp(of: device, of: person, isNew: true) }
        return device
    }

    /// Handles a phone that has switched to another app.
    private func setAppProtocol(
        _ appProtocol: DeviceRow.AppProtocol, of device: Device, _ person: Person
    ) throws {
        (device.appProtocol, device.appChangedAt) = (appProtocol, now)
        try transaction.setAppProtocol(appProtocol, of: device.id)
        for area in areas.all { area.noteApp(of: device, of: person, isNew: false) }
    }

    /// Publishes a refusal and its reason on the device's `rejected` topic, and counts it. If the
    /// topic names no device, it is only counted.
    ///
    /// - Parameter again: the numbers of fixes that may be resent.
    func reject(
        _ topic: String, _ problem: Problem, sequences: [Int64] = [], again: [Int64] = []
    ) throws {
        count("rejected")
        count("rejected-\(problem.kind.rawValue)")
        guard let (user, device) = topics.device(in: topic) else { return }
        // Truncated, so that the rejection fits into a payload.
        let rejection = Rejection(
            topic: String(decoding: topic.utf8.prefix(TopicSpace.maximumLength), as: UTF8.self),
            problem: problem, sequences: sequences, again: again)
        publish(
            Publication(
                topic: topics.string(.rejected(user, device: device)),
                payload: rejection.payload, qos: .atLeastOnce))
    }

    /// Notifies the device of fields omitted from an accepted message. As this is sent for each
    /// message, and only helps with the device's setup, it has QoS 0: nothing waits behind it.
    ///
    /// - Parameter problem: nil if nothing was omitted.
    func tellLeftOut(_ problem: Problem?, of message: Message) {
        guard let problem, let (user, device) = topics.device(in: message.topic) else { return }
        count("fields-left-out")
        var rejection = Rejection(topic: message.topic, problem: problem)
        rejection.isTaken = true
        publish(
            Publication(
                topic: topics.string(.rejected(user, device: device)),
                payload: rejection.payload, qos: .atMostOnce))
    }
}

import Contract
import MQTT
import Store
import Tracking

extension Turn {
    /// Answers a request, once: the same one again gets the same answer and changes nothing.
    func takeRequest(_ message: Message, _ method: String, from person: Person, _ device: Device)
        throws(StoreError)
    {
        count("requests")
        try hear(device, of: person)
        let ownReplies = Topic.replies(person.name, device: device.name, suffix: "")
        guard let topic = replyTopic(message, person, device) else {
            count("rejected")
            count("rejected-\(Problem.Kind.notAllowed.rawValue)")
            let problem = Problem(
                .notAllowed, "The response topic must lie in the device's own replies.")
            let reply = Reply(id: nil, .problem(problem))
            return try send(topics.string(ownReplies), reply.payload)
        }
        let request: Request
        do throws(Problem) {
            request = try Request(message.payload)
        } catch {
            countRefusal(error)
            let reply = Reply(id: nil, .problem(error))
            return try send(topic, reply.payload, correlationData: message.correlationData)
        }
        let key = requestKey(message, method, request)
        if let key, let payload = try earlierReply(key, device) {
            count("requests-repeated")
            return try send(topic, payload, correlationData: message.correlationData)
        }
        let outcome = try answer(method, request, person, device)
        var payload = Reply(id: request.id, outcome).payload
        if payload.count > BridgeSettings.maximumPayload {
            let problem = Problem(.tooLarge, "The answer does not fit into a message.")
            countRefusal(problem)
            payload = Reply(id: request.id, .problem(problem)).payload
        }
        if let key { try transaction.insertReply(payload, to: key.text, of: device.id, at: now) }
        try send(topic, payload, correlationData: message.correlationData)
    }

    private func answer(
        _ method: String, _ request: Request, _ person: Person, _ device: Device
    ) throws(StoreError) -> Reply.Outcome {
        let command: Command
        do throws(Problem) {
            command = try Command(method: method, request, at: now, settings.limits)
        } catch {
            countRefusal(error)
            return .problem(error)
        }
        do throws(Refused) {
            return .result(try execute(command, person, device))
        } catch {
            switch error {
            case .store(let failure): throw failure
            case .problem(let problem):
                countRefusal(problem)
                return .problem(problem)
            }
        }
    }

    private func countRefusal(_ problem: Problem) {
        count("rejected")
        count("rejected-\(problem.kind.rawValue)")
    }

    /// Every method, in the order of the contract.
    private func execute(_ command: Command, _ person: Person, _ device: Device)
        throws(Refused) -> [UInt8]
    {
        switch command {
        case .createGroup(let name): try createGroup(name, by: person)
        case .renameGroup(let group, let name): try renameGroup(group, to: name, by: person)
        case .addMember(let group, let invitee): try addMember(invitee, to: group, by: person)
        case .removeMember(let group, let user): try removeMember(user, from: group, by: person)
        case .leaveGroup(let group): try leaveGroup(group, person)
        case .listGroups: listGroups(of: person)
        case .startSharing(let groups): try startSharing(groups, person)
        case .stopSharing(let groups): try stopSharing(groups, person)
        case .members(let group): try getMembers(of: group, by: person)
        case .startJourney(let groups, let destination, let eta):
            try startJourney(groups, destination, eta, person)
        case .extendJourney(let eta): try extendJourney(eta, person)
        case .stopJourney: try stopJourney(person)
        case .triggerSOS(let fix, let refused):
            try triggerSOS(person, device, fix, refused: refused)
        case .stopSOS: try stopSOS(person)
        case .path(let request): try getPath(request, by: person)
        case .listAlerts(let group, let before, let limit):
            try listAlerts(of: group, before: before, limit: limit, by: person)
        case .acknowledgeAlert(let alert): try acknowledge(alert, by: person)
        case .listDevices: listDevices(of: person)
        }
    }

    // MARK: Where the reply goes

    /// The device's own `replies`, or what it asked for below them; nil for anything else.
    private func replyTopic(_ message: Message, _ person: Person, _ device: Device) -> String? {
        guard let asked = message.responseTopic else {
            return topics.string(.replies(person.name, device: device.name, suffix: ""))
        }
        guard case .replies(person.name, device: device.name, _) = topics.parse(asked) else {
            return nil
        }
        return asked
    }

    // MARK: Repetition

    struct RequestKey {
        let text: String
        /// Only an answer from before this moment counts.
        let answeredBefore: Timestamp?
    }

    /// What makes two requests the same: their id, or their correlation data.
    ///
    /// Without either, a message that was delivered again because its acknowledgement got lost
    /// can be known by its packet identifier and its content, though not for sure: a broker that
    /// was killed gives the same identifiers again. So that is asked only where doing it twice
    /// would make something twice; anything else has to be done rather than not.
    private func requestKey(_ message: Message, _ method: String, _ request: Request)
        -> RequestKey?
    {
        if let id = request.id {
            var json = JSONWriter(capacity: 64)
            json.value(id)
            return RequestKey(
                text: "id:" + String(decoding: json.bytes, as: UTF8.self), answeredBefore: nil)
        }
        if let data = message.correlationData {
            let digits = data.map { String($0, radix: 16) }.joined(separator: ".")
            return RequestKey(text: "correlation:" + digits, answeredBefore: nil)
        }
        guard message.packetID > 0, method == "group.create" else { return nil }
        var digest = FNV1a()
        digest.combine(Array(message.topic.utf8))
        digest.combine(message.payload)
        let content = String(digest.value, radix: 16)
        return RequestKey(
            text: "packet:\(message.packetID):\(content)", answeredBefore: listeningSince)
    }

    private func earlierReply(_ key: RequestKey, _ device: Device)
        throws(StoreError) -> [UInt8]?
    {
        if let end = key.answeredBefore, now > end + Turn.longestRedelivery { return nil }
        return try transaction.reply(to: key.text, of: device.id, before: key.answeredBefore)
    }

    /// What was not acknowledged comes again as the first of a connection. Later the same packet
    /// identifier with the same content is a new request: a restarted broker counts from 1.
    private static let longestRedelivery = Duration.seconds(60)
}

/// Fowler, Noll, Vo, variant 1a with 64 bits: tells apart, hides nothing.
private struct FNV1a {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func combine(_ bytes: [UInt8]) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }
}

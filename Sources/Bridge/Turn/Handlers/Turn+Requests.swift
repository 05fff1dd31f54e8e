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
        person.tracker.attend(at: now)
        try hear(device, of: person)
        let party = Asker.Party.device(device.id, of: person.id)
        let replies = asker(message, party) { suffix in
            .replies(person.name, device: device.name, suffix: suffix)
        }
        guard let read = try read(message, from: replies) else { return }
        let request = read.request
        var asker = read.asker
        let key = requestKey(message, method, request)
        if let key, let payload = try earlierReply(key, device) {
            count("requests-repeated")
            return try send(
                asker.replyTopic, payload, correlationData: message.correlationData)
        }
        asker.key = key?.text
        if key != nil, isUnderway(asker) { return count("requests-repeated") }
        let outcome = try outcome { () throws(Refused) in
            let command: Command
            do throws(Problem) {
                command = try Command(method: method, request, at: now, settings.limits)
            } catch {
                throw .problem(error)
            }
            return try execute(command, person, device, asker)
        }
        if let outcome { try reply(to: asker, outcome) }
    }

    /// - Returns: nil where the answer comes with a later turn.
    func outcome(_ body: () throws(Refused) -> [UInt8]?) throws(StoreError) -> Reply.Outcome? {
        do throws(Refused) {
            return try body().map { .result($0) }
        } catch {
            switch error {
            case .store(let failure): throw failure
            case .problem(let problem):
                countRefusal(problem)
                return .problem(problem)
            }
        }
    }

    func countRefusal(_ problem: Problem) {
        count("rejected")
        count("rejected-\(problem.kind.rawValue)")
    }

    /// Every method, in the order of the contract.
    ///
    /// - Returns: nil where the answer comes with a later turn.
    private func execute(
        _ command: Command, _ person: Person, _ device: Device, _ asker: Asker
    ) throws(Refused) -> [UInt8]? {
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
        case .friends(let command): try execute(command, person, device)
        case .sendChat(let group, let text): try sendChat(text, to: group, by: person)
        case .chatHistory(let group, let before, let limit):
            try chatHistory(of: group, before: before, limit: limit, by: person)
        case .account: getAccount(of: person)
        case .updateAccount(let change): try updateAccount(of: person, change, device)
        case .changePassword(let change): try changePassword(of: person, change, asker, device)
        case .deleteAccount(let password): try deleteAccount(of: person, password, asker, device)
        case .exportAccount(let cursor): try exportAccount(of: person, from: cursor)
        case .logOut: try revoke(device, of: person)
        case .listDevices: listDevices(of: person, asking: device)
        case .revokeDevice(let name): try revokeDevice(named: name, of: person)
        }
    }

    // MARK: Where the reply goes

    /// - Parameter own: the asker's replies, with what may follow.
    /// - Returns: with the asker's own `replies`, or what it asked for below them; nil for
    ///   anything else.
    func asker(_ message: Message, _ party: Asker.Party, own: (String) -> Topic)
        -> (asker: Asker, isAllowed: Bool)
    {
        var topic = topics.string(own(""))
        var isAllowed = true
        if let asked = message.responseTopic {
            switch topics.parse(asked) {
            case .replies(_, _, let suffix)?, .guestReplies(_, let suffix)?:
                isAllowed = topics.parse(asked) == own(suffix)
            default: isAllowed = false
            }
            if isAllowed { topic = asked }
        }
        let asker = Asker(
            party: party, replyTopic: topic,
            correlationData: isAllowed ? message.correlationData : nil)
        return (asker, isAllowed)
    }

    /// Reads the request, or answers that it cannot be.
    func read(_ message: Message, from asker: (asker: Asker, isAllowed: Bool))
        throws(StoreError) -> (asker: Asker, request: Request)?
    {
        let problem: Problem
        if asker.isAllowed {
            do throws(Problem) {
                let request = try Request(message.payload)
                var asker = asker.asker
                asker.id = request.id
                return (asker, request)
            } catch {
                problem = error
            }
        } else {
            problem = Problem(.notAllowed, "The response topic must lie in one's own replies.")
        }
        countRefusal(problem)
        try reply(to: asker.asker, .problem(problem))
        return nil
    }

    /// - Parameter isKept: a guest's reply that must not be lost, and may be on disk until the
    ///   broker has it. A device's always is.
    func reply(to asker: Asker, _ outcome: Reply.Outcome, isKept: Bool = false)
        throws(StoreError)
    {
        var payload = Reply(id: asker.id, outcome).payload
        if payload.count > PayloadLimits.maximum {
            let problem = Problem(.tooLarge, "The answer does not fit into a message.")
            countRefusal(problem)
            payload = Reply(id: asker.id, .problem(problem)).payload
        }
        if case .guest = asker.party, !isKept {
            return publish(
                Publication(
                    topic: asker.replyTopic, payload: payload, qos: .atLeastOnce,
                    correlationData: asker.correlationData))
        }
        if case .device(let device, let user) = asker.party, let key = asker.key,
            let person = memory.people[user]
        {
            try transaction.insertReply(payload, to: key, of: device, at: now)
            try forgetSurplusReplies(of: device, person)
        }
        try send(asker.replyTopic, payload, correlationData: asker.correlationData)
    }

    private func forgetSurplusReplies(of id: DeviceID, _ person: Person) throws(StoreError) {
        guard let device = person.devices.first(where: { $0.id == id }) else { return }
        device.newReplies += 1
        guard device.newReplies >= BridgeSettings.repliesAtATime else { return }
        device.newReplies = 0
        let forgotten = try transaction.deleteReplies(
            of: id, butNewest: BridgeSettings.maximumReplies)
        if forgotten > 0 { count("replies-forgotten", forgotten) }
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
        guard message.packetID > 0, ["group.create", "chat.send"].contains(method) else {
            return nil
        }
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

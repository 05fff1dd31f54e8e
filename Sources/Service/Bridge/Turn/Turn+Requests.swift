import Contract
import MQTT
import Store
import Tracking

extension Turn {
    /// Handles a request now, or leaves it to a later turn. A call for help is always handled now.
    func takeRequest(_ message: Message, _ method: String, from person: Person, _ device: Device)
        throws
    {
        count("requests")
        person.tracker.attend(at: now)
        try hear(device, of: person)
        if method == Turn.call {
            return try answer(message, method, from: person, device, received)
        }
        if lacksRoom(for: method) {
            return try answer(
                message, method, from: person, device, received, refusal: Turn.noRoom)
        }
        guard admits(person, device) || !mayWait(message, method, person, device) else {
            return try putOff(message, method, person, device)
        }
        let before = spent
        try answer(message, method, from: person, device, received)
        spentOnRequests += spent - before
    }

    /// When a request was received, and since when the bridge had been listening then.
    struct Received {
        let at: Timestamp
        let listeningSince: Timestamp
    }

    /// The values for requests received in this turn.
    var received: Received { Received(at: now, listeningSince: listeningSince) }

    /// Answers a request, once: a repetition gets the same answer and changes nothing, and another
    /// request under the same id is a conflict. A call for help is done regardless of its id. A
    /// request that only reads is repeated each time, and its id is not remembered.
    ///
    /// - Parameter refusal: why the request is not done, even if nothing is wrong with it.
    func answer(
        _ message: Message, _ method: String, from person: Person, _ device: Device,
        _ received: Received, refusal: Problem? = nil
    ) throws {
        let replies = asker(message, of: person, device)
        guard let read = try read(message, from: replies) else { return }
        let request = read.request
        var asker = read.asker
        let isRead = Method.named(method)?.isRead ?? false
        // A request that waited was acknowledged when it was stored.
        let isSecret = Method.named(method)?.hasSecretAnswer ?? false
        asker.isAnswerSecret = isSecret
        // Refusals for lack of disk space, or because of damage, are not stored.
        let isForgotten = refusal?.kind == .diskFull || refusal == Turn.damaged
        asker.isAnsweredDirectly = (isRead || isForgotten) && serving == nil
        let key =
            isRead || isSecret ? nil : requestKey(message, method, request, received, from: person)
        asker.isCall = method == Turn.call
        if asker.isCall { asker.calledAt = message.callArrival(at: now) }
        var earlier: [UInt8]?
        try remembering(for: asker) {
            earlier = try key.flatMap { try earlierReply($0, device, received) }
        }
        if let payload = earlier {
            count("requests-repeated")
            return try send(
                asker.replyTopic, payload, correlationData: message.correlationData)
        }
        asker.askedAt = received.at
        let standsForAnother = try standsForAnother(key, device, asker.party)
        // Another request is known under this id, and must still be recognised when it is repeated.
        asker.key = standsForAnother || isForgotten ? nil : key
        if let key = asker.key, isUnderway(asker.party, { $0.text == key.text }) {
            return count("requests-repeated")
        }
        let outcome = try outcome {
            if standsForAnother { throw Turn.idAlreadyUsed }
            if let refusal { throw refusal }
            let command = try Command(
                method: method, request, at: asker.calledAt ?? now, settings.limits)
            guard command.method.kinds.contains(person.kind) else {
                throw Problem(.notAllowed, "This method is not available to this kind of account.")
            }
            try checkQuotas(for: command, of: person)
            return try perform(command, person, device, asker)
        }
        if let outcome { try reply(to: asker, outcome) }
    }

    /// Does work that only remembers answers.
    private func remembering(for asker: Requester, _ body: () throws -> Void) throws {
        if asker.isCall { try aside(.rememberedCall, body) } else { try body() }
    }

    /// - Returns: nil if a later turn answers.
    func outcome(_ body: () throws -> [UInt8]?) throws -> Reply.Outcome? {
        do {
            return try body().map { .result($0) }
        } catch {
            guard let problem = Problem(of: error) else { throw error }
            countRefusal(problem)
            return .problem(problem)
        }
    }

    /// Resumes a request, unless the requester is gone or has been answered.
    ///
    /// - Parameter body: returns nil if a later turn replies.
    func goOn(with asker: Requester, isKept: Bool = false, _ body: () throws -> [UInt8]?) throws {
        var budget = memory.guests
        if case .device(let id, let user) = asker.party {
            // A person who has been deleted cannot be answered.
            guard let person = memory.people[user],
                let device = person.devices.first(where: { $0.id == id }),
                try !isAnswered(asker, device)
            else { return }
            budget = person.budget
        }
        try charge(budget) {
            guard let result = try outcome(body) else { return }
            var isDone = false
            switch result {
            case .result: isDone = true
            case .problem(let problem):
                if problem.kind == .wrongCredentials { count("passwords-failed") }
            }
            try reply(to: asker, result, isKept: isKept && isDone)
        }
    }

    /// Returns whether an earlier turn has answered the request: one whose commit was reported as
    /// failed but reached the disk, or before the broker redelivered the request.
    func isAnswered(_ asker: Requester, _ device: Device) throws -> Bool {
        guard let key = asker.key else { return false }
        let received = Received(
            at: asker.askedAt ?? now, listeningSince: listeningSince)
        return try earlierReply(key, device, received) != nil
    }

    func countRefusal(_ problem: Problem) {
        count("rejected")
        count("rejected-\(problem.kind.rawValue)")
    }

    /// Has the command's area perform it.
    ///
    /// - Returns: nil if a later turn answers.
    private func perform(
        _ command: Command, _ person: Person, _ device: Device, _ asker: Requester
    ) throws -> [UInt8]? {
        for area in areas.all {
            let answer = try area.performIfOwn(command.content, by: person, on: device, asker)
            if let answer { return answer }
        }
        throw Problem(.unknownMethod, "This service does not support \(command.method).")
    }

    // MARK: Where the reply goes

    /// See ``asker(_:_:own:)``.
    func asker(_ message: Message, of person: Person, _ device: Device)
        -> (asker: Requester, refusal: Problem?)
    {
        asker(message, .device(device.id, of: person.id)) { suffix in
            person.kind == .service
                ? .serviceReplies(person.name, suffix: suffix)
                : .replies(person.name, device: device.name, suffix: suffix)
        }
    }

    /// - Parameter own: returns the topic of the asker's replies with a suffix.
    /// - Returns: the asker, with the requested response topic if it is below their own `replies`,
    ///   and with that otherwise. If they requested any other topic, or sent more correlation data
    ///   than a reply can carry, also the refusal.
    func asker(_ message: Message, _ party: Requester.Party, own: (String) -> Topic)
        -> (asker: Requester, refusal: Problem?)
    {
        Turn.asker(message, party, in: topics, own: own)
    }

    static func asker(
        _ message: Message, _ party: Requester.Party, in topics: TopicSpace, own: (String) -> Topic
    ) -> (asker: Requester, refusal: Problem?) {
        var asker = Requester(
            party: party, broker: message.broker, replyTopic: topics.string(own("")),
            correlationData: nil)
        if let asked = message.responseTopic {
            switch topics.parse(asked) {
            case .replies(_, _, let suffix)? where topics.parse(asked) == own(suffix),
                .guestReplies(_, let suffix)? where topics.parse(asked) == own(suffix),
                .operatorReplies(let suffix)? where topics.parse(asked) == own(suffix),
                .serviceReplies(_, let suffix)? where topics.parse(asked) == own(suffix):
                asker.replyTopic = asked
            default:
                let levels = TopicSpace.maximumReplyLevels
                let detail =
                    "The response topic must be under your own replies topic, at most \(levels) levels below it."
                return (asker, Problem(.notAllowed, detail))
            }
        }
        if let size = message.correlationData?.count, size > PayloadLimits.correlationData {
            let limit = PayloadLimits.correlationData
            let detail = "Correlation data may have at most \(limit) bytes."
            return (asker, Problem(.tooLarge, detail))
        }
        asker.correlationData = message.correlationData
        return (asker, nil)
    }

    /// Reads the request, or answers that it cannot be read.
    func read(_ message: Message, from asker: (asker: Requester, refusal: Problem?))
        throws -> (asker: Requester, request: Request)?
    {
        let problem: Problem
        if let refusal = asker.refusal {
            problem = refusal
        } else {
            do throws(Problem) {
                let request = try Request(message.payload)
                var asker = asker.asker
                asker.id = request.id
                return (asker, request)
            } catch {
                problem = error
            }
        }
        countRefusal(problem)
        try reply(to: asker.asker, .problem(problem))
        return nil
    }

    /// - Parameter isKept: whether the reply to a guest or the operator must not be lost, and may
    ///   be on disk until the broker has it. A device's reply is always stored, unless the request
    ///   only read.
    func reply(to asker: Requester, _ outcome: Reply.Outcome, isKept: Bool = false) throws {
        var payload = Reply(id: asker.id, outcome).payload
        if payload.count > PayloadLimits.maximum {
            let problem = Problem(.tooLarge, "The result does not fit into a message.")
            countRefusal(problem)
            payload = Reply(id: asker.id, .problem(problem)).payload
        }
        let isGuest = if case .guest = asker.party { true } else { false }
        if asker.party.hasNoAccount, !isKept || isGuest && settings.broker.addresses.count > 1 {
            return publish(
                Publication(
                    topic: asker.replyTopic, payload: payload, qos: .atLeastOnce,
                    correlationData: asker.correlationData, broker: isGuest ? asker.broker : nil))
        }
        if case .device(let device, let user) = asker.party, let key = asker.key,
            let person = memory.people[user]
        {
            // With the time of the request, by which a repetition after a reconnect is recognised.
            try remembering(for: asker) {
                try transaction.insertReply(
                    payload, to: key.text, of: device, at: asker.askedAt ?? now)
                try forgetSurplusReplies(of: device, person)
            }
        }
        if case .device(_, let user) = asker.party, let person = memory.people[user] {
            noteUsage(.answers, bytes: payload.count, of: person)
        }
        if asker.isAnswerSecret {
            // It is stored neither here nor at the broker.
            return publish(
                Publication(
                    topic: asker.replyTopic, payload: payload,
                    correlationData: asker.correlationData, lane: .prompt, broker: asker.broker))
        }
        if asker.isAnsweredDirectly {
            return publish(
                Publication(
                    topic: asker.replyTopic, payload: payload, qos: .atLeastOnce,
                    correlationData: asker.correlationData, lane: .prompt,
                    isDirectAnswer: true, broker: asker.broker))
        }
        try send(asker.replyTopic, payload, correlationData: asker.correlationData)
    }

    /// Answers a device with a secret that is not stored: the answer is published once the turn is
    /// on disk, and may be lost. A repetition of the request gets the answer without it.
    func reply(to asker: Requester, secretly result: [UInt8], without rest: [UInt8]) throws {
        guard case .device(let device, let user) = asker.party, let person = memory.people[user]
        else { return }
        if let key = asker.key {
            let kept = Reply(id: asker.id, .result(rest)).payload
            try transaction.insertReply(
                kept, to: key.text, of: device, at: asker.askedAt ?? now)
            try forgetSurplusReplies(of: device, person)
        }
        let payload = Reply(id: asker.id, .result(result)).payload
        noteUsage(.answers, bytes: payload.count, of: person)
        publish(
            Publication(
                topic: asker.replyTopic, payload: payload, qos: .atLeastOnce,
                correlationData: asker.correlationData, lane: .prompt, broker: asker.broker))
    }

    func forgetSurplusReplies(of id: DeviceID, _ person: Person) throws {
        guard let device = person.devices.first(where: { $0.id == id }) else { return }
        device.newReplies += 1
        guard device.newReplies >= BridgeSettings.repliesAtATime else { return }
        device.newReplies = 0
        let forgotten = try transaction.deleteReplies(
            of: id, butNewest: BridgeSettings.maximumReplies)
        if forgotten > 0 { count("replies-forgotten", forgotten) }
    }
}

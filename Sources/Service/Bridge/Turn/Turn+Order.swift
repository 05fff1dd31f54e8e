import Contract
import MQTT
import Sealing
import Store

extension Turn {
    /// Handles the messages. Requests stay in the positions of requests, but are reordered: calls
    /// for help first, then the operator's, then the first request of each person, then the second,
    /// and so on, and finally those of guests; each person's requests keep their order. The samples
    /// of a caller's devices come before everything: the call reports where they are. All other
    /// messages keep their positions.
    func take(_ messages: [Message]) throws {
        let arrived = messages.map { Taken(message: opened($0), topic: topics.parse($0.topic)) }
        let callers = Set(arrived.compactMap(\.caller))
        let ofCallers = { (taken: Taken) in taken.measurer.map { callers.contains($0) } ?? false }
        var all =
            callers.isEmpty
            ? arrived : arrived.filter(ofCallers) + arrived.filter { !ofCallers($0) }
        let places = all.indices.filter { all[$0].isRequest }
        let requests = ordered(places.map { all[$0] })
        for (place, request) in zip(places, requests) { all[place] = request }
        for taken in all { try take(taken.message, taken.topic) }
    }

    /// Opens a message sealed by the broker's plugin. If no key opens it, it is not JSON, and
    /// refused as such.
    private func opened(_ message: Message) -> Message {
        guard EnvelopeOpener.isEnvelope(message.payload) else { return message }
        guard let payload = memory.opener?.open(message.payload, as: message.topic) else {
            count("envelopes-unreadable")
            return message
        }
        var message = message
        message.payload = payload
        return message
    }

    private struct Taken {
        let message: Message
        let topic: Topic?

        /// The person who calls for help with it.
        var caller: Name? {
            if case .request(let user, _, Turn.call) = topic { user } else { nil }
        }

        /// The person whose device reports its position.
        var measurer: Name? {
            switch topic {
            case .fix(let user, _), .ownTracks(let user, _, _): user
            default: nil
            }
        }

        var isRequest: Bool {
            switch topic {
            case .request, .guestRequest, .serviceRequest, .operatorRequest: true
            default: false
            }
        }
    }

    private func ordered(_ requests: [Taken]) -> [Taken] {
        var lastCall: [Name: Int] = [:]
        for (index, request) in requests.enumerated() {
            if let user = request.caller { lastCall[user] = index }
        }
        var (calls, guests, rounds): ([Taken], [Taken], [[Taken]]) = ([], [], [])
        var operators: [Taken] = []
        var taken: [Name: Int] = [:]
        for (index, request) in requests.enumerated() {
            let (user, method): (Name, String)
            switch request.topic {
            case .request(let name, _, let asked): (user, method) = (name, asked)
            case .serviceRequest(let name, let asked): (user, method) = (name, asked)
            case .operatorRequest:
                operators.append(request)
                continue
            default:
                guests.append(request)
                continue
            }
            // An earlier end must not end a later call.
            if method == Turn.call || method == Turn.endOfCall && index < lastCall[user] ?? 0 {
                calls.append(request)
                continue
            }
            let round = taken[user, default: 0]
            taken[user] = round + 1
            if round == rounds.count { rounds.append([]) }
            rounds[round].append(request)
        }
        return calls + operators + rounds.joined() + guests
    }

    /// The methods of a call for help, which must not be delayed, and of its end, which must not be
    /// handled after a later call.
    static let call = Method.triggerSOS.name
    static let endOfCall = Method.stopSOS.name

    // MARK: Cost accounting

    /// The turn's cost so far, in units of ``Cost``.
    var spent: Double { published + looked + Cost.ofWork(transaction.work - workBefore) }

    /// Charges the cost of the body to a budget.
    func charge<Value>(
        _ budget: Budget?, _ extra: Double = 0, _ body: () throws -> Value
    ) throws -> Value {
        guard let budget else { return try body() }
        let before = spent
        let value = try body()
        budget.charge(spent - before + extra, at: now)
        return value
    }

    /// Returns the budget of the topic's publisher.
    func budget(_ topic: Topic?) -> Budget? {
        switch topic {
        case .fix(let user, _), .status(let user, _), .request(let user, _, _),
            .ownTracks(let user, _, _):
            memory.account(user)?.budget
        case .listed(_, let names) where names.device != nil:
            names.user.flatMap { memory.account($0) }?.budget
        case .serviceRequest(let service, _): memory.account(service)?.budget
        case .guestRequest: memory.guests
        default: nil
        }
    }
}

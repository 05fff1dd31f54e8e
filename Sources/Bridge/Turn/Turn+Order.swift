import Contract
import MQTT
import Store

extension Turn {
    /// Takes what came. In the place of the requests come calls for help, then the first request
    /// of everybody, then the second, and at last those of guests; what one person asks keeps its
    /// order. Everything else is taken where it stands.
    func take(_ messages: [Message]) throws(StoreError) {
        var all = messages.map { Taken(message: $0, topic: topics.parse($0.topic)) }
        let places = all.indices.filter { all[$0].isRequest }
        let requests = ordered(places.map { all[$0] })
        for (place, request) in zip(places, requests) { all[place] = request }
        for taken in all { try take(taken.message, taken.topic) }
    }

    private struct Taken {
        let message: Message
        let topic: Topic?

        var isRequest: Bool {
            switch topic {
            case .request, .guestRequest: true
            default: false
            }
        }
    }

    private func ordered(_ requests: [Taken]) -> [Taken] {
        var lastCall: [Name: Int] = [:]
        for (index, request) in requests.enumerated() {
            if case .request(let user, _, Turn.call) = request.topic { lastCall[user] = index }
        }
        var (calls, guests, rounds): ([Taken], [Taken], [[Taken]]) = ([], [], [])
        var taken: [Name: Int] = [:]
        for (index, request) in requests.enumerated() {
            guard case .request(let user, _, let method) = request.topic else {
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
        return calls + rounds.joined() + guests
    }

    /// The methods that nothing may delay, or that must not overtake it.
    static let call = Method.triggerSOS.name
    static let endOfCall = Method.stopSOS.name

    // MARK: At whose expense

    /// What the turn has caused so far, in units of ``Cost``.
    var spent: Double { published + Cost.ofWork(transaction.work - workBefore) }

    /// Has somebody pay for what is done.
    func charge<Value>(
        _ budget: Budget?, _ extra: Double = 0, _ body: () throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        guard let budget else { return try body() }
        let before = spent
        let value = try body()
        budget.charge(spent - before + extra, at: now)
        return value
    }

    /// Of who sends there.
    func budget(_ topic: Topic?) -> Budget? {
        switch topic {
        case .fix(let user, _), .status(let user, _), .request(let user, _, _),
            .ownTracks(let user, _, _):
            memory.person(user)?.budget
        case .guestRequest: memory.guests
        default: nil
        }
    }
}

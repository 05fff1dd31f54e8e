import Contract
import Limits
import Store
import Tracking
import WebPush

/// Submitting due deliveries, and handling their outcomes.
extension Channels {
    /// Submits due deliveries, the most urgent first, as far as there is room. Each is lent for a
    /// while: without an outcome by then, it is due again. A delivery without room does not block
    /// those behind it, so users do not wait for other users' receivers.
    func handOver() throws {
        guard let next = state.next, next <= now else { return }
        var room = try Room(transaction.lentDeliveries(at: now))
        var rest = Channels.atATime
        var told: Set<UUIDv7> = []
        for urgency in DeliveryRow.Urgency.allCases.reversed() where rest > 0 {
            let due = try transaction.deliveries(urgency, dueAt: now, atMost: rest)
            rest -= due.count
            let channels = try transaction.channels(due.map(\.channel))
            let hasPush = channels.values.contains { $0.kind == .push }
            let key = hasPush ? try pushKey() : nil
            for delivery in due {
                try handOver(delivery, to: channels[delivery.channel], key, &room, &told)
            }
        }
        state.next = rest > 0 && told.isEmpty ? try transaction.nextDelivery(after: now) : now
    }

    /// - Parameter told: the channels whose held deliveries have been combined into one message.
    private func handOver(
        _ delivery: DeliveryRow, to channel: ChannelRow?, _ pushKey: VAPIDKey?,
        _ room: inout Room, _ told: inout Set<UUIDv7>
    ) throws {
        if delivery.isHeld, told.contains(delivery.channel) { return }
        guard isWanted(delivery), let channel, let user = memory.people[delivery.user]?.name
        else {
            try transaction.deleteDelivery(of: delivery.message.id, to: delivery.channel)
            return
        }
        // A clock that was slow makes a suspended delivery due before it expires.
        if delivery.isSuspended {
            var later = delivery
            later.due = delivery.expiresAt
            return try transaction.putOff(later)
        }
        if try holdBack(delivery, to: channel) { return }
        if try tellTogether(delivery, to: channel) {
            told.insert(channel.id)
            return
        }
        guard room.take(delivery, isFailing: channel.failure != nil) else {
            var later = delivery
            later.due =
                now + (delivery.urgency == .sos ? Channels.callPause : Channels.usualPause)
            return try transaction.putOff(later)
        }
        try transaction.lend(delivery, until: now + Channels.lentFor)
        turn.work.append(
            Delivery(
                channel: channel.id, user: user, kind: channel.kind, address: channel.address,
                publicKey: channel.publicKey, secret: channel.secret,
                pushKey: channel.kind == .push ? pushKey : nil,
                message: words(of: delivery, to: channel), urgency: delivery.urgency,
                expiresAt: delivery.expiresAt))
    }

    /// Whether sending to the person is blocked: the account is disabled and no longer needed.
    func isLockedOut(_ person: Person) -> Bool {
        person.disabledAt != nil && !turn.isStillNeeded(person)
    }

    /// Whether the delivery is still wanted. Group news is for current members.
    func isWanted(_ delivery: DeliveryRow) -> Bool {
        guard now < delivery.expiresAt, let person = memory.people[delivery.user] else {
            if !delivery.isSuspended { count("deliveries-given-up") }
            return false
        }
        guard !isLockedOut(person) else { return false }
        if let group = delivery.group, person.membership(in: group) == nil { return false }
        return delivery.about.map { memory.people[$0] != nil } ?? true
    }

    func take(_ outcome: any WorkOutcome) throws -> Bool {
        guard let outcome = outcome as? DeliveryOutcome else { return false }
        try finish(outcome)
        return true
    }

    private func finish(_ outcome: DeliveryOutcome) throws {
        state.note(outcome)
        // An outcome makes room.
        state.next = min(state.next ?? now, now)
        guard var channel = try transaction.channel(outcome.channel) else {
            for area in areas.all where try area.take(outcome) { return }
            return
        }
        channel.triedAt = now
        let delivery = try transaction.delivery(of: outcome.message, to: outcome.channel)
        switch outcome.result {
        case .delivered:
            count("deliveries")
            channel.workedAt = now
            channel.failure = nil
            try transaction.deleteDelivery(of: outcome.message, to: outcome.channel)
        case .failed(.gone, _) where channel.kind == .push:
            return try lose(channel)
        case .failed(let reason, let pause):
            count("deliveries-failed")
            channel.failure = .init(at: now, reason: reason)
            if let delivery { try putOff(delivery, reason, atLeast: pause) }
        }
        try transaction.save(channel)
    }

    private func putOff(
        _ delivery: DeliveryRow, _ reason: DeliveryFailure, atLeast pause: Duration?
    ) throws {
        var delivery = delivery
        let backoff =
            delivery.urgency == .sos ? Channels.backoffOfCalls : Channels.usualBackoff
        // The jitter spreads the retries of deliveries that failed together.
        let chance = Double(random.next() >> 11) / 0x1p53
        let delay = backoff.delay(after: delivery.attempts) * (0.5 + chance / 2)
        let isSuspended = delivery.isSuspended
        delivery.attempts += 1
        delivery.due = now + max(delay, min(pause ?? .zero, Channels.longestPause))
        guard delivery.due < delivery.expiresAt, ![.gone, .unsendable].contains(reason) else {
            count("deliveries-given-up")
            try transaction.deleteDelivery(of: delivery.message.id, to: delivery.channel)
            return
        }
        if isSuspended { delivery.due = delivery.due + Channels.usefulFor }
        try transaction.putOff(delivery)
    }

    /// Deletes the channel of a browser that has no subscription any more, which only its owner can
    /// renew, and notifies them.
    private func lose(_ channel: ChannelRow) throws {
        count("subscriptions-lost")
        try transaction.deleteChannel(channel.id)
        guard let person = memory.people[channel.user] else { return }
        for area in areas.all { try area.notify(person, of: .channelLost(label: channel.label)) }
    }

    /// Makes deliveries due that were lent when the process ended.
    func lostWork(_ kind: WorkKind) throws {
        guard kind == .deliveries else { return }
        try transaction.endLoans(at: now)
        state.next = min(state.next ?? now, now)
    }

    /// Deliveries examined per turn; the next turn continues.
    private static let atATime = 500
    /// The delay of a delivery without room.
    private static let callPause = Duration.seconds(1)
    private static let usualPause = Duration.seconds(5)
    /// Longer than the longest transfer.
    private static let lentFor = Duration.seconds(120)
    private static let backoffOfCalls = Backoff(from: .seconds(2), to: .seconds(60))
    private static let usualBackoff = Backoff(from: .seconds(10), to: .seconds(3_600))
    /// The longest pause that a receiver can request.
    private static let longestPause = Duration.seconds(3_600)

    /// Allocates the room for concurrent deliveries, so that receivers that do not answer delay no
    /// other user's messages.
    private struct Room {
        private var all = 0
        private var failing = 0
        private var ofUser: [UserID: Int] = [:]
        private var ofChannel: [UUIDv7: Int] = [:]

        init(_ lent: [(channel: UUIDv7, user: UserID, isFailing: Bool)]) {
            for loan in lent { add(loan.channel, loan.user, loan.isFailing) }
        }

        mutating func take(_ delivery: DeliveryRow, isFailing: Bool) -> Bool {
            let isCall = delivery.urgency == .sos
            guard all < (isCall ? BridgeSettings.maximumUnderway : Room.withoutCalls),
                !isFailing || failing < (isCall ? Room.withFailing : Room.withFailing * 3 / 4),
                ofUser[delivery.user, default: 0] < (isCall ? Room.callsPerUser : Room.perUser),
                ofChannel[delivery.channel, default: 0] < (isCall ? 2 : 1)
            else { return false }
            add(delivery.channel, delivery.user, isFailing)
            return true
        }

        private mutating func add(_ channel: UUIDv7, _ user: UserID, _ isFailing: Bool) {
            all += 1
            failing += isFailing ? 1 : 0
            ofUser[user, default: 0] += 1
            ofChannel[channel, default: 0] += 1
        }

        /// Other deliveries leave room for calls for help.
        private static let withoutCalls = BridgeSettings.maximumUnderway * 3 / 4
        /// The room for channels whose last delivery failed; here too, a quarter is reserved for
        /// calls.
        private static let withFailing = BridgeSettings.maximumUnderway / 4
        private static let perUser = 8
        /// All of a person's channels, besides other deliveries in progress to them.
        private static let callsPerUser = perUser + BridgeSettings.maximumChannels
    }
}

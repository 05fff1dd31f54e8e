import Contract
import JSON
import MQTT
import Store
import Tracking

/// People who are reached by push, mail and webhook while their phones are off.
///
/// Every call for help is written for every channel of the members concerned, with the commit that
/// raises it, and every delivery arrives, unless no one is to receive it any more.
final class SimulatedChannels: SimulatedArea {
    unowned let world: World
    /// Deliveries that were written and have not arrived yet, with their expiry.
    private var written: [SimulatedReceivers.Arrival: Written] = [:]
    /// The owners of existing channels, by id.
    private var owners: [String: Int64] = [:]

    init(_ world: World) { self.world = world }

    private func fail(_ description: String) { world.oracles.fail("channels", description) }

    // MARK: Life

    /// The point from RFC 8291.
    private static let key =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    private static let secret = String(repeating: "A", count: 22)

    static var asks: [Ask<Phone>] {
        [
            Ask(4, "channel.add") { phone in
                #""kind":"push","subscription":{"endpoint":"https://push.example/\#(phone.id)","#
                    + #""keys":{"p256dh":"\#(key)","auth":"\#(secret)"}}"#
            },
            Ask(2, "channel.add") { _ in #""kind":"webhook","url":"https://hook.example/""# },
            Ask(2, "channel.add") { phone in
                #""kind":"mail","address":"\#(phone.user)@example.org""#
            },
            Ask(2, "channel.list"),
            Ask(3, "channel.confirm", code), Ask(2, "channel.test", own),
            Ask(3, "channel.update") { phone in
                own(phone).map { $0 + #","news":["alerts","notices","journeys"]"# }
            },
            Ask(2, "channel.update") { phone in own(phone).map { $0 + "," + quiet(phone) } },
            Ask(2, "channel.remove", own),
        ]
    }

    /// Returns quiet hours that end soon, in a zone without clock changes, or none.
    private static func quiet(_ phone: Phone) -> String {
        guard phone.world.chance.happens(70) else { return #""quiet":null"# }
        let rest = Duration.seconds(60 * phone.world.chance.number(5...60))
        let from = QuietHours.clock(at: phone.world.wall - .seconds(1_800), offset: 19_800)
        let to = QuietHours.clock(at: phone.world.wall + rest, offset: 19_800)
        return #""quiet":{"from":"\#(from)","to":"\#(to)","timeZone":"Asia/Kolkata"}"#
    }

    private static func own(_ phone: Phone) -> String? {
        phone.channels.last.map { #""channel":"\#($0)""# }
    }

    private static func code(_ phone: Phone) -> String? {
        guard let last = phone.channels.last, let id = UUIDv7(last) else { return nil }
        let code = phone.world.receivers.codes[id] ?? "12345678"
        return #""channel":"\#(last)","code":"\#(code)""#
    }

    func answered(_ request: AskedRequest, _ answer: JSONValue, to phone: Phone) {
        guard request.method == "channel.add",
            let id = answer["result"]?["channel"]?["channel"]?.text
        else { return }
        phone.channels.last = id
    }

    func maySaySecrets(on topic: Topic) -> Bool { false }

    static var adversaryAsks: [Ask<Adversary>] {
        let nobodys = "01890000-0000-7000-8000-000000000000"
        return [
            Ask(1, "channel.list"), Ask(1, "channel.test") { _ in #""channel":"\#(nobodys)""# },
            Ask(1, "channel.add") { _ in #""kind":"webhook","url":"http://127.0.0.1/""# },
        ]
    }

    // MARK: On disk

    private static let insertion = "INSERT INTO deliveries"
    private static let deletion = "DELETE FROM deliveries WHERE channel_id = ? AND message_id = ?"
    private static let holding = "UPDATE deliveries SET held = 1"
    private static let alert = "INSERT INTO alerts"

    private static let addition = "INSERT INTO channels"
    private static let change = "UPDATE channels"
    private static let joined = "INSERT INTO memberships"
    private static let replacement = "DELETE FROM notices WHERE id = ?"

    static var statements: [String] {
        [insertion, deletion, holding, alert, addition, change, joined, replacement]
    }

    func committed(_ rows: [Written]) {
        var told: Set<SimulatedReceivers.Arrival> = []
        for row in rows where row.begins(with: SimulatedChannels.insertion) {
            guard let arrival = Self.arrival(row) else { continue }
            written[arrival] = row
            told.insert(arrival)
        }
        // They may have joined after the alert.
        let changed = Set(
            rows.filter { $0.begins(with: SimulatedChannels.addition) }.compactMap { $0.text(0) }
                + rows.filter { $0.begins(with: SimulatedChannels.change) }
                .compactMap { $0.text(12) })
        let joined = Set(
            rows.filter { $0.begins(with: SimulatedChannels.joined) }.compactMap { $0.integer(1) })
        for row in rows where row.begins(with: SimulatedChannels.alert) {
            if let id = row.text(0), let group = row.integer(1), let user = row.integer(2) {
                let missing = channels(
                    without: id, GroupID(rawValue: group), about: UserID(rawValue: user), told,
                    joined)
                for channel in missing.subtracting(changed) {
                    fail("the SOS \(id) is not sent to \(channel)")
                }
            }
        }
        for row in rows where row.begins(with: SimulatedChannels.holding) {
            checkMayWait(row)
        }
        let replaced = Set(
            rows.filter { $0.begins(with: SimulatedChannels.replacement) }
                .compactMap { $0.text(0) })
        for row in rows where row.begins(with: SimulatedChannels.deletion) {
            guard let arrival = Self.arrival(row) else { continue }
            // A delivery that has arrived may be replaced in the turn that records it.
            guard replaced.contains(arrival.message), !world.receivers.arrived.contains(arrival)
            else {
                checkGone(arrival)
                continue
            }
            checkReplaced(arrival, by: told)
        }
    }

    /// Checks that a newer notice takes the place of one that it supersedes before it is sent.
    private func checkReplaced(
        _ arrival: SimulatedReceivers.Arrival, by told: Set<SimulatedReceivers.Arrival>
    ) {
        guard let row = written.removeValue(forKey: arrival),
            !told.contains(where: {
                $0.channel == arrival.channel
                    && Self.replaced(by: written[$0]?.text(6)) == Self.replaced(by: row.text(6))
            })
        else { return }
        fail("\(arrival.message) is withdrawn, and nothing says it instead")
    }

    /// Returns the kind of notices that this one supersedes: the answers to a rule count as one
    /// kind.
    private static func replaced(by kind: String?) -> String? {
        kind == "place-rule-refused" ? "place-rule-agreed" : kind
    }

    /// Checks that a delivery held for quiet hours is not part of a call for help.
    private func checkMayWait(_ row: Written) {
        guard let channel = row.text(2), let message = row.text(3),
            let kind = written[.init(channel: channel, message: message)]?.text(6),
            Alert.Kind(rawValue: kind).map({ News($0) }) == .sos
        else { return }
        fail("\(kind) waits for the end of quiet hours")
    }

    private static func arrival(_ row: Written) -> SimulatedReceivers.Arrival? {
        guard let channel = row.text(0), let message = row.text(1) else { return nil }
        return .init(channel: channel, message: message)
    }

    /// Returns the channels of people in the group for which a new call for help was not written.
    private func channels(
        without alert: String, _ group: GroupID, about user: UserID,
        _ told: Set<SimulatedReceivers.Arrival>, _ joined: Set<Int64>
    ) -> Set<String> {
        let missing = world.oracles.read { transaction in
            guard let id = UUIDv7(alert), let row = try transaction.alert(id),
                row.alert.kind == .sos
            else { return Set<String>() }
            return Set(
                try transaction.channels(ofMembersOf: group)
                    .filter { $0.user != user && !joined.contains($0.user.rawValue) }
                    .map(\.id.description).filter {
                        !told.contains(.init(channel: $0, message: alert))
                    })
        }
        return missing ?? []
    }

    /// Checks that a deleted delivery has arrived, or has no receiver any more.
    private func checkGone(_ arrival: SimulatedReceivers.Arrival) {
        guard let row = written.removeValue(forKey: arrival),
            !world.receivers.arrived.contains(arrival)
        else { return }
        let isOver = (row.integer(15) ?? 0) <= world.wall.milliseconds + 3_600_000
        let isWanted = world.oracles.read { transaction in
            let users = Set(try transaction.users().map(\.id.rawValue))
            guard let user = row.integer(2), users.contains(user) else { return false }
            if let other = row.integer(3), !users.contains(other) { return false }
            guard let group = row.integer(4) else { return true }
            return try transaction.memberships()
                .contains { $0.0.rawValue == group && $0.1.rawValue == user }
        }
        if isWanted == true, !isOver { fail("\(arrival.message) never arrived") }
    }

    // MARK: At rest

    var isAtRest: Bool {
        guard world.receivers.isIdle else { return false }
        return world.oracles.read { transaction in
            guard let next = try transaction.nextDelivery() else { return true }
            // A delivery that is suspended because a member helps stays until it has expired, in a
            // day.
            return next > world.wall + .seconds(43_200)
        } == true
    }

    static func rows(in transaction: Transaction) throws(StoreError) -> [String] {
        var rows: [String] = []
        for user in try transaction.users() {
            for row in try transaction.channels(of: user.id) {
                let seen = String(decoding: row.channel.payload, as: UTF8.self)
                rows.append("channel of \(user.id) \(seen) \(row.address)")
            }
        }
        let far = Timestamp(milliseconds: Int64.max)
        for urgency in DeliveryRow.Urgency.allCases {
            for row in try transaction.deliveries(urgency, dueAt: far, atMost: 100_000) {
                rows.append("delivery \(row)")
            }
        }
        return rows
    }

    static var canaries: [Canary] { [forgetDelivery] }

    /// Bug: calls for help are not written to be sent.
    private static var forgetDelivery: Canary {
        Canary("forgetDelivery", foundBy: "channels") { attempted in
            attempted.sql.hasPrefix(insertion) && attempted.values.contains(.text("sos"))
                ? .skipped : nil
        }
    }
}

/// The last channel that a phone added.
final class ChannelMemory: PhoneMemory {
    var last: String?

    init() {}
}

extension Phone {
    var channels: ChannelMemory { memory() }
}

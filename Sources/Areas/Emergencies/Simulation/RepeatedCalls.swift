import Bridge
import Contract
import JSON
import Store
import Tracking

/// Ongoing calls for help: each is repeated until a member of the group helps or enough have seen
/// it, regardless of other responses.
final class RepeatedCalls {
    private unowned let world: World
    private var calls: [Episodes.Key: Call] = [:]

    private struct Call {
        let id: UUIDv7
        /// The last alert to the group, by the server's clock, and the number of repetitions.
        var toldAt: Timestamp
        var repetition: Int64 = 0
        /// Commits since a repetition is due.
        var commits = 0
    }

    /// The tolerance for a repetition, in commits and in time.
    private static let patience = (commits: 40, time: Duration.seconds(60))
    /// The number of members who must have seen it; all of them in smaller groups.
    private static let enough = 2
    private static let mostRepetitions = 10

    init(_ world: World) { self.world = world }

    func raised(_ alert: SimulatedEmergencies.Raised) {
        let key = Episodes.Key(user: alert.user, group: alert.group)
        switch Alert.Kind(rawValue: alert.kind) {
        case .sos: calls[key] = UUIDv7(alert.id).map { Call(id: $0, toldAt: world.wall) }
        // These are repeated instead, or the call has ended.
        case .inNeed, .unanswered, .sosStopped, .sosLeft: calls[key] = nil
        default: break
        }
    }

    func ended(_ key: Episodes.Key) { calls[key] = nil }

    /// Drops calls that enough members have seen: they do not resume for members who join later.
    func seen() {
        for (key, call) in calls where hasBeenSeen(call.id, key) { calls[key] = nil }
    }

    func published(_ alert: JSONValue) {
        guard let id = alert["id"]?.text.flatMap({ UUIDv7($0) }),
            let repetition = alert["repetition"]?.integer,
            let key = calls.first(where: { $0.value.id == id })?.key
        else { return }
        calls[key]?.toldAt = world.wall
        calls[key]?.repetition = repetition
        calls[key]?.commits = 0
    }

    /// Checks the calls after a turn of the bridge.
    func committed() {
        let after = world.settings.rules.repeatAfter + RepeatedCalls.patience.time
        for (key, call) in calls
        where call.repetition < RepeatedCalls.mostRepetitions && world.wall - call.toldAt > after {
            guard isToBeRepeated(call.id, key), !isUnderWay(call) else {
                calls[key]?.commits = 0
                continue
            }
            calls[key]?.commits += 1
            guard call.commits >= RepeatedCalls.patience.commits else { continue }
            world.oracles.fail("repetition", "the call \(call.id) is not repeated")
        }
    }

    /// Whether no member helps, and too few have seen it.
    private func isToBeRepeated(_ id: UUIDv7, _ key: Episodes.Key) -> Bool {
        let group = GroupID(rawValue: key.group)
        return world.oracles.read { transaction in
            guard let row = try transaction.alert(id) else { return false }
            let members = try transaction.memberships().filter { $0.0 == group }.map { $0.1 }
            guard members.contains(row.user), members.count > 1 else { return false }
            // A helper may have answered an earlier call of the same emergency.
            let all = try transaction.alerts(of: group, before: nil, limit: 1_000)
            guard all.allSatisfy({ $0.user != row.user || $0.responses.isEmpty }) else {
                return false
            }
            return !RepeatedCalls.isSeenByEnough(row, members)
        } ?? false
    }

    /// Whether the next repetition is in the outbox: with a long queue, the link takes its time.
    private func isUnderWay(_ call: Call) -> Bool {
        world.oracles.read { transaction in
            try transaction.unconfirmed().contains { row in
                guard row.topic.hasSuffix("/alerts") else { return false }
                let alert = JSONValue.of(row.payload)
                return alert["id"]?.text.flatMap { UUIDv7($0) } == call.id
                    && alert["repetition"]?.integer ?? 0 > call.repetition
            }
        } ?? false
    }

    private func hasBeenSeen(_ id: UUIDv7, _ key: Episodes.Key) -> Bool {
        world.oracles.read { transaction in
            guard let row = try transaction.alert(id) else { return false }
            let members = try transaction.memberships().filter { $0.0.rawValue == key.group }
            return RepeatedCalls.isSeenByEnough(row, members.map { $0.1 })
        } ?? false
    }

    private static func isSeenByEnough(_ row: AlertRow, _ members: [UserID]) -> Bool {
        let others = members.filter { $0 != row.user }
        return others.count { row.acknowledgedBy.contains($0) } >= min(enough, others.count)
    }
}

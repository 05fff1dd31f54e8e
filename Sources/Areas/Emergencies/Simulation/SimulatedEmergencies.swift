import Bridge
import Contract
import JSON
import MQTT
import Store
import Tracking

/// People who call for help, and alerts to their groups.
final class SimulatedEmergencies: SimulatedArea {
    unowned let world: World
    private var raised: [(alert: Raised, at: Duration)] = []
    private var raisedIDs: Set<String> = []
    private var episodes: [Episodes.Key: Episodes] = [:]
    /// Pending ends of an SOS: row to user.
    private var waitingEnds: [Int64: Int64] = [:]
    /// The times of each alert's publication, as far as the broker remembers them.
    private var published: [String: [Duration]] = [:]
    private lazy var calls = RepeatedCalls(world)

    init(_ world: World) { self.world = world }

    // MARK: Life

    static var asks: [Ask<Phone>] {
        [
            Ask(5, "sos.trigger") {
                #""fix":\#($0.app.fix(of: $0, at: $0.wall, sequence: nil))"#
            },
            Ask(6, "sos.stop"), Ask(2, "alert.list") { #""group":"\#($0.anyGroup)""# },
            Ask(6, "alert.acknowledge") { phone in
                phone.alerts.last.map { #""alert":"\#($0)""# }
            },
            Ask(4, "alert.acknowledge") { phone in
                let answer = phone.world.chance.pick(["coming", "coming", "called", "not-coming"])
                return phone.alerts.lastCall.map {
                    #""alert":"\#($0)","kind":"\#(answer ?? "coming")""#
                }
            },
        ]
    }

    // MARK: Attempts

    func targets(_ victim: Name) -> Targets {
        let topic = "kith/groups/\(world.area(SimulatedGroups.self).anyKnown)/alerts"
        return Targets(
            filters: [topic, "kith/groups/+/alerts"],
            topics: [topic, "kith/users/\(victim)/devices/phone/requests/sos.trigger"])
    }

    static var adversaryAsks: [Ask<Adversary>] {
        [Ask(1, "alert.list") { #""group":"\#($0.anyGroup)""# }]
    }

    func attacks(by adversary: Adversary) -> [(weight: Int, choice: () -> Void)] {
        [
            (5, { self.callInTurn(adversary) }), (5, { self.travelInTurn(adversary) }),
            (8, { self.answerInTurn(adversary) }),
        ]
    }

    /// Begins and ends journeys, with an alert to the group each time.
    private func travelInTurn(_ adversary: Adversary) {
        let eta = world.wall.milliseconds + 900_000
        for _ in 0..<world.chance.number(1...20) {
            for (method, fields) in [
                ("journey.start", #"{"groups":"all","eta":\#(eta)}"#), ("journey.stop", "{}"),
            ] {
                adversary.send(
                    Message(
                        topic: adversary.own("requests/\(method)"), payload: Array(fields.utf8)))
            }
        }
    }

    /// Acknowledges other users' latest calls, and sometimes promises help and withdraws it.
    private func answerInTurn(_ adversary: Adversary) {
        let calls = raised.suffix(20).map(\.alert).filter { $0.kind == Alert.Kind.sos.rawValue }
        for call in calls {
            let answers = world.chance.happens(30) ? ["coming", "not-coming"] : ["seen"]
            for answer in answers {
                adversary.send(
                    Message(
                        topic: adversary.own("requests/alert.acknowledge"),
                        payload: Array(#"{"alert":"\#(call.id)","kind":"\#(answer)"}"#.utf8)))
            }
        }
    }

    /// Alternates an SOS and its end.
    private func callInTurn(_ adversary: Adversary) {
        for _ in 0..<world.chance.number(1...10) {
            for method in [Method.triggerSOS, .stopSOS] {
                adversary.send(
                    Message(
                        topic: adversary.own("requests/\(method)"), payload: Array("{}".utf8)))
            }
        }
    }

    // MARK: On a phone

    func received(_ message: Message, on topic: Topic, by phone: Phone) {
        guard case .alerts = topic, let id = JSONValue.of(message.payload)["id"]?.text else {
            return
        }
        phone.alerts.shown.insert(id)
        phone.alerts.last = id
        let kind = JSONValue.of(message.payload)["kind"]?.text.flatMap { Alert.Kind(rawValue: $0) }
        if kind?.isCall == true { phone.alerts.lastCall = id }
    }

    // MARK: On disk

    private static let waiting = "INSERT INTO waiting_requests"
    private static let noLongerWaiting = "DELETE FROM waiting_requests WHERE id ="
    private static let left = "DELETE FROM memberships"
    private static let seen = "INSERT INTO acknowledgements"

    static var statements: [String] {
        Raised.statements + [waiting, noLongerWaiting, left, seen]
    }

    func committed(_ rows: [Written]) {
        // Users whose end of the SOS was processed or withdrawn in this turn.
        var ended: Set<Int64> = []
        for row in rows {
            if let alert = Raised(row) {
                take(alert, mayCallAgain: ended.contains(alert.user))
            } else if row.begins(with: SimulatedEmergencies.left), let group = row.integer(0),
                let user = row.integer(1)
            {
                episodes[.init(user: user, group: group)] = nil
                calls.ended(.init(user: user, group: group))
            } else if row.begins(with: SimulatedEmergencies.seen) {
                calls.seen()
            } else if row.begins(with: SimulatedEmergencies.noLongerWaiting),
                let user = row.integer(0).flatMap({ waitingEnds.removeValue(forKey: $0) })
            {
                ended.insert(user)
            } else if row.begins(with: SimulatedEmergencies.waiting), let id = row.row {
                if row.text(2) == Method.triggerSOS.name {
                    world.oracles.fail("calls", "a call for help has to wait")
                }
                waitingEnds[id] = row.text(2) == Method.stopSOS.name ? row.integer(0) : nil
            }
        }
        calls.committed()
    }

    private func take(_ alert: Raised, mayCallAgain: Bool) {
        raised.append((alert, world.steady))
        calls.raised(alert)
        raisedIDs.insert(alert.id)
        world.oracles.passage.expect("alert \(alert.id)") { [unowned self] in
            published[alert.id] != nil || !isStored(alert.id)
        }
        guard let kind = Alert.Kind(rawValue: alert.kind) else { return }
        let key = Episodes.Key(user: alert.user, group: alert.group)
        if let reason = episodes[key, default: Episodes()].take(kind, mayCallAgain: mayCallAgain) {
            world.oracles.fail("episodes", "\(reason): \(alert.kind) of user \(alert.user)")
        }
    }

    /// Whether the alert still exists; it may have been deleted with its group or the person.
    private func isStored(_ alert: String) -> Bool {
        world.oracles.read { transaction in
            guard let id = UUIDv7(alert) else { return false }
            return try transaction.alert(id) != nil
        } ?? true
    }

    static func rows(in transaction: Transaction) throws(StoreError) -> [String] {
        var rows: [String] = []
        for group in try transaction.groups() {
            for row in try transaction.alerts(of: group.id, before: nil, limit: 10_000) {
                let seenBy = row.acknowledgedBy.map(\.rawValue)
                rows.append("alert \(row.alert) of \(row.user.rawValue), seen by \(seenBy)")
            }
        }
        return rows
    }

    // MARK: Published

    func published(_ message: Message, on topic: Topic) {
        checkHelpers(message, on: topic)
        guard case .alerts = topic else { return }
        let alert = JSONValue.of(message.payload)
        // Nothing is stored about a deleted account.
        if alert["kind"]?.text == "sos-account-deleted" { return }
        let id = alert["id"]?.text ?? "?"
        if !raisedIDs.contains(id) {
            world.oracles.fail(
                "told what is stored", "alert \(id) was published and is not stored")
        }
        published[id, default: []].append(world.steady)
        calls.published(alert)
    }

    /// Checks that helpers are listed only during an SOS, and that a phone number is only shown
    /// then: no user in the simulator always shows it.
    private func checkHelpers(_ message: Message, on topic: Topic) {
        guard case .member = topic, !message.payload.isEmpty else { return }
        let state = JSONValue.of(message.payload)
        guard state["state"]?.text != "sos" else { return }
        for field in ["responses", "phone"] where state[field] != nil {
            world.oracles.fail("helpers", "\(message.topic) has \(field) outside of an SOS")
        }
    }

    func brokerWasKilled(_ lastSave: Duration) {
        for (id, times) in published { published[id] = times.filter { $0 < lastSave } }
    }

    // MARK: At rest

    /// Checks that every alert was published and reached all members who were there to receive it,
    /// except alerts about the adversary, who raises more than may be queued for a client.
    func checkRest() throws {
        let groups = world.area(SimulatedGroups.self)
        let adversary = world.oracles.read { transaction in
            try world.adversary.flatMap { try transaction.user($0.user)?.id.rawValue }
        }
        for (alert, at) in raised where alert.user != adversary {
            guard let group = groups.keys[alert.group], isStored(alert.id) else { continue }
            let times = published[alert.id] ?? []
            if times.isEmpty {
                world.oracles.fail(
                    "alerts", "\(alert.kind) \(alert.id) never reached the broker for good")
            }
            for phone in world.phones where phone.isLoggedIn && phone.isPersistent {
                guard !phone.alerts.shown.contains(alert.id),
                    let member = groups.memberSince[phone.user]?[group], member < at,
                    let since = phone.groups.since[group], times.contains(where: { $0 > since })
                else { continue }
                world.oracles.fail(
                    "alerts", "\(alert.kind) \(alert.id) has not reached \(phone.id)")
            }
        }
    }

    static var canaries: [Canary] {
        [raiseAlertsTwice, forgetAlerts, showNumber, buryCalls, callOnce]
    }

    /// Bug: one member can fill all places in which calls for help are queued for an offline phone.
    static var buryCalls: Canary {
        var canary = Canary("buryCalls", foundBy: "alerts")
        canary.isHostile = true
        return canary
    }

    /// Bug: calls for help are not repeated.
    private static var callOnce: Canary {
        var canary = Canary("callOnce", foundBy: "repetition")
        canary.setting = { $0.rules.repeatAtMost = 0 }
        return canary
    }

    /// Bug: a number to be shown in an SOS is stored as one to be always shown.
    private static var showNumber: Canary {
        Canary("showNumber", foundBy: "helpers") { attempted in
            guard attempted.sql.hasPrefix("INSERT INTO profiles") else { return nil }
            return .followed(by: "UPDATE profiles SET phone_shown_to = 'groups'", [])
        }
    }

    /// Bug: after a start the bridge does not publish the alerts in its outbox.
    private static var forgetAlerts: Canary {
        Canary("forgetAlerts", foundBy: "alerts") { attempted in
            guard attempted.sql.hasPrefix("SELECT"), attempted.sql.contains("FROM outbox WHERE")
            else { return nil }
            return .filtered(column: 1) { !$0.hasSuffix("/alerts") }
        }
    }

    /// Bug: an alert is published twice, with two ids.
    private static var raiseAlertsTwice: Canary {
        Canary("raiseAlertsTwice", foundBy: "told what is stored") { attempted in
            attempted.isOutgoing(on: "/alerts") ? attempted.outgoingTwin : nil
        }
    }
}

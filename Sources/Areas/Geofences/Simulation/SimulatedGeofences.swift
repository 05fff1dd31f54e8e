import Bridge
import Contract
import JSON
import MQTT
import Store
import Tracking

/// People who want to be notified when others arrive and leave, and others who agree or refuse.
///
/// Notices are about people who have agreed to a rule for that place, and come from rules whose
/// maker knows where the place is now.
final class SimulatedGeofences: SimulatedArea {
    unowned let world: World
    private var fences: [String] = []
    private var rules: [String: Rule] = [:]
    /// The people who agree to each rule.
    private var agreed: [String: Set<Int64>] = [:]
    private lazy var places = ChangedPlaces(world)
    /// The users who have ever agreed to a rule, or confirmed its place.
    fileprivate var confirmed: [String: Set<Name>] = [:]

    private struct Rule {
        let maker: Int64
        let fence: String
    }

    init(_ world: World) { self.world = world }

    private func fail(_ description: String) { world.oracles.fail("geofences", description) }

    // MARK: Life

    static var asks: [Ask<Phone>] {
        [
            Ask(4, "geofence.create") { phone in
                let chance = phone.world.chance
                let latitude = Double(460_000_000 + chance.number(0...3_000) * 90) / 1e7
                let group = chance.happens(30) ? #","group":"\#(phone.anyGroup)""# : ""
                return #""name":"F#","latitude":\#(latitude),"longitude":14.5,"#
                    + #""radius":\#(chance.number(50...2_000))\#(group)"#
            },
            Ask(1, "geofence.update") { phone in
                fence(phone).map {
                    #"\#($0),"radius":\#(phone.world.chance.number(50...2_000))"#
                }
            },
            Ask(3, "geofence.delete") { phone in
                phone.world.chance.happens(20) ? fence(phone) : nil
            },
            Ask(1, "geofence.list"), Ask(1, "geofence.rule.list"),
            Ask(6, "geofence.rule.add") { phone in
                let chance = phone.world.chance
                guard let fence = fence(phone) else { return nil }
                let when =
                    chance.pick([
                        #""when":"arrives""#, #""when":"leaves""#,
                        #""when":"not-there","by":"12:0\#(chance.number(0...9))","timeZone":"UTC""#,
                    ]) ?? ""
                let who =
                    chance.happens(70)
                    ? #""user":"\#(phone.somebody)""# : #""group":"\#(phone.anyGroup)""#
                let tell =
                    chance.pick([
                        "", #","tell":{"user":"\#(phone.somebody)"}"#,
                        #","tell":{"group":"\#(phone.anyGroup)"}"#,
                    ]) ?? ""
                return #"\#(fence),\#(when),\#(who)\#(tell)"#
            },
            Ask(8, "geofence.rule.answer") { phone in
                let world = phone.world
                let area = world.area(SimulatedGeofences.self)
                guard let rule = world.chance.pick(area.rules.keys.sorted()) else { return nil }
                let agrees = world.chance.happens(80)
                if agrees { area.confirmed[rule, default: []].insert(phone.user) }
                return #""rule":"\#(rule)","agree":\#(agrees)"#
            },
            Ask(6, "geofence.rule.end", rule),
        ]
    }

    private static func fence(_ phone: Phone) -> String? {
        let world = phone.world
        return world.chance.pick(world.area(SimulatedGeofences.self).fences).map {
            #""geofence":"\#($0)""#
        }
    }

    private static func rule(_ phone: Phone) -> String? {
        let world = phone.world
        return world.chance.pick(world.area(SimulatedGeofences.self).rules.keys.sorted()).map {
            #""rule":"\#($0)""#
        }
    }

    // MARK: Attempts

    static var adversaryAsks: [Ask<Adversary>] {
        [
            Ask(1, "geofence.list"),
            Ask(1, "geofence.rule.answer") { adversary in
                let rules = adversary.world.area(SimulatedGeofences.self).rules.keys.sorted()
                return adversary.world.chance.pick(rules).map { #""rule":"\#($0)","agree":true"# }
            },
            Ask(1, "geofence.create") {
                #""name":"School","latitude":46.01,"longitude":14.5,"group":"\#($0.anyGroup)""#
            },
            Ask(1, "geofence.update", kiosk), Ask(1, "geofence.update", kiosk),
        ]
    }

    func attacks(by adversary: Adversary) -> [(weight: Int, choice: () -> Void)] {
        [(3, { self.watchOften(adversary) })]
    }

    /// Returns a request to move any place.
    private static func kiosk(_ adversary: Adversary) -> String? {
        let world = adversary.world
        let latitude = Double(460_000_000 + world.chance.number(0...3_000) * 90) / 1e7
        return world.chance.pick(world.area(SimulatedGeofences.self).fences).map {
            #""geofence":"\#($0)","latitude":\#(latitude),"longitude":14.5"#
        }
    }

    /// Makes more rules about one person than allowed.
    private func watchOften(_ adversary: Adversary) {
        guard let fence = world.chance.pick(fences),
            let victim = world.chance.pick(world.phones)?.user
        else { return }
        for _ in 0..<SimulatedGeofences.mostOfPair + 2 {
            adversary.send(
                Message(
                    topic: adversary.own("requests/geofence.rule.add"),
                    payload: Array(
                        #"{"geofence":"\#(fence)","when":"arrives","user":"\#(victim)"}"#.utf8)))
        }
    }

    /// The maximum number of rules that one person may make about another.
    private static let mostOfPair = 10

    // MARK: Oracles

    static var statements: [String] {
        [
            "INSERT INTO geofences", "INSERT INTO geofence_rules", "INSERT INTO geofence_consents",
            "DELETE FROM geofence_consents", "DELETE FROM geofence_rules", "INSERT INTO notices",
        ]
    }

    func committed(_ rows: [Written]) {
        for row in rows {
            guard let id = row.text(0) else { continue }
            if row.begins(with: "INSERT INTO geofences") {
                if !fences.contains(id) { fences.append(id) }
                places.saved(fence: id, row)
            } else if row.begins(with: "INSERT INTO geofence_rules") {
                guard let maker = row.integer(1), let fence = row.text(2) else { continue }
                rules[id] = Rule(maker: maker, fence: fence)
                places.saved(
                    rule: id, of: maker, at: fence, isKnown: row.text(15) == nil,
                    confirmed: confirmed[id] ?? [])
            } else if row.begins(with: "INSERT INTO geofence_consents") {
                guard let user = row.integer(1) else { continue }
                if row.integer(2) == 1 {
                    agreed[id, default: []].insert(user)
                } else {
                    agreed[id]?.remove(user)
                }
            } else if row.begins(with: "DELETE FROM geofence_consents WHERE rule_id = ?") {
                if let user = row.integer(1) {
                    agreed[id]?.remove(user)
                } else {
                    agreed[id] = nil
                }
            } else if row.begins(with: "DELETE FROM geofence_rules WHERE id = ?") {
                rules[id] = nil
                places.ended(rule: id)
            } else if row.begins(with: "INSERT INTO notices") {
                places.told(row)
                checkNotice(row)
            }
        }
        places.endTurn()
    }

    private static let kinds: Set<String?> = ["place-arrived", "place-left", "place-missed"]

    private func checkNotice(_ row: Written) {
        guard SimulatedGeofences.kinds.contains(row.text(2)), let about = row.integer(4),
            let place = row.blob(3).flatMap({ JSONValue.of($0)["geofence"]?.text })
        else { return }
        let agreed = rules.filter { id, rule in
            rule.fence == place && self.agreed[id]?.contains(about) == true
        }
        if agreed.isEmpty { fail("a notice is about user \(about), who has not agreed") }
        // A missing person's position is then reported as unknown.
        guard row.text(2) != "place-missed", !agreed.keys.contains(where: places.isKnown) else {
            return
        }
        fail("a notice puts user \(about) at another place than a rule's maker knows")
    }

    // MARK: At rest

    /// Checks that no one has made more rules about another person than allowed.
    func checkRest() throws {
        let rows = world.oracles.read { try $0.geofenceRules() }
        var counts: [[UserID]: Int] = [:]
        for row in rows ?? [] {
            guard case .user(let user) = row.watched, user != row.user else { continue }
            counts[[row.user, user], default: 0] += 1
        }
        for (pair, count) in counts where count > SimulatedGeofences.mostOfPair {
            fail("user \(pair[0].rawValue) has \(count) rules about \(pair[1].rawValue)")
        }
    }

    static func rows(in transaction: Transaction) throws(StoreError) -> [String] {
        try transaction.geofences().map { "geofence \($0)" }
            + (try transaction.geofenceRules().map { "rule \($0)" })
            + (try transaction.geofenceConsents().map { "consent \($0)" })
            + (try transaction.geofencePresences().map { "presence \($0)" })
    }

    static var canaries: [Canary] { [forgetRefusal] }

    /// Bug: withdrawn consent is ignored.
    private static var forgetRefusal: Canary {
        Canary("forgetRefusal", foundBy: "geofences", "shadow") { attempted in
            guard attempted.sql.hasPrefix("INSERT INTO geofence_consents"),
                attempted.values.count > 2, attempted.values[2] == .integer(0)
            else { return nil }
            return .skipped
        }
    }
}

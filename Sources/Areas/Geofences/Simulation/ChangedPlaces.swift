import Contract
import JSON
import Store
import Tracking

/// Places as the makers of rules know them.
///
/// Users who depend on a place are notified of other users' changes, and a rule is about the place
/// that its maker knows until they confirm another.
final class ChangedPlaces {
    private unowned let world: World
    private var places: [String: Place] = [:]
    private var rules: [String: Rule] = [:]
    // For the current turn.
    private var changes: [String: Int] = [:]
    private var told: [String: Set<Int64>] = [:]

    private struct Place: Hashable {
        let name: String?
        let latitude: Int64?
        let longitude: Int64?
        let radius: Double?
    }

    private struct Rule {
        let maker: Int64
        let fence: String
        var known: Place?
    }

    init(_ world: World) { self.world = world }

    private func fail(_ description: String) { world.oracles.fail("geofences", description) }

    /// Whether the place is as the rule's maker knows it.
    func isKnown(_ rule: String) -> Bool {
        rules[rule].map { $0.known == places[$0.fence] } ?? false
    }

    // MARK: Written rows

    func saved(fence: String, _ row: Written) {
        let place = Place(
            name: row.text(4), latitude: row.integer(6), longitude: row.integer(7),
            radius: row.real(8))
        if let before = places[fence], before != place { changes[fence, default: 0] += 1 }
        places[fence] = place
    }

    /// - Parameters:
    ///   - isKnown: whether the row states that its maker knows the place.
    ///   - confirmed: the users who have ever confirmed it.
    func saved(
        rule id: String, of maker: Int64, at fence: String, isKnown: Bool, confirmed: Set<Name>
    ) {
        guard let rule = rules[id] else {
            rules[id] = Rule(maker: maker, fence: fence, known: places[fence])
            return
        }
        // Changes in this turn are checked at its end.
        guard isKnown, changes[fence] == nil, rule.known != places[fence] else { return }
        let isTheirs = world.oracles.read { transaction in
            for name in confirmed {
                if try transaction.user(name)?.id.rawValue == maker { return true }
            }
            return false
        }
        if isTheirs == false { fail("nobody has confirmed the place of the rule \(id)") }
        rules[id]?.known = places[fence]
    }

    func ended(rule id: String) { rules[id] = nil }

    func told(_ row: Written) {
        guard row.text(2) == "place-changed", let reader = row.integer(1),
            let fence = row.blob(3).flatMap({ JSONValue.of($0)["geofence"]?.text })
        else { return }
        told[fence, default: []].insert(reader)
    }

    // MARK: The end of a turn

    /// Checks that all makers are notified of a change except the one who made it.
    func endTurn() {
        for (fence, count) in changes {
            let there = rules.filter { $0.value.fence == fence }
            let told = told[fence] ?? []
            let silent = Set(there.values.map(\.maker)).subtracting(told)
            if silent.count > 1, count == 1 {
                check(there.filter { !told.contains($0.value.maker) })
            }
            // With several changes in a turn, their authors cannot be distinguished here.
            for (id, rule) in there where count > 1 || !told.contains(rule.maker) {
                rules[id]?.known = places[fence]
            }
        }
        (changes, told) = ([:], [:])
    }

    private func check(_ rules: [String: Rule]) {
        let there = world.oracles.read { Set(try $0.geofenceRules().map(\.rule.id.description)) }
        let makers = Set(rules.filter { there?.contains($0.key) == true }.map(\.value.maker))
        if makers.count > 1 {
            fail("a place has changed, and users \(makers.sorted()) do not know")
        }
    }
}

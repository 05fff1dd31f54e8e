import Contract
import JSON
import Store
import Tracking

/// People who share a destination and an arrival time with a group, and the paths that they leave.
final class SimulatedJourneys: SimulatedArea {
    unowned let world: World
    /// Destinations, with the group, of journeys that have begun.
    private var begun: Set<String> = []

    init(_ world: World) { self.world = world }

    // MARK: Life

    static var asks: [Ask<Phone>] {
        [
            Ask(12, "journey.start") { phone in
                let goal = Double(460_000_000 + phone.world.chance.number(0...3000) * 90) / 1e7
                return #""groups":\#(phone.someGroups),"eta":\#(eta(phone.world)),"#
                    + #""destination":{"latitude":\#(goal),"longitude":14.5,"name":"D#"}"#
            },
            Ask(2, "journey.start") { #""groups":\#($0.someGroups),"eta":\#(eta($0.world))"# },
            Ask(4, "journey.start") { #""extend":true,"eta":\#(eta($0.world))"# },
            Ask(6, "journey.stop"),
            Ask(2, "path.get") { phone in
                let format = phone.world.chance.happens(20) ? #","format":"gpx""# : ""
                return #""group":"\#(phone.anyGroup)","user":"\#(phone.somebody)"\#(format)"#
            },
        ]
    }

    private static func eta(_ world: World) -> Int64 {
        world.wall.milliseconds + Int64(world.chance.number(20_000...900_000))
    }

    // MARK: Attempts

    func targets(_ victim: Name) -> Targets {
        let group = world.area(SimulatedGroups.self).anyKnown
        return Targets(filters: ["kith/groups/\(group)/members/\(victim)/path/+"])
    }

    static var adversaryAsks: [Ask<Adversary>] {
        [
            Ask(1, "journey.start") { adversary in
                let eta = adversary.world.wall.milliseconds + 900_000
                return #""groups":"all","eta":\#(eta),"#
                    + #""destination":{"latitude":10,"longitude":10,"name":"M#"}"#
            },
            Ask(1, "journey.stop"),
            Ask(1, "path.get") { #""group":"\#($0.anyGroup)","user":"\#($0.user)""# },
        ]
    }

    // MARK: Oracles

    static var statements: [String] { SimulatedEmergencies.Raised.statements }

    /// Checks that each journey begins only once in each group; each has a destination of its own.
    func committed(_ rows: [Written]) {
        for alert in rows.compactMap(SimulatedEmergencies.Raised.init)
        where alert.kind == "journey-started" {
            guard let name = alert.destination, world.isAskedOnce(name) else { continue }
            if !begun.insert("\(name) \(alert.group)").inserted {
                world.oracles.fail("once", "the journey to \(name) began twice")
            }
        }
    }

    /// Checks that the points of a path are returned in order of time.
    func answered(_ request: AskedRequest, _ answer: JSONValue, to phone: Phone) {
        guard request.method == "path.get" else { return }
        let lines = answer["result"]?["path"]?["properties"]?["times"]?.elements ?? []
        let times = lines.flatMap { $0.elements.isEmpty ? [$0] : $0.elements }.compactMap(\.integer)
        if times != times.sorted() {
            world.oracles.fail("answers", "\(phone.id) is answered a path in disorder")
        }
    }

    static var canaries: [Canary] { [beginTwice] }

    /// Bug: the alert about a journey's beginning is written twice.
    private static var beginTwice: Canary {
        Canary("beginTwice", foundBy: "episodes") { attempted in
            guard attempted.sql.hasPrefix(SimulatedEmergencies.Raised.statements[0]),
                case .text(var id) = attempted.values[0],
                case .text(let document) = attempted.values[3],
                document.contains(#""journey-started""#), let last = id.popLast()
            else { return nil }
            var twin = attempted.values
            twin[0] = .text(id + (last == "0" ? "1" : "0"))
            return .twice(twin)
        }
    }
}

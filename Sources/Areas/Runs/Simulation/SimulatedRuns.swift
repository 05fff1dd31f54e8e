import Bridge
import Contract
import JSON
import MQTT
import Store
import Tracking

/// People who organise runs, and those who take part.
///
/// No run has more participants than places, no bib is given twice, and everybody sees in the end how
/// many take part.
final class SimulatedRuns: SimulatedArea {
    unowned let world: World
    /// What is retained of each run.
    private var shown: [Name: JSONValue] = [:]
    /// By run, all bibs that were given on disk.
    private var given: [String: [Int64: Int64]] = [:]

    init(_ world: World) { self.world = world }

    private func fail(_ description: String) { world.oracles.fail("runs", description) }

    // MARK: Life

    static var asks: [Ask<Phone>] {
        [
            Ask(4, "run.organise") { _ in #""name":"The club","acceptTerms":true"# },
            Ask(6, "run.create") { phone in
                let (world, chance) = (phone.world, phone.world.chance)
                let start = world.wall + .seconds(Int64(chance.number(60...900)))
                let maximum =
                    chance.happens(50) ? #","maxParticipants":\#(chance.number(1...3))"# : ""
                return """
                    "name":"A run","place":{"name":"Town","latitude":46,"longitude":14.5},\
                    "course":{"type":"LineString","coordinates":[[14.5,46],[14.51,46.01]]},\
                    "startsAt":\(start.milliseconds),"enrolmentClosesAt":\(start.milliseconds),\
                    "endsAt":\((start + .seconds(300)).milliseconds)\(maximum)
                    """
            },
            Ask(1, "run.list"),
            Ask(1, "run.get", known),
            Ask(3, "run.enrol", known),
            Ask(1, "run.withdraw", known),
            Ask(1, "run.cancel") { phone in phone.world.chance.happens(20) ? known(phone) : nil },
        ]
    }

    private static func known(_ phone: Phone) -> String? {
        let runs = phone.world.area(SimulatedRuns.self).shown.keys.sorted()
        return #""run":"\#(phone.world.chance.pick(runs)?.text ?? "nobodys")""#
    }

    // MARK: What is tried

    func targets(_ victim: Name) -> Targets {
        let run = shown.keys.sorted().first?.text ?? "nobodys"
        return Targets(filters: ["kith/runs/#", "kith/runs/+"], topics: ["kith/runs/\(run)"])
    }

    static var adversaryAsks: [Ask<Adversary>] {
        [
            Ask(1, "run.list"),
            Ask(1, "run.cancel") { adversary in
                adversary.world.area(SimulatedRuns.self).shown.keys.sorted().first
                    .map { #""run":"\#($0)""# }
            },
        ]
    }

    static var adversaryGuestAsks: [Ask<Adversary>] {
        [Ask(1, "run.list"), Ask(1, "run.get") { _ in #""run":"nobodys""# }]
    }

    // MARK: On disk

    static var statements: [String] { ["INSERT INTO run_entries"] }

    func committed(_ rows: [Written]) {
        for row in rows {
            guard let run = row.text(0), let bib = row.integer(1), let user = row.integer(2) else {
                continue
            }
            if let other = given[run, default: [:]].updateValue(user, forKey: bib), other != user {
                fail("bib \(bib) of \(run) is given to user \(user), and was user \(other)'s")
            }
        }
    }

    // MARK: Published

    func published(_ message: Message, on topic: Topic) {
        guard case .listed(.run, let names) = topic, let run = names.run else { return }
        guard !message.payload.isEmpty else { return shown[run] = nil }
        let payload = JSONValue.of(message.payload)
        shown[run] = payload
        if payload["run"]?.text != run.text { fail("\(run) is told as another") }
        if let maximum = payload["maxParticipants"]?.integer,
            payload["enrolled"]?.integer ?? 0 > maximum
        {
            fail("\(run) has more participants than places")
        }
    }

    // MARK: At rest

    func checkRest() throws {
        let stored = world.oracles.read { transaction throws(StoreError) in
            (try transaction.openRuns(), try transaction.openRunEntries())
        }
        guard let (runs, entries) = stored else { return }
        let counts = Dictionary(grouping: entries, by: \.run).mapValues(\.count)
        for row in runs {
            let count = counts[row.run.id] ?? 0
            if let maximum = row.run.maximum, count > maximum {
                fail("\(row.run.id) has \(count) participants, and \(maximum) places")
            }
            if shown[row.run.id] == nil { fail("\(row.run.id) is told to nobody") }
        }
        let known = Set(runs.map(\.run.id))
        for run in shown.keys where !known.contains(run) { fail("\(run) is over, and still shown") }
    }

    static func rows(in transaction: Transaction) throws(StoreError) -> [String] {
        let runs = try transaction.openRuns().map {
            "run \($0.run.id) of \($0.organiser), \($0.status), \($0.lastBib)"
        }
        return runs + (try transaction.openRunEntries().map { "entry \($0)" })
    }

    static var canaries: [Canary] { [forgetEntry] }

    /// Whoever takes part is not stored.
    private static var forgetEntry: Canary {
        Canary("forgetEntry", foundBy: "runs", "shadow") { attempted in
            attempted.sql.hasPrefix("INSERT INTO run_entries") ? .skipped : nil
        }
    }
}

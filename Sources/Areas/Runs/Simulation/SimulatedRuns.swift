import Bridge
import Contract
import JSON
import MQTT
import Numbers
import Racing
import Store
import Tracking

/// People who organise runs, and participants.
///
/// No run has more participants than places, no bib is assigned twice, and in the end everyone sees
/// the number of participants. Runners are shown on the course, and only while their run is in
/// progress.
final class SimulatedRuns: SimulatedArea {
    unowned let world: World
    /// The retained message of each run.
    private var shown: [Name: JSONValue] = [:]
    /// The bibs with a retained message, followed by the runs with retained standings.
    private var runners: [Name: [Int: JSONValue]] = [:]
    private var standings: Set<Name> = []
    private var toldAt: Duration?
    /// All bibs assigned on disk, by run.
    private var given: [String: [Int64: Int64]] = [:]

    init(_ world: World) { self.world = world }

    private func fail(_ description: String) { world.oracles.fail("runs", description) }

    // MARK: Life

    static var asks: [Ask<Phone>] {
        [
            Ask(4, "run.organise") { _ in #""name":"The club","acceptTerms":true"# },
            Ask(6, "run.create") { phone in
                let (world, chance) = (phone.world, phone.world.chance)
                let start = world.wall + .seconds(Int64(chance.number(30...200)))
                let maximum =
                    chance.happens(50) ? #","maxParticipants":\#(chance.number(1...3))"# : ""
                return """
                    "name":"A run","place":{"name":"Town","latitude":46,"longitude":14.5},\
                    "course":{"type":"LineString","coordinates":[[14.5,46],[14.5,46.02]]},\
                    "startsAt":\(start.milliseconds),"enrolmentClosesAt":\(start.milliseconds),\
                    "endsAt":\((start + .seconds(1_800)).milliseconds)\(maximum)
                    """
            },
            Ask(1, "run.list"),
            Ask(1, "run.get", known),
            Ask(8, "run.enrol", known),
            Ask(1, "run.withdraw", known),
            Ask(2, "run.cancel") { phone in phone.world.chance.happens(20) ? known(phone) : nil },
            Ask(1, "run.end") { phone in phone.world.chance.happens(20) ? known(phone) : nil },
            Ask(1, "run.results", known),
            Ask(1, "run.edit") { phone in
                known(phone).map {
                    $0 + #","checkpoints":[\#(phone.world.chance.number(200...700))]"#
                }
            },
        ]
    }

    private static func known(_ phone: Phone) -> String? {
        let runs = phone.world.area(SimulatedRuns.self).shown.keys.sorted()
        return #""run":"\#(phone.world.chance.pick(runs)?.text ?? "nobodys")""#
    }

    // MARK: Attempts

    func targets(_ victim: Name) -> Targets {
        let run = shown.keys.sorted().first?.text ?? "nobodys"
        return Targets(filters: ["kith/runs/#", "kith/runs/+"], topics: ["kith/runs/\(run)"])
    }

    static var adversaryAsks: [Ask<Adversary>] {
        [
            Ask(1, "run.list"), Ask(1, "run.cancel", first), Ask(1, "run.end", first),
            Ask(1, "run.edit", first),
        ]
    }

    private static func first(_ adversary: Adversary) -> String? {
        adversary.world.area(SimulatedRuns.self).shown.keys.sorted().first
            .map { #""run":"\#($0)""# }
    }

    static var adversaryGuestAsks: [Ask<Adversary>] {
        [
            Ask(1, "run.list"), Ask(1, "run.get") { _ in #""run":"nobodys""# },
            Ask(1, "run.results", first),
        ]
    }

    // MARK: On disk

    private static let entry = "INSERT INTO run_entries"

    static var statements: [String] { [entry] }

    func committed(_ rows: [Written]) {
        for row in rows where row.begins(with: SimulatedRuns.entry) {
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
        guard case .listed(let kind, let names) = topic, let run = names.run else { return }
        guard kind == .run else { return tell(kind, names, run, message.payload) }
        guard !message.payload.isEmpty else { return shown[run] = nil }
        let payload = JSONValue.of(message.payload)
        shown[run] = payload
        if payload["run"]?.text != run.text { fail("\(run) is published as another run") }
        if let maximum = payload["maxParticipants"]?.integer,
            payload["enrolled"]?.integer ?? 0 > maximum
        {
            fail("\(run) has more participants than places")
        }
    }

    private func tell(
        _ kind: Topic.ListedKind, _ names: TopicPattern.Bindings, _ run: Name, _ payload: [UInt8]
    ) {
        toldAt = world.steady
        guard !payload.isEmpty else {
            if let bib = names.bib { runners[run]?[bib] = nil }
            if kind == .standings { standings.remove(run) }
            return
        }
        if kind == .standings { standings.insert(run) }
        guard kind == .runner, let bib = names.bib else { return }
        let state = JSONValue.of(payload)
        runners[run, default: [:]][bib] = state
        guard case .number(let latitude)? = state["latitude"],
            case .number(let longitude)? = state["longitude"]
        else { return }
        if longitude != 14.5 || !(46...46.02).contains(latitude) {
            fail("\(bib) is shown beside the course of \(run)")
        }
        if state["status"]?.text == "hidden" { fail("\(bib) of \(run) is hidden, and shown") }
    }

    // MARK: At rest

    static var remade: [Topic.ListedKind] { [.runner, .standings, .standingsPage] }

    /// Late fixes are awaited for a while.
    var isAtRest: Bool { toldAt.map { world.steady > $0 + .seconds(20) } ?? true }

    func checkRest() throws {
        let stored = world.oracles.read { transaction in
            (try transaction.openRuns(), try transaction.openRunEntries())
        }
        guard let (runs, entries) = stored else { return }
        let counts = Dictionary(grouping: entries, by: \.run).mapValues(\.count)
        for row in runs {
            let count = counts[row.run.id] ?? 0
            if let maximum = row.run.maximum, count > maximum {
                fail("\(row.run.id) has \(count) participants, and \(maximum) places")
            }
            if shown[row.run.id] == nil { fail("\(row.run.id) is published to no one") }
        }
        for row in runs {
            let bibs = Set(entries.filter { $0.run == row.run.id }.map(\.bib))
            if Set(runners[row.run.id, default: [:]].keys) != (row.status == .on ? bibs : []) {
                fail("of \(row.run.id) others are shown than those who run")
            }
            let isRun = (row.status == .on || row.status == .over)
            if standings.contains(row.run.id) != isRun {
                fail("\(row.run.id) is \(row.status), and its standings say something else")
            }
        }
        for (run, bibs) in runners
        where !bibs.isEmpty && !runs.contains(where: { $0.run.id == run }) {
            fail("runners of \(run) are shown, which is over")
        }
        try checkDistances(runs, entries)
        let known = Set(runs.map(\.run.id))
        for run in shown.keys where !known.contains(run) { fail("\(run) is over, and still shown") }
    }

    /// Checks that the published distances follow from the stored fixes, in whatever order they
    /// arrived.
    private func checkDistances(_ runs: [RunRow], _ entries: [RunEntryRow]) throws {
        for row in runs where row.status == .on {
            for entry in entries where entry.run == row.run.id {
                guard let state = runners[row.run.id]?[entry.bib],
                    state["status"]?.text != "hidden",
                    let distance = distance(of: entry.user, in: row.run),
                    distance != state["distance"]?.integer ?? 0
                else { continue }
                fail("bib \(entry.bib) of \(row.run.id) has another distance than published")
            }
        }
    }

    private func distance(of user: UserID, in run: Run) -> Int64? {
        world.oracles.read { transaction in
            let devices = Set(try transaction.devices().filter { $0.user == user }.map(\.id))
            let paused = try transaction.pausedFixes(of: user, from: FixID(rawValue: 0))
            var fixes: [DeviceID: [Fix]] = [:]
            try transaction.fixes(after: FixID(rawValue: 0)) { row in
                guard devices.contains(row.device), !row.isForgotten,
                    !paused.contains(where: { $0.contains(row.id) }), row.fix.takenAt <= run.endsAt,
                    row.fix.takenAt >= run.startsAt - .seconds(600)
                else { return }
                fixes[row.device, default: []].append(row.fix)
            }
            let distances = fixes.values.map { fixes in
                var runner = Runner()
                for fix in fixes.sorted(by: { $0.takenAt < $1.takenAt }) {
                    runner.receive(fix, on: run.course, from: run.startsAt, RacingRules())
                }
                return runner.hasStarted ? Int64(clamping: runner.distance.rounded()) : 0
            }
            return distances.max() ?? 0
        }
    }

    static func rows(in transaction: Transaction) throws(StoreError) -> [String] {
        let runs = try transaction.openRuns().map {
            "run \($0.run.id) of \($0.organiser), \($0.status), \($0.lastBib)"
        }
        return runs + (try transaction.openRunEntries().map { "entry \($0)" })
    }

    static var canaries: [Canary] { [forgetEntry] }

    /// Bug: a participant is not stored.
    private static var forgetEntry: Canary {
        Canary("forgetEntry", foundBy: "runs", "shadow") { attempted in
            attempted.sql.hasPrefix("INSERT INTO run_entries") ? .skipped : nil
        }
    }
}

import Anonymity
import Bridge
import Contract
import JSON
import MQTT
import Sealing
import Store
import Tracking

/// Questions about cohorts, asked by a company's service (``SimulatedCompany``).
///
/// Everyone behind an answer has companions in every answer, and no data remains to be counted of
/// people who have withdrawn their consent.
final class SimulatedCohorts: SimulatedArea {
    unowned let world: World
    /// The stored contributors by answer number and part.
    private var parts: [Int64: [String: ContributorSet]] = [:]

    init(_ world: World) { self.world = world }

    private func fail(_ description: String) { world.oracles.fail("cohorts", description) }

    /// Small values, since few people live in the simulation.
    static let policy = CohortPolicy(
        k: 2, cost: Epsilon(thousandths: 1_000), requesterBudget: Epsilon(thousandths: 5_000),
        dataBudget: Epsilon(thousandths: 10_000))

    /// Returns a service's question.
    static func ask(_ world: World) -> (method: String, fields: String)? {
        let filters = [
            "", #""gender":"female""#, #""residence":"Ljubljana""#, #""age":{"from":20,"to":40}"#,
            #""age":{"from":21}"#,
        ]
        let filter = world.chance.pick(filters) ?? ""
        switch world.chance.number(0...9) {
        case 0, 1: return ("cohort.subscribe", filter)
        case 2: return ("cohort.list", "")
        case 3:
            return (
                "cohort.unsubscribe", #""cohort":"01890000-0000-7000-8000-000000000000""#
            )
        default:
            guard world.chance.happens(50) else { return ("cohort.query", filter) }
            let end = world.wall.milliseconds / 3_600_000 - Int64(world.chance.number(0...3))
            let start = end - Int64(world.chance.number(1...3))
            let window = #""from":\#(start * 3_600_000),"to":\#(end * 3_600_000)"#
            return ("cohort.query", filter.isEmpty ? window : "\(filter),\(window)")
        }
    }

    // MARK: Attempts

    func targets(_ victim: Name) -> Targets {
        Targets(
            filters: ["kith/services/+/cohorts/#", "kith/services/myheart/cohorts/+"],
            topics: ["kith/services/myheart/requests/cohort.query"])
    }

    static var adversaryAsks: [Ask<Adversary>] {
        [Ask(1, "cohort.query"), Ask(1, "cohort.subscribe")]
    }

    // MARK: On disk

    private static let insertion = "INSERT INTO cohort_contributors"

    static var statements: [String] { [insertion] }

    func committed(_ rows: [Written]) {
        for row in rows where row.begins(with: SimulatedCohorts.insertion) {
            // Each part has three values.
            var place = 0
            repeat {
                note(row, place)
                place += 3
            } while row.integer(place) != nil
        }
    }

    private func note(_ row: Written, _ place: Int) {
        guard let answer = row.integer(place), let part = row.text(place + 1),
            let numbers = row.blob(place + 2).flatMap({ ContributorSet(bytes: $0) })
        else { return fail("an answer is damaged") }
        if numbers.count < SimulatedCohorts.policy.k {
            fail("only \(numbers.count) people are behind \(part)")
        }
        parts[answer, default: [:]][part] = numbers
    }

    func checkRest() throws {
        let left = world.oracles.read { transaction in
            let agreeing = Set(try transaction.vitalsConsents().map(\.user))
            var left: [UserRow] = []
            for user in try transaction.users() where !agreeing.contains(user.id) {
                let days = try transaction.cohortDays(
                    of: user.id, in: SimulatedCohorts.allDays)
                if days.contains(where: { $0.vitals != nil || $0.positions != nil }) {
                    left.append(user)
                }
            }
            return left
        }
        for user in left ?? [] { fail("something of \(user.name) is counted, who does not agree") }
    }

    static func rows(in transaction: Transaction) throws(StoreError) -> [String] {
        var rows =
            try transaction.cohortSubscriptions().map { "cohort \($0)" }
            + transaction.cohortAnswers(overlapping: 0..<Int(Int32.max)).map { "answer \($0)" }
        for user in try transaction.users() {
            for day in try transaction.cohortDays(of: user.id, in: allDays) {
                let context = CohortDayRow.context(user.id, day.day)
                let vitals = day.vitals.flatMap { SimulatedVitals.keys?.open($0, as: context) }
                rows.append(
                    "day \(day.day) of \(user.id): \(vitals ?? []), \(day.positions ?? [])")
            }
        }
        return rows
    }

    private static let allDays = 0..<100_000

    static var canaries: [Canary] { [forgetDay] }

    /// Bug: a person's hour is not stored.
    private static var forgetDay: Canary {
        Canary("forgetDay", foundBy: "shadow") { attempted in
            attempted.sql.hasPrefix("INSERT INTO cohort_days") ? .skipped : nil
        }
    }
}

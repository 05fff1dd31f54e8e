import Anonymity
import Contract
import JSON
import MQTT
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

extension World {
    /// Some people who agree to be counted, and a company with a service; answers without noise.
    ///
    /// - Parameter k: the fewest people behind an answer.
    static func withCohort(of count: Int, k: Int = 3, budget: Int = 1_000) throws -> World {
        var settings = BridgeSettings()
        let cost = 1_000_000
        settings.cohorts.policy = CohortPolicy(
            k: k, cost: Epsilon(thousandths: cost),
            requesterBudget: Epsilon(thousandths: budget * cost),
            dataBudget: Epsilon(thousandths: 2 * budget * cost))
        let world = try World(settings)
        try world.makeService()
        for number in 1...count { try world.join(number) }
        return world
    }

    /// A new person who agrees to be counted.
    func join(_ number: Int, _ profile: String = #""gender":"female""#) throws {
        let name = "p\(number)"
        try addUsers(try #require(Name(name)))
        #expect(
            try outcome(
                Sender(stringLiteral: name), "health.profile",
                #"{"acceptPrivacyStatement":true,\#(profile)}"#) == "ok")
    }

    /// Each of them sends a heart rate.
    func beat(_ people: ClosedRange<Int>, rate: Int = 72) throws {
        for number in people { try vitals(Sender(stringLiteral: "p\(number)"), rate: rate) }
    }

    /// Passes the time until the hour is complete.
    ///
    /// - Returns: the hour, as a query has it.
    @discardableResult
    func completeHour() throws -> String {
        let hour = now.milliseconds / 3_600_000
        let end = Timestamp(milliseconds: (hour + 1) * 3_600_000)
        try pass(until: end + settings.cohorts.settling)
        return #""from":\#(hour * 3_600_000),"to":\#((hour + 1) * 3_600_000)"#
    }

    /// The number of people, or the problem.
    func people(_ fields: String, by service: Name = "myheart") throws -> String {
        let reply = try askAsService("cohort.query", "{\(fields)}", service: service)
        return reply["result"]?["people"]?.integer.map { "\($0)" } ?? reply.outcome
    }

    /// Does the counting that turns have requested; each outcome gets a turn of its own.
    @discardableResult
    func workOnCohorts() throws -> [Publication] {
        var publications: [Publication] = []
        var noise = SplitMix64(seed: 7)
        worksOnCohorts = false
        defer { worksOnCohorts = true }
        while case let work = engine.takeWork(CohortWork.self), !work.isEmpty {
            for outcome in work.flatMap({ $0.perform(on: store, using: &noise) }) {
                publications += try turn([], [], outcomes: [outcome])
            }
        }
        return publications
    }

    /// The subscriptions' messages since the last call of `published()`.
    func cohortsPublished() -> [JSONValue] {
        published().filter { $0.topic.hasPrefix("kith/services/myheart/cohorts/") }
            .map { .read($0.payload) }
    }
}

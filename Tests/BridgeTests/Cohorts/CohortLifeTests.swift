import Anonymity
import Contract
import JSON
import Sealing
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Cohorts after people's requests and restarts, and subscriptions.
struct CohortLifeTests {
    private func days(_ world: World) throws -> Int { try world.count("cohort_days") }

    @Test func `A person who withdraws consent is no longer counted`() throws {
        let world = try World.withCohort(of: 4)
        try world.beat(1...4)
        let hour = try world.completeHour()
        #expect(try world.outcome("p4", "vitals.withdraw") == "ok")
        #expect(try world.people(hour) == "3")
        // Nor is earlier data counted once they agree again.
        #expect(try world.outcome("p4", "vitals.consent") == "ok")
        #expect(try world.people(#""residence":"x","# + hour) == "cohort-too-small")
        #expect(
            try world.count("cohort_days", where: "vitals IS NOT NULL OR positions IS NOT NULL")
                == 3)
    }

    @Test func `Deleted data is no longer counted, even if it is just being read`() throws {
        let world = try World.withCohort(of: 4)
        try world.beat(1...4)
        let start = world.now
        world.worksOnCohorts = false
        let hour = try world.completeHour()
        let work = world.engine.takeWork(CohortWork.self)
        var noise = SplitMix64(seed: 1)
        let outcomes = work.flatMap { $0.perform(on: world.store, using: &noise) }
        let stretch =
            #"{"what":"vitals","from":\#((start - .seconds(60)).milliseconds),"#
            + #""to":\#(world.now.milliseconds)}"#
        #expect(try world.outcome("p4", "data.delete", stretch) == "ok")
        for outcome in outcomes { try world.turn(outcomes: [outcome]) }
        world.worksOnCohorts = true
        #expect(try world.people(hour) == "3")
    }

    @Test func `Deleted positions and positions from a pause are not counted`() throws {
        let world = try World.withCohort(of: 3)
        for person: Sender in ["p1", "p2", "p3"] {
            try world.fix(person, TestFix(0))
            let until = #"{"until":\#((world.now + .seconds(600)).milliseconds)}"#
            #expect(try world.outcome(person, "sharing.pause", until) == "ok")
            world.sleep(.seconds(1))
            try world.fix(person, TestFix(900))
            try world.vitals(person, rate: 70)
        }
        let start = world.now - .seconds(600)
        let hour = try world.completeHour()
        let answer = try world.askAsService("cohort.query", "{\(hour)}")["result"]
        #expect(answer?["presence"]?.elements.count == 1)
        #expect(answer?["distance"]?["people"]?.elements.first?.integer == 3)
        #expect(try world.count("cohort_days", where: "positions IS NOT NULL") == 3)
        for person: Sender in ["p1", "p2", "p3"] {
            let stretch =
                #"{"what":"positions","from":\#(start.milliseconds),"#
                + #""to":\#(world.now.milliseconds)}"#
            #expect(try world.outcome(person, "data.delete", stretch) == "ok")
        }
        #expect(try world.count("cohort_days", where: "positions IS NOT NULL") == 0)
        #expect(try world.count("cohort_days", where: "vitals IS NOT NULL") == 3)
    }

    @Test func `An erased person leaves anonymous bits and a number that is not reused`() throws {
        let world = try World.withCohort(of: 4)
        try world.beat(1...4)
        let hour = try world.completeHour()
        #expect(try world.people(hour) == "4")
        _ = try world.operate(.removeUser("p4"))
        #expect(try world.count("cohort_people") == 3)
        #expect(try days(world) == 3)
        // Without the bits, the difference would be one.
        #expect(try world.people(#""gender":"female","# + hour) == "cohort-too-revealing")
        try world.join(5)
        try world.beat(5...5)
        try world.completeHour()
        #expect(try world.count("cohort_people", where: "number > 4") == 1)
    }

    @Test func `A bridge that dies while counting counts the hour exactly once`() throws {
        let world = try World.withCohort(of: 3)
        try world.beat(1...3)
        world.worksOnCohorts = false
        let hour = try world.completeHour()
        // Half of it is on disk.
        let work = world.engine.takeWork(CohortWork.self)
        var noise = SplitMix64(seed: 1)
        let outcomes = work.flatMap { $0.perform(on: world.store, using: &noise) }
        try world.turn(outcomes: [outcomes[0]])
        try world.restart()
        world.worksOnCohorts = true
        try world.turn()
        #expect(try world.people(hour) == "3")
        // Hours in which the bridge was down are counted later.
        let start = world.now
        try world.beat(1...3)
        world.sleep(.seconds(5 * 3_600))
        try world.restart()
        try world.pass(.seconds(60))
        let later = start.milliseconds / 3_600_000 * 3_600_000
        #expect(try world.people(#""from":\#(later),"to":\#(later + 3_600_000)"#) == "3")
    }

    @Test func `An answer overtaken by another is decided again`() throws {
        let world = try World.withCohort(of: 3)
        try world.join(4, #""gender":"male""#)
        try world.beat(1...4)
        let hour = try world.completeHour()
        world.worksOnCohorts = false
        let fields = [hour, #""gender":"female","# + hour]
        try world.turn(
            fields.map {
                world.message(.serviceRequest("myheart", method: "cohort.query"), "{\($0)}")
            })
        var noise = SplitMix64(seed: 1)
        // Neither knows of the other.
        let outcomes = world.engine.takeWork(CohortWork.self).flatMap {
            $0.perform(on: world.store, using: &noise)
        }
        _ = world.published()
        world.worksOnCohorts = true
        for outcome in outcomes { try world.turn(outcomes: [outcome]) }
        let replies = world.published().filter { $0.topic.hasSuffix("/replies") }
            .map { JSONValue.read($0.payload) }
        #expect(replies.map { $0["result"]?["people"]?.integer } == [4, nil])
        #expect(replies.last?.outcome == "cohort-too-revealing")
    }

    @Test func `A subscription gets each hour or a reason, and survives a restart`() throws {
        let world = try World.withCohort(of: 3)
        let made = try world.askAsService("cohort.subscribe", #"{"gender":"female"}"#)["result"]
        let id = try #require(made?["cohort"]?.text)
        #expect(made?["topic"]?.text == "kith/services/myheart/cohorts/\(id)")
        // The same subscription again returns the same.
        #expect(
            try world.askAsService("cohort.subscribe", #"{"gender":"female"}"#)["result"] == made)
        _ = world.published()
        try world.beat(1...3)
        try world.completeHour()
        let first = world.cohortsPublished()
        #expect(first.map { $0["people"]?.integer } == [3])
        #expect(first.first?["cohort"]?.text == id)
        #expect(first.first?["from"]?.text == "2026-05-01T10:00:00.000Z")
        try world.restart()
        _ = world.published()
        // No one has sent anything.
        try world.pass(.seconds(3_600))
        #expect(
            world.cohortsPublished().map { $0["problem"]?["type"]?.text } == [
                "urn:kith:problem:cohort-too-small"
            ])
        let listed = try world.askAsService("cohort.list")["result"]?["cohorts"]?.elements
        #expect(listed?.map { $0["gender"]?.text } == ["female"])
        try world.makeService("other")
        #expect(
            try world.askAsService("cohort.unsubscribe", #"{"cohort":"\#(id)"}"#, service: "other")
                .outcome == "unknown-cohort")
        #expect(
            try world.askAsService("cohort.unsubscribe", #"{"cohort":"\#(id)"}"#).outcome == "ok")
        try world.pass(.seconds(7_200))
        #expect(world.cohortsPublished().isEmpty)
    }

    @Test func `A new key reseals the counted data, which stays countable`() throws {
        let world = try World.withCohort(of: 3)
        try world.beat(1...3)
        let hour = try world.completeHour()
        let newer = try #require(
            SealingKeys(
                "1 " + String(repeating: "A", count: 43) + ",2 "
                    + String(repeating: "B", count: 42) + "A"))
        try world.restart(keys: newer)
        try world.sweep()
        #expect(try world.count("cohort_days", where: "key_id = 2") == 3)
        #expect(try world.people(hour) == "3")
    }

    @Test func `Counted data and answers are deleted after their retention`() throws {
        let world = try World.withCohort(of: 3)
        try world.beat(1...3)
        #expect(try world.people(world.completeHour()) == "3")
        #expect(try world.count("cohort_answers") == 1 && days(world) == 3)
        world.sleep(.seconds(400 * 86_400))
        try world.restart()
        for _ in 1...3 { try world.sweep() }
        #expect(try days(world) == 0)
        #expect(try world.count("cohort_answers") + world.count("cohort_contributors") == 0)
    }

    @Test func `A clock that was ahead for a while does not end the counting`() throws {
        let world = try World.withCohort(of: 3)
        try world.beat(1...3)
        let start = world.now
        try world.pass(.seconds(50 * 3_600))
        #expect(
            try world.integers("SELECT complete_hour FROM cohort_progress")[0] * 3_600_000
                > start.milliseconds)
        world.sleep(.zero - .seconds(48 * 3_600))
        try world.restart()
        try world.beat(1...3, rate: 80)
        #expect(try world.people(world.completeHour()) == "3")
    }
}

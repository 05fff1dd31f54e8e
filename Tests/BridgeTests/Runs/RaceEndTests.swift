import Contract
import JSON
import Racing
import Testing
import Tracking

@testable import Bridge

/// Notices before a run and after it, and the length of its standings.
struct RaceEndTests {
    @Test func `The end of a run hides all positions and publishes the results`() throws {
        let (world, run) = try RaceTests.world(["bob", "carol", "dave"])
        try world.pass(.seconds(7_200))
        for second in 1...260 {
            try world.pass(.seconds(1))
            try world.fix("bob", TestFix(min(second * 4, 1_010)))
            try world.fix("carol", TestFix(second * 2))
        }
        try world.pass(.seconds(2))
        #expect(world.runner(1, run)?["status"]?.text == "finished")
        #expect(try world.outcome("bob", "run.end", #"{"run":"\#(run)"}"#) == "not-allowed")
        #expect(try world.outcome("alice", "run.end", #"{"run":"\#(run)"}"#) == "ok")
        try world.pass(.seconds(2))
        #expect(world.run(run)?["status"]?.text == "over")
        for bib in 1...3 { #expect(world.runner(bib, run) == nil) }
        let standings = try #require(world.standings(run))
        #expect(
            standings.map { $0["status"]?.text } == ["finished", "did-not-finish", "did-not-start"])
        #expect(abs((standings[0]["time"]?.integer ?? 0) - 249) <= 1)
        #expect(try world.outcome("dave", "run.enrol", #"{"run":"\#(run)"}"#) == "ok")
        #expect(try world.outcome("alice", "run.enrol", #"{"run":"\#(run)"}"#) == "run-finished")
        let results = try world.results(run)
        #expect(results.map { $0["rank"]?.integer } == [1, 2, nil])
        #expect(results.map { $0["bib"]?.integer } == [1, 2, 3])
        #expect(results[0]["time"] == standings[0]["time"])
        #expect(results[0]["splits"]?.elements.count ?? 0 > 20)
        // Fixes that Carol's phone could not send before.
        try world.fix("carol", TestFix(540, ago: 4))
        try world.fix("carol", TestFix(530, ago: 5))
        try world.pass(.seconds(20))
        #expect(world.standings(run)?[1]["distance"]?.integer ?? 0 >= 520)
        try world.restart()
        try world.pass(.seconds(20))
        #expect(try world.results(run).map { $0["bib"]?.integer } == [1, 2, 3])
        try world.pass(.seconds(86_400))
        #expect(world.run(run) == nil && world.standings(run) == nil)
        #expect(try world.results(run).map { $0["rank"]?.integer } == [1, 2, nil])
        #expect(
            try world.ask("bob", "run.get", #"{"run":"\#(run)"}"#)["result"]?["run"]?["status"]?
                .text
                == "over")
        #expect(try world.outcome("bob", "run.withdraw", #"{"run":"\#(run)"}"#) == "ok")
        #expect(try world.results(run).map { $0["bib"]?.integer } == [2, 3])
        #expect(try world.ask("bob", "consent.list")["result"]?["runs"]?.elements.count == 0)
    }

    @Test func `Participants are notified an hour before the start, and of changes`() throws {
        let (world, run) = try RaceTests.world()
        _ = world.published()
        try world.pass(.seconds(3_599))
        #expect(world.published().news == [])
        try world.pass(.seconds(1))
        #expect(world.published().news == ["bob: run-starting", "carol: run-starting"])
        try world.restart()
        try world.pass(.seconds(60))
        #expect(world.published().news == [])
        let later = world.now + .seconds(7_200)
        func move(_ length: Int64) throws -> String {
            let end = later + .seconds(length)
            return try world.outcome(
                "alice", "run.edit",
                #"{"run":"\#(run)","startsAt":\#(later.milliseconds),"endsAt":\#(end.milliseconds)}"#
            )
        }
        // They have agreed to another time.
        #expect(try move(4 * 3_600).hasPrefix("invalid: endsAt"))
        #expect(try move(60) == "ok")
        #expect(world.published().news == ["bob: run-changed", "carol: run-changed"])
        try world.pass(.seconds(3_600))
        #expect(world.published().news == ["bob: run-starting", "carol: run-starting"])
        let wrong = try world.outcome(
            "alice", "run.edit", #"{"run":"\#(run)","maxParticipants":1}"#)
        #expect(wrong.hasPrefix("invalid: maxParticipants"))
    }

    @Test func `Large standings are split into several messages, cleared when they shrink`() throws
    {
        let (world, run) = try RaceTests.world(["bob"])
        let clock = RaceClock(.own, gun: world.now)
        var states: [RunnerState] = []
        for bib in 1...2_000 {
            states.append(
                RunnerState(
                    bib: bib, name: String(repeating: "é", count: 64), runner: Runner(),
                    heartRate: nil, isOver: false, clock: clock))
        }
        let pages = RunnerState.standings(states, by: clock)
        #expect(pages.count > 4 && pages.allSatisfy { $0.count <= PayloadLimits.maximum })
        #expect(
            pages.flatMap { JSONValue.read($0).elements }.map { $0["bib"]?.integer }
                == (1...2_000).map { Int64($0) })
        try world.pass(.seconds(7_200))
        // One after the other, so that no broker has to queue them all for every client.
        let race = try #require(world.engine.memory.state(RunsState.self).races[run])
        _ = world.published()
        for page in 1...2 {
            race.pagesToTell.append((.standings(run, page: page), Array("[]".utf8)))
        }
        (race.pages, race.pagesApart, race.pageToldAt) = (2, .milliseconds(500), world.now)
        try world.pass(.milliseconds(600))
        let told = { world.published().count { $0.topic.contains("/standings") } }
        #expect(told() == 1)
        try world.pass(.seconds(1))
        #expect(told() >= 1 && race.pagesToTell.isEmpty)
        // As if more had taken part.
        world.retained["kith/runs/\(run)/standings/2"] = Array("[]".utf8)
        try world.restart()
        try world.pass(.seconds(5))
        try world.reconnect()
        #expect(world.retained["kith/runs/\(run)/standings/2"] == nil)
        #expect(world.standings(run)?.count == 1)
    }

    @Test func `A run with participants cannot be moved to within a day`() throws {
        let (world, run) = try RaceTests.world()
        func move(hours: Int64) throws -> String {
            let start = world.now + .seconds(hours * 3_600)
            let closes = start - .seconds(60)
            return try world.outcome(
                "alice", "run.edit",
                """
                {"run":"\(run)","startsAt":\(start.milliseconds),\
                "enrolmentClosesAt":\(closes.milliseconds),"endsAt":\((start + .seconds(60)).milliseconds)}
                """)
        }
        // It begins in two hours: too late to move it away.
        #expect(try move(hours: 240).hasPrefix("invalid: endsAt"))
        #expect(try world.outcome("bob", "run.withdraw", #"{"run":"\#(run)"}"#) == "ok")
        #expect(try world.outcome("carol", "run.withdraw", #"{"run":"\#(run)"}"#) == "ok")
        #expect(try move(hours: 240) == "ok")
        #expect(try world.outcome("bob", "run.enrol", #"{"run":"\#(run)"}"#) == "ok")
        #expect(try move(hours: 100) == "ok", "Bob is notified, and has days to withdraw")
        #expect(try move(hours: 3).hasPrefix("invalid: startsAt"))
        #expect(try move(hours: 30) == "ok")
    }

    @Test func `A runner in an SOS at the end has no result until it is over`() throws {
        let (world, run) = try RaceTests.world()
        try world.pass(.seconds(7_200))
        for second in 1...60 {
            try world.pass(.seconds(2))
            try world.fix("bob", TestFix(second * 8))
            try world.fix("carol", TestFix(second * 6))
            if second == 30 { _ = try world.ask("bob", "sos.trigger") }
        }
        #expect(try world.outcome("alice", "run.end", #"{"run":"\#(run)"}"#) == "ok")
        try world.pass(.seconds(5))
        #expect(world.standings(run)?.map { $0["status"]?.text } == ["did-not-finish", "hidden"])
        #expect(try world.results(run).map { $0["bib"]?.integer } == [2])
        try world.restart()
        try world.pass(.seconds(5))
        #expect(try world.results(run).map { $0["bib"]?.integer } == [2])
        _ = try world.ask("bob", "sos.stop")
        try world.pass(.seconds(5))
        #expect(try world.results(run).map { $0["bib"]?.integer } == [1, 2])
        #expect(world.standings(run)?.first?["distance"]?.integer == 480)
    }

    @Test func `Pending standings of a runner who hides or leaves are not published`() throws {
        let (world, run) = try RaceTests.world()
        try world.pass(.seconds(7_200))
        for second in 1...20 {
            try world.pass(.seconds(2))
            try world.fix("bob", TestFix(second * 8))
            try world.fix("carol", TestFix(second * 6))
        }
        let race = try #require(world.engine.memory.state(RunsState.self).races[run])
        for (user, method, payload) in [
            ("bob", "sharing.pause", #"{"until":\#((world.now + .seconds(600)).milliseconds)}"#),
            ("carol", "location.off", "{}"),
        ] as [(Sender, String, String)] {
            try world.pass(.seconds(2))
            // As if a long list were under way, and the next one due in a while.
            race.pagesToTell.append((.standings(run, page: 1), Array("[{}]".utf8)))
            (race.pagesApart, race.pageToldAt) = (.seconds(60), world.now)
            #expect(try world.outcome(user, method, payload) == "ok")
            _ = world.published()
            try world.pass(.seconds(1))
            let told = world.published().filter { $0.topic == "kith/runs/\(run)/standings" }
            #expect(!told.contains { $0.payload == Array("[{}]".utf8) })
            let shown = world.standings(run) ?? []
            #expect(!shown.contains { $0["bib"]?.integer == 1 && $0["distance"] != nil })
        }
        #expect(world.standings(run)?.map { $0["bib"]?.integer } == [1])
    }
}

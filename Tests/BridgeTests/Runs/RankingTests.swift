import Contract
import JSON
import Racing
import Testing
import Tracking

@testable import Bridge

/// By which time runners are ranked, and what an organiser cannot ask for.
struct RankingTests {
    /// Bob starts at once and takes 250 s; Carol comes over the line 60 s later and takes 200 s.
    private func race(_ ranking: String?) throws -> (World, Name) {
        let (world, run) = try RaceTests.world()
        if let ranking {
            #expect(
                try world.outcome(
                    "alice", "run.edit", #"{"run":"\#(run)","rankedBy":"\#(ranking)"}"#) == "ok")
        }
        try world.pass(.seconds(7_195))
        try world.fix("bob", TestFix(0))
        try world.fix("carol", TestFix(0))
        try world.pass(.seconds(5))
        for second in 0...265 {
            try world.fix("bob", TestFix(min(second * 4, 1_010)))
            try world.fix("carol", TestFix(min(max(0, second - 60) * 5, 1_010)))
            try world.pass(.seconds(1))
        }
        try world.pass(.seconds(2))
        return (world, run)
    }

    @Test(
        arguments: [
            (String?.none, "own", [2, 1]), ("own", "own", [2, 1]), ("gun", "gun", [1, 2]),
        ] as [(String?, String, [Int64])])
    func `Standings and results use the organiser's ranking and show both times`(
        chosen: String?, ranking: String, bibs: [Int64]
    ) throws {
        let (world, run) = try race(chosen)
        #expect(world.run(run)?["rankedBy"]?.text == ranking)
        func check(_ list: [JSONValue], _ comment: Comment) {
            #expect(list.map { $0["bib"]?.integer } == bibs, comment)
            #expect(list.map { $0["rank"]?.integer } == [1, 2], comment)
            let times = list.compactMap { $0["time"]?.integer }
            #expect(times == times.sorted() && times.count == 2, comment)
            for runner in list {
                #expect(runner["time"] == runner["\(ranking)Time"], comment)
                let (own, gun) = (runner["ownTime"]?.integer, runner["gunTime"]?.integer)
                let late: Int64 = runner["bib"]?.integer == 2 ? 60 : 0
                #expect(abs((gun ?? 0) - (own ?? 0) - late) <= 4, comment)
            }
        }
        check(try #require(world.standings(run)), "while it is on")
        #expect(
            try world.outcome("alice", "run.edit", #"{"run":"\#(run)","rankedBy":"gun"}"#)
                == "run-started")
        #expect(try world.outcome("alice", "run.end", #"{"run":"\#(run)"}"#) == "ok")
        try world.restart()
        try world.pass(.seconds(20))
        check(try world.results(run), "afterwards")
        #expect(
            try world.exported("bob").contains { $0["type"]?.text == "run-result" })
    }

    @Test func `Runners are notified when the ranking is changed before the start`() throws {
        let (world, run) = try RaceTests.world()
        _ = world.published()
        let edit = #"{"run":"\#(run)","rankedBy":"gun"}"#
        #expect(try world.outcome("alice", "run.edit", edit) == "ok")
        try world.pass(.seconds(2))
        #expect(world.published().news == ["bob: run-changed", "carol: run-changed"])
        #expect(
            try world.ask("alice", "run.edit", edit.replacing("gun", with: "chance")).wrongFields
                == ["rankedBy"])
    }

    @Test func `An enrolment end in the past is refused unless it is unchanged`() throws {
        let world = try World.withFamily()
        _ = try world.ask("alice", "run.organise", RunTests.terms)
        func closing(_ seconds: Int64) -> String {
            "\((world.now + .seconds(seconds)).milliseconds)"
        }
        let closes = (world.now + .seconds(3_600)).milliseconds
        #expect(
            try world.outcome(
                "alice", "run.create",
                world.newRun().replacing("\(closes)", with: closing(-3_600)))
                == "invalid: enrolmentClosesAt must not be in the past")
        let run = try world.createRun()
        #expect(
            try world.outcome(
                "alice", "run.edit", #"{"run":"\#(run)","enrolmentClosesAt":\#(closing(-1))}"#)
                == "invalid: enrolmentClosesAt must not be in the past")
        // Closed now; later changes of other fields do not check it again.
        #expect(
            try world.outcome(
                "alice", "run.edit", #"{"run":"\#(run)","enrolmentClosesAt":\#(closing(5))}"#)
                == "ok")
        let closed = closing(5)
        try world.pass(.seconds(60))
        for fields in [#""name":"Other""#, #""enrolmentClosesAt":\#(closed)"#] {
            #expect(
                try world.outcome("alice", "run.edit", #"{"run":"\#(run)",\#(fields)}"#) == "ok",
                "\(fields)")
        }
        #expect(
            try world.outcome("bob", "run.enrol", #"{"run":"\#(run)"}"#) == "enrolment-closed")
    }

    @Test func `Laps on an open course are refused with the reason`() throws {
        let world = try World.withFamily()
        _ = try world.ask("alice", "run.organise", RunTests.terms)
        let reason =
            "invalid: laps must be 1 on a course that does not end within 50 m of its start"
        let open = "[[11.96,57.7],[11.97,57.7],[11.97,57.705]]"
        let details = world.newRun(course: open)
        #expect(try world.outcome("alice", "run.create", details) == reason)
        #expect(
            try world.outcome(
                "alice", "run.create", details.replacing("\"laps\":2", with: "\"laps\":1")) == "ok")
        let run = try world.createRun()
        let course = #"{"type":"LineString","coordinates":\#(open)}"#
        #expect(
            try world.outcome("alice", "run.edit", #"{"run":"\#(run)","course":\#(course)}"#)
                == reason)
        #expect(
            try world.outcome(
                "alice", "run.edit", #"{"run":"\#(run)","course":\#(course),"laps":1}"#) == "ok")
    }

    @Test func `A closed course has checkpoints that follow it until others are chosen`() throws {
        let world = try World.withFamily()
        _ = try world.ask("alice", "run.organise", RunTests.terms)
        let answer = try world.ask("alice", "run.create", world.newRun(checkpoints: "[]"))
        let run = try #require(answer["result"]?["run"]?["run"]?.text.flatMap { Name($0) })
        func checkpoints() throws -> [Int64] {
            try world.pass(.seconds(2))
            return world.run(run)?["checkpoints"]?.elements.compactMap(\.integer) ?? []
        }
        let usual = try checkpoints()
        #expect(usual.count == 3)
        let lap = (world.run(run)?["distance"]?.integer ?? 0) / 2
        #expect(abs(usual[1] - lap / 2) <= 1)
        // A longer one; the page sends what it shows.
        let course =
            #"{"type":"LineString","coordinates":[[11.96,57.7],[11.98,57.7],[11.96,57.7]]}"#
        #expect(
            try world.outcome(
                "alice", "run.edit",
                #"{"run":"\#(run)","course":\#(course),"checkpoints":\#(usual)}"#) == "ok")
        let longer = try checkpoints()
        #expect(longer.count == 3 && longer != usual)
        try world.restart()
        #expect(try checkpoints() == longer)
        #expect(
            try world.outcome("alice", "run.edit", #"{"run":"\#(run)","checkpoints":[700]}"#)
                == "ok")
        #expect(try checkpoints() == [700])
    }
}

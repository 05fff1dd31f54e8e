import Contract
import JSON
import Racing
import Testing
import Tracking

@testable import Bridge

/// Courses with as many points as a run can have.
struct LongCourseTests {
    /// To and fro, some 6 m each.
    private static let coordinates =
        "["
        + (0..<Run.maximumPoints).map { "[\(11.96 + Double($0 % 2) / 1e4),57.7]" }
        .joined(separator: ",") + "]"

    private static func details(_ world: World, laps: Int) -> String {
        world.newRun(course: coordinates).replacing("\"laps\":2", with: "\"laps\":\(laps)")
    }

    private static func world(laps: Int) throws -> (World, Name) {
        let world = try World.withFamily()
        _ = try world.ask("alice", "run.organise", RunTests.terms)
        let answer = try world.ask("alice", "run.create", details(world, laps: laps))
        let id = answer["result"]?["run"]?["run"]?.text.flatMap { Name($0) }
        return (world, try #require(id, "\(answer)"))
    }

    @Test func `A long course limits its laps, and the refusal states how many are allowed`() throws
    {
        let (world, run) = try LongCourseTests.world(laps: 25)
        let refusal = "invalid: laps must be 1 to 25 on a course with that many points"
        #expect(
            try world.outcome("alice", "run.create", LongCourseTests.details(world, laps: 26))
                == refusal)
        #expect(
            try world.outcome("alice", "run.edit", #"{"run":"\#(run)","laps":1000}"#) == refusal)
        let short = #"{"type":"LineString","coordinates":[[11.96,57.7],[11.97,57.7],[11.96,57.7]]}"#
        #expect(
            try world.outcome(
                "alice", "run.edit", #"{"run":"\#(run)","laps":1000,"course":\#(short)}"#) == "ok")
        #expect(
            try world.outcome(
                "alice", "run.edit",
                #"{"run":"\#(run)","course":{"type":"LineString","coordinates":\#(LongCourseTests.coordinates)}}"#
            ) == refusal)
    }

    @Test func `A course stored with too many laps is reduced to the limit`() throws {
        let (world, run) = try LongCourseTests.world(laps: 25)
        try world.execute("UPDATE runs SET laps = 1000")
        try world.restart()
        try world.pass(.seconds(2))
        let answer = try world.ask("alice", "run.get", #"{"run":"\#(run)"}"#)
        #expect(answer["result"]?["run"]?["laps"]?.integer == 25)
    }

    @Test func `Many fixes beside the course are read over several turns, and none is lost`() throws
    {
        let (world, run) = try LongCourseTests.world(laps: 1)
        #expect(try world.outcome("bob", "run.enrol", #"{"run":"\#(run)"}"#) == "ok")
        try world.pass(.seconds(2 * 3_600 + 1_800))
        let race = try #require(world.engine.memory.state(RunsState.self).races[run])
        #expect(race.readingDue == nil)
        let fixes = (1...300).map { TestFix(0, ago: Double(301 - $0)).json(at: world.now) }
        try world.turn([world.fixMessage("bob", "[\(fixes.joined(separator: ","))]")])
        #expect(try world.count("fixes") == 300)
        let due = try #require(race.readingDue, "the rest is read later")
        #expect(due > world.now)
        world.sleep(.seconds(11))
        try world.turn([], .timers)
        let count = try #require(race.reading?.count, "what is stored is taken in parts")
        #expect((200..<300).contains(count))
        try world.pass(.seconds(1))
        #expect(race.reading == nil)
        #expect(race.participants.values.map(\.count) == [300])
        #expect(race.participants.values.first?.runners.values.map(\.isOffCourse) == [true])
    }
}

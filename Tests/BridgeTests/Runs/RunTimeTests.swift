import Contract
import JSON
import Racing
import Store
import Testing
import Tracking

@testable import Bridge

/// When a run begins and ends, and how stored runs are read.
struct RunTimeTests {
    /// Alice organises a run that begins in a minute, and is on for a second.
    private static func world() throws -> (World, Name) {
        let world = try World.withFamily()
        _ = try world.ask("alice", "run.organise", RunTests.terms)
        let start = world.now + .seconds(60)
        let answer = try world.ask(
            "alice", "run.create",
            """
            {"name":"Run4Char","place":{"name":"Null Island","latitude":0,"longitude":0},
            "course":{"type":"LineString","coordinates":[[0,0],[0,0.01]]},
            "startsAt":\(start.milliseconds),"enrolmentClosesAt":\(start.milliseconds),
            "endsAt":\((start + .seconds(1)).milliseconds)}
            """)
        let id = answer["result"]?["run"]?["run"]?.text.flatMap { Name($0) }
        return (world, try #require(id, "\(answer)"))
    }

    private static func edit(_ run: Name, _ times: [String: Timestamp]) -> String {
        times.sorted { $0.key < $1.key }.reduce(#"{"run":"\#(run)""#) {
            $0 + #","\#($1.key)":\#($1.value.milliseconds)"#
        } + "}"
    }

    @Test func `A postponed run keeps its length and starts and ends accordingly`() throws {
        let (world, run) = try RunTimeTests.world()
        let start = world.now + .seconds(720)
        let answer = try world.ask(
            "alice", "run.edit", RunTimeTests.edit(run, ["startsAt": start]))
        let end = answer["result"]?["run"]?["endsAt"]?.time
        #expect(end == start.milliseconds / 1_000 + 1, "\(answer)")
        try world.pass(until: start)
        #expect(world.run(run)?["status"]?.text == "on")
        try world.pass(.seconds(2))
        #expect(world.run(run)?["status"]?.text == "over")
        try world.restart()
        try world.pass(.seconds(2))
        #expect(world.run(run)?["status"]?.text == "over")
    }

    @Test func `An edited run must end after its start, within a week`() throws {
        let (world, run) = try RunTimeTests.world()
        let week = Duration.seconds(7 * 86_400)
        let (soon, later) = (world.now + .seconds(60), world.now + .seconds(720))
        for times in [
            ["startsAt": later, "endsAt": later], ["startsAt": later, "endsAt": soon],
            ["endsAt": soon], ["endsAt": soon + week + .seconds(1)],
        ] {
            #expect(
                try world.outcome("alice", "run.edit", RunTimeTests.edit(run, times))
                    == "invalid: endsAt must be after the start, within seven days", "\(times)")
        }
        for times in [["endsAt": soon + week], ["startsAt": later], ["startsAt": soon]] {
            #expect(
                try world.outcome("alice", "run.edit", RunTimeTests.edit(run, times)) == "ok",
                "\(times)")
        }
        let answer = try world.ask("alice", "run.edit", #"{"run":"\#(run)","name":"Other"}"#)
        let end = answer["result"]?["run"]?["endsAt"]?.time
        #expect(end == (soon + week).milliseconds / 1_000)
    }

    @Test(arguments: ["announced", "on", "over"])
    func `A stored run that ends before its start is over when it starts`(status: String) throws {
        let (world, run) = try RunTimeTests.world()
        // Earlier builds let its start be moved behind its end.
        try world.execute(
            "UPDATE runs SET starts_at_ms = ends_at_ms + 660000, status = '\(status)'")
        try world.restart()
        try world.pass(.seconds(1_200))
        #expect(world.run(run)?["status"]?.text == "over")
        try world.pass(.seconds(2 * 86_400))
        #expect(world.run(run) == nil)
    }

    @Test func `A run can be ended after the clock was set back to before its start`() throws {
        let (world, run) = try RaceTests.world(["bob"])
        try world.pass(.seconds(7_200))
        #expect(world.run(run)?["status"]?.text == "on")
        world.sleep(.seconds(-7_200))
        try world.turn([], .rescheduling)
        #expect(try world.outcome("alice", "run.end", #"{"run":"\#(run)"}"#) == "ok")
        #expect(world.run(run)?["status"]?.text == "over" && world.runner(1, run) == nil)
        try world.restart()
        try world.pass(.seconds(7_200))
        #expect(world.run(run)?["status"]?.text == "over")
        #expect(try world.results(run).map { $0["bib"]?.integer } == [1])
    }

    @Test(arguments: [
        ("elevations", "[1e400,2]"), ("elevations", "[0.5,2]"), ("course", "[0,0,0,1e300]"),
        ("course", "[0,0,0.5,100000]"), ("checkpoints", #"["300"]"#),
    ])
    func `A stored run with invalid numbers is rejected as damaged`(column: String, text: String)
        throws
    {
        let (world, _) = try RunTimeTests.world()
        try world.execute("UPDATE runs SET \(column) = '\(text)'")
        #expect(throws: StoreError.self) { try world.restart() }
    }

    @Test(arguments: [("missed", "[1e400]"), ("splits", "[1e400,0]"), ("splits", "[0.5,0]")])
    func `A stored result with invalid numbers is rejected as damaged`(column: String, text: String)
        throws
    {
        let (world, run) = try RaceTests.world(["bob"])
        try world.pass(.seconds(7_200))
        #expect(try world.outcome("alice", "run.end", #"{"run":"\#(run)"}"#) == "ok")
        try world.pass(.seconds(2))
        #expect(try world.results(run).count == 1)
        try world.execute("UPDATE run_results SET \(column) = '\(text)'")
        #expect(throws: StoreError.self) { try world.results(run) }
    }

    @Test func `The first of two runners with the same bib is listed`() {
        let clock = RaceClock(.own, gun: Timestamp(milliseconds: 0))
        let states = ["A.", "B."].map {
            RunnerState(
                bib: 1, name: $0, runner: Runner(), heartRate: nil, isOver: false, clock: clock)
        }
        let told = RunnerState.standings(states, by: clock).flatMap { JSONValue.read($0).elements }
        #expect(told.map { $0["name"]?.text } == ["A."])
    }
}

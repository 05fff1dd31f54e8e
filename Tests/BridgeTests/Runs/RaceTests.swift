import Contract
import JSON
import Racing
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Runners' progress, as it is published while a run is on, and afterwards.
struct RaceTests {
    /// Alice organises a straight kilometre to the north, in which these take part.
    static func world(_ runners: [Sender] = ["bob", "carol"], metres: Int = 1_000) throws -> (
        World, Name
    ) {
        let world = try World.withFamily()
        try world.addUsers("carol", "dave")
        _ = try world.ask("alice", "run.organise", RunTests.terms)
        let course = "[[14.5,46],[14.5,\(46 + Double(metres * 90) / 1e7)]]"
        let text = world.newRun(course: course, checkpoints: "[500]", maximum: "")
            .replacing("\"laps\":2", with: "\"laps\":1")
        let answer = try world.ask("alice", "run.create", text)
        let run = try #require(
            answer["result"]?["run"]?["run"]?.text.flatMap { Name($0) }, "\(answer)")
        for runner in runners {
            #expect(
                try world.outcome(runner, "run.enrol", #"{"run":"\#(run)","showHeartRate":true}"#)
                    == "ok")
        }
        return (world, run)
    }

    // MARK: While it is on

    @Test func `Runners' progress is published by bib number from the start`() throws {
        let (world, run) = try RaceTests.world()
        try world.pass(.seconds(7_190))
        try world.fix("bob", TestFix(0))
        #expect(world.runner(1, run) == nil, "nothing is shown before the start")
        #expect(world.standings(run) == nil)
        try world.pass(.seconds(10))
        #expect(world.run(run)?["status"]?.text == "on")
        let consents = try world.ask("bob", "consent.list")["result"]?["runs"]?.elements ?? []
        #expect(consents.map { $0["run"]?.text } == [run.text] && consents[0]["bib"]?.integer == 1)
        for second in 1...100 {
            try world.pass(.seconds(1))
            try world.fix("bob", TestFix(second * 4))
            if second % 2 == 0 { try world.fix("carol", TestFix(second * 3)) }
        }
        try world.pass(.seconds(2))
        let bob = try #require(world.runner(1, run))
        #expect(bob["status"]?.text == "running" && bob["distance"]?.integer == 400)
        #expect(bob["latitude"]?.number.map { World.metres($0) } == 400)
        #expect(abs((bob["pace"]?.integer ?? 0) - 250) <= 3)
        #expect(bob["name"] == nil)
        let standings = try #require(world.standings(run))
        #expect(standings.map { $0["bib"]?.integer } == [1, 2])
        #expect(standings.map { $0["rank"]?.integer } == [1, 2])
        #expect(standings.map { $0["distance"]?.integer } == [400, 300])
        for (topic, payload) in world.retained where topic.hasPrefix("kith/runs/") {
            let text = String(decoding: payload, as: UTF8.self)
            #expect(!text.contains("bob") && !text.contains("Bob"), "\(topic)")
        }
    }

    @Test func `A runner's progress is published at most once a second`() throws {
        let (world, run) = try RaceTests.world(["bob"])
        try world.pass(.seconds(7_200))
        _ = world.published()
        let start = world.now
        for tenth in 1...100 {
            try world.pass(.milliseconds(100))
            try world.fix("bob", TestFix(tenth / 2))
        }
        let told = world.published()
        #expect((9...12).contains(told.count { $0.topic == "kith/runs/\(run)/runners/1" }))
        #expect((1...12).contains(told.count { $0.topic == "kith/runs/\(run)/standings" }))
        #expect(world.now == start + .seconds(10))
    }

    @Test func `A runner's position off the course is not shown`() throws {
        let (world, run) = try RaceTests.world(["bob"])
        try world.pass(.seconds(7_200))
        for second in 1...50 {
            try world.pass(.seconds(2))
            try world.fix("bob", TestFix(second * 6))
        }
        // He goes back past the start, where he lives.
        for second in 1...60 {
            try world.pass(.seconds(2))
            try world.fix("bob", TestFix(300 - second * 10))
        }
        try world.pass(.seconds(2))
        #expect(world.runner(1, run)?["distance"]?.integer == 300)
        #expect(world.runner(1, run)?["latitude"]?.number.map { World.metres($0) } == 300)
    }

    @Test func `Runners in an SOS or a pause are hidden`() throws {
        let (world, run) = try RaceTests.world()
        try world.pass(.seconds(7_200))
        func runOn(_ user: Sender, _ from: Int, _ to: Int) throws {
            for metres in stride(from: from, through: to, by: 10) {
                try world.pass(.seconds(3))
                try world.fix(user, TestFix(metres))
            }
            try world.pass(.seconds(2))
        }
        try runOn("bob", 0, 200)
        try runOn("carol", 0, 100)
        #expect(world.runner(1, run)?["distance"]?.integer == 200)
        _ = try world.ask("bob", "sos.trigger")
        #expect(world.runner(1, run)?["status"]?.text == "hidden", "at once")
        #expect(
            world.runner(1, run)?["distance"] == nil && world.runner(1, run)?["latitude"] == nil)
        try runOn("bob", 210, 300)
        #expect(world.runner(1, run)?["status"]?.text == "hidden")
        #expect(world.standings(run)?.first?["bib"]?.integer == 2)
        try world.restart()
        try world.pass(.seconds(5))
        #expect(world.runner(1, run)?["status"]?.text == "hidden")
        _ = try world.ask("bob", "sos.stop")
        #expect(world.runner(1, run)?["distance"]?.integer == 300, "it counts afterwards")

        let until = world.now + .seconds(600)
        #expect(
            try world.outcome("carol", "sharing.pause", #"{"until":\#(until.milliseconds)}"#)
                == "ok")
        #expect(world.runner(2, run)?["status"]?.text == "hidden")
        try runOn("carol", 110, 600)
        _ = try world.ask("carol", "sharing.resume")
        try world.pass(.seconds(2))
        #expect(world.runner(2, run)?["distance"]?.integer == 100, "its positions are not used")
        try world.restart()
        try world.pass(.seconds(5))
        #expect(world.runner(2, run)?["distance"]?.integer == 100)
        try runOn("carol", 610, 700)
        #expect(world.runner(2, run)?["distance"]?.integer == 700, "where she is now is shown")
    }

    @Test func `Turning location off withdraws the user from all runs`() throws {
        let (world, run) = try RaceTests.world()
        try world.pass(.seconds(7_200))
        try world.walk("bob", to: 100)
        #expect(world.runner(1, run) != nil)
        let answer = try world.ask("bob", "location.off")
        #expect(answer["result"]?["deleted"]?["runs"]?.integer == 1)
        #expect(world.runner(1, run) == nil)
        try world.walk("carol", to: 100)
        #expect(world.standings(run)?.map { $0["bib"]?.integer } == [2])
        try world.operate(.removeUser("carol"))
        #expect(world.runner(2, run) == nil)
    }

    @Test func `A second device continues a run where the first was lost`() throws {
        let (world, run) = try RaceTests.world(["bob"])
        try world.pass(.seconds(7_200))
        for metres in stride(from: 0, through: 600, by: 10) {
            try world.pass(.seconds(3))
            try world.fix("bob/watch", TestFix(metres))
            // The phone falls out of the pocket.
            try world.fix("bob", TestFix(min(metres, 200)))
        }
        try world.pass(.seconds(2))
        #expect(world.runner(1, run)?["distance"]?.integer == 600)
        #expect(world.standings(run)?.first?["missed"] == nil)
    }

    @Test func `The heart rate is shown only by choice, and for a minute`() throws {
        let (world, run) = try RaceTests.world(["bob"])
        _ = try world.ask("bob", "vitals.consent")
        _ = try world.ask("bob", "run.enrol", #"{"run":"\#(run)","showHeartRate":true}"#)
        try world.pass(.seconds(7_200))
        try world.walk("bob", to: 100)
        try world.vitals("bob", rate: 151)
        try world.walk("bob", from: 110, to: 120)
        #expect(world.runner(1, run)?["heartRate"]?.integer == 151)
        try world.walk("bob", from: 130, to: 400)
        #expect(world.runner(1, run)?["heartRate"] == nil)
        try world.vitals("bob", rate: 152)
        try world.walk("bob", from: 410, to: 420)
        #expect(world.runner(1, run)?["heartRate"]?.integer == 152)
        _ = try world.ask("bob", "run.enrol", #"{"run":"\#(run)","name":"B."}"#)
        try world.pass(.seconds(2))
        #expect(world.runner(1, run)?["heartRate"] == nil)
        #expect(world.runner(1, run)?["name"]?.text == "B.")
    }

    // MARK: Late, lost, again

    @Test func `Late positions in any order give the same standings`() throws {
        let (world, run) = try RaceTests.world()
        try world.pass(.seconds(7_200))
        for second in 1...120 {
            try world.pass(.seconds(2))
            try world.fix("bob", TestFix(second * 6))
            // Carol's watch has no connection for a while, and then sends the newest first.
            if second < 40 { try world.fix("carol", TestFix(second * 6)) }
        }
        for second in (40...120).reversed() {
            try world.fix("carol", TestFix(second * 6, ago: Double(120 - second) * 2))
        }
        try world.pass(.seconds(30))
        let standings = try #require(world.standings(run))
        #expect(standings.map { $0["distance"]?.integer } == [720, 720])
        #expect(standings.map { $0["rank"]?.integer } == [1, 1])
        let starts = [1, 2].compactMap { world.runner($0, run)?["startedAt"]?.time }
        #expect(starts.count == 2 && abs(starts[0] - starts[1]) <= 1)
        let before = world.retained.filter { $0.key.hasPrefix("kith/runs/") }
        try world.restart()
        #expect(world.retained.filter { $0.key.hasPrefix("kith/runs/") } == before)
        try world.pass(.seconds(5))
        #expect(
            world.standings(run)
                == JSONValue.read(before["kith/runs/\(run)/standings"] ?? []).elements)
    }

    @Test func `Correcting the course updates distances without a new position`() throws {
        let (world, run) = try RaceTests.world(["bob"])
        try world.pass(.seconds(7_200))
        try world.walk("bob", to: 600)
        #expect(world.runner(1, run)?["distance"]?.integer == 600)
        // It began 200 m further south than the organiser had drawn.
        let south = 46 - Double(200 * 90) / 1e7
        let north = 46 + Double(1_000 * 90) / 1e7
        let edit =
            #"{"run":"\#(run)","checkpoints":[],"course":{"type":"LineString","coordinates":[[14.5,\#(south)],[14.5,\#(north)]]}}"#
        #expect(try world.outcome("bob", "run.edit", edit) == "not-allowed")
        #expect(
            try world.outcome("alice", "run.edit", #"{"run":"\#(run)","name":"Other"}"#)
                == "run-started")
        let far = edit.replacing("\(south)", with: "45.9")
        #expect(try world.outcome("alice", "run.edit", far).hasPrefix("invalid: course"))
        #expect(try world.outcome("alice", "run.edit", edit) == "too-many-attempts")
        #expect(
            try world.outcome("alice", "run.edit", #"{"run":"\#(run)","laps":2}"#)
                .hasPrefix("invalid: laps"))
        try world.pass(.seconds(5))
        #expect(try world.outcome("alice", "run.edit", edit) == "ok")
        try world.pass(.seconds(5))
        #expect(world.runner(1, run)?["distance"]?.integer == 800)
        #expect(world.run(run)?["distance"]?.integer == 1_200)
        // Many small steps do not move it away either, even across a restart.
        try world.restart()
        try world.pass(.seconds(5))
        let further = 46 - Double(400 * 90) / 1e7
        let step = edit.replacing("\(south)", with: "\(further)")
        #expect(try world.outcome("alice", "run.edit", step).hasPrefix("invalid: course"))
    }
}

extension World {
    func runner(_ bib: Int, _ run: Name) -> JSONValue? {
        retained["kith/runs/\(run)/runners/\(bib)"].map { JSONValue.read($0) }
    }

    func standings(_ run: Name) -> [JSONValue]? {
        retained["kith/runs/\(run)/standings"].map { JSONValue.read($0).elements }
    }

    func results(_ run: Name) throws -> [JSONValue] {
        try ask("alice", "run.results", #"{"run":"\#(run)","splits":true}"#)["result"]?["results"]?
            .elements ?? []
    }

    static func metres(_ latitude: Double) -> Int { Meridian.meters(latitude: latitude) }

    /// Walks along the road, and waits until the progress is published.
    fileprivate func walk(_ user: Sender, from start: Int = 0, to end: Int) throws {
        for metres in stride(from: start, through: end, by: 10) {
            try pass(.seconds(3))
            try fix(user, TestFix(metres))
        }
        try pass(.seconds(2))
    }
}

extension JSONValue {
    /// In seconds.
    var time: Int64? {
        text.flatMap { Timestamp(rfc3339: $0) }.map { $0.milliseconds / 1_000 }
    }
}

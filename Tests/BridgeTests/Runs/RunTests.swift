import Contract
import JSON
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Runs are organised, found and joined.
struct RunTests {
    static let terms = #"{"name":"Charity4All","acceptTerms":true}"#

    // MARK: Organising

    @Test func `An organiser who accepted the terms creates a run, visible to everyone`() throws {
        let world = try World.withFamily()
        #expect(try world.outcome("alice", "run.create", world.newRun()) == "not-an-organiser")
        #expect(try world.outcome("alice", "run.organise", RunTests.terms) == "ok")
        let run = try world.createRun()
        #expect(run.text.utf8.count == 8)
        let shown = try #require(world.run(run))
        #expect(shown["name"]?.text == "Run4Char" && shown["organiser"]?.text == "Charity4All")
        #expect(shown["status"]?.text == "announced" && shown["enrolled"]?.integer == 0)
        // Three sides of a triangle, twice.
        #expect(abs((shown["distance"]?.integer ?? 0) - 3_939) < 10)
        #expect(shown["laps"]?.integer == 2)
        #expect(shown["course"]?["coordinates"]?.elements.count == 4)
        #expect(shown["checkpoints"]?.elements.map(\.integer) == [300])
        #expect(shown["maxParticipants"]?.integer == 2)
        let text = world.retained["kith/runs/\(run)"].map { String(decoding: $0, as: UTF8.self) }
        #expect(text?.contains("alice") == false, "the public learns no user name")
    }

    @Test func `A rejected run names every wrong field`() throws {
        let world = try World.withFamily()
        let terms = try world.ask("alice", "run.organise", #"{"name":""}"#)
        #expect(terms.wrongFields == ["name", "acceptTerms"])
        _ = try world.ask("alice", "run.organise", RunTests.terms)
        let past = world.now - .seconds(1)
        let wrong = try world.ask(
            "alice", "run.create",
            """
            {"name":"","place":{"name":"x","latitude":91,"longitude":0},"laps":0,
            "course":{"type":"Point","coordinates":[[1,2]]},"startsAt":\(past.milliseconds),
            "enrolmentClosesAt":\(world.now.milliseconds),"endsAt":1,"maxParticipants":0}
            """)
        #expect(
            wrong.wrongFields == [
                "name", "place.latitude", "course.type", "course.coordinates", "startsAt",
                "enrolmentClosesAt", "endsAt", "maxParticipants", "laps",
            ])
        for (course, field) in [
            ("[[14,46],[14,46]]", "course"), ("[[14,46],[14.0001,46]]", "course"),
            ("[[14,46],[14,\"x\"]]", "course.coordinates"),
        ] {
            #expect(
                try world.ask("alice", "run.create", world.newRun(course: course)).wrongFields
                    == [field])
        }
        for checkpoints in ["[300,200]", "[\"300\"]", "300"] {
            #expect(
                try world.ask("alice", "run.create", world.newRun(checkpoints: checkpoints))
                    .wrongFields == ["checkpoints"], "\(checkpoints)")
        }
    }

    @Test func `A cancelled run shows its status, and participants are notified`() throws {
        let world = try World.withFamily()
        _ = try world.ask("alice", "run.organise", RunTests.terms)
        let run = try world.createRun()
        #expect(try world.outcome("bob", "run.enrol", #"{"run":"\#(run)"}"#) == "ok")
        #expect(try world.outcome("bob", "run.cancel", #"{"run":"\#(run)"}"#) == "not-allowed")
        _ = world.published()
        #expect(try world.outcome("alice", "run.cancel", #"{"run":"\#(run)"}"#) == "ok")
        #expect(world.published().news == ["bob: run-cancelled"])
        #expect(world.run(run)?["status"]?.text == "cancelled")
        // Cancelling twice has no further effect.
        #expect(try world.outcome("alice", "run.cancel", #"{"run":"\#(run)"}"#) == "ok")
        #expect(world.published().news == [])
        #expect(try world.outcome("bob", "run.enrol", #"{"run":"\#(run)"}"#) == "ok")
        try world.restart()
        #expect(world.run(run)?["status"]?.text == "cancelled")
        #expect(try world.runs().isEmpty)
    }

    // MARK: Taking part

    @Test func `The last place is assigned once, and a bib never twice`() throws {
        let world = try World.withFamily()
        try world.addUsers("carol", "dave")
        _ = try world.ask("alice", "run.organise", RunTests.terms)
        let run = try world.createRun()
        func enrol(_ user: Sender, _ more: String = "") throws -> Int64? {
            try world.ask(user, "run.enrol", #"{"run":"\#(run)"\#(more)}"#)["result"]?["bib"]?
                .integer
        }
        #expect(try enrol("bob") == 1)
        #expect(try enrol("bob") == 1)
        #expect(try enrol("carol", #","name":"C."# + "\"") == 2)
        #expect(try world.outcome("dave", "run.enrol", #"{"run":"\#(run)"}"#) == "run-full")
        #expect(try world.outcome("carol", "run.withdraw", #"{"run":"\#(run)"}"#) == "ok")
        #expect(
            try world.outcome("carol", "run.withdraw", #"{"run":"\#(run)"}"#) == "not-enrolled")
        #expect(try enrol("dave") == 3)
        try world.restart()
        #expect(world.run(run)?["enrolled"]?.integer == 2)
        #expect(
            try world.ask("bob", "run.get", #"{"run":"\#(run)"}"#)["result"]?["bib"]?.integer == 1)
    }

    @Test func `Setting the clock back does not reopen enrolment after the start`() throws {
        let world = try World.withFamily()
        _ = try world.ask("alice", "run.organise", RunTests.terms)
        let run = try world.createRun()
        try world.pass(.seconds(2 * 3_600 + 1))
        #expect(world.run(run)?["status"]?.text == "on")
        world.sleep(.seconds(-2 * 3_600))
        try world.turn([], .rescheduling)
        #expect(try world.outcome("bob", "run.enrol", #"{"run":"\#(run)"}"#) == "run-started")
    }

    @Test func `Each reason to refuse enrolment has its own problem`() throws {
        let world = try World.withFamily()
        _ = try world.ask("alice", "run.organise", RunTests.terms)
        let run = try world.createRun()
        func outcome() throws -> String {
            try world.outcome("bob", "run.enrol", #"{"run":"\#(run)"}"#)
        }
        #expect(try world.outcome("bob", "run.enrol", #"{"run":"nobodys"}"#) == "unknown-run")
        try world.pass(.seconds(3_600 + 1))
        #expect(try outcome() == "enrolment-closed")
        try world.pass(.seconds(3_600))
        #expect(try outcome() == "run-started")
        #expect(world.run(run)?["status"]?.text == "on")
        #expect(try world.outcome("alice", "run.cancel", #"{"run":"\#(run)"}"#) == "run-started")
        try world.pass(.seconds(2 * 3_600))
        #expect(try outcome() == "run-finished")
        #expect(world.run(run)?["status"]?.text == "over")
        #expect(try world.runs().isEmpty)
        try world.pass(.seconds(86_400))
        #expect(try outcome() == "unknown-run" && world.run(run) == nil)
        #expect(try world.count("runs") == 1)
        try world.pass(.seconds(366 * 86_400))
        try world.sweep()
        #expect(try world.count("runs") == 0)
    }

    // MARK: Looking for runs

    @Test func `Runs are found by name, identifier, date and place, also by a guest`() throws {
        let world = try World.withFamily()
        _ = try world.ask("alice", "run.organise", RunTests.terms)
        let first = try world.createRun()
        let second = try world.createRun(name: "Lake run", hours: 30)
        func found(_ query: String) throws -> [String] {
            try world.runs(query).compactMap { $0["run"]?.text }
        }
        #expect(try found("{}") == ["\(first)", "\(second)"])
        #expect(try found(#"{"search":"LAKE"}"#) == ["\(second)"])
        #expect(try found(#"{"search":"\#(first)"}"#) == ["\(first)"])
        #expect(try found(#"{"search":"nobody's"}"#) == [])
        let tomorrow = world.now + .seconds(86_400)
        #expect(try found(#"{"from":\#(tomorrow.milliseconds)}"#) == ["\(second)"])
        #expect(try found(#"{"to":\#(tomorrow.milliseconds)}"#) == ["\(first)"])
        let near = #"{"near":{"latitude":57.7,"longitude":11.97,"radius":20000}}"#
        #expect(try found(near) == ["\(first)", "\(second)"])
        #expect(try found(near.replacing("57.7", with: "59.3")) == [])
        #expect(try world.runs().allSatisfy { $0["course"] == nil })
        let guest = try world.askAsGuest("run.get", #"{"run":"\#(first)"}"#)
        #expect(guest["result"]?["run"]?["course"] != nil && guest["result"]?["bib"] == nil)
    }

    // MARK: Afterwards

    @Test func `Deleting an organiser cancels their runs, a participant frees a place`() throws {
        let world = try World.withFamily()
        try world.addUsers("carol")
        _ = try world.ask("alice", "run.organise", RunTests.terms)
        let run = try world.createRun()
        for user in ["bob", "carol"] as [Sender] {
            _ = try world.ask(user, "run.enrol", #"{"run":"\#(run)"}"#)
        }
        try world.operate(.removeUser("bob"))
        try world.pass(.seconds(1))
        #expect(world.run(run)?["enrolled"]?.integer == 1)
        _ = world.published()
        try world.operate(.removeUser("alice"))
        #expect(world.published().news.contains("carol: run-cancelled"))
        #expect(world.run(run) == nil)
        try world.pass(.seconds(60))
        for table in ["runs", "run_entries", "organisers"] { #expect(try world.count(table) == 0) }
    }

    @Test func `A user's own runs and enrolments are exported`() throws {
        let world = try World.withFamily()
        _ = try world.ask("alice", "run.organise", RunTests.terms)
        let run = try world.createRun()
        _ = try world.ask("alice", "run.enrol", #"{"run":"\#(run)","name":"A."}"#)
        let items = try world.exported("alice")
        for type in ["organiser", "run", "run-entry"] {
            #expect(items.contains { $0["type"]?.text == type }, "\(type)")
        }
    }
}

extension World {
    func newRun(
        name: String = "Run4Char",
        course: String = "[[11.96,57.7],[11.97,57.7],[11.97,57.705],[11.96,57.7]]",
        checkpoints: String = "[300]", maximum: String = #","maxParticipants":2"#, hours: Int64 = 2
    ) -> String {
        let start = now + .seconds(hours * 3_600)
        return """
            {"name":"\(name)","place":{"name":"Gothenburg","latitude":57.7,"longitude":11.97},
            "course":{"type":"LineString","coordinates":\(course)},"laps":2,
            "checkpoints":\(checkpoints),"startsAt":\(start.milliseconds),
            "enrolmentClosesAt":\((start - .seconds(3_600)).milliseconds),
            "endsAt":\((start + .seconds(3_600)).milliseconds)\(maximum)}
            """
    }

    func createRun(
        name: String = "Run4Char", maximum: String = #","maxParticipants":2"#, hours: Int64 = 2
    ) throws -> Name {
        let answer = try ask(
            "alice", "run.create", newRun(name: name, maximum: maximum, hours: hours))
        return try #require(
            answer["result"]?["run"]?["run"]?.text.flatMap { Name($0) }, "\(answer)")
    }

    /// The retained message of a run.
    func run(_ run: Name) -> JSONValue? {
        retained["kith/runs/\(run)"].map { JSONValue.read($0) }
    }

    func runs(_ query: String = "{}") throws -> [JSONValue] {
        try ask("bob", "run.list", query)["result"]?["runs"]?.elements ?? []
    }
}

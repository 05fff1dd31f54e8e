import Contract
import JSON
import Testing
import Tracking

@testable import Bridge

/// Reading stored data and publishing new data are two separate consents.
struct StreamTests {
    private static let alice = #"{"user":"alice"}"#

    /// A service that may read what Alice stores.
    private func world() throws -> World {
        let world = try World.withFamily()
        try world.makeService()
        #expect(try world.outcome("alice", "service.add", #"{"service":"myheart"}"#) == "ok")
        _ = world.published()
        return world
    }

    private func subscribe(_ world: World) throws -> String? {
        try world.askAsService("data.subscribe", StreamTests.alice)["result"]?["state"]?.text
    }

    private func walk(_ world: World, _ metres: Int) throws -> Int {
        world.sleep(.seconds(1))
        try world.fix("alice", TestFix(metres))
        return world.samples().count
    }

    private func answer(_ world: World, _ isAllowed: Bool) throws {
        let requests = try world.ask("alice", "consent.list")["result"]?["requests"]?.elements
        #expect(requests?.count == 1 && requests?.first?["stream"] == .bool(true))
        let id = requests?.first?["request"]?.text ?? ""
        #expect(
            try world.outcome(
                "alice", "consent.answer", #"{"request":"\#(id)","allow":\#(isAllowed)}"#) == "ok")
    }

    private func consent(_ world: World) throws -> [JSONValue?] {
        let service = try world.ask("alice", "consent.list")["result"]?["services"]?.elements.first
        return [service?["stream"], service?["subscribed"]]
    }

    @Test func `A sample deleted before it is passed on is not sent after its deletion`() throws {
        let world = try world()
        _ = try world.ask("alice", "service.add", #"{"service":"myheart","stream":true}"#)
        _ = try subscribe(world)
        #expect(try walk(world, 1) == 1)
        world.sleep(.seconds(1))
        let (from, to) = (world.now.milliseconds - 500, world.now.milliseconds + 1)
        let replies = try world.turn([
            world.fixMessage("alice", TestFix(2)),
            world.requestMessage(
                "alice", "data.delete", #"{"from":\#(from),"to":\#(to),"what":"positions"}"#),
        ])
        let received = replies.filter { $0.topic.contains("/myheart/") }
            .map { String(decoding: $0.payload, as: UTF8.self) }
        #expect(received.contains { $0.contains("data-deleted") })
        #expect(!received.contains { $0.contains("latitude") })
        #expect(try walk(world, 3) == 1)
    }

    @Test func `Publishing new samples needs a separate consent`() throws {
        let world = try world()
        #expect(try subscribe(world) == "pending")
        #expect(try walk(world, 1) == 0)
        #expect(try world.noticeKinds(of: "alice").contains("consent-requested"))
        #expect(try consent(world) == [.bool(false), .bool(false)])
        try answer(world, true)
        // The service asked for it and does not have to ask again.
        #expect(try walk(world, 2) == 1)
        #expect(try consent(world) == [.bool(true), .bool(true)])
        #expect(try subscribe(world) == "granted")
        try world.restart()
        #expect(try walk(world, 3) == 1)
        let users = try world.askAsService("data.users")["result"]?["users"]?.elements.first
        #expect(users?["stream"] == .bool(true))
    }

    @Test func `Refusing the stream still allows reading, and two refusals end the asking`() throws
    {
        let world = try world()
        for _ in 1...2 {
            #expect(try subscribe(world) == "pending")
            _ = world.published()
            try answer(world, false)
            #expect(world.told() == ["consent-given alice"])
        }
        #expect(try subscribe(world) == "silenced")
        #expect(
            try world.ask("alice", "consent.list")["result"]?["requests"]?.elements.isEmpty == true)
        #expect(try walk(world, 1) == 0)
        #expect(try world.askAsService("data.get", StreamTests.alice).outcome == "ok")
    }

    @Test func `Consent to the stream is withdrawn alone or together with reading`() throws {
        let world = try world()
        let on = #"{"service":"myheart","stream":true}"#
        #expect(try world.outcome("alice", "service.add", on) == "ok")
        #expect(try subscribe(world) == "granted")
        #expect(try walk(world, 1) == 1)
        // Adding it again changes nothing.
        #expect(try world.outcome("alice", "service.add", #"{"service":"myheart"}"#) == "ok")
        #expect(try walk(world, 2) == 1)
        let off = #"{"service":"myheart","stream":false}"#
        #expect(try world.outcome("alice", "service.add", off) == "ok")
        #expect(try walk(world, 3) == 0)
        #expect(try consent(world) == [.bool(false), .bool(false)])
        #expect(try world.askAsService("data.get", StreamTests.alice).outcome == "ok")
        // Allowed again, it continues once the service has asked.
        #expect(try world.outcome("alice", "service.add", on) == "ok")
        #expect(try walk(world, 4) == 0)
        #expect(try subscribe(world) == "granted")
        #expect(try walk(world, 5) == 1)
        #expect(try world.outcome("alice", "service.remove", #"{"service":"myheart"}"#) == "ok")
        #expect(try walk(world, 6) == 0)
        #expect(try world.askAsService("data.get", StreamTests.alice).outcome == "no-consent")
    }

    @Test func `Published samples are counted in the log, one entry per hour`() throws {
        let world = try world()
        _ = try world.outcome("alice", "service.add", #"{"service":"myheart","stream":true}"#)
        #expect(try subscribe(world) == "granted")
        let start = world.now
        for number in 1...5 { #expect(try walk(world, number) == 1) }
        func entries() throws -> [JSONValue] {
            let all = try world.ask("alice", "access.log")["result"]?["entries"]?.elements ?? []
            return all.filter { $0["what"]?.text == "streamed" }
        }
        let entry = try entries().first
        #expect(try entries().count == 1 && entry?["count"]?.integer == 5)
        #expect(entry?["data"]?.elements.compactMap(\.text) == ["positions"])
        #expect(entry?["from"]?.text == (start + .seconds(1)).rfc3339)
        #expect(entry?["to"]?.text == (start + .seconds(5)).rfc3339)
        world.sleep(.seconds(3_600))
        #expect(try walk(world, 6) == 1)
        #expect(try entries().map { $0["count"]?.integer } == [1, 5])
        // A crash loses nothing of it.
        try world.restart()
        #expect(try walk(world, 7) == 1)
        #expect(try entries().compactMap { $0["count"]?.integer }.reduce(0, +) == 7)
    }

    @Test func `A device's sequence numbers are not passed on`() throws {
        let world = try world()
        _ = try world.outcome("alice", "service.add", #"{"service":"myheart","stream":true}"#)
        #expect(try world.outcome("alice", "vitals.consent") == "ok")
        #expect(try subscribe(world) == "granted")
        try world.fix("alice", TestFix(1, seq: 7))
        world.sleep(.seconds(1))
        try world.vitals("alice", rate: 60, seq: 8)
        let samples = world.samples()
        #expect(samples.count == 2 && samples.allSatisfy { $0.sample["seq"] == nil })
    }

    // MARK: An address

    @Test func `Only the users and the owner of a service see its address`() throws {
        let world = try world()
        let address = "https://heart.example.org/day"
        let fields = #"{"service":"myheart","address":"\#(address)"}"#
        #expect(try world.outcome("acme/desk", "service.update", fields) == "ok")
        func told(_ who: Sender, _ method: String) throws -> [JSONValue?] {
            let services = try world.ask(who, method)["result"]?["services"]?.elements ?? []
            return services.map { $0["address"] }
        }
        try world.restart()
        #expect(try told("alice", "consent.list") == [.string(address)])
        #expect(try told("acme/desk", "service.list") == [.string(address)])
        #expect(try told("bob", "service.discover") == [nil])
        #expect(
            try world.outcome(
                "acme/desk", "service.update", #"{"service":"myheart","address":null}"#) == "ok")
        #expect(try told("alice", "consent.list") == [nil])
        try world.makeService("other", of: "globex/desk")
        #expect(try world.outcome("globex/desk", "service.update", fields) == "unknown-service")
    }

    @Test(arguments: [
        "http://heart.example.org", "heart.example.org", "javascript:alert(1)", "https://",
        "https://ann@heart.example.org", "https://heart.example.org/#x", "https://localhost",
        "https://hert.exämple.org", "https://heart.example.org/\\\"><b", "ftp://a.example",
    ])
    func `Only an https page is accepted as a service address`(address: String) throws {
        let world = try world()
        let outcome = try world.outcome(
            "acme/desk", "service.update", #"{"service":"myheart","address":"\#(address)"}"#)
        #expect(outcome.hasPrefix("invalid: address must be an address such as"), "\(outcome)")
    }
}

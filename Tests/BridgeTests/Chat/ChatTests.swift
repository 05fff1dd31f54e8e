import Contract
import JSON
import MQTT
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Messages: what is published, in which order, and who may read it later.
struct ChatTests {
    private func seconds(_ seconds: Double) -> Duration { .seconds(seconds) }

    @Test func `A message goes to the group and to the writer, with identity, time and id`() throws
    {
        let world = try World.withFamily()
        let told = try world.say("alice", "Grüße,\\n\\t“日本語” 👩‍👩‍👧 \\\"!\\\"")
        let published = world.published().filter { $0.topic.hasSuffix("/chat") }
        #expect(published.map { JSONValue.read($0.payload) } == [told])
        #expect(published.allSatisfy { $0.qos == .atLeastOnce && !$0.retain })
        #expect(told["from"]?.text == "alice")
        #expect(told["name"]?.text == "Alice")
        #expect(told["kind"]?.text == "message")
        #expect(told["group"]?.text == world.names["family"].text)
        #expect(told["at"]?.text == world.now.rfc3339)
        #expect(told["text"]?.text == "Grüße,\n\t“日本語” 👩‍👩‍👧 \"!\"")
        let id = try #require(told["id"]?.text.flatMap { UUIDv7($0) })
        #expect(id.time == world.now)
        #expect(try world.page("bob").messages.first == told)
    }

    /// The sender's claims about author and time are ignored.
    @Test func `A sender cannot set the author or the time of a message`() throws {
        let world = try World.withFamily()
        let reply = try world.ask(
            "alice", "chat.send",
            #"{"group":"$family","text":"x","from":"bob","at":1,"kind":"left","name":"B"}"#)
        let message = try #require(reply["result"]?["message"])
        #expect(message.chatWords == "alice: x")
        #expect(message["at"]?.text == world.now.rfc3339)
    }

    // MARK: Order

    @Test func `Ids increase across clock changes and restarts`() throws {
        let world = try World.withFamily()
        try world.addGroup("Work", "alice")
        var said: [(id: String, at: String)] = []
        func say(_ number: Int) throws {
            let message = try world.say(
                "alice", "\(number)", in: number % 3 == 0 ? "work" : "family")
            said.append((message["id"]?.text ?? "", message["at"]?.text ?? ""))
        }
        for number in 0..<5 { try say(number) }
        world.sleep(seconds(-3600))
        for number in 5..<10 {
            try say(number)
            try world.restart()
            world.sleep(seconds(1))
        }
        world.sleep(seconds(7200))
        try say(10)
        let ids = said.map(\.id)
        #expect(ids == ids.sorted())
        #expect(Set(ids).count == 11)
        // The time is the server's, and correct.
        #expect(said[7].at == (Timestamp.morning + seconds(-3598)).rfc3339)
        let history = try world.history("bob", #","limit":3"#)
        #expect(history == ["alice: 10", "alice: 8", "alice: 7"])
    }

    @Test func `Ids increase even after the last message is deleted`() throws {
        for number in 0..<3 {
            let world = try World.withFamily()
            try world.addGroup("Work", "alice")
            let last: JSONValue
            switch number {
            case 0:
                last = try world.say("alice", "x", in: "work")
                try world.ask("alice", "group.leave", #"{"group":"$work"}"#)
            case 1:
                last = try world.say("alice", "x")
                world.sleep(.seconds(366 * 86_400))
                try world.sweep()
                #expect(try world.count("chat_messages") == 0)
            default:
                try world.send(world.status("alice", "offline"))
                try world.pass(.seconds(61))
                last = try #require(world.chat().last)
                #expect(last["kind"]?.text == "offline")
                try world.operate(.removeUser("alice"))
            }
            world.sleep(.seconds(-2 * 366 * 86_400))
            try world.restart()
            let said = try world.say("bob", "after")
            #expect(said["id"]?.text ?? "" > last["id"]?.text ?? "?")
        }
    }

    // MARK: Once

    @Test func `A repeated request is the same message, also after a crash`() throws {
        let world = try World.withFamily()
        let payload = #"{"id":"r1","group":"$family","text":"once"}"#
        let request = world.requestMessage("alice", "chat.send", payload)
        try world.crashAfterCommit(of: [request])
        let first = world.published().filter { $0.topic.hasSuffix("/replies") }
        // From the outbox before the crash, and the answer to the repeated request.
        #expect(Set(first.map(\.payload)).count == 1)
        try world.restart()
        _ = world.published()
        try world.send(world.requestMessage("alice", "chat.send", payload))
        #expect(world.published().last?.payload == first.last?.payload)
        #expect(try world.count("chat_messages", where: "kind = 'message'") == 1)
        #expect(world.chat().isEmpty)
    }

    @Test func `A request redelivered without an id is the same message`() throws {
        let world = try World.withFamily()
        let request = world.requestMessage("alice", "chat.send", #"{"group":"$family","text":"x"}"#)
        let first = try world.reply(to: request)
        world.sleep(seconds(5))
        try world.restart()
        #expect(try world.reply(to: request) == first)
        #expect(try world.count("chat_messages", where: "kind = 'message'") == 1)
    }

    @Test func `Unconfirmed messages are published again in order with the same ids`() throws {
        let world = try World.withFamily()
        try world.turn()
        world.confirms = false
        for number in 1...3 { try world.say("alice", "\(number)") }
        let first = world.chat()
        try world.restart()
        #expect(world.chat() == first)
        #expect(first.map(\.chatWords) == ["alice: 1", "alice: 2", "alice: 3"])
    }

    // MARK: History

    @Test(arguments: [1, 3, 29, 30, 31, 100])
    func `Paging lists every message once, the newest first`(_ limit: Int) throws {
        let world = try World.withFamily()
        for number in 0..<28 {
            world.sleep(seconds(0.2))
            try world.say(number % 2 == 0 ? "alice" : "bob", "\(number)")
        }
        var (pages, before): ([[JSONValue]], String) = ([], "")
        while pages.count < 100 {
            let (messages, next) = try world.page("bob", #","limit":\#(limit)\#(before)"#)
            pages.append(messages)
            guard let next else { break }
            #expect(messages.count == limit)
            #expect(messages.last?["id"]?.text == next)
            before = #","before":"\#(next)""#
        }
        let words = pages.joined().map(\.chatWords)
        // Alice had joined before him; both came online.
        #expect(words.count == 31)
        #expect(words.filter { $0.contains(":") }.prefix(2) == ["bob: 27", "alice: 26"])
        #expect(words.last == "bob joined")
        #expect(pages.flatMap { $0 } == (try world.page("bob", #","limit":100"#).messages))
    }

    @Test func `The longest messages fit into pages, and pages into replies`() throws {
        let world = try World.withFamily()
        let text = String(repeating: "👋", count: ChatText.maximumLength)
        for _ in 0..<7 {
            world.sleep(seconds(1))
            try world.say("alice", text)
        }
        var (count, before, pages) = (0, "", 0)
        repeat {
            let (messages, next) = try world.page("bob", #","limit":100\#(before)"#)
            count += messages.count { $0["text"]?.text == text }
            before = next.map { #","before":"\#($0)""# } ?? ""
            pages += 1
        } while before != ""
        #expect(count == 7)
        #expect(pages == 3)
    }

    @Test func `A new or returning member sees no messages from before joining`() throws {
        let world = try World.withFamily()
        try world.addUsers("carol")
        try world.letAdd("alice", "carol")
        try world.say("alice", "before")
        let add = #"{"group":"$family","user":"carol"}"#
        try world.ask("alice", "group.add", add)
        try world.say("alice", "with Carol")
        #expect(
            try world.history("carol") == ["carol online", "alice: with Carol", "carol joined"])
        try world.ask("carol", "group.leave", #"{"group":"$family"}"#)
        #expect(
            try world.outcome("carol", "chat.history", #"{"group":"$family"}"#) == "not-a-member")
        try world.say("alice", "between")
        try world.ask("alice", "group.add", add)
        #expect(try world.history("carol") == ["carol joined"])
        // Another member's cursor does not bypass it.
        let last = try #require(try world.page("alice").messages.first?["id"]?.text)
        #expect(try world.history("carol", #","before":"\#(last)""#) == [])
        #expect(try world.history("bob").contains("alice: between"))
    }

    @Test func `A removed member cannot read or write`() throws {
        let world = try World.withFamily()
        try world.say("bob", "mine")
        try world.ask("alice", "group.remove", #"{"group":"$family","user":"bob"}"#)
        for (method, more) in [("chat.history", ""), ("chat.send", #","text":"x""#)] {
            #expect(
                try world.outcome("bob", method, #"{"group":"$family"\#(more)}"#) == "not-a-member")
        }
        #expect(try world.history("alice").prefix(2) == ["bob left", "bob: mine"])
    }

    @Test func `A group's chat is deleted with the group`() throws {
        let world = try World.withFamily()
        try world.addGroup("Work", "alice")
        try world.say("alice", "x", in: "work")
        try world.say("alice", "y")
        try world.ask("alice", "group.leave", #"{"group":"$work"}"#)
        #expect(world.chat(of: "work").map(\.chatWords) == ["alice joined", "alice: x"])
        #expect(try world.count("chat_messages", where: "text = 'x'") == 0)
        #expect(try world.history("bob").first == "alice: y")
    }

    // MARK: Bounds

    @Test func `A user sends at most 10 messages in any second and delays no one else`() throws {
        let world = try World.withFamily()
        func send(_ who: Sender) throws -> String {
            try world.outcome(who, "chat.send", #"{"group":"$family","text":"x"}"#)
        }
        for _ in 1...5 { #expect(try send("alice") == "ok") }
        world.sleep(seconds(0.5))
        for _ in 1...5 { #expect(try send("alice/watch") == "ok") }
        #expect(try send("alice") == "too-many")
        #expect(try send("bob") == "ok")
        world.sleep(seconds(0.499))
        #expect(try send("alice") == "too-many")
        // The limit survives the end of the bridge.
        try world.blink()
        #expect(try send("alice") == "too-many")
        world.sleep(seconds(0.001))
        for _ in 1...5 { #expect(try send("alice") == "ok") }
        #expect(try send("alice") == "too-many")
        // A clock set back makes no one wait.
        world.sleep(seconds(-3600))
        for _ in 1...10 { #expect(try send("alice") == "ok") }
        #expect(try send("alice") == "too-many")
    }

    @Test func `A burst that failed with its turn is not counted`() throws {
        let faults = Faults()
        let world = try World.withFamily(wrap: { FailingDriver($0, faults) })
        let burst = (1...10).map {
            world.requestMessage(
                "alice", "chat.send", #"{"id":\#($0),"group":"$family","text":"x"}"#)
        }
        faults.failNextCommit = true
        #expect(throws: StoreError.self) { try world.turn(burst) }
        let replies = try world.turn(burst).filter { $0.topic.hasSuffix("/replies") }
        #expect(
            replies.map { JSONValue.read($0.payload).outcome } == Array(repeating: "ok", count: 10))
    }

    @Test func `A message is deleted after a year and not before`() throws {
        let world = try World.withFamily()
        try world.say("alice", "old")
        world.sleep(.seconds(364 * 86_400))
        try world.say("alice", "new")
        try world.sweep()
        #expect(try world.history("bob").contains("alice: old"))
        world.sleep(.seconds(2 * 86_400))
        try world.sweep()
        #expect(try world.history("bob") == ["alice: new"])
    }

    @Test func `A message written after a clock jump expires by its own time`() throws {
        let world = try World.withFamily()
        world.sleep(.seconds(20 * 365 * 86_400))
        try world.say("alice", "from the future")
        world.sleep(.seconds(-20 * 365 * 86_400))
        try world.say("alice", "now")
        world.sleep(.seconds(366 * 86_400))
        try world.sweep()
        #expect(try world.history("bob") == ["alice: from the future"])
    }
}

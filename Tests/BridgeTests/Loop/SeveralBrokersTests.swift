import Clocks
import Contract
import Logging
import MQTT
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Two brokers, each with a connection of its own.
struct SeveralBrokersTests {
    private let world: World
    private let turnLoop: TurnLoop
    private let links = [ScriptedLink(), ScriptedLink()]
    private let alice = ConnectionReport.Party.device("phone", of: "alice")
    private let bob = ConnectionReport.Party.device("phone", of: "bob")

    init() throws {
        var settings = BridgeSettings()
        settings.broker.all = try #require(
            BridgeSettings.Broker.addresses("mqtt://a.example, mqtts://b.example"))
        settings.broker.autosaveInterval = .seconds(1)
        world = try World.withFamily(settings)
        try world.turn()
        turnLoop = TurnLoop(
            world.engine, world.settings,
            logger: Logger(label: "turns", factory: { _ in SwiftLogNoOpLogHandler() }))
        for (number, link) in links.enumerated() {
            try turnLoop.begin(link, at: moment(0), broker: number)
            _ = link.takeSent()
        }
    }

    private func moment(_ second: Int) -> ClockReading {
        ClockReading(wall: world.now + .seconds(second), steady: .seconds(100 + second))
    }

    private func rounds(_ seconds: ClosedRange<Int>) throws {
        for second in seconds { try turnLoop.round(at: moment(second)) }
    }

    private func call() -> Message { world.requestMessage("alice", "sos.trigger", "{}") }

    private func hasAlert(_ link: ScriptedLink) -> Bool {
        link.takeSent().contains { $0.topic.hasSuffix("/alerts") }
    }

    // MARK: Publications

    @Test func `Every broker receives what is published, and what came from one is answered`()
        throws
    {
        links[1].incoming = [call()]
        try turnLoop.round(at: moment(1))
        #expect(links.allSatisfy(hasAlert))
    }

    @Test func `A row is deleted when both brokers have saved it`() throws {
        links[1].answer = { $0.outboxRow == nil ? .confirms : .waits }
        links[0].incoming = [call()]
        try rounds(1...30)
        let waiting = try world.count("outbox")
        #expect(waiting > 0)
        links[1].confirmWaiting()
        try rounds(31...60)
        #expect(try world.count("outbox") == 0)
    }

    @Test func `A lost broker receives later what it has not saved`() throws {
        turnLoop.lose(broker: 1)
        links[0].incoming = [call()]
        try rounds(1...30)
        #expect(hasAlert(links[0]))
        #expect(try world.count("outbox") > 0)
        let back = ScriptedLink()
        try turnLoop.begin(back, at: moment(31), broker: 1)
        #expect(hasAlert(back))
        #expect(!hasAlert(links[0]))
        try rounds(31...60)
        #expect(try world.count("outbox") == 0)
        // It has everything: nothing is sent again.
        turnLoop.lose(broker: 1)
        let again = ScriptedLink()
        try turnLoop.begin(again, at: moment(61), broker: 1)
        #expect(!hasAlert(again))
    }

    @Test func `Rows wait for a lost broker only for a while`() throws {
        turnLoop.lose(broker: 1)
        links[0].incoming = [call()]
        try rounds(1...30)
        func rows() throws -> Set<Int64> {
            Set(try world.engine.outbox().publications.compactMap(\.outboxRow))
        }
        let waiting = try rows()
        #expect(!waiting.isEmpty)
        let patience = Int(BridgeSettings.brokerPatience / .seconds(1))
        try rounds(patience - 10...patience - 5)
        #expect(try rows().isSuperset(of: waiting))
        // Alerts of the SOS have been repeated since.
        try rounds(patience...patience + 30)
        #expect(try rows().isDisjoint(with: waiting))
    }

    @Test func `A broker that fails takes nothing with it`() throws {
        links[1].report(.disconnected(.silence))
        links[0].incoming = [call()]
        try rounds(1...3)
        #expect(hasAlert(links[0]))
        #expect(turnLoop.brokers[1].failure == .silence)
        links[0].report(.disconnected(.silence))
        #expect(throws: MQTTError.self) { try turnLoop.round(at: moment(4)) }
    }

    @Test func `A broker whose socket accepts nothing is waited for no longer`() throws {
        links[1].isStuck = true
        links[0].incoming = [call()]
        try rounds(1...2)
        links[0].incoming = [world.fixMessage("alice", TestFix(3, ago: 1))]
        _ = links[1].takeSent()
        try rounds(3...4)
        #expect(hasAlert(links[0]))
        #expect(links[1].takeSent().isEmpty)
        links[1].isStuck = false
        try rounds(5...7)
        #expect(links[1].takeSent().contains { $0.topic.hasSuffix("/members/alice") })
    }

    @Test func `A broker with too long a queue is connected to again, and holds up nobody`()
        throws
    {
        links[1].hasRoom = false
        for _ in 0...BridgeSettings.maximumWaiting {
            try turnLoop.publish([Publication(topic: "t", payload: [1], qos: .atLeastOnce)])
        }
        #expect(turnLoop.brokers[1].isRestarting)
        #expect(turnLoop.brokers[0].isTaking)
        links[0].incoming = [call()]
        try rounds(1...2)
        #expect(hasAlert(links[0]))
        turnLoop.lose(broker: 1)
        let again = ScriptedLink()
        try turnLoop.begin(again, at: moment(3), broker: 1)
        #expect(turnLoop.brokers[1].isTaking)
        #expect(hasAlert(again))
    }

    @Test func `A large backlog for one broker does not have it connected to again and again`()
        throws
    {
        turnLoop.lose(broker: 1)
        try world.store.transaction { transaction in
            for number in 0..<BridgeSettings.maximumWaiting + 600 {
                _ = try transaction.insertOutgoing(
                    topic: "t\(number)", payload: [], correlationData: nil)
            }
        }
        let back = ScriptedLink()
        back.hasRoom = false
        try turnLoop.begin(back, at: moment(1), broker: 1)
        try rounds(1...3)
        #expect(turnLoop.brokers[1].isTaking)
        back.hasRoom = true
        try rounds(4...5)
        #expect(back.takeSent().count > BridgeSettings.maximumWaiting)
    }

    // MARK: Rights

    /// A gate that answers when the test has it do so.
    private final class Gate: QuestionConnection {
        var answer: Bool?
        private(set) var asked: [String] = []

        func send(_ question: Publication) throws(MQTTError) -> Connection.PublishID {
            asked.append(String(decoding: question.payload, as: UTF8.self))
            return Connection.PublishID(rawValue: Int32(asked.count))
        }

        func answer(to id: Connection.PublishID) throws(MQTTError) -> Bool? {
            Int(id.rawValue) == asked.count ? answer : nil
        }
    }

    @Test func `A broker whose gate answers late receives everything then, and nothing before`()
        throws
    {
        let (gate, back) = (Gate(), ScriptedLink())
        turnLoop.lose(broker: 1)
        links[0].incoming = [call()]
        try rounds(1...2)
        turnLoop.brokers[1].publisher.rightsCheck = RightsCheck(
            TopicSpace(), gate, awaiting: 0)
        try turnLoop.begin(back, at: moment(3), broker: 1)
        try rounds(3...4)
        #expect(back.takeSent().isEmpty)
        let newest = try world.engine.newestAccessChange()
        #expect(gate.asked.last == "\(newest)")
        gate.answer = true
        try rounds(5...6)
        #expect(turnLoop.brokers[1].isTaking)
        #expect(hasAlert(back))
    }

    @Test func `A broker that is held for too long gets everything over its next connection`()
        throws
    {
        let (gate, back) = (Gate(), ScriptedLink())
        turnLoop.lose(broker: 1)
        turnLoop.brokers[1].publisher.rightsCheck = RightsCheck(
            TopicSpace(), gate, awaiting: 0)
        try turnLoop.begin(back, at: moment(1), broker: 1)
        for _ in 0...BridgeSettings.maximumWaiting {
            try turnLoop.publish([Publication(topic: "t", payload: [1], qos: .atLeastOnce)])
        }
        links[0].incoming = [call()]
        try rounds(1...2)
        #expect(hasAlert(links[0]))
        #expect(!turnLoop.brokers[1].isRestarting)
        gate.answer = true
        try rounds(3...4)
        #expect(turnLoop.brokers[1].isRestarting)
        #expect(back.takeSent().isEmpty)
        turnLoop.lose(broker: 1)
        let again = ScriptedLink()
        turnLoop.brokers[1].publisher.rightsCheck = RightsCheck(
            TopicSpace(), gate, awaiting: 0)
        try turnLoop.begin(again, at: moment(5), broker: 1)
        try rounds(5...6)
        #expect(hasAlert(again))
    }

    @Test func `A slow broker defers no timers at the others`() throws {
        links[1].unanswered = 400
        try world.send(world.fixMessage("alice", TestFix(3, ago: 1)))
        #expect(turnLoop.brokers.map(\.unanswered) == [0, 400])
        links[0].incoming = [call()]
        try turnLoop.round(at: moment(1))
        _ = links[0].takeSent()
        // The repetition of the alert.
        let repeats = Int(world.settings.rules.repeatAfter / .seconds(1))
        for second in (repeats - 1)...(repeats + 3) { try turnLoop.round(at: moment(second)) }
        #expect(hasAlert(links[0]))
    }

    @Test func `A row that only one broker rejects reaches the others`() throws {
        links[1].answer = { $0.topic.hasSuffix("/alerts") ? .refuses : .confirms }
        turnLoop.lose(broker: 0)
        links[1].incoming = [call()]
        try rounds(1...2)
        #expect(!turnLoop.brokers[1].publisher.delivery.putAside.isEmpty)
        let back = ScriptedLink()
        try turnLoop.begin(back, at: moment(3), broker: 0)
        try rounds(3...4)
        #expect(hasAlert(back))
    }

    @Test func `An answer to a request of unknown origin goes to every broker`() throws {
        var request = world.requestMessage("alice", "group.list", "{}")
        #expect(try world.turn([request]).filter(\.isDirectAnswer).map(\.broker) == [nil])
        request = world.requestMessage("alice", "group.list", "{}")
        request.broker = 1
        #expect(try world.turn([request]).filter(\.isDirectAnswer).map(\.broker) == [1])
    }

    @Test func `An answer to a guest is published only to the guest's broker`() throws {
        let guest = try #require(ClientID("guest"))
        var request = world.message(
            .guestRequest(guest, method: Method.health.name), #"{"id":1}"#)
        request.broker = 1
        links[1].incoming = [request]
        try rounds(1...2)
        let answers = links.map { link in
            link.takeSent().count { $0.topic.contains("/guests/guest/replies") }
        }
        #expect(answers == [0, 1])
    }

    @Test func `Barriers are returned to the broker that they came from`() throws {
        links[1].incoming = [
            world.fixMessage("alice", TestFix(3, ago: 1)),
            Message(
                topic: TopicSpace().barrier(.stream), payload: Array("7.1".utf8),
                qos: .atLeastOnce),
        ]
        try turnLoop.round(at: moment(1))
        let returned = links.map { link in
            link.takeSent().count { $0.topic.contains("/committed/") }
        }
        #expect(returned == [0, 1])
    }

    // MARK: Connections

    private func report(_ report: ConnectionReport, _ broker: Int) -> Message {
        var message = world.message(.connections, String(decoding: report.payload, as: UTF8.self))
        message.broker = broker
        return message
    }

    private func isConnected(_ name: Name) throws -> Bool {
        let person = try #require(world.engine.memory.account(name))
        return try person.tracker.isConnected(#require(person.devices.first).id)
    }

    @Test func `Devices stay connected until all brokers have listed their connections`() throws {
        try world.send(report(.connected(alice), 0), report(.connected(bob), 1))
        try world.send(report(.all([alice], isFirst: true, isLast: true), 0))
        #expect(try isConnected("bob"))
        try world.send(report(.all([], isFirst: true, isLast: true), 1))
        #expect(try isConnected("alice"))
        #expect(try !isConnected("bob"))
    }

    @Test(arguments: [[0, 1], [1, 0]])
    func `A device that moves stays connected, whatever is reported first`(_ order: [Int]) throws {
        for broker in 0...1 {
            try world.send(report(.all([], isFirst: true, isLast: true), broker))
        }
        try world.send(report(.connected(alice), 0))
        let moves = [report(.disconnected(alice), 0), report(.connected(alice), 1)]
        _ = try world.turn(order.map { moves[$0] })
        #expect(try isConnected("alice"))
        try world.send(report(.disconnected(alice), 1))
        #expect(try !isConnected("alice"))
    }

    @Test func `Devices of a lost broker are disconnected when they had time to move`() throws {
        for (broker, party) in [alice, bob].enumerated() {
            links[broker].incoming = [
                report(.all([party], isFirst: true, isLast: true), broker)
            ]
        }
        try rounds(1...2)
        turnLoop.lose(broker: 1)
        let moving = Int(BridgeSettings.movingFor / .seconds(1))
        try rounds(3...3 + moving - 1)
        #expect(try isConnected("bob"))
        try rounds(3 + moving...5 + moving)
        #expect(try isConnected("alice"))
        #expect(try !isConnected("bob"))
        turnLoop.findConcerns(at: world.now)
        #expect(turnLoop.concerns.list.contains(.brokerLost))
    }

    // MARK: Settings

    @Test(arguments: [
        ("mqtt://a", ["a:1883"]), ("mqtts://a, mqtts://b:1/", ["a:8883", "b:1"]),
        ("mqtt://[2001:db8::1]:7,mqtt://10.0.0.1", ["[2001:db8::1]:7", "10.0.0.1:1883"]),
        ("", nil), ("a:1883", nil), ("mqtt://a,", nil), ("mqtt://a,mqtts://a:1883", nil),
        ("mqtt://u:p@a", nil), ("http://a", nil), ("mqtt://a/x", nil), ("mqtt://a:0", nil),
        ("mqtt://a:70000", nil), ("mqtt://", nil),
    ])
    func `A list of brokers has addresses only`(_ text: String, _ expected: [String]?) {
        #expect(BridgeSettings.Broker.addresses(text)?.map(\.description) == expected)
    }

    @Test func `The number of brokers is bounded`() {
        let all = (0..<BridgeSettings.maximumBrokers).map { "mqtt://a\($0)" }
        #expect(BridgeSettings.Broker.addresses(all.joined(separator: ",")) != nil)
        #expect(BridgeSettings.Broker.addresses((all + ["mqtt://z"]).joined(separator: ",")) == nil)
    }
}

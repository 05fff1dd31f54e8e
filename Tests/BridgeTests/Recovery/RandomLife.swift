import Contract
import MQTT
import TestSupport
import Tracking

@testable import Bridge

/// People who act at random: they move, share, travel, call for help, join and leave, fall silent
/// and come back; with phones that send duplicate, late and invalid messages.
struct RandomLife {
    private var random: SplitMix64
    private let users: [Name] = ["alice", "bob", "carol", "dave"]
    private var places: [Sender: Int] = [:]
    private var numbers: [Sender: Int64] = [:]
    private var requests = 0
    /// Some of the messages sent, to be sent again.
    private var old: [Message] = []

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// The people of these tests, two of whom look at a map.
    static func world(_ faults: Faults? = nil) throws -> World {
        let world = try World { driver in faults.map { FailingDriver(driver, $0) } ?? driver }
        try world.addUsers("alice", "bob", "carol", "dave")
        try world.addGroup("Family", "alice", "bob", "carol")
        try world.addGroup("Work", "carol", "alice", "dave")
        return world
    }

    /// How long nothing happens.
    mutating func pause() -> Duration {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<70: .milliseconds(Int64.random(in: 100...20_000, using: &random))
        case 70..<97: .milliseconds(Int64.random(in: 20_000...120_000, using: &random))
        default: .milliseconds(Int64.random(in: 120_000...2_000_000, using: &random))
        }
    }

    /// Returns true with the given probability, in percent.
    mutating func happens(_ chance: Int) -> Bool {
        Int.random(in: 0..<100, using: &random) < chance
    }

    /// The messages of one turn.
    mutating func batch(in world: World) -> [Message] {
        (0..<Int.random(in: 1...5, using: &random)).map { _ in message(in: world) }
    }

    private mutating func message(in world: World) -> Message {
        let user = users.randomElement(using: &random) ?? "alice"
        let phone = Sender("\(user)/phone")
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<55: return remember(fix(phone, in: world))
        case 55..<60: return remember(fix(Sender("\(user)/watch"), in: world))
        case 60..<64: return app(user, in: world)
        case 64..<69: return world.status(phone, happens(50) ? "online" : "offline")
        case 69..<72: return world.fixMessage(phone, "{}")
        case 72..<78: return old.randomElement(using: &random) ?? world.fixMessage(phone, "[]")
        default: return request(phone, in: world)
        }
    }

    private mutating func remember(_ message: Message) -> Message {
        if old.count < 200 {
            old.append(message)
        } else {
            old[Int.random(in: 0..<200, using: &random)] = message
        }
        return message
    }

    /// Mostly live, sometimes old, sometimes several, sometimes with a wrong clock.
    private mutating func fix(_ sender: Sender, in world: World) -> Message {
        let fixes = (0..<(happens(15) ? 5 : 1)).map { _ in
            places[sender, default: 0] += Int.random(in: -20...40, using: &random)
            numbers[sender, default: 0] += 1
            var seconds = Double.random(in: 0...3, using: &random)
            if happens(10) { seconds = Double.random(in: 0...7200, using: &random) }
            if happens(3) { seconds = -90 }
            return TestFix(
                max(0, places[sender, default: 0]), ago: seconds,
                accuracy: happens(30) ? 12 : nil,
                seq: sender.device == "phone" ? numbers[sender] : nil
            ).json(at: world.now)
        }
        let list = fixes.joined(separator: ",")
        return world.fixMessage(sender, fixes.count > 1 ? "[\(list)]" : list)
    }

    private mutating func app(_ user: Name, in world: World) -> Message {
        let mark = happens(5) ? #","poi":"SOS""# : ""
        let payload =
            happens(80)
            ? Phone.location(Int.random(in: 0...500, using: &random), at: world.now, mark)
            : #"{"_type":"lwt"}"#
        return world.ownTracks(Sender("\(user)/app"), payload)
    }

    private func friendRequests(_ other: Name) -> [(method: String, payload: String)] {
        let fix = TestFix(11).json(at: .morning)
        return [
            ("friend.add", #""user":"\#(other)""#), ("friend.add", #""user":"\#(other)""#),
            ("friend.share", #""with":"all""#), ("friend.share", #""with":["\#(other)"]"#),
            ("friend.share", #""with":"all","fix":\#(fix)"#),
            ("friend.unshare", #""with":["\#(other)"]"#),
            ("friend.remove", #""user":"\#(other)""#), ("location.off", #""x":0"#),
            ("friend.block", #""user":"\#(other)""#), ("friend.unblock", #""user":"\#(other)""#),
            ("friend.nearby", #""radius":500"#), ("sharing.list", #""x":0"#),
        ]
    }

    private mutating func request(_ sender: Sender, in world: World) -> Message {
        let group = happens(50) ? "$family" : "$work"
        let groups = happens(30) ? #""all""# : #"["\#(group)"]"#
        let other = users.randomElement(using: &random) ?? "bob"
        let eta = world.now.milliseconds + Int64.random(in: 30_000...900_000, using: &random)
        let alert = world.names.lastAlert
        var choices: [(method: String, payload: String)] = [
            ("sharing.start", #""groups":\#(groups)"#), ("sharing.start", #""groups":"all""#),
            ("sharing.stop", #""groups":\#(groups)"#),
            (
                "journey.start",
                #""groups":\#(groups),"destination":{\#(Meridian.json(400))},"eta":\#(eta)"#
            ),
            (
                "journey.start",
                #""groups":\#(groups),"destination":{\#(Meridian.json(90_000))},"eta":\#(eta)"#
            ),
            ("journey.start", #""extend":true,"eta":\#(eta)"#), ("journey.stop", #""x":0"#),
            ("sos.trigger", #""fix":\#(TestFix(7).json(at: world.now))"#), ("sos.stop", #""x":0"#),
            ("sos.stop", #""x":0"#), ("group.add", #""group":"\#(group)","user":"\#(other)""#),
            ("group.add", #""group":"\#(group)","user":"\#(other)""#),
            ("group.remove", #""group":"\#(group)","user":"\#(other)""#),
            ("group.leave", #""group":"\#(group)""#),
            ("group.rename", #""group":"\#(group)","name":"N\#(requests)""#),
            ("alert.acknowledge", #""alert":"\#(alert)""#),
            ("chat.send", #""group":"\#(group)","text":"T\#(requests)""#),
            ("chat.send", #""group":"\#(group)","text":"T\#(requests)""#),
            ("chat.history", #""group":"\#(group)","limit":3"#),
            ("members.get", #""group":"\#(group)""#), ("alert.list", #""group":"\#(group)""#),
            ("path.get", #""group":"\#(group)","user":"\#(other)""#), ("group.list", #""x":0"#),
        ]
        choices += friendRequests(other)
        let choice = choices[Int.random(in: 0..<choices.count, using: &random)]
        requests += 1
        return world.requestMessage(
            sender, choice.method, "{\"id\":\(requests),\(choice.payload)}")
    }
}

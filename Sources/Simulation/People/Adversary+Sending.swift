import Contract
import MQTT
import Tracking

extension Adversary {
    private var chance: Chance { world.chance }

    // MARK: Sizes

    /// Returns the rest of a topic after `…/replies`, with any number of levels.
    func depth() -> String {
        let levels = chance.pick([0, 1, 50, 180, 195, 205, 235]) ?? 0
        return String(repeating: "/a", count: levels)
    }

    func data(atMost limit: Int) -> [UInt8]? {
        guard let length = chance.pick([nil, 0, 16, 1_000, 5_000, 30_000, 65_000, 65_535])
        else { return nil }
        let number = world.nextNumber()
        return length.map {
            [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: min($0, limit))
        }
    }

    func filter() -> String {
        let levels = chance.number(1...250)
        let level = chance.pick(["+", "a", "kith", "$SYS", ""]) ?? "a"
        return chance.pick([
            "#", "kith/#", own("#"), own("replies/#"), "owntracks/\(user)/#",
            Array(repeating: level, count: levels).joined(separator: "/"),
        ]) ?? "#"
    }

    // MARK: Requests

    /// Sends a request whose reply is hard to deliver.
    func demand() {
        let group = chance.pick(groups)?.text ?? "none"
        let choices = [
            ("account.export", "{}"), ("account.get", "{}"), ("group.list", "{}"),
            ("chat.history", #"{"group":"\#(group)","limit":100}"#),
            ("members.get", #"{"group":"\#(group)"}"#),
            ("path.get", #"{"group":"\#(group)","user":"\#(user)"}"#),
        ]
        let (method, body) = chance.pick(choices) ?? choices[0]
        send(
            Message(
                topic: own("requests/\(method)"), payload: Array(body.utf8),
                responseTopic: own("replies") + depth(), correlationData: data(atMost: .max)))
    }

    func ask() {
        let number = world.nextNumber()
        let group = chance.pick(groups)?.text ?? "none"
        let choices = [
            ("group.create", #""name":"M\#(number)""#), ("sharing.start", #""groups":"all""#),
            (
                "journey.start",
                #""groups":"all","eta":\#(world.wall.milliseconds + 900_000),"#
                    + #""destination":{"latitude":10,"longitude":10,"name":"M\#(number)"}"#
            ),
            ("journey.stop", #""x":0"#), ("group.leave", #""group":"\#(group)""#),
            ("sharing.stop", #""groups":["\#(group)"]"#), ("location.off", #""x":0"#),
        ]
        let (method, body) = chance.pick(choices) ?? choices[0]
        send(
            Message(
                topic: own("requests/\(method)"),
                payload: Array("{\"id\":\(number),\(body)}".utf8)))
    }

    func emergencies() {
        for _ in 0..<chance.number(1...10) {
            for method in ["sos.trigger", "sos.stop"] {
                send(Message(topic: own("requests/\(method)"), payload: Array("{}".utf8)))
            }
        }
    }

    /// Sends a chat message of the maximum length.
    func talk() {
        guard let group = chance.pick(groups) else { return }
        let text = String(repeating: "m", count: chance.pick([1, 400, 4_000]) ?? 1)
        for _ in 0..<chance.number(1...12) {
            send(
                Message(
                    topic: own("requests/chat.send"),
                    payload: Array(#"{"group":"\#(group)","text":"\#(text)"}"#.utf8)))
        }
    }

    // MARK: Fixes

    /// Sends late fixes, or something that is not a fix at all.
    func upload() {
        let count = chance.pick([1, 10, 200, 1_000]) ?? 1
        let start = world.wall - chance.milliseconds(0...7_200_000)
        let elements = (0..<count).map { number in
            chance.happens(50)
                ? "{}"
                : #"{"latitude":10.1,"longitude":10,"timestamp":\#(start.milliseconds + Int64(number))}"#
        }
        send(
            Message(
                topic: own("fix"),
                payload: Array("[\(elements.joined(separator: ","))]".utf8)))
    }

    func spell() {
        let name = "phone".map { chance.happens(50) ? $0.uppercased() : String($0) }.joined()
        let text =
            #"{"_type":"location","lat":10.1,"lon":10,"tst":\#(world.wall.milliseconds / 1000)}"#
        send(
            Message(
                topic: "owntracks/\(user)/\(name)", payload: Array(text.utf8),
                retain: chance.happens(70)))
    }

    // MARK: Anything

    func flood() {
        let message = nonsense()
        for _ in 0..<(chance.pick([20, 20, 20, 200, 1_200]) ?? 20) { send(message) }
    }

    func nonsense() -> Message {
        let topic = chance.pick([
            own("fix"), own("status"), own("unheard-of"), own("requests/no.such"), own("replies"),
            own("requests/sos.trigger"), "owntracks/\(user)/phone", "kith/system/status",
            "kith/bridge/marker", "kith/groups/\(chance.pick(groups)?.text ?? "none")/chat",
            "a" + String(repeating: "/a", count: chance.number(0...250)),
        ])
        let length = chance.pick([0, 1, 500, 20_000, 65_536, 69_000, 80_000]) ?? 0
        let byte = UInt8(truncatingIfNeeded: chance.number(0...255))
        return Message(
            topic: topic ?? own("fix"), payload: [UInt8](repeating: byte, count: length),
            qos: chance.happens(70) ? .atLeastOnce : .atMostOnce, retain: chance.happens(20),
            responseTopic: chance.happens(30) ? own("replies") + depth() : nil,
            correlationData: chance.happens(30) ? data(atMost: .max) : nil)
    }
}

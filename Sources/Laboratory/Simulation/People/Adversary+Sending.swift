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
            "#", "kith/#", own("#"), own("replies/#"),
            chance.pick(world.targets(user).filters) ?? "#",
            Array(repeating: level, count: levels).joined(separator: "/"),
        ]) ?? "#"
    }

    // MARK: Requests

    /// Sends a request whose reply is hard to deliver.
    func demand() {
        guard let ask = chance.pick(world.life.adversaryAsks(reading: true)),
            let fields = ask.fields(self)
        else { return }
        send(
            Message(
                topic: own("requests/\(ask.method)"),
                payload: Array("{\(numbered(fields))}".utf8),
                responseTopic: own("replies") + depth(), correlationData: data(atMost: .max)))
    }

    /// Requests a change.
    func ask() {
        guard let ask = chance.pick(world.life.adversaryAsks(reading: false)),
            let fields = ask.fields(self)
        else { return }
        let number = world.nextNumber()
        let members = fields.isEmpty ? "" : "," + fields.replacing("#", with: "\(number)")
        send(
            Message(
                topic: own("requests/\(ask.method)"),
                payload: Array("{\"id\":\(number)\(members)}".utf8)))
    }

    func numbered(_ fields: String) -> String {
        fields.contains("#") ? fields.replacing("#", with: "\(world.nextNumber())") : fields
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

    // MARK: Anything

    func flood() {
        let message = nonsense()
        for _ in 0..<(chance.pick([20, 20, 20, 200, 1_200]) ?? 20) { send(message) }
    }

    func nonsense() -> Message {
        let topics: [String?] = [
            own("fix"), own("status"), own("unheard-of"), own("requests/no.such"), own("replies"),
            own("requests/\(chance.pick(world.life.asks)?.method ?? "none")"),
            chance.pick(world.targets(user).topics), "kith/system/status", "kith/bridge/marker",
            "a" + String(repeating: "/a", count: chance.number(0...250)),
        ]
        let topic = chance.pick(topics) ?? nil
        let length = chance.pick([0, 1, 500, 20_000, 65_536, 69_000, 80_000]) ?? 0
        let byte = UInt8(truncatingIfNeeded: chance.number(0...255))
        return Message(
            topic: topic ?? own("fix"), payload: [UInt8](repeating: byte, count: length),
            qos: chance.happens(70) ? .atLeastOnce : .atMostOnce, retain: chance.happens(20),
            responseTopic: chance.happens(30) ? own("replies") + depth() : nil,
            correlationData: chance.happens(30) ? data(atMost: .max) : nil)
    }
}

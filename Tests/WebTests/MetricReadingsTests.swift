import Contract
import HTTPTypes
import JSON
import MQTT
import Testing

@testable import Web

/// What `/metrics` answers, from what the broker has sent.
struct MetricReadingsTests {
    private var readings = MetricReadings()
    private let box = Box()

    private final class Box {
        var answers: [String] = []
    }

    private mutating func tell(
        _ topic: String, _ payload: String, retain: Bool = false, at second: Int = 0
    ) {
        readings.take(
            Message(topic: "kith/system/\(topic)", payload: Array(payload.utf8), retain: retain),
            TopicSpace(), at: .seconds(second))
    }

    private mutating func read(at second: Int) {
        readings.read(at: .seconds(second), until: .seconds(second + 5)) { [box] result in
            switch result {
            case .success(let values):
                box.answers.append(
                    values.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
                        .joined(separator: ", "))
            case .failure(let refusal):
                let problem = JSONValue(parsing: refusal.body)
                box.answers.append("\(refusal.status.code) \(problem?.text("detail") ?? "?")")
            }
        }
    }

    /// The answers since the last call.
    private func answers() -> [String] {
        defer { box.answers = [] }
        return box.answers
    }

    private mutating func begin(_ status: String = "online") {
        readings.begin(at: .zero)
        tell("metrics/fixes", "3", retain: true)
        tell("metrics/uptime-seconds", "70", retain: true)
        tell("status", #"{"status":"\#(status)","reason":"disk-full"}"#, retain: true)
    }

    @Test mutating func `Whoever comes first waits until everything retained has come`() {
        readings.begin(at: .zero)
        read(at: 0)
        tell("metrics/fixes", "3", retain: true)
        read(at: 0)
        #expect(answers().isEmpty && readings.count == 2)
        tell("status", #"{"status":"online"}"#, retain: true)
        #expect(answers() == ["fixes 3.0", "fixes 3.0"])
    }

    @Test mutating func `Then the latest values are there at once`() {
        begin()
        tell("metrics/fixes", "4", at: 10)
        tell("metrics/uptime-seconds", "80", at: 10)
        read(at: 11)
        #expect(answers() == ["fixes 4.0, uptime-seconds 80.0"])
        tell("metrics/fixes", "", at: 12)
        read(at: 12)
        #expect(answers() == ["uptime-seconds 80.0"])
    }

    @Test mutating func `A bridge that is away, or cannot store, has no values`() {
        begin("offline")
        read(at: 1)
        #expect(answers() == ["503 The bridge is not connected."])
        begin("degraded")
        read(at: 1)
        #expect(answers() == ["503 The bridge cannot store anything (disk-full)."])
        tell("status", #"{"status":"online"}"#, at: 600)
        read(at: 600)
        #expect(answers().first?.hasPrefix("fixes") == true)
        tell("status", #"{"status":"offline"}"#, at: 601)
        read(at: 601)
        #expect(answers() == ["503 The bridge is not connected."])
    }

    @Test mutating func `Nor has one that reports nothing any more, whatever the gate reports`() {
        begin()
        tell("metrics/uptime-seconds", "80", at: 10)
        tell("metrics/gate-connections", "7", at: 50)
        read(at: 45)
        #expect(answers().first?.hasPrefix("fixes") == true)
        read(at: 46)
        #expect(answers() == ["503 The bridge has reported nothing for 36 seconds."])
        tell("metrics/uptime-seconds", "120", at: 50)
        read(at: 51)
        #expect(answers().first?.hasPrefix("fixes") == true)
    }

    @Test mutating func `If no bridge has ever been here, that is told in time`() {
        readings.begin(at: .zero)
        read(at: 1)
        readings.expire(at: .seconds(5))
        #expect(answers().isEmpty)
        readings.expire(at: .seconds(6))
        #expect(answers() == ["503 No bridge has connected yet."])
        #expect(readings.count == 0)
    }

    @Test mutating func `After a broken connection nothing of before is told`() {
        begin()
        readings.begin(at: .seconds(20))
        read(at: 20)
        #expect(answers().isEmpty)
        readings.fail(.noBroker)
        #expect(answers().first?.hasPrefix("503 The broker") == true)
    }
}

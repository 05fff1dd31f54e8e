import Contract
import HTTPTypes
import JSON
import MQTT
import Testing

@testable import Web

/// The answers of `/metrics`, from what the broker has sent.
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
            case .success(let reading):
                var words = reading.values.sorted { $0.key < $1.key }.map {
                    "\($0.key) \($0.value)"
                }
                words += reading.reasonForDegradation.map { ["because of \($0)"] } ?? []
                if !reading.isVerified { words.append("for a stranger") }
                box.answers.append(words.joined(separator: ", "))
            case .failure(let refusal): box.answers.append("\(refusal.status.code)")
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

    @Test mutating func `The first readers wait until every retained message has arrived`() {
        readings.begin(at: .zero)
        read(at: 0)
        tell("metrics/fixes", "3", retain: true)
        read(at: 0)
        #expect(answers().isEmpty && readings.count == 2)
        tell("status", #"{"status":"online"}"#, retain: true)
        #expect(answers() == ["fixes 3.0", "fixes 3.0"])
    }

    @Test mutating func `Later readers get the latest values immediately`() {
        begin()
        tell("metrics/fixes", "4", at: 10)
        tell("metrics/uptime-seconds", "80", at: 10)
        read(at: 11)
        #expect(answers() == ["fixes 4.0, uptime-seconds 80.0"])
        tell("metrics/fixes", "", at: 12)
        read(at: 12)
        #expect(answers() == ["uptime-seconds 80.0"])
    }

    @Test mutating func `Only the gate's values remain if the bridge is away or cannot store`() {
        begin("offline")
        tell("metrics/gate-connections", "7")
        read(at: 1)
        #expect(answers() == ["gate-connections 7.0"])
        begin("degraded")
        read(at: 1)
        #expect(answers() == ["because of disk-full"])
        // A bridge that stores calls, and has reported nothing since, has none either.
        tell("status", #"{"status":"degraded","reason":"disk-full","calls":true}"#)
        read(at: 36)
        #expect(answers() == ["because of disk-full"])
        tell("status", #"{"status":"online"}"#, at: 600)
        read(at: 600)
        #expect(answers() == ["fixes 3.0, uptime-seconds 70.0"])
        tell("status", #"{"status":"offline"}"#, at: 601)
        read(at: 601)
        #expect(answers() == [""])
    }

    /// It warns of the disk, and must continue to when the disk is full.
    @Test mutating func `A bridge that stores only calls for help continues to report`() {
        begin("online")
        tell("status", #"{"status":"degraded","reason":"disk-full","calls":true}"#, at: 10)
        tell("metrics/disk-low", "1", at: 11)
        read(at: 12)
        #expect(
            answers() == ["disk-low 1.0, fixes 3.0, uptime-seconds 70.0, because of disk-full"])
    }

    @Test(arguments: [
        (#"{"result":{"storing":true}}"#, Health.Finding.well),
        (#"{"result":{"storing":false,"calls":true}}"#, .sparing),
        (#"{"result":{"storing":false}}"#, .noBridge),
        (#"{"problem":{"type":"urn:kith:problem:too-many-attempts"}}"#, .noBridge),
        ("", .noBridge),
    ])
    func `The bridge's health response decides the finding`(answer: String, finding: Health.Finding)
    {
        #expect(Health.found(in: Array(answer.utf8)).finding == finding)
    }

    @Test mutating func `Only the gate's values remain if the bridge stops reporting`() {
        begin()
        tell("metrics/uptime-seconds", "80", at: 10)
        tell("metrics/gate-connections", "7", at: 50)
        read(at: 45)
        #expect(answers().first?.hasPrefix("fixes") == true)
        read(at: 46)
        #expect(answers() == ["gate-connections 7.0"])
        tell("metrics/uptime-seconds", "120", at: 50)
        read(at: 51)
        #expect(answers().first?.hasPrefix("fixes") == true)
    }

    @Test mutating func `The finding about broker and bridge decides which values are reported`() {
        let reading = MetricReading(values: ["fixes": 3, "gate-paused": 1], isVerified: true)
        #expect(reading.values(.well) == ["fixes": 3, "gate-paused": 1])
        #expect(reading.values(.sparing) == ["fixes": 3, "gate-paused": 1])
        #expect(reading.values(.noBridge) == ["gate-paused": 1])
        #expect(reading.values(.noBroker) == [:])
    }

    @Test mutating func `A reader without a bridge or a login is answered at its deadline`() {
        for isVerified in [true, false] {
            readings.begin(at: .zero)
            read(at: 1)
            readings.expire(at: .seconds(5), isVerified: isVerified)
            #expect(answers().isEmpty)
            readings.expire(at: .seconds(6), isVerified: isVerified)
            #expect(answers() == [isVerified ? "" : "for a stranger"])
            #expect(readings.count == 0)
        }
    }

    @Test mutating func `After a broken connection no earlier value is reported`() {
        begin()
        readings.begin(at: .seconds(20))
        read(at: 20)
        #expect(answers().isEmpty)
        readings.fail(.noBroker, isVerified: true)
        #expect(answers() == [""])
        read(at: 21)
        readings.fail(.notLoggedIn, isVerified: true)
        #expect(answers() == ["401"])
    }
}

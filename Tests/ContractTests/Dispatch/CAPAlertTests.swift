import EarlyWarning
import Foundation
import Testing
import Tracking

@testable import Contract

/// Common Alerting Protocol messages are valid by the standard's schema.
struct CAPAlertTests {
    private static let schema = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("CAP-v1.2.xsd").path

    private static let opened = Timestamp(milliseconds: 1_795_345_072_708)

    private func message(
        _ status: Incident.Status = .calling, messages: Int = 1, name: String = "Ann",
        reason: Monitor.Alarm.Reason = .score, phone: String? = "+386 1 234 567", fix: Fix? = nil,
        events: [Incident.Event] = [], drill: DrillKind? = nil
    ) throws -> IncidentMessage {
        let score = Score(
            points: [.pulse: 3, .temperature: 1, .respiration: 0],
            extremes: [Score.Extreme(.pulse, isHigh: false)])
        let alarm = Monitor.Alarm(at: CAPAlertTests.opened, reason: reason, score: score)
        let incident = Incident(
            id: UUIDv7(at: CAPAlertTests.opened, random: (1, 2)), status: status,
            messages: messages,
            details: .init(
                alarm: alarm, phone: phone, fix: fix,
                toldAt: CAPAlertTests.opened + .seconds(90),
                earlier: (1..<max(1, messages)).map {
                    CAPAlertTests.opened + .seconds(10 * ($0 - 1))
                },
                events: events))
        return IncidentMessage(
            incident, user: "ann", name: name, sender: "kith", area: "Here & there",
            number: "112", drill: drill)
    }

    private func fix(latitude: Double = -46.0512345, accuracy: Double? = 12.25) throws -> Fix {
        Fix(
            coordinate: try #require(Coordinate(latitude: latitude, longitude: 14.5)),
            takenAt: CAPAlertTests.opened, receivedAt: CAPAlertTests.opened, accuracy: accuracy)
    }

    /// The validator's complaint, or nil.
    private func complaint(_ xml: String) throws -> String? {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("cap-\(UInt64.random(in: 0 ... .max)).xml")
        try xml.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/xmllint")
        process.arguments = ["--nonet", "--noout", "--schema", CAPAlertTests.schema, file.path]
        let pipe = Pipe()
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? nil : String(decoding: output, as: UTF8.self)
    }

    @Test func `Each message of an incident is valid`() throws {
        let fix = try fix()
        let messages = [
            try message(), try message(phone: nil, fix: fix), try message(drill: .exercise),
            try message(.closed, messages: 2, drill: .test),
            try message(messages: 2, reason: .unanswered, fix: fix),
            try message(messages: 3, name: #"<Ann> & "Bo" ✓ 'ü'"#),
            // One character each, but still markup.
            try message(messages: 3, name: "<\u{301}Ann>\u{301} &\u{301}"),
            try message(
                .closed, messages: 4, events: [.init(at: CAPAlertTests.opened, .calledOff)]),
            try message(.acknowledged, fix: try self.fix(accuracy: nil)),
            try message(fix: try self.fix(latitude: 0.000_000_1, accuracy: 5_000)),
        ]
        for message in messages { #expect(try complaint(message.cap.xml) == nil) }
    }

    @Test func `The validator detects an invalid message`() throws {
        let xml = try message().cap.xml
        let wrong = xml.replacing("<status>Actual<", with: "<status>Urgent<")
        #expect(try complaint(wrong)?.contains("status") == true)
        #expect(try complaint(xml.replacing("-00:00</sent>", with: "Z</sent>")) != nil)
    }

    @Test func `A message states person, position, its age, reason and incident`() throws {
        let xml = try message(messages: 2, fix: try fix()).cap.xml
        let id = UUIDv7(at: CAPAlertTests.opened, random: (1, 2))
        let sent = CAPAlert.time(CAPAlertTests.opened)
        for part in [
            "<identifier>\(id).2</identifier>", "<msgType>Update</msgType>",
            "<references>kith,\(id).1,\(sent)</references>", "<incidents>\(id)</incidents>",
            "<contact>+386 1 234 567</contact>", "<circle>-46.0512345,14.5000000 0.02</circle>",
            "The position was taken 90 s before this message.",
            "<valueName>score</valueName><value>4</value>",
            "<value>heartRate far too low</value>", "<value>bodyTemperature unusual</value>",
            "not a medical device",
        ] {
            #expect(xml.contains(part), "\(part)")
        }
        #expect(!xml.contains("respiratoryRate"))
        #expect(try message(reason: .unanswered).cap.xml.contains("<certainty>Possible<"))
        #expect(try message().cap.xml.contains("No position is known."))
        #expect(try message(.closed, messages: 2).cap.xml.contains("<msgType>Cancel<"))
    }

    @Test func `An update references all earlier messages with their sending times`() throws {
        let id = UUIDv7(at: CAPAlertTests.opened, random: (1, 2))
        let references = (0..<3).map {
            "kith,\(id).\($0 + 1),\(CAPAlert.time(CAPAlertTests.opened + .seconds(10 * $0)))"
        }
        let xml = try message(.closed, messages: 4).cap.xml
        #expect(xml.contains("<references>\(references.joined(separator: " "))</references>"))
        #expect(try !message().cap.xml.contains("<references>"))
    }

    @Test func `A cancellation requests no response and never calls a deleted account safe`() throws
    {
        let xml = try message(.closed, messages: 2).cap.xml
        #expect(xml.contains("<responseType>AllClear</responseType><urgency>Past</urgency>"))
        let deleted = try message(
            .closed, messages: 2, events: [.init(at: CAPAlertTests.opened, .accountDeleted)]
        ).cap.xml
        #expect(deleted.contains("<responseType>None</responseType><urgency>Unknown</urgency>"))
        #expect(try message().cap.xml.contains("<urgency>Immediate</urgency>"))
    }

    @Test func `A position is decimal and has a circle only with an accuracy`() throws {
        let xml = try message(fix: try fix(latitude: -0.000_000_1, accuracy: 0.5)).cap.xml
        #expect(xml.contains("<circle>-0.0000001,14.5000000 0.01</circle>"))
        for accuracy in [nil, 0.0] {
            let xml = try message(fix: try fix(accuracy: accuracy)).cap.xml
            #expect(!xml.contains("<circle>"))
            #expect(xml.contains("<value>-46.0512345,14.5000000</value>"))
        }
    }
}

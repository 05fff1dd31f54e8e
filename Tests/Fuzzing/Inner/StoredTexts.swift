#if DEBUG
import Anonymity
import Contract
import Tracking

@testable import Bridge
@testable import Store

/// Content stored as text or as bytes: by the operator's commands, by earlier versions, and by
/// anything else that has written to the database.
enum StoredTexts {
    // MARK: Commands

    /// A command as it waits for the bridge, or the line in the bridge's lock file.
    static func command(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        if let note = BridgeNote(text) {
            try expect(BridgeNote(note.line) == note, "a note is read as it is written")
        }
        do throws(Problem) {
            _ = try OperatorCommand(json: text).read(at: Payloads.now, FixLimits())
        } catch {
            try expect(!error.title.isEmpty, "a refusal has a reason")
        }
    }

    // MARK: Documents

    /// The first line is the kind, the rest a document.
    static func document(_ bytes: [UInt8]) throws {
        let lines = Lines(1, of: bytes)
        let text = String(decoding: lines.rest, as: UTF8.self)
        switch lines.heads[0] {
        case "tracker":
            try check(text) { Document.text(try Document.savedTracker($0)) }
        case "alert":
            try check(text) { Document.text(try Document.alert($0)) }
        case "monitored":
            try check(text) { Document.text(try Document.monitored($0)) }
        case "incident":
            try check(text) { Document.text(try Document.incidentDetails($0)) }
        case "vitals": try vitals(lines.rest)
        case "day": try day(lines.rest)
        case "numbers": _ = try? RunRow.numbers(text)
        default: break
        }
    }

    /// - Parameter rewrite: reads a document, and writes it again.
    private static func check(
        _ text: String, _ rewrite: (String) throws -> String
    ) throws {
        let written: String
        do {
            written = try rewrite(text)
        } catch let error as StoreError {
            return try expect(!error.reason.isEmpty, "a refusal has a reason")
        }
        let again: String
        do {
            again = try rewrite(written)
        } catch is StoreError {
            throw Finding("a document is accepted as it is written")
        }
        try expect(again == written, "a document is read as it is written")
    }

    private static func vitals(_ content: [UInt8]) throws {
        let sample = VitalSigns(
            takenAt: Payloads.now, receivedAt: Payloads.now, sequence: nil, content: content)
        guard let sample else { return }
        let again = VitalSigns(
            takenAt: Payloads.now, receivedAt: Payloads.now, sequence: nil,
            content: sample.sealedContent)
        try expect(again?.sealedContent == sample.sealedContent, "a sample is stored as it is")
    }

    /// Each half, or all of it for both.
    private static func day(_ bytes: [UInt8]) throws {
        let half = bytes.count / 2
        let parts: [([UInt8]?, [UInt8]?)] = [
            (Array(bytes[..<half]), Array(bytes[half...])), (bytes, nil), (nil, bytes),
        ]
        for (vitals, positions) in parts {
            guard let day = DaySummary(vitals: vitals, positions: positions) else { continue }
            let again = DaySummary(vitals: day.vitals, positions: day.positions)
            try expect(
                again?.vitals == day.vitals && again?.positions == day.positions,
                "a day is stored as it is")
            for hour in 0..<DaySummary.hours { _ = day[hour] }
        }
        if let set = ContributorSet(bytes: bytes) {
            try expect(
                ContributorSet(bytes: set.bytes) == set, "contributors are stored as they are")
        }
    }
}
#endif

import Contract
import Foundation
import JSON
import TestSupport
import Tracking

/// Payloads published by devices and by the gate.
enum Payloads {
    static let now = Timestamp(milliseconds: 1_777_593_600_000)
    static let limits = FixLimits()
    /// The maximum size in bytes of any payload that Kith sends.
    static let maximum = 65_536

    static func json(_ bytes: [UInt8]) throws {
        guard let value = JSONValue(parsing: bytes) else { return }
        let written = write(value)
        try expect(JSONValue(parsing: written) == value, "what is written reads the same")
        try expect(write(value) == written, "the same value is written alike")
        // Foundation reads no number beyond the range of a double.
        guard isFinite(value) else { return }
        let foundation: Any
        do {
            foundation = try JSONSerialization.jsonObject(
                with: Data(written), options: .fragmentsAllowed)
        } catch {
            throw Finding("others can read what is written")
        }
        if case .string(let text) = value {
            try expect(foundation as? String == text, "others read the same text")
        }
        if case .number(let number) = value {
            let text = String(decoding: written, as: UTF8.self)
            try expect(Double(text) == number, "others read the same number")
        }
    }

    static func write(_ value: JSONValue) -> [UInt8] {
        var json = JSONWriter()
        json.value(value)
        return json.bytes
    }

    private static func isFinite(_ value: JSONValue) -> Bool {
        switch value {
        case .number(let number): number.isFinite
        case .array(let elements): elements.allSatisfy(isFinite)
        case .object(let members): members.allSatisfy { isFinite($0.value) }
        case .null, .bool, .string: true
        }
    }

    /// The same in Kith's own format; nil if it is not JSON.
    static func respelt(_ bytes: [UInt8]) -> [UInt8]? {
        guard let value = JSONValue(parsing: bytes) else { return nil }
        return write(value)
    }

    // MARK: Places

    /// A Feature of a file that an operator was given.
    static func place(_ bytes: [UInt8]) throws {
        guard let value = JSONValue(parsing: bytes) else { return }
        let place: Place
        do throws(PlaceFeature.Refusal) {
            place = try PlaceFeature(value, source: "file", timeZone: "UTC") { _ in false }.place
        } catch {
            return try expect(!error.reason.isEmpty, "a refusal has a reason")
        }
        try expect(place.payload.count < 16_384, "a place is short")
        if let website = place.website {
            let lowered = website.lowercased()
            try expect(
                lowered.hasPrefix("http://") || lowered.hasPrefix("https://"),
                "a website is one of the web")
        }
        let written = JSONWriter.object { json in
            json.members(Place.payload, place)
            json.key("source")
            json.string("file")
        }
        do {
            var fields = try Fields(try JSONValue.parse(written))
            let again = fields.place()
            try fields.check()
            try expect(again == place, "what is imported is what was read")
        } catch is Problem {
            throw Finding("what is imported is read")
        }
    }

    // MARK: Fixes

    static func fix(_ bytes: [UInt8]) throws {
        let message: FixMessage
        do {
            message = try FixMessage(bytes, receivedAt: now, limits)
        } catch {
            return try check(error)
        }
        try expect(
            message.fixes.count + message.refusals.flatMap(\.sequences).count
                <= FixLimits.maximumCount,
            "a message has no more than so many fixes")
        for fix in message.fixes { try check(fix) }
        for refusal in message.refusals { try check(refusal.problem, refusal.sequences) }
        if let problem = message.leftOut { try check(problem) }
    }

    private static func check(_ fix: Fix) throws {
        try expect(fix.takenAt <= now + limits.futureTolerance, "no fix from the future")
        try expect(fix.takenAt >= now - limits.retention, "no fix from too long ago")
        var json = JSONWriter()
        json.fix(fix, asReceived: false)
        let again: FixMessage
        do {
            again = try FixMessage(json.bytes, receivedAt: now, limits)
        } catch {
            throw Finding("a fix that was accepted is accepted again")
        }
        try expect(again.fixes == [fix], "a fix is read as it is written")
    }

    // MARK: Vital signs

    static func vitals(_ bytes: [UInt8]) throws {
        let message: VitalsMessage
        do {
            message = try VitalsMessage(bytes, receivedAt: now, limits)
        } catch {
            return try check(error)
        }
        // A sample without a reading is empty, and is not stored.
        for sample in message.samples where !sample.kinds.isEmpty { try check(sample) }
        for refusal in message.refusals { try check(refusal.problem, refusal.sequences) }
        if let problem = message.leftOut { try check(problem) }
    }

    private static func check(_ sample: VitalSigns) throws {
        for quantity in VitalSigns.Quantity.allCases {
            try expect(
                sample[quantity].map(quantity.range.contains) ?? true, "what is stored is possible")
        }
        var json = JSONWriter()
        json.vitals(sample)
        let again: VitalsMessage
        do {
            again = try VitalsMessage(json.bytes, receivedAt: now, limits)
        } catch {
            throw Finding("a sample that was accepted is accepted again")
        }
        try expect(again.samples == [sample], "a sample is read as it is written")
        let stored = VitalSigns(
            takenAt: sample.takenAt, receivedAt: sample.receivedAt, sequence: sample.sequence,
            content: sample.sealedContent)
        try expect(stored == sample, "a sample is stored as it is")
    }

    /// Checks that a problem's payload fits, and is JSON.
    static func check(_ problem: Problem, _ sequences: [Int64] = []) throws {
        try expect(
            problem.kind != .invalid || !problem.errors.isEmpty, "what is invalid is named")
        let topic = "kith/users/ann/devices/phone/fix"
        let payload = Rejection(topic: topic, problem: problem, sequences: sequences).payload
        try expect(payload.count <= maximum, "a rejection fits into a payload")
        try expect(JSONValue(parsing: payload) != nil, "a rejection is JSON")
    }

    static func ownTracks(_ bytes: [UInt8]) throws {
        let message: OwnTracksMessage
        do {
            message = try OwnTracksMessage(bytes, receivedAt: now, limits)
        } catch {
            return try check(error)
        }
        guard case .locations(let locations, let refused, _) = message else { return }
        for location in locations {
            try expect(
                location.problem != nil || location.fix != nil, "what is right has a position")
            if let problem = location.problem { try check(problem) }
            guard let fix = location.fix else { continue }
            try expect(location.createdAt >= fix.takenAt, "made after it was taken")
            // The rounding that apps apply is already in the fix.
            try check(fix)
        }
        for problem in refused { try check(problem) }
    }

    // MARK: The gate

    static func report(_ bytes: [UInt8]) throws {
        let report: ConnectionReport
        do {
            report = try ConnectionReport(bytes)
        } catch {
            return try check(error)
        }
        do {
            try expect(try ConnectionReport(report.payload) == report, "a report reads the same")
        } catch let problem as Problem {
            throw Finding("a report can be read: \(problem.kind)")
        }
    }
}

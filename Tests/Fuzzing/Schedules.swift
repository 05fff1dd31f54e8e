import Schedules
import Tracking

/// Reads a text as everything that it may be: what is accepted must survive a round trip, and answer.
///
/// A function of bytes, as those that are fuzzed.
public enum ScheduleTexts {
    public static func read(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        try readRecurrence(text)
        try readOpeningHours(text)
        if let time = CivilDateTime(text) {
            try expect(CivilDateTime(time.text) == time, "a time reads as it is printed")
        }
    }

    /// Set forward and back within the days that are checked.
    private static let offset: @Sendable (Timestamp) -> Int = { moment in
        (1_774_746_000_000..<1_792_890_000_000).contains(moment.milliseconds) ? 7_200 : 3_600
    }
    /// 2026-03-28T12:00:00Z.
    private static let now = Timestamp(milliseconds: 1_774_699_200_000)

    private static func readRecurrence(_ text: String) throws {
        let rule: Recurrence
        do { rule = try Recurrence(text) } catch {
            try expect(!error.sentence.isEmpty, "a refusal has a reason")
            return
        }
        do {
            let again = try Recurrence(rule.text)
            try expect(again == rule && again.text == rule.text, "a rule reads as it is printed")
        } catch is Recurrence.Refusal {
            throw Finding("a rule is accepted as it is printed")
        }
        guard let start = CivilDateTime("2020-02-29T02:30") else { return }
        var last = now
        for next in rule.occurrences(after: now, from: start, limit: 5, offset: offset) {
            try expect(next.moment > last, "the next one is later")
            let found = rule.next(after: last, from: start, offset: offset)
            try expect(found == next, "from any moment the sequence is the same")
            last = next.moment
        }
    }

    private static func readOpeningHours(_ text: String) throws {
        guard let hours = OpeningHours(text) else { return }
        try expect(hours.text == text, "hours are shown as they were written")
        var moment = now
        for _ in 0..<5 {
            guard let change = hours.nextChange(after: moment, offset: offset) else { break }
            try expect(change.at > moment, "a change is later")
            let before = hours.status(at: change.at - .milliseconds(1), offset: offset)
            try expect(
                before != change.to && hours.status(at: change.at, offset: offset) == change.to,
                "a change is one")
            moment = change.at
        }
        if let opening = hours.nextOpening(after: now, offset: offset) {
            try expect(hours.status(at: opening, offset: offset) == .open, "it opens")
        }
    }
}

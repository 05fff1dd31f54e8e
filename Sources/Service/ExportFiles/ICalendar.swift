internal import Contract
internal import Foundation
internal import JSON
internal import Numbers
internal import Tracking

/// Reminders as iCalendar (RFC 5545): an event with an alarm for each that is due at a time, and a
/// to-do for each that is due when a place opens or is near.
struct ICalendar {
    private let now: Timestamp
    private var components: [[String]] = []
    /// The referenced time zones, with the first time in each.
    private var zones: [String: String] = [:]

    init(at now: Timestamp) { self.now = now }

    /// Adds an item of the type `reminder`.
    mutating func add(_ item: JSONValue) {
        func text(_ key: String) -> String? {
            if case .string(let text)? = item[key] { text } else { nil }
        }
        guard let id = text("reminder"), let words = text("text"), let place = text("placeName"),
            let at = text("at").flatMap({ ICalendar.local($0) }), let zone = text("timeZone")
        else { return }
        let stamp = "DTSTAMP:\(ICalendar.utc(now))"
        let summary = "SUMMARY:\(ICalendar.escaped(words))"
        let location = "LOCATION:\(ICalendar.escaped(place))"
        // A reminder sent for the last time needs no alarm.
        guard text("next") != nil || text("toldAt") == nil else { return }
        guard text("when") == "time" else {
            let why =
                text("when") == "near"
                ? "When I am near \(place)." : "When \(place) opens."
            components.append([
                "BEGIN:VTODO", "UID:\(id)", stamp, summary, location,
                "DESCRIPTION:\(ICalendar.escaped(why))", "END:VTODO",
            ])
            return
        }
        zones[zone] = min(zones[zone] ?? at, at)
        var lines = [
            "BEGIN:VEVENT", "UID:\(id)", stamp, "DTSTART;TZID=\(zone):\(at)", summary, location,
        ]
        if let rule = text("rrule") { lines.append("RRULE:\(rule)") }
        lines += [
            "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:PT0S",
            "DESCRIPTION:\(ICalendar.escaped(words))", "END:VALARM", "END:VEVENT",
        ]
        components.append(lines)
    }

    var text: String {
        var lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Kith//Reminders//EN"]
        for (zone, first) in zones.sorted(by: { $0.key < $1.key }) {
            lines += ICalendar.timeZone(zone, from: first)
        }
        lines += components.joined()
        lines.append("END:VCALENDAR")
        return lines.map { ICalendar.folded($0) + "\r\n" }.joined()
    }

    // MARK: Time zones

    /// Returns a zone's offsets, from before the first time on.
    private static func timeZone(_ name: String, from first: String) -> [String] {
        guard let zone = TimeZone(identifier: name), let year = Int(first.prefix(4)) else {
            return []
        }
        var lines = ["BEGIN:VTIMEZONE", "TZID:\(name)"]
        // The second before the year begins, in UTC: no clock is set then.
        var moment = beginning(of: year)
        lines += observance(zone, at: moment, before: zone.secondsFromGMT(for: moment))
        for _ in 0..<transitions {
            guard let next = zone.nextDaylightSavingTimeTransition(after: moment), next > moment
            else { break }
            lines += observance(
                zone, at: next, before: zone.secondsFromGMT(for: next.addingTimeInterval(-1)))
            moment = next
        }
        return lines + ["END:VTIMEZONE"]
    }

    /// The maximum number of transitions: those of twenty years.
    private static let transitions = 40

    private static func beginning(of year: Int) -> Date {
        var components = DateComponents(year: year, month: 1, day: 1)
        components.timeZone = TimeZone(secondsFromGMT: 0)
        return Calendar(identifier: .gregorian).date(from: components) ?? Date.distantPast
    }

    private static func observance(_ zone: TimeZone, at moment: Date, before: Int) -> [String] {
        let after = zone.secondsFromGMT(for: moment)
        let kind = zone.isDaylightSavingTime(for: moment) ? "DAYLIGHT" : "STANDARD"
        // In local time as it was before the transition.
        let local = utc(
            Timestamp(
                milliseconds: Int64(clamping: moment.timeIntervalSince1970 * 1_000) + Int64(before)
                    * 1_000))
        return [
            "BEGIN:\(kind)", "DTSTART:\(local.dropLast())", "TZOFFSETFROM:\(offset(before))",
            "TZOFFSETTO:\(offset(after))", "END:\(kind)",
        ]
    }

    private static func offset(_ seconds: Int) -> String {
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
        let (sign, size) = (seconds < 0 ? "-" : "+", abs(seconds))
        let rest = size % 60 == 0 ? "" : two(size % 60)
        return sign + two(size / 3_600) + two(size / 60 % 60) + rest
    }

    // MARK: Lines

    /// `2026-12-24T18:00` as `20261224T180000`.
    private static func local(_ text: String) -> String? {
        let digits = text.filter { $0 != "-" && $0 != ":" }
        guard digits.count == 13 || digits.count == 15 else { return nil }
        return digits.count == 13 ? digits + "00" : digits
    }

    private static func utc(_ time: Timestamp) -> String {
        time.rfc3339.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
    }

    /// RFC 5545, 3.3.11.
    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "\\", ";", ",": result += "\\\(character)"
            case _ where character.isNewline: result += "\\n"
            default: result.append(character)
            }
        }
    }

    /// Folds a line to at most 75 bytes (3.1), without dividing a character.
    private static func folded(_ line: String) -> String {
        var (result, bytes) = ("", 0)
        for character in line {
            let size = character.utf8.count
            if bytes + size > 75 {
                result += "\r\n "
                bytes = 1
            }
            result.append(character)
            bytes += size
        }
        return result
    }
}

import TestSupport
import Tracking

/// Reads one line of a timeline: a time, or a series of times, and an event.
///
///     10:00:00 joins family                    10:00:00 leaves family
///     10:00:00 shares with family, work        10:00:00 stops sharing with family
///     10:00:00 travels to 1000 m [within 100 m] by 10:10:00 with family
///     10:00:00 extends to 10:20:00             10:00:00 stops the journey
///     10:00:00 triggers SOS [at 10 m]          10:00:00 stops SOS
///     10:00:00 is in need [, for family, work] 10:00:00 is assisted
///     10:00:00 family acknowledges             10:00:00 shows the path
///     10:00:00 phone connects                  … disconnects, speaks, is forgotten
///     10:00:00 phone enters 300 m within 100 m [taken 60 s ago]    … or leaves
///     10:00:00 acts on phone                   10:00:00 calls on phone
///     10:00:00 names phone                     10:00:00 names none
///     10:00:00 phone at 10 m [accuracy 200] [speed 3] [taken 09:58:00 | taken 60 s ago | taken 60 s ahead]
///     10:00:00 to 10:05:00 every 10 s phone at 0 m [+5 m]
///     10:00:00 shares with friends             10:00:00 stops sharing with friends
///     10:00:00 turns off                       10:00:00 asks
///     10:00:00 the bridge goes deaf            10:00:00 the bridge listens
///     10:00:00 the clock is set                10:00:00 (time passes)
struct EventParser {
    struct Failure: Error { let line: String }

    private let line: Substring

    init(_ line: Substring) { self.line = line }

    var showsPath: Bool { line.hasSuffix("shows the path") }

    /// The event with its time; several of them for a series.
    func moments() throws -> [(at: Timestamp, event: Event)] {
        let series = /(?<first>\S+) to (?<last>\S+) every (?<step>[0-9.]+) s (?<event>.*)/
        if let match = line.wholeMatch(of: series) {
            let (first, last) = (try clock(match.first), try clock(match.last))
            let step = Duration.milliseconds(Int64((try number(match.step) * 1000).rounded()))
            var moments: [(at: Timestamp, event: Event)] = []
            var at = first
            while at <= last {
                moments.append((at, try event(match.event, at: at, index: moments.count)))
                at = at + step
            }
            return moments
        }
        guard let match = line.wholeMatch(of: /(?<at>\S+) ?(?<event>.*)/) else { throw failure }
        let at = try clock(match.at)
        return [(at, try event(match.event, at: at, index: 0))]
    }

    private func event(_ text: Substring, at now: Timestamp, index: Int) throws -> Event {
        switch text {
        case "", "shows the path": return .timePasses
        case "stops the journey": return .stopsJourney
        case "triggers SOS": return .triggersSOS
        case "stops SOS": return .stopsSOS
        case "is in need": return .isInNeed([])
        case "is assisted": return .isAssisted
        case "asks": return .asks
        case "shares with friends": return .sharesWithFriends
        case "stops sharing with friends": return .stopsSharingWithFriends
        case "turns off": return .turnsOff
        case "the bridge goes deaf": return .bridgeGoesDeaf
        case "the bridge listens": return .bridgeListens
        case "the clock is set": return .clockIsSet
        default: break
        }
        if let match = text.wholeMatch(of: /joins (\w+)/) { return .joins(try group(match.1)) }
        if let match = text.wholeMatch(of: /leaves (\w+)/) { return .leaves(try group(match.1)) }
        if let match = text.wholeMatch(of: /calls (\w+) as well/) {
            return .calls(try group(match.1))
        }
        if let match = text.wholeMatch(of: /(\w+) acknowledges/) {
            return .acknowledges(try group(match.1))
        }
        if let match = text.wholeMatch(of: /shares with (.*)/) {
            return .startsSharing(try groups(match.1))
        }
        if let match = text.wholeMatch(of: /stops sharing with (.*)/) {
            return .stopsSharing(try groups(match.1))
        }
        if let match = text.wholeMatch(of: /is in need, for (.*)/) {
            return .isInNeed(try groups(match.1))
        }
        if let match = text.wholeMatch(of: /acts on (\w+)/) { return .actsOn(try device(match.1)) }
        if let match = text.wholeMatch(of: /calls on (\w+)/) {
            return .callsOn(try device(match.1))
        }
        if text == "names none" { return .names(nil) }
        if let match = text.wholeMatch(of: /names (\w+)/) { return .names(try device(match.1)) }
        if let match = text.wholeMatch(of: /extends to (\S+)/) {
            return .extendsJourney(eta: try clock(match.1))
        }
        if let match = text.wholeMatch(of: /triggers SOS at (.*)/) {
            return .triggersSOSWith(try fix(match.1, at: now, index: index), .phone)
        }
        if let journey = try journey(text) { return journey }
        return try deviceEvent(text, at: now, index: index)
    }

    private func journey(_ text: Substring) throws -> Event? {
        let pattern =
            /travels to (?<to>\S+) m(?: within (?<radius>\S+) m)? by (?<eta>\S+) with (?<with>.*)/
        guard let match = text.wholeMatch(of: pattern) else { return nil }
        let destination = Destination(
            coordinate: Road.place(try number(match.to)), name: "the lake",
            radius: try match.radius.map { try number($0) })
        return .startsJourney(destination, eta: try clock(match.eta), try groups(match.with))
    }

    private func deviceEvent(_ text: Substring, at now: Timestamp, index: Int) throws -> Event {
        guard let match = text.wholeMatch(of: /(\w+) (.*)/) else { throw failure }
        let device = try device(match.1)
        switch match.2 {
        case "connects": return .connects(device)
        case "disconnects": return .disconnects(device)
        case "speaks": return .speaks(device)
        case "is forgotten": return .isForgotten(device)
        default:
            if let crossing = try crossing(match.2, at: now) { return .crosses(crossing, device) }
            guard let place = match.2.wholeMatch(of: /at (.*)/) else { throw failure }
            return .fix(try fix(place.1, at: now, index: index), device)
        }
    }

    private func crossing(_ text: Substring, at now: Timestamp) throws -> Crossing? {
        let pattern = /(enters|leaves) (\S+) m within (\S+) m(?: taken (?<taken>.*))?/
        guard let match = text.wholeMatch(of: pattern) else { return nil }
        let circle = Geofence(
            centre: Road.place(try number(match.2)), radius: try number(match.3))
        return Crossing(
            circle, to: match.1 == "enters" ? .inside : .outside,
            at: try match.taken.map { try taken($0, at: now) } ?? now)
    }

    private func fix(_ text: Substring, at now: Timestamp, index: Int) throws -> Fix {
        let pattern =
            /(?<at>\S+) m(?: \+(?<step>\S+) m)?(?: accuracy (?<accuracy>\S+))?(?: speed (?<speed>\S+))?(?: taken (?<taken>.*))?/
        guard let match = text.wholeMatch(of: pattern) else { throw failure }
        let step = try match.step.map { try number($0) } ?? 0
        let place = Road.place(try number(match.at) + step * Double(index))
        return Fix(
            coordinate: place, takenAt: try match.taken.map { try taken($0, at: now) } ?? now,
            receivedAt: now, accuracy: try match.accuracy.map { try number($0) },
            speed: try match.speed.map { try number($0) })
    }

    private func taken(_ text: Substring, at now: Timestamp) throws -> Timestamp {
        guard let match = text.wholeMatch(of: /(\S+) s (ago|ahead)/) else {
            return try clock(text)
        }
        let distance = Duration.milliseconds(Int64((try number(match.1) * 1000).rounded()))
        return match.2 == "ago" ? now - distance : now + distance
    }

    private func groups(_ text: Substring) throws -> [GroupID] {
        try text.split(separator: ", ").map { try group($0) }
    }

    private func device(_ text: Substring) throws -> DeviceID {
        switch text {
        case "phone": return .phone
        case "watch": return .watch
        case "tablet": return .tablet
        default: throw failure
        }
    }

    private func group(_ text: Substring) throws -> GroupID {
        switch text {
        case "family": return .family
        case "work": return .work
        case "choir": return .choir
        default: throw failure
        }
    }

    private func clock(_ text: Substring) throws -> Timestamp {
        guard let time = Timestamp(clock: text) else { throw failure }
        return time
    }

    private func number(_ text: Substring) throws -> Double {
        guard let number = Double(text) else { throw failure }
        return number
    }

    private var failure: Failure { Failure(line: String(line)) }
}

import Contract
import MQTT
import TestSupport
import Tracking

@testable import Bridge

/// Parses the events in one line of a story.
///
///     alice at 10 m [accuracy 5] [seq 3] [taken 60 s ago | taken 60 s ahead]
///     alice/watch at 0 m +5 m                  (in a series, 5 m further each time)
///     alice comes online                       alice goes offline
///     alice asks group.create {"name":"Work"}  (any method; `$work` is that group from then on)
///     alice shares with family, work           alice stops sharing with family
///     alice travels to 1000 m by 11:00:00 with family
///     alice stops the journey
///     alice triggers SOS [at 10 m]             alice stops SOS
///     bob acknowledges                         (the last alert)
///     alice's app at 10 m [poi SOS | button]   (OwnTracks, on the device `app`)
///     alice's app says {"_type":"lwt"}
///     the operator adds carol to family        … removes carol from family, … removes carol
///     the bridge restarts                      the bridge reconnects
///     the bridge comes back                    (after being away since the previous line)
///
/// Events joined by ` & ` happen in one turn.
struct ScriptReader {
    struct Failure: Error { let line: String }

    enum Deed {
        case message(Message)
        case operation(OperatorCommand)
        case restart
        case reconnect
        case nothing
    }

    let world: World

    func deed(_ text: Substring, index: Int) throws -> Deed {
        switch text {
        case "": return .nothing
        case "the bridge restarts": return .restart
        case "the bridge reconnects": return .reconnect
        default: break
        }
        if let match = text.wholeMatch(of: /the operator (.*)/) {
            return .operation(try operation(match.1))
        }
        if let match = text.wholeMatch(of: /(\w+)'s app (.*)/) {
            return .message(try app(Sender("\(match.1)/app"), match.2))
        }
        guard let match = text.wholeMatch(of: /(\w+(?:\/\w+)?) (.*)/) else {
            throw Failure(line: String(text))
        }
        return .message(try message(Sender(match.1), match.2, index: index))
    }

    private func message(_ who: Sender, _ text: Substring, index: Int) throws -> Message {
        switch text {
        case "comes online": return world.status(who, "online")
        case "goes offline": return world.status(who, "offline")
        case "stops the journey": return world.requestMessage(who, "journey.stop")
        case "triggers SOS": return world.requestMessage(who, "sos.trigger")
        case "stops SOS": return world.requestMessage(who, "sos.stop")
        case "acknowledges":
            return world.requestMessage(
                who, "alert.acknowledge", #"{"alert":"\#(world.names.lastAlert)"}"#)
        default: break
        }
        if let match = text.wholeMatch(of: /asks (\S+)(?: (.*))?/) {
            return world.requestMessage(who, String(match.1), String(match.2 ?? ""))
        }
        if let match = text.wholeMatch(of: /shares with (.*)/) {
            return world.requestMessage(who, "sharing.start", groups(match.1))
        }
        if let match = text.wholeMatch(of: /stops sharing with (.*)/) {
            return world.requestMessage(who, "sharing.stop", groups(match.1))
        }
        if let match = text.wholeMatch(of: /triggers SOS at (.*)/) {
            let fix = try fix(match.1, index: index).json(at: world.now)
            return world.requestMessage(who, "sos.trigger", #"{"fix":\#(fix)}"#)
        }
        if let match = text.wholeMatch(of: /travels to (\d+) m by (\S+) with (.*)/) {
            return try journey(who, Int(match.1) ?? 0, match.2, match.3)
        }
        guard let match = text.wholeMatch(of: /at (.*)/) else {
            throw Failure(line: String(text))
        }
        return world.fixMessage(who, try fix(match.1, index: index))
    }

    private func journey(
        _ who: Sender, _ meters: Int, _ eta: Substring, _ groups: Substring
    ) throws -> Message {
        guard let eta = Timestamp(clock: eta) else { throw Failure(line: String(eta)) }
        let payload = self.groups(groups).dropLast()
        return world.requestMessage(
            who, "journey.start",
            payload + #","destination":{\#(Meridian.json(meters)),"name":"the lake"},"#
                + #""eta":"\#(eta.rfc3339)"}"#)
    }

    private func groups(_ text: Substring) -> String {
        guard text != "all" else { return #"{"groups":"all"}"# }
        let names = text.split(separator: ", ").map { "\"$\($0)\"" }
        return #"{"groups":[\#(names.joined(separator: ","))]}"#
    }

    private func fix(_ text: Substring, index: Int) throws -> TestFix {
        let pattern =
            /(\d+) m(?: \+(\d+) m)?(?: accuracy (\d+))?(?: seq (\d+))?(?: taken (\S+) s (ago|ahead))?/
        guard let match = text.wholeMatch(of: pattern), let start = Int(match.1) else {
            throw Failure(line: String(text))
        }
        let step = match.2.flatMap { Int($0) } ?? 0
        let seconds = match.5.flatMap { Double($0) } ?? 0
        return TestFix(
            start + step * index, ago: match.6 == "ahead" ? -seconds : seconds,
            accuracy: match.3.flatMap { Double($0) },
            seq: match.4.flatMap { Int64($0) }.map { $0 + Int64(index) })
    }

    private func app(_ who: Sender, _ text: Substring) throws -> Message {
        if let match = text.wholeMatch(of: /says (.*)/) {
            return world.ownTracks(who, String(match.1))
        }
        guard let match = text.wholeMatch(of: /at (\d+) m(?: (poi SOS|button))?/),
            let meters = Int(match.1)
        else { throw Failure(line: String(text)) }
        let mark = match.2 == "button" ? #","t":"u""# : match.2 == nil ? "" : #","poi":"SOS""#
        return world.ownTracks(who, Phone.location(meters, at: world.now, mark))
    }

    private func operation(_ text: Substring) throws -> OperatorCommand {
        if let match = text.wholeMatch(of: /adds (\w+) to (\w+)/), let user = Name(match.1) {
            return .addMember(world.names[String(match.2)], user)
        }
        if let match = text.wholeMatch(of: /removes (\w+) from (\w+)/), let user = Name(match.1) {
            return .removeMember(world.names[String(match.2)], user)
        }
        if let match = text.wholeMatch(of: /removes (\w+)/), let user = Name(match.1) {
            return .removeUser(user)
        }
        throw Failure(line: String(text))
    }
}

/// Messages of OwnTracks phones.
enum Phone {
    /// - Parameter more: further members, each preceded by a comma.
    static func location(_ meters: Int, at time: Timestamp, _ more: String = "") -> String {
        let latitude = Double(460_000_000 + meters * 90) / 1e7
        return #"{"_type":"location","lat":\#(latitude),"lon":14.5,"#
            + #""tst":\#(time.milliseconds / 1000),"tid":"xx"\#(more)}"#
    }
}

import TestSupport
import Tracking

/// Which effects a timeline shows.
struct Shown: OptionSet {
    let rawValue: Int
    static let states = Shown(rawValue: 1)
    static let positions = Shown(rawValue: 2)
    static let paths = Shown(rawValue: 4)
    static let alerts = Shown(rawValue: 8)
    static let everything: Shown = [.states, .positions, .paths, .alerts]
}

extension Stage {
    /// The effect as a line of a timeline; nil where it is not to be shown.
    func words(for effect: Effect, _ shown: Shown) -> String? {
        switch effect {
        case .memberChanged(let group, urgent: true):
            shown.contains(.states) ? state(in: group) : nil
        case .memberChanged(let group, urgent: false):
            shown.contains(.positions) ? position(in: group) : nil
        case .presenceChanged: nil  // The states show it.
        case .alert(let alert, let repetition):
            shown.contains(.alerts)
                ? "alert to \(name(alert.group)): \(alert.kind.rawValue)"
                    + (repetition > 0 ? ", repetition \(repetition)" : "") : nil
        case .pathBegan(let path):
            shown.contains(.paths)
                ? "path \(path.number) begins: \(path.mode.rawValue), for \(names(path.groups))"
                : nil
        case .pathGrew(let number): shown.contains(.paths) ? "path \(number) grows" : nil
        case .segmentCompleted(let number, let segment, let points):
            shown.contains(.paths)
                ? "path \(number) fills segment \(segment): \(points.count) points" : nil
        case .pathChanged(let number, let from):
            shown.contains(.paths)
                ? "path \(number) is republished"
                    + (from.map { " from \($0.clock)" } ?? ", whole: \(mode)") : nil
        case .pathEnded(let number, let withdrawn):
            shown.contains(.paths)
                ? "path \(number) ends" + (withdrawn ? ", withdrawn" : ", kept") : nil
        case .pathWithdrawn(let number, let group):
            shown.contains(.paths) ? "path \(number) is withdrawn from \(name(group))" : nil
        case .sharingEnded(let group):
            shown.contains(.alerts) ? "sharing with \(name(group)) is over" : nil
        case .pauseChanged: shown.contains(.alerts) ? "pause changed" : nil
        case .deviceChanged: nil  // The positions show it.
        case .reminder(let since):
            shown.contains(.alerts) ? "reminder of sharing since \(since.clock)" : nil
        }
    }

    private var mode: String {
        guard let path = tracker.path else { return "no path" }
        return "\(path.mode.rawValue), for \(names(path.groups))"
    }

    private func state(in group: GroupID) -> String {
        guard let session = tracker.session(in: group) else { return "\(name(group)): no session" }
        var words = [session.state.name]
        if !tracker.isOnline { words.append("not online") }
        if tracker.leftAt != nil { words.append("left") }
        words.append(place(in: session))
        let warnings = tracker.warnings(in: session)
        if session.state.isWatched, !warnings.isEmpty {
            words.append("warnings " + warnings.names.joined(separator: " "))
        }
        return "\(name(group)) v\(session.version): " + words.joined(separator: ", ")
    }

    private func position(in group: GroupID) -> String {
        guard let session = tracker.session(in: group) else { return "\(name(group)): no session" }
        return "\(name(group)) v\(session.version) \(place(in: session))"
    }

    private func place(in session: Session) -> String {
        tracker.visibleFix(in: session).map { "at \(Road.meters(to: $0.coordinate)) m" }
            ?? "no position"
    }

    func names(_ groups: [GroupID]) -> String { groups.map { name($0) }.joined(separator: ", ") }

    func name(_ group: GroupID) -> String {
        switch group {
        case .family: "family"
        case .work: "work"
        case .choir: "choir"
        default: "group \(group.rawValue)"
        }
    }
}

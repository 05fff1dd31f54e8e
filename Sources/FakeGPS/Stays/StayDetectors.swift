public import Tracking

/// Judges a track fix by fix, as they arrive: when its carrier stood still, and when they arrived.
public protocol StayDetector {
    init(to destination: Coordinate, from first: Timestamp)
    mutating func take(_ fix: Fix) -> StayJudgement?
}

/// A detector's judgement about a fix.
public enum StayJudgement: Hashable, Sendable {
    case stuck
    case moving
    case arrived
}

/// Kith's own rules, applied to a journey that one group follows.
public struct TrackerStayDetector: StayDetector {
    private var tracker = Tracker(user: UserID(rawValue: 1))
    private let group = GroupID(rawValue: 1)

    public init(to destination: Coordinate, from first: Timestamp) {
        _ = tracker.join(group, at: first)
        do throws(Refusal) {
            _ = try tracker.startJourney(
                to: Destination(coordinate: destination), eta: first + .seconds(1_000_000_000),
                with: [group], at: first)
        } catch {
            preconditionFailure("a member may go where they like")
        }
    }

    public mutating func take(_ fix: Fix) -> StayJudgement? {
        let effects = tracker.receive(
            fix, from: DeviceID(rawValue: 1), at: fix.takenAt, Rules())
        for case .alert(let alert, _) in effects {
            switch alert.kind {
            case .stuck: return .stuck
            case .moving: return .moving
            case .journeyArrived: return .arrived
            case .journeyStarted, .journeyStopped, .late, .offline, .online, .silent, .sos,
                .sosStopped, .sosLeft, .inNeed, .unanswered, .assisted, .vitalsSilent, .vitalsBack:
                break
            }
        }
        return nil
    }
}

/// The former rules, for comparison, before each fix was judged by its own accuracy: the largest
/// inaccuracy since the anchor widened the circle for all later fixes, and a single fix was enough
/// for any judgement.
public struct FormerStayDetector: StayDetector {
    private let destination: Coordinate
    private var anchor: Fix?
    private var accuracy = 0.0
    private var isStuck = false

    public init(to destination: Coordinate, from first: Timestamp) {
        self.destination = destination
    }

    public mutating func take(_ fix: Fix) -> StayJudgement? {
        if (fix.accuracy ?? 0) <= 200, destination.distance(to: fix.coordinate) <= 50 {
            return .arrived
        }
        guard let anchor else {
            drop(at: fix)
            return nil
        }
        accuracy = max(accuracy, fix.accuracy ?? 0)
        let radius = max(50, accuracy) * (isStuck ? 1.5 : 1)
        guard anchor.coordinate.distance(to: fix.coordinate) <= radius else {
            drop(at: fix)
            defer { isStuck = false }
            return isStuck ? .moving : nil
        }
        guard !isStuck, fix.takenAt >= anchor.takenAt + .seconds(300) else { return nil }
        isStuck = true
        return .stuck
    }

    private mutating func drop(at fix: Fix) {
        anchor = fix
        accuracy = fix.accuracy ?? 0
    }
}

internal import JSON
public import Tracking

/// An alert as its group receives it (contract, section 5).
public struct AlertMessage: Sendable {
    public let alert: Alert
    public let group: GroupKey
    public let user: Name
    public let name: String
    /// The members who have seen it, in the order in which they did.
    public var acknowledgedBy: [Name]
    /// 0 at first, then counting up.
    public var repetition: Int
    /// The emergency number where the person is; nil if none is to be called.
    public var number: String?

    public init(
        _ alert: Alert, group: GroupKey, user: Name, name: String, acknowledgedBy: [Name] = [],
        repetition: Int = 0, number: String? = nil
    ) {
        self.alert = alert
        self.group = group
        self.user = user
        self.name = name
        self.acknowledgedBy = acknowledgedBy
        self.repetition = repetition
        self.number = number
    }

    public var payload: [UInt8] {
        JSONWriter.object { json in
            json.key("id")
            json.string(alert.id.description)
            json.key("kind")
            json.string(alert.kind.rawValue)
            json.key("group")
            json.string(group.text)
            json.key("user")
            json.string(user.text)
            json.key("name")
            json.string(name)
            json.key("at")
            json.time(alert.at)
            if let fix = alert.fix {
                json.key("fix")
                json.fix(fix)
                json.key("fixAge")
                json.number(age(of: fix))
            }
            json.member("number", number)
            json.key("text")
            json.string(text)
            json.key("acknowledgedBy")
            json.array(acknowledgedBy) { $0.string($1.text) }
            if repetition > 0 {
                json.key("repetition")
                json.number(repetition)
            }
        }
    }

    /// A sentence for people. Times are in UTC, as the reader's time zone is unknown.
    public var text: String { sentence + position }

    private var sentence: String {
        let place = alert.destination?.name ?? "the destination"
        return switch alert.kind {
        case .journeyStarted: "\(name) is on the way to \(place) and expects to arrive by \(eta)."
        case .journeyStopped: "\(name) has stopped the journey to \(place)."
        case .journeyArrived: "\(name) has arrived at \(place)."
        case .late: "\(name) has not arrived at \(place) by \(eta)."
        case .stuck: "\(name) has not moved for a while."
        case .moving: "\(name) is moving again."
        case .offline: "\(name) has gone offline."
        case .online: "\(name) is back."
        case .silent: "\(name) is connected, but no position has come for a while."
        case .sos: "\(name) has sent an SOS and needs help!"
        case .sosStopped: "\(name) has ended the SOS."
        case .sosLeft: "\(name) has left the group in an SOS, which is not over."
        case .inNeed: "\(name) may need medical help: their vital signs say so."
        case .unanswered: "Nobody who sends help has answered yet for \(name). \(advice)"
        case .assisted: "Somebody says that they help \(name)."
        case .vitalsSilent: "No vital signs of \(name) have come for a while."
        case .vitalsBack: "Vital signs of \(name) come again."
        }
    }

    private var advice: String {
        number.map { "Please call \($0) yourself." } ?? "Please call for help yourself."
    }

    /// How far the position can be relied on, for alerts that may make somebody go there.
    private var position: String {
        switch alert.kind {
        case .late, .offline, .silent, .sos, .sosLeft, .inNeed, .unanswered: break
        case .journeyStarted, .journeyStopped, .journeyArrived, .stuck, .moving, .online,
            .sosStopped, .assisted, .vitalsSilent, .vitalsBack:
            return ""
        }
        guard let fix = alert.fix else { return " No position is known." }
        let seconds = age(of: fix)
        let age: String
        switch seconds {
        case ..<AlertMessage.freshness: return ""
        case ..<7_200: age = "\(seconds / 60) min"
        case ..<172_800: age = "\(seconds / 3_600) h"
        default: age = "\(seconds / 86_400) days"
        }
        return " The last position is \(age) old."
    }

    /// The age, in seconds, below which a position counts as current.
    private static let freshness = 120

    /// How long before the alert the position was taken, in seconds.
    private func age(of fix: Fix) -> Int {
        Int(max(0, (alert.at.milliseconds - fix.takenAt.milliseconds) / 1000))
    }

    /// The time of arrival, with the date if it is not near.
    private var eta: String {
        guard let eta = alert.eta else { return "the time given" }
        let text = eta.rfc3339
        let time = "\(text.dropFirst(11).prefix(5)) UTC"
        let isNear = eta <= alert.at + .seconds(43_200) && eta >= alert.at - .seconds(43_200)
        return isNear ? time : "\(text.prefix(10)) \(time)"
    }
}

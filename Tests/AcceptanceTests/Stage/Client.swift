import Foundation

/// The identity with which a stock client connects.
enum Client: Hashable, Sendable {
    case guest
    case device(String, String = "phone")
    /// A company's service.
    case service(String)
    case bridge
    case `operator`
    /// Dispatch.
    case dispatch
    /// A client that monitors the service from outside.
    case metrics

    /// The device that owns the topic.
    init?(owning topic: String) {
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if levels.count > 4, levels[1] == "users", levels[3] == "devices" {
            self = .device(levels[2], levels[4])
        } else if levels.count > 2, levels[0] == "owntracks" {
            self = .device(levels[1], levels[2])
        } else {
            return nil
        }
    }

    /// On which only the service publishes, once.
    var ownTopic: String {
        switch self {
        case .device(let user, _): "kith/users/\(user)/notices"
        case .service(let name): "kith/services/\(name)/notices"
        case .operator, .metrics: "kith/system/metrics/marker"
        case .bridge: "kith/bridge/marker"
        case .dispatch: "kith/dispatch/incidents/01890000-0000-7000-8000-000000000001/vitals"
        case .guest: preconditionFailure("a guest has no topic that is known beforehand")
        }
    }
}

extension String {
    var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}

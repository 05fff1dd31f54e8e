import Contract
import Store
import Tracking

extension Turn {
    /// Notes what was written for the person.
    func noteUsage(_ kind: Usage.Kind, bytes: Int = 0, of person: Person) {
        if person.usage.note(kind, bytes: bytes, at: now) {
            count("quotas-reached-\(kind.rawValue)")
        }
    }

    /// Refuses a request that would write more than the day's quota allows.
    func checkQuotas(for command: Command, of person: Person) throws(Refused) {
        for kind in command.quotas where !person.usage.admits(kind, at: now) {
            throw .problem(problem(ofUsedUp: kind))
        }
    }

    func problem(ofUsedUp kind: Usage.Kind) -> Problem {
        let seconds = kind.quota.pause.milliseconds / 1000
        return Problem(
            .tooMany,
            "The day's quota of \(kind.rawValue) is used up: until \(now.nextMidnight.rfc3339) "
                + "one in \(seconds) s is taken.")
    }
}

extension Command {
    /// The quotas that the command counts against. Commands that protect the person, or take
    /// something away, count against none, except that ending an SOS again and again is slowed
    /// down.
    fileprivate var quotas: [Usage.Kind] {
        switch action {
        case .triggerSOS, .stopJourney, .stopSharing, .acknowledgeAlert, .removeMember,
            .leaveGroup, .changePassword, .deleteAccount, .logOut, .revokeDevice,
            .friends(.unshare), .friends(.turnLocationOff), .friends(.remove), .friends(.block):
            []
        case .stopSOS: [.alerts]
        case .startJourney, .extendJourney: [.alerts, .answers]
        case .createGroup, .renameGroup, .addMember: [.changes, .answers]
        case .sendChat: [.messages, .answers]
        case .listGroups, .startSharing, .members, .path, .listAlerts, .chatHistory, .account,
            .updateAccount, .exportAccount, .listDevices, .friends:
            [.answers]
        }
    }

    /// Whether the group's chat reports it.
    var changesGroups: Bool {
        switch action {
        case .createGroup, .renameGroup, .addMember, .removeMember, .leaveGroup: true
        default: false
        }
    }
}

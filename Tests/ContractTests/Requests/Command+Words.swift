import Contract
import Tracking

extension Command {
    /// The command as one line.
    var words: String {
        switch content {
        case let command as GroupCommand: command.words
        case let command as InvitationCommand: command.words
        case let command as JourneyCommand: command.words
        case let command as EmergencyCommand: command.words
        case let command as FriendCommand: command.words
        case let command as ChatCommand: command.words
        case let command as AccountCommand: command.words
        default: "a command of an area that this test does not know"
        }
    }
}

extension GroupCommand {
    fileprivate var words: String {
        switch self {
        case .create(let name): "create \(name)"
        case .rename(let group, let name): "rename \(group) to \(name)"
        case .removeMember(let group, let user): "remove \(user) from \(group)"
        case .leave(let group): "leave \(group)"
        case .list: "list groups"
        case .startSharing(let groups, let until):
            "share with \(groups.words)" + (until.map { " until \($0.milliseconds)" } ?? "")
        case .stopSharing(let groups): "stop sharing with \(groups.words)"
        case .pauseSharing(let until): "pause until \(until.milliseconds)"
        case .resumeSharing: "resume sharing"
        case .setPrecision(let group, let precision): "show \(precision) to \(group)"
        case .members(let group, let name, _):
            "members of \(group)" + (name.map { " after \($0)" } ?? "")
        case .createObserver(let group, let name): "let \(name) observe \(group)"
        case .endObserver(let group, let observer): "end \(observer) of \(group)"
        }
    }
}

extension InvitationCommand {
    fileprivate var words: String {
        switch self {
        case .add(let group, let invitee): "add \(invitee.words) to \(group)"
        case .invite(let group, let invitee, let uses, let end):
            "invite \(invitee?.words ?? "\(uses) by a link") to \(group) until \(end.rfc3339)"
        case .list(let group): "invitations" + (group.map { " to \($0)" } ?? "")
        case .get: "look at an invitation"
        case .accept(.token): "accept by a token"
        case .accept(.id(let id)): "accept \(id)"
        case .decline(let id): "decline \(id)"
        case .revoke(let group, let id): "revoke \(id) to \(group)"
        }
    }
}

extension InvitationCommand.Invitee {
    fileprivate var words: String {
        switch self {
        case .user(let name): name.text
        case .email(let email): "<\(email.text)>"
        }
    }
}

extension JourneyCommand {
    fileprivate var words: String {
        switch self {
        case .start(let groups, let destination, let eta):
            "travel to \(destination?.words ?? "nowhere") by \(eta.rfc3339) with \(groups.words)"
        case .extend(let eta): "extend to \(eta.rfc3339)"
        case .stop: "stop the journey"
        case .path(let path):
            "path of \(path.user) in \(path.group) as \(path.format) from \(path.cursor?.text ?? "0")"
        }
    }
}

extension EmergencyCommand {
    fileprivate var words: String {
        switch self {
        case .trigger(let fix, let refused):
            "sos" + (fix.map { " at \($0.coordinate.latitude)" } ?? "")
                + (refused.map { ", refused \($0.words)" } ?? "")
        case .stop: "stop sos"
        case .alerts(let group, let before, let limit):
            "\(limit) alerts of \(group)" + (before.map { " before \($0)" } ?? "")
        case .acknowledge(let id, let answer):
            "acknowledge \(id)" + (answer == .seen ? "" : " \(answer.rawValue)")
        }
    }
}

extension ChatCommand {
    fileprivate var words: String {
        switch self {
        case .send(let group, let text): "say in \(group): \(text.text)"
        case .history(let group, let before, let limit):
            "\(limit) messages of \(group)" + (before.map { " before \($0)" } ?? "")
        }
    }
}

extension AccountCommand {
    fileprivate var words: String {
        switch self {
        case .get: "account"
        case .update(let change):
            "update"
                + [change.email?.text, change.firstName?.text, change.lastName?.text]
                .map { " \($0 ?? "-")" }.joined()
                + (change.addableBy.map { ", addable by \($0.rawValue)" } ?? "")
        case .changePassword: "change the password"
        case .delete: "delete the account"
        case .export(let cursor): "export the account from \(cursor ?? "the beginning")"
        case .logOut: "log out"
        case .avatar(let user): "picture of \(user)"
        case .listDevices: "list devices"
        case .revokeDevice(let device): "revoke \(device)"
        case .carryDevice(let name): "carry \(name?.text ?? "none")"
        case .removeDevice(let device): "remove \(device)"
        case .startSecondFactor: "set up a second factor"
        case .confirmSecondFactor: "turn the second factor on"
        case .stopSecondFactor: "turn the second factor off"
        case .beginPasskey: "begin a passkey"
        case .addPasskey(let addition): "add the passkey \(addition.label?.text ?? "-")"
        case .listPasskeys: "list passkeys"
        case .removePasskey(let id, _): "remove the passkey \(id)"
        case .acceptTerms(let version): "accept the terms \(version)"
        }
    }
}

extension FriendCommand {
    fileprivate var words: String {
        switch self {
        case .add(let user): "befriend \(user)"
        case .remove(let user): "unfriend \(user)"
        case .list(let listing, let name):
            "list \(listing.rawValue)" + (name.map { " after \($0)" } ?? "")
        case .share(let selection, let fix): "show \(selection.words)\(FriendCommand.words(fix))"
        case .unshare(let selection): "hide from \(selection.words)"
        case .turnLocationOff(let isStoring):
            "turn off" + (isStoring.map { $0 ? ", store" : ", store nothing" } ?? "")
        case .nearby(let radius, let fix): "within \(radius) m\(FriendCommand.words(fix))"
        case .block(let user): "block \(user)"
        case .unblock(let user): "unblock \(user)"
        case .watchers(let cursor): "watchers from \(cursor?.text ?? "the beginning")"
        }
    }

    private static func words(_ fix: Fix?) -> String {
        fix.map { " at \($0.coordinate.latitude), \($0.takenAt.rfc3339)" } ?? ""
    }
}

extension FriendCommand.Selection {
    fileprivate var words: String {
        switch self {
        case .all: "all"
        case .some(let names): names.map(\.text).joined(separator: ", ")
        }
    }
}

extension GroupSelection {
    fileprivate var words: String {
        switch self {
        case .all: "all"
        case .some(let keys): keys.map(\.text).joined(separator: ", ")
        }
    }
}

extension Destination {
    fileprivate var words: String {
        let place = "\(coordinate.latitude) \(coordinate.longitude)"
        return [place, name, radius.map { "\($0) m" }].compactMap { $0 }.joined(separator: " ")
    }
}

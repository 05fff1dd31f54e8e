internal import Tracking

extension Notice {
    /// A sentence for its reader, for where no page makes one.
    ///
    /// - Parameter reader: whom it is for.
    public func text(for reader: Name) -> String {
        let by = by.map { $0 == reader ? " by you" : " by \($0)" } ?? ""
        let other = about?.name ?? "Somebody"
        switch news {
        case .addedToGroup(_, let name):
            let who = about.map { $0.user == reader ? "You were" : "\($0.name) was" } ?? "You were"
            return "\(who) added to the group \(name)\(by)."
        case .removedFromGroup(_, let name, let endsJourney):
            let end = endsJourney ? " Nobody follows your journey any more." : ""
            return "You were removed from the group \(name)\(by).\(end)"
        case .invitedToGroup(_, let name): return "You are invited to the group \(name)\(by)."
        case .friendAdded: return "\(other) added you as a friend."
        case .locationShared: return "\(other) shows you where they are."
        case .sharingReminder(_, let groups, let friends):
            return "Your position is seen by \(count(groups.count, "group")) and "
                + "\(count(friends, "friend")). Is that still what you want?"
        case .sharingEnded(_, let name):
            return "The group \(name) no longer sees where you are: the time is over."
        case .newLogin(let device):
            return "\(device) has logged in to your account. Was it not you? Change your password."
        case .loggedOut(let device, .room):
            return "\(device) was logged out, because another device has logged in."
        case .loggedOut(let device, .unused):
            return "\(device) was logged out, because it was not used for long."
        case .loggedOut(let device, .left):
            return "\(device) was logged out, because your organisation does not know you any more."
        case .loggedOut(let device, .unconfirmed):
            return "\(device) was logged out: log in again with your organisation's password."
        case .passwordChanged:
            return "Your password was changed. Was it not you? Tell whoever runs this server."
        case .passwordForgotten:
            return "Somebody has asked for a new password for your account. A link was sent to "
                + "your address; without it nobody can set one."
        case .emailChanged: return "The address of your account was changed."
        case .secondFactor(let isOn):
            return "Logging in to your account needs \(isOn ? "a" : "no") code from now on."
        case .passkey(let label, isAdded: true):
            return "The passkey \(label) lets in to your account from now on. Was it not you? "
                + "Remove it."
        case .passkey(let label, isAdded: false):
            return "The passkey \(label) no longer lets in to your account."
        case .channel(let label, isAdded: true):
            return "\(label) is told your news from now on. Was it not you? Remove it."
        case .channel(let label, isAdded: false):
            return "\(label) is told none of your news any longer."
        case .channelLost(let label):
            return "\(label) can no longer be reached: turn notifications on there again."
        case .consentRequested(_, _, let name):
            return "\(name) asks for your data. It gets nothing before you agree."
        case .serviceAdded(_, let name):
            return "\(name) may have your data from now on. Was it not you? Remove it."
        case .consentGiven: return "\(other) lets you have their data."
        case .consentRefused: return "A user has refused to let you have their data."
        case .consentRevoked: return "\(other) no longer lets you have their data."
        case .areYouAllRight(let deadline):
            return "Are you all right? Your vital signs are unusual. Say so by "
                + "\(deadline.rfc3339.dropFirst(11).prefix(8)) UTC, or help is called."
        case .questionOver:
            return "Your vital signs are as usual again. Nobody was called."
        case .helpCalled:
            return "Help is being called for you, because of your vital signs. If you can, call "
                + "the emergency number yourself."
        case .vitalsSilent:
            return "No vital signs of yours have come for a while: nobody would notice if you "
                + "needed help. Is your watch on?"
        case .monitoring(.began):
            return "Your vital signs are watched from now on. Was it not you? Change your password."
        case .monitoring(.changed):
            return
                "What counts as dangerous in your vital signs was changed. Was it not you? Look at "
                + "it, and change your password."
        case .monitoring(.ended):
            return
                "Your vital signs are no longer watched: nobody is called because of them. Was it "
                + "not you? Change your password."
        case .runCancelled(_, let name): return "The run \(name) will not take place."
        case .runChanged(_, let name): return "The run \(name) has been changed. Look at it again."
        case .runStarting(_, let name, let start):
            return
                "The run \(name) starts at \(start.rfc3339.dropFirst(11).prefix(5)) UTC. From then "
                + "until you finish everybody sees where you are on the course."
        case .reminder(_, _, let name, let text, _): return "\(name): \(text)"
        case .placeCrossed(_, let name, .arrived, let at):
            return "\(other) has arrived at \(name), at \(clock(at))."
        case .placeCrossed(_, let name, .left, let at):
            return "\(other) has left \(name), at \(clock(at))."
        case .placeMissed(_, let name, let at, isKnown: true):
            return "\(other) was not at \(name) by \(clock(at))."
        case .placeMissed(_, let name, let at, isKnown: false):
            return "\(other) was not seen at \(name) by \(clock(at)). It is not known where they "
                + "are."
        case .placeRule(_, let place, .asked):
            return "\(other) asks that somebody is told when you arrive at, leave or are not at "
                + "\(place). Nobody is told before you agree."
        case .placeRule(_, let place, .agreed): return "\(other) agrees to your rule for \(place)."
        case .placeRule(_, let place, .refused):
            return "\(other) does not agree to your rule for \(place): nobody is told of them."
        case .placeRule(_, let place, .ended):
            return "A rule for \(place) has ended: nobody is told by it any longer."
        case .vitalsBack: return "Your vital signs come again."
        case .maintenance(let from, let to, let text, _, let isLate):
            let late = isLate ? " This was announced late." : ""
            return "From \(from.rfc3339.prefix(10)) \(from.rfc3339.dropFirst(11).prefix(5)) to "
                + "\(to.rfc3339.prefix(10)) \(to.rfc3339.dropFirst(11).prefix(5)) UTC nobody watches "
                + "your vital signs, and no help is called because of them. \(text)\(late)"
        }
    }

    private func clock(_ time: Timestamp) -> String {
        "\(time.rfc3339.dropFirst(11).prefix(5)) UTC"
    }

    private func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}

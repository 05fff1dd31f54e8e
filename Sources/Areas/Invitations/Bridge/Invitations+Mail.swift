import Contract
import Languages
import Limits
import Store
import Tracking

/// Invitations to an address that no account has proved: the link is mailed there. The inviter does
/// not learn this, and the token is not stored.
extension Invitations {
    /// - Returns: whether the mail is being sent; until it is delivered the invitation is
    ///   undecided.
    func mail(_ row: InvitationRow, to address: EmailAddress) throws -> Bool {
        guard settings.channels.sendsLinks, row.endedAt == nil, row.expiresAt > now,
            let inviter = memory.people[row.by], let group = memory.groups[row.group],
            inviter.membership(in: group.id) != nil
        else { return false }
        var mail = state.mails[row.id] ?? InvitationState.Mail()
        let folded = EmailAddress.folded(address.text)
        let isSent = turn.decisions.admits {
            mail.attempts > 0 || state.sentMails.take(folded, by: inviter.id, at: now) == nil
        }
        guard isSent else {
            count("invitation-mails-refused")
            return false
        }
        let secret = TokenSecret(using: &random)
        try transaction.setToken(secret.hash, ofInvitation: row.id)
        mail.attempts += 1
        mail.nextAt = nil
        state.mails[row.id] = mail
        count("invitation-mails")
        turn.work.append(delivery(of: row, secret, mail, to: address.text, by: inviter))
        return true
    }

    private func delivery(
        of row: InvitationRow, _ secret: TokenSecret, _ mail: InvitationState.Mail,
        to address: String, by inviter: Person
    ) -> Delivery {
        let reader = Reader(inviter.profile.language ?? .english)
        let name =
            inviter.displayName.allSatisfy(Invitations.isPlain)
            ? inviter.displayName : inviter.name.text
        let message = ChannelMessage(
            id: mail.message(of: row.id), kind: "invitation",
            title: settings.languages.say(Phrase(.invitationMailTitle), to: reader),
            text: settings.languages.say(
                Phrase(.invitationMail, ["name": .text(name)]), to: reader),
            at: now, view: "#/invitation/\(secret.invitation)")
        return Delivery(
            channel: row.id, user: inviter.name, kind: .mail, address: address, publicKey: nil,
            secret: nil, pushKey: nil, message: message, urgency: .awaited,
            expiresAt: row.expiresAt)
    }

    /// Whether a character cannot make a name look like an address that mail programs turn into a
    /// link.
    private static func isPlain(_ character: Character) -> Bool { !"./:@".contains(character) }

    /// Handles the outcome of a mail.
    ///
    /// - Returns: false if it was not an invitation's.
    func take(_ outcome: DeliveryOutcome) throws -> Bool {
        guard var mail = state.mails[outcome.channel] else { return false }
        guard outcome.message == mail.message(of: outcome.channel) else { return true }
        switch outcome.result {
        case .failed(.gone, _), .failed(.unsendable, _):
            try end(outcome.channel, isTold: false)
        case .failed where mail.attempts >= Invitations.mostAttempts:
            try end(outcome.channel, isTold: false)
        case .failed(_, let pause):
            mail.nextAt =
                now + max(Invitations.backoff.delay(after: mail.attempts - 1), pause ?? .zero)
            state.mails[outcome.channel] = mail
        case .delivered: try end(outcome.channel, isTold: true)
        }
        return true
    }

    private func end(_ id: UUIDv7, isTold: Bool) throws {
        state.mails[id] = nil
        try transaction.decide(id, meaning: nil, isTold: isTold)
    }

    /// Assigns invitations to an address to the person who has proved that it is theirs.
    func noteProof(of address: String) throws {
        let rows = try transaction.openInvitations(
            ofAddress: EmailAddress.folded(address), at: now, atMost: Invitations.maximumOfGroup)
        for row in rows where row.user == nil && row.isTold != nil {
            try lookAgain(row)
        }
    }

    /// Queues an invitation to be decided again.
    func lookAgain(_ row: InvitationRow) throws {
        try transaction.setUndecided(row.id)
        new.append(row.id)
    }

    private static let mostAttempts = 10
    private static let backoff = Backoff(from: .seconds(10), to: .seconds(3_600))
}

import Store
import Tracking

/// The invitations' state between turns.
final class InvitationState: AreaState {
    /// Invitations whose delivery is still to be decided, in a later turn than the one that created
    /// them.
    var undecided: [UUIDv7]
    /// Mails being sent or to be sent again. After a restart they are undecided, and sent once
    /// more.
    var mails: [UUIDv7: Mail] = [:] {
        didSet { nextMail = mails.values.compactMap(\.nextAt).min() }
    }
    /// The time of the next repeated mail.
    private var nextMail: Timestamp?
    /// Limits the invitation mails sent to unproved addresses.
    var sentMails = SentCodes()

    struct Mail {
        var attempts = 0
        /// The time of the next try; nil while it is being sent.
        var nextAt: Timestamp?

        func message(of invitation: UUIDv7) -> String { "\(invitation)-\(attempts)" }
    }

    /// Returns the mails to be sent again by then.
    func takeMails(dueAt now: Timestamp) -> [UUIDv7] {
        guard let nextMail, nextMail <= now else { return [] }
        let due = mails.filter { $0.value.nextAt.map { $0 <= now } ?? false }.keys.sorted()
        for id in due { mails[id]?.nextAt = nil }
        return due
    }

    /// The time of the next decision or mail.
    var next: Timestamp? {
        undecided.isEmpty ? nextMail : Timestamp(milliseconds: 0)
    }

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws {
        undecided = try transaction.undecidedInvitations()
    }
}

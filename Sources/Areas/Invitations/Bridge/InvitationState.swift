import Store
import Tracking

/// What the invitations need between turns.
final class InvitationState: AreaState {
    /// Those of which a later turn than the one that made them decides whether they reach anybody.
    var undecided: [UUIDv7]
    /// Under way, or to be sent again. After a restart they are undecided, and sent once more.
    var mails: [UUIDv7: Mail] = [:] {
        didSet { nextMail = mails.values.compactMap(\.nextAt).min() }
    }
    /// When the next one is sent again.
    private var nextMail: Timestamp?
    /// How many mails with invitations are sent to addresses that nobody has proved to be theirs.
    var sentMails = SentCodes()

    struct Mail {
        var attempts = 0
        /// When it is sent again; nil while it is under way.
        var nextAt: Timestamp?

        func message(of invitation: UUIDv7) -> String { "\(invitation)-\(attempts)" }
    }

    /// Those that are to be sent again by then.
    func takeMails(dueAt now: Timestamp) -> [UUIDv7] {
        guard let nextMail, nextMail <= now else { return [] }
        let due = mails.filter { $0.value.nextAt.map { $0 <= now } ?? false }.keys.sorted()
        for id in due { mails[id]?.nextAt = nil }
        return due
    }

    /// When something is to be decided or sent.
    var next: Timestamp? {
        undecided.isEmpty ? nextMail : Timestamp(milliseconds: 0)
    }

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws(StoreError) {
        undecided = try transaction.undecidedInvitations()
    }
}

public import Contract
public import Tracking

extension Transaction {
    // MARK: Creation and lookup

    /// - Parameter hash: SHA-256 of a link's token, which itself is never stored.
    public func insert(_ invitation: InvitationRow, tokenHash hash: [UInt8]?) throws(StoreError) {
        try insert(
            invitation, InvitationRow.record, with: [("token_hash", SQLValue(hash))])
    }

    public func invitation(_ id: UUIDv7) throws(StoreError) -> InvitationRow? {
        try invitations("WHERE id = ?", [.text(id.description)]).first
    }

    public func invitation(withTokenHash hash: [UInt8]) throws(StoreError) -> InvitationRow? {
        try invitations("WHERE token_hash = ?", [.blob(hash)]).first
    }

    /// Returns the open invitation that the user has already made to the same person.
    public func openInvitation(
        of invitee: InvitationCommand.Invitee, to group: GroupID, by user: UserID,
        at now: Timestamp
    ) throws(StoreError) -> InvitationRow? {
        try invitations(
            "WHERE by_id = ? AND group_id = ? AND invitee = ? AND \(Transaction.isOpen)",
            [SQLValue(user), SQLValue(group), .text(invitee.stored), SQLValue(now)]
        ).first
    }

    public func countOpenInvitations(to group: GroupID, at now: Timestamp)
        throws(StoreError) -> Int
    {
        try count(
            "SELECT COUNT(*) FROM invitations WHERE group_id = ? AND \(Transaction.isOpen)",
            [SQLValue(group), SQLValue(now)])
    }

    public func countOpenInvitations(by user: UserID, at now: Timestamp)
        throws(StoreError) -> Int
    {
        try count(
            "SELECT COUNT(*) FROM invitations WHERE by_id = ? AND \(Transaction.isOpen)",
            [SQLValue(user), SQLValue(now)])
    }

    /// Returns the group's open invitations, the newest first; including declined ones, since
    /// declining is not revealed.
    public func openInvitations(to group: GroupID, at now: Timestamp, atMost limit: Int)
        throws(StoreError) -> [InvitationRow]
    {
        try invitations(
            """
            WHERE group_id = ? AND \(Transaction.isOpen) AND \(Transaction.isNotErased)
            ORDER BY id DESC LIMIT ?
            """, [SQLValue(group), SQLValue(now), .integer(Int64(limit))])
    }

    /// Returns the open invitations that have reached the user, the newest first.
    public func openInvitations(of user: UserID, at now: Timestamp, atMost limit: Int)
        throws(StoreError) -> [InvitationRow]
    {
        try invitations(
            """
            WHERE user_id = ? AND told = 1 AND declined_at_ms IS NULL AND \(Transaction.isOpen)
                AND \(Transaction.isNotErased)
            ORDER BY id DESC LIMIT ?
            """, [SQLValue(user), SQLValue(now), .integer(Int64(limit))])
    }

    private static let isOpen = "ended_at_ms IS NULL AND expires_at_ms > ?"
    private static let isNotErased = """
        by_id NOT IN \(erasedUsers) AND (user_id IS NULL OR user_id NOT IN \(erasedUsers))
        """

    /// Returns the open invitations to an address, the newest first.
    ///
    /// - Parameter address: folded.
    public func openInvitations(ofAddress address: String, at now: Timestamp, atMost limit: Int)
        throws(StoreError) -> [InvitationRow]
    {
        try invitations(
            "WHERE invitee = ? AND \(Transaction.isOpen) ORDER BY id DESC LIMIT ?",
            [.text(address), SQLValue(now), .integer(Int64(limit))])
    }

    /// Returns the number of a user's invitations to the same name or address since then, open or
    /// not.
    public func countInvitations(
        of invitee: InvitationCommand.Invitee, by user: UserID, since time: Timestamp
    ) throws(StoreError) -> Int {
        try count(
            "SELECT COUNT(*) FROM invitations WHERE by_id = ? AND invitee = ? AND at_ms > ?",
            [SQLValue(user), .text(invitee.stored), SQLValue(time)])
    }

    // MARK: Delivery

    /// - Parameter hash: SHA-256 of the mailed token.
    public func setToken(_ hash: [UInt8], ofInvitation id: UUIDv7) throws(StoreError) {
        try driver.execute(
            "UPDATE invitations SET token_hash = ? WHERE id = ?",
            [.blob(hash), .text(id.description)])
    }

    public func setUndecided(_ invitation: UUIDv7) throws(StoreError) {
        try driver.execute(
            "UPDATE invitations SET told = NULL WHERE id = ?", [.text(invitation.description)])
    }

    /// Returns the invitations whose delivery is undecided, the oldest first.
    public func undecidedInvitations() throws(StoreError) -> [UUIDv7] {
        try invitations("WHERE invitee IS NOT NULL AND told IS NULL ORDER BY id", []).map(\.id)
    }

    /// - Parameter user: the user whom the invitation refers to; nil if none.
    public func decide(_ invitation: UUIDv7, meaning user: UserID?, isTold: Bool)
        throws(StoreError)
    {
        try driver.execute(
            "UPDATE invitations SET user_id = ?, told = ? WHERE id = ?",
            [
                user.map { SQLValue($0) } ?? .null, .integer(isTold ? 1 : 0),
                .text(invitation.description),
            ])
    }

    /// Whether the user has declined an invitation by this inviter to this group since then.
    public func hasDeclined(
        _ user: UserID, by inviter: UserID, to group: GroupID, since time: Timestamp
    ) throws(StoreError) -> Bool {
        try one(
            """
            SELECT 1 FROM invitations
            WHERE by_id = ? AND user_id = ? AND group_id = ? AND declined_at_ms > ? LIMIT 1
            """, [SQLValue(inviter), SQLValue(user), SQLValue(group), SQLValue(time)]
        ) { try $0.integer(0) } != nil
    }

    /// Returns the number of invitations by this inviter that have reached the user since then.
    public func countTold(_ user: UserID, by inviter: UserID, since time: Timestamp)
        throws(StoreError) -> Int
    {
        try count(
            """
            SELECT COUNT(*) FROM invitations
            WHERE by_id = ? AND user_id = ? AND told = 1 AND at_ms > ?
            """, [SQLValue(inviter), SQLValue(user), SQLValue(time)])
    }

    // MARK: End

    /// Counts a use; the last one ends the invitation.
    public func use(_ invitation: UUIDv7, at now: Timestamp) throws(StoreError) {
        try driver.execute(
            """
            UPDATE invitations SET used = used + 1,
                ended_at_ms = CASE WHEN used + 1 >= uses THEN ? ELSE ended_at_ms END
            WHERE id = ?
            """, [SQLValue(now), .text(invitation.description)])
    }

    public func decline(_ invitation: UUIDv7, at now: Timestamp) throws(StoreError) {
        try driver.execute(
            "UPDATE invitations SET declined_at_ms = ? WHERE id = ? AND declined_at_ms IS NULL",
            [SQLValue(now), .text(invitation.description)])
    }

    public func endInvitation(_ invitation: UUIDv7, at now: Timestamp) throws(StoreError) {
        try end("id = ?", [.text(invitation.description)], at: now)
    }

    public func endLinks(to group: GroupID, at now: Timestamp) throws(StoreError) {
        try end("group_id = ? AND token_hash IS NOT NULL", [SQLValue(group)], at: now)
    }

    public func endInvitations(to group: GroupID, by user: UserID, at now: Timestamp)
        throws(StoreError)
    {
        try end("by_id = ? AND group_id = ?", [SQLValue(user), SQLValue(group)], at: now)
    }

    /// Ends the invitations addressed to the user.
    public func endInvitations(to group: GroupID, of user: UserID, at now: Timestamp)
        throws(StoreError)
    {
        try end("user_id = ? AND group_id = ?", [SQLValue(user), SQLValue(group)], at: now)
    }

    private func end(_ condition: String, _ values: [SQLValue], at now: Timestamp)
        throws(StoreError)
    {
        try driver.execute(
            "UPDATE invitations SET ended_at_ms = ? WHERE \(condition) AND ended_at_ms IS NULL",
            [SQLValue(now)] + values)
    }

    /// - Returns: the number of invitations deleted.
    public func deleteInvitations(expiredBefore time: Timestamp, atMost limit: Int)
        throws(StoreError) -> Int
    {
        try driver.executeCounted(
            """
            DELETE FROM invitations WHERE id IN
                (SELECT id FROM invitations WHERE expires_at_ms < ?
                ORDER BY expires_at_ms LIMIT ?)
            """, [SQLValue(time), .integer(Int64(limit))])
    }

    // MARK: Helpers

    func invitations(_ rest: String, _ values: [SQLValue]) throws(StoreError) -> [InvitationRow] {
        try rows(InvitationRow.record, rest, values)
    }
}

/// A user's setting.
extension Transaction {
    public func setAddability(_ addability: Addability, of user: UserID) throws(StoreError) {
        try driver.execute(
            "UPDATE users SET addable_by = ? WHERE id = ?",
            [.text(addability.rawValue), SQLValue(user)])
    }
}

internal import Contract
internal import Tracking

extension StoredTable {
    static let invitations = [
        StoredTable(
            "invitations", .exported("invitation"),
            items: { transaction, user, last, limit in
                try transaction.invitationItems(of: user, after: last, atMost: limit)
            },
            // One that did not reach its addressee is never revealed.
            count: { transaction, user, counts in
                counts.invitations = try transaction.count(
                    """
                    SELECT COUNT(*) FROM invitations WHERE by_id = ? OR user_id = ? AND told = 1
                    """, [SQLValue(user), SQLValue(user)])
            },
            // Invitations made by the user end when they leave their groups; no query returns those
            // to them.
            remainsOfUser: Remains { transaction, user, rest in
                for column in ["by_id", "user_id"] where rest > 0 {
                    rest -= try transaction.driver.executeCounted(
                        """
                        DELETE FROM invitations WHERE id IN
                            (SELECT id FROM invitations WHERE \(column) = ? LIMIT ?)
                        """, [.integer(user), .integer(Int64(rest))])
                }
            },
            remainsOfGroup: .rows(
                """
                DELETE FROM invitations WHERE id IN
                    (SELECT id FROM invitations WHERE group_id = ? LIMIT ?)
                """))
    ]
}

extension Transaction {
    /// Returns the invitations that the user made and those that reached them, in the order of
    /// creation.
    fileprivate func invitationItems(of user: UserID, after last: String, atMost limit: Int)
        throws(StoreError) -> [StoredTable.ItemRow]
    {
        let rows = try invitations(
            """
            WHERE (by_id = ? OR user_id = ? AND told = 1) AND id > ?
                AND group_id NOT IN \(Transaction.closedGroups)
            ORDER BY id LIMIT ?
            """, [SQLValue(user), SQLValue(user), .text(last), .integer(Int64(limit))])
        var items: [StoredTable.ItemRow] = []
        for row in rows {
            items.append(
                StoredTable.ItemRow(place: row.id.description, item: try item(row, of: user)))
        }
        return items
    }

    private func item(_ row: InvitationRow, of user: UserID) throws(StoreError) -> ExportItem? {
        let group = try one("SELECT name FROM groups WHERE id = ?", [SQLValue(row.group)]) { row in
            try row.text(0)
        }
        guard let group else { return nil }
        let inviter = try names(of: [row.by]).first
        guard row.by == user else {
            return .invitation(
                row.id, to: group, by: inviter, at: row.at, declinedAt: row.declinedAt)
        }
        // The name of another user's deleted account is omitted.
        var invitee = row.invitee
        if let invited = row.user, try names(of: [invited]).isEmpty { invitee = nil }
        guard let inviter else { return nil }
        return .invitation(
            OpenInvitation(
                id: row.id, by: inviter, invitee: invitee, uses: row.uses, used: row.used,
                at: row.at, expiresAt: row.expiresAt),
            to: group)
    }
}

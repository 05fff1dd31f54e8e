public import Contract
public import Tracking

extension Transaction {
    /// - Parameter secret: the link's secret. Neither it nor anything derived from it is stored.
    public func insert(_ link: ShareLinkRow, _ secret: TokenSecret) throws(StoreError) {
        try insert(
            link, ShareLinkRow.record,
            with: [
                ("token_hash", .blob(secret.hash)),
                ("view_hash", .blob(secret.derived(link.salt).hash)),
            ])
        try noteAccessChange(of: Grant(.share, link.id))
    }

    /// Returns all active links, of all users.
    public func openShareLinks() throws(StoreError) -> [ShareLinkRow] {
        try shareLinks(
            "WHERE ended_at_ms IS NULL AND user_id NOT IN \(Transaction.erasedUsers) ORDER BY id",
            [])
    }

    public func shareLink(withTokenHash hash: [UInt8]) throws(StoreError) -> ShareLinkRow? {
        try shareLinks("WHERE token_hash = ?", [.blob(hash)]).first
    }

    func access(ofShare share: UUIDv7) throws(StoreError) -> GrantAccess? {
        let found = try one(
            """
            SELECT s.view_hash, u.name FROM share_links s JOIN users u ON u.id = s.user_id
            WHERE s.id = ? AND s.ended_at_ms IS NULL
            """, [.text(share.description)]
        ) { row in (hash: try row.blob(0), owner: try row.text(1)) }
        // An erased user no longer has a name.
        guard let found, let owner = Name(found.owner) else { return nil }
        return GrantAccess(tokenHash: found.hash, maker: owner)
    }

    public func noteOpening(of share: UUIDv7, at now: Timestamp) throws(StoreError) {
        try driver.execute(
            "UPDATE share_links SET opened = opened + 1, opened_at_ms = ? WHERE id = ?",
            [SQLValue(now), .text(share.description)])
    }

    /// Records that the link's journey has ended, and when the link will.
    public func noteJourneyEnd(
        _ end: SharedView.End, of share: UUIDv7, until: Timestamp
    ) throws(StoreError) {
        try driver.execute(
            "UPDATE share_links SET journey_end = ?, until_ms = ? WHERE id = ?",
            [.text(end.rawValue), SQLValue(until), .text(share.description)])
    }

    /// Ends a link: from the end of the transaction on, the gate shows nothing by it.
    public func endShareLink(_ share: UUIDv7, at now: Timestamp) throws(StoreError) {
        try driver.execute(
            "UPDATE share_links SET ended_at_ms = ? WHERE id = ? AND ended_at_ms IS NULL",
            [SQLValue(now), .text(share.description)])
        try noteAccessChange(of: Grant(.share, share))
    }

    /// - Returns: the number of links deleted.
    public func deleteShareLinks(endedBefore time: Timestamp, atMost limit: Int)
        throws(StoreError) -> Int
    {
        try driver.executeCounted(
            """
            DELETE FROM share_links WHERE id IN
                (SELECT id FROM share_links WHERE ended_at_ms < ? ORDER BY ended_at_ms LIMIT ?)
            """, [SQLValue(time), .integer(Int64(limit))])
    }

    func shareLinks(_ rest: String, _ values: [SQLValue]) throws(StoreError) -> [ShareLinkRow] {
        try rows(ShareLinkRow.record, rest, values)
    }
}

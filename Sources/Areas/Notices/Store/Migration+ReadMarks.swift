extension Migration {
    /// Read marks, and numbers of unread items: `…_seen` is the newest alert or message that the
    /// member has seen, null if none since they joined. Older ones than these columns count as
    /// seen.
    static let readMarkColumns = [
        "ALTER TABLE memberships ADD COLUMN alerts_seen TEXT",
        "ALTER TABLE memberships ADD COLUMN chat_seen TEXT",
        "ALTER TABLE memberships ADD COLUMN alerts_unread INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE memberships ADD COLUMN chat_unread INTEGER NOT NULL DEFAULT 0",
        """
        UPDATE memberships SET
            alerts_seen = (SELECT MAX(a.id) FROM alerts a WHERE a.group_id = memberships.group_id),
            chat_seen =
                (SELECT MAX(c.id) FROM chat_messages c WHERE c.group_id = memberships.group_id)
        """,
    ]
}

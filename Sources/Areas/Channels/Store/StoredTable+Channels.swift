internal import Contract
internal import Tracking

extension StoredTable {
    static let channels = [
        // Deliveries to an erased user are never sent; deliveries to others about them are not sent
        // either, and are deleted here.
        StoredTable(
            "deliveries", .kept,
            remainsOfUser: Remains { transaction, user, rest in
                for column in ["user_id", "about_id"] where rest > 0 {
                    rest -= try transaction.driver.executeCounted(
                        """
                        DELETE FROM deliveries WHERE (channel_id, message_id) IN
                            (SELECT channel_id, message_id FROM deliveries
                            WHERE \(column) = ? LIMIT ?)
                        """, [.integer(user), .integer(Int64(rest))])
                }
            },
            remainsOfGroup: .rows(
                """
                DELETE FROM deliveries WHERE (channel_id, message_id) IN
                    (SELECT channel_id, message_id FROM deliveries WHERE group_id = ? LIMIT ?)
                """)),
        StoredTable(
            "channels", .exported("channel"),
            items: { transaction, user, last, limit in
                try transaction.channels(of: user).filter { $0.id.description > last }
                    .prefix(limit).map {
                        StoredTable.ItemRow(
                            place: $0.id.description,
                            item: .channel($0.channel, address: $0.address))
                    }
            },
            count: { transaction, user, counts in
                counts.channels = try transaction.channels(of: user).count
            },
            // They contain addresses; there is a bounded number. No further delivery goes there.
            hide: { transaction, user, _ in
                for channel in try transaction.channels(of: user) {
                    try transaction.deleteChannel(channel.id)
                }
            }),
        StoredTable("service_keys", .impersonal),
    ]
}

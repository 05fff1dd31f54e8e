internal import Contract
public import Tracking

extension Transaction {
    public func insert(_ service: ServiceRow) throws(StoreError) {
        try insert(service, ServiceRow.record)
    }

    /// - Parameter address: nil to remove it.
    public func setAddress(_ address: String?, of service: UserID) throws(StoreError) {
        try driver.execute(
            "UPDATE services SET address = ? WHERE user_id = ?",
            [SQLValue(address), SQLValue(service)])
    }

    public func services() throws(StoreError) -> [ServiceRow] {
        try rows(
            ServiceRow.record,
            "WHERE user_id NOT IN \(Transaction.erasedUsers) ORDER BY user_id")
    }

    /// Returns a page of the services, in the order of creation.
    public func services(after service: UserID, limit: Int) throws(StoreError) -> [ServiceRow] {
        try rows(
            ServiceRow.record,
            """
            WHERE user_id > ? AND user_id NOT IN \(Transaction.erasedUsers)
            ORDER BY user_id LIMIT ?
            """, [SQLValue(service), .integer(Int64(limit))])
    }

    // MARK: Consent

    /// Returns the valid consents.
    public func serviceConsents() throws(StoreError) -> [ServiceConsent] {
        try rows(
            ServiceConsent.record,
            """
            WHERE ended_at_ms IS NULL AND user_id NOT IN \(Transaction.erasedUsers)
                AND service_id NOT IN \(Transaction.erasedUsers) ORDER BY id
            """)
    }

    /// Returns a page of the valid consents, in the order in which they were given.
    public func serviceConsents(to service: UserID, after id: Int64, limit: Int)
        throws(StoreError) -> [ServiceUser]
    {
        try all(
            """
            SELECT c.id, u.name, c.at_ms, c.streams_since_ms, c.subscribed_at_ms
            FROM service_consents c JOIN users u ON u.id = c.user_id
            WHERE c.service_id = ? AND c.id > ? AND c.ended_at_ms IS NULL
                AND c.user_id NOT IN \(Transaction.erasedUsers)
            ORDER BY c.id LIMIT ?
            """, [SQLValue(service), .integer(id), .integer(Int64(limit))]
        ) { row in
            ServiceUser(
                id: try row.integer(0), user: try row.name(1),
                at: Timestamp(milliseconds: try row.integer(2)),
                mayStream: !row.isNull(3), isSubscribed: !row.isNull(4))
        }
    }

    public func insert(_ consent: ServiceConsent) throws(StoreError) {
        try insert(consent, ServiceConsent.record)
    }

    /// Ends a consent: from the end of the transaction on, the gate passes the service nothing of
    /// the user.
    public func endServiceConsent(of user: UserID, to service: UserID, at now: Timestamp)
        throws(StoreError)
    {
        try driver.execute(
            """
            UPDATE service_consents SET ended_at_ms = ?
            WHERE user_id = ? AND service_id = ? AND ended_at_ms IS NULL
            """, [SQLValue(now), SQLValue(user), SQLValue(service)])
        try noteAccessChange(of: user)
    }

    /// Stores whether the service may stream, and whether it does.
    public func setStreaming(_ consent: ServiceConsent) throws(StoreError) {
        try driver.execute(
            """
            UPDATE service_consents SET streams_since_ms = ?, subscribed_at_ms = ?
            WHERE user_id = ? AND service_id = ? AND ended_at_ms IS NULL
            """,
            [
                SQLValue(consent.streamsSince), SQLValue(consent.subscribedAt),
                SQLValue(consent.user), SQLValue(consent.service),
            ])
        try noteAccessChange(of: consent.user)
    }

    /// Returns the names of the services subscribed to the user's samples.
    func servicesSubscribed(to user: UserID) throws(StoreError) -> Set<Name> {
        Set(
            try all(
                """
                SELECT u.name FROM service_consents c JOIN users u ON u.id = c.service_id
                WHERE c.user_id = ? AND c.ended_at_ms IS NULL AND c.subscribed_at_ms IS NOT NULL
                    AND u.id NOT IN \(Transaction.erasedUsers)
                """, [SQLValue(user)]
            ) { try $0.name(0) })
    }

    // MARK: Requests

    public func insert(_ request: DataRequestRow) throws(StoreError) {
        try insert(
            request, DataRequestRow.record, with: [("at_ms", SQLValue(request.id.time))])
    }

    /// Returns the requests made since then that await the user's answer, the oldest first.
    public func openDataRequests(to user: UserID, since time: Timestamp)
        throws(StoreError) -> [DataRequestRow]
    {
        try rows(
            DataRequestRow.record,
            """
            WHERE user_id = ? AND answered_at_ms IS NULL AND at_ms > ?
                AND service_id NOT IN \(Transaction.erasedUsers) ORDER BY id
            """, [SQLValue(user), SQLValue(time)])
    }

    /// Answers the service's requests to the user; from now on it may ask again.
    public func answerDataRequests(
        of service: UserID, to user: UserID, isAllowed: Bool, at now: Timestamp
    ) throws(StoreError) {
        try forgetAsked(by: service, of: user)
        try driver.execute(
            """
            UPDATE data_requests SET answered_at_ms = ?, is_allowed = ?
            WHERE user_id = ? AND service_id = ? AND answered_at_ms IS NULL
            """,
            [SQLValue(now), .integer(isAllowed ? 1 : 0), SQLValue(user), SQLValue(service)])
    }

    /// Returns how often the user has refused the company's services.
    public func countRefusals(of company: UserID, by user: UserID) throws(StoreError) -> Int {
        try count(
            "SELECT COUNT(*) FROM data_requests WHERE user_id = ? AND company_id = ? AND is_allowed = 0",
            [SQLValue(user), SQLValue(company)])
    }

    // MARK: Retention

    /// Deletes older entries of the log, and older consents and requests that have ended.
    ///
    /// - Returns: whether there may be more.
    public func deleteAccess(before time: Timestamp, atMost limit: Int) throws(StoreError) -> Bool {
        var isMore = false
        for statement in [
            """
            DELETE FROM access_log WHERE at_ms < ?
                AND id < (SELECT COALESCE(MIN(id), 0) FROM access_log) + ?
            """,
            """
            DELETE FROM service_consents WHERE id IN (SELECT id FROM service_consents
                WHERE ended_at_ms < ? ORDER BY id LIMIT ?)
            """,
            """
            DELETE FROM data_requests WHERE id IN (SELECT id FROM data_requests
                WHERE answered_at_ms < ? ORDER BY id LIMIT ?)
            """,
        ] {
            let count = try driver.executeCounted(
                statement, [SQLValue(time), .integer(Int64(limit))])
            if count >= limit { isMore = true }
        }
        return isMore
    }
}

public import Contract
public import Tracking

/// The data to check a user's codes.
public struct SecondFactorRow: Sendable {
    public let secret: [UInt8]
    public let startedAt: Timestamp
    /// Nil while it is being set up.
    public let confirmedAt: Timestamp?
    /// The step of the last accepted code.
    public let lastStep: TimeCode.Step
}

extension Transaction {
    public func secondFactor(of user: UserID) throws(StoreError) -> SecondFactorRow? {
        try one(
            """
            SELECT secret, started_at_ms, confirmed_at_ms, last_step FROM second_factors
            WHERE user_id = ?
            """, [SQLValue(user)]
        ) { row in
            SecondFactorRow(
                secret: try row.blob(0), startedAt: Timestamp(milliseconds: try row.integer(1)),
                confirmedAt: try row.optionalInteger(2).map { Timestamp(milliseconds: $0) },
                lastStep: try row.integer(3))
        }
    }

    /// Stores a secret that awaits confirmation.
    public func startSecondFactor(_ secret: [UInt8], of user: UserID, at now: Timestamp)
        throws(StoreError)
    {
        try deleteSecondFactor(of: user)
        try driver.execute(
            """
            INSERT INTO second_factors (user_id, secret, started_at_ms, last_step)
            VALUES (?, ?, ?, 0)
            """, [SQLValue(user), .blob(secret), SQLValue(now)])
    }

    public func confirmSecondFactor(
        of user: UserID, _ codes: [RecoveryCode], at now: Timestamp
    ) throws(StoreError) {
        try driver.execute(
            "UPDATE second_factors SET confirmed_at_ms = ? WHERE user_id = ?",
            [SQLValue(now), SQLValue(user)])
        try insertAll(
            "INSERT INTO recovery_codes (user_id, code_hash)",
            codes.map { [SQLValue(user), .blob($0.hash)] })
    }

    /// Records that a code was accepted, so that it is not accepted again.
    public func noteStep(_ step: TimeCode.Step, of user: UserID) throws(StoreError) {
        try driver.execute(
            "UPDATE second_factors SET last_step = ? WHERE user_id = ?",
            [.integer(step), SQLValue(user)])
    }

    /// - Returns: whether the code existed; it no longer does.
    public func useRecoveryCode(_ code: RecoveryCode, of user: UserID) throws(StoreError) -> Bool {
        try driver.executeCounted(
            "DELETE FROM recovery_codes WHERE user_id = ? AND code_hash = ?",
            [SQLValue(user), .blob(code.hash)]) > 0
    }

    public func countRecoveryCodes(of user: UserID) throws(StoreError) -> Int {
        try count("SELECT COUNT(*) FROM recovery_codes WHERE user_id = ?", [SQLValue(user)])
    }

    public func deleteSecondFactor(of user: UserID) throws(StoreError) {
        for table in ["second_factors", "recovery_codes"] {
            try driver.execute("DELETE FROM \(table) WHERE user_id = ?", [SQLValue(user)])
        }
    }
}

public import Contract
internal import Languages
public import Tracking

extension Transaction {
    /// Stores all of it except the picture.
    public func setProfile(_ profile: Profile, of user: UserID) throws(StoreError) {
        try driver.execute(
            """
            INSERT INTO profiles (user_id, phone, phone_shown_to, language) VALUES (?, ?, ?, ?)
            ON CONFLICT (user_id) DO UPDATE SET phone = excluded.phone,
                phone_shown_to = excluded.phone_shown_to, language = excluded.language
            """,
            [
                SQLValue(user), SQLValue(profile.phone?.text),
                .text(profile.phoneShownTo.rawValue), SQLValue(profile.language?.rawValue),
            ])
    }

    /// Stores the picture of a user with a profile; nil removes it.
    public func setAvatar(_ avatar: Avatar?, of user: UserID) throws(StoreError) {
        try driver.execute(
            "UPDATE profiles SET avatar = ?, avatar_digest = ? WHERE user_id = ?",
            [
                avatar.map { .blob($0.png) } ?? .null, SQLValue(avatar?.digest), SQLValue(user),
            ])
    }

    /// Returns the picture, a PNG.
    public func avatar(of user: UserID) throws(StoreError) -> [UInt8]? {
        try one("SELECT avatar FROM profiles WHERE user_id = ?", [SQLValue(user)]) { row in
            row.isNull(0) ? nil : try row.blob(0)
        } ?? nil
    }
}

extension SQLRow {
    /// Reads four columns: all null for a user without a profile.
    func profile(from column: Int) throws(StoreError) -> Profile {
        Profile(
            phone: try optionalText(column).flatMap { PhoneNumber($0) },
            phoneShownTo: try optionalText(column + 1).flatMap { PhoneVisibility(rawValue: $0) }
                ?? .sos,
            language: try optionalText(column + 2).flatMap { Language(rawValue: $0) },
            avatar: try optionalText(column + 3))
    }
}

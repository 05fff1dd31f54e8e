package import Contract

extension PasswordHash.Cost {
    /// Takes the cost of new hashes from the settings.
    init(_ settings: BridgeSettings.Accounts) {
        self.init(
            ln: settings.passwordCost, r: settings.passwordBlockSize,
            p: settings.passwordParallelism)
    }
}

extension PasswordHash {
    /// Hashes the password, which takes a tenth of a second or more.
    package init(
        _ password: Password, _ settings: BridgeSettings.Accounts,
        using random: inout some RandomNumberGenerator
    ) throws {
        try self.init(password, salt: PasswordHash.salt(using: &random), Cost(settings))
    }
}

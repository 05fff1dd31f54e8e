package import Contract

extension PasswordHash.Cost {
    /// The cost of hashes made from now on.
    init(_ settings: BridgeSettings.Accounts) {
        self.init(
            ln: settings.passwordCost, r: settings.passwordBlockSize,
            p: settings.passwordParallelism)
    }
}

extension PasswordHash {
    /// Takes a tenth of a second or more.
    package init(
        _ password: Password, _ settings: BridgeSettings.Accounts,
        using random: inout some RandomNumberGenerator
    ) throws {
        try self.init(password, salt: PasswordHash.salt(using: &random), Cost(settings))
    }
}

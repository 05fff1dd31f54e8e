extension PasswordHash.Cost {
    /// The cost of hashes made from now on.
    init(_ settings: BridgeSettings.Accounts) {
        self.init(
            ln: settings.passwordCost, r: settings.passwordBlockSize,
            p: settings.passwordParallelism)
    }
}

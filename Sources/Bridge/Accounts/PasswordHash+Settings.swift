extension PasswordHash.Cost {
    /// Of the hashes that are made from now on.
    init(_ settings: BridgeSettings.Accounts) {
        self.init(
            ln: settings.passwordCost, r: settings.passwordBlockSize,
            p: settings.passwordParallelism)
    }
}

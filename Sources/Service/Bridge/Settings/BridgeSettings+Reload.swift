extension BridgeSettings {
    /// The prefixes of keys that take effect while a bridge runs. The others are read when it
    /// starts.
    public static let keysInForceAtOnce = [
        "tracking.", "escalation.", "sharing.", "retention.", "emergency.",
        "accounts.tokenLifetime", "services.",
    ]

    /// Adopts the other settings' values that can change while a bridge runs.
    mutating func takeOver(_ others: BridgeSettings) {
        rules = others.rules
        limits = others.limits
        retention = others.retention
        emergency = others.emergency
        accounts.tokenLifetime = others.accounts.tokenLifetime
        accounts.companiesNeedSecondFactor = others.accounts.companiesNeedSecondFactor
        accounts.companiesNeedConfirmedAddress = others.accounts.companiesNeedConfirmedAddress
        accounts.strangersPerDay = others.accounts.strangersPerDay
    }
}

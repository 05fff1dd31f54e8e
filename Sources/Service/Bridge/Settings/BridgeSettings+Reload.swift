extension BridgeSettings {
    /// Adopts the other settings' values that can change while a bridge runs: those of
    /// `reloadableKeys`.
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

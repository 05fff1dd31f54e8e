import Contract

/// The authentication state that is carried from one turn to the next: it is not in the store, and
/// a restart clears it.
final class AuthenticationState {
    let attempts = AttemptBook()
    let tokens = TokenAttempts()
    let connections: ReportedConnections
    let cost: PasswordHash.Cost
    /// The hash to check a password against if the account has none, so that it takes equally long.
    let nobody: PasswordHash

    init(_ settings: BridgeSettings) {
        connections = ReportedConnections(
            hasGate: settings.broker.hasGate, brokers: settings.broker.addresses.count)
        cost = PasswordHash.Cost(settings.accounts)
        nobody = PasswordHash(ofNobody: cost)
    }
}

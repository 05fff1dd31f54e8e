internal import Limits
internal import Synchronization

/// The purpose of a request without login.
enum GuestErrand: Sendable {
    /// To log in, to register, or back into an account.
    case entering
    /// To open a link.
    case links
    /// To read public data.
    case reading

    init(_ method: String) {
        switch method {
        case "share.open", "invitation.get": self = .links
        case "system.health": self = .reading
        default: self = PublicAnswers.hold(method) ? .reading : .entering
        }
    }
}

/// The request allowances of all visitors who are not logged in, in total less than the gate
/// permits. Logins do not wait for readers, and first attempts do not wait for repeated ones.
final class GuestAllowances: Sendable {
    private struct State {
        var newcomers: TokenBucket
        var others: TokenBucket
        var newLinks: TokenBucket
        var links: TokenBucket
        var reading: TokenBucket
        /// The allowances of the connections that guests share.
        var connections: [TokenBucket]
    }

    private let limits: WebSettings.Limits
    private let start: ContinuousClock.Instant
    private let state: Mutex<State>

    init(_ limits: WebSettings.Limits, at now: ContinuousClock.Instant = .now) {
        self.limits = limits
        start = now
        state = Mutex(
            State(
                newcomers: TokenBucket(limits.newcomers, at: .zero),
                others: TokenBucket(limits.attempts, at: .zero),
                newLinks: TokenBucket(limits.newLinks, at: .zero),
                links: TokenBucket(limits.links, at: .zero),
                reading: TokenBucket(limits.reading, at: .zero),
                connections: Array(
                    repeating: TokenBucket(limits.messagesOfGuestConnection, at: .zero),
                    count: limits.guestConnections)))
    }

    /// - Parameters:
    ///   - isNew: whether the address has made few such requests yet.
    ///   - first: the connection to try first.
    /// - Returns: the connection for the request.
    /// - Throws: ``Refusal/tooMuch``.
    func take(
        _ errand: GuestErrand, _ cost: Double, isNew: Bool, first: Int,
        at now: ContinuousClock.Instant = .now
    ) throws(Refusal) -> Int {
        let now = now - start
        let connection = state.withLock { state -> Int? in
            let count = state.connections.count
            let order = (0..<count).lazy.map { (first % count + $0) % count }
            let allowance = limits.messagesOfGuestConnection
            guard
                let free = order.first(where: {
                    state.connections[$0].has(cost, of: allowance, at: now)
                }), take(errand, cost, isNew: isNew, &state, at: now)
            else { return nil }
            _ = state.connections[free].take(cost, of: allowance, at: now)
            return free
        }
        guard let connection else { throw .tooMuch }
        return connection
    }

    private func take(
        _ errand: GuestErrand, _ cost: Double, isNew: Bool, _ state: inout State, at now: Duration
    ) -> Bool {
        switch errand {
        case .entering:
            isNew && state.newcomers.take(cost, of: limits.newcomers, at: now)
                || state.others.take(cost, of: limits.attempts, at: now)
        case .links:
            isNew && state.newLinks.take(cost, of: limits.newLinks, at: now)
                || state.links.take(cost, of: limits.links, at: now)
        case .reading:
            state.reading.take(cost, of: limits.reading, at: now)
                || lend(cost, &state.newLinks, limits.newLinks, at: now)
                || lend(cost, &state.newcomers, limits.newcomers, at: now)
        }
    }

    /// Lets readers use the unused part of another allowance.
    private func lend(
        _ cost: Double, _ bucket: inout TokenBucket, _ allowance: Allowance, at now: Duration
    ) -> Bool {
        bucket.has(allowance.burst / 4 * 3, of: allowance, at: now)
            && bucket.take(cost, of: allowance, at: now)
    }
}

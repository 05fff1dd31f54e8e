internal import Contract
internal import HTTPTypes
internal import Limits
internal import Numbers

/// Limits requests without login, and distributes them over the shared connections.
struct GuestGateway: Sendable {
    struct Guest: Sendable {
        let address: NetworkAddress
        let errand: GuestErrand
        /// Whether secrets can be guessed with it.
        let isAttempt: Bool
        /// The address's hash; seeded per process, so that it reveals nothing.
        let hash: UInt
    }

    let answers = PublicAnswers()
    private let allowances: GuestAllowances
    private let attempts: RateLimiter<NetworkAddress>
    private let first: RateLimiter<NetworkAddress>
    private let firstLinks: RateLimiter<NetworkAddress>
    private let links: RateLimiter<NetworkAddress>
    private let reading: RateLimiter<NetworkAddress>

    init(_ limits: WebSettings.Limits) {
        allowances = GuestAllowances(limits)
        attempts = RateLimiter(limits.attemptsOfAddress)
        first = RateLimiter(limits.firstAttempts)
        firstLinks = RateLimiter(limits.firstAttempts)
        links = RateLimiter(limits.linksOfAddress)
        reading = RateLimiter(limits.readingOfAddress)
    }

    func guest(at address: NetworkAddress, _ method: String) -> Guest {
        var hasher = Hasher()
        hasher.combine(address)
        let errand = GuestErrand(method)
        return Guest(
            address: address, errand: errand,
            isAttempt: errand == .entering && !(Method.named(method)?.isRead ?? false),
            hash: UInt(bitPattern: hasher.finalize()))
    }

    /// To be called before the body is read.
    ///
    /// - Throws: a refusal if there were too many attempts from the address.
    func begin(_ guest: Guest) throws(Refusal) {
        guard !guest.isAttempt || attempts.take(guest.address) else {
            throw Refusal(
                .tooManyRequests, "Too many attempts from this address.", retryAfter: .seconds(60))
        }
        if guest.errand == .links, !links.take(guest.address) { throw .tooMuch }
    }

    /// - Returns: the connection for the request.
    /// - Throws: ``Refusal/tooMuch``.
    func connection(for guest: Guest, _ cost: Double) throws(Refusal) -> Int {
        if guest.errand == .reading, !reading.take(guest.address, cost) { throw .tooMuch }
        let isNew =
            switch guest.errand {
            case .entering: first.take(guest.address)
            case .links: firstLinks.take(guest.address)
            case .reading: false
            }
        return try allowances.take(
            guest.errand, cost, isNew: isNew, first: Int(truncatingIfNeeded: guest.hash >> 1))
    }
}

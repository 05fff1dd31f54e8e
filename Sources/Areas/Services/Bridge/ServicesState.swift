import Contract
import DequeModule
import Limits
import Store
import Tracking

/// The services' state between turns.
final class ServicesState: AreaState {
    private(set) var services: [UserID: ServiceRow] = [:]
    private var ofCompany: [UserID: Set<UserID>] = [:]
    /// The valid consents, by user and service.
    private(set) var ofUser: [UserID: [UserID: ServiceConsent]] = [:]
    /// The same consents, by service and user.
    private(set) var ofService: [UserID: [UserID: ServiceConsent]] = [:]

    /// The services that receive a person's samples as they arrive, of the people with any, in
    /// ascending order.
    private(set) var subscribers: [UserID: [UserID]] = [:]

    /// The people with samples to be passed on, the next one first.
    var passing: Deque<Person> = []
    /// The samples that subscribers have yet to receive.
    var samples: [UserID: PassingSamples] = [:]
    /// The first fix of each person's current pause, since the start.
    var firstPaused: [UserID: FixID] = [:]
    /// The log entries about samples published, by user and service.
    var streams: [UserID: [UserID: Int64]] = [:]
    /// The time at which the next request is to be resolved.
    var nextAsked: Timestamp?
    /// Reads without consent that are to be logged.
    var denials: [(user: Name, service: UserID, at: Timestamp, due: Timestamp)] = []
    /// Limits the names that companies try for their services.
    var triedNames = TokenBuckets<UserID>(
        Allowance(
            burst: Double(BridgeSettings.maximumServiceNames),
            perSecond: Double(BridgeSettings.maximumServiceNames) / 86_400))

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws {
        nextAsked = try transaction.nextAskedPerson()
        for service in try transaction.services() { set(service) }
        for consent in try transaction.serviceConsents() { set(consent) }
    }

    func set(_ service: ServiceRow) {
        services[service.id] = service
        ofCompany[service.company, default: []].insert(service.id)
    }

    func set(_ consent: ServiceConsent) {
        ofUser[consent.user, default: [:]][consent.service] = consent
        ofService[consent.service, default: [:]][consent.user] = consent
        unsubscribe(consent.service, from: consent.user)
        guard consent.subscribedAt != nil else { return }
        subscribers[consent.user, default: []].append(consent.service)
        subscribers[consent.user]?.sort()
    }

    private func unsubscribe(_ service: UserID, from user: UserID) {
        subscribers[user]?.removeAll { $0 == service }
        if subscribers[user]?.isEmpty == true { subscribers[user] = nil }
    }

    func remove(_ consent: ServiceConsent) {
        unsubscribe(consent.service, from: consent.user)
        ofUser[consent.user]?[consent.service] = nil
        streams[consent.user]?[consent.service] = nil
        if streams[consent.user]?.isEmpty == true { streams[consent.user] = nil }
        ofService[consent.service]?[consent.user] = nil
        if ofUser[consent.user]?.isEmpty == true { ofUser[consent.user] = nil }
    }

    /// Forgets a service.
    ///
    /// - Returns: its valid consents.
    func removeService(_ id: UserID) -> some Collection<ServiceConsent> {
        if let company = services.removeValue(forKey: id)?.company {
            ofCompany[company]?.remove(id)
            if ofCompany[company]?.isEmpty == true { ofCompany[company] = nil }
        }
        let ended = ofService.removeValue(forKey: id) ?? [:]
        for consent in ended.values { remove(consent) }
        return ended.values
    }

    func consent(of user: UserID, to service: UserID) -> ServiceConsent? {
        ofUser[user]?[service]
    }

    func services(of company: UserID) -> [ServiceRow] {
        (ofCompany[company] ?? []).sorted().compactMap { services[$0] }
    }
}

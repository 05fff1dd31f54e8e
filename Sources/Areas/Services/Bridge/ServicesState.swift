import Contract
import DequeModule
import Limits
import Store
import Tracking

/// What services need between turns.
final class ServicesState: AreaState {
    private(set) var services: [UserID: ServiceRow] = [:]
    private var ofCompany: [UserID: Set<UserID>] = [:]
    /// The consents that hold, by user and service.
    private(set) var ofUser: [UserID: [UserID: ServiceConsent]] = [:]
    /// By service and user.
    private(set) var ofService: [UserID: [UserID: ServiceConsent]] = [:]

    /// Those of whom samples wait to be passed on, the next one first.
    var passing: Deque<Person> = []
    /// The entries of the log that say what was published of a user for a service.
    var streams: [UserID: [UserID: Int64]] = [:]
    /// When it is to be looked next whom a service has asked for.
    var nextAsked: Timestamp?
    /// Attempts to read without agreement that are to be noted.
    var denials: [(user: Name, service: UserID, at: Timestamp, due: Timestamp)] = []
    /// The names that companies try for their services.
    var triedNames = TokenBuckets<UserID>(
        Allowance(
            burst: Double(BridgeSettings.maximumServiceNames),
            perSecond: Double(BridgeSettings.maximumServiceNames) / 86_400))

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws(StoreError) {
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
    }

    func remove(_ consent: ServiceConsent) {
        ofUser[consent.user]?[consent.service] = nil
        streams[consent.user]?[consent.service] = nil
        if streams[consent.user]?.isEmpty == true { streams[consent.user] = nil }
        ofService[consent.service]?[consent.user] = nil
        if ofUser[consent.user]?.isEmpty == true { ofUser[consent.user] = nil }
    }

    /// Forgets a service.
    ///
    /// - Returns: the consents to it that held.
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

import Contract
import Store
import Tracking

/// What services need between turns.
final class ServicesState: AreaState {
    var services: [UserID: ServiceRow] = [:]
    /// The consents that hold, by user and service.
    private(set) var ofUser: [UserID: [UserID: ServiceConsent]] = [:]
    /// By service and user.
    private(set) var ofService: [UserID: [UserID: ServiceConsent]] = [:]

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws(StoreError) {
        for service in try transaction.services() { services[service.id] = service }
        for consent in try transaction.serviceConsents() { set(consent) }
    }

    func set(_ consent: ServiceConsent) {
        ofUser[consent.user, default: [:]][consent.service] = consent
        ofService[consent.service, default: [:]][consent.user] = consent
    }

    func remove(_ consent: ServiceConsent) {
        ofUser[consent.user]?[consent.service] = nil
        ofService[consent.service]?[consent.user] = nil
        if ofUser[consent.user]?.isEmpty == true { ofUser[consent.user] = nil }
    }

    /// Forgets a service.
    ///
    /// - Returns: the consents to it that held.
    func removeService(_ id: UserID) -> some Collection<ServiceConsent> {
        services[id] = nil
        let ended = ofService.removeValue(forKey: id) ?? [:]
        for consent in ended.values { remove(consent) }
        return ended.values
    }

    func consent(of user: UserID, to service: UserID) -> ServiceConsent? {
        ofUser[user]?[service]
    }

    func services(of company: UserID) -> [ServiceRow] {
        services.values.filter { $0.company == company }.sorted { $0.id < $1.id }
    }
}

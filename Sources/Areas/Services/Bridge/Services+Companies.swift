import Contract
import Limits
import Store
import Tracking

/// Companies' management of their services.
extension Services {
    /// - Throws: `second-factor-required`: a company, which can read many people's data, needs more
    ///   than a password.
    func checkSecondFactor(of company: UserID) throws {
        guard settings.accounts.companiesNeedSecondFactor else { return }
        let standing = try transaction.standing(of: company)
        guard standing.secondFactorSince != nil else {
            throw Problem(
                .secondFactorRequired,
                "Companies must first set up a second factor (account.totp.start).")
        }
    }

    func create(_ new: ServiceCommand.NewService, by company: Person) throws -> [UInt8] {
        try checkSecondFactor(of: company.id)
        guard state.services(of: company.id).count < BridgeSettings.maximumServices else {
            let limit = BridgeSettings.maximumServices
            throw Problem(.tooMany, "A company may offer at most \(limit) services.")
        }
        // People's names count as taken too, so attempts are limited against probing.
        let isTried = turn.decisions.admits {
            state.triedNames.take(company.id, at: .milliseconds(now.milliseconds))
        }
        guard isTried else {
            throw Problem(.tooMany, "You have tried too many names. Try again tomorrow.")
        }
        guard try !turn.isTaken(new.name) else {
            throw Problem(invalid: [.init(field: "service", reason: "is taken")])
        }
        let id = try transaction.insertUser(
            new.name, displayName: new.title.text, email: nil, ownTracksPublishIsSOS: false,
            kind: .service, at: now)
        let account = Person(
            UserRow(
                id: id, name: new.name, displayName: new.title.text, email: nil,
                ownTracksPublishIsSOS: false, createdAt: now, kind: .service), settings.fairness)
        memory.add(account)
        let row = ServiceRow(
            id: id, company: company.id, description: new.description, data: new.data,
            address: new.address?.text)
        try transaction.insert(row)
        state.set(row)
        return try token(of: account, company)
    }

    func setAddress(_ address: ServiceAddress?, of service: Found) throws {
        try checkSecondFactor(of: service.row.company)
        var row = service.row
        row.address = address?.text
        try transaction.setAddress(row.address, of: row.id)
        state.set(row)
    }

    func newToken(of service: Person, _ company: Person) throws -> [UInt8] {
        try checkSecondFactor(of: company.id)
        return try token(of: service, company)
    }

    private func token(of service: Person, _ company: Person) throws -> [UInt8] {
        let token = PrincipalToken(.service(service.name), using: &random)
        try turn.checkEnabled(service)
        try turn.setToken(token.hash, of: .serviceProgram, service, using: .kith)
        noteUsage(.changes, of: company)
        return ServiceResult.token.bytes(of: (service.name, token))
    }

    func delete(_ service: Person) throws -> [UInt8] { try turn.eraseAccount(service) }

    func list(of company: Person) -> [UInt8] {
        ServiceResult.list.bytes(
            of: state.services(of: company.id).compactMap { row in
                guard let service = description(row), let account = memory.people[row.id] else {
                    return nil
                }
                return (service, account.createdAt, state.ofService[row.id]?.count ?? 0)
            })
    }
}

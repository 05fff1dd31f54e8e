internal import Anonymity
internal import Bridge
internal import Clocks
internal import Contract
internal import Sealing
internal import Store
internal import Tracking

/// Invented people with health profiles, whose days have been summed up: at home by night,
/// elsewhere by day, with a heart rate that follows.
struct CohortTown {
    let people: Int
    let days: Int
    let keys: SealingKeys
    /// The keys, as the text of a key file.
    let keyFile: String
    /// Hours since the epoch.
    let window: Range<Int>

    private static let places = 30

    init(people: Int, days: Int) {
        (self.people, self.days) = (people, days)
        var random = SystemRandomNumberGenerator()
        keyFile = SealingKeys.newLine(1, using: &random)
        guard let keys = SealingKeys(keyFile) else { preconditionFailure("a new key is one") }
        self.keys = keys
        let today = Int(Timestamp.now.milliseconds / 86_400_000)
        window = (today - days) * DaySummary.hours..<today * DaySummary.hours
    }

    /// - Parameter name: returns a person's name by number.
    /// - Returns: the token of the service.
    func populate(
        _ transaction: Transaction, _ now: Timestamp, company: String, service: String,
        name: (Int) -> String = Stage.user
    ) throws -> PrincipalToken {
        guard let company = Name(company), let service = Name(service) else {
            preconditionFailure("the stage has proper names")
        }
        var random = SystemRandomNumberGenerator()
        let owner = try transaction.insertUser(
            company, displayName: "Acme", email: nil, ownTracksPublishIsSOS: false, kind: .company,
            at: now)
        let id = try transaction.insertUser(
            service, displayName: "My heart", email: nil, ownTracksPublishIsSOS: false,
            kind: .service, at: now)
        try transaction.insert(
            ServiceRow(id: id, company: owner, description: "Counts.", data: .all))
        let program = try transaction.insertDevice(.serviceProgram, of: id, using: .kith, at: now)
        let token = PrincipalToken(.service(service), using: &random)
        try transaction.setTokenHash(token.hash, of: program)
        try transaction.setCompleteHour(window.upperBound - 1)
        for number in 1...people { try add(number, name(number), transaction, now, &random) }
        return token
    }

    private func add(
        _ number: Int, _ name: String, _ transaction: Transaction, _ now: Timestamp,
        _ random: inout SystemRandomNumberGenerator
    ) throws {
        guard let name = Name(name), let phone = Name(Stage.device) else {
            preconditionFailure("the stage has proper names")
        }
        let user = try transaction.insertUser(
            name, displayName: "User \(number)", email: nil, ownTracksPublishIsSOS: false, at: now)
        _ = try transaction.insertDevice(phone, of: user, using: .kith, at: now)
        try transaction.insert(VitalsConsent(at: now, version: nil), of: user)
        var profile = HealthProfile()
        profile.gender = number.isMultiple(of: 2) ? .female : .male
        profile.dateOfBirth = DateOfBirth("\(1940 + number % 70)-06-15")
        profile.residence = number.isMultiple(of: 3) ? "Ljubljana" : "Maribor"
        try transaction.setHealthProfile(
            keys.seal(
                profile.stored, as: Transaction.profileContext(user), using: &random),
            ssn: nil, of: user)
        _ = try transaction.joinCohorts(user)
        let (home, work) = (cell(number), cell(number / 7))
        for day in window.lowerBound / DaySummary.hours..<window.upperBound / DaySummary.hours {
            let summary = summary(of: number, home: home, work: work, &random)
            let vitals = summary.vitals.map {
                keys.seal($0, as: CohortDayRow.context(user, day), using: &random)
            }
            try transaction.save(
                CohortDayRow(
                    user: user, day: day, vitals: vitals, positions: summary.positions))
        }
    }

    private func cell(_ number: Int) -> Int64 {
        let place = number % Self.places
        guard
            let coordinate = Coordinate(
                latitude: 46 + Double(place / 6) * 0.03, longitude: 14.4 + Double(place % 6) * 0.04)
        else { preconditionFailure("the town lies on the earth") }
        return CohortCell(coordinate).number
    }

    private func summary(
        of number: Int, home: Int64, work: Int64, _ random: inout SystemRandomNumberGenerator
    ) -> DaySummary {
        var summary = DaySummary()
        for hour in 0..<DaySummary.hours {
            let (isNight, isAway) = (hour < 7, (9..<17).contains(hour))
            var part = HourSummary()
            let rest = Float(54 + number % 20)
            part[.heartRate] = rest + (isNight ? 0 : 15) + .random(in: 0..<8, using: &random)
            part[.oxygenSaturation] = .random(in: 95..<99, using: &random)
            part[.respiratoryRate] = .random(in: 12..<18, using: &random)
            part[.bodyTemperature] = .random(in: 36..<37, using: &random)
            part[.distance] = isNight ? 0 : .random(in: 0..<900, using: &random)
            part.cell = isAway ? work : home
            summary[hour] = part
        }
        return summary
    }
}

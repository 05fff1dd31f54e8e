internal import Contract
internal import Racing
internal import Store
internal import Tracking

/// Things of which one person can have many.
extension Population {
    private func id(of user: String) throws -> UserID {
        guard let name = Name(user), let row = try transaction.user(name) else {
            preconditionFailure("the person was added before")
        }
        return row.id
    }

    mutating func addDevice(_ device: String, of user: String) throws {
        guard let name = Name(user), let device = Name(device) else {
            preconditionFailure("the stage has proper names")
        }
        let id = try transaction.insertDevice(device, of: try id(of: user), using: .kith, at: now)
        var random = SystemRandomNumberGenerator()
        let token = DeviceToken(user: name, device: device, using: &random)
        try transaction.setTokenHash(token.hash, of: id)
        cast.tokens["\(user)/\(device)"] = token
    }

    mutating func setPasswordHash(_ hash: String, of user: String) throws {
        try transaction.setPasswordHash(hash, of: try id(of: user))
    }

    private static func coordinate(_ number: Int) -> Coordinate {
        guard
            let coordinate = Coordinate(
                latitude: 46 + Double(number % 100) * 0.001,
                longitude: 14.5 + Double(number / 100) * 0.001)
        else { preconditionFailure("it lies on the earth") }
        return coordinate
    }

    mutating func add(places count: Int) throws {
        for number in 0..<count {
            guard let id = Name("place\(number)"), let source = Name("bench") else {
                preconditionFailure("the stage has proper names")
            }
            try transaction.save(
                Place(
                    id: id, source: source, name: "Library of the quarter number \(number)",
                    kind: "library", coordinate: Population.coordinate(number),
                    description: String(
                        repeating: "Books to read, and rooms to read in. ", count: 8),
                    address: "A long street \(number), 1000 Ljubljana",
                    openingHours: "Mo-Fr 08:00-12:00,13:00-18:00; Sa 09:00-12:00", phone: nil,
                    website: nil, timeZone: "Europe/Ljubljana"))
        }
    }

    /// Adds a company with services, all of which receive the person's data.
    mutating func subscribe(services count: Int, to user: String) throws {
        let user = try id(of: user)
        guard let company = Name("acme") else { preconditionFailure("the stage has proper names") }
        let owner = try transaction.insertUser(
            company, displayName: "Acme", email: nil, ownTracksPublishIsSOS: false, kind: .company,
            at: now)
        for number in 0..<count {
            guard let name = Name("receiver\(number)") else {
                preconditionFailure("the stage has proper names")
            }
            let id = try transaction.insertUser(
                name, displayName: name.text, email: nil, ownTracksPublishIsSOS: false,
                kind: .service, at: now)
            try transaction.insert(
                ServiceRow(id: id, company: owner, description: "Receives.", data: .all))
            let consent = ServiceConsent(
                user: user, service: id, at: now, streamsSince: now, subscribedAt: now)
            try transaction.insert(consent)
            try transaction.setStreaming(consent)
        }
    }

    /// Adds a run in two days.
    mutating func addRun(of user: String, runners count: Int) throws {
        let organiser = try id(of: user)
        let course: Course
        do throws(Course.Invalid) {
            course = try Course((0..<10).map(Population.coordinate), laps: 1, checkpoints: [])
        } catch {
            preconditionFailure("it is a course")
        }
        guard let id = Name("benchrun") else { preconditionFailure("the stage has proper names") }
        let start = now + .seconds(2 * 86_400)
        try transaction.setOrganiser(organiser, name: "Organiser", terms: "", at: now)
        let run = Run(
            id: id, name: "Run", organiser: "Organiser",
            place: .init(name: "Start", coordinate: Population.coordinate(0)), course: course,
            elevations: [], startsAt: start, enrolmentClosesAt: start,
            endsAt: start + .seconds(3 * 3_600), maximum: nil)
        try transaction.insert(RunRow(run, of: organiser, lastBib: count, createdAt: now))
        for bib in 1...count {
            let runner = try somebody("runner\(bib)")
            try transaction.insert(
                RunEntryRow(
                    run: id, bib: bib, user: runner, name: nil, showsHeartRate: false, at: now))
        }
    }

    mutating func addFriends(_ count: Int, of user: String) throws {
        let user = try id(of: user)
        for number in 0..<count {
            try transaction.insertFriend(try somebody("friend\(number)"), of: user, at: now)
        }
    }

    private func somebody(_ name: String) throws -> UserID {
        guard let name = Name(name) else { preconditionFailure("the stage has proper names") }
        return try transaction.insertUser(
            name, displayName: name.text, email: nil, ownTracksPublishIsSOS: false, at: now)
    }

    mutating func consentToVitals(_ user: String) throws {
        try transaction.insert(VitalsConsent(at: now, version: nil), of: try id(of: user))
    }
}

internal import Contract
internal import Store
internal import Tracking

/// Writes the people of a neighbourhood into its database.
struct Population {
    let transaction: Transaction
    let now: Timestamp
    let settings: NeighbourSettings
    var cast = Scene.Cast()
    private var random = SystemRandomNumberGenerator()

    init(_ transaction: Transaction, _ settings: NeighbourSettings, at now: Timestamp) {
        self.transaction = transaction
        self.settings = settings
        self.now = now
    }

    /// Adds people who share with their group.
    ///
    /// - Parameter groupSize: the last group may be smaller.
    /// - Parameter eta: the ETA of the journey that each of them is on; nil for none.
    mutating func add(_ users: [String], groupSize: Int, eta: Timestamp? = nil) throws {
        for start in stride(from: 0, to: users.count, by: groupSize) {
            let (key, group) = try makeGroup()
            for user in users[start..<min(start + groupSize, users.count)] {
                cast.groupOf[user] = key
                cast.tokens[user] = try Scene.add(
                    user, to: [group], FixID(rawValue: 0), now, transaction,
                    trip: eta.map { .init(eta: $0, startedAt: now) })
            }
        }
    }

    /// Adds a user who is alone in each of many groups.
    ///
    /// - Parameter path: the number of points of the path being recorded, one per second until now;
    ///   nil for no path.
    mutating func addLoner(
        _ user: String, device: String = Stage.device, groups count: Int, path: Int? = nil
    ) throws {
        var groups: [GroupID] = []
        for _ in 0..<count {
            let (key, group) = try makeGroup()
            cast.groupOf[user] = key
            groups.append(group)
        }
        let trip = path.map {
            Scene.Trip(
                eta: now + Population.longJourney,
                startedAt: now - Population.longJourney - .seconds($0), points: $0)
        }
        cast.tokens[user] = try Scene.add(
            user, device: device, to: groups, FixID(rawValue: 0), now, transaction, trip: trip)
    }

    /// Adds a company, its service, and people who are counted in cohorts.
    mutating func add(_ town: CohortTown, service: String) throws {
        cast.services[service] = try town.populate(
            transaction, now, company: "\(service)-company", service: service
        ) { "counted\($0)" }
    }

    /// Allows for fixes taken before the path's last point, and after it.
    static let longJourney = Duration.seconds(20 * 3600)

    private mutating func makeGroup() throws -> (GroupKey, GroupID) {
        let key = GroupKey(using: &random)
        return (key, try transaction.insertGroup(key, name: "Group", at: now))
    }
}

internal import Contract
internal import Store
internal import Tracking

/// The database of ``Neighbours``: the ordinary people, and those who may become a nuisance.
struct NeighbourScene {
    let path: String
    let settings: NeighbourSettings

    static let groupSize = 5
    /// Publishes at full speed.
    static let flooder = "flooder"
    /// Members of the group that nobody can read as fast as it talks.
    static func talker(_ number: Int) -> String { "talker\(number)" }
    static func deaf(_ number: Int) -> String { "deaf\(number)" }
    /// Of the large group.
    static func fellow(_ number: Int) -> String { "fellow\(number)" }
    /// Who comes with everybody else.
    static func guest(_ number: Int) -> String { "comer\(number)" }
    private static func traveller(_ number: Int) -> String { "traveller\(number)" }

    static let talkers = 8
    static let deafOnes = 10

    /// - Parameter eta: of every traveller.
    func prepare(eta: Timestamp) throws -> Scene.Cast {
        let now = Crowd.now
        let store = try Store.open(path, at: now)
        return try store.transaction { transaction throws(StoreError) in
            var cast = Scene.Cast()
            var building = Building(path: path, now: now, transaction: transaction)
            let ordinary = (0..<Ordinary.phoneCount).map { Stage.user($0) }
            try building.add(ordinary, NeighbourScene.groupSize, &cast)
            try building.add([NeighbourScene.flooder], 1, &cast)
            let loud =
                (0..<NeighbourScene.talkers).map { NeighbourScene.talker($0) }
                + (0..<NeighbourScene.deafOnes).map { NeighbourScene.deaf($0) }
            try building.add(loud, loud.count, &cast)
            try building.add(
                (0..<settings.groupSize).map { NeighbourScene.fellow($0) }, settings.groupSize,
                &cast)
            try building.add(
                (0..<settings.connections).map { NeighbourScene.guest($0) },
                NeighbourScene.groupSize, &cast)
            building.eta = eta
            try building.add(
                (0..<settings.timers).map { NeighbourScene.traveller($0) },
                NeighbourScene.groupSize, &cast)
            return cast
        }
    }

    private struct Building {
        let path: String
        let now: Timestamp
        let transaction: Transaction
        var eta: Timestamp?
        var random = SystemRandomNumberGenerator()

        init(path: String, now: Timestamp, transaction: Transaction) {
            (self.path, self.now, self.transaction) = (path, now, transaction)
        }

        mutating func add(_ users: [String], _ size: Int, _ cast: inout Scene.Cast)
            throws(StoreError)
        {
            for start in stride(from: 0, to: users.count, by: size) {
                let key = GroupKey(using: &random)
                let group = try transaction.insertGroup(key, name: "Group", at: now)
                for user in users[start..<min(start + size, users.count)] {
                    cast.groupOf[user] = key
                    cast.tokens[user] = try Scene.add(
                        user, to: [group], FixID(rawValue: 0), now, transaction, eta: eta)
                }
            }
        }
    }
}

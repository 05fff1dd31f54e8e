import ArgumentParser
import Bench

struct BenchNearby: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nearby",
        abstract: "Measure how long it takes to find the friends nearby.",
        discussion: """
            Everybody shares their position with some friends, and somebody with whom many share \
            asks again and again who is nearby. Each answer is a turn of the bridge with its \
            commit, without a broker. A request that searches for nothing is measured for \
            comparison: the difference is the cost of the search.
            """)

    @Option(help: "People who share with friends.")
    var users = 100_000

    @Option(help: "Friends who share with the one who asks.")
    var friends = 500

    @Option(help: "Requests of each kind.")
    var requests = 2_000

    func validate() throws {
        guard users > friends, friends > 0, requests > 0 else {
            throw ValidationError("The numbers must be positive, with fewer friends than users.")
        }
    }

    func run() throws {
        print(try NearbyCost(users: users, friends: friends, requests: requests).measure())
    }
}

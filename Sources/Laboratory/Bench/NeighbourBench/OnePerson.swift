internal import Clocks
internal import Contract
internal import Limits
internal import Store
internal import Tracking

/// One person who sends the same kind of message repeatedly, always within the device's allowance,
/// as being disconnected would reduce the load.
struct OnePerson: NoisyNeighbour {
    let name: String
    let user: String
    /// Messages per second; nil for as many as the allowance permits.
    var rate: Double?
    var isRetained = false
    /// The name of the messages in the report.
    var things = "requests"
    let people: @Sendable (inout Population, String) throws -> Void
    /// Returns the topic and the payload of a message, by its number.
    let message: @Sendable (BenchSite, String, Int) -> (topic: String, payload: String)

    func name(_ settings: NeighbourSettings) -> String { name }

    func populate(_ population: inout Population) throws {
        try people(&population, user)
    }

    func prepare(in site: BenchSite) throws -> (_ isOn: () -> Bool) throws -> String {
        let pusher = try Pusher(user, in: site)
        return { isOn in
            let start = ContinuousClock.now
            let allowance = rate.map { Allowance(burst: 1, perSecond: $0) } ?? OnePerson.allowance
            let unit = PayloadLimits.oneMessage
            var use = TokenBucket(allowance, at: .zero)
            var next = message(site, user, 0)
            pusher.push(
                while: isOn,
                whenever: { _ in
                    let units = rate == nil ? (next.payload.utf8.count + unit - 1) / unit : 1
                    let now = ContinuousClock.now - start
                    return use.take(Double(max(1, units)), of: allowance, at: now)
                },
                { client, number in
                    client.sendPublish(
                        next.topic, Array(next.payload.utf8),
                        packet: UInt16(number % 65_535 + 1), isRetained: isRetained)
                    next = message(site, user, number + 1)
                })
            return pusher.report(things)
        }
    }
}

extension OnePerson {
    /// Slightly less than the gate's allowance.
    private static let allowance = Allowance(burst: 900, perSecond: 480)

    static let all = [
        longPath, emergencies, members, lateFixes, emptyObjects, pathInManyGroups, spellings,
    ]

    /// The number of groups that the person belongs to alone.
    private static let manyGroups = 100
    private static let longestPath = 100_000

    static let longPath = OnePerson(
        name: "path.get at the end of a long path", user: "walker",
        people: { population, user in try population.addLoner(user, groups: 1, path: longestPath) },
        message: { site, user, _ in
            request(
                "path.get", user,
                #"{"group":"\#(site.group(of: user))","user":"\#(user)","cursor":"99600"}"#)
        })

    static let emergencies = OnePerson(
        name: "sos.trigger, sos.stop in \(manyGroups) groups", user: "crier",
        people: { population, user in try population.addLoner(user, groups: manyGroups) },
        message: { _, user, number in
            request(number % 2 == 0 ? "sos.trigger" : "sos.stop", user, "{}")
        })

    static let members = OnePerson(
        name: "members.get of a group of 600", user: LargeGroup.fellow(0),
        people: { population, _ in try LargeGroup.populate(&population, count: 600) },
        message: { site, user, _ in
            request("members.get", user, #"{"group":"\#(site.group(of: user))"}"#)
        })

    /// Each is between two existing points, from the path's beginning on.
    static let lateFixes = OnePerson(
        name: "five late fixes a second on a long path", user: "straggler", rate: 5,
        things: "fixes",
        people: { population, user in
            try population.addLoner(user, groups: 1, path: longestPath / 2)
        },
        message: { site, user, number in
            let start = site.since - Population.longJourney - .seconds(longestPath / 2)
            return fixes(user, "[\(fix(start + .milliseconds(number * 1000 + 500)))]")
        })

    static let emptyObjects = OnePerson(
        name: "arrays of 1,000 empty objects", user: "hollow", things: "arrays",
        people: { population, user in try population.addLoner(user, groups: 1) },
        message: { _, user, _ in fixes(user, nothings) })

    static let pathInManyGroups = OnePerson(
        name: "a long path shown to \(manyGroups) groups", user: "rambler", things: "arrays",
        people: { population, user in try population.addLoner(user, groups: manyGroups, path: 1) },
        message: { site, user, number in
            let start = site.since - Population.longJourney
            let times = (0..<500).map { start + .milliseconds((number * 500 + $0) * 500) }
            return fixes(user, "[\(times.map(fix).joined(separator: ","))]")
        })

    /// The case of the letters in a long name encodes a number in binary.
    static let spellings = OnePerson(
        name: "spellings of a phone's name, retained", user: "speller", isRetained: true,
        things: "positions",
        people: { population, user in
            try population.addLoner(user, device: spelledDevice, groups: 1)
        },
        message: { site, user, number in
            let name = spelledDevice.enumerated().map { place, letter in
                number >> place & 1 == 1 ? letter.uppercased() : String(letter)
            }
            let seconds = Timestamp.now.milliseconds / 1000
            return (
                "owntracks/\(user)/\(name.joined())",
                #"{"_type":"location","lat":46.1,"lon":14.5,"tst":\#(seconds)}"#
            )
        })

    private static let spelledDevice = "phonephonephonephone"
    private static let nothings = "[\(Array(repeating: "{}", count: 1000).joined(separator: ","))]"

    // MARK: Messages

    private static func request(_ method: String, _ user: String, _ payload: String)
        -> (topic: String, payload: String)
    {
        ("\(BenchSite.device(user))/requests/\(method)", payload)
    }

    private static func fixes(_ user: String, _ payload: String)
        -> (topic: String, payload: String)
    {
        ("\(BenchSite.device(user))/fix", payload)
    }

    private static func fix(_ takenAt: Timestamp) -> String {
        #"{"latitude":46.1,"longitude":14.5,"timestamp":\#(takenAt.milliseconds)}"#
    }
}

internal import ArgumentParser
internal import Contract
internal import FakeGPS

struct PeopleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How many phones, of user1, user2 and so on. Default: 1.",
            valueName: "number"))
    var count: Int?

    @Option(help: ArgumentHelp("The phones' users, instead of --count.", valueName: "name,…"))
    var users: NamesArgument?

    @Option(
        help: ArgumentHelp("The device name of each phone. Default: phone.", valueName: "name"))
    var device: NameArgument?

    @Option(
        help: ArgumentHelp(
            "The format they send: kith (MQTT 5) or owntracks (as the app does, MQTT 3.1.1).",
            valueName: "format"))
    var format = Phone.Format.kith

    @Flag(
        help: """
            Each wears a watch: vital signs once a minute, of people with an invented health profile.
            """)
    var vitals = false

    static let maximumCount = 10_000

    func validate() throws {
        if count != nil, users != nil {
            throw ValidationError("--count and --users cannot be used together.")
        }
        if vitals, format == .ownTracks {
            throw ValidationError("OwnTracks phones send no vital signs: leave out --vitals.")
        }
        guard (1...PeopleOptions.maximumCount).contains(count ?? 1) else {
            throw ValidationError("--count must be from 1 to \(PeopleOptions.maximumCount).")
        }
    }

    /// - Parameter usual: the number if none is given.
    func names(usual: Int = 1) -> [Name] {
        users?.names ?? (1...(count ?? usual)).compactMap { Name("user\($0)") }
    }

    var deviceName: Name {
        guard let name = device?.name ?? Name("phone") else { preconditionFailure("a name") }
        return name
    }
}

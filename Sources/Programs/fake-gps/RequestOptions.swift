internal import ArgumentParser
internal import Contract
internal import FakeGPS
internal import Numbers

struct RequestOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Start by sharing with groups: all or GROUP[,GROUP…].",
            valueName: "groups"))
    var share: GroupsArgument?

    @Option(
        help: ArgumentHelp(
            """
            Start a journey: LAT,LON[,NAME][@MINUTES], or end[@MINUTES] for where the track ends. \
            Without minutes the ETA allows a quarter more time than the track takes.
            """, valueName: "destination"))
    var journey: JourneyArgument?

    @Option(
        help: ArgumentHelp(
            "The groups that follow the journey: all or GROUP[,GROUP…]. Default: all.",
            valueName: "groups"))
    var groups: GroupsArgument?

    @Option(
        help: ArgumentHelp(
            "Trigger an SOS after this many seconds of the track.",
            valueName: "seconds"))
    var sosAfter: Double?

    func validate() throws {
        guard sosAfter.map({ secondsRange.contains($0) }) ?? true else {
            throw ValidationError("--sos-after must be from 0 to 1000000000.")
        }
        if groups != nil, journey == nil {
            throw ValidationError("--groups can only be used with --journey.")
        }
    }

    /// Whether the journey's destination is the end of the track.
    var goesToTheEnd: Bool { journey.map { $0.destination == nil } ?? false }

    func actions(on track: Track, at pace: ReplaySpeed) -> [Phone.Action] {
        var actions: [Phone.Action] = []
        if let share { actions.append(.startSharing(with: share.groups)) }
        if let journey {
            let needed = track.duration / pace.speed * 1.25 + .seconds(60)
            actions.append(
                .startJourney(
                    to: journey.destination ?? track.destination, named: journey.name,
                    within: journey.limit ?? needed, with: groups?.groups ?? .all))
        }
        if let sosAfter { actions.append(.triggerSOS(at: .seconds(clamping: sosAfter))) }
        return actions
    }
}

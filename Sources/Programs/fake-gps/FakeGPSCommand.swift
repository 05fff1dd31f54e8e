internal import ArgumentParser
internal import Dispatch
internal import FakeGPS
internal import Glibc
internal import Numbers

/// Replays or generates tracks and sends them as phones would.
@main
struct FakeGPSCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fake-gps",
        abstract: "Simulates phones: sends recorded or generated tracks over MQTT.",
        discussion: """
            Without --keep-intervals the timestamp of each fix is the time at which it is sent: \
            with --speed 20 the track is twenty times as fast by its timestamps, too (the speed \
            inside each fix is still the recorded one). --gap, --buffer, --sos-after and \
            --interval are in seconds of the track: with --speed 20 they pass twenty times as \
            fast. Timestamps are never in the future.

            Examples:
              fake-gps commute --users ann,bob --share all --journey end --seq
              fake-gps ride.gpx --speed 20 --buffer 60:300
              fake-gps day.gpx --speed 1000 --keep-intervals --seq
              fake-gps walk --count 500 --loop --format owntracks
              fake-gps commute --count 5000 --tokens FILE --vitals
              fake-gps --run w5g5kufg --runners 500 --tokens FILE
            """)

    @OptionGroup(title: "Track") var source: SourceOptions
    @OptionGroup(title: "Phones") var people: PeopleOptions
    @OptionGroup(title: "Time") var time: TimeOptions
    @OptionGroup(title: "Faults") var trouble: TroubleOptions
    @OptionGroup(title: "Requests") var requests: RequestOptions
    @OptionGroup(title: "Broker") var broker: BrokerOptions

    @Flag(help: "Print errors only: no progress, no summary.")
    var quiet = false

    /// Exit status: 0, 1, or 2 for wrong usage.
    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            let status = exitCode(for: error)
            if status.isSuccess {
                print(fullMessage(for: error))
                Glibc.exit(0)
            }
            Output.complain(message(for: error))
            Glibc.exit(status == .validationFailure ? 2 : 1)
        }
    }

    func validate() throws {
        if source.run != nil, time.loop || time.speed != 1 {
            throw ValidationError("A run has a time of its own: leave out --loop and --speed.")
        }
        if source.runners != nil, people.count != nil || people.users != nil {
            throw ValidationError("--runners, --count and --users cannot be used together.")
        }
        if time.keepIntervals, time.loop {
            throw ValidationError("--keep-intervals and --loop cannot be used together.")
        }
        if trouble.state != nil, !trouble.seq {
            throw ValidationError("--state can only be used with --seq.")
        }
        if people.format == .ownTracks, trouble.seq {
            throw ValidationError("OwnTracks phones do not number their fixes: leave out --seq.")
        }
    }

    mutating func run() throws {
        let phones = try phones()
        var options = try broker.fleetOptions()
        options.pace = time.pace
        options.stateFile = trouble.state
        let output = Output(isQuiet: quiet)
        let fleet = Fleet(phones, options) { output.tell($0) }
        let tally = try withExtendedLifetime(stopOnSignal(fleet)) { try fleet.run() }
        output.finish(tally)
        if !fleet.isStopped { try Output.check(tally) }
    }

    private func phones() throws -> [Phone] {
        let tokens = try broker.tokensByDevice()
        let run = try source.run.map { try RunSource($0.name, broker, every: time.interval) }
        let tracks = try run?.tracks(source.seed) ?? source.tracks(resampledEvery: time.interval)
        return people.names(usual: source.runners ?? 1).enumerated().map { index, user in
            let track = tracks(index)
            // Arriving takes two positions at the destination.
            let way = requests.goesToTheEnd ? track.thenStanding(for: .seconds(10)) : track
            var phone = Phone(user: user, device: people.deviceName, track: way)
            phone.format = people.format
            phone.seed = source.seed &+ UInt64(index)
            phone.startsAfter = .seconds(clamping: time.stagger * Double(index))
            phone.goesBackAndForth = time.loop
            phone.numbersFixes = trouble.seq
            phone.jitter = trouble.jitter
            phone.gaps = trouble.gap.map(\.range)
            phone.buffers = trouble.buffer.map(\.range)
            phone.actions = requests.actions(on: track, at: time.pace)
            if let run { phone.actions.append(run.run.enrolment(of: index + 1)) }
            if people.vitals {
                let wearable = Wearable(seed: phone.seed)
                phone.wearable = wearable
                phone.actions.insert(wearable.introduction, at: 0)
            }
            phone.username = broker.username
            phone.password =
                tokens["\(user).\(people.deviceName)"] ?? broker.password
            return phone
        }
    }

    /// - Returns: the signal sources, which must be kept alive as long as signals are to be
    ///   handled.
    private func stopOnSignal(_ fleet: Fleet) -> [any DispatchSourceSignal] {
        [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { fleet.stop() }
            source.activate()
            return source
        }
    }
}

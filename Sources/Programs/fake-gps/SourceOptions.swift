internal import ArgumentParser
internal import FakeGPS
internal import Numbers
internal import Tracking

struct SourceOptions: ParsableArguments {
    @Argument(
        help: """
            A recorded track in GPX, TCX, GeoJSON or NMEA 0183 (- reads standard input), or what \
            to invent: walk, drive, commute.
            """)
    var source = "walk"

    @Option(
        help: ArgumentHelp(
            """
            Where generated tracks begin: LAT,LON or one of \
            \(Landmark.known.map(\.name).joined(separator: ", ")). Default: a different place for \
            each phone.
            """, valueName: "place"))
    var from: Landmark?

    @Option(
        help: ArgumentHelp(
            "Where generated tracks end, as for --from.",
            valueName: "place"))
    var to: Landmark?

    @Option(
        help: ArgumentHelp(
            """
            Instead of a track: the identifier of a run in which the phones take part. They enrol, wait at \
            the start, and come along its course, each in its own way.
            """, valueName: "run"))
    var run: NameArgument?

    @Option(help: ArgumentHelp("With --run: how many, as --count.", valueName: "number"))
    var runners: Int?

    @Option(
        help: ArgumentHelp(
            "The seed: the same one generates the same tracks.",
            valueName: "number"))
    var seed: UInt64 = 1

    @Option(
        help: ArgumentHelp(
            "Metres per second, for recorded tracks without times.",
            valueName: "m/s"))
    var pace = Track.usualPace

    func validate() throws {
        guard runners == nil || run != nil else {
            throw ValidationError("--runners can only be used with --run.")
        }
        guard (1...PeopleOptions.maximumCount).contains(runners ?? 1) else {
            throw ValidationError("--runners must be from 1 to \(PeopleOptions.maximumCount).")
        }
        guard (0.01...1000).contains(pace) else {
            throw ValidationError("--pace must be from 0.01 to 1000.")
        }
        guard (from == nil) == (to == nil) else {
            throw ValidationError("--from and --to must be used together.")
        }
        if let from, let to {
            guard GeneratedTrack.Kind(rawValue: source) != nil else {
                throw ValidationError(
                    "--from and --to can only be used with walk, drive and commute.")
            }
            guard GeneratedTrack.distances.contains(from.coordinate.distance(to: to.coordinate))
            else {
                throw ValidationError("--from and --to must be 100 m to 60 km apart.")
            }
        }
    }

    /// - Parameter interval: in seconds.
    /// - Returns: the track of each phone, by the phone's number.
    func tracks(resampledEvery interval: Double?) throws -> (Int) -> Track {
        guard let kind = GeneratedTrack.Kind(rawValue: source) else {
            let track = try recorded(resampledEvery: interval)
            return { _ in track }
        }
        let step = max(1, Int(clamping: (interval ?? 5).rounded()))
        return { index in
            let seed = seed &+ UInt64(index)
            guard let from, let to else {
                return GeneratedTrack(kind, seed: seed).track(every: step)
            }
            return GeneratedTrack(kind, from: from.coordinate, to: to.coordinate, seed: seed)
                .track(every: step)
        }
    }

    private func recorded(resampledEvery interval: Double?) throws -> Track {
        let bytes = try SourceFile.read(source)
        do throws(TrackError) {
            let track = try Track(reading: bytes, pace: pace)
            guard let interval else { return track }
            return try track.resampled(every: .seconds(clamping: interval))
        } catch {
            throw Failure(description: "the track cannot be read: \(error).")
        }
    }
}

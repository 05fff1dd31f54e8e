internal import ArgumentParser
internal import FakeGPS

struct TimeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How many times as fast as recorded.",
            valueName: "factor"))
    var speed = 1.0

    @Flag(
        help: """
            Keep the timestamps as far apart as they were: the last fix is stamped with the time \
            of its sending, all others lie before it and come late, like an upload of something \
            recorded earlier. For --speed above 1.
            """)
    var keepIntervals = false

    @Option(
        help: ArgumentHelp(
            """
            Seconds from one fix to the next, interpolated between the recorded ones. Default: \
            as recorded; 5 for generated tracks, which need whole seconds.
            """, valueName: "seconds"))
    var interval: Double?

    @Option(
        help: ArgumentHelp(
            "Seconds of real time between the starts of two phones.",
            valueName: "seconds"))
    var stagger = 0.0

    @Flag(help: "At the end go back the same way, and so on until stopped.")
    var loop = false

    func validate() throws {
        guard ReplaySpeed.speeds.contains(speed) else {
            throw ValidationError("--speed must be from 0.01 to 100000.")
        }
        guard interval.map({ (0.01...86_400).contains($0) }) ?? true else {
            throw ValidationError("--interval must be from 0.01 to 86400.")
        }
        guard (0...86_400).contains(stagger) else {
            throw ValidationError("--stagger must be from 0 to 86400.")
        }
    }

    var pace: ReplaySpeed { ReplaySpeed(speed: speed, keepsIntervals: keepIntervals) }
}

internal import Clocks
internal import Contract
internal import FakeGPS
internal import MQTT
internal import Numbers
internal import Tracking

/// The run in which the phones take part, and their progress in it.
struct RunSource {
    let run: RunOnBroker
    private let interval: Int
    /// Seconds until it begins.
    private let wait: Int

    /// An hour: a runner waits at the start for no longer.
    private static let longestWait = 3_600

    init(_ id: Name, _ broker: BrokerOptions, every interval: Double?) throws {
        let fleet = try broker.fleetOptions()
        var options = ConnectionOptions(
            host: fleet.host, port: fleet.port,
            clientID: "fake-gps-\(UInt32.random(in: 0 ... .max))")
        options.tls = fleet.tls
        do {
            run = try RunOnBroker(id, options, fleet.topics)
        } catch let error as RunOnBroker.Failure {
            throw Failure(description: "\(error)")
        } catch {
            throw Failure(description: "the broker does not report that run: \(error)")
        }
        wait = Int(clamping: ((run.startsAt - Timestamp.now) / .seconds(1)).rounded(.up))
        guard (0...RunSource.longestWait).contains(wait) else {
            throw Failure(
                description: wait < 0
                    ? "the run has already begun." : "the run begins more than an hour from now.")
        }
        self.interval = max(1, Int(clamping: (interval ?? 1).rounded()))
    }

    func tracks(_ seed: UInt64) -> (Int) -> Track {
        { index in
            RunnerTrack(run.course, seed: seed &+ UInt64(index)).track(after: wait, every: interval)
        }
    }
}

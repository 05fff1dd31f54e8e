internal import Clocks
internal import Contract
internal import Glibc
internal import Store
internal import Tracking

/// Publishes as fast as the socket accepts, and reconnects whenever it is disconnected.
struct Flood: NoisyNeighbour {
    private static let user = "flooder"

    func name(_ settings: NeighbourSettings) -> String { "a publisher at full speed" }

    func populate(_ population: inout Population) throws {
        try population.add([Flood.user], groupSize: 1)
    }

    func prepare(in site: BenchSite) throws -> (_ isOn: () -> Bool) throws -> String {
        let pusher = try Pusher(Flood.user, in: site)
        return { isOn in
            let start = Timestamp.now - .seconds(3600)
            pusher.push(while: isOn) { client, number in
                site.publish(Flood.user, start + .milliseconds(number), number, by: client)
            }
            return pusher.report("fixes")
        }
    }
}

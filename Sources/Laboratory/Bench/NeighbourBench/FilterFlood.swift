internal import Glibc

/// Guests who subscribe to topics that they are not allowed, with as many filters as fit into a
/// packet.
struct FilterFlood: NoisyNeighbour {
    private static let guests = 40
    /// Slightly less than the largest packet that the broker accepts, in bytes.
    private static let packet = 64_000
    private static let filter = "+/a"

    func name(_ settings: NeighbourSettings) -> String {
        "\(FilterFlood.guests) guests subscribing with 64 KB"
    }

    func prepare(in site: BenchSite) throws -> (_ isOn: () -> Bool) throws -> String {
        func enter(_ number: Int) throws -> RawClient { try site.enterAsGuest("guest-\(number)") }
        var guests = try (0..<FilterFlood.guests).map(enter)
        let filters = [String](
            repeating: FilterFlood.filter,
            count: FilterFlood.packet / (FilterFlood.filter.utf8.count + 3))
        return { isOn in
            var (sent, cuts) = (0, 0)
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while isOn() {
                for (number, guest) in guests.enumerated() {
                    if !guest.wantsWrite {
                        guest.sendSubscribe(filters, qos: 0)
                        sent += 1
                    }
                    guard !guest.flush() || guest.read(into: &buffer) == nil else { continue }
                    cuts += 1
                    guest.close()
                    do { guests[number] = try enter(number) } catch { usleep(1000) }
                }
                usleep(1000)
            }
            return "\(sent) packets of \(filters.count) filters, cut off \(cuts) times"
        }
    }
}

internal import Glibc

/// A guest who acknowledges messages that were never sent: the broker responds, and writes a line
/// to its log.
struct StrayAcknowledgements: NoisyNeighbour {
    /// How many acknowledgements are written at a time.
    private static let atOnce = 2_000

    func name(_ settings: NeighbourSettings) -> String { "a guest's PUBREC for nothing" }

    func prepare(in site: BenchSite) throws -> (_ isOn: () -> Bool) throws -> String {
        var guest = try site.enterAsGuest("stray")
        return { isOn in
            var (sent, cuts) = (0, 0)
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while isOn() {
                if !guest.wantsWrite {
                    for number in 0..<StrayAcknowledgements.atOnce {
                        guest.sendAnswer(.received, packet: UInt16(number + 1))
                    }
                    sent += StrayAcknowledgements.atOnce
                }
                if guest.flush(), guest.read(into: &buffer) != nil {
                    usleep(100)
                    continue
                }
                cuts += 1
                do { guest = try site.enterAsGuest("stray") } catch { usleep(1000) }
            }
            return "\(sent) sent, cut off \(cuts) times"
        }
    }
}

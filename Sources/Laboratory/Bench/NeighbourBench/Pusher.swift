internal import Glibc

/// Sends as fast as the socket accepts or its owner allows, and reconnects whenever it is
/// disconnected. Reads and discards whatever it receives.
final class Pusher {
    private let site: BenchSite
    private let user: String
    private var client: RawClient
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    private var sent = 0
    private var cuts = 0

    /// How many messages are written at a time.
    private static let atOnce = 50

    init(_ user: String, in site: BenchSite) throws {
        self.site = site
        self.user = user
        client = try site.enter(user)
    }

    /// - Parameter isTime: whether the message with this number, from 0, is due.
    func push(
        while isOn: () -> Bool, whenever isTime: (Int) -> Bool = { _ in true },
        _ write: (RawClient, Int) -> Void
    ) {
        while isOn() {
            var room = client.wantsWrite ? 0 : Pusher.atOnce
            while room > 0, isTime(sent) {
                write(client, sent)
                (sent, room) = (sent + 1, room - 1)
            }
            let isAlive = client.flush() && client.read(into: &buffer) != nil
            if isAlive, client.wantsWrite || room > 0 { usleep(100) }
            guard !isAlive else { continue }
            cuts += 1
            do { client = try site.enter(user) } catch { usleep(1000) }
        }
    }

    func report(_ things: String) -> String { "\(sent) \(things), cut off \(cuts) times" }
}

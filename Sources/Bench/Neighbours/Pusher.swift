internal import Glibc

/// Sends as fast as the socket takes it, or so many a second, and comes again whenever it is cut
/// off. What comes for it, it reads and forgets.
final class Pusher {
    private let town: Town
    private let user: String
    private var client: RawClient
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    private var sent = 0
    private var cuts = 0

    /// Messages that are written at a time.
    private static let atOnce = 50

    init(_ user: String, in town: Town) throws {
        self.town = town
        self.user = user
        client = try town.enter(user)
    }

    /// - Parameter rate: messages a second; nil: all that the socket takes.
    /// - Parameter write: gets the number of the message, from 0.
    func push(
        while isOn: () -> Bool, rate: Double? = nil, _ write: (RawClient, Int) -> Void
    ) {
        let start = ContinuousClock.now
        while isOn() {
            if !client.wantsWrite {
                let due = rate.map { Int((ContinuousClock.now - start).seconds * $0) }
                for _ in 0..<min(Pusher.atOnce, (due ?? .max) - sent) {
                    write(client, sent)
                    sent += 1
                }
            }
            let isAlive = client.flush() && client.read(into: &buffer) != nil
            if isAlive, client.wantsWrite || rate != nil { usleep(100) }
            guard !isAlive else { continue }
            cuts += 1
            do { client = try town.enter(user) } catch { usleep(1000) }
        }
    }

    func report(_ things: String) -> String { "\(sent) \(things), cut off \(cuts) times" }
}

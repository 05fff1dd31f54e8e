internal import Clocks
internal import Contract
internal import Glibc
internal import MQTT
internal import Tracking

/// Devices with a connection each, which publish their fixes and watch their groups: the gate's
/// workload. Runs on the calling thread.
final class DeviceFleet {
    private let settings: BenchSettings
    private var devices: [Member] = []
    private var last: Member
    private(set) var seen = 0

    /// One device on its connection.
    private final class Member {
        let user: String
        let connection: Connection
        var unconfirmed = 0

        init(_ user: String, _ port: UInt16, _ token: DeviceToken?) throws {
            self.user = user
            var options = ConnectionOptions(
                port: Int32(port), clientID: "\(user).\(Stage.device)")
            options.username = user
            options.password = token?.text ?? "none"
            connection = try Member.patiently {
                let connection = try Connection(options)
                try connection.awaitConnected()
                return connection
            }
        }

        /// The gate postpones clients if too many connect at once; tries again.
        private static func patiently(_ connect: () throws -> Connection) throws
            -> Connection
        {
            for _ in 0..<20 {
                do { return try connect() } catch { usleep(100_000) }
            }
            return try connect()
        }
    }

    /// The most unconfirmed messages of one device at a time.
    private static let window = 8

    init(_ stage: PartStage, _ port: UInt16, _ settings: BenchSettings) throws {
        self.settings = settings
        last = try Member(Stage.last, port, stage.tokens[Stage.last])
        try last.connection.subscribe(to: [Stage.done])
        for number in 0..<settings.gatedDevices {
            let user = Stage.user(number)
            let member = try Member(user, port, stage.tokens[user])
            if let group = stage.groupOf[user] {
                try member.connection.subscribe(
                    to: ["kith/groups/\(group)/members/+"], qos: .atMostOnce)
            }
            try member.connection.release()
            devices.append(member)
        }
    }

    /// Publishes the last fix repeatedly until there is a receipt for it.
    func knock() throws -> Int64 {
        var sequence: Int64 = 0
        while true {
            sequence += 1
            try FixPublisher.publishLast(sequence, last.connection)
            let deadline = ContinuousClock.now + .milliseconds(100)
            while ContinuousClock.now < deadline {
                try last.connection.release()
                try last.connection.wait(atMost: 10)
                if !last.connection.receive(atMost: 1000).isEmpty { return sequence }
                _ = last.connection.takeEvents()
            }
        }
    }

    /// Publishes the fixes as fast as the broker accepts them.
    ///
    /// - Returns: seconds from the first fix until the receipt of the last one.
    func rush(last sequence: Int64) throws -> Double {
        let (now, start) = (Timestamp.now, ContinuousClock.now)
        let rounds = max(1, settings.fixes / settings.gatedDevices)
        var (sent, confirmed, isLastSent, isDone) = (0, 0, false, false)
        while !isDone {
            for (number, member) in devices.enumerated()
            where sent < settings.fixes && member.unconfirmed < DeviceFleet.window {
                let age = 60_000 - Int64(sent / settings.gatedDevices) * 60_000 / Int64(rounds)
                try FixPublisher.publish(
                    number, takenAt: now - .milliseconds(age), member.connection)
                member.unconfirmed += 1
                sent += 1
                try member.connection.release()
            }
            // It is sent on another connection, where it must not overtake the others.
            if !isLastSent, sent == settings.fixes, confirmed == sent {
                isLastSent = true
                try FixPublisher.publishLast(sequence, last.connection)
                try last.connection.release()
            }
            for member in try ready() {
                let messages = member.connection.receive(atMost: 1000)
                if member === last {
                    isDone = messages.contains { Stage.sequence($0) == sequence }
                } else {
                    seen += messages.count
                }
                let count = try FixPublisher.confirmations(member.connection)
                member.unconfirmed -= count
                if member !== last { confirmed += count }
                try member.connection.release()
            }
        }
        return (ContinuousClock.now - start).seconds
    }

    /// Returns the members whose socket has data to read.
    private func ready() throws -> [Member] {
        let members = devices + [last]
        var entries = members.map {
            pollfd(fd: $0.connection.fileDescriptor, events: Int16(POLLIN), revents: 0)
        }
        poll(&entries, nfds_t(entries.count), 100)
        return zip(members, entries).filter { $0.1.revents != 0 }.map(\.0)
    }
}

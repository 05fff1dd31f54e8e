internal import Clocks
internal import Contract
internal import JSON
internal import MQTT
internal import Numbers
internal import Tracking

/// Publishes the fixes of all users over one connection, on the calling thread.
struct FixPublisher {
    let port: UInt16
    let settings: BenchSettings

    /// The most unconfirmed messages at a time.
    private static let window = 1000

    /// Publishes the last fix repeatedly until there is a receipt for it.
    ///
    /// - Returns: the number of the last fix that was published.
    func knock() throws -> Int64 {
        let connection = try connect(subscribingTo: [Stage.done])
        var sequence: Int64 = 0
        while true {
            sequence += 1
            try FixPublisher.publishLast(sequence, connection)
            let deadline = ContinuousClock.now + .milliseconds(100)
            while ContinuousClock.now < deadline {
                try connection.release()
                try connection.wait(atMost: 10)
                if !connection.receive(atMost: 1000).isEmpty { return sequence }
                _ = try FixPublisher.confirmations(connection)
            }
        }
    }

    /// Publishes the fixes as fast as the broker accepts them.
    ///
    /// - Parameter sequence: the number of the last fix.
    /// - Returns: seconds from the first fix until the receipt of the last one.
    func rush(last sequence: Int64) throws -> Double {
        let connection = try connect(subscribingTo: [Stage.done])
        let now = Timestamp.now
        let rounds = max(1, settings.fixes / settings.users)
        let start = ContinuousClock.now
        var sent = 0
        var confirmed = 0
        var isDone = false
        while !isDone {
            while sent < settings.fixes, sent - confirmed < FixPublisher.window {
                // The fixes of each user were taken one after the other, within the last minute.
                let age = 60_000 - Int64(sent / settings.users) * 60_000 / Int64(rounds)
                try FixPublisher.publish(
                    sent % settings.users, takenAt: now - .milliseconds(age), connection)
                sent += 1
                if sent == settings.fixes { try FixPublisher.publishLast(sequence, connection) }
            }
            try connection.release()
            try connection.wait(atMost: 1000)
            isDone = connection.receive(atMost: 1000).contains { Stage.sequence($0) == sequence }
            confirmed += try FixPublisher.confirmations(connection)
        }
        return (ContinuousClock.now - start).seconds
    }

    /// Publishes at a steady rate; each fix is taken at the time it is sent.
    func stroll(perSecond rate: Double, for duration: Duration, last sequence: Int64) throws {
        let connection = try connect(subscribingTo: [])
        let start = ContinuousClock.now
        var (sent, confirmed) = (0, 0)
        var isLast = false
        while !isLast || confirmed < sent {
            let elapsed = (ContinuousClock.now - start).seconds
            while !isLast, sent < Int(clamping: elapsed * rate) {
                try FixPublisher.publish(
                    sent % settings.users, takenAt: Timestamp.now, connection)
                sent += 1
            }
            if !isLast, elapsed >= duration.seconds {
                isLast = true
                sent += 1
                try FixPublisher.publishLast(sequence, connection)
            }
            try connection.release()
            try connection.wait(atMost: 1)
            _ = connection.receive(atMost: 1000)
            confirmed += try FixPublisher.confirmations(connection)
        }
    }

    // MARK: Messages

    static func publish(_ user: Int, takenAt: Timestamp, _ connection: Connection) throws {
        var json = JSONWriter(capacity: 256)
        json.fix(FixPublisher.fix(user, takenAt), asReceived: false)
        try connection.publish(
            topic: "kith/users/\(Stage.user(user))/devices/\(Stage.device)/fix",
            payload: json.bytes, qos: .atLeastOnce)
    }

    static func publishLast(_ sequence: Int64, _ connection: Connection) throws {
        var fix = FixPublisher.fix(0, Timestamp.now)
        fix.sequence = sequence
        var json = JSONWriter(capacity: 256)
        json.fix(fix, asReceived: false)
        try connection.publish(
            topic: "kith/users/\(Stage.last)/devices/\(Stage.device)/fix", payload: json.bytes,
            qos: .atLeastOnce)
    }

    static func fix(_ user: Int, _ takenAt: Timestamp) -> Fix {
        let drift = takenAt.milliseconds % 100_000
        guard
            let coordinate = Coordinate(
                latitudeE7: 460_000_000 + Int64(user * 1000) + drift,
                longitudeE7: 145_000_000 + Int64(user * 700) - drift)
        else { preconditionFailure("it is on the earth") }
        return Fix(
            coordinate: coordinate, takenAt: takenAt, receivedAt: takenAt, accuracy: 8.5,
            heading: 271.3, speed: 1.25, battery: 81)
    }

    // MARK: Connection

    private func connect(subscribingTo topics: [String]) throws -> Connection {
        let connection = try Connection(
            ConnectionOptions(port: Int32(port), clientID: "bench.publisher"))
        try connection.awaitConnected()
        try connection.subscribe(to: topics)
        try connection.release()
        return connection
    }

    static func confirmations(_ connection: Connection) throws -> Int {
        var count = 0
        for event in connection.takeEvents() {
            switch event {
            case .confirmed: count += 1
            case .disconnected(let error): throw error
            case .connected, .refused, .subscribed: break
            }
        }
        return count
    }
}

extension Connection {
    func awaitConnected() throws {
        try connect()
        while true {
            try wait(atMost: 1000)
            _ = receive(atMost: 1)
            for event in takeEvents() {
                switch event {
                case .connected: return
                case .disconnected(let error): throw error
                case .confirmed, .refused, .subscribed: break
                }
            }
            try release()
        }
    }
}

extension Duration {
    var seconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}

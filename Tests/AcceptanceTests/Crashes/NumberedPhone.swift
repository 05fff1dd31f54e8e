import Foundation
import MQTT
import TestSupport

/// A phone that numbers its fixes and keeps each until its receipt. After a disconnection, or if no
/// receipt has arrived for a while, it resends what it kept: a broker that has lost the bridge's
/// session accepts fixes that no one receives until the bridge is back.
actor NumberedPhone {
    private let user: String
    private let token: String
    private let port: UInt16
    private var count: Int
    private let firstTakenAt = Int64(Date().timeIntervalSince1970 * 1000) - 90_000
    /// Chosen so that all fixes are within the last minute and a half.
    private let interval: Int64
    private var connection: Connection?
    private var isSubscribed = false
    /// The number of the last fix sent; goes back after a disconnection.
    private var last = 0
    private var highest = 0
    private(set) var receipted = 0 { didSet { lastReceipt = .now } }
    private var lastReceipt = ContinuousClock.now
    /// The number of messages, including those sent again.
    private(set) var sent = 0

    /// The number of fixes that it sends without a receipt: while no one accepts them, it waits.
    private static let window = 500
    private static let patience = Duration.seconds(2)

    init(of user: String, token: String, at port: UInt16, count: Int) {
        (self.user, self.token, self.port, self.count) = (user, token, port, count)
        interval = max(1, 80_000 / Int64(count))
    }

    /// Takes no more fixes.
    func finish() { count = highest }

    /// Returns when everything has its receipt.
    func run() async throws {
        while receipted < count {
            do {
                try step()
            } catch {
                connection = nil  // The broker is away.
                try await Task.sleep(for: .milliseconds(50))
            }
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    private func step() throws {
        guard let connection else { return try connect() }
        try connection.wait(atMost: 0)
        for message in connection.receive(atMost: 1000) {
            let through = JSON(parsing: String(decoding: message.payload, as: UTF8.self))["seq"]
            receipted = max(receipted, Int(through.number ?? 0))
        }
        for event in connection.takeEvents() {
            switch event {
            case .disconnected: return self.connection = nil
            case .connected: try connection.subscribe(to: [Topic.device(user) + "/stored"])
            case .subscribed: isSubscribed = true
            case .confirmed, .refused: break
            }
        }
        if lastReceipt + NumberedPhone.patience < .now {
            (last, lastReceipt) = (receipted, .now)
        }
        while isSubscribed, last < min(count, receipted + NumberedPhone.window) {
            last += 1
            highest = max(highest, last)
            sent += 1
            try connection.publish(
                topic: Topic.fix(user), payload: Array(fix(last).utf8), qos: .atLeastOnce)
        }
        try connection.release()
    }

    private func connect() throws {
        var options = ConnectionOptions(port: Int32(port), clientID: "\(user).phone")
        (options.username, options.password) = (user, token)
        let connection = try Connection(options)
        try connection.connect()
        self.connection = connection
        (isSubscribed, last) = (false, receipted)
    }

    private func fix(_ number: Int) -> String {
        """
        {"latitude":\(Place.latitude(Double(number))),"longitude":14.5,\
        "timestamp":\(firstTakenAt + Int64(number) * interval),"seq":\(number)}
        """
    }
}

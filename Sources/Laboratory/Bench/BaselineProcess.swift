internal import Contract
internal import MQTT

/// The parts to compare with, each in a process of its own. Like the bridge they use the same
/// library and a persistent session, and acknowledge in batches.
public struct BaselineProcess {
    let part: Part
    let port: UInt16

    public init(_ part: Part, port: UInt16) {
        self.part = part
        self.port = port
    }

    /// The topics on which the fixes of a user are echoed.
    static func echo(of user: String) -> String { "echo/kith/users/\(user)/devices/+/fix" }

    /// Runs until it is killed.
    public func run() throws {
        var options = ConnectionOptions(port: Int32(port), clientID: "bench.\(part.rawValue)")
        options.cleanStart = false
        options.sessionExpiry = 3600
        let connection = try Connection(options)
        try connection.awaitConnected()
        try connection.subscribe(to: ["kith/users/+/devices/#"])
        try connection.release()
        while true {
            try connection.wait(atMost: 1000)
            for message in connection.receive(atMost: 1000) { try take(message, connection) }
            _ = connection.takeEvents()
            try connection.release()
            connection.maintain()
        }
    }

    private func take(_ message: Message, _ connection: Connection) throws {
        if part == .echo {
            try connection.publish(
                topic: "echo/" + message.topic, payload: message.payload, retain: true)
        }
        if message.topic == BaselineProcess.lastTopic, let sequence = Stage.sequence(message) {
            try connection.publish(
                topic: Stage.done, payload: Receipt.payload(storedThrough: sequence))
        }
    }

    private static let lastTopic = "kith/users/\(Stage.last)/devices/\(Stage.device)/fix"
}

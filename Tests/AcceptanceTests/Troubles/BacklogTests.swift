import Foundation
import GRDB
import TestSupport
import Testing

/// Stock clients that reconnect with thousands of fixes and an SOS queued behind them.
@Suite(.timeLimit(.minutes(3)))
struct BacklogTests {
    private static let count = 5_000

    /// Returns when the bridge has all fixes and the group has received the SOS.
    private func expectEverything(_ group: String, _ installation: Installation) async throws {
        let database = try installation.database()
        _ = try await eventually("\(BacklogTests.count) fixes", within: .seconds(60)) {
            try await database.read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM fixes") == BacklogTests.count
                    ? true : nil
            }
        }
        let members = try await installation.done("ben", "members.get", #"{"group":"\#(group)"}"#)
        #expect("\(members)".contains("sos"), "\(members)")
    }

    /// One fix per second, until now.
    private var fixes: [String] {
        (0..<BacklogTests.count).map {
            fix(at: Double($0), age: Double(BacklogTests.count - $0))
        }
    }

    @Test(arguments: ["3.1.1", "5"])
    func `paho sends its whole backlog in one connection`(version: String) async throws {
        try await withInstallation { installation in
            try await installation.start()
            let group = try await installation.family("ann", "ben")
            try await installation.done("ann", "sharing.start", #"{"groups":"all"}"#)
            let file = installation.directory + "/fixes"
            try Data(fixes.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: file))
            let output = try await Program.succeed(
                "/usr/bin/python3",
                [
                    "-c", BacklogTests.script, "\(installation.port)", version,
                    try await installation.token("ann"), file,
                ])
            #expect(output == "connected 1 times, \(BacklogTests.count + 1) acknowledged")
            try await expectEverything(group, installation)
        }
    }

    @Test func `mosquitto_pub -l sends everything it reads`() async throws {
        try await withInstallation { installation in
            try await installation.start()
            let group = try await installation.family("ann", "ben")
            try await installation.done("ann", "sharing.start", #"{"groups":"all"}"#)
            let file = installation.directory + "/fixes"
            try Data(fixes.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: file))
            let arguments = try await installation.credentials(.device("ann", "phone")).map {
                "'\($0)'"
            }
            try await Program.succeed(
                "/bin/sh",
                [
                    "-c",
                    "exec mosquitto_pub \(arguments.joined(separator: " ")) -q 1 -l "
                        + "-t \(Topic.fix("ann")) <'\(file)'",
                ])
            try await installation.done("ann", "sos.trigger")
            try await expectEverything(group, installation)
        }
    }

    /// Arguments: port, version, token, file of fixes.
    private static let script = """
        import sys, paho.mqtt.client as mqtt
        port, version, token, path = sys.argv[1:]
        connected = acknowledged = 0
        client = mqtt.Client("ann.phone", clean_session=None if version == "5" else False,
            protocol=mqtt.MQTTv5 if version == "5" else mqtt.MQTTv311)
        client.username_pw_set("ann", token)
        client.max_inflight_messages_set(65535)
        device = "kith/users/ann/devices/phone"
        fixes = open(path).read().split("\\n")
        for fix in fixes: client.publish(device + "/fix", fix, 1)
        client.publish(device + "/requests/sos.trigger", "{}", 1)
        def on_connect(*_):
            global connected
            connected += 1
        def on_publish(*_):
            global acknowledged
            acknowledged += 1
            if acknowledged > len(fixes): client.disconnect()
        client.on_connect, client.on_publish = on_connect, on_publish
        client.connect("127.0.0.1", int(port))
        client.loop_forever()
        print(f"connected {connected} times, {acknowledged} acknowledged")
        """
}

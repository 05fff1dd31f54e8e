import Foundation
import MQTT
import Synchronization
import TestBroker
import TestSupport
import Testing

/// A revoked permission is gone as soon as the request that revoked it is answered.
@Suite(.timeLimit(.minutes(2)))
struct RevocationTests {
    /// Fixes flow all the time, and the times at which Ben receives them are checked.
    @Test(arguments: ["0", "1"])
    func `A removed member receives nothing from the reply on`(qos: String) async throws {
        try await remove(qos, on: nil)
    }

    /// The gate does not read the database then, but a file that the bridge writes.
    @Test(.onPostgreSQL)
    func `A removed member receives nothing, with the database on a server`() async throws {
        try await remove("1", on: try TestDatabase())
    }

    private func remove(_ qos: String, on database: TestDatabase?) async throws {
        try await withInstallation(on: database) { installation in
            let group = try await installation.family("ann", "ben")
            try await installation.start()
            try await installation.done("ann", "sharing.start", #"{"groups":"all"}"#)
            let ben = try await installation.listen(
                ["-q", qos], as: .device("ben"), to: "kith/groups/\(group)/#")
            let ann = try await installation.listen(
                as: .device("ann", "tablet"), to: Topic.member(group, "ann"),
                "kith/groups/\(group)")
            let isOver = Mutex(false)
            async let walk: Void = walk(in: installation, until: { isOver.withLock { $0 } })
            try await ben.hears("Ann on her way", on: Topic.member(group, "ann")) {
                $0["fix"]["seq"].number ?? 0 > 3
            }
            try await installation.done(
                "ann", "group.remove", #"{"group":"\#(group)","user":"ben"}"#)
            // The programs that print messages may lag behind, but each prints them in order.
            try await ann.hears("that she is alone", on: "kith/groups/\(group)") {
                isAlone($0)
            }
            let before =
                ann.heard.prefix { !isAlone($0.json) }.compactMap(\.json["fix"]["seq"].number)
                .max() ?? 0
            try await ann.hears("Ann much later", on: Topic.member(group, "ann")) {
                $0["fix"]["seq"].number ?? 0 > before + 10
            }
            isOver.withLock { $0 = true }
            try await walk
            let seen = ben.heard.compactMap(\.json["fix"]["seq"].number).max() ?? 0
            #expect(seen <= before, "\(before) of them before he was removed")
        }
    }

    /// Whether it is a group with one member.
    private func isAlone(_ message: JSON) -> Bool { message["members"].elements.count == 1 }

    @Test func `A revoked token is invalid, and its connection ends`() async throws {
        try await withInstallation { installation in
            _ = try await installation.family("ann", "ben")
            try await installation.start()
            let tablet = try await installation.listen(
                as: .device("ann", "tablet"), to: Topic.device("ann", "tablet") + "/#")
            try await installation.done("ann", "device.revoke", #"{"device":"tablet"}"#)
            let tokens = try await installation.credentials(.device("ann", "tablet"))
            _ = try await eventually("the end of the tablet's connection") {
                tablet.hasEnded ? true : nil
            }
            let ending = try await Program.run(
                "mosquitto_pub", tokens + ["-t", Topic.device("ann", "tablet") + "/fix", "-n"])
            #expect(ending.status == 5 || ending.errors.contains("not authorised"), "\(ending)")
            let list = try await installation.done("ann", "device.list")
            #expect(
                list["devices"].elements.map(\.["loggedIn"]) == [true, false]
                    || list["devices"].elements.map(\.["loggedIn"]) == [false, true])
        }
    }

    @Test func `A user who logs out gets the reply and then nothing more`() async throws {
        try await withInstallation { installation in
            _ = try await installation.family("ann", "ben")
            try await installation.start()
            try await installation.done("ann", "account.logout")
            let ending = try await Program.run(
                "mosquitto_sub",
                try await installation.credentials(.device("ann")) + [
                    "-t", "kith/users/ann/groups", "-W", "25",
                ])
            #expect(ending.errors.contains("not authorised"), "\(ending)")
        }
    }

    /// Ann sends fifty numbered fixes a second.
    private func walk(in installation: Installation, until isOver: @Sendable () -> Bool)
        async throws
    {
        var options = ConnectionOptions(port: Int32(installation.port), clientID: "ann.phone")
        options.username = "ann"
        options.password = try await installation.token("ann")
        let connection = try Connection(options)
        try connection.connect()
        var number = 0
        while !isOver() {
            number += 1
            let payload = fix(
                at: Double(number), age: 100 - Double(number) / 50, #","seq":\#(number)"#)
            try connection.publish(
                topic: Topic.fix("ann"), payload: Array(payload.utf8), qos: .atLeastOnce)
            try connection.release()
            try await Task.sleep(for: .milliseconds(20))
            try connection.wait(atMost: 0)
            _ = connection.receive(atMost: 100)
            _ = connection.takeEvents()
        }
    }
}

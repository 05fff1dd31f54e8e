import Foundation
import TestBroker
import TestSupport
import Testing

/// Vital signs from a wearable to the disk and back, with stock clients.
@Suite(.timeLimit(.minutes(3)))
struct VitalsTests {
    private static let topic = "kith/users/ann/devices/watch/vitals"

    /// Of an hour, a value a second.
    private static let rates = (0..<3_600).map { 70 + $0 % 37 }

    private func listed(_ installation: Installation) async throws -> [JSON] {
        var (found, before) = ([JSON](), "")
        repeat {
            let page = try await installation.done(
                "ann", "vitals.list", #"{"limit":500\#(before)}"#)
            found += page["vitals"].elements
            before = page["next"].text.map { #","before":"\#($0)""# } ?? ""
        } while !before.isEmpty
        return found
    }

    @Test func `An hour of heart rates is stored as it was sent, and survives a power cut`()
        async throws
    {
        let rates = VitalsTests.rates
        try await withInstallation { installation in
            try await installation.kith("user", "add", "ann", "--name", "Ann")
            try await installation.start()
            let watch = try await installation.listen(
                as: .device("ann", "watch"), to: "kith/users/ann/devices/watch/stored",
                "kith/users/ann/devices/watch/rejected")
            // Before she agrees nothing is stored.
            let early = Int(Date.now.timeIntervalSince1970 * 1000) - rates.count * 1000
            try await installation.publish(
                VitalsTests.topic, #"{"timestamp":\#(early - 5000),"heartRate":70,"seq":0}"#)
            let rejection = try await watch.hears(
                "no consent", on: "kith/users/ann/devices/watch/rejected"
            ) { $0["problem"]["type"] == "urn:kith:problem:no-consent" }
            #expect(rejection.json["seq"].elements.count == 1)
            try await installation.done("ann", "vitals.consent")
            let samples = rates.enumerated().map { second, rate in
                #"{"timestamp":\#(early + second * 1000),"heartRate":\#(rate),"seq":\#(second + 1)}"#
            }
            for start in stride(from: 0, to: samples.count, by: 500) {
                let part = samples[start..<min(start + 500, samples.count)]
                try await installation.publish(
                    VitalsTests.topic, "[\(part.joined(separator: ","))]")
            }
            _ = try await watch.hears("the receipt", on: "kith/users/ann/devices/watch/stored") {
                $0["seq"] == JSON(parsing: "\(samples.count)")
            }
            await installation.crash()
            try await installation.start()
            // A device that has received no receipt resends everything.
            try await installation.publish(
                VitalsTests.topic, "[\(samples.prefix(500).joined(separator: ","))]")
            let found = try await listed(installation)
            #expect(found.count == rates.count)
            #expect(
                found.reversed().map { $0["heartRate"] } == rates.map { JSON(parsing: "\($0)") })
        }
    }

    @Test func `The keys file is owner-only, and without it nothing is shown`() async throws {
        try await withInstallation { installation in
            try await installation.kith("user", "add", "ann", "--name", "Ann")
            try await installation.start()
            try await installation.done("ann", "vitals.consent")
            let now = Int(Date.now.timeIntervalSince1970 * 1000)
            try await installation.publish(
                VitalsTests.topic, #"{"timestamp":\#(now),"heartRate":171}"#)
            _ = try await eventually("a sample") {
                try await listed(installation).first?["heartRate"] == 171 ? true : nil
            }
            let path = installation.directory + "/keys/vitals"
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            let keys = try String(contentsOfFile: path, encoding: .utf8)
            try FileManager.default.removeItem(atPath: path)
            await installation.crash()
            try await installation.start()
            #expect(
                await installation.log.contains {
                    $0.contains("keys of stored vital signs are missing")
                })
            #expect(try await listed(installation).isEmpty)
            // New data is encrypted with a key of another number, so that both can be used.
            try await installation.publish(
                VitalsTests.topic, #"{"timestamp":\#(now + 1),"heartRate":172}"#)
            _ = try await eventually("another sample") {
                try await listed(installation).first?["heartRate"] == 172 ? true : nil
            }
            let newer = try String(contentsOfFile: path, encoding: .utf8)
            try (keys + newer).write(toFile: path, atomically: true, encoding: .utf8)
            await installation.crash()
            try await installation.start()
            #expect(try await listed(installation).map { $0["heartRate"] } == [172, 171])
            // A new key is added by the operator, and used from the next start on.
            try await installation.kith("key", "add")
            #expect(
                try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count == 3)
        }
    }

    @Test func `No file of the broker or the database has a vital sign in the clear`() async throws
    {
        try await withInstallation { installation in
            try await installation.kith("user", "add", "ann", "--name", "Ann")
            try await installation.start()
            // A client that is away later, for which replies are queued.
            let replies = "kith/users/ann/devices/watch/#"
            _ = try await installation.listen(as: .device("ann", "watch"), to: replies)
            try await installation.done("ann", "vitals.consent")
            let now = Int(Date.now.timeIntervalSince1970 * 1000)
            let sample = { (age: Int) in
                #"{"timestamp":\#(now - age),"heartRate":117.25,"oxygenSaturation":93.125}"#
            }
            try await installation.publish(VitalsTests.topic, sample(2))
            _ = try await eventually("the first") {
                try await listed(installation).count == 1 ? true : nil
            }
            await installation.crash()
            // The broker keeps it until the bridge comes back.
            try await installation.publish(VitalsTests.topic, sample(1))
            let requests = "kith/users/ann/devices/watch/requests/"
            try await installation.publish(
                requests + "health.profile", #"{"id":"1","ssn":"QQ 123456 C"}"#)
            try await installation.publish(
                requests + "account.password",
                #"{"id":"2","old":"Tr0ub4dor","new":"C0rrect-horse"}"#)
            await installation.broker.stop()
            var searched = 0
            for (path, bytes) in try installation.files() where !path.contains("payload-") {
                searched += 1
                for secret in ["117.25", "93.125", "heartRate", "123456 C", "Tr0ub4dor", "C0rrect"]
                {
                    #expect(bytes.firstRange(of: Data(secret.utf8)) == nil, "\(secret) in \(path)")
                }
                if path.hasSuffix("mosquitto.db") {
                    #expect(bytes.firstRange(of: Data(VitalsTests.topic.utf8)) != nil)
                }
            }
            #expect(searched > 3)
            try await installation.startBroker()
            try await installation.start()
            _ = try await eventually("the second") {
                let rates = try await listed(installation).map { $0["heartRate"].number }
                return rates == [117.25, 117.25] ? true : nil
            }
            let profile = try await eventually("the number") {
                let profile = try await installation.done("ann", "health.profile")
                return profile["ssn"] == .null ? nil : profile
            }
            #expect(profile["ssn"] == "QQ 123456 C")
        }
    }
}

extension Installation {
    /// The content of everything below its directory and the broker's.
    fileprivate nonisolated func files() throws -> [(path: String, Data)] {
        var found: [(path: String, Data)] = []
        for root in [directory, broker.directory] {
            for case let path as String in FileManager.default.enumerator(atPath: root) ?? .init() {
                let whole = root + "/" + path
                if let content = FileManager.default.contents(atPath: whole), !content.isEmpty {
                    found.append((whole, content))
                }
            }
        }
        return found
    }
}

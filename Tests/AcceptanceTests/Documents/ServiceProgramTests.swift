import Foundation
import TestBroker
import TestSupport
import Testing

/// The example of a service, `tools/heart-rate-service`.
@Suite(.timeLimit(.minutes(2)))
struct ServiceProgramTests {
    @Test func `The service draws the data it is granted and deletes it at the end`() async throws {
        try await withInstallation(["KITH_SERVICES_SECOND_FACTOR": "false"]) { installation in
            let program = Document.project + "/tools/heart-rate-service"
            _ = try await installation.family("ann", "ben")
            try await installation.start()
            try await installation.makeService("myheart")
            try await installation.done("ann", "vitals.consent")
            let vitals = "kith/users/ann/devices/watch/vitals"
            let now = Int(Date.now.timeIntervalSince1970 * 1000)
            // Ten minutes of now, and of another day.
            for start in [now - 1_300_000, now - 2 * 86_400_000] {
                let samples = (0..<600).map {
                    #"{"timestamp":\#(start + $0 * 1000),"heartRate":\#(60 + $0 % 40)}"#
                }
                try await installation.publish(vitals, "[\(samples.joined(separator: ","))]")
            }
            let credentials = try await installation.credentials(.service("myheart"))
            let token = try #require(credentials.firstIndex(of: "-P").map { credentials[$0 + 1] })
            let heart = RunningProgram(
                "bash",
                [
                    "-c",
                    "cd '\(installation.directory)' && exec '\(program)' myheart '\(token)' ann",
                ], environment: ["PORT": "\(installation.port)"])
            func prints(_ line: String) async throws {
                _ = try await eventually("\(line): \(heart.lines)") {
                    heart.lines.contains(line) ? true : nil
                }
            }
            try await prints("ann: pending")
            let requests = try await installation.done("ann", "consent.list")["requests"].elements
            let request = try #require(requests.first?["request"].text)
            try await installation.done(
                "ann", "consent.answer", #"{"request":"\#(request)","allow":true}"#)
            _ = try await eventually("all heart rates: \(heart.lines)") {
                heart.lines.contains { $0.hasPrefix("1200 heart rates of ") } ? true : nil
            }
            // A broker that is killed, and one heart rate more.
            try await installation.crashBroker()
            try await prints("ann: granted")
            // Seeing each new one immediately is a second request.
            try await prints("ann, as it comes: pending")
            let more = try await installation.done("ann", "consent.list")["requests"].elements
            let second = try #require(more.first?["request"].text)
            try await installation.done(
                "ann", "consent.answer", #"{"request":"\#(second)","allow":true}"#)
            _ = try await eventually("another heart rate: \(heart.lines)") {
                let at = Int(Date.now.timeIntervalSince1970 * 1000)
                try await installation.publish(vitals, #"{"timestamp":\#(at),"heartRate":99}"#)
                return heart.lines.contains { line in
                    let words = line.split(separator: " ")
                    guard words.dropFirst().starts(with: ["heart", "rates"]) else { return false }
                    return Int(words[0]).map { $0 > 1_200 } ?? false
                } ? true : nil
            }
            let picture = installation.directory + "/ann.svg"
            let drawn = try String(contentsOfFile: picture, encoding: .utf8)
            #expect(
                drawn.contains("<polyline class=\"earlier\"")
                    && drawn.split(separator: ",").count > 1_200)
            try await installation.done("ann", "service.remove", #"{"service":"myheart"}"#)
            _ = try await eventually("its end: \(heart.lines)") { heart.ending }
            #expect(heart.ending == "exited(0)" && heart.lines.last == "deleted")
            #expect(!FileManager.default.fileExists(atPath: picture))
        }
    }
}

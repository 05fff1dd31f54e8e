import Foundation
import LocalBroker
import TestSupport
import Testing

/// Handling of a damaged `mosquitto.db`.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct SavedStateTests {
    enum Damage: String, CaseIterable {
        case empty, beginning, noise, otherVersion, halfway, overwritten

        func done(to whole: Data) -> Data {
            switch self {
            case .empty: return Data()
            case .beginning: return whole.prefix(7)
            case .noise: return Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 167 >> 3) })
            case .otherVersion:
                var bytes = whole
                bytes[22] = 99
                return bytes
            case .halfway: return whole.prefix(whole.count / 2)
            case .overwritten:
                return whole.prefix(64) + Data(repeating: 0xff, count: whole.count - 64)
            }
        }
    }

    @Test(arguments: Damage.allCases)
    func `Mosquitto starts despite damaged state, which is set aside`(damage: Damage) async throws {
        try await withTemporaryDirectory { directory in
            let settings = try brokerSettings(in: directory)
            try await withRunningBroker(settings) { _, _ in
                try publishRetained(at: settings.port)
            }
            let path = settings.dataDirectory + "/mosquitto.db"
            let damaged = damage.done(to: try Data(contentsOf: URL(fileURLWithPath: path)))
            try damaged.write(to: URL(fileURLWithPath: path))
            try await withRunningBroker(settings) { _, _ in
                try publishRetained(at: settings.port)
                let message = try retained(at: settings.port)
                #expect(message == Array("kept".utf8))
            }
            let aside = try asides(settings)
            // Mosquitto treats an empty file as a new one.
            #expect(aside.count == (damage == .empty ? 0 : 1))
            for name in aside {
                let url = URL(fileURLWithPath: "\(settings.dataDirectory)/\(name)")
                #expect(try Data(contentsOf: url) == damaged)
            }
            try await withRunningBroker(settings) { _, _ in
                let message = try retained(at: settings.port)
                #expect(message == Array("kept".utf8))
            }
        }
    }

    @Test func `The last three damaged files are kept`() async throws {
        try await withTemporaryDirectory { directory in
            let settings = try brokerSettings(in: directory)
            try await withRunningBroker(settings) { _, _ in }
            for name in ["2025-01-01T000000Z", "2025-01-02T000000Z", "2025-01-03T000000Z"] {
                try Data(name.utf8).write(
                    to: URL(
                        fileURLWithPath:
                            "\(settings.dataDirectory)/mosquitto.db.damaged-\(name)"))
            }
            try Data("noise".utf8).write(
                to: URL(fileURLWithPath: settings.dataDirectory + "/mosquitto.db"))
            try await withRunningBroker(settings) { _, _ in }
            let aside = try asides(settings)
            #expect(aside.count == 3)
            #expect(aside.first == "mosquitto.db.damaged-2025-01-02T000000Z")
        }
    }

    private func asides(_ settings: BrokerSettings) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: settings.dataDirectory)
            .filter { $0.hasPrefix("mosquitto.db.damaged-") }.sorted()
    }
}

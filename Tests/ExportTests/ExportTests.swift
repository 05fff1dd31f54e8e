import Archive
import Contract
import ExportFiles
import Foundation
import FoundationXML
import JSON
import Store
import TestSupport
import Testing
import Tracking

@testable import Export

struct ExportTests {
    /// A phone that was offline for a while, a watch, and an SOS.
    private func scene() throws -> Scene {
        let scene = try Scene()
        try scene.befriend()
        try scene.addDevice("phone")
        try scene.addDevice("watch")
        try scene.save()
        try scene.add((0..<100).map { .taken($0 * 1001) })
        try scene.add((200..<300).map { .taken($0 * 1001) })
        try scene.add((0..<5).map { .taken($0 * 7) }, device: 1)
        try scene.write(250)
        try scene.triggerSOS(at: .noon + .seconds(301))
        try scene.save()
        // Late fixes, after the tracker was saved.
        try scene.add((100..<200).map { .taken($0 * 1001, received: 400_000) })
        try scene.add((400..<450).map { .taken($0 * 1001) })
        return scene
    }

    private static let times =
        (Array(0..<300) + Array(400..<450)).map {
            (Timestamp.noon + .milliseconds(Int64($0) * 1001)).rfc3339
        }

    private func json(_ files: [String: Data], _ name: String) throws -> JSONValue {
        try JSONValue.parse(Array(try #require(files[name])))
    }

    @Test func `The archive has all files, with the fixes in the order taken`() async throws {
        let files = try await scene().unpack()
        #expect(
            files.keys.sorted() == [
                "README.txt", "account.json", "fixes.geojson", "fixes.gpx", "fixes.json",
                "paths.geojson", "paths.gpx", "reminders.ics",
            ])
        let devices = try json(files, "fixes.json").elements
        #expect(devices.map { $0["device"] } == [.string("phone"), .string("watch")])
        let fixes = devices[0]["fixes"]?.elements ?? []
        #expect(fixes.map { $0["timestamp"]?.text } == Self.times)
        #expect(devices[1]["fixes"]?.elements.count == 5)
        let first = fixes[0]
        #expect(first["latitude"] == .number(-33.7654321))
        #expect(first["longitude"] == .number(151.2345679))
        #expect(first["accuracy"] == .number(3.25))
        #expect(fixes[150]["receivedAt"]?.text == "2026-05-01T12:06:40.000Z")

        let features = try json(files, "fixes.geojson")["features"]?.elements ?? []
        #expect(features.count == 355)
        #expect(features.prefix(350).map { $0["properties"]?["timestamp"]?.text } == Self.times)
        #expect(
            features[0]["geometry"]?["coordinates"]?.elements
                == [.number(151.2345679), .number(-33.7654321), .number(12.5)])
        #expect(features[354]["properties"]?["device"]?.text == "watch")
    }

    @Test func `GPX files can be read by other programs`() async throws {
        let files = try await scene().unpack()
        let fixes = try GPX(try #require(files["fixes.gpx"]))
        #expect(fixes.names == ["Ann & Co <x>, phone", "Ann & Co <x>, watch"])
        #expect(
            fixes.times == Self.times
                + (0..<5).map {
                    (Timestamp.noon + .milliseconds(Int64($0) * 7)).rfc3339
                })
        #expect(fixes.places.first == "-33.7654321 151.2345679")
        #expect(fixes.elevations.count == 178)
        let paths = try GPX(try #require(files["paths.gpx"]))
        #expect(paths.names == ["Ann & Co <x>"])
        #expect(paths.times == Array(Self.times[100..<200] + Self.times[300...]))
        let feature = try json(files, "paths.geojson")["features"]?.elements.first
        #expect(feature?["geometry"]?["coordinates"]?.elements.count == 150)
        #expect(feature?["properties"]?["mode"]?.text == "sos")
    }

    @Test func `The account file has the stored data and no secrets`() async throws {
        let files = try await scene().unpack()
        let account = try json(files, "account.json")
        #expect(account["account"]?["user"]?.text == "ann")
        #expect(account["account"]?["email"]?.text == "ann@example.org")
        #expect(account["devices"]?.elements.map { $0["device"]?.text } == ["phone", "watch"])
        #expect(account["groups"]?.elements.map { $0["name"]?.text } == ["Family"])
        #expect(account["friends"]?.elements.map { $0["user"]?.text } == ["ben"])
        #expect(account["friends"]?.elements.first?["sharedSince"]?.text == Timestamp.noon.rfc3339)
        #expect(account["blocked"]?.elements.map { $0["user"]?.text } == ["eve"])
        let state = account["states"]?.elements.first?["state"]
        #expect(state?["state"]?.text == "sos")
        #expect(state?["fix"]?["timestamp"]?.text == Self.times.last)
        let alert = account["alerts"]?.elements.first?["alert"]
        #expect(alert?["kind"]?.text == "sos")
        #expect(alert?["acknowledgedBy"]?.elements.count == 2)
        #expect(account["acknowledgements"]?.elements.count == 1)
        let messages = (account["messages"]?.elements ?? []).map { $0["message"] ?? .null }
        #expect(messages.map { $0["text"]?.text } == (0..<250).reversed().map { "m\($0)" })
        #expect(messages.allSatisfy { $0["from"]?.text == "ann" && $0["at"] != nil })
        for (_, data) in files {
            let text = String(decoding: data, as: UTF8.self)
            #expect(!text.contains("secret") && !text.contains("ben@"))
        }
    }

    @Test func `An account without data yields an empty archive`() async throws {
        let files = try await Scene().unpack()
        #expect(try json(files, "fixes.json").elements.isEmpty)
        #expect(try json(files, "fixes.geojson")["features"] == .array([]))
        #expect(try json(files, "paths.geojson")["features"] == .array([]))
        #expect(try json(files, "account.json")["alerts"] == .array([]))
        #expect(try json(files, "account.json")["messages"] == .array([]))
        #expect(try GPX(try #require(files["fixes.gpx"])).names.isEmpty)
    }

    @Test func `An unknown or just deleted account is not exported`() async throws {
        let scene = try scene()
        #expect(throws: ExportError.self) {
            _ = try Export(of: "nobody", in: scene.store, scene.rules)
        }
        let export = try Export(of: "ann", in: scene.store, scene.rules)
        try scene.store.transaction { transaction in
            for group in [scene.group] { try transaction.deleteMembership(group, scene.user) }
            _ = try transaction.eraseUser(scene.user, devices: [])
            _ = try transaction.insertUser(
                "ann", displayName: "Another", email: nil, ownTracksPublishIsSOS: false,
                at: .noon + .seconds(1))
        }
        var written: [UInt8] = []
        let error = await #expect(throws: ExportError.self) {
            try await ExportArchive(of: export, at: .noon) { bytes in written += bytes }.write()
        }
        #expect(error?.description == "The account was deleted in the meantime.")
        // Without the directory at its end, no program accepts it as an archive.
        #expect(!written.contains(Array("PK\u{5}\u{6}".utf8)))
    }

    @Test func `A failing sink ends the export`() async throws {
        let scene = try scene()
        let export = try Export(of: "ann", in: scene.store, scene.rules)
        let error = await #expect(throws: ArchiveError.self) {
            try await ExportArchive(of: export, at: .noon) { _ in
                throw ArchiveError("full")
            }.write()
        }
        #expect(error?.description == "The ZIP file cannot be written: full.")
    }

    /// Fixes in any order of arrival are exported in the order of time.
    @Test(arguments: [1, 2, 3])
    func `Fixes are exported in chronological order`(_ seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let scene = try Scene()
        try scene.addDevice("phone")
        try scene.save()
        let fixes = (0..<1000).map { Fix.taken($0 * 13) }.shuffled(using: &random)
        try scene.add(fixes)
        let devices = try json(try await scene.unpack(), "fixes.json").elements
        #expect(
            devices[0]["fixes"]?.elements.map { $0["timestamp"]?.text }
                == (0..<1000).map { (Timestamp.noon + .milliseconds($0 * 13)).rfc3339 },
            "seed \(seed)")
    }
}

/// The parts of a GPX document that a program reads.
private final class GPX: NSObject, XMLParserDelegate {
    private(set) var names: [String] = []
    private(set) var times: [String] = []
    private(set) var elevations: [String] = []
    private(set) var places: [String] = []
    private var text = ""

    struct Malformed: Error {}

    init(_ data: Data) throws {
        super.init()
        let parser = XMLParser(data: data)
        parser.delegate = self
        guard parser.parse() else { throw Malformed() }
    }

    func parser(
        _ parser: XMLParser, didStartElement element: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        text = ""
        if element == "trkpt" {
            places.append("\(attributes["lat"] ?? "?") \(attributes["lon"] ?? "?")")
        }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(
        _ parser: XMLParser, didEndElement element: String, namespaceURI: String?,
        qualifiedName: String?
    ) {
        switch element {
        case "name": names.append(text)
        case "time": times.append(text)
        case "ele": elevations.append(text)
        default: break
        }
    }
}

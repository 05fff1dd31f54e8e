import Archive
import Contract
import Export
import ExportFiles
import JSON
import Store
import Testing
import Tracking

@testable import Bridge
@testable import Web

/// The ZIP of the page and of `kith export` beside `account.export`, of people about whom something of
/// every type is stored.
struct ArchiveTests {
    private static let people: [Sender] = ["alice", "acme/desk"]

    /// The file `account.json` of the archive.
    private func account(_ source: some ExportSource, at now: Timestamp) async throws -> JSONValue {
        var bytes: [UInt8] = []
        try await ExportArchive(of: source, at: now) { bytes += $0 }.write()
        let files = try ArchiveReader.files(in: bytes, atMost: .max) { $0 == "account.json" }
        return try JSONValue.parse(#require(files.first).bytes)
    }

    private func fromPage(_ world: World, _ person: Sender) async throws -> JSONValue {
        nonisolated(unsafe) let world = world
        let pages = ExportPages(asking: { fields in
            var json = JSONWriter()
            json.value(fields)
            let fields = String(decoding: json.bytes, as: UTF8.self)
            return try world.ask(person, "account.export", fields)["result"] ?? JSONValue.null
        })
        let first = try await pages.page(at: .null)
        let source = PagedExport(pages, of: person.user, beginningWith: first)
        return try await account(source, at: world.now)
    }

    private func fromCommand(_ world: World, _ person: Sender) async throws -> JSONValue {
        let source = try Export(
            of: person.user, in: world.store, world.settings.rules, keys: World.keys)
        return try await account(source, at: world.now)
    }

    @Test(arguments: [true, false])
    func `An archive has every item of an export, in the list of its type`(_ isPage: Bool)
        async throws
    {
        let world = try World.withEverything()
        var types: Set<String> = []
        for person in ArchiveTests.people {
            let items = try world.wholeExport(of: person)
            types.formUnion(items.compactMap { $0["type"]?.text })
            let account =
                try await isPage ? fromPage(world, person) : fromCommand(world, person)
            #expect(account["account"] == items.first)
            #expect(account["usage"]?["type"] == .string("usage"))
            for list in ExportList.all {
                let expected = items.filter { $0["type"]?.text == list.type }
                let found = account[list.key]?.elements ?? []
                #expect(found == expected, "\(person.user): \(list.key)")
            }
        }
        // A new type needs something in the world that produces it.
        #expect(
            types
                == Set(ExportList.all.map(\.type)).union(["account", "usage", "path", "fix"]))
        #expect(ExportList.all.allSatisfy { !$0.key.hasSuffix("sss") })
    }
}

import Clocks
import Contract
import Foundation
import Logging
import OperatorTools
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// The copy that is made before a database is brought up to date.
struct EarlierCopyTests {
    private static let stored = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Stored/schema-24.sqlite").path

    private func contents(_ path: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: path))
    }

    @Test func `A database of an earlier version is copied intact, readable only by its owner`()
        throws
    {
        let database = try TemporaryDatabase(copyOf: EarlierCopyTests.stored)
        let copy = EarlierCopy(of: database.path)
        #expect(try copy.schemaBefore() == 24)
        let path = try #require(try copy.make())
        #expect(path == "\(database.path).before-schema-\(Store.newestSchema)")
        #expect(try Store.schema(of: DatabaseAddress(path)) == 24)
        #expect(try Store.verdict(on: path) == .sound)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try copy.schemaBefore() == 24, "the database itself is as it was")
    }

    @Test func `A current, empty or missing database is not copied`() throws {
        let database = try TemporaryDatabase()
        #expect(try EarlierCopy(of: database.path).make() == nil)
        try Data().write(to: URL(fileURLWithPath: database.path))
        #expect(try EarlierCopy(of: database.path).make() == nil)
        _ = try Store.open(database.address, at: .morning)
        #expect(try EarlierCopy(of: database.path).make() == nil)
        #expect(EarlierCopy.all(of: database.path).isEmpty)
    }

    @Test func `A copy without disk space is not written, and the error states why`() throws {
        let database = try TemporaryDatabase(copyOf: EarlierCopyTests.stored)
        let before = try contents(database.path)
        var copy = EarlierCopy(of: database.path)
        copy.freeBytes = { _ in EarlierCopy.reserve }
        let error = try #require(throws: BridgeError.self) { try copy.make() }
        #expect(error.description.contains("there is no space"))
        #expect(error.description.contains("Free space, or start the earlier version again."))
        #expect(try contents(database.path) == before)
        #expect(EarlierCopy.all(of: database.path).isEmpty)
        copy.freeBytes = { _ in EarlierCopy.reserve + Int64(before.count) }
        #expect(try copy.make() != nil)
    }

    @Test func `Only the newest copies are kept, and other files are left alone`() throws {
        let database = try TemporaryDatabase(copyOf: EarlierCopyTests.stored)
        for schema in [9, 23, 24] {
            try Data().write(
                to: URL(fileURLWithPath: "\(database.path).before-schema-\(schema)"))
        }
        try Data().write(to: URL(fileURLWithPath: "\(database.path).before-schema-x"))
        try EarlierCopy(of: database.path).make()
        #expect(EarlierCopy.kept == 2)
        #expect(EarlierCopy.all(of: database.path).map(\.schema) == [24, Store.newestSchema])
        #expect(FileManager.default.fileExists(atPath: "\(database.path).before-schema-x"))
    }

    @Test func `An operator's command also copies, but not beside a bridge of that version`()
        async throws
    {
        let database = try TemporaryDatabase(copyOf: EarlierCopyTests.stored)
        let commands = Operator(databasePath: database.path, BridgeSettings())
        let command = OperatorCommand.addUser(
            "zeno", displayName: "Zeno", email: nil, ownTracksPublishIsSOS: false)
        do {
            let lock = try #require(try BridgeLock(besides: database.path))
            let error = await #expect(throws: BridgeError.self) {
                _ = try await commands.perform(command)
            }
            #expect(error?.description.contains("is an earlier version") == true)
            #expect(try Store.schema(of: DatabaseAddress(database.path)) == 24)
            withExtendedLifetime(lock) {}
        }
        _ = try await commands.perform(command)
        #expect(try Store.schema(of: DatabaseAddress(database.path)) == Store.newestSchema)
        #expect(EarlierCopy.all(of: database.path).map(\.schema) == [Store.newestSchema])
    }
}

public import Contract
import Foundation
import Tracking

@testable import Store

/// A store on a file in a directory of its own, which goes when this does.
final class TemporaryStore {
    let path: String
    let store: Store
    private let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("kith-store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        path = directory.appendingPathComponent("kith.sqlite").path
        store = try Store.open(path, at: .noon)
    }

    deinit {
        do {
            try FileManager.default.removeItem(at: directory)
        } catch {
            print("\(directory.path) stays behind: \(error)")
        }
    }

    @discardableResult
    func run<Value>(_ body: (Transaction) throws(StoreError) -> Value) throws -> Value {
        try store.transaction(body)
    }

    @discardableResult
    func execute(_ sql: String, _ values: [SQLValue] = []) throws -> Int {
        try run { transaction throws(StoreError) in try transaction.driver.execute(sql, values) }
    }

    /// The first column, as text.
    func column(_ sql: String) throws -> [String] {
        try run { transaction throws(StoreError) in
            try transaction.all(sql) { row throws(StoreError) in try row.text(0) }
        }
    }

    /// How often a text stands in the bytes of the file and its log.
    ///
    /// - Parameter script: run before, with `database`, the file, open in Python. All of it runs
    ///   outside: who reads the file in this process makes SQLite lose its locks on it.
    func occurrences(of text: String, after script: String = "") throws -> Int {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c",
            """
            import os, sqlite3, sys
            path, text = sys.argv[1], sys.argv[2].encode()
            database = sqlite3.connect(path)
            \(script)
            files = [path + end for end in ("", "-wal") if os.path.exists(path + end)]
            print(sum(open(file, "rb").read().count(text) for file in files))
            """, path, text,
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let line = String(decoding: data, as: UTF8.self)
        return Int(line.trimmingCharacters(in: .newlines)) ?? -1
    }

    func count(_ table: String) throws -> Int64 {
        try run { transaction throws(StoreError) in
            try transaction.one("SELECT COUNT(*) FROM \(table)") { row throws(StoreError) in
                try row.integer(0)
            } ?? 0
        }
    }

    /// A user with a phone.
    func addUser(_ name: Name) throws -> (user: UserID, device: DeviceID) {
        try run { transaction throws(StoreError) in
            let user = try transaction.insertUser(
                name, displayName: name.text, email: nil, ownTracksPublishIsSOS: false, at: .noon)
            let device = try transaction.insertDevice("phone", of: user, speaks: .kith, at: .noon)
            return (user, device)
        }
    }

    func addUsers(_ names: Name...) throws -> [UserID] { try names.map { try addUser($0).user } }

    func addGroup(_ letter: Character, _ members: UserID...) throws -> GroupID {
        try run { transaction throws(StoreError) in
            guard let key = GroupKey(String(repeating: letter, count: 22)) else {
                preconditionFailure("a letter makes a key")
            }
            let group = try transaction.insertGroup(key, name: String(letter), at: .noon)
            for member in members { try transaction.insertMembership(group, member, at: .noon) }
            return group
        }
    }
}

extension Timestamp {
    /// 2026-05-01T12:00:00Z.
    static let noon = Timestamp(milliseconds: 1_777_636_800_000)
}

extension Name: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) {
        guard let name = Name(text) else { preconditionFailure("\(text) is no name") }
        self = name
    }
}

extension Fix {
    /// Taken so many seconds after noon, and received then.
    static func taken(_ seconds: Int64, seq: Int64? = nil) -> Fix {
        guard let place = Coordinate(latitudeE7: 460_000_000 + seconds, longitudeE7: 145_000_000)
        else { preconditionFailure("the earth is large enough") }
        let time = Timestamp.noon + .seconds(seconds)
        return Fix(coordinate: place, takenAt: time, receivedAt: time, sequence: seq)
    }
}

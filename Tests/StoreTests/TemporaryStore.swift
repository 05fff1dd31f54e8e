import Contract
import Foundation
import TestSupport
import Tracking

@testable import Store

/// A store in a directory of its own, deleted with this object.
final class TemporaryStore {
    var address: DatabaseAddress { database.address }
    var path: String { address.path }
    let store: Store
    private let database: TestDatabase

    init() throws {
        database = try TestDatabase()
        store = try Store.open(database.address, at: .noon, decides: true)
    }

    @discardableResult
    func run<Value>(_ body: (Transaction) throws -> Value) throws -> Value {
        try store.transaction(body)
    }

    @discardableResult
    func execute(_ sql: String, _ values: [SQLValue] = []) throws -> Int {
        try run { try $0.driver.executeCounted(sql, values) }
    }

    /// The first column, as text.
    func column(_ sql: String) throws -> [String] {
        try run { transaction in
            try transaction.all(sql) { row in
                // SQLite has any value as a text.
                do { return try row.text(0) } catch { return "\(try row.integer(0))" }
            }
        }
    }

    /// How often a text occurs in the bytes of the file and its log. No one else has them open: the
    /// locks that SQLite loses when its process closes them again protect nothing.
    func occurrences(of text: String) throws -> Int {
        try ["", "-wal"].map { path + $0 }.filter(FileManager.default.fileExists(atPath:))
            .map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
            .map { String(decoding: $0, as: Unicode.ASCII.self).components(separatedBy: text) }
            .reduce(0) { $0 + $1.count - 1 }
    }

    func count(_ table: String) throws -> Int64 {
        try run { transaction in
            try transaction.one("SELECT COUNT(*) FROM \(table)") { try $0.integer(0) } ?? 0
        }
    }

    /// A user with a phone.
    func addUser(_ name: Name) throws -> (user: UserID, device: DeviceID) {
        try run { transaction in
            let user = try transaction.insertUser(
                name, displayName: name.text, email: nil, ownTracksPublishIsSOS: false, at: .noon)
            let device = try transaction.insertDevice("phone", of: user, using: .kith, at: .noon)
            return (user, device)
        }
    }

    func addUsers(_ names: Name...) throws -> [UserID] { try names.map { try addUser($0).user } }

    func addGroup(_ letter: Character, _ members: UserID...) throws -> GroupID {
        try run { transaction in
            guard let key = GroupKey(String(repeating: letter, count: 22)) else {
                preconditionFailure("a letter makes a key")
            }
            let group = try transaction.insertGroup(key, name: String(letter), at: .noon)
            for member in members { try transaction.insertMembership(group, member, at: .noon) }
            return group
        }
    }
}

extension Fix {
    /// Taken the given seconds after noon, and received then.
    static func taken(_ seconds: Int64, seq: Int64? = nil) -> Fix {
        guard let place = Coordinate(latitudeE7: 460_000_000 + seconds, longitudeE7: 145_000_000)
        else { preconditionFailure("the earth is large enough") }
        let time = Timestamp.noon + .seconds(seconds)
        return Fix(coordinate: place, takenAt: time, receivedAt: time, sequence: seq)
    }
}

import Foundation
import Store
import TestSupport

/// A database file in a directory of its own, which is deleted when this object is.
final class TemporaryDatabase {
    let path: String
    private let directory: TemporaryDirectory

    /// - Parameter file: a database to begin with; nil for none.
    init(copyOf file: String? = nil) throws {
        directory = try TemporaryDirectory()
        path = directory.path + "/kith.sqlite"
        if let file { try FileManager.default.copyItem(atPath: file, toPath: path) }
    }

    /// A database with the newest schema and no users.
    static func prepared() throws -> TemporaryDatabase {
        let database = try TemporaryDatabase()
        try empty.get().write(to: URL(fileURLWithPath: database.path))
        return database
    }

    /// Its file. Creating it takes longer than most of what tests do with it.
    private static let empty = Result {
        let database = try TemporaryDatabase()
        _ = try Store.open(database.path, at: .morning)
        return try Data(contentsOf: URL(fileURLWithPath: database.path))
    }
}

import Bridge
import Foundation
import Store
import TestSupport

/// A database of its own, which is deleted when this object is.
final class TemporaryDatabase {
    var address: DatabaseAddress { database.address }
    var path: String { address.path }
    private let database: TestDatabase
    /// The usual settings, with this database.
    var settings: BridgeSettings {
        var settings = BridgeSettings()
        settings.databaseServer = address.server
        return settings
    }

    /// - Parameter file: a database to begin with; nil for none.
    init(copyOf file: String? = nil) throws {
        database = try TestDatabase(copyOf: file)
    }

    /// A database with the newest schema and no users.
    static func prepared() throws -> TemporaryDatabase {
        let database = try TemporaryDatabase()
        if database.address.server == nil {
            try empty.get().write(to: URL(fileURLWithPath: database.path))
        }
        return database
    }

    /// Its file. Creating it takes longer than most of what tests do with it.
    private static let empty = Result {
        let database = try TemporaryDatabase()
        _ = try Store.open(database.path, at: .morning)
        return try Data(contentsOf: URL(fileURLWithPath: database.path))
    }
}

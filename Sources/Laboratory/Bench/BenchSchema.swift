internal import Foundation
internal import Store

/// A schema of its own in a PostgreSQL database.
struct BenchSchema {
    /// The database's URI, with this schema.
    let uri: String
    private let server: String
    private let name: String

    init(in server: String) throws {
        self.server = server
        name = "bench_\(UUID().uuidString.lowercased().filter { $0 != "-" })"
        uri = "\(server)\(server.contains("?") ? "&" : "?")options=-csearch_path%3D\(name)"
        try run("CREATE SCHEMA \(name)")
    }

    func drop() {
        do {
            try run("DROP SCHEMA \(name) CASCADE")
        } catch {
            print("The schema \(name) cannot be dropped: \(error)")
        }
    }

    private func run(_ statement: String) throws {
        let store = try Store.openUnchanged(DatabaseAddress("", server: server))
        try store.transaction { _ in try store.driver.execute(statement, []) }
    }
}

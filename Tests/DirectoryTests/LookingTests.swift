import Testing

@testable import Directory

/// The right to search the directory.
struct LookingTests {
    @Test func `A directory that cannot be searched is not queried for entries`() throws {
        // Nothing listens there: a query would fail as unreachable.
        let server = DirectoryServer(host: "127.0.0.1", port: 1, security: .none)
        let filter = try #require(DirectoryPattern("(uid={user})", .filter))
        let settings = DirectorySettings(
            server: server, base: "dc=org", bind: DirectoryPattern("uid={user},dc=org", .name),
            filter: filter)
        #expect(!settings.canSearch)
        #expect(throws: DirectoryError.accountRefused) {
            try DirectoryClient(settings).present(among: [])
        }
    }
}

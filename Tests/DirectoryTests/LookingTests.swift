import Testing

@testable import Directory

/// Who may look people up.
struct LookingTests {
    @Test func `Where nobody may look, nobody is asked who is still there`() throws {
        // Nothing listens there: what is not asked cannot fail for that.
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

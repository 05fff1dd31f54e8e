#if DEBUG
@testable import Directory

/// An organisation's directory address, and names and filters that contain a user's name.
enum DirectoryTexts {
    /// Lines: an address, how it is encrypted, a name and a filter with `{user}` in them, and the name
    /// of an entry; the rest is typed text.
    static func read(_ bytes: [UInt8]) throws {
        let lines = Lines(5, of: bytes)
        let user = String(decoding: lines.rest, as: UTF8.self)
        let security = DirectoryServer.Security(rawValue: lines.heads[1])
        if let server = DirectoryServer(lines.heads[0], security) {
            try expect(
                !server.host.isEmpty && (1...65_535).contains(server.port),
                "a server has a host and a port")
            try expect(
                DirectoryServer(server.url, server.security) == server,
                "a server is read as libldap reads it")
        }
        _ = DirectoryPattern(lines.heads[2], .name)?.with(user)
        if let pattern = DirectoryPattern(lines.heads[3], .filter) {
            _ = pattern.with(user)
            _ = pattern.withAnybody
        }
        try check(user)
        if let id = EntryID(name: lines.heads[4]) { try check(id) }
        let id = EntryID("entryUUID", lines.rest)
        try check(id)
        try expect(id.filter.map(DirectoryText.isFilter) ?? false, "an id is a filter")
    }

    private static func check(_ id: EntryID) throws {
        try expect(EntryID(stored: id.text) == id, "an id is stored as it is")
        try expect((id.name == nil) != (id.filter == nil), "it is a name or a filter")
    }

    /// Typed text is never treated as more than a value.
    private static func check(_ user: String) throws {
        let filter = "(uid=\(DirectoryText.escaped(filter: user)))"
        try expect(DirectoryText.isFilter(filter), "what is typed makes no other filter")
        try expect(
            !DirectoryText.escaped(filter: user).utf8.contains { "()*\0".utf8.contains($0) },
            "nothing is left of what filters are made of")
        let name = "uid=\(DirectoryText.escaped(name: user)),dc=org"
        guard let normalized = DirectoryText.normalized(name: name) else {
            return try expect(
                user.isEmpty || user.utf8.contains(0), "what is typed makes a name")
        }
        try expect(
            normalized.utf8.starts(with: "uid=".utf8)
                && normalized.utf8.suffix(7).elementsEqual(",dc=org".utf8),
            "what is typed makes no other name")
        // A comma that is not escaped begins the next part.
        let bare = normalized.utf8.reduce(into: (isEscaped: false, commas: 0)) { state, byte in
            if byte == UInt8(ascii: ","), !state.isEscaped { state.commas += 1 }
            state.isEscaped = byte == UInt8(ascii: "\\") && !state.isEscaped
        }
        try expect(bare.commas == 1, "what is typed adds no part to a name")
    }
}
#endif

import Contract
import Directory
import Store

@testable import Bridge

/// A directory as the bridge sees it: people, their passwords, and whether it answers.
final class FakeDirectory {
    struct Member {
        var entry: DirectoryEntry
        var password: String
    }

    var members: [Member] = []
    /// Nil: it answers.
    var trouble: DirectoryError?
    /// The users it was queried for since the start.
    private(set) var asked: [String] = []
    private(set) var checked = 0

    func add(
        _ user: String, _ password: String = "of the university", id: String? = nil,
        first: String? = "Anna", last: String? = "Lake", mail: String? = nil
    ) {
        members.append(
            Member(
                entry: DirectoryEntry(
                    id: EntryID(stored: "entryuuid=\(id ?? user)"), user: user, firstName: first,
                    lastName: last, mail: mail),
                password: password))
    }

    func remove(_ id: String) { members.removeAll { $0.entry.id.text == "entryuuid=\(id)" } }

    func answer(_ work: DirectoryWork) -> DirectoryOutcome {
        DirectoryOutcome(of: work, answer(work.question))
    }

    private func answer(_ question: DirectoryWork.Question) -> DirectoryOutcome.Answer {
        switch question {
        case .password(let typed, _, _):
            asked.append(typed.user)
            if let trouble { return .failed(trouble) }
            let found = members.first { member in
                typed.entry.map { $0 == member.entry.id }
                    ?? (member.entry.user.lowercased() == typed.user.lowercased())
            }
            guard let found, Array(found.password.utf8) == typed.password.bytes else {
                return .refused
            }
            return .entry(found.entry)
        case .presence(let entries):
            checked += entries.count
            if let trouble { return .failed(trouble) }
            return .present(Set(members.map(\.entry.id)).intersection(entries.values))
        }
    }
}

extension World {
    /// A bridge that accepts logins of the directory's people.
    ///
    /// - Parameter searches: whether it can query who is still there.
    static func withDirectory(
        searches: Bool = true, _ change: (inout BridgeSettings) -> Void = { _ in }
    ) throws -> World {
        guard let filter = DirectoryPattern("(uid={user})", .filter) else { throw NotAPattern() }
        var settings = BridgeSettings()
        settings.directory = DirectoryLogin(
            DirectorySettings(
                server: DirectoryServer(host: "127.0.0.1", port: 1, security: .none),
                base: "dc=org",
                bind: searches ? nil : DirectoryPattern("uid={user},dc=org", .name),
                filter: filter))
        change(&settings)
        let world = try World(settings)
        world.directory = FakeDirectory()
        return world
    }

    private struct NotAPattern: Error {}

    func directoryAccount(_ user: Name) throws -> DirectoryAccountRow? {
        try store.transaction { transaction in
            guard let row = try transaction.user(user) else { return nil }
            return try transaction.directoryAccount(of: row.id)
        }
    }
}

import DequeModule
import Tracking

/// The sources where people have logged in: the last few of each, for a limited number of people.
struct OwnerSources {
    private var sources: [UserID: Deque<AttemptBook.Source>] = [:]
    /// The users in the order of their first entry.
    private var line: Deque<UserID> = []

    static let perUser = 8
    static let maximumUsers = 10_000

    func has(_ source: AttemptBook.Source, of user: UserID) -> Bool {
        sources[user]?.contains(source) ?? false
    }

    mutating func note(_ source: AttemptBook.Source, of user: UserID) {
        switch source {
        case .device, .visitor(nil): return  // Identified by its token, or not identified at all.
        case .address, .visitor: break
        }
        if sources[user] == nil {
            line.append(user)
            if line.count > OwnerSources.maximumUsers { sources[line.removeFirst()] = nil }
        }
        sources[user, default: []].removeAll { $0 == source }
        sources[user, default: []].append(source)
        if sources[user, default: []].count > OwnerSources.perUser {
            sources[user]?.removeFirst()
        }
    }
}

import Contract
import JSON
import Store
import Tracking

/// Friends, their positions for each other, and the list of everyone who sees a person's position.
final class Friends: AreaHandler {
    unowned let turn: Turn

    init(_ turn: Turn) { self.turn = turn }

    func perform(
        _ command: FriendCommand, by person: Person, on device: Device, _ asker: Requester
    ) throws -> [UInt8]? {
        switch command {
        case .add(let user): try addFriend(user, by: person)
        case .remove(let user): try removeFriend(user, by: person)
        case .list(let listing, let name): try list(listing, after: name, of: person)
        case .share(let selection, let fix):
            try shareLocation(with: selection, fix, person, device)
        case .unshare(let selection): try unshareLocation(with: selection, person)
        case .turnLocationOff(let isStoring):
            try turnLocationOff(person, isStoring: isStoring)
        case .nearby(let radius, let fix): try friendsNearby(radius, from: fix, person)
        case .block(let user): try block(user, by: person)
        case .unblock(let user): try unblock(user, by: person)
        case .watchers(let cursor): try listWatchers(of: person, from: cursor)
        }
    }

    func moved(to fix: Fix, of person: Person) {
        if person.tracker.friendsSince != nil, person.tracker.pausedUntil == nil {
            note(.location, person)
        }
    }

    func apply(_ effect: Effect, to person: Person, newFix: FixRow?) throws {
        switch effect {
        case .reminder(let since): try remind(person, since: since)
        case .deviceChanged, .pauseChanged:
            if person.tracker.friendsSince != nil { note(.urgentLocation, person) }
        default: break
        }
    }

    func finish(_ people: [Person]) throws {
        for person in people { publishLocation(of: person) }
    }

    func erase(_ person: Person, _ counts: inout ErasureCounts) throws {
        counts.friends = try endFriendships(of: person)
    }
}

extension Friends {
    // MARK: The list

    /// Adds a user to the list. A user already on it stays there, and is not notified twice.
    private func addFriend(_ user: Name, by person: Person) throws -> [UInt8] {
        try countIfStranger(memory.person(user), to: person)
        let friend = try somebody(user, otherThan: person)
        guard try !hasBlocked(person, friend) else {
            throw Problem(.notAllowed, "You have blocked that user. Unblock them first.")
        }
        if try row(of: friend, for: person) == nil {
            let count = try transaction.countFriends(of: person.id)
            guard count < BridgeSettings.maximumFriends else {
                let limit = BridgeSettings.maximumFriends
                throw Problem(.tooMany, "A user may have at most \(limit) friends.")
            }
            try transaction.insertFriend(friend.id, of: person.id, at: now)
            areas.geofences.noteBeginning(of: person, with: friend)
            try tell(friend, .friendAdded, of: person)
        }
        guard let row = try row(of: friend, for: person) else {
            preconditionFailure("a friend was just added")
        }
        return FriendResult.added.bytes(of: row.shown(friend))
    }

    private func removeFriend(_ user: Name, by person: Person) throws -> [UInt8] {
        let friend = memory.person(user)
        guard let friend, try takeOffList(friend, of: person) else {
            throw Problem(.notAFriend, "That user is not on your list of friends.")
        }
        return Array("{}".utf8)
    }

    /// - Returns: whether the friend was on the list.
    private func takeOffList(_ friend: Person, of person: Person) throws -> Bool {
        let isGone = try transaction.deleteFriend(friend.id, of: person.id)
        if isGone {
            try noteWhoSees(person)
            areas.geofences.noteEnd(of: person, with: friend)
        }
        return isGone
    }

    private func list(_ listing: FriendCommand.Listing, after name: Name?, of person: Person)
        throws -> [UInt8]
    {
        var page = ListPage()
        let start = name?.text ?? ""
        switch listing {
        case .friends:
            let rows = try transaction.friends(of: person.id, after: start, atMost: ListPage.rows)
            page.fill(rows) { row in
                guard let friend = memory.people[row.friend] else { return nil }
                return (friend.name.text, { $0.object(FriendResult.friend, row.shown(friend)) })
            }
        case .sharers, .blocked:
            let rows =
                listing == .sharers
                ? try transaction.sharers(with: person.id, after: start, atMost: ListPage.rows)
                : try transaction.blocked(by: person.id, after: start, atMost: ListPage.rows)
            page.fill(rows) { row in
                guard let user = memory.people[row.user] else { return nil }
                return (
                    user.name.text,
                    { json in
                        json.acquaintance(user, row.at, isVisible: listing == .sharers)
                    }
                )
            }
        }
        return page.result("friends")
    }

    // MARK: Blocking

    /// Blocks a user, who from then on is notified of nothing, sees nothing, and cannot reach the
    /// person. Groups that both are in are not affected.
    private func block(_ user: Name, by person: Person) throws -> [UInt8] {
        guard let other = try quietly(user, to: person) else { return Array("{}".utf8) }
        guard try !hasBlocked(person, other) else { return Array("{}".utf8) }
        let count = try transaction.countBlocks(by: person.id)
        guard count < BridgeSettings.maximumBlocked else {
            let limit = BridgeSettings.maximumBlocked
            throw Problem(.tooMany, "A user may block at most \(limit) others.")
        }
        _ = try takeOffList(other, of: person)
        try transaction.insertBlock(of: other.id, by: person.id, at: now)
        areas.geofences.noteEnd(of: person, with: other)
        return Array("{}".utf8)
    }

    /// Unblocks a user. The person sees the user's position again if it is shared, since the
    /// sharing itself never stopped.
    private func unblock(_ user: Name, by person: Person) throws -> [UInt8] {
        guard let other = try quietly(user, to: person) else { return Array("{}".utf8) }
        try transaction.deleteBlock(of: other.id, by: person.id)
        areas.geofences.noteBeginning(of: person, with: other)
        return Array("{}".utf8)
    }

    // MARK: Helpers

    /// Looks up a user for requests that are never refused: a requester who has asked about too
    /// many strangers must not learn from them whether the user exists.
    ///
    /// - Returns: nil if there is no such user, which must not be revealed.
    private func quietly(_ user: Name, to person: Person) throws -> Person? {
        do {
            try countIfStranger(memory.person(user), to: person)
        } catch {
            guard Problem(of: error) != nil else { throw error }
            return memory.person(user)
        }
        return try somebody(user, otherThan: person)
    }

    private func somebody(_ user: Name, otherThan person: Person) throws -> Person {
        guard let other = memory.person(user) else { throw Problem.noSuchUser }
        guard other !== person else {
            throw Problem(invalid: [.init(field: "user", reason: "is you")])
        }
        return other
    }

    private func row(of friend: Person, for person: Person) throws -> FriendRow? {
        try transaction.friend(friend.id, of: person.id)
    }

    /// Whether a viewer may see a person's profile: it is their own, they share a group, or each is
    /// on the other's list of friends.
    func knows(_ viewer: Person, _ other: Person) throws -> Bool {
        if viewer === other || viewer.sharesGroup(with: other) { return true }
        return try row(of: other, for: viewer)?.isMutual == true
    }

    /// Notifies the friend of a person's action, unless the friend has blocked the person.
    func tell(_ friend: Person, _ news: Notice.News, of person: Person) throws {
        guard try !hasBlocked(friend, person) else { return }
        try areas.notices.add(news, for: friend, about: person)
    }

    /// Removes the person from every list. A sharer who shared only with them now shares with no
    /// one.
    ///
    /// - Returns: the number of friends on the person's own list.
    func endFriendships(of person: Person) throws -> Int {
        let (own, sharers) = try transaction.eraseFriends(of: person.id)
        for sharer in sharers.compactMap({ memory.people[$0] }) { try noteWhoSees(sharer) }
        return own
    }
}

extension FriendRow {
    fileprivate func shown(_ friend: Person) -> FriendResult.Friend {
        (
            friend.name, isMutual ? friend.displayName : nil,
            isMutual ? friend.profile.avatar : nil, addedAt, sharedSince, visibleSince
        )
    }
}

extension JSONWriter {
    /// Writes a user who shares with the person, or whom the person has blocked.
    fileprivate mutating func acquaintance(_ user: Person, _ at: Timestamp, isVisible: Bool) {
        object { json in
            json.person(user, withName: isVisible)
            json.key(isVisible ? "visibleSince" : "blockedAt")
            json.time(at)
        }
    }

    mutating func person(_ person: Person, withName: Bool) {
        key("user")
        string(person.name.text)
        guard withName else { return }
        key("name")
        string(person.displayName)
    }
}

import Contract
import JSON
import Store
import Tracking

extension Friends {
    /// Returns who currently sees the person's position, why, and since when: friends by their
    /// names, then the members of each group that sees it.
    func listWatchers(of person: Person, from cursor: WatcherCursor?) throws -> [UInt8] {
        var page = ListPage()
        switch cursor {
        case nil:
            // Links, services and friends see nothing during a pause; groups that see nothing are
            // skipped below.
            if person.tracker.pausedUntil != nil {
                try addMembers(of: person, from: first, after: nobody, to: &page)
                break
            }
            for link in areas.shareLinks.links(of: person) { page.add { $0.watcher(link) } }
            for (service, since) in areas.services.watching(person) {
                page.add { $0.watcher(service, since) }
            }
            try addFriends(of: person, after: "", to: &page)
        case .friends(let name)?: try addFriends(of: person, after: name.text, to: &page)
        case .group(let group, let user)?:
            try addMembers(of: person, from: group, after: user, to: &page)
        }
        return page.result("watchers")
    }

    private func addFriends(of person: Person, after name: String, to page: inout ListPage) throws {
        let rows = try transaction.friends(of: person.id, after: name, atMost: ListPage.rows)
        for row in rows {
            guard let friend = memory.people[row.friend] else { continue }
            if let since = row.sharedSince {
                page.add { $0.watcher(friend, since, .friend(isMutual: row.isMutual)) }
            }
            page.next = WatcherCursor.friends(after: friend.name).text
            guard page.hasRoom else { return }
        }
        guard rows.count < ListPage.rows else { return }
        try addMembers(of: person, from: first, after: nobody, to: &page)
    }

    private var first: GroupID { GroupID(rawValue: 0) }
    private var nobody: UserID { UserID(rawValue: 0) }

    private func addMembers(
        of person: Person, from first: GroupID, after user: UserID, to page: inout ListPage
    ) throws {
        page.next = nil
        // In ascending order of their groups.
        for session in person.tracker.sessions where session.group >= first {
            guard let sharedSince = session.sharedSince, let group = memory.groups[session.group]
            else { continue }
            var last = session.group == first ? user : UserID(rawValue: 0)
            while true {
                let rows = try transaction.members(of: group.id, after: last, atMost: ListPage.rows)
                for row in rows {
                    guard page.hasRoom else {
                        return page.next = WatcherCursor.group(group.id, after: last).text
                    }
                    last = row.user
                    guard let member = memory.people[row.user], member !== person else { continue }
                    page.add { $0.watcher(member, max(sharedSince, row.at), .group(group)) }
                }
                guard rows.count == ListPage.rows else { break }
            }
            guard page.hasRoom || group.observers.isEmpty else {
                return page.next = WatcherCursor.group(group.id, after: last).text
            }
            for observer in group.shownObservers {
                page.add { $0.watcher(observer, max(sharedSince, observer.since), group) }
            }
        }
    }

    /// Reminds a person who has been sharing for a long time that they do.
    func remind(_ person: Person, since: Timestamp) throws {
        let groups = person.memberships.map(\.group).filter {
            person.tracker.session(in: $0.id)?.state.isShared == true
        }
        let friends = try transaction.countShares(of: person.id)
        try areas.notices.add(
            .sharingReminder(since: since, groups: groups.map(\.key), friends: friends),
            for: person)
    }
}

/// The reason why a user sees a person's position.
private enum Reason {
    case friend(isMutual: Bool)
    case group(Group)
}

extension JSONWriter {
    /// Writes a share link.
    fileprivate mutating func watcher(_ link: ShareLinkRow) {
        object { json in
            json.key("why")
            json.string("link")
            json.key("share")
            json.string(link.id.description)
            json.key("since")
            json.time(link.at)
        }
    }

    /// Writes a company's service.
    fileprivate mutating func watcher(_ service: ServiceDescription, _ since: Timestamp) {
        object { json in
            json.key("why")
            json.string("service")
            json.key("service")
            json.string(service.service.text)
            json.key("name")
            json.string(service.title)
            json.key("company")
            json.string(service.company)
            json.key("since")
            json.time(since)
        }
    }

    /// Writes a group's observer.
    fileprivate mutating func watcher(_ observer: Observer, _ since: Timestamp, _ group: Group) {
        object { json in
            json.key("why")
            json.string("observer")
            json.key("observer")
            json.string(observer.id.description)
            json.key("name")
            json.string(observer.name)
            json.key("by")
            json.string(observer.by.text)
            json.key("group")
            json.string(group.key.text)
            json.key("groupName")
            json.string(group.name)
            json.key("since")
            json.time(since)
        }
    }

    fileprivate mutating func watcher(_ watcher: Person, _ since: Timestamp, _ reason: Reason) {
        object { json in
            switch reason {
            case .friend(let isMutual):
                json.person(watcher, withName: isMutual)
                json.key("why")
                json.string("friend")
            case .group(let group):
                json.person(watcher, withName: true)
                json.key("why")
                json.string("group")
                json.key("group")
                json.string(group.key.text)
                json.key("groupName")
                json.string(group.name)
            }
            json.key("since")
            json.time(since)
        }
    }
}

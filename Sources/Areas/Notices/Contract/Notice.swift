internal import JSON
public import Tracking

/// A message to a single user about something that concerns them (contract, section 5).
public struct Notice: Hashable, Sendable {
    /// A person as named when the notice was written.
    public struct Person: Hashable, Sendable {
        public let user: Name
        public let name: String

        public init(user: Name, name: String) {
            self.user = user
            self.name = name
        }
    }

    public let id: UUIDv7
    public let news: News
    /// The person whom it is about, if not only the reader: the user added to the group, the
    /// inviter, the user who shares their position.
    public let about: Person?
    /// The person who caused it; nil for the operator, or a deleted account.
    public let by: Name?

    public init(id: UUIDv7, _ news: News, about: Person? = nil, by: Name? = nil) {
        self.id = id
        self.news = news
        self.about = about
        self.by = by
    }

    /// - `isSeen`: whether the user has seen it; nil to omit that.
    public static let payload = Payload<(notice: Notice, isSeen: Bool?)>(
        "Notice",
        .init("id", .uuid) { $0.notice.id },
        .init("kind", .text) { $0.notice.news.kind.name },
        .init("at", .time) { $0.notice.id.time },
        .init("user", .name) { $0.notice.about?.user },
        .others { $0.notice.writeName(to: &$1) },
        .init("by", .name) { $0.notice.by },
        .others { $0.notice.news.write(to: &$1) },
        .init("seen", .boolean) { $0.isSeen })

    private func writeName(to json: inout JSONWriter) {
        guard !news.kind.isTerse else { return }
        json.member(news.kind.namesGroup ? "userName" : "name", about?.name)
    }

    /// The payload as published.
    public var payload: [UInt8] { Notice.payload.bytes(of: (self, isSeen: nil)) }
}

extension Notice {
    /// The content of a notice, without the people in it. Areas create it:
    /// `Notice.News.friendAdded`.
    public struct News: Hashable, Sendable {
        public let kind: NoticeKind
        /// The values of the kind's members, in their order.
        private let values: [JSONValue?]

        /// - Parameter values: keyed by the names of the kind's members; nil if absent.
        init(_ kind: NoticeKind, _ values: [String: JSONValue?] = [:]) {
            (self.kind, self.values) = (kind, kind.members.map { values[$0.name] ?? nil })
        }

        /// Reads what ``stored`` wrote; nil if it is damaged.
        ///
        /// - Parameter filed: the name under which its kind is filed.
        public init?(filed: String, _ stored: [UInt8]) {
            guard let kind = NoticeKind.byFiledName[filed],
                let object = JSONValue(parsing: stored, isOurs: true)
            else { return nil }
            var values: [JSONValue?] = []
            for member in kind.members {
                guard let value = member.read(object[member.name]) else { return nil }
                values.append(value)
            }
            (self.kind, self.values) = (kind, values)
        }

        public static func == (left: News, right: News) -> Bool {
            left.kind === right.kind && left.values == right.values
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(kind.filed)
            hasher.combine(values)
        }

        subscript(_ member: String) -> JSONValue? {
            kind.members.firstIndex { $0.name == member }.flatMap { values[$0] }
        }

        /// Returns a member's text.
        public func text(_ member: String) -> String? { self[member]?.text }

        func write(to json: inout JSONWriter, withHidden: Bool = false) {
            json.members(
                zip(kind.members, values).compactMap { member, value in
                    guard let value, withHidden || !member.isHidden else { return nil }
                    return .init(key: member.name, value: value)
                })
        }

        /// The stored form, an object for ``init(filed:_:)``.
        public var stored: [UInt8] {
            JSONWriter.object { json in write(to: &json, withHidden: true) }
        }
    }
}

extension Notice.News {
    /// Returns until when it is sent on all channels, at any time; nil if it is not urgent.
    public func isUrgent(until usual: Timestamp) -> Timestamp? {
        switch kind.urgency {
        case .never: nil
        case .usual: usual
        case .until(let member): self[member]?.time
        case .from(let member, let flag):
            self[flag] == .bool(true) ? self[member]?.time.map { max($0, usual) } : nil
        }
    }

    /// The thing, besides people, that it is about, if someone may do it repeatedly: of unseen
    /// notices of a kind by one person about one thing, only the newest is kept. Nil to keep each.
    public var thing: String? {
        switch kind.latest {
        case .each: nil
        case .ofPerson: ""
        case .of(let member): text(member)
        }
    }

    /// The limit that defers what one person causes to be sent to another.
    public enum Pace: Hashable, Sendable {
        /// There are few, however often someone acts.
        case unlimited
        /// Each kind on its own, so that it cannot be silenced by another kind.
        case kind(String)
        /// Sent at any time of day, and so only a few times a day.
        case rare
        /// The newest about one thing is sent to channels, if not immediately, then a little later.
        case latest(String)
        case others
    }

    public var pace: Pace {
        switch kind.pace {
        case .unlimited: .unlimited
        case .kind: .kind(kind.name)
        case .rare: .rare
        case .latest(let member): .latest(text(member) ?? "")
        case .others: .others
        }
    }

    /// Notices that share a limit: a new one replaces the oldest of the person who caused most of
    /// them.
    public enum Share: CaseIterable, Sendable {
        case logins
        /// Access to the account, and channels.
        case account
        /// The monitoring of the user's vital signs.
        case monitoring
        /// Results of the user's own rules about missing people.
        case missed
        /// Places that rules depend on.
        case places
        case others

        /// The names under which its kinds are filed; nil for all kinds of no other share.
        public var kinds: [String]? {
            self == .others ? nil : NoticeKind.byShare[self]?.map(\.filed)
        }
    }

    /// Returns whether a kind's notices are about the account itself: logins and access to it.
    public static func isAboutAccount(_ kind: String) -> Bool {
        NoticeKind.byFiledName[kind].map { [.logins, .account].contains($0.share) } ?? false
    }
}

/// The number of unseen items; retained on the user's `unread` topic.
public struct UnreadMessage: Hashable, Sendable {
    public var notices: Int
    /// Alerts about others in all groups, followed by other members' messages.
    public var alerts: Int
    public var chat: Int

    public init(notices: Int = 0, alerts: Int = 0, chat: Int = 0) {
        (self.notices, self.alerts, self.chat) = (notices, alerts, chat)
    }

    public var isEmpty: Bool { self == UnreadMessage() }

    /// Empty if there are none, so that nothing is retained.
    public var payload: [UInt8] { isEmpty ? [] : UnreadMessage.payload.bytes(of: self) }

    static let payload = Payload<UnreadMessage>(
        .init("notices", .count) { $0.notices },
        .init("alerts", .count) { $0.alerts },
        .init("chat", .count) { $0.chat })
}

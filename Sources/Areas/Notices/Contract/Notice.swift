internal import JSON
public import Tracking

/// News for one user about something that concerns them (contract, section 5).
public struct Notice: Hashable, Sendable {
    /// Somebody as the notice names them, when it was written.
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
    /// Whom it is about, if it is not the user alone: who was added to the group, who invites to it,
    /// who shows the user their position.
    public let about: Person?
    /// The person who did it; nil: the operator, or somebody whose account has been deleted.
    public let by: Name?

    public init(id: UUIDv7, _ news: News, about: Person? = nil, by: Name? = nil) {
        self.id = id
        self.news = news
        self.about = about
        self.by = by
    }

    /// As published.
    public var payload: [UInt8] { payload(isSeen: nil) }

    /// - Parameter isSeen: whether the user has seen it, where that is said.
    public func payload(isSeen: Bool?) -> [UInt8] {
        JSONWriter.object { json in
            json.key("id")
            json.string(id.description)
            json.key("kind")
            json.string(news.kind.name)
            json.key("at")
            json.time(id.time)
            if let about {
                json.key("user")
                json.string(about.user.text)
                if !news.kind.isTerse {
                    json.key(news.kind.namesGroup ? "userName" : "name")
                    json.string(about.name)
                }
            }
            if let by {
                json.key("by")
                json.string(by.text)
            }
            news.write(to: &json)
            if let isSeen {
                json.key("seen")
                json.bool(isSeen)
            }
        }
    }
}

extension Notice {
    /// What it is about, without the people in it. Areas make it: `Notice.News.friendAdded`.
    public struct News: Hashable, Sendable {
        public let kind: NoticeKind
        /// Of the kind's members, in their order.
        private let values: [JSONValue?]

        /// - Parameter values: by the names of the kind's members; nil: not there.
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

        /// The text of a member.
        public func text(_ member: String) -> String? { self[member]?.text }

        func write(to json: inout JSONWriter, withHidden: Bool = false) {
            json.members(
                zip(kind.members, values).compactMap { member, value in
                    guard let value, withHidden || !member.isHidden else { return nil }
                    return .init(key: member.name, value: value)
                })
        }

        /// As an object, to be read by ``init(filed:_:)``.
        public var stored: [UInt8] {
            JSONWriter.object { json in write(to: &json, withHidden: true) }
        }
    }
}

extension Notice.News {
    /// Until when it is told on all channels, at any time; nil if it is no matter of life and death.
    public func isUrgent(until usual: Timestamp) -> Timestamp? {
        switch kind.urgency {
        case .never: nil
        case .usual: usual
        case .until(let member): self[member]?.time
        case .from(let member, let flag):
            self[flag] == .bool(true) ? self[member]?.time.map { max($0, usual) } : nil
        }
    }

    /// What it is about besides people, where somebody may do it again and again: of notices of a kind
    /// by one person about one thing that were not seen, the newest is kept. Nil: each is kept.
    public var thing: String? {
        switch kind.latest {
        case .each: nil
        case .ofPerson: ""
        case .of(let member): text(member)
        }
    }

    /// What one person causes may keep from being sent to another at once.
    public enum Pace: Hashable, Sendable {
        /// Few follow from what somebody does, however often they do it.
        case unlimited
        /// Each kind for itself: what must not be silenced by noise of another kind.
        case kind(String)
        /// At any time of day, and so a few times a day.
        case rare
        /// The newest of one thing is sent to channels, if not at once, then a little later.
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

    /// Which notices share a bound: the oldest of whoever caused most of them make room for a new one.
    public enum Share: CaseIterable, Sendable {
        case logins
        /// How one gets into the account, and by what one is reached.
        case account
        /// What came of the user's vital signs.
        case monitoring
        /// What one's own rules about places are there for.
        case missed
        /// Places on which rules depend.
        case places
        case others

        /// The names under which those in it are filed; nil: all that are in no other.
        public var kinds: [String]? {
            self == .others ? nil : NoticeKind.byShare[self]?.map(\.filed)
        }
    }

    /// Whether notices of this kind are about the account itself: logins, and how one gets in.
    public static func isAboutAccount(_ kind: String) -> Bool {
        NoticeKind.byFiledName[kind].map { [.logins, .account].contains($0.share) } ?? false
    }
}

/// How much the user has not seen; retained on the user's `unread` topic.
public struct UnreadMessage: Hashable, Sendable {
    public var notices: Int
    /// Alerts about others, and messages of others, in all groups.
    public var alerts: Int
    public var chat: Int

    public init(notices: Int = 0, alerts: Int = 0, chat: Int = 0) {
        (self.notices, self.alerts, self.chat) = (notices, alerts, chat)
    }

    public var isEmpty: Bool { self == UnreadMessage() }

    /// Empty if there is nothing: then nothing is retained.
    public var payload: [UInt8] { isEmpty ? [] : json }

    /// `{notices,alerts,chat}`
    public var json: [UInt8] {
        JSONWriter.object { json in
            json.key("notices")
            json.number(notices)
            json.key("alerts")
            json.number(alerts)
            json.key("chat")
            json.number(chat)
        }
    }
}

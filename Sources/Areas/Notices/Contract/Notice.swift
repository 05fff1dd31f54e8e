internal import JSON
public import Tracking

/// News for one user about something that concerns them (contract, section 5).
public struct Notice: Hashable, Sendable {
    /// What it is about, without the people in it.
    public enum News: Hashable, Sendable {
        case addedToGroup(GroupKey, name: String)
        /// - `endsJourney`: whether a journey of the user ended, because no other group followed it.
        case removedFromGroup(GroupKey, name: String, endsJourney: Bool)
        /// A program sees what the group sees.
        case observerAdded(GroupKey, name: String, UUIDv7, label: String)
        /// Somebody else has ended a program of the user's, which saw what the group sees.
        case observerEnded(GroupKey, name: String, UUIDv7, label: String)
        /// Somebody invites the user to a group.
        case invitedToGroup(UUIDv7, name: String)
        case friendAdded
        case locationShared
        /// The user has been sharing for a long time without doing anything about it.
        ///
        /// - `since`: when the user last made a request, began to share, or was reminded.
        /// - `groups`: those that see the user's position.
        /// - `friends`: the number of friends who see it.
        case sharingReminder(since: Timestamp, groups: [GroupKey], friends: Int)
        /// The time for which the user shared their position with a group is over.
        case sharingEnded(GroupKey, name: String)
        /// Somebody has logged in as the user.
        case newLogin(device: Name)
        /// The clock of a device is wrong.
        ///
        /// - `ahead`: by how much, and that it is corrected; negative: slow. Nil: what the device
        ///   measures is refused.
        case clockWrong(device: Name, ahead: Duration?)
        /// A call for help that was made before the user ended the SOS came after that.
        case callOver
        /// A device was logged out by the service.
        case loggedOut(device: Name, Ending)
        case passwordChanged
        /// Somebody has asked for a link that sets a password, and it is sent to the user's address.
        case passwordForgotten
        case emailChanged
        case secondFactor(isOn: Bool)
        /// A passkey lets in from now on, or no longer.
        case passkey(label: String, isAdded: Bool)
        /// An address or a webhook is told news from now on, or no longer.
        case channel(label: String, isAdded: Bool)
        /// A browser has no subscription any more, so nothing can be sent to it.
        case channelLost(label: String)
        /// A service asks for the user's data.
        case consentRequested(UUIDv7, service: Name, name: String)
        /// Somebody else has said that the number in the user's health profile is theirs.
        case numberClaimed
        /// A service has the user's data from now on.
        case serviceAdded(service: Name, name: String)
        /// A service that had the user's data is gone, with what it could read.
        case serviceEnded(service: Name, name: String, company: String)
        /// For a service: a user has deleted what it may have of a stretch of time; nil: from the
        /// beginning, to the end.
        case dataDeleted(SharedData, from: Timestamp?, to: Timestamp?)
        /// For a service: a user's vital signs are deleted, and not stored any more.
        case vitalsEnded
        /// For a service: what a user has decided.
        ///
        /// - `streams`: whether it may receive what comes as well.
        case consentGiven(streams: Bool)
        case consentRefused
        case consentRevoked
        /// The user's vital signs are unusual, and help is called unless they say that they are fine.
        ///
        /// - `reasons`: as in an incident; none in a notice of an earlier Kith.
        case areYouAllRight(until: Timestamp, reasons: [String])
        /// The vital signs are as usual again: nobody was called.
        case questionOver
        /// Help is called for the user.
        case helpCalled
        /// What dispatch says to that, and who says so.
        case help(HelpNews, by: String?)
        /// None of the vital signs that are watched have come since.
        case vitalsSilent(since: Timestamp)
        case vitalsBack
        /// The user's vital signs are watched from now on, otherwise or no longer.
        case monitoring(MonitoringChange)
        /// A run in which the user takes part will not take place.
        case runCancelled(run: Name, name: String)
        /// Its start, its place or its course are others.
        case runChanged(run: Name, name: String)
        case runStarting(run: Name, name: String, at: Timestamp)
        /// The user wanted to be reminded of that at a place, then.
        case reminder(UUIDv7, place: PlaceID, name: String, text: String, at: Timestamp)
        /// Somebody has arrived at a place, or left it.
        case placeCrossed(UUIDv7, name: String, GeofencePresence.Crossing, at: Timestamp)
        /// Somebody is not at a place where they should be by then.
        ///
        /// - `isKnown`: whether it is known where they are.
        /// - `isOwn`: whether a rule of the reader says so.
        case placeMissed(UUIDv7, name: String, at: Timestamp, isKnown: Bool, isOwn: Bool)
        /// Something has become of a rule about a place.
        case placeRule(UUIDv7, place: String, RuleChange)
        /// A place on which rules of the user, or rules that notify the user, depend has been changed.
        case placeChanged(PlaceChange)
        /// The user has no other member left in any group, so that a call for help would reach nobody.
        ///
        /// - `but`: whether whoever removed the others, who is named, is still there.
        case nobodyLeft(but: Bool)
        /// Somebody has answered the user's call for help.
        case helper(HelperNews, alert: UUIDv7)
        /// The vital signs are not watched in that time.
        ///
        /// - `isLast`: whether it begins within the hour.
        /// - `isLate`: whether it was announced later than it should have been.
        /// - `isMoved`: whether another time was announced before.
        case maintenance(
            from: Timestamp, to: Timestamp, text: String, isLast: Bool, isLate: Bool, isMoved: Bool)
        /// An announced maintenance does not take place.
        case maintenanceCancelled(from: Timestamp, to: Timestamp)
    }

    /// How a place differs from the one that the reader knows.
    public struct PlaceChange: Hashable, Sendable {
        public let geofence: UUIDv7
        public let name: String
        public let was: String
        /// Between the centres.
        public let metres: Int
        /// Metres.
        public let radius: Int
        public let radiusWas: Int
        /// Where the centre was when the reader last saw it; in no message, and not known of one from an
        /// earlier Kith.
        public let centreWas: Coordinate?
        /// A rule of the reader that waits until they confirm the place.
        public var rule: UUIDv7?

        public init(
            _ geofence: UUIDv7, name: String, was: String, metres: Int, radius: Int,
            radiusWas: Int, centreWas: Coordinate?, rule: UUIDv7?
        ) {
            (self.geofence, self.name, self.was, self.metres) = (geofence, name, was, metres)
            (self.radius, self.radiusWas) = (radius, radiusWas)
            (self.centreWas, self.rule) = (centreWas, rule)
        }
    }

    public enum RuleChange: String, Hashable, Sendable {
        /// Somebody wants to be told of the user there: does the user agree?
        case asked = "place-rule-asked"
        /// Whom the user asked agrees, or does not, or no longer.
        case agreed = "place-rule-agreed"
        case refused = "place-rule-refused"
        /// The rule by which the user was told is gone.
        case ended = "place-rule-ended"
    }

    /// What whoever was called says.
    public enum HelperNews: String, Hashable, Sendable, CaseIterable {
        case coming = "helper-coming"
        case notComing = "helper-not-coming"
        /// They have called the emergency number.
        case called = "helper-called"
    }

    public enum HelpNews: String, Hashable, Sendable, CaseIterable {
        case acknowledged = "help-acknowledged"
        case closed = "help-closed"
        /// Nobody has answered, by any way.
        case unanswered = "help-unanswered"
        /// The user has said that they need none any more: on a stolen phone another may have.
        case calledOff = "help-called-off"
    }

    public enum MonitoringChange: String, Hashable, Sendable {
        case began = "monitoring-started"
        case changed = "monitoring-changed"
        case ended = "monitoring-ended"
    }

    /// Why the service has logged a device out.
    public enum Ending: String, Hashable, Sendable {
        /// It was not used for long.
        case unused
        /// Another one has logged in, and so many may be.
        case room
        /// Their organisation's directory does not know them any more.
        case left
        /// The organisation could not be asked about them for long.
        case unconfirmed
    }

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
            json.string(news.kind)
            json.key("at")
            json.time(id.time)
            if let about {
                json.key("user")
                json.string(about.user.text)
                // Who refuses a service tells it nothing more about themselves.
                if news != .consentRefused {
                    json.key(news.namesGroup ? "userName" : "name")
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

extension Notice.News {
    public static let observerAddedKind = "observer-added"
    public static let invitedToGroupKind = "invited-to-group"

    /// Whether whoever did it is told like everybody else: with a stolen phone somebody else did it, and
    /// its owner has to learn what stays when that phone is logged out.
    public var isToldToDoer: Bool { if case .observerAdded = self { true } else { false } }

    public var kind: String {
        switch self {
        case .addedToGroup: "added-to-group"
        case .removedFromGroup: "removed-from-group"
        case .observerAdded: Notice.News.observerAddedKind
        case .observerEnded: "observer-ended"
        case .invitedToGroup: Notice.News.invitedToGroupKind
        case .friendAdded: "friend-added"
        case .locationShared: "location-shared"
        case .sharingReminder: "sharing-reminder"
        case .sharingEnded: "sharing-ended"
        case .newLogin: "new-login"
        case .clockWrong: "clock-wrong"
        case .callOver: "call-over"
        case .loggedOut: "logged-out"
        case .passwordChanged: "password-changed"
        case .passwordForgotten: "password-forgotten"
        case .emailChanged: "email-changed"
        case .secondFactor(let isOn): isOn ? "second-factor-on" : "second-factor-off"
        case .passkey(_, let isAdded): isAdded ? "passkey-added" : "passkey-removed"
        case .channel(_, let isAdded): isAdded ? "channel-added" : "channel-removed"
        case .channelLost: "channel-lost"
        case .consentRequested: "consent-requested"
        case .numberClaimed: "number-claimed"
        case .serviceAdded: "service-added"
        case .serviceEnded: "service-ended"
        case .dataDeleted: "data-deleted"
        case .vitalsEnded: "vitals-ended"
        case .consentGiven: "consent-given"
        case .consentRefused: "consent-refused"
        case .consentRevoked: "consent-revoked"
        case .areYouAllRight: "are-you-all-right"
        case .questionOver: "question-over"
        case .helpCalled: "help-called"
        case .help(let news, _): news.rawValue
        case .vitalsSilent: "vitals-silent"
        case .vitalsBack: "vitals-back"
        case .maintenance: "maintenance"
        case .maintenanceCancelled: "maintenance-cancelled"
        case .runCancelled: "run-cancelled"
        case .runChanged: "run-changed"
        case .runStarting: "run-starting"
        case .reminder: "reminder"
        case .placeCrossed(_, _, .arrived, _): "place-arrived"
        case .placeCrossed(_, _, .left, _): "place-left"
        case .placeMissed: "place-missed"
        case .placeRule(_, _, let change): change.rawValue
        case .placeChanged: "place-changed"
        case .nobodyLeft: "nobody-left"
        case .monitoring(let change): change.rawValue
        case .helper(let news, _): news.rawValue
        }
    }

    /// Until when it is told on all channels, at any time; nil if it is no matter of life and death.
    public func isUrgent(until usual: Timestamp) -> Timestamp? {
        switch self {
        case .areYouAllRight(let deadline, _): deadline
        case .help(.calledOff, _): nil
        case .helpCalled, .help, .helper, .callOver, .nobodyLeft: usual
        case .maintenance(let from, _, _, isLast: true, _, _): max(from, usual)
        default: nil
        }
    }

    /// What it is about besides people, where somebody may do it again and again: of notices of a kind
    /// by one person about one thing that were not seen, the newest is kept. Nil: each is kept.
    public var thing: String? {
        switch self {
        case .addedToGroup(let group, _), .removedFromGroup(let group, _, _): group.text
        case .friendAdded, .locationShared, .consentGiven, .consentRefused, .consentRevoked,
            .nobodyLeft, .numberClaimed:
            ""
        case .consentRequested(_, let service, _), .serviceAdded(let service, _),
            .serviceEnded(let service, _, _):
            service.text
        case .runCancelled(let run, _), .runChanged(let run, _), .runStarting(let run, _, _):
            run.text
        // A rule that has ended is made again under another identifier.
        case .placeRule(_, let place, .ended): place
        case .placeRule(let rule, _, _): rule.description
        case .placeChanged(let change): change.geofence.description
        // What one's own rule misses is never replaced.
        case .placeMissed(let place, _, _, _, isOwn: false): place.description
        case .helper(_, let alert): alert.description
        default: nil
        }
    }

    /// The kinds of what it replaces: of answers to a rule the newest counts, whichever it is.
    public var replaced: [String] {
        switch self {
        case .placeRule(_, _, .agreed), .placeRule(_, _, .refused):
            [Notice.RuleChange.agreed, .refused].map(\.rawValue)
        default: [filed]
        }
    }

    /// The kind under which it is kept. What rules of others miss has no place among what one's own do.
    public var filed: String {
        if case .placeMissed(_, _, _, _, isOwn: false) = self {
            Notice.News.othersMissed
        } else {
            kind
        }
    }

    static let othersMissed = "place-missed-by-others"

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
        switch self {
        case .placeMissed(_, _, _, _, isOwn: true), .areYouAllRight, .helpCalled, .help,
            .helper, .callOver, .maintenance, .maintenanceCancelled:
            .unlimited
        case .placeRule(let rule, _, .agreed), .placeRule(let rule, _, .refused):
            .latest(rule.description)
        case .placeCrossed, .placeMissed, .placeChanged, .placeRule, .removedFromGroup,
            .observerAdded:
            .kind(kind)
        case .nobodyLeft: .rare
        default: .others
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

        /// The kinds in it; nil: all that are in no other.
        public var kinds: [String]? {
            switch self {
            case .logins: ["new-login", "logged-out"]
            case .account:
                [
                    "password-changed", "password-forgotten", "email-changed", "second-factor-on",
                    "second-factor-off", "passkey-added", "passkey-removed", "channel-added",
                    "channel-removed", "channel-lost", "number-claimed", "service-added",
                    "service-ended",
                    "monitoring-started", "monitoring-changed", "monitoring-ended",
                ]
            case .monitoring:
                [
                    "are-you-all-right", "question-over", "help-called", "vitals-silent",
                    "vitals-back",
                ] + Notice.HelpNews.allCases.map(\.rawValue)
            case .missed: ["place-missed"]
            case .places: ["place-changed"]
            case .others: nil
            }
        }
    }

    /// Whether notices of this kind are about the account itself: logins, and how one gets in.
    public static func isAboutAccount(_ kind: String) -> Bool {
        [Share.logins, .account].contains { $0.kinds?.contains(kind) == true }
    }

    public var share: Share {
        Share.allCases.first { $0.kinds?.contains(filed) == true } ?? .others
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

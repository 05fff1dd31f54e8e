internal import JSON
internal import Tracking

/// What a notice says besides its kind.
extension Notice.News {
    /// Whether `name` is a group's name.
    var namesGroup: Bool {
        switch self {
        case .addedToGroup, .removedFromGroup, .invitedToGroup, .sharingEnded, .observerAdded,
            .observerEnded:
            true
        case .friendAdded, .locationShared, .sharingReminder, .newLogin, .loggedOut,
            .channel, .channelLost, .passwordChanged, .passwordForgotten, .emailChanged,
            .secondFactor, .passkey, .consentRequested, .numberClaimed, .serviceAdded,
            .serviceEnded,
            .dataDeleted, .vitalsEnded,
            .consentGiven,
            .consentRefused, .consentRevoked, .areYouAllRight, .questionOver, .helpCalled, .help,
            .vitalsSilent, .vitalsBack, .maintenance, .maintenanceCancelled, .monitoring,
            .runCancelled,
            .runChanged, .runStarting, .reminder, .placeCrossed, .placeMissed, .placeRule,
            .helper, .clockWrong, .callOver, .placeChanged, .nobodyLeft:
            false
        }
    }

    func write(to json: inout JSONWriter) {
        switch self {
        case .addedToGroup(let group, let name), .sharingEnded(let group, let name):
            json.members(of: group, name)
        case .removedFromGroup(let group, let name, let endsJourney):
            json.members(of: group, name)
            if endsJourney {
                json.key("endsJourney")
                json.bool(true)
            }
        case .observerAdded(let group, let name, let observer, let label),
            .observerEnded(let group, let name, let observer, let label):
            json.members(of: group, name)
            json.member("observer", observer.description)
            json.member("label", label)
        case .invitedToGroup(let id, let name):
            json.key("invitation")
            json.string(id.description)
            json.key("name")
            json.string(name)
        case .serviceEnded(let service, let name, let company):
            json.member("service", service.text)
            json.member("name", name)
            json.member("company", company)
        case .dataDeleted(let data, let from, let to):
            json.key("data")
            json.array(data.names) { $0.string($1) }
            if let from { json.member("from", from) }
            if let to { json.member("to", to) }
        case .friendAdded, .locationShared, .passwordChanged, .passwordForgotten, .emailChanged,
            .vitalsEnded, .secondFactor, .numberClaimed, .consentRefused, .consentRevoked,
            .questionOver,
            .helpCalled, .vitalsBack, .monitoring, .callOver:
            break
        case .help(_, let dispatcher): json.member("dispatcher", dispatcher)
        case .consentGiven(let streams): json.flag("stream", streams)
        case .nobodyLeft(let isRemoverThere): json.flag("but", isRemoverThere)
        case .clockWrong(let device, let ahead):
            json.member("device", device.text)
            if let ahead {
                json.key("ahead")
                json.number(ahead.milliseconds / 1000)
            }
        case .areYouAllRight(let deadline, let reasons):
            json.key("until")
            json.time(deadline)
            guard !reasons.isEmpty else { return }
            json.key("reasons")
            json.array(reasons) { $0.string($1) }
        case .vitalsSilent(let since):
            json.key("since")
            json.time(since)
        case .runCancelled(let run, let name), .runChanged(let run, let name):
            json.key("run")
            json.string(run.text)
            json.key("name")
            json.string(name)
        case .runStarting(let run, let name, let start):
            json.key("run")
            json.string(run.text)
            json.key("name")
            json.string(name)
            json.key("startsAt")
            json.time(start)
        case .reminder(let id, let place, let name, let text, let at):
            json.member("reminder", id.description)
            json.member("place", place.text)
            json.member("placeName", name)
            json.member("text", text)
            json.member("dueAt", at)
        case .placeCrossed(let fence, let name, _, let at):
            json.member("geofence", fence.description)
            json.member("placeName", name)
            json.member("crossedAt", at)
        case .placeMissed(let fence, let name, let at, let isKnown, _):
            json.member("geofence", fence.description)
            json.member("placeName", name)
            json.member("dueAt", at)
            json.key("known")
            json.bool(isKnown)
        case .helper(_, let alert): json.member("alert", alert.description)
        case .placeRule(let rule, let place, _):
            json.member("rule", rule.description)
            json.member("placeName", place)
        case .placeChanged(let change):
            json.member("geofence", change.geofence.description)
            json.member("placeName", change.name)
            json.member("was", change.was)
            json.member("metres", change.metres)
            json.member("radius", change.radius)
            json.member("radiusWas", change.radiusWas)
            json.member("rule", change.rule?.description)
        case .maintenanceCancelled(let from, let to):
            json.member("from", from)
            json.member("to", to)
        case .maintenance(let from, let to, let text, let isLast, let isLate, let isMoved):
            json.key("from")
            json.time(from)
            json.key("to")
            json.time(to)
            json.key("text")
            json.string(text)
            json.key("last")
            json.bool(isLast)
            json.key("late")
            json.bool(isLate)
            json.flag("moved", isMoved)
        case .consentRequested(let request, let service, let name):
            json.key("request")
            json.string(request.description)
            json.members(of: service, name)
        case .serviceAdded(let service, let name): json.members(of: service, name)
        case .newLogin(let device):
            json.key("device")
            json.string(device.text)
        case .loggedOut(let device, let why):
            json.key("device")
            json.string(device.text)
            json.key("why")
            json.string(why.rawValue)
        case .sharingReminder(let since, let groups, let friends):
            json.key("since")
            json.time(since)
            json.key("groups")
            json.array(groups) { $0.string($1.text) }
            json.key("friends")
            json.number(friends)
        case .channelLost(let label), .channel(let label, _), .passkey(let label, _):
            json.key("label")
            json.string(label)
        }
    }

    /// As an object, to be read by ``init(kind:_:)``.
    public var stored: [UInt8] {
        JSONWriter.object { json in
            write(to: &json)
            guard case .placeChanged(let change) = self, let centre = change.centreWas else {
                return
            }
            json.member("latitudeWasE7", Int(centre.latitudeE7))
            json.member("longitudeWasE7", Int(centre.longitudeE7))
        }
    }

    /// Reads what ``stored`` wrote; nil if it is damaged.
    ///
    /// - Parameter kind: ``filed``.
    public init?(kind: String, _ stored: [UInt8]) {
        guard let value = JSONValue(parsing: stored, isOurs: true) else { return nil }
        func text(_ key: String) -> String? {
            if case .string(let text) = value[key] { text } else { nil }
        }
        switch kind {
        case "added-to-group", "removed-from-group":
            guard let group = text("group").flatMap({ GroupKey($0) }), let name = text("name")
            else { return nil }
            self =
                kind == "added-to-group"
                ? .addedToGroup(group, name: name)
                : .removedFromGroup(
                    group, name: name, endsJourney: value["endsJourney"] == .bool(true))
        case "invited-to-group":
            guard let id = text("invitation").flatMap({ UUIDv7($0) }), let name = text("name")
            else { return nil }
            self = .invitedToGroup(id, name: name)
        case "sharing-ended":
            guard let group = text("group").flatMap({ GroupKey($0) }), let name = text("name")
            else { return nil }
            self = .sharingEnded(group, name: name)
        case Notice.News.observerAddedKind, "observer-ended":
            guard let group = text("group").flatMap({ GroupKey($0) }), let name = text("name"),
                let observer = text("observer").flatMap({ UUIDv7($0) }), let label = text("label")
            else { return nil }
            self =
                kind == Notice.News.observerAddedKind
                ? .observerAdded(group, name: name, observer, label: label)
                : .observerEnded(group, name: name, observer, label: label)
        case "friend-added": self = .friendAdded
        case "location-shared": self = .locationShared
        case "sharing-reminder":
            guard let since = text("since").flatMap({ Timestamp(rfc3339: $0) }),
                case .array(let groups) = value["groups"], let friends = value["friends"]?.integer
            else { return nil }
            self = .sharingReminder(
                since: since,
                groups: groups.compactMap {
                    if case .string(let text) = $0 { GroupKey(text) } else { nil }
                },
                friends: Int(friends))
        case "new-login":
            guard let device = text("device").flatMap({ Name($0) }) else { return nil }
            self = .newLogin(device: device)
        case "clock-wrong":
            guard let device = text("device").flatMap({ Name($0) }) else { return nil }
            self = .clockWrong(
                device: device,
                ahead: value["ahead"]?.integer.map { .milliseconds($0 * 1000) })
        case "call-over": self = .callOver
        case "logged-out":
            guard let device = text("device").flatMap({ Name($0) }),
                let why = text("why").flatMap({ Notice.Ending(rawValue: $0) })
            else { return nil }
            self = .loggedOut(device: device, why)
        case "password-changed": self = .passwordChanged
        case "password-forgotten": self = .passwordForgotten
        case "email-changed": self = .emailChanged
        case "second-factor-on", "second-factor-off":
            self = .secondFactor(isOn: kind == "second-factor-on")
        case "passkey-added", "passkey-removed":
            guard let label = text("label") else { return nil }
            self = .passkey(label: label, isAdded: kind == "passkey-added")
        case "channel-added", "channel-removed":
            guard let label = text("label") else { return nil }
            self = .channel(label: label, isAdded: kind == "channel-added")
        case "consent-requested":
            guard let id = text("request").flatMap({ UUIDv7($0) }),
                let service = text("service").flatMap({ Name($0) }), let name = text("name")
            else { return nil }
            self = .consentRequested(id, service: service, name: name)
        case "service-added":
            guard let service = text("service").flatMap({ Name($0) }), let name = text("name")
            else { return nil }
            self = .serviceAdded(service: service, name: name)
        case "number-claimed": self = .numberClaimed
        case "consent-given": self = .consentGiven(streams: value["stream"] == .bool(true))
        case "service-ended":
            guard let service = text("service").flatMap({ Name($0) }), let name = text("name"),
                let company = text("company")
            else { return nil }
            self = .serviceEnded(service: service, name: name, company: company)
        case "data-deleted":
            guard let data = SharedData(names: value["data"]?.elements.compactMap(\.text) ?? [])
            else {
                return nil
            }
            self = .dataDeleted(
                data, from: text("from").flatMap { Timestamp(rfc3339: $0) },
                to: text("to").flatMap { Timestamp(rfc3339: $0) })
        case "vitals-ended": self = .vitalsEnded
        case "consent-refused": self = .consentRefused
        case "consent-revoked": self = .consentRevoked
        case "are-you-all-right":
            guard let deadline = text("until").flatMap({ Timestamp(rfc3339: $0) }) else {
                return nil
            }
            self = .areYouAllRight(
                until: deadline,
                reasons: value["reasons"]?.elements.compactMap {
                    if case .string(let text) = $0 { text } else { nil }
                } ?? [])
        case "question-over": self = .questionOver
        case "help-called": self = .helpCalled
        case "help-acknowledged", "help-closed", "help-unanswered", "help-called-off":
            guard let news = Notice.HelpNews(rawValue: kind) else { return nil }
            self = .help(news, by: text("dispatcher"))
        case "vitals-silent":
            guard let since = text("since").flatMap({ Timestamp(rfc3339: $0) }) else { return nil }
            self = .vitalsSilent(since: since)
        case "vitals-back": self = .vitalsBack
        case "run-cancelled", "run-changed":
            guard let run = text("run").flatMap({ Name($0) }), let name = text("name") else {
                return nil
            }
            self =
                kind == "run-changed"
                ? .runChanged(run: run, name: name) : .runCancelled(run: run, name: name)
        case "run-starting":
            guard let run = text("run").flatMap({ Name($0) }), let name = text("name"),
                let start = text("startsAt").flatMap({ Timestamp(rfc3339: $0) })
            else { return nil }
            self = .runStarting(run: run, name: name, at: start)
        case "maintenance":
            guard let from = text("from").flatMap({ Timestamp(rfc3339: $0) }),
                let to = text("to").flatMap({ Timestamp(rfc3339: $0) }), let words = text("text")
            else { return nil }
            self = .maintenance(
                from: from, to: to, text: words, isLast: value["last"] == .bool(true),
                isLate: value["late"] == .bool(true), isMoved: value["moved"] == .bool(true))
        case "maintenance-cancelled":
            guard let from = text("from").flatMap({ Timestamp(rfc3339: $0) }),
                let to = text("to").flatMap({ Timestamp(rfc3339: $0) })
            else { return nil }
            self = .maintenanceCancelled(from: from, to: to)
        case "reminder":
            guard let id = text("reminder").flatMap({ UUIDv7($0) }),
                let place = text("place").flatMap({ PlaceID($0) }), let name = text("placeName"),
                let words = text("text"), let at = text("dueAt").flatMap({ Timestamp(rfc3339: $0) })
            else { return nil }
            self = .reminder(id, place: place, name: name, text: words, at: at)
        case "place-arrived", "place-left":
            guard let fence = text("geofence").flatMap({ UUIDv7($0) }),
                let name = text("placeName"),
                let at = text("crossedAt").flatMap({ Timestamp(rfc3339: $0) })
            else { return nil }
            self = .placeCrossed(
                fence, name: name, kind == "place-left" ? .left : .arrived, at: at)
        case "place-missed", Notice.News.othersMissed:
            guard let fence = text("geofence").flatMap({ UUIDv7($0) }),
                let name = text("placeName"),
                let at = text("dueAt").flatMap({ Timestamp(rfc3339: $0) })
            else { return nil }
            self = .placeMissed(
                fence, name: name, at: at, isKnown: value["known"] == .bool(true),
                isOwn: kind == "place-missed")
        case "place-rule-asked", "place-rule-agreed", "place-rule-refused", "place-rule-ended":
            guard let rule = text("rule").flatMap({ UUIDv7($0) }), let name = text("placeName"),
                let change = Notice.RuleChange(rawValue: kind)
            else { return nil }
            self = .placeRule(rule, place: name, change)
        case "place-changed":
            guard let fence = text("geofence").flatMap({ UUIDv7($0) }),
                let name = text("placeName"), let was = text("was"),
                let metres = value["metres"]?.integer, let radius = value["radius"]?.integer,
                let radiusWas = value["radiusWas"]?.integer
            else { return nil }
            let centreWas = value["latitudeWasE7"]?.integer.flatMap { latitude in
                value["longitudeWasE7"]?.integer.flatMap {
                    Coordinate(latitudeE7: latitude, longitudeE7: $0)
                }
            }
            self = .placeChanged(
                Notice.PlaceChange(
                    fence, name: name, was: was, metres: Int(clamping: metres),
                    radius: Int(clamping: radius), radiusWas: Int(clamping: radiusWas),
                    centreWas: centreWas, rule: text("rule").flatMap { UUIDv7($0) }))
        case "nobody-left": self = .nobodyLeft(but: value["but"] == .bool(true))
        case "helper-coming", "helper-not-coming", "helper-called":
            guard let alert = text("alert").flatMap({ UUIDv7($0) }),
                let news = Notice.HelperNews(rawValue: kind)
            else { return nil }
            self = .helper(news, alert: alert)
        case "channel-lost":
            guard let label = text("label") else { return nil }
            self = .channelLost(label: label)
        default:
            guard let change = Notice.MonitoringChange(rawValue: kind) else { return nil }
            self = .monitoring(change)
        }
    }
}

extension JSONWriter {
    fileprivate mutating func members(of service: Name, _ name: String) {
        key("service")
        string(service.text)
        key("name")
        string(name)
    }

    fileprivate mutating func members(of group: GroupKey, _ name: String) {
        key("group")
        string(group.text)
        key("name")
        string(name)
    }
}

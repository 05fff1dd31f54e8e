import Contract
import JSON
import Tracking

extension JSONWriter {
    mutating func tracker(_ tracker: Tracker) {
        member(DocumentKey.user, tracker.user)
        members(DocumentKey.sessions, tracker.sessions) { $0.session($1) }
        member(DocumentKey.latest, tracker.latest) { $0.fixMembers($1) }
        undertaking(tracker.undertaking)
        member(DocumentKey.friendsSince, tracker.friendsSince)
        member(DocumentKey.presence, tracker.presence) { $0.presence($1) }
        member(DocumentKey.pathsBegun, tracker.pathsBegun)
        member(DocumentKey.alertsRaised, tracker.alertsRaised)
        member(DocumentKey.highestVersion, tracker.highestVersion)
        member(DocumentKey.attendedAt, tracker.attendedAt)
        member(DocumentKey.forgottenThrough, tracker.forgottenThrough)
        if tracker.storesNothing { member(DocumentKey.isStorageOff, true) }
        member(DocumentKey.pausedUntil, tracker.pausedUntil)
        member(DocumentKey.pauseEndedAt, tracker.pauseEndedAt)
        member(DocumentKey.sosEndedAt, tracker.sosEndedAt)
        member(DocumentKey.positionsRefusedSince, tracker.positionsRefusedSince)
        member(DocumentKey.whereabouts, tracker.whereabouts) { $0.whereabouts($1) }
    }

    private mutating func session(_ session: Session) {
        member(DocumentKey.group, session.group)
        switch session.state {
        case .inactive(let lastKnown):
            member(DocumentKey.state, DocumentKey.inactive.description)
            member(DocumentKey.lastKnown, lastKnown) { $0.fixMembers($1) }
        case .active: member(DocumentKey.state, DocumentKey.active.description)
        case .routing: member(DocumentKey.state, DocumentKey.routing.description)
        case .sos: member(DocumentKey.state, DocumentKey.sos.description)
        }
        member(DocumentKey.since, session.since)
        member(DocumentKey.sharedSince, session.sharedSince)
        member(DocumentKey.sessionVersion, session.version)
        member(DocumentKey.until, session.until)
        if session.precision != .exact {
            member(DocumentKey.precision, session.precision.rawValue)
        }
        if session.isPaused { member(DocumentKey.isPaused, true) }
    }
}

extension Tracker {
    init(_ object: DocumentObject) throws {
        self.init(
            user: try object.identifier(DocumentKey.user),
            sessions: try object.objects(DocumentKey.sessions) { try Session($0) },
            latest: try Fix(ifPresent: DocumentKey.latest, in: object),
            undertaking: try Undertaking(in: object),
            friendsSince: try object.time(ifPresent: DocumentKey.friendsSince),
            presence: try Presence(object.object(DocumentKey.presence)),
            pathsBegun: try object.integer(DocumentKey.pathsBegun),
            alertsRaised: try object.integer(DocumentKey.alertsRaised),
            highestVersion: try object.integer(DocumentKey.highestVersion),
            attendedAt: try object.time(ifPresent: DocumentKey.attendedAt),
            forgottenThrough: try object.time(ifPresent: DocumentKey.forgottenThrough),
            storesNothing: try object.bool(ifPresent: DocumentKey.isStorageOff) ?? false,
            pausedUntil: try object.time(ifPresent: DocumentKey.pausedUntil),
            pauseEndedAt: try object.time(ifPresent: DocumentKey.pauseEndedAt),
            sosEndedAt: try object.time(ifPresent: DocumentKey.sosEndedAt),
            positionsRefusedSince: try object.time(ifPresent: DocumentKey.positionsRefusedSince),
            whereabouts: try object.object(ifPresent: DocumentKey.whereabouts) { object in
                try Whereabouts(object)
            } ?? Whereabouts())
    }
}

extension Session {
    fileprivate init(_ object: DocumentObject) throws {
        self.init(
            group: try object.identifier(DocumentKey.group), state: try State(in: object),
            since: try object.time(DocumentKey.since),
            sharedSince: try object.time(ifPresent: DocumentKey.sharedSince),
            version: try object.integer(DocumentKey.sessionVersion),
            until: try object.time(ifPresent: DocumentKey.until),
            precision: try object.string(ifPresent: DocumentKey.precision) == nil
                ? .exact : try object.word(DocumentKey.precision),
            isPaused: try object.bool(ifPresent: DocumentKey.isPaused) ?? false)
    }
}

extension Session.State {
    fileprivate init(in object: DocumentObject) throws {
        if object.version == 1 {
            try self.init(version1: object)
            return
        }
        let states: [(StaticString, Session.State)] = [
            (DocumentKey.inactive, .inactive(lastKnown: nil)), (DocumentKey.active, .active),
            (DocumentKey.routing, .routing), (DocumentKey.sos, .sos),
        ]
        let name = try object.string(ifPresent: DocumentKey.state)
        self = try object.required(states.first { $0.0.description == name }?.1)
        if case .inactive = self {
            self = .inactive(lastKnown: try Fix(ifPresent: DocumentKey.lastKnown, in: object))
        }
    }

    /// In version 1 the state was an object, with the state's data under its name.
    private init(version1 object: DocumentObject) throws {
        let state = try object.object(DocumentKey.state)
        let inactive: Session.State? = try state.object(ifPresent: DocumentKey.inactive) { object in
            .inactive(lastKnown: try Fix(ifPresent: DocumentKey.lastKnown, in: object))
        }
        if let inactive {
            self = inactive
            return
        }
        let others: [(StaticString, Session.State)] = [
            (DocumentKey.active, .active), (DocumentKey.routing, .routing), (DocumentKey.sos, .sos),
        ]
        for (key, other) in others {
            guard try state.object(ifPresent: key, { $0 }) != nil else { continue }
            self = other
            return
        }
        throw StoreError.damagedDocument
    }
}

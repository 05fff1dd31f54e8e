import Contract
import JSON
import Tracking

extension JSONWriter {
    /// Writes members of the tracker, not a separate object.
    mutating func undertaking(_ undertaking: Undertaking) {
        switch undertaking {
        case .nothing: break
        case .journey(let journey, let following):
            member(DocumentKey.journey, journey) { $0.journey($1) }
            self.following(following)
        case .emergency(let emergency, let following):
            member(DocumentKey.emergency, emergency) { $0.emergency($1) }
            self.following(following)
        }
    }

    private mutating func following(_ following: Following) {
        member(DocumentKey.path, following.path) { $0.path($1) }
        member(DocumentKey.watch, following.watch) { json, watch in
            json.member(DocumentKey.fixAwaitedSince, watch.fixAwaitedSince)
            json.member(DocumentKey.toldOffline, watch.toldOffline)
            json.member(DocumentKey.toldSilent, watch.toldSilent)
        }
    }

    private mutating func journey(_ journey: Journey) {
        member(DocumentKey.destination, journey.destination) { $0.destination($1) }
        if journey.destination == nil { member(DocumentKey.isCheckIn, true) }
        member(DocumentKey.eta, journey.eta)
        member(DocumentKey.startedAt, journey.startedAt)
        member(DocumentKey.number, journey.number)
        member(DocumentKey.isLate, journey.isLate)
        member(DocumentKey.stillness, journey.stillness) { json, stillness in
            json.member(DocumentKey.anchor, stillness.anchor) { $0.anchor($1) }
            json.member(DocumentKey.stray, stillness.stray) { $0.anchor($1) }
            json.member(DocumentKey.isStuck, stillness.isStuck)
            json.member(DocumentKey.lastAt, stillness.lastAt)
            json.member(DocumentKey.resumedAt, stillness.resumedAt)
        }
        member(DocumentKey.approach, journey.approach) { json, approach in
            json.member(DocumentKey.phase, approach.phase.asEarlier.rawValue)
            if approach.phase != approach.phase.asEarlier {
                json.member(DocumentKey.stage, approach.phase.rawValue)
            }
            json.member(DocumentKey.isConfirming, approach.isLeaving)
            json.member(DocumentKey.judgedThrough, approach.judgedThrough)
            json.member(DocumentKey.visit, approach.visit) { json, visit in
                json.member(DocumentKey.since, visit.since)
                json.member(DocumentKey.heardAt, visit.heardAt)
                json.member(DocumentKey.isGood, visit.isGood)
                json.member(DocumentKey.isConfirmed, visit.isConfirmed)
            }
        }
    }

    private mutating func anchor(_ anchor: Stillness.Anchor) {
        coordinate(anchor.coordinate)
        member(DocumentKey.takenAt, anchor.takenAt)
        member(DocumentKey.accuracy, anchor.accuracy)
    }

    private mutating func emergency(_ emergency: Emergency) {
        member(DocumentKey.startedAt, emergency.startedAt)
        members(DocumentKey.escalations, emergency.escalations) { json, escalation in
            json.member(DocumentKey.alert, escalation.alert) { $0.alertMembers($1) }
            json.member(DocumentKey.repeats, Int64(escalation.repeats))
            json.member(DocumentKey.nextAt, escalation.nextAt)
            if escalation.isOver { json.member(DocumentKey.isOver, true) }
        }
        member(DocumentKey.alertedAt, emergency.alertedAt)
        if emergency.cause != .person { member(DocumentKey.cause, emergency.cause.rawValue) }
        member(DocumentKey.assistedAt, emergency.assistedAt)
        member(DocumentKey.waiting, emergency.waiting) { json, waiting in
            json.member(DocumentKey.journey, waiting.journey) { $0.journey($1) }
            json.key(DocumentKey.groups)
            json.array(waiting.groups) { $0.number($1.rawValue) }
            json.member(DocumentKey.isReached, waiting.isReached)
        }
        guard !emergency.responses.isEmpty else { return }
        members(DocumentKey.responses, emergency.responses) { json, response in
            json.member(DocumentKey.user, response.user)
            json.member(DocumentKey.group, response.group)
            json.member(DocumentKey.kind, response.kind.rawValue)
            json.member(DocumentKey.at, response.at)
        }
    }

    private mutating func path(_ path: Path) {
        member(DocumentKey.number, path.number)
        member(DocumentKey.mode, path.mode.rawValue)
        member(DocumentKey.startedAt, path.startedAt)
        key(DocumentKey.groups)
        array(path.groups) { $0.number($1.rawValue) }
        member(DocumentKey.count, Int64(path.count))
        members(DocumentKey.tail, path.tail) { json, point in
            json.coordinate(point.coordinate)
            json.member(DocumentKey.takenAt, point.takenAt)
        }
    }
}

extension Undertaking {
    /// - Parameter object: the tracker.
    init(in object: DocumentObject) throws {
        let journey = try object.object(ifPresent: DocumentKey.journey) { journey in
            try Journey(journey, number: try Path.number(in: object))
        }
        let emergency = try object.object(ifPresent: DocumentKey.emergency) { try Emergency($0) }
        switch (journey, emergency) {
        case (nil, nil): self = .nothing
        case (let journey?, nil): self = .journey(journey, try Following(in: object))
        case (nil, let emergency?): self = .emergency(emergency, try Following(in: object))
        case (.some, .some): throw StoreError.damagedDocument
        }
    }
}

extension Following {
    fileprivate init(in object: DocumentObject) throws {
        let watch = try object.object(DocumentKey.watch)
        self.init(
            path: try Path(object.object(DocumentKey.path)),
            watch: Watch(
                fixAwaitedSince: try watch.time(DocumentKey.fixAwaitedSince),
                toldOffline: try watch.bool(DocumentKey.toldOffline),
                toldSilent: try watch.bool(DocumentKey.toldSilent)))
    }
}

extension Journey {
    /// - Parameter number: the path's number, for a journey stored without its own.
    fileprivate init(_ object: DocumentObject, number: Int64) throws {
        let stillness = try object.object(DocumentKey.stillness)
        func anchor(_ key: StaticString) throws -> Stillness.Anchor? {
            try stillness.object(ifPresent: key) { object in
                Stillness.Anchor(
                    coordinate: try Coordinate(in: object),
                    takenAt: try object.time(DocumentKey.takenAt),
                    accuracy: try object.required(
                        try object.number(ifPresent: DocumentKey.accuracy)))
            }
        }
        let startedAt = try object.time(DocumentKey.startedAt)
        let approach = try object.object(ifPresent: DocumentKey.approach) { try Approach($0) }
        let destination = try object.object(ifPresent: DocumentKey.destination) { object in
            try Destination(object)
        }
        let isCheckIn = try object.bool(ifPresent: DocumentKey.isCheckIn) ?? false
        guard isCheckIn == (destination == nil) else { throw StoreError.damagedDocument }
        self.init(
            to: destination,
            eta: try object.time(DocumentKey.eta),
            startedAt: startedAt,
            number: try object.integer(ifPresent: DocumentKey.number) ?? number,
            isLate: try object.bool(DocumentKey.isLate),
            stillness: Stillness(
                anchor: try anchor(DocumentKey.anchor), stray: try anchor(DocumentKey.stray),
                isStuck: try stillness.bool(DocumentKey.isStuck),
                lastAt: try stillness.time(ifPresent: DocumentKey.lastAt),
                resumedAt: try stillness.time(ifPresent: DocumentKey.resumedAt)),
            // An earlier version did not store where the journey began, which is now unknown.
            approach: approach ?? Approach(phase: .unknown, judgedThrough: startedAt))
    }
}

extension Approach.Phase {
    /// The phase's representation in earlier versions.
    fileprivate var asEarlier: Approach.Phase {
        switch self {
        case .unknown, .departing, .travelling: self
        case .near: .departing
        case .arrived: .travelling
        }
    }
}

extension Approach {
    fileprivate init(_ object: DocumentObject) throws {
        let stage: Phase? = try object.word(ifPresent: DocumentKey.stage)
        let phase: Phase = try object.word(DocumentKey.phase)
        self.init(
            phase: stage ?? phase,
            isLeaving: try object.bool(DocumentKey.isConfirming),
            visit: try object.object(ifPresent: DocumentKey.visit) { object in
                Visit(
                    since: try object.time(DocumentKey.since),
                    heardAt: try object.time(DocumentKey.heardAt),
                    isGood: try object.bool(DocumentKey.isGood),
                    isConfirmed: try object.bool(DocumentKey.isConfirmed))
            },
            judgedThrough: try object.time(ifPresent: DocumentKey.judgedThrough))
    }
}

extension Emergency {
    fileprivate init(_ object: DocumentObject) throws {
        self.init(
            startedAt: try object.time(DocumentKey.startedAt),
            cause: try object.word(ifPresent: DocumentKey.cause) ?? .person,
            escalations: try object.objects(DocumentKey.escalations) { object in
                Escalation(
                    alert: try Alert(object.object(DocumentKey.alert)),
                    repeats: try object.integer(DocumentKey.repeats),
                    nextAt: try object.time(DocumentKey.nextAt),
                    isOver: try object.bool(ifPresent: DocumentKey.isOver) ?? false)
            },
            alertedAt: try object.time(ifPresent: DocumentKey.alertedAt),
            assistedAt: try object.time(ifPresent: DocumentKey.assistedAt),
            responses: try object.objects(ifPresent: DocumentKey.responses) { object in
                HelperResponse(
                    user: try object.identifier(DocumentKey.user),
                    group: try object.identifier(DocumentKey.group),
                    kind: try object.word(DocumentKey.kind), at: try object.time(DocumentKey.at))
            },
            waiting: try object.object(ifPresent: DocumentKey.waiting) { try WaitingJourney($0) })
    }
}

extension WaitingJourney {
    fileprivate init(_ object: DocumentObject) throws {
        self.init(
            try Journey(object.object(DocumentKey.journey), number: 0),
            groups: try object.values(DocumentKey.groups).map { value in
                GroupID(rawValue: try object.required(value.integer))
            },
            isReached: try object.bool(DocumentKey.isReached))
    }
}

extension Path {
    /// - Parameter object: the tracker.
    fileprivate static func number(in object: DocumentObject) throws -> Int64 {
        try object.object(DocumentKey.path).integer(DocumentKey.number)
    }

    fileprivate init(_ object: DocumentObject) throws {
        self.init(
            number: try object.integer(DocumentKey.number),
            mode: try object.word(DocumentKey.mode),
            startedAt: try object.time(DocumentKey.startedAt),
            groups: try object.values(DocumentKey.groups).map { value in
                GroupID(rawValue: try object.required(value.integer))
            },
            count: try object.integer(DocumentKey.count),
            tail: try object.objects(DocumentKey.tail) { object in
                Path.Point(
                    coordinate: try Coordinate(in: object),
                    takenAt: try object.time(DocumentKey.takenAt))
            })
    }
}
